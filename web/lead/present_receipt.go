package lead

import (
	"strconv"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
)

// presentOperation maps the receipt of one write, without its lead and page. What is known about a lost start takes
// more than the operation: presentLostStart adds it.
func presentOperation(v text.Viewer, op lead.Operation, wait lead.UsualWait) view.OperationView {
	own := op.ActorID == v.Who.UserID
	o := view.OperationView{
		ID: op.ID, Title: text.OperationOf(string(op.Kind)).ReceiptTitle(), Receipt: presentReceipt(v, op, wait),
		Abandoned: op.State == lead.OpAbandoned, RepeatWarning: text.RepeatOf(string(op.Kind)),
		CheckedLabel: "I confirmed with the lender that it was not received.",
		By:           op.ActorName, Reason: op.Reason, RetryURL: retryURL(v, op),
	}
	since := text.SinceOf(op)
	if since != "" { // once the lead has moved on, "it did not arrive" may be untrue
		o.CheckedLabel = "I checked the result with the lender."
	}
	if op.SentAt == 0 { // otherwise the list of what happened begins with the time
		o.When = v.ExactTime(op.CreatedAt)
	}
	if own {
		o.By = "By you"
	}
	if op.Messages != "" {
		o.LenderMessages = []string{op.Messages}
	}
	// An estimate changes nothing, so nobody needs to know whether the lender received its request.
	o.CanAbandon = op.Kind != heloc.OpPrequalify && op.State == lead.OpUnknown &&
		v.Who.Can(desklead.AbandonPermission(op.Kind))
	o.CanAdopt = isLostStart(op) && o.CanAbandon
	o.AbandonLabel, o.AbandonText = "Mark as not received", "We’ll stop checking for it, and you can send it again."
	switch {
	case isLostStart(op):
		o.AbandonText = "It’s then off the list of inquiries to confirm, and the inquiry can be sent again."
	case op.Kind == heloc.OpSetAttributions: // the lender's records never settle it
		o.AbandonText = "The lead’s page will no longer show it as not confirmed."
	case since == text.SinceMoved: // its form is gone
		o.AbandonLabel, o.AbandonText = "Stop checking", "We’ll stop checking for it."
	case since != "":
		o.AbandonText = "We’ll stop checking for it."
	}
	o.Facts = ui.KnownFacts("Receipt ID", op.ID, "Application ID", string(op.App), "Lender request ID", op.RequestID)
	return o
}

// isLostStart reports whether an operation is a start whose outcome is unknown.
func isLostStart(op lead.Operation) bool {
	return op.Kind == heloc.OpStart && op.State == lead.OpUnknown
}

// presentLostStart says on the receipt of a lost start what is known and what the user can do.
func presentLostStart(o *view.OperationView, s text.LostStart, unsaved bool) {
	outcome := s.Verdict()
	if unsaved {
		outcome = text.UnsavedOf(outcome)
	}
	o.Receipt.Note.Text = outcome.Text
}

// presentReceipt maps the outcome of an operation with its progress.
func presentReceipt(v text.Viewer, op lead.Operation, wait lead.UsualWait) ui.ReceiptView {
	since := text.SinceOf(op)
	outcome := text.OutcomeOf(string(op.Kind), string(op.State), since)
	switch {
	case op.CorrectedAt != 0:
		outcome = text.CorrectedOf(string(op.Kind), v.ExactTime(op.CorrectedAt))
	case op.Kind == heloc.OpStart && op.State == lead.OpConfirmed && op.ResolvedBy != "":
		outcome = text.AdoptedStart()
	}
	if op.Unsaved {
		outcome = text.UnsavedOf(outcome)
	}
	note := ui.Notice{Kind: outcome.Kind, Icon: outcome.Icon, Title: outcome.Title, Text: outcome.Text, Role: "status"}
	return ui.ReceiptView{Note: note, Steps: PresentReceiptSteps(v, op, wait), Number: shortNumber(op.ID)}
}

// shortNumber returns the last letters of the id, short enough to read out on the phone.
func shortNumber(id string) string {
	if len(id) < 6 {
		return id
	}
	tail := id[len(id)-6:]
	return tail[:4] + "-" + tail[4:]
}

// PresentReceiptSteps maps the progress of one operation: sent, seen by the lender, step changed. With the usual wait,
// an accepted operation says when the step usually changes.
func PresentReceiptSteps(v text.Viewer, op lead.Operation, wait lead.UsualWait) []ui.ReceiptStep {
	texts := text.OperationOf(string(op.Kind))
	sent := ui.ReceiptStep{Label: "Sent", Text: v.ExactTime(op.SentAt), Done: op.SentAt != 0}
	if op.SentAt == 0 {
		sent.Text = "not sent"
		sent.Failed = op.State == lead.OpNotSent
	}
	seen := ui.ReceiptStep{Label: "Lender’s response:"}
	switch op.State {
	case lead.OpSucceeded:
		seen.Done, seen.Text = true, "accepted, "+v.ExactTime(op.AnsweredAt)
	case lead.OpConfirmed:
		outcome := text.OutcomeOf(string(op.Kind), string(op.State), "")
		seen.Done, seen.Text = outcome.Kind == "ready", text.LowerFirst(outcome.Label)+", "+v.ExactTime(op.SettledAt)
		if op.CorrectedAt != 0 {
			seen.Text = "not clear at first; shown by the lender’s records, " + v.ExactTime(op.CorrectedAt)
		} else if seen.Done {
			seen.Text = answered(op) + "; confirmed by the lender’s records, " + v.ExactTime(op.SettledAt)
		}
	case lead.OpRejected:
		seen.Done, seen.Failed, seen.Text = true, true, "not accepted, "+v.ExactTime(op.AnsweredAt)
	case lead.OpNotSent:
		sent.Failed, sent.Done, sent.Text = true, false, "not sent"
		seen.Text = "none"
	case lead.OpAbsent:
		seen.Text = "not found, " + v.ExactTime(op.SettledAt)
	case lead.OpAbandoned:
		seen.Text = "not confirmed"
		if text.SinceOf(op) != text.SinceMoved {
			seen.Text += "; marked as not received"
		}
	case lead.OpUnknown:
		switch {
		case op.Kind == heloc.OpPrequalify: // belongs to no lead, so the lender's records never show it
			seen.Text = "none received"
		case op.StepChangedAt != 0:
			seen.Text = "not known"
		case op.Kind == heloc.OpSetAttributions: // nothing settles it but a user
			seen.Text = "not confirmed"
		case op.Kind == heloc.OpStart:
			if seen.Text = answered(op); op.HTTPStatus != 0 {
				seen.Text += "; not confirmed"
			}
		default:
			seen.Text = "not confirmed yet; we’re still checking"
		}
	default:
		seen.Text = "—"
	}
	if sent.Done && op.State != lead.OpSent && op.AnsweredAt == 0 && op.HTTPStatus == 0 {
		sent.Label = "Submitted" // the process ended before it stored whether the call was made
	}
	steps := []ui.ReceiptStep{sent, seen}
	if !op.Kind.MovesStep() || seen.Failed || op.State == lead.OpNotSent || op.State == lead.OpAbsent ||
		op.State == lead.OpAbandoned {
		return steps
	}
	if op.State != lead.OpSucceeded && op.StepChangedAt != 0 {
		label := "Lead moved to:"
		if text.SinceOf(op) == text.SinceChanged {
			label = "Lead’s history changed:"
		}
		return append(steps, ui.ReceiptStep{Label: label,
			Text: text.StepName(op.StepAfter) + ", " + v.ExactTime(op.StepChangedAt)})
	}
	switch {
	case op.StepChangedAt != 0:
		return append(steps, ui.ReceiptStep{Done: true, Label: "Lead moved to:",
			Text: text.StepName(op.StepAfter) + ", " + v.ExactTime(op.StepChangedAt)})
	case wait.Known && op.State == lead.OpSucceeded:
		return append(steps, ui.ReceiptStep{Label: "Next step",
			Text: "not seen yet; usually " + text.LongDuration(wait.Median) + " after " + texts.Noun})
	case op.State == lead.OpSucceeded:
		return append(steps, ui.ReceiptStep{Label: "Lender’s records:", Text: "no change seen yet"})
	default:
		return steps
	}
}

// answered is what arrived of an answer that did not say clearly whether the lender did something.
func answered(op lead.Operation) string {
	if op.HTTPStatus == 0 {
		return "none received"
	}
	return strconv.Itoa(op.HTTPStatus)
}
