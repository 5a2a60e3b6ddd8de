package offers

import (
	"strconv"

	"github.com/a-h/templ"

	"hearthline/views/ui"
	"hearthline/views/workspace"
)

// payoffControl is the control of the debts that the line pays off.
const payoffControl = "offer.selectedAccountsToPayoff"

// plannerOpen reports whether the planner is open: it has a checked debt, a saved payment, or an error.
func (v *View) plannerOpen() bool {
	if v.Planner.Chosen != "" || v.Planner.NoOffers || v.Form.ErrorOf(payoffControl) != "" {
		return true
	}
	for i := range v.Planner.Debts {
		d := &v.Planner.Debts[i]
		if d.Chosen || d.PaysToday != "" || v.Form.Has("offer.selectedAccountsToPayoff", d.ID) || v.paysTodayField(strconv.Itoa(i), d).Error != "" {
			return true
		}
	}
	return false
}

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

func (c CompareView) count() string { return strconv.Itoa(len(c.Columns)) }
