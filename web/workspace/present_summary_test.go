package workspace

import (
	"testing"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
)

// TestPresentSummary_StatesWhatIsKnown: a lien of unknown balance leaves the equity unknown, and the lender's CLTV
// is shown only for a known line.
func TestPresentSummary_StatesWhatIsKnown(t *testing.T) {
	t.Parallel()
	value, owed, loan, debt, cltv, free := heloc.Dollars(500_000), heloc.Dollars(200_000), heloc.Dollars(80_000),
		heloc.Dollars(30_000), heloc.Percent(56), heloc.Rate(0)
	for _, c := range []struct {
		name     string
		set      func(l *desklead.Snapshot)
		want     map[string]string
		noEquity bool
	}{
		{"offers, none selected", func(l *desklead.Snapshot) { l.Row.MaxAmount = heloc.Dollars(150_000) },
			map[string]string{"Liens": "$200,000", "Line up to": "$150,000", "Remaining equity, before fees": "$150,000"},
			false},
		{"a lien of unknown balance", func(l *desklead.Snapshot) {
			l.Details.App.Liens = append(l.Details.App.Liens, heloc.Lien{LenderName: "Harbor Bank"})
		}, map[string]string{"Liens with known balances": "$200,000"}, true},
		{"no liens listed", func(l *desklead.Snapshot) { l.Details.App.Liens = nil }, map[string]string{"Liens": ""}, true},
		{"no liens listed, some by the lender's CLTV", func(l *desklead.Snapshot) {
			l.Details.App.Liens, l.Details.App.Value.PreLoanCLTV = nil, &cltv
		}, map[string]string{"Liens": "", "CLTV before (lender)": "56.00%"}, true},
		{"no liens by the lender's CLTV", func(l *desklead.Snapshot) {
			l.Details.App.Liens, l.Details.App.Value.PreLoanCLTV, l.SelectedHere = nil, &free, true
		}, map[string]string{"Liens": "", "Remaining equity": "$420,000"}, false},
		{"no offers any more", func(l *desklead.Snapshot) {
			l.Row.MaxAmount, l.Row.StatusKey = heloc.Dollars(150_000), heloc.StatusNoOffers
			l.Details.App.Underwriting.SelectedOffer = nil
		}, map[string]string{"Line up to": "", "Equity": "$300,000"}, false},
		{"more owed than it is worth", func(l *desklead.Snapshot) { l.Row.MaxAmount = heloc.Dollars(300_001) },
			map[string]string{"Liens": "$200,000"}, true},
		{"selected here, nothing paid off", func(l *desklead.Snapshot) { l.SelectedHere = true }, map[string]string{
			"Selected line": "$80,000", "Remaining equity": "$220,000", "CLTV after this line (lender)": "56.00%"}, false},
		{"selected, a debt paid off", func(l *desklead.Snapshot) { l.Details.App.Payoff.Total = &debt }, map[string]string{
			"Selected line": "$80,000", "Remaining equity, before payoffs": "$220,000"}, false},
		{"selected elsewhere", func(*desklead.Snapshot) {}, map[string]string{
			"Remaining equity, before payoffs": "$220,000"}, false},
		{"another selection is processed", func(l *desklead.Snapshot) { l.NewSelection = &desklead.Choice{} },
			map[string]string{"Equity": "$300,000"}, false},
	} {
		l := desklead.Snapshot{}
		l.Details.App.Value = heloc.PropertyValue{AVM: &value, PostLoanCLTV: &cltv}
		l.Details.App.Liens = []heloc.Lien{{CurrentBalance: &owed}}
		if _, selected := c.want["Line up to"]; !selected && !c.noEquity {
			l.Details.App.Underwriting.SelectedOffer = &heloc.SelectedOffer{LoanAmount: &loan}
		}
		c.set(&l)
		got := presentSummary(&Data{View: l})
		facts := map[string]string{}
		for _, f := range got.Facts {
			facts[f.Label] = f.Value
			if f.Key != "" && c.noEquity {
				t.Errorf("%s: %s has the color of a bar that isn't drawn", c.name, f.Label)
			}
		}
		for label, want := range c.want {
			if facts[label] != want {
				t.Errorf("%s: got %v, want %s %s", c.name, facts, label, want)
			}
		}
		equity := ""
		for _, label := range []string{"Equity", "Remaining equity", "Remaining equity, before fees",
			"Remaining equity, before payoffs"} {
			equity += facts[label]
		}
		if (equity == "") != c.noEquity || (got.Bar.Total == "") != c.noEquity {
			t.Errorf("%s: got the equity %q", c.name, equity)
		}
		known := l.Details.App.Underwriting.SelectedOffer != nil && l.NewSelection == nil
		if (facts["CLTV after this line (lender)"] != "") != known {
			t.Errorf("%s: got %v", c.name, facts)
		}
	}
}
