// Package heloc is the vocabulary of the lender's interface: steps, enums,
// resources, requests and money, without any I/O, so that every room may speak
// of liens and offers without touching a client.
//
//	scalar.go     Money, Rate, Count, Date: numbers and dates as the interface means them
//	ids.go        AppID, OriginatorID and the other identifiers
//	enum.go       the open enumerations of section 2.5
//	live.go       what only the service in the field sends
//	details.go    the details resource of section 2.3
//	offer.go      offers, selection, quotes of sections 2.3 and 2.4
//	request.go    the payloads of section 4
//	normalize.go   what the lender's patterns accept, and what we can safely mend
//	status.go   whose move a lead is: the one table behind lanes, chips and clocks
//	payment.go    our estimate of a monthly payment; priced_offer.go, what follows from it
//
// JSON tags are the documented names, misspellings included; the Go names are
// right. Every enumeration is open: an unknown value is kept and never an error.
// Marshalled, these types are also the canonical JSON that is kept at rest.
package heloc
