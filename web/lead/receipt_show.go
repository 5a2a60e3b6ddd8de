package lead

import (
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/web/format"
)

// showOperation maps the receipt of one write, without its lead and page.
func showOperation(v format.Viewer, op desk.Operation, wait desk.Wait) views.OperationView {
	own := op.ActorID == v.Who.UserID
	o := views.OperationView{
		ID: op.ID, Number: numberOf(op.ID), Deed: string(op.Kind), State: string(op.State), Since: format.SinceOf(op), Steps: ShowReceipt(v, op, wait),
		By: op.ActorName, When: v.Exact(op.CreatedAt), Reason: op.Reason, Again: againAt(v, op),
	}
	if own {
		o.By = "By you"
	}
	if op.Messages != "" {
		o.Said = []string{op.Messages}
	}
	o.GiveUp = own && op.State == desk.OpUnknown && v.Who.Can(desk.GivesUp(op.Kind))
	o.Adopt = op.Kind == heloc.OpStart && op.State == desk.OpUnknown
	if op.RequestID != "" {
		o.Facts = append(o.Facts, ui.Fact{Label: "The lender’s request number", Value: op.RequestID})
	}
	return o
}

// numberOf is a number short enough for the phone: the last letters of the id.
func numberOf(id string) string {
	if len(id) < 6 {
		return id
	}
	tail := id[len(id)-6:]
	return tail[:4] + "-" + tail[4:]
}
