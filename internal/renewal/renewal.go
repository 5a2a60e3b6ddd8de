// Package renewal brings what lies under older keys under the present ones, after keys
// were rotated and the portal was started with them.
//
//	renewal.go  the road: small pieces, each one transaction
//	lead.go     a lead and its sealed words
//	mark.go     what it is found by, made anew of them
//	start.go    the same of starts whose outcome is not known
//	draft.go    of drafts that were begun for a record of a CRM
//	link.go     and of log-ins in CRMs
//	value.go    sealed values, sealed anew
//	look.go     what no key opens
//	loss.go     what would be lost with the older keys, and letting it go
//
// How far it has come stands in the database, and moves on in the transaction of the
// piece: it goes on where it stopped, whoever takes the next piece, and a piece that two
// take at once is done by one after the other. Nothing stops meanwhile: what is written is
// written under the present keys, and what is looked for is looked for under all of them.
//
// A mark is replaced only when the words at hand give the old one again. Where they are
// gone the old one stays, and its key with it, until somebody lets both go.
package renewal

import (
	"context"
	"fmt"
	"slices"

	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Renewal is the road. Make it with New.
type Renewal struct {
	store *store.Store
	vault *vault.Vault
	now   store.Clock
}

// New makes it for the keys that a vault uses.
func New(s *store.Store, v *vault.Vault, now store.Clock) *Renewal {
	return &Renewal{store: s, vault: v, now: now}
}

// Begin notes that a portal uses the present keys from now on.
func (r *Renewal) Begin(ctx context.Context) error {
	return r.store.Write(ctx, func(tx *store.Tx) error { return tx.BeginRenewal(ctx, r.vault.Present(), r.now()) })
}

// Step does one piece, and says whether there is more to do. Without older keys there is
// nothing.
func (r *Renewal) Step(ctx context.Context) (more bool, err error) {
	if !r.vault.Older() {
		return false, nil
	}
	err = r.store.Write(ctx, func(tx *store.Tx) error {
		at, err := r.at(ctx, tx)
		if err != nil || at.DoneAt != 0 {
			return err
		}
		if err := r.piece(ctx, tx, &at); err != nil {
			return fmt.Errorf("renewal: %s: %w", at.Stage, err)
		}
		more = at.DoneAt == 0
		return tx.SaveRenewal(ctx, at)
	})
	return more && err == nil, err
}

// Finish does everything at once from the beginning, whatever was done before, and gives
// what there was to do.
func (r *Renewal) Finish(ctx context.Context) (store.Renewal, error) {
	if !r.vault.Older() {
		return store.Renewal{}, nil
	}
	err := r.store.Write(ctx, func(tx *store.Tx) error {
		at, err := r.at(ctx, tx)
		if err != nil {
			return err
		}
		return tx.SaveRenewal(ctx, store.Renewal{Key: at.Key, BegunAt: at.BegunAt, Stage: store.StageLeads})
	})
	for more := true; more && err == nil; {
		more, err = r.Step(ctx)
	}
	if err != nil {
		return store.Renewal{}, err
	}
	return r.store.Renewal(ctx, r.vault.Present())
}

// Standing says how far it has come; zero without older keys.
func (r *Renewal) Standing(ctx context.Context) (store.RenewalStanding, error) {
	if !r.vault.Older() {
		return store.RenewalStanding{}, nil
	}
	return r.store.RenewalStanding(ctx, r.vault.Present())
}

// at is how far it has come; at the beginning for a key that no portal has used.
func (r *Renewal) at(ctx context.Context, tx *store.Tx) (store.Renewal, error) {
	at, err := tx.Renewal(ctx, r.vault.Present())
	if fault.KindOf(err) != fault.NotFound {
		return at, err
	}
	if err := tx.BeginRenewal(ctx, r.vault.Present(), r.now()); err != nil {
		return at, err
	}
	return tx.Renewal(ctx, r.vault.Present())
}

// piece does the next rows there are, of whichever stage, and moves on behind them.
func (r *Renewal) piece(ctx context.Context, tx *store.Tx, at *store.Renewal) error {
	for {
		looked, err := r.page(ctx, tx, at)
		if err != nil || looked > 0 {
			return err
		}
		stages := store.RenewalStages()
		next := slices.Index(stages, at.Stage) + 1 // the first, should a stage be unknown
		if next == len(stages) {
			at.DoneAt = store.Millis(r.now())
			return nil
		}
		at.Stage, at.AfterRow, at.AfterNamed = stages[next], "", ""
	}
}

// page does some rows of the present stage, and says how many it looked at.
func (r *Renewal) page(ctx context.Context, tx *store.Tx, at *store.Renewal) (looked int, err error) {
	switch at.Stage {
	case store.StageLeads:
		return r.leads(ctx, tx, at)
	case store.StageStarts:
		return 0, r.starts(ctx, tx, at)
	case store.StageDrafts:
		return r.drafts(ctx, tx, at)
	case store.StageLinks:
		return r.links(ctx, tx, at)
	}
	for _, c := range store.SealedColumns() {
		if c.Name() == at.Stage {
			return r.values(ctx, tx, at, c)
		}
	}
	return 0, nil
}
