package admin

import (
	"net/http"
	"strconv"

	deskadmin "hearthline/internal/desk/admin"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/admin"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/form"
)

// confirmPayments resumes the payment estimates of a rate type after the administrator has confirmed them.
func confirmPayments(r *http.Request, in *deskadmin.Installation, f *form.Form) error {
	if !f.IsChecked("confirm.payments") {
		return fault.InvalidFields(fault.Field{Name: "confirm.payments",
			Message: "Check this box to estimate these payments again"})
	}
	return in.ConfirmPayments(r.Context(), heloc.OfferRateType(f.Text("rateType")))
}

// presentEstimates maps how our estimates compare with what the lender booked; submitted is the rate type whose form
// was rejected.
func presentEstimates(counts []lead.FigureCounts, submitted string) view.EstimatesPanel {
	p := view.EstimatesPanel{Table: view.Table{
		ID: "estimates", Title: "Payment estimates", Sub: "selected offers, all companies",
		Columns: []ui.Column{{Label: "Rate type"}, {Label: "Compared", Class: "num"}, {Label: "Matched", Class: "num"},
			{Label: "Differed", Class: "num"}, {Label: "Not comparable", Class: "num"}, {Label: "Estimates"}},
	}}
	for _, c := range counts {
		number := func(n int) view.Cell { return view.Cell{Text: strconv.Itoa(n), Num: true} }
		name := text.RateType(string(c.RateType))
		p.Table.Rows = append(p.Table.Rows, []view.Cell{
			{Text: name}, number(c.Compared()), number(c.Matched), number(c.Differed), number(c.Incomparable), estimatesCell(c),
		})
		if c.Stopped {
			lower := text.LowerFirst(name)
			p.Stopped = append(p.Stopped, view.StoppedEstimates{
				RateType: string(c.RateType), Name: lower, Asked: string(c.RateType) == submitted,
				Text: "The lender’s figures differed from the estimates for three leads in a row, " +
					"so these offers are shown without payments. " +
					"Compare PARTNER_FEE_METHOD, PARTNER_TERM_UNIT, PARTNER_VARIABLE_PAYMENT and PARTNER_DRAW_YEARS with what the " +
					"lender charges, and correct the server’s settings first.",
			})
		}
	}
	return p
}

func estimatesCell(c lead.FigureCounts) view.Cell {
	switch {
	case c.Stopped:
		return view.Cell{Text: "Not in use", NeedsAttention: true}
	case !c.Modeled:
		return view.Cell{Text: "None"}
	default:
		return view.Cell{Text: "In use"}
	}
}
