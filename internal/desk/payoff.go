package desk

import (
	"context"
	"maps"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// PayoffPlan is what is known of the debts besides the lender's list. It stays here.
type PayoffPlan struct {
	Pays   map[string]heloc.Money // a month today, by account id, as the borrower tells it
	Marked []string               // accounts that stand marked: with the selection, or else with the income
}

// PayoffPlan reads the plan.
func (l *Lead) PayoffPlan(ctx context.Context) (PayoffPlan, error) {
	if err := l.d.may(access.SeeLead); err != nil {
		return PayoffPlan{}, err
	}
	var p PayoffPlan
	row, err := l.d.Store.PayoffPlan(ctx, l.row.App)
	if err != nil {
		return p, err
	}
	if row != nil {
		if p.Pays, err = vault.UnsealJSON[map[string]heloc.Money](l.d.Vault, placeOfPlan(l.row.App), row.Sealed); err != nil {
			return p, err
		}
	}
	last, err := l.lastChoice(ctx, heloc.OpSelectOffer)
	if err == nil && last.Offer == "" {
		last, err = l.lastChoice(ctx, heloc.OpAssetDepletion)
	}
	p.Marked = last.Accounts
	return p, err
}

// KeepPays notes what the borrower pays today on each debt. The same again writes nothing.
func (l *Lead) KeepPays(ctx context.Context, pays map[string]heloc.Money) error {
	if err := l.mayAsk(ctx); err != nil {
		return err
	}
	known, err := l.PayoffPlan(ctx)
	if err != nil || maps.Equal(known.Pays, pays) {
		return err
	}
	sealed, err := vault.SealJSON(l.d.Vault, placeOfPlan(l.row.App), pays)
	if err != nil {
		return err
	}
	now := store.Millis(l.d.Now())
	return l.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := l.present(ctx, tx, access.ActOnLead); err != nil {
			return err
		}
		if err := tx.SavePayoffPlan(ctx, store.PayoffPlan{App: l.row.App, ActorID: l.d.Actor.UserID, Sealed: sealed, At: now}); err != nil {
			return err
		}
		return tx.Audit(ctx, store.Audited{
			At: now, ActorID: l.d.Actor.UserID, Company: l.row.Company, Action: store.ActPayoffPlan, Object: "lead:" + string(l.row.App), Outcome: "done",
		})
	})
}

// costsSetting remembers when the lender last said that it does not tell costs before an
// offer is selected, so that pages need not ask in vain.
const costsSetting = "lender.no-costs"

// costsAgain is how long that holds.
const costsAgain = 24 * time.Hour

// TellsCosts says whether the lender may tell what an offer costs before it is selected.
func (l *Lead) TellsCosts(ctx context.Context) (bool, error) {
	if err := l.d.may(access.SeeLead); err != nil {
		return false, err
	}
	told, err := l.d.Store.Setting(ctx, costsSetting)
	if err != nil || told == "" {
		return err == nil, err
	}
	at, err := time.Parse(time.RFC3339, told)
	return err != nil || l.d.Now().Sub(at) > costsAgain, nil
}

// Costs asks what an offer costs before it is selected, which only the field tells.
// fault.NotFound says that this lender does not, and is remembered.
func (l *Lead) Costs(ctx context.Context, offer string, amount heloc.Money) (heloc.Costs, error) {
	if err := l.mayAsk(ctx); err != nil {
		return heloc.Costs{}, err
	}
	if _, err := l.supplied(ctx, offer); err != nil {
		return heloc.Costs{}, err
	}
	if tells, err := l.TellsCosts(ctx); err != nil || !tells {
		return heloc.Costs{}, noCosts(err)
	}
	got, err := l.d.Lender.BorrowerCosts(ctx, l.row.App, offer, amount)
	if fault.KindOf(err) != fault.NotFound {
		return got.Value, err
	}
	now := l.d.Now().UTC().Format(time.RFC3339)
	return heloc.Costs{}, noCosts(l.d.Store.Write(ctx, func(tx *store.Tx) error { return tx.SaveSetting(ctx, costsSetting, now) }))
}

func noCosts(err error) error {
	if err != nil {
		return err
	}
	return fault.New(fault.NotFound, "This lender tells the costs only once an offer is selected.")
}

func placeOfPlan(app heloc.AppID) vault.Place {
	return vault.Place{Table: "payoff_plans", Row: string(app), Column: "sealed"}
}
