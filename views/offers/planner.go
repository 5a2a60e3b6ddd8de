package offers

import (
	"strconv"

	"github.com/a-h/templ"

	"hearthline/views/ui"
	"hearthline/views/workspace"
)

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
