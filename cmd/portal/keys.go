package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/renewal"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// presentKey is the setting in which a portal says under which key it seals: only when
// that is the newest one can what lies under older ones be renewed for good.
const presentKey = "keys.present"

// useKeys notes under which keys a portal works from now on.
func useKeys(ctx context.Context, db *store.Store, v *vault.Vault, keys *renewal.Renewal) error {
	if err := keys.Begin(ctx); err != nil {
		return err
	}
	return db.Write(ctx, func(tx *store.Tx) error { return tx.SaveSetting(ctx, presentKey, v.Present()) })
}

// rotateKeys adds new keys to the keyset file.
func rotateKeys(ctx context.Context, cfg config.Config, s streams) error {
	db, _, err := keeping(ctx, cfg, time.Now)
	if err != nil {
		return err
	}
	err = db.Write(ctx, func(tx *store.Tx) error {
		if err := auditKeys(ctx, tx, store.ActKeysRotate, ""); err != nil {
			return err
		}
		return vault.Rotate(keyFiles(cfg))
	})
	return said(s, errors.Join(err, db.Close()), "New keys are in the keyset; back it up. Restart the portal, so that it uses them: it then renews what lies under the older ones by itself. portal keys finish does so at once, portal doctor says how far it is.\n")
}

// finishKeys brings everything under the present keys at once. It may run beside the
// portal, and be broken off and run again.
func finishKeys(ctx context.Context, cfg config.Config, s streams) error {
	db, v, err := keeping(ctx, cfg, time.Now)
	if err != nil {
		return err
	}
	keys := renewal.New(db, v, time.Now)
	return errors.Join(finish(ctx, db, v, keys, s), db.Close())
}

func finish(ctx context.Context, db *store.Store, v *vault.Vault, keys *renewal.Renewal, s streams) error {
	if !v.Older() {
		return said(s, nil, "No older key is kept: there is nothing to renew.\n")
	}
	done, err := renewed(ctx, db, v, keys)
	if err != nil {
		return err
	}
	bound, err := keys.Bound(ctx)
	if err != nil {
		return err
	}
	err = db.Write(ctx, func(tx *store.Tx) error {
		return auditKeys(ctx, tx, store.ActKeysFinish, fmt.Sprintf("values:%d leads:%d", done.Sealings, done.Leads))
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s are sealed anew and %s marked anew; of what can be renewed nothing lies under an older key.\n", some(done.Sealings, "value"), some(done.Leads, "lead"))
	if done.Unopened > 0 {
		fmt.Fprintf(s.out, "Values that no key opens, left as they are: %d. portal doctor says where they lie.\n", done.Unopened)
	}
	if lines := losses(bound); len(lines) > 0 {
		fmt.Fprintln(s.out, "Retiring the older keys now would mean:")
		list(s.out, lines)
	}
	return nil
}

// renewed does what there is to renew, unless the portal still works under the keys of before.
func renewed(ctx context.Context, db *store.Store, v *vault.Vault, keys *renewal.Renewal) (store.Renewal, error) {
	used, err := db.Setting(ctx, presentKey)
	if err != nil {
		return store.Renewal{}, err
	}
	if used != "" && used != v.Present() {
		return store.Renewal{}, errors.New("the portal has not been started with the new keys yet: restart it first, or it could not read what is sealed now")
	}
	return keys.Finish(ctx)
}

// retireKeys deletes the older keys, once nothing in the database needs them, or once it is
// said that what does may go.
func retireKeys(ctx context.Context, told config.Invocation, s streams) error {
	db, v, err := keeping(ctx, told.Config, time.Now)
	if err != nil {
		return err
	}
	if !v.Older() {
		return said(s, db.Close(), "No older key is kept: there is nothing to retire.\n")
	}
	bound, err := retirable(ctx, db, v, told.LetGo)
	if err == nil {
		err = db.Scrub(ctx) // what was let go is not to be found on the disk either
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := vault.Retire(keyFiles(told.Config)); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "The older keys are gone. Backups from before need the keyset of before.")
	list(s.out, losses(bound))
	return nil
}

// retirable lets go of what only the older keys can compare; it refuses while that is
// something that somebody would miss, unless it is said to go.
func retirable(ctx context.Context, db *store.Store, v *vault.Vault, letGo bool) (store.Bound, error) {
	keys := renewal.New(db, v, time.Now)
	done, err := renewed(ctx, db, v, keys)
	if err != nil {
		return store.Bound{}, err
	}
	if done.Sealings+done.Leads > 0 {
		return store.Bound{}, fmt.Errorf("%s and %s lay under an older key and were renewed just now: see that no portal is still using it, then run this again", some(done.Sealings, "value"), some(done.Leads, "lead"))
	}
	bound, err := keys.Bound(ctx)
	if err != nil {
		return bound, err
	}
	if bound.ForGood()+bound.Briefly() > 0 && !letGo {
		return bound, refusal(bound)
	}
	return bound, db.Write(ctx, func(tx *store.Tx) error {
		if err := keys.LetGo(ctx, tx); err != nil {
			return err
		}
		return auditKeys(ctx, tx, store.ActKeysRetire, fmt.Sprintf("search:%d references:%d duplicates:%d links:%d", bound.Search, bound.References, bound.Duplicates, bound.Links))
	})
}

// some counts things in words.
func some(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// auditKeys tells of what the operator did to the keys.
func auditKeys(ctx context.Context, tx *store.Tx, action store.Act, detail string) error {
	return tx.Audit(ctx, store.Audited{ActorID: "system", Action: action, Object: "keys", Outcome: "done", Detail: detail})
}

func keyFiles(cfg config.Config) vault.Files {
	return vault.Files{Keyset: cfg.Portal.KeysetFile, KEK: cfg.Portal.KEKFile}
}
