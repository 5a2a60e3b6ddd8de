package offers

import (
	"strconv"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/ui"
)

// home is what a home secures. liens leaves out the debts that the line pays off, as far as the lender says that they
// count toward the CLTV.
type home struct {
	value, before, liens, loan heloc.Money
	valueName                  string
}

// homeWith returns what the home secures with a loan. It is unknown if the value or a balance is.
func (g OfferGrid) homeWith(l desklead.Snapshot, loan heloc.Money) (h home, ok bool) {
	a := l.Details.App
	value, name := a.Value.AVM, "AVM value"
	if value == nil {
		value, name = a.Value.BorrowerEstimated, "Stated value"
	}
	if value == nil || *value <= 0 {
		return home{}, false
	}
	h = home{value: *value, valueName: name, loan: loan}
	for _, lien := range a.Liens {
		if lien.CurrentBalance == nil {
			return home{}, false
		}
		h.before += *lien.CurrentBalance
	}
	h.liens = h.before
	for _, d := range g.payoffDebts {
		if d.CLTVCredit != nil && *d.CLTVCredit {
			h.liens -= orZero(d.Balance)
		}
	}
	return h, h.liens >= 0
}

// presentHome maps what the home secures with the chosen offer, or without any.
func (g OfferGrid) presentHome(l desklead.Snapshot, chosen *heloc.Offer) view.HomeView {
	var loan heloc.Money
	if chosen != nil {
		loan = g.drawn(*chosen).Loan()
	}
	h, ok := g.homeWith(l, loan)
	if !ok {
		return view.HomeView{}
	}
	v := view.HomeView{Value: text.Money(h.value), ValueName: h.valueName}
	liens := h.before
	if chosen != nil {
		v.CLTV, liens = percentOf(h.liens+h.loan, h.value), h.liens
	}
	rest := h.value - liens - h.loan
	label := "Of a value of " + v.Value + ": liens " + text.Money(liens)
	if h.loan > 0 {
		label += ", this line " + text.Money(h.loan)
	}
	if rest >= 0 {
		v.Remaining = text.Money(rest)
		label += ", remaining equity " + v.Remaining
	}
	v.Bar = ui.NewMoneyBar(label, ui.BarAmount{Class: "p1", Cents: int64(liens)},
		ui.BarAmount{Class: "p2", Cents: int64(h.loan)}, ui.BarAmount{Class: "p3", Cents: int64(max(rest, 0))})
	return v
}

// percentOf is a ratio with one decimal place.
func percentOf(part, whole heloc.Money) string {
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64) + "%"
}
