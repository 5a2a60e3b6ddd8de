package lead

import (
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/lead"
	"hearthline/views/ui"
	"hearthline/web/format"
)

// presentOperation maps the receipt of one write, without its lead and page.
func presentOperation(v format.Viewer, op lead.Operation, wait lead.UsualWait) view.OperationView {
	own := op.ActorID == v.Who.UserID
	o := view.OperationView{
		ID: op.ID, Number: shortNumber(op.ID), OperationName: string(op.Kind), State: string(op.State), Since: format.SinceOf(op), Steps: PresentReceiptSteps(v, op, wait),
		By: op.ActorName, When: v.ExactTime(op.CreatedAt), Reason: op.Reason, RetryURL: retryURL(v, op),
	}
	if own {
		o.By = "By you"
	}
	if op.Messages != "" {
		o.LenderMessages = []string{op.Messages}
	}
	o.CanAbandon = (own || op.App != "") && op.State == lead.OpUnknown && v.Who.Can(desk.AbandonPermission(op.Kind))
	o.CanAdopt = op.Kind == heloc.OpStart && op.State == lead.OpUnknown
	if op.RequestID != "" {
		o.Facts = append(o.Facts, ui.Fact{Label: "The lender’s request number", Value: op.RequestID})
	}
	return o
}

// shortNumber returns the last letters of the id, short enough to read out on the phone.
func shortNumber(id string) string {
	if len(id) < 6 {
		return id
	}
	tail := id[len(id)-6:]
	return tail[:4] + "-" + tail[4:]
}
