// Package renewal brings what lies under older keys under the present ones, after keys
// were rotated and the portal was started with them.
//
//	reencrypt.go  the road: small pieces, each one transaction
//	lead.go     a lead and its sealed words
//	lead_index.go     what it is found by, made anew of them
//	start.go    the same of starts whose outcome is not known
//	draft.go    of drafts that were begun for a record of a CRM
//	embed_link.go     and of log-ins in CRMs
//	value.go    sealed values, sealed anew
//	check.go     what no key opens
//	dependents.go     what would be lost with the older keys, and letting it go
//
// How far it has come stands in the database, and moves on in the transaction of the
// piece: it goes on where it stopped, whoever takes the next piece, and a piece that two
// take at once is done by one after the other. Nothing stops meanwhile: what is written is
// written under the present keys, and what is looked for is looked for under all of them.
//
// A mark is replaced only when the words at hand give the old one again. Where they are
// gone the old one stays, and its key with it, until somebody lets both go.
package reencrypt

import (
	"context"
	"fmt"
	"slices"

	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Runner is the road. Make it with New.
type Runner struct {
	store *store.Store
	vault *vault.Vault
	now   store.Clock
}

// New makes it for the keys that a vault uses.
func New(s *store.Store, v *vault.Vault, now store.Clock) *Runner {
	return &Runner{store: s, vault: v, now: now}
}

// Begin notes that a portal uses the present keys from now on.
func (r *Runner) Begin(ctx context.Context) error {
	return r.store.Write(ctx, func(tx *store.Tx) error { return tx.BeginReencryption(ctx, r.vault.CurrentKey(), r.now()) })
}

// Step does one piece, and says whether there is more to do. Without older keys there is
// nothing.
func (r *Runner) Step(ctx context.Context) (more bool, err error) {
	if !r.vault.HasOlderKeys() {
		return false, nil
	}
	err = r.store.Write(ctx, func(tx *store.Tx) error {
		at, err := r.readProgress(ctx, tx)
		if err != nil || at.DoneAt != 0 {
			return err
		}
		if err := r.runBatch(ctx, tx, &at); err != nil {
			return fmt.Errorf("renewal: %s: %w", at.Stage, err)
		}
		more = at.DoneAt == 0
		return tx.SaveReencryption(ctx, at)
	})
	return more && err == nil, err
}

// Finish does everything at once from the beginning, whatever was done before, and gives
// what there was to do.
func (r *Runner) Finish(ctx context.Context) (store.Reencryption, error) {
	if !r.vault.HasOlderKeys() {
		return store.Reencryption{}, nil
	}
	err := r.store.Write(ctx, func(tx *store.Tx) error {
		at, err := r.readProgress(ctx, tx)
		if err != nil {
			return err
		}
		return tx.SaveReencryption(ctx, store.Reencryption{KeyName: at.KeyName, BegunAt: at.BegunAt, Stage: store.StageLeads})
	})
	for more := true; more && err == nil; {
		more, err = r.Step(ctx)
	}
	if err != nil {
		return store.Reencryption{}, err
	}
	return r.store.Reencryption(ctx, r.vault.CurrentKey())
}

// Progress says how far it has come; zero without older keys.
func (r *Runner) Progress(ctx context.Context) (store.ReencryptionProgress, error) {
	if !r.vault.HasOlderKeys() {
		return store.ReencryptionProgress{}, nil
	}
	return r.store.ReencryptionProgress(ctx, r.vault.CurrentKey())
}

// readProgress is how far it has come; at the beginning for a key that no portal has used.
func (r *Runner) readProgress(ctx context.Context, tx *store.Tx) (store.Reencryption, error) {
	at, err := tx.Reencryption(ctx, r.vault.CurrentKey())
	if fault.KindOf(err) != fault.NotFound {
		return at, err
	}
	if err := tx.BeginReencryption(ctx, r.vault.CurrentKey(), r.now()); err != nil {
		return at, err
	}
	return tx.Reencryption(ctx, r.vault.CurrentKey())
}

// runBatch does the next rows there are, of whichever stage, and moves on behind them.
func (r *Runner) runBatch(ctx context.Context, tx *store.Tx, at *store.Reencryption) error {
	for {
		looked, err := r.runStage(ctx, tx, at)
		if err != nil || looked > 0 {
			return err
		}
		stages := store.ReencryptionStages()
		next := slices.Index(stages, at.Stage) + 1 // the first, should a stage be unknown
		if next == len(stages) {
			at.DoneAt = store.Millis(r.now())
			return nil
		}
		at.Stage, at.AfterRow, at.AfterAAD = stages[next], "", ""
	}
}

// runStage does some rows of the present stage, and says how many it looked at.
func (r *Runner) runStage(ctx context.Context, tx *store.Tx, at *store.Reencryption) (looked int, err error) {
	switch at.Stage {
	case store.StageLeads:
		return r.updateLeads(ctx, tx, at)
	case store.StageStarts:
		return 0, r.updateStarts(ctx, tx, at)
	case store.StageDrafts:
		return r.updateDrafts(ctx, tx, at)
	case store.StageLinks:
		return r.updateLinks(ctx, tx, at)
	}
	for _, c := range store.SealedColumns() {
		if c.Name() == at.Stage {
			return r.resealValues(ctx, tx, at, c)
		}
	}
	return 0, nil
}
