package lead

import (
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
)

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
		if seen.Done {
			seen.Text = "lost; confirmed from the lender’s records, " + v.ExactTime(op.SettledAt)
		}
	case lead.OpRejected:
		seen.Done, seen.Failed, seen.Text = true, true, "not accepted, "+v.ExactTime(op.AnsweredAt)
	case lead.OpNotSent:
		sent.Failed, sent.Done, sent.Text = true, false, "not sent"
		seen.Text = "none"
	case lead.OpAbsent:
		seen.Text = "not found, " + v.ExactTime(op.SettledAt)
	case lead.OpAbandoned:
		seen.Text = "not confirmed; marked as not received"
	case lead.OpUnknown:
		switch {
		case op.Kind == heloc.OpPrequalify: // belongs to no lead, so the lender's records never show it
			seen.Text = "none received"
		case op.StepChangedAt != 0:
			seen.Text = "not known"
		default:
			seen.Text = "not confirmed yet; we’re still checking"
		}
	default:
		seen.Text = "—"
	}
	steps := []ui.ReceiptStep{sent, seen}
	if !op.Kind.MovesStep() || seen.Failed || op.State == lead.OpNotSent || op.State == lead.OpAbsent || op.State == lead.OpAbandoned {
		return steps
	}
	if op.State != lead.OpSucceeded && op.StepChangedAt != 0 {
		label := "Lead moved to:"
		if text.SinceOf(op) == text.SinceChanged {
			label = "Lead’s history changed:"
		}
		return append(steps, ui.ReceiptStep{Label: label, Text: stepStatusText(op.StepAfter) + ", " + v.ExactTime(op.StepChangedAt)})
	}
	switch {
	case op.StepChangedAt != 0:
		return append(steps, ui.ReceiptStep{Done: true, Label: "Lead moved to:", Text: stepStatusText(op.StepAfter) + ", " + v.ExactTime(op.StepChangedAt)})
	case wait.Known && op.State == lead.OpSucceeded:
		return append(steps, ui.ReceiptStep{Label: "Next step", Text: "usually " + text.LongDuration(wait.Median) + " after " + texts.Noun})
	default:
		return steps
	}
}
