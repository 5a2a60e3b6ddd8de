// Package reencrypt moves stored values from older keys to the current ones, after keys were rotated and the portal
// was restarted with them.
//
//	reencrypt.go  batches, each in one transaction; encrypted values, and those that no key can decrypt; what would be
//	              lost with the older keys, and dropping it
//	lead.go       the search tokens and blind indexes of leads
//	draft.go      the blind indexes of drafts, unsettled starts and linked CRM sign-ins
//
// The progress is stored in the transaction of each batch, so the work continues where it stopped, in any process;
// batches of two processes run one after the other. The portal runs meanwhile: it writes under the current keys and
// searches under all of them. A blind index is replaced only when its plaintext is still available. Otherwise the old
// index and its key stay until an administrator drops both.
package reencrypt

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Runner runs the reencryption. Create it with New.
type Runner struct {
	store *store.Store
	vault *vault.Vault
	now   store.Clock
}

// New returns a Runner for the keys that a vault uses.
func New(s *store.Store, v *vault.Vault, now store.Clock) *Runner {
	return &Runner{store: s, vault: v, now: now}
}

// Begin records that the portal uses the current keys from now on.
func (r *Runner) Begin(ctx context.Context) error {
	return r.store.Write(ctx, func(tx *store.Tx) error { return tx.BeginReencryption(ctx, r.vault.CurrentKey(), r.now()) })
}

// Step runs one batch, and reports whether there is more to do. Without older keys there is nothing to do.
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

// Finish runs all batches from the beginning, whatever was done before, and returns the result.
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

// Progress returns the progress; zero without older keys.
func (r *Runner) Progress(ctx context.Context) (store.ReencryptionProgress, error) {
	if !r.vault.HasOlderKeys() {
		return store.ReencryptionProgress{}, nil
	}
	return r.store.ReencryptionProgress(ctx, r.vault.CurrentKey())
}

// readProgress returns the progress. For a key that no portal has used, it starts at the beginning.
func (r *Runner) readProgress(ctx context.Context, tx *store.Tx) (store.Reencryption, error) {
	at, err := tx.Reencryption(ctx, r.vault.CurrentKey())
	if !fault.Is(err, fault.NotFound) {
		return at, err
	}
	if err := tx.BeginReencryption(ctx, r.vault.CurrentKey(), r.now()); err != nil {
		return at, err
	}
	return tx.Reencryption(ctx, r.vault.CurrentKey())
}

// runBatch processes the next rows of the current or a later stage and stores the position after them.
func (r *Runner) runBatch(ctx context.Context, tx *store.Tx, at *store.Reencryption) error {
	for {
		looked, err := r.runStage(ctx, tx, at)
		if err != nil || looked > 0 {
			return err
		}
		stages := store.ReencryptionStages()
		next := slices.Index(stages, at.Stage) + 1 // the first stage, if the stored one is unknown
		if next == len(stages) {
			at.DoneAt = store.Millis(r.now())
			return nil
		}
		at.Stage, at.AfterRow, at.AfterAAD = stages[next], "", ""
	}
}

// runStage processes some rows of the current stage, and returns how many it looked at.
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

// OldKeyDependents counts what would be lost if the older keys were retired now.
func (r *Runner) OldKeyDependents(ctx context.Context) (store.OldKeyDependents, error) {
	if !r.vault.HasOlderKeys() {
		return store.OldKeyDependents{}, nil
	}
	now := r.now()
	since := store.Millis(now)
	at, err := r.store.Reencryption(ctx, r.vault.CurrentKey())
	if err == nil {
		since = at.BegunAt
	} else if !fault.Is(err, fault.NotFound) {
		return store.OldKeyDependents{}, err
	}
	keys := r.keys()
	keys.Since = since
	return r.store.OldKeyDependents(ctx, keys, now)
}

// DropOldKeyIndexes deletes the indexes that only the older keys could compare, in the caller's transaction, which
// also records it.
func (r *Runner) DropOldKeyIndexes(ctx context.Context, tx *store.Tx) error {
	if err := tx.DropOldKeyIndexes(ctx, r.keys()); err != nil {
		return err
	}
	return tx.DropOtherReencryptions(ctx, r.vault.CurrentKey())
}

func (r *Runner) keys() store.Keys {
	return store.Keys{Tokens: []int64{r.vault.TokenKey()}, Digests: []int64{r.vault.DigestKey()}}
}

// valuesPerBatch is how many values are read in one transaction, because each transaction blocks the writer.
const valuesPerBatch = 50

// resealValues encrypts some values of a column again.
func (r *Runner) resealValues(ctx context.Context, tx *store.Tx, at *store.Reencryption,
	c store.SealedColumn) (looked int, err error) {
	page, err := tx.SealedPage(ctx, c, store.Sealed{Row: at.AfterRow, AADName: at.AfterAAD}, valuesPerBatch)
	for _, old := range page {
		at.AfterRow, at.AfterAAD = old.Row, old.AADName
		if !r.vault.Stale(old.Value) {
			continue
		}
		value, err := r.reseal(aadOf(c, old), old.Value)
		if errors.Is(err, vault.ErrUndecryptable) { // nobody can decrypt it, and it must not block the others
			at.Undecryptable++
			continue
		}
		if err != nil {
			return 0, err
		}
		if err := tx.ReplaceSealed(ctx, old, value); err != nil {
			return 0, err
		}
		at.SealedValues++
	}
	return len(page), err
}

// aadOf returns the associated data of a value.
func aadOf(c store.SealedColumn, value store.Sealed) vault.AAD {
	if c.AADColumn != "" {
		return vault.StoredAAD(c.Table, value.Row, value.AADName)
	}
	return vault.StoredAAD(c.Table, value.Row, c.Column)
}

// reseal encrypts the same value again under the current key.
func (r *Runner) reseal(aad vault.AAD, sealed []byte) ([]byte, error) {
	plain, err := r.vault.Unseal(aad, sealed)
	if err != nil {
		return nil, err
	}
	return r.vault.Seal(aad, plain)
}

// DecryptCheck is the result of decrypting every encrypted value.
type DecryptCheck struct {
	Checked   int      // number of values
	Failed    int      // number of values that cannot be decrypted
	Locations []string // column and row of the first failed ones
}

// maxLocations limits how many locations are listed.
const maxLocations = 10

// valuesPerPage is how many values are read together. They are read only, so nobody waits for them.
const valuesPerPage = 1000

// CheckDecryption decrypts every encrypted value and reports those that fail: they were changed, moved from their row,
// or their key is gone.
func (r *Runner) CheckDecryption(ctx context.Context) (check DecryptCheck, err error) {
	for _, c := range store.SealedColumns() {
		after := store.Sealed{}
		for more := true; more; {
			page, err := r.store.SealedPage(ctx, c, after, valuesPerPage)
			if err != nil {
				return check, err
			}
			for _, value := range page {
				check.add(r.vault, c, value)
				after = value
			}
			more = len(page) > 0
		}
	}
	return check, nil
}

func (d *DecryptCheck) add(v *vault.Vault, c store.SealedColumn, value store.Sealed) {
	d.Checked++
	if _, err := v.Unseal(aadOf(c, value), value.Value); err == nil {
		return
	}
	d.Failed++
	if len(d.Locations) < maxLocations {
		d.Locations = append(d.Locations, c.Name()+" of "+value.Row)
	}
}
