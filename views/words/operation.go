package words

// Operation is the text for one of the writes to the lender.
type Operation struct {
	Key          string // name of the operation in the lender's interface
	Title        string // of a form or a card
	Button       string // on the button
	InProgress   string // while it is being sent
	Done         string // after the lender accepted it
	Noun         string // inside a sentence: "the SSN"
	WhileUnknown string // what is safe to do while it is unknown whether it arrived
}

var operations = []Operation{
	{"start", "New inquiry", "Send to the lender", "Sending the inquiry", "Inquiry started", "the inquiry", "Do not start it again. We are looking for it at the lender and will tell you here."},
	{"add-ssn", "Send the SSN", "Send to the lender", "Sending the SSN", "SSN sent", "the SSN", "Do not send it again yet. We are watching whether the lead moves on."},
	{"repull-credit", "Ask for credit again", "Ask for credit again", "Asking for credit", "Credit asked for again", "the new credit request", "Do not ask again yet: each request is a new inquiry."},
	{"verify-liens", "Verify liens", "Send liens to the lender", "Sending the liens", "Liens sent", "the liens", "Do not send them again yet. We are watching whether the lead moves on."},
	{"add-income", "Add income", "Send income to the lender", "Sending the income", "Income sent", "the income", "Do not send it again yet. We are watching whether the lead moves on."},
	{"asset-depletion", "Income, assets and payoffs", "Send to the lender", "Sending income and payoffs", "Income and payoffs sent", "income and payoffs", "Do not send them again yet. We are watching whether the lead moves on."},
	{"add-property-estimate", "Property value", "Send the value to the lender", "Sending the value", "Property value sent", "the property value", "Do not send it again yet. We are watching whether the lead moves on."},
	{"select-property", "Choose property", "Choose this property", "Choosing the property", "Property chosen", "the property", "Do not choose again yet. We are watching whether the lead moves on."},
	{"select-offer", "Select an offer", "Select this offer", "Selecting the offer", "Offer selected", "the offer", "Do not select another yet. We ask the lender which one it has."},
	{"cancel", "Cancel inquiry", "Cancel inquiry", "Cancelling", "Inquiry cancelled", "the cancellation", "Nothing else to do. We ask the lender whether it is closed."},
	{"attributions", "Attributions", "Save at the lender", "Saving", "Attributions saved", "the attributions", "You may look at them again in a minute."},
	{"reassign", "Hand over", "Hand over", "Handing over", "Handed over", "the hand-over", "Do not hand it over again yet. We ask the lender whose lead it is."},
	{"pre-qualify", "Quick estimate", "Get an estimate", "Asking for an estimate", "Estimate received", "the estimate", "You may ask again: an estimate changes nothing."},
}

// OperationOf returns the operation with this name; an unknown one is described by its own name.
func OperationOf(operation string) Operation {
	for _, d := range operations {
		if d.Key == operation {
			return d
		}
	}
	return Operation{Key: operation, Title: Name(operation), Button: "Send to the lender", InProgress: "Sending", Done: "Sent", Noun: "it",
		WhileUnknown: "Do not send it again yet. We are watching whether the lead moves on."}
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
	{"prepared", "Not sent yet", "Not sent yet.", "It is saved here and has not left.", "", "hourglass"},
	{"sent", "Sent", "Sending.", "The lender has not answered yet.", "", "hourglass"},
	{"succeeded", "Accepted", "The lender took it.", "What follows shows here by itself.", "ready", "circle-check"},
	{"rejected", "Not accepted", "The lender did not accept it.", "Nothing was changed. Correct it and send it again.", "fail", "octagon-alert"},
	{"not_sent", "Not sent", "It was not sent.", "Nothing reached the lender and nothing was changed; you may send it again.", "fail", "cloud-off"},
	{"unknown", "Not known yet", "Sent. We do not know yet whether it arrived.", "", "yours", "circle-help"},
	{MovedOn, "Not confirmed", "The lead has moved on, but we can’t tell whether this caused it.", "", "yours", "circle-help"},
	{"confirmed", "Confirmed", "The lender shows what was asked for.", "Its answer was lost, and its details show the result.", "ready", "circle-check"},
	{"absent", "No sign of it", "The lender shows no sign of it.", "We looked for two minutes. It may still arrive, so check with the lender before you send it again.", "yours", "circle-help"},
	{"abandoned", "Given up", "Nobody waits for it any more.", "A person decided so; the reason is noted.", "", "circle-x"},
}

// MovedOn replaces a state: the outcome of the operation is unknown, and the lead has moved since then for
// any reason.
const MovedOn = "moved_on"

// shown is what the lender's details show of a confirmed operation, by kind.
var shown = map[string]string{
	"start":        "Its answer was lost. The lender shows an inquiry with our reference.",
	"cancel":       "Its answer was lost. The lender shows the inquiry as closed, with a cancellation date.",
	"reassign":     "Its answer was lost. The lender shows the lead with the new originator.",
	"select-offer": "Its answer was lost. The lender shows this offer as selected.",
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
		v.Text = "Check with the lender what became of it. " + RepeatOf(operation)
		return v
	}
	v := VerdictOf(state)
	switch state {
	case "confirmed":
		v.Text = shown[operation]
	case "absent":
		v.Text += " " + RepeatOf(operation)
	}
	return v
}

// RepeatOf warns about the effect of sending an operation again if the first may have arrived.
func RepeatOf(operation string) string {
	switch operation {
	case "start":
		return "Sending it again may start a second inquiry, with a second credit inquiry."
	case "add-ssn":
		return "Sending it again may run the soft credit match a second time."
	case "repull-credit":
		return "Asking again may pull the borrower’s credit a second time."
	default:
		return "If it did arrive, sending it again gives it to the lender twice."
	}
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
