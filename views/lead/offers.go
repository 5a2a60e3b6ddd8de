package lead

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"hearthline/views/ui"
)

func (o OffersView) pricedAsOfText() string {
	if o.PricedAsOf == "" {
		return "Estimate"
	}
	return "Estimate · priced as of " + o.PricedAsOf
}

func (o OffersView) caption() string {
	if o.Caption != "" {
		return o.Caption
	}
	c := "Estimated monthly payment by term and origination fee"
	if o.Kind != "" {
		c += ", " + o.Kind + " rate"
	}
	if o.Draw != "" {
		c += ", net draw " + o.Draw
	}
	return c
}

func (o OffersView) empty() ui.EmptyView {
	if o.Empty.Title != "" {
		return o.Empty
	}
	return ui.EmptyView{Icon: "calculator", Title: "No offers for these figures.", Text: "Try another amount or fee."}
}

// cellLabel is a cell's label for screen readers.
func (o OffersView) cellLabel(row, cell int) string {
	c := o.Rows[row].Cells[cell]
	if c.Label != "" {
		return c.Label
	}
	l := cmp.Or(o.Rows[row].LongTerm, o.Rows[row].Term)
	if cell < len(o.Fees) {
		l += ", fee " + o.Fees[cell].Percent
	}
	if c.Dollars == "" {
		return l + ", payment not known"
	}
	return l + ", " + c.Dollars + c.Cents + " a month at " + c.Rate
}

// discountsField starts with the discounts of the quote: the discounts that lowered the displayed rates are
// selected unless the user unchecks them.
func (o OffersView) discountsField() ui.Field {
	f := o.Form.Field(ui.Field{Name: "offer.selectedDiscounts", Label: "Discounts to select", Span: "c12"})
	for _, d := range o.Discounts {
		f.Options = append(f.Options, ui.Option{Value: d.Type, Label: d.Label, Selected: d.Selected || o.Form.Has(f.Name, d.Type) || o.discountRequested(d)})
	}
	return f
}

func (o OffersView) discountRequested(d DiscountChoice) bool {
	for name, label := range quoteDiscounts {
		if strings.HasPrefix(d.Label, label) && o.Quote.Form.Value(name) == "true" {
			return true
		}
	}
	return false
}

// quoteDiscounts are the discounts that a quote can include, with their text.
var quoteDiscounts = map[string]string{"autoPayDiscountEnabled": "Autopay", "cuDiscountEnabled": "Credit union"}

// discountField is a discount of the quote form, with the rate reduction if the offers report it.
func (o OffersView) discountField(name string) ui.Field {
	f := o.Quote.Form.Field(ui.Field{Name: name})
	for _, d := range o.Discounts {
		if strings.HasPrefix(d.Label, quoteDiscounts[name]) {
			f.Label = d.Label
		}
	}
	return f
}

// eligibleText counts the debts that can be paid off.
func (o OffersView) eligibleText() string {
	n := 0
	for i := range o.Planner.Debts {
		if o.Planner.Debts[i].Ineligible == "" {
			n++
		}
	}
	return strconv.Itoa(n) + " eligible"
}

func (v WorkspaceView) sheetActions() []ui.Action {
	if !v.Offers.CanPrintSheet {
		return nil
	}
	query := v.Offers.SheetQuery
	return []ui.Action{
		{Label: "Show the borrower", Icon: "users", Href: v.Page.Base.OfferSheet(v.App, "show", query)},
		{Label: "Offer sheet", Icon: "printer", Href: v.Page.Base.OfferSheet(v.App, "offer-sheet", query)},
	}
}

// preservedFields are the chosen, pinned and checked values, by control name.
func (o OffersView) preservedFields() []ui.SubmittedValue {
	var all []ui.SubmittedValue
	for _, t := range o.Form.Values {
		if t.Name == "offer.offerUuid" || t.Name == "offer.selectedDiscounts" || t.Name == "offer.selectedAccountsToPayoff" {
			all = append(all, t)
		}
	}
	for i := range o.Pinned.Columns {
		all = append(all, ui.SubmittedValue{Name: "pin", Value: o.Pinned.Columns[i].UUID})
	}
	if len(o.Planner.Debts) > 0 {
		all = append(all, ui.SubmittedValue{Name: "plan", Value: "shown"})
	}
	return all
}

// plain marks controls that are only for use without JavaScript.
var plain = templ.OrderedAttributes{{Key: "data-plain", Value: true}}

// quotePress are the attributes of a button outside the quote form that requests a quote.
var quotePress = templ.OrderedAttributes{{Key: "form", Value: "quote"}}

// quoteURL is the page that recalculates the payments: the current one.
func (v WorkspaceView) quoteURL() string { return v.Page.Base.LeadTab(v.App, v.Tab) }

func (q QuoteForm) rateTypeField() ui.Field {
	f := q.Form.Field(ui.Field{Name: "rateType", Span: "kind"})
	f.Options = ui.Choices(cmp.Or(f.Value, "FIXED"), [2]string{"FIXED", "Fixed"}, [2]string{"FLOATING", "Variable"})
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
	return "Work it out"
}

// offerControl is the control of the offer that the borrower chose.
const offerControl = "offer.offerUuid"

// gridAttrs make the grid a group of options if none is chosen; the error summary links to it.
func (o OffersView) gridAttrs() templ.OrderedAttributes {
	attrs := o.Form.InvalidAttrs(offerControl)
	if attrs == nil {
		return templ.OrderedAttributes{{Key: "role", Value: "region"}}
	}
	return append(templ.OrderedAttributes{{Key: "id", Value: offerControl}, {Key: "role", Value: "radiogroup"}}, attrs...)
}
