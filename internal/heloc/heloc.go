// Package heloc is the vocabulary of the lender's interface: steps, enums, resources,
// requests and money. It does no I/O, so every package can use its types without
// depending on a client.
//
//	scalar.go     Money, Rate, Count, Date: numbers and dates of the interface
//	ids.go        AppID and OriginatorID
//	enum.go       the open enumerations of section 2.5; live.go, what only the live service sends
//	details.go    the details resource of section 2.3
//	offer.go      offers, selection and quotes of sections 2.3 and 2.4
//	request.go    the payloads of section 4
//	normalize.go  what the lender's patterns accept, and what can be corrected safely
//	status.go     a lead's status: the one source of lanes, labels and due times
//	payment.go    our estimate of a monthly payment; priced_offer.go, the figures based on it
//
// JSON tags are the documented names, misspellings included; the Go names are spelled
// correctly. Every enumeration is open: an unknown value is preserved and is never an error.
// These types also define the canonical JSON that the portal stores.
package heloc
