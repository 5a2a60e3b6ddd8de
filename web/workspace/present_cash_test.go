package workspace

import (
	"slices"
	"testing"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/views/ui"
)

// TestCashFacts_StatesWhatIsKnown: without the lender's total, only a selection that was sent from here says what is
// paid off.
func TestCashFacts_StatesWhatIsKnown(t *testing.T) {
	t.Parallel()
	draw, total, none, balance, fee := heloc.Dollars(60_000), heloc.Dollars(8_200), heloc.Money(0), heloc.Dollars(5_000),
		heloc.Percent(2.99)
	cash := func(amount string) ui.Fact { return ui.Fact{Label: "Cash to the borrower", Value: amount} }
	off := func(amount string) ui.Fact { return ui.Fact{Label: "Pays off", Value: amount} }
	for _, c := range []struct {
		name     string
		total    *heloc.Money
		here     bool
		accounts []string
		method   heloc.FeeMethod
		want     []ui.Fact
	}{
		{"the lender's total", &total, false, nil, heloc.FeeAdded, []ui.Fact{off("$8,200"), cash("$51,800")}},
		{"the lender's total, fee deducted", &total, false, nil, heloc.FeeDeducted,
			[]ui.Fact{off("$8,200"), {Label: "Cash to the borrower, after the fee", Value: "$50,006"}}},
		{"sent from here without debts", nil, true, nil, heloc.FeeAdded, []ui.Fact{cash("$60,000")}},
		{"sent from here with a debt", nil, true, []string{"a"}, heloc.FeeAdded, []ui.Fact{off("$5,000"), cash("$55,000")}},
		{"a debt whose balance is unknown", nil, true, []string{"b"}, heloc.FeeAdded, nil},
		{"one balance known of two", nil, true, []string{"a", "b"}, heloc.FeeAdded, nil},
		{"a total of zero beside a debt that was sent", &none, true, []string{"a"}, heloc.FeeAdded,
			[]ui.Fact{off("$5,000"), cash("$55,000")}},
		{"selected elsewhere", nil, false, nil, heloc.FeeAdded, nil},
	} {
		l := desklead.Snapshot{Payments: heloc.PaymentModel{Fee: c.method}, SelectedHere: c.here,
			SelectedAccounts: c.accounts}
		l.Details.App.Underwriting.SelectedOffer = &heloc.SelectedOffer{DrawAmount: &draw, OriginationFeePercent: &fee}
		l.Details.App.Payoff = heloc.PayoffDetails{Total: c.total, Existing: &heloc.ExistingLiabilities{
			Eligible: []heloc.Liability{{ID: "a", Balance: &balance}, {ID: "b"}},
		}}
		if got := CashFacts(l); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
		l.NewSelection = &desklead.Choice{}
		if got := CashFacts(l); got != nil {
			t.Errorf("%s, while another selection is processed: got %v", c.name, got)
		}
	}
}
