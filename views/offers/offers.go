package offers

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"hearthline/views/ui"
)

func (v *View) pricedAsOfText() string {
	if v.PricedAsOf == "" {
		return "Estimate"
	}
	return "Estimate · priced as of " + v.PricedAsOf
}

func (v *View) caption() string {
	if v.Caption != "" {
		return v.Caption
	}
	c := "Estimated monthly payment by term and origination fee"
	if v.Kind != "" {
		c += ", " + v.Kind
	}
	if v.Draw != "" {
		c += ", " + v.drawName() + " " + v.Draw
	}
	return c
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

func (v *View) empty() ui.EmptyView {
	if v.Empty.Title != "" {
		return v.Empty
	}
	return ui.EmptyView{Icon: "calculator", Title: "No offers for these figures.", Text: "Try another amount or fee."}
}

// cellLabel is a cell's label for screen readers.
func (v *View) cellLabel(row, cell int) string {
	c := v.Rows[row].Cells[cell]
	if c.Label != "" {
		return c.Label
	}
	l := cmp.Or(v.Rows[row].LongTerm, v.Rows[row].Term)
	if cell < len(v.Fees) {
		l += ", fee " + v.Fees[cell].Percent
	}
	if c.Dollars == "" {
		return l + ", payment not known"
	}
	return l + ", " + c.Dollars + c.Cents + " a month at " + c.Rate
}

// discountsField starts with the discounts of the quote: the discounts that lowered the displayed rates are
// selected unless the user unchecks them.
func (v *View) discountsField() ui.Field {
	f := v.Form.Field(ui.Field{Name: "offer.selectedDiscounts", Label: "Discounts", Span: "c12"})
	for _, d := range v.Discounts {
		f.Options = append(f.Options, ui.Option{Value: d.Type, Label: d.Label, Selected: d.Selected || v.Form.Has(f.Name, d.Type) || v.discountRequested(d)})
	}
	return f
}

func (v *View) discountRequested(d DiscountChoice) bool {
	for name, label := range quoteDiscounts {
		if strings.HasPrefix(d.Label, label) && v.Quote.Form.Value(name) == "true" {
			return true
		}
	}
	return false
}

// quoteDiscounts are the discounts that a quote can include, with their text.
var quoteDiscounts = map[string]string{"autoPayDiscountEnabled": "Autopay", "cuDiscountEnabled": "Credit union"}

// discountField is a discount of the quote form, with the rate reduction if the offers report it.
func (v *View) discountField(name string) ui.Field {
	f := v.Quote.Form.Field(ui.Field{Name: name})
	for _, d := range v.Discounts {
		if strings.HasPrefix(d.Label, quoteDiscounts[name]) {
			f.Label = d.Label
		}
	}
	return f
}

// eligibleText counts the debts that can be paid off.
func (v *View) eligibleText() string {
	n := 0
	for i := range v.Planner.Debts {
		if v.Planner.Debts[i].Ineligible == "" {
			n++
		}
	}
	return strconv.Itoa(n) + " eligible"
}

func (v *View) sheetActions() []ui.Action {
	if !v.CanPrintSheet {
		return nil
	}
	query := v.SheetQuery
	return []ui.Action{
		{Label: "Show the borrower", Icon: "users", Href: v.URLs.Base.OfferSheet(v.URLs.App, "show", query)},
		{Label: "Share link", Icon: "link", Href: v.URLs.Base.ShareSelection(v.URLs.App, query)},
		{Label: "Offer sheet", Icon: "printer", Href: v.URLs.Base.OfferSheet(v.URLs.App, "offer-sheet", query)},
	}
}

// preservedFields are the chosen, pinned and checked values, by control name.
func (v *View) preservedFields() []ui.SubmittedValue {
	var all []ui.SubmittedValue
	for _, t := range v.Form.Values {
		if t.Name == "offer.offerUuid" || t.Name == "offer.selectedDiscounts" || t.Name == "offer.selectedAccountsToPayoff" {
			all = append(all, t)
		}
	}
	for i := range v.Pinned.Columns {
		all = append(all, ui.SubmittedValue{Name: "pin", Value: v.Pinned.Columns[i].UUID})
	}
	if len(v.Planner.Debts) > 0 {
		all = append(all, ui.SubmittedValue{Name: "plan", Value: "shown"})
	}
	return all
}

// plain marks controls that are only for use without JavaScript.
var plain = templ.OrderedAttributes{{Key: "data-plain", Value: true}}

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
	f := q.Form.SelectField(ui.Field{Name: "originationFee"}, pairs)
	return f
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

// offerControl is the control of the offer that the borrower chose.
const offerControl = "offer.offerUuid"

// gridAttrs make the grid a group of options if none is chosen; the error summary links to it.
func (v *View) gridAttrs() templ.OrderedAttributes {
	attrs := v.Form.InvalidAttrs(offerControl)
	if attrs == nil {
		return templ.OrderedAttributes{{Key: "role", Value: "region"}}
	}
	return append(templ.OrderedAttributes{{Key: "id", Value: offerControl}, {Key: "role", Value: "radiogroup"}}, attrs...)
}
