// Package heloc is the vocabulary of the lender's interface: steps, enums, resources,
// requests and money. It does no I/O, so every package can use its types without
// depending on a client.
//
//	scalar.go     Money, Rate, Count, Date: numbers and dates of the interface; AppID and OriginatorID
//	enum.go       the open enumerations of section 2.5, and what only the live service sends
//	details.go    the details resource of section 2.3
//	offer.go      offers, selection and quotes of sections 2.3 and 2.4
//	request.go    the payloads of section 4
//	typed_input.go  what the lender's patterns accept, and what can be corrected safely
//	status.go     a lead's status: the one source of lanes, labels and due times
//	payment.go    our estimate of a monthly payment, and what it assumes;
//	              priced_offer.go, the figures based on it
//
// JSON tags are the documented names, misspellings included; the Go names are spelled
// correctly. Every enumeration is open: an unknown value is preserved and is never an error.
// These types also define the canonical JSON that the portal stores.
//
// To add a blocked step, work downward through these files, with the tests beside each:
//
//	internal/heloc/enum.go, status.go          the step, its operation, its status with lane, mover and due time,
//	                                           and a line in originatorSteps
//	internal/heloc/request.go                  the payload, if the operation has one
//	internal/sandbox/trigger.go,
//	  inquiry_resolve.go, routes.go            its trigger, and the lender's answer to the operation
//	internal/partner/resolve_step.go,
//	  endpoint.go                              the call
//	internal/desk/lead/resolve.go              the checks before the operation is written to the journal
//	web/lead/resolve.go                        its form: what is parsed, and a line in StepForms, which makes the route
//	web/lead/present_next_step.go              its presenter: a line in presentStepBody, and known values in stepForm
//	views/lead/next_step_*.templ               its template with the view model
//	views/text/status.go, spanish.go,
//	  operation.go, admin.go                   its words; views/ui/control_labels.go, the labels of new controls
//
// Everything else follows from the status: lists, filters, notifications, usual waits, routes and reports.
package heloc
