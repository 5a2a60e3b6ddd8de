package text

import "strings"

// Operation is the text for one of the writes to the lender.
type Operation struct {
	Key          string // name of the operation in the lender's interface
	Title        string // of a form or a card
	InProgress   string // while it is being sent
	Done         string // after the lender accepted it
	Noun         string // inside a sentence: "the SSN"
	Subject      string // at the beginning of a title: "SSN"
	WhileUnknown string // what is safe to do while it is unknown whether it arrived
}

var operations = []Operation{
	{"start", "New inquiry", "Sending the inquiry", "Inquiry started", "the inquiry", "Inquiry",
		"Don’t start it again. Ask the lender whether it was received."}, // LostStart says more
	{"add-ssn", "Send SSN", "Sending the SSN", "SSN sent", "the SSN", "SSN",
		"Don’t resend it. We’re checking whether the lead moves to another step."},
	{"repull-credit", "Re-pull credit", "Requesting the re-pull", "Credit re-pull requested", "the credit re-pull",
		"Credit re-pull", "Don’t re-pull again: each request may be another credit pull. " +
			"We’re checking whether the lead moves to another step."},
	{"verify-liens", "Verify liens", "Sending the liens", "Liens sent", "the liens", "Liens",
		"Don’t resend them. We’re checking whether the lead moves to another step."},
	{"add-income", "Add income", "Sending the income", "Income sent", "the income", "Income",
		"Don’t resend it. We’re checking whether the lead moves to another step."},
	{"asset-depletion", "Income, assets and payoffs", "Sending income and payoffs", "Income and payoffs sent",
		"income and payoffs", "Income and payoffs",
		"Don’t resend them. We’re checking whether the lead moves to another step."},
	{"add-property-estimate", "Property value", "Sending the value", "Property value sent", "the property value",
		"Property value", "Don’t resend it. We’re checking whether the lead moves to another step."},
	{"select-property", "Choose property", "Choosing the property", "Property chosen", "the property choice",
		"Property choice", "Don’t choose again. We’re checking whether the lead moves to another step."},
	{"select-offer", "Select an offer", "Selecting the offer", "Offer selected", "the offer selection", "Offer selection",
		"Don’t select another offer. We’re checking with the lender which one is selected."},
	{"cancel", "Cancel inquiry", "Canceling", "Cancellation sent", "the cancellation", "Cancellation",
		"No action needed. We’re checking with the lender whether it is closed."},
	{"attributions", "Source and references", "Saving", "Source and references saved", "the source and references",
		"Source and references", "Check the History tab to see whether they were saved. You can save them again."},
	{"reassign", "Reassign lead", "Reassigning", "Reassigned", "the reassignment", "Reassignment",
		"Don’t reassign the lead again. We’re checking with the lender who has it."},
	{"pre-qualify", "Quick estimate", "Requesting the estimate", "Estimate received", "the estimate request",
		"Estimate request", "You can request it again: an estimate changes nothing."},
}

// OperationOf returns the operation with this name; an unknown one is described by its own name.
func OperationOf(operation string) Operation {
	for _, d := range operations {
		if d.Key == operation {
			return d
		}
	}
	return Operation{Key: operation, Title: Name(operation), InProgress: "Sending", Done: "Sent", Noun: "it",
		Subject:      Name(operation),
		WhileUnknown: "Don’t resend it. We’re checking whether the lead moves to another step."}
}

// ReceiptTitle is the title of the receipt: what was sent, rather than what to do.
func (o Operation) ReceiptTitle() string {
	if what, ok := strings.CutPrefix(o.Noun, "the "); ok {
		return "Receipt: " + what
	}
	return "Receipt: " + LowerFirst(o.Title)
}

// Operations lists the operation names in order.
func Operations() []string {
	out := make([]string, len(operations))
	for i, d := range operations {
		out[i] = d.Key
	}
	return out
}

// Verdict is the text for what is known about an operation.
type Verdict struct {
	State string
	Label string // short, for a row of a list
	Title string // a complete sentence
	Text  string // what it means
	Kind  string // of the notice: "", ready, yours, fail
	Icon  string
}

var verdicts = []Verdict{
	{"sent", "Sending", "Sending.", "The lender’s response isn’t here yet.", "", "hourglass"},
	{"succeeded", "Accepted", "Accepted by the lender.", "", "ready", "circle-check"},
	{"rejected", "Not accepted", "Not accepted by the lender.", "Nothing was changed.", "fail", "octagon-alert"},
	{"not_sent", "Not sent", "Not sent.", "The lender received nothing. You can send it again.", "fail", "cloud-off"},
	{"unknown", SentNotConfirmed, SentNotConfirmed + ".", "The lender didn’t confirm it. " +
		"Don’t resend it until the result is known; the receipt says what we check and what to ask the lender.", "yours",
		"circle-help"},
	{MovedOn, "Can’t be confirmed", "The lead has moved on. We couldn’t confirm that the lender received this.", "",
		"yours", "circle-help"},
	{"confirmed", "Confirmed", "Confirmed by the lender’s records.",
		"The lender’s records show the result.", "ready", "circle-check"},
	{"absent", "Not found at the lender", "Not found at the lender.",
		"We checked at least two minutes after it was sent, and the lender’s records didn’t show it. " +
			"The lender may still have received it, so check with the lender before you send it again.", "yours",
		"circle-help"},
	{"abandoned", "Marked as not received", "Marked as not received.", "A user marked it; the lender didn’t confirm that.",
		"", "circle-x"},
}

// SentNotConfirmed is what is known of an operation whose outcome is unknown, wherever it is shown.
const SentNotConfirmed = "Sent, not confirmed"

// MovedOn replaces a state: the outcome of the operation is unknown, and the lead has moved since then for
// any reason.
const MovedOn = "moved_on"

// shown is what the lender's details show of a confirmed operation, by kind.
var shown = map[string]string{
	"start":        "They show an inquiry with our reference.",
	"cancel":       "They show the inquiry as closed, with a cancellation date.",
	"reassign":     "They show the new originator.",
	"select-offer": "They show this offer as selected.",
}

// Since is how a lead has changed since an operation with an unknown outcome was sent.
type Since string

// If neither applies, the lead has not changed.
const (
	SinceMoved   Since = "moved"   // another step
	SinceChanged Since = "changed" // the same step, in a longer history
)

// OutcomeOf returns what is known about one operation. For kinds that leave nothing in the lender's details,
// a confirmed state only means that the lead has moved on.
func OutcomeOf(operation, state string, since Since) Verdict {
	if state == "unknown" && since != "" || state == "confirmed" && shown[operation] == "" {
		v := VerdictOf(MovedOn)
		if since == SinceChanged {
			v.Title = "The lead’s history has changed, but we can’t tell whether this caused it."
		}
		v.Text = "Ask the lender whether it was received. " + RepeatOf(operation)
		return v
	}
	v, d := VerdictOf(state), OperationOf(operation)
	switch state {
	case "unknown":
		v.Text = d.WhileUnknown // the page names the operation, and every page says the same
		return v
	case "sent":
		v.Title = d.InProgress + "."
		return v
	case "confirmed":
		v.Text = shown[operation]
	case "absent":
		v.Text += " " + RepeatOf(operation)
	case "abandoned":
		if since == SinceMoved { // the user may have learned that it was received
			v.Label, v.Title = "No longer checked", "No longer checked."
			v.Text = "A user stopped the check; the lender didn’t confirm the result."
		}
	}
	v.Title = d.Subject + " " + LowerFirst(v.Title)
	return v
}

// CorrectedOf returns the text for an operation that was first reported as not received or not accepted, and whose
// effect has been visible in the lender's records since a given time.
func CorrectedOf(operation, at string) Verdict {
	v := VerdictOf("confirmed")
	v.Title = "Corrected " + at + ": the lender’s records show " + OperationOf(operation).Noun + "."
	v.Text = "We said before that it wasn’t received or accepted. The lender’s records say otherwise. " + shown[operation]
	v.Label = "Shown by the lender’s records"
	return v
}

// UnseenOf returns the text for an operation that the lender accepted and that its records contradict.
func UnseenOf(operation string) Verdict {
	v := VerdictOf("succeeded")
	d := OperationOf(operation)
	v.Kind, v.Icon, v.Label = "yours", "triangle-alert", "Accepted, not seen"
	v.Title = d.Subject + " accepted by the lender, but we don’t see it."
	v.Text = "For two days, the lender’s records have shown otherwise. Ask the lender whether it took effect."
	return v
}

// UnsavedOf returns the text for an outcome that the database could not store yet. The text of an outcome already says
// whether to send it again, except that of an accepted operation.
func UnsavedOf(v Verdict) Verdict {
	v.Text += " We couldn’t save this yet and will when the database is back."
	if v.State == "succeeded" {
		v.Text += " Don’t send it again."
	}
	v.Text = strings.TrimSpace(v.Text)
	return v
}

// RepeatOf warns about the effect of sending an operation again if the first may have arrived.
func RepeatOf(operation string) string {
	switch operation {
	case "start":
		return "Sending it again may start a second inquiry, with a second credit pull."
	case "add-ssn":
		return "Sending it again may run the soft credit match a second time."
	case "repull-credit":
		return "Re-pulling again may pull the borrower’s credit a second time."
	case "pre-qualify":
		return "You can request it again: an estimate changes nothing."
	case "attributions":
		return "You can save them again."
	default:
		return "Sending it again may submit it twice."
	}
}

// RepeatRiskOf labels the checkbox that confirms sending an operation again although the first may have arrived.
func RepeatRiskOf(operation, state string) string {
	known := "wasn’t found at the lender"
	switch state {
	case "succeeded":
		return "Send it again. The lender accepted an earlier request, and nothing has changed yet. " + RepeatOf(operation)
	case "abandoned":
		known = "was marked as not received"
	}
	return "Send it again. An earlier request " + known + ", but may have arrived. " + RepeatOf(operation)
}

// VerdictOf returns the text for a receipt's state; an unknown state is described by its own name.
func VerdictOf(state string) Verdict {
	for _, v := range verdicts {
		if v.State == state {
			return v
		}
	}
	return Verdict{State: state, Label: Name(state), Title: Name(state) + ".", Icon: "circle-help"}
}
