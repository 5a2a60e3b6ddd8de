package renewal

import (
	"context"
	"errors"
	"fmt"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// leadsAtOnce holds the writer for some ten milliseconds.
const leadsAtOnce = 20

func (r *Renewal) leads(ctx context.Context, tx *store.Tx, at *store.Renewal) (looked int, err error) {
	apps, err := tx.LeadsAfter(ctx, heloc.AppID(at.AfterRow), leadsAtOnce)
	for _, app := range apps {
		if err := r.lead(ctx, tx, at, app); err != nil {
			return 0, fmt.Errorf("lead %s: %w", app, err)
		}
		at.AfterRow = string(app)
	}
	return len(apps), err
}

// lead renews what one lead is found by.
func (r *Renewal) lead(ctx context.Context, tx *store.Tx, at *store.Renewal, app heloc.AppID) error {
	l, err := tx.AnyLead(ctx, app)
	if err != nil {
		return err
	}
	m := marks{r: r, tx: tx, lead: l}
	if err := m.read(ctx); err != nil || !m.stale() {
		return err
	}
	words, err := r.words(ctx, tx, l)
	if err != nil {
		return err
	}
	if err := m.renew(ctx, words); err != nil {
		return err
	}
	if m.renewed {
		at.Leads++
	}
	if len(m.tokens)+len(m.refs) > 0 || m.twinStale() && l.Lane != heloc.LaneEnded { // what ended is nobody's duplicate
		at.Remaining++
	}
	return nil
}

// words are what is still known of a borrower, sealed.
type words struct {
	terms []heloc.Term
	ids   []string       // of records in other systems
	twins []journal.Twin // what a duplicate mark may be of
}

// words opens the name, what the start left behind in its draft while there is one, and
// the lender's details. More of it than the lead is found by does no harm: a mark is only
// replaced, never added. What does not open is as good as gone.
func (r *Renewal) words(ctx context.Context, tx *store.Tx, l store.Lead) (words, error) {
	var w words
	var name heloc.Name
	if len(l.Borrower) > 0 {
		var err error
		if name, err = vault.UnsealJSON[heloc.Name](r.vault, journal.PlaceOfName(l.App), l.Borrower); but(err, vault.ErrUnopened) != nil {
			return w, err
		}
	}
	w.terms = heloc.SearchTerms(name, "", "", "")
	draft, err := tx.DraftOfLead(ctx, l.App)
	if err == nil {
		err = w.take(r.vault, draft)
	}
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return w, err
	}
	parts, err := tx.Parts(ctx, l.App)
	if err != nil {
		return w, err
	}
	if p, ok := parts[store.PartDetails]; ok && p.Version == journal.PartVersion {
		details, err := vault.UnsealJSON[heloc.Details](r.vault, journal.PlaceOfPart(l.App, store.PartDetails), p.Sealed)
		if but(err, vault.ErrUnopened) != nil {
			return w, err
		}
		w.terms = append(w.terms, heloc.SearchTerms(heloc.Name{}, "", "", details.App.PropertyAddress.Street1)...)
		w.ids = append(w.ids, details.App.Integrations.ReferenceID, details.App.Integrations.CustomerID)
	}
	return w, nil
}

// take adds what a draft was sent with.
func (w *words) take(v *vault.Vault, draft store.Draft) error {
	born, err := journal.OpenNewborns(v, draft)
	for _, b := range born {
		w.terms = append(w.terms, heloc.SearchTerms(b.Name, b.Phone, b.Email, b.Address.Street1)...)
		w.ids = append(w.ids, b.References...)
		w.twins = append(w.twins, b.Twin)
	}
	return but(err, vault.ErrUnopened)
}

// but is an error that is not the one that is expected.
func but(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}
