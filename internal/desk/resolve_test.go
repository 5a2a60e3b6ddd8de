package desk_test

import (
	"testing"

	"hearthline/internal/heloc"
)

// TestAssetDepletion_DebtsWithoutIncome_OnlyAtPayoff: MORE_ASSETS_REQUIRED is resolved by income, and debts to pay
// off only add to it; PAYOFF_REQUIRED is resolved by debts (interface.md section 3). The documented dialect does
// not require the income's fields.
func TestAssetDepletion_DebtsWithoutIncome_OnlyAtPayoff(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		for lastName, accepted := range map[string]bool{"Rivera-Assets": false, "Rivera-Payoff": true} {
			l := g.openLead(g.olivia, g.start(g.olivia, lastName))
			view, err := l.Snapshot(t.Context())
			g.must(err)
			debt := view.Details.App.Payoff.Existing.Eligible[0].ID
			_, err = l.AssetDepletion(t.Context(), l.NewOperationID(heloc.OpAssetDepletion),
				heloc.AssetDepletion{AccountsToPayoff: []string{debt}})
			switch {
			case accepted:
				g.must(err)
			default:
				wantField(t, err, "income.grossAnnualIncome")
			}
		}
	})
}
