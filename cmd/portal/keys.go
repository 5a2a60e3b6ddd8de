package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/reencrypt"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// currentKeySetting is the setting in which a portal stores the id of the key that it encrypts with. Values under
// older keys can be renewed for good only when that key is the newest one.
const currentKeySetting = "keys.present"

// useKeys records which keys the portal uses from now on.
func useKeys(ctx context.Context, db *store.Store, v *vault.Vault, keys *reencrypt.Runner) error {
	if err := keys.Begin(ctx); err != nil {
		return err
	}
	return db.Write(ctx, func(tx *store.Tx) error { return tx.SaveSetting(ctx, currentKeySetting, v.CurrentKey()) })
}

// rotateKeys adds new keys to the keyset file.
func rotateKeys(ctx context.Context, cfg config.Config, s streams) error {
	db, _, err := openExisting(ctx, cfg, time.Now)
	if err != nil {
		return err
	}
	err = db.Write(ctx, func(tx *store.Tx) error {
		if err := auditKeys(ctx, tx, store.ActionKeysRotate, ""); err != nil {
			return err
		}
		return vault.Rotate(keyFiles(cfg))
	})
	return printIfOK(s, errors.Join(err, db.Close()), "New keys were added to the keyset. Back it up, then restart the portal: it uses the new keys and re-encrypts existing data in the background. To finish now, run portal keys finish; for the progress, run portal doctor.\n")
}

// finishKeys re-encrypts everything under the current keys. It may run while the portal runs, and it may be
// interrupted and run again.
func finishKeys(ctx context.Context, cfg config.Config, s streams) error {
	db, v, err := openExisting(ctx, cfg, time.Now)
	if err != nil {
		return err
	}
	keys := reencrypt.New(db, v, time.Now)
	return errors.Join(reencryptAll(ctx, db, v, keys, s), db.Close())
}

func reencryptAll(ctx context.Context, db *store.Store, v *vault.Vault, keys *reencrypt.Runner, s streams) error {
	if !v.HasOlderKeys() {
		return printIfOK(s, nil, "There are no older keys, so nothing needs to be re-encrypted.\n")
	}
	done, err := reencryptIfReady(ctx, db, v, keys)
	if err != nil {
		return err
	}
	dependents, err := keys.OldKeyDependents(ctx)
	if err != nil {
		return err
	}
	err = db.Write(ctx, func(tx *store.Tx) error {
		return auditKeys(ctx, tx, store.ActionKeysFinish, fmt.Sprintf("values:%d leads:%d", done.SealedValues, done.Leads))
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "Re-encrypted %s and re-indexed %s. Everything that can be re-encrypted now uses the newest key.\n", countOf(done.SealedValues, "value"), countOf(done.Leads, "lead"))
	if done.Undecryptable > 0 {
		fmt.Fprintf(s.out, "Values that no key can decrypt, left unchanged: %d. For their locations, run portal doctor.\n", done.Undecryptable)
	}
	if lines := retireLosses(dependents); len(lines) > 0 {
		fmt.Fprintln(s.out, "If you retire the older keys now:")
		printList(s.out, lines)
	}
	return nil
}

// reencryptIfReady re-encrypts what is left, unless the portal still uses the previous keys.
func reencryptIfReady(ctx context.Context, db *store.Store, v *vault.Vault, keys *reencrypt.Runner) (store.Reencryption, error) {
	used, err := db.Setting(ctx, currentKeySetting)
	if err != nil {
		return store.Reencryption{}, err
	}
	if used != "" && used != v.CurrentKey() {
		return store.Reencryption{}, errors.New("the portal has not been restarted with the new keys: restart it first, or it cannot read what this command encrypts")
	}
	return keys.Finish(ctx)
}

// retireKeys deletes the older keys, once nothing in the database needs them or the operator accepts the losses.
func retireKeys(ctx context.Context, inv config.Invocation, s streams) error {
	db, v, err := openExisting(ctx, inv.Config, time.Now)
	if err != nil {
		return err
	}
	if !v.HasOlderKeys() {
		return printIfOK(s, db.Close(), "There are no older keys to retire.\n")
	}
	dependents, err := checkRetirable(ctx, db, v, inv.DropOldKeyIndexes)
	if err == nil {
		err = db.Scrub(ctx) // the dropped indexes must not remain on the disk either
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := vault.Retire(keyFiles(inv.Config)); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "The older keys are deleted. Earlier backups need the keyset from their time.")
	printList(s.out, retireLosses(dependents))
	return nil
}

// checkRetirable drops the indexes that only the older keys can compare. It refuses while somebody would miss them,
// unless the operator accepts that (letGo).
func checkRetirable(ctx context.Context, db *store.Store, v *vault.Vault, acceptLosses bool) (store.OldKeyDependents, error) {
	keys := reencrypt.New(db, v, time.Now)
	done, err := reencryptIfReady(ctx, db, v, keys)
	if err != nil {
		return store.OldKeyDependents{}, err
	}
	if done.SealedValues+done.Leads > 0 {
		return store.OldKeyDependents{}, fmt.Errorf("%s and %s still used an older key and were re-encrypted just now: make sure that no running portal uses that key, then run this again", countOf(done.SealedValues, "value"), countOf(done.Leads, "lead"))
	}
	dependents, err := keys.OldKeyDependents(ctx)
	if err != nil {
		return dependents, err
	}
	if dependents.Permanent()+dependents.Temporary() > 0 && !acceptLosses {
		return dependents, errKeysNeeded(dependents)
	}
	return dependents, db.Write(ctx, func(tx *store.Tx) error {
		if err := keys.DropOldKeyIndexes(ctx, tx); err != nil {
			return err
		}
		return auditKeys(ctx, tx, store.ActionKeysRetire, fmt.Sprintf("search:%d references:%d duplicates:%d links:%d", dependents.Search, dependents.References, dependents.Duplicates, dependents.Links))
	})
}

// countOf returns a count with its noun.
func countOf(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// auditKeys records what the operator did to the keys.
func auditKeys(ctx context.Context, tx *store.Tx, action store.AuditAction, detail string) error {
	return tx.Audit(ctx, store.AuditEntry{ActorID: "system", Action: action, Object: "keys", Outcome: "done", Detail: detail})
}

func keyFiles(cfg config.Config) vault.Files {
	return vault.Files{Keyset: cfg.Portal.KeysetFile, KEK: cfg.Portal.KEKFile}
}
