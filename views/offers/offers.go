package offers

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/workspace"
)

// HasWorkbench reports whether the tab has the workbench, which spans the window.
func (v *View) HasWorkbench() bool { return len(v.Rows) > 0 || v.PastQuote.ID != "" }

func (v *View) pricedAsOfText() string {
	if v.PricedAsOf == "" {
		return "Estimated monthly payment"
	}
	return "Estimated monthly payment · priced as of " + v.PricedAsOf
}

func (v *View) estimatesText() string {
	if v.PricedAsOf == "" {
		return "All figures are estimates."
	}
	return "All figures are estimates, priced as of " + v.PricedAsOf + "."
}

func (v *View) caption() string {
	draw := ""
	if v.Draw != "" {
		draw = v.drawName() + " " + v.Draw
	}
	return text.JoinNonEmpty(", ", "Estimated monthly payment by term and origination fee", v.Kind, draw)
}

// drawName names the draw inside a sentence.
func (v *View) drawName() string { return strings.ToLower(v.drawLabel()) }

func (v *View) drawLabel() string {
	if v.FeeDeducted {
		return "Draw"
	}
	return "Net draw"
}

func (v *View) drawHint() string {
	if v.FeeDeducted {
		return "the fee is deducted from it"
	}
	return "excludes fee"
}

// cellLabel is a cell's label for screen readers.
func (v *View) cellLabel(row, cell int) string {
	c := v.Rows[row].Cells[cell]
	l := cmp.Or(v.Rows[row].LongTerm, v.Rows[row].Term)
	if cell < len(v.Fees) {
		l += ", fee " + v.Fees[cell].Percent
	}
	if c.Selected != "" {
		l += ", " + text.LowerFirst(c.Selected)
	}
	switch l += ", "; {
	case c.Payment == "":
		return l + "payment not known"
	case c.InterestOnly:
		return l + c.Payment + " a month during the draw period, " + cmp.Or(c.Afterward, "more") + " afterward, at " +
			c.Rate + " today"
	default:
		return l + c.Payment + " a month at " + c.Rate
	}
}

// twoPayments reports whether the grid has offers with two payments.
func (v *View) twoPayments() bool {
	interestOnly := func(c OfferCell) bool { return c.InterestOnly }
	return slices.ContainsFunc(v.Rows, func(r TermRow) bool { return slices.ContainsFunc(r.Cells, interestOnly) })
}

// The controls of the selection.
const (
	offerControl    = "offer.offerUuid"
	amountControl   = "offer.selectedOfferAmount"
	discountControl = "offer.selectedDiscounts"
	confirmControl  = "confirm.offer"
)

// hasQuoteForm reports whether other figures can be asked for: without a range there is no draw to choose.
func (v *View) hasQuoteForm() bool { return v.CanSelect && v.Quote.Max != "" && v.Quote.Max != "0" }

// isSelected reports whether a discount is selected with the offer: the discounts that lowered the displayed rates are,
// unless the user unchecks them.
func (v *View) isSelected(d DiscountChoice) bool {
	return d.Selected || v.Form.Has(discountControl, d.Type) || d.Control != "" && v.Quote.Form.Value(d.Control) == "true"
}

// inQuoteForm reports whether the quote form has a discount, which is then selected as it was quoted.
func (v *View) inQuoteForm(d DiscountChoice) bool {
	return v.hasQuoteForm() && v.Quote.Requote && d.Control != ""
}

// ownDiscounts are the discounts that the quote form does not have.
func (v *View) ownDiscounts() []DiscountChoice {
	return slices.DeleteFunc(slices.Clone(v.Discounts), v.inQuoteForm)
}

// discountNamed is a discount of the quote form, with the rate reduction if the offers report it.
func (v *View) discountNamed(control string) DiscountChoice {
	for _, d := range v.Discounts {
		if d.Control == control {
			return d
		}
	}
	return DiscountChoice{Name: ui.LabelOf(control)}
}

func (v *View) discountGroupAttrs() templ.OrderedAttributes {
	if attrs := v.Form.InvalidGroupAttrs(discountControl); attrs != nil {
		return attrs
	}
	return templ.OrderedAttributes{{Key: "role", Value: "group"}, {Key: "aria-labelledby", Value: "own-discounts"}}
}

// prompt is what the bar says while no offer is chosen.
func (v *View) prompt() string {
	return cmp.Or(v.Chosen.MismatchReason, "Choose an offer.")
}

func (v *View) sentenceText() string { return cmp.Or(v.Sentence, v.prompt()) }

// confirmsByBox reports whether the form came back because of its confirmation, which is then a checkbox.
func (v *View) confirmsByBox() bool { return v.Form.ErrorOf(confirmControl) != "" }

// formHeader is the header of a form that is shown again. It leaves out the check that confirms a repeat: the bar at
// the end of the form has it, even when the form is first shown.
func (v *View) formHeader() ui.Form {
	f := v.Form
	f.RepeatRisk = ""
	return f
}

// selectAction is the button that selects the offer. Its press is the confirmation.
func (v *View) selectAction() ui.Action {
	a := ui.Action{Label: "Select offer", Kind: "pri"}
	if !v.confirmsByBox() {
		a.Name, a.Value = confirmControl, "true"
	}
	return v.Form.SendAction(a)
}

// offersQuote reports whether the bar has a button that requests a quote.
func (v *View) offersQuote() bool {
	return v.hasQuoteForm() && v.Quote.Requote && (v.CannotText != "" || v.Quote.Failed)
}

// eligible counts the debts that can be paid off.
func (v *View) eligible() int {
	n := 0
	for _, d := range v.Planner.Debts {
		if d.Ineligible == "" {
			n++
		}
	}
	return n
}

func (v *View) eligibleText() string { return strconv.Itoa(v.eligible()) + " eligible" }

func (v *View) showURL() string { return v.URLs.Base.OfferSheet(v.URLs.App, "show", v.SheetQuery) }

func (v *View) sheetURL() string {
	return v.URLs.Base.OfferSheet(v.URLs.App, "offer-sheet", v.SheetQuery)
}

func (v *View) shareURL() string { return v.URLs.Base.ShareSelection(v.URLs.App, v.SheetQuery) }

// showActions is the link to the borrower's page, in the bar of the chosen offer.
func (v *View) showActions() []ui.Action {
	if !v.CanPrintSheet {
		return nil
	}
	return []ui.Action{{Label: "Show borrower", Icon: "presentation", Href: v.showURL()}}
}

// preservedFields are the chosen, pinned and checked values, by control name.
func (v *View) preservedFields() []ui.SubmittedValue {
	var all []ui.SubmittedValue
	for _, t := range v.Form.Values {
		if t.Name == "offer.offerUuid" || t.Name == "offer.selectedDiscounts" || t.Name == "offer.selectedAccountsToPayoff" {
			all = append(all, t)
		}
	}
	for i := range v.Compare.Columns {
		if v.Compare.Columns[i].Pinned {
			all = append(all, ui.SubmittedValue{Name: "pin", Value: v.Compare.Columns[i].UUID})
		}
	}
	if len(v.Planner.Debts) > 0 {
		all = append(all, ui.SubmittedValue{Name: "plan", Value: "shown"})
	}
	return all
}

// quotePress are the attributes of a button outside the quote form that requests a quote.
var quotePress = templ.OrderedAttributes{{Key: "form", Value: "quote"}}

// quoteURL is the page that recalculates the payments: the current one.
func (v *View) quoteURL() string { return v.URLs.Tab(v.Tab) }

func (q QuoteForm) rateTypeField() ui.Field {
	f := q.Form.Field(ui.Field{Name: "rateType", Span: "kind"})
	f.Options = ui.Choices(cmp.Or(f.Value, q.RateTypes[0][0]), q.RateTypes...)
	return f
}

func (q QuoteForm) feeField() ui.Field {
	pairs := make([][2]string, 0, len(q.Fees)+1)
	pairs = append(pairs, [2]string{"", "All fees"})
	for _, fee := range q.Fees {
		pairs = append(pairs, [2]string{fee, fee + "%"})
	}
	return q.Form.SelectField(ui.Field{Name: "originationFee"}, pairs)
}

// plain is the amount in the format of a slider.
func (q QuoteForm) plain() string {
	whole, _, _ := strings.Cut(q.Form.Value("amount"), ".")
	return strings.NewReplacer(",", "", "$", "", " ", "").Replace(whole)
}

func (q QuoteForm) submitLabel() string {
	if q.Requote {
		return "Get quote"
	}
	return "Calculate"
}

// gridAttrs make the grid a group of options if none is chosen; the error summary links to it.
func (v *View) gridAttrs() templ.OrderedAttributes {
	attrs := v.Form.InvalidAttrs(offerControl)
	if attrs == nil {
		return templ.OrderedAttributes{{Key: "role", Value: "region"}}
	}
	return append(templ.OrderedAttributes{{Key: "id", Value: offerControl}, {Key: "role", Value: "radiogroup"}}, attrs...)
}

// quoteControlNames are the quote form's controls, which a form without JavaScript includes.
var quoteControlNames = []string{"amount", "rateType", "originationFee", "autoPayDiscountEnabled", "cuDiscountEnabled"}

// All requests about the offers share one htmx queue in which the newest replaces the others; app.js also
// drops late responses.
const offersQueue = "#offers"

// quoteHx requests a quote automatically; the newest request wins.
func (v *View) quoteHx(ctx context.Context) templ.OrderedAttributes {
	h := ui.Hx{Trigger: "input delay:350ms, submit, quote", Target: "#offers", Include: workspace.SelectionControls,
		SyncSelector: offersQueue}
	if v.Quote.Requote {
		h.Post = v.URLs.Action("calculate-offers")
	} else {
		h.Get = v.quoteURL()
	}
	return h.Attrs(ctx)
}

// selectionHx recalculates the selection whenever its offer, a pin, a debt or a discount changes: a debt may
// cause a request to the lender. The request includes what the borrower pays today, so it is a POST, which
// keeps that out of the URL.
func (v *View) selectionHx(ctx context.Context) templ.OrderedAttributes {
	return ui.Hx{
		Post: v.URLs.Read("direct-debt-payoff-offers"), Trigger: "change delay:250ms", Target: "#offers", Include: "#quote",
		SyncSelector: offersQueue, SkipValidation: true,
	}.Attrs(ctx)
}

// recalculateAttrs is for the button that does the same without JavaScript.
func (v *View) recalculateAttrs() templ.OrderedAttributes {
	return templ.OrderedAttributes{
		{Key: "formaction", Value: v.URLs.Read("direct-debt-payoff-offers")}, {Key: "formmethod", Value: "post"},
	}
}

// compareHx is for users who may view but not select: pins only.
func (v *View) compareHx(ctx context.Context) templ.OrderedAttributes {
	return ui.Hx{Get: v.quoteURL(), Trigger: "change", Target: "#offers", SyncSelector: offersQueue}.Attrs(ctx)
}

// costsID is the id of the part with the costs of an offer at a draw. Another offer or draw is another part.
func costsID(q to.CostsQuery) string { return "costs-of-" + q.Offer + "-" + q.Amount }

// costsHx fetches the costs of the chosen offer.
func (v *View) costsHx(ctx context.Context) templ.OrderedAttributes {
	return ui.Hx{Get: v.URLs.Base.Costs(v.URLs.App, v.CostsQuery), Trigger: "load", LatestWins: true}.Attrs(ctx)
}

// payoffControl is the control of the debts that the line pays off.
const payoffControl = "offer.selectedAccountsToPayoff"

// paysTodayField is the control for the current monthly payment of a debt: the submitted value, or else the
// saved one.
func (v *View) paysTodayField(index string, d *workspace.DebtRow) ui.Field {
	f := v.Quote.Form.Field(ui.Field{Name: "paysToday." + index + ".amount", Label: d.Creditor})
	if f.Error == "" && f.Value == "" {
		f.Value = d.PaysToday
	}
	return f
}

func payInputAttrs(f ui.Field) templ.OrderedAttributes {
	if f.Error == "" {
		return nil
	}
	return templ.OrderedAttributes{{Key: "aria-invalid", Value: "true"}, {Key: "aria-describedby", Value: f.Name + "-e"}}
}

// PayoffsNeedAttention reports whether the page has to say something about the debts.
func (v *View) PayoffsNeedAttention() bool {
	if v.Planner.NoOffers || v.Form.ErrorOf(payoffControl) != "" {
		return true
	}
	for i := range v.Planner.Debts {
		if v.paysTodayField(strconv.Itoa(i), &v.Planner.Debts[i]).Error != "" {
			return true
		}
	}
	return false
}

// payoffsText is the label of the planner's button.
func (v *View) payoffsText() string {
	if v.Planner.Chosen == "" {
		return "None of " + strconv.Itoa(v.eligible())
	}
	return v.Planner.Chosen + " · " + v.Planner.Total
}
