package web

import (
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// showOperation maps the receipt of one write, without its lead and page.
func (v viewer) showOperation(op desk.Operation, wait desk.Wait) views.OperationView {
	own := op.ActorID == v.who.UserID
	o := views.OperationView{
		ID: op.ID, Number: numberOf(op.ID), Deed: string(op.Kind), State: string(op.State), Since: sinceOf(op), Steps: v.showReceipt(op, wait),
		By: op.ActorName, When: v.exact(op.CreatedAt), Reason: op.Reason, Again: v.againAt(op),
	}
	if own {
		o.By = "By you"
	}
	if op.Messages != "" {
		o.Said = []string{op.Messages}
	}
	o.GiveUp = own && op.State == desk.OpUnknown && v.who.Can(desk.GivesUp(op.Kind))
	o.Adopt = op.Kind == heloc.OpStart && op.State == desk.OpUnknown
	if op.RequestID != "" {
		o.Facts = append(o.Facts, ui.Fact{Label: "The lender’s request number", Value: op.RequestID})
	}
	return o
}

// sinceOf is what the lead has done since an operation of unknown outcome was sent.
func sinceOf(op desk.Operation) words.Since {
	switch {
	case op.State != desk.OpUnknown || op.MovedAt == 0:
		return ""
	case op.MovedTo == op.StepBefore:
		return words.SinceChanged
	default:
		return words.SinceMoved
	}
}

// numberOf is a number short enough for the phone: the last letters of the id.
func numberOf(id string) string {
	if len(id) < 6 {
		return id
	}
	tail := id[len(id)-6:]
	return tail[:4] + "-" + tail[4:]
}
