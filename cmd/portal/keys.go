package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// presentKey is the setting in which a portal says under which key it seals: only when
// that is the newest one can what lies under older ones be renewed for good.
const presentKey = "keys.present"

// rotateKeys adds new keys to the keyset file.
func rotateKeys(cfg config.Config, s streams) error {
	if err := vault.Rotate(keyFiles(cfg)); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "New keys are in the keyset. Restart the portal, so that it uses them, then run portal keys finish. Back the keyset up.")
	return nil
}

// finishKeys seals everything anew that still lies under an older key. It may run beside
// the portal, and be broken off and run again.
func finishKeys(ctx context.Context, cfg config.Config, s streams) error {
	db, v, err := keeping(ctx, cfg, time.Now)
	if err != nil {
		return err
	}
	n, err := reseal(ctx, db, v)
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%d values are sealed anew; none lies under an older key.\n", n)
	return nil
}

func reseal(ctx context.Context, db *store.Store, v *vault.Vault) (n int, err error) {
	used, err := db.Setting(ctx, presentKey)
	if err != nil {
		return 0, err
	}
	if used != "" && used != v.Present() {
		return 0, errors.New("the portal has not been started with the new keys yet: restart it first, or it could not read what is sealed now")
	}
	for _, c := range store.SealedColumns() {
		done, err := resealColumn(ctx, db, v, c)
		if n += done; err != nil {
			return n, fmt.Errorf("%s.%s: %w", c.Table, c.Column, err)
		}
	}
	return n, nil
}

// resealBatch is how many values are looked at in one transaction: each holds the writer.
const resealBatch = 200

func resealColumn(ctx context.Context, db *store.Store, v *vault.Vault, c store.SealedColumn) (n int, err error) {
	for after := (store.Sealed{}); ; {
		page, err := db.SealedPage(ctx, c, after, resealBatch)
		if err != nil || len(page) == 0 {
			return n, err
		}
		err = db.Write(ctx, func(tx *store.Tx) error {
			for _, old := range page {
				if !v.Stale(old.Value) {
					continue
				}
				place := vault.Place{Table: c.Table, Row: old.Row, Column: c.Column}
				if c.Named != "" {
					place.Column = old.Named
				}
				plain, err := v.Unseal(place, old.Value)
				if err != nil {
					return err
				}
				value, err := v.Seal(place, plain)
				if err != nil {
					return err
				}
				if err := tx.Reseal(ctx, old, value); err != nil {
					return err
				}
				n++
			}
			return nil
		})
		if err != nil {
			return n, err
		}
		after = page[len(page)-1]
	}
}

// retireKeys deletes the older keys of values, once nothing in the database needs them.
func retireKeys(ctx context.Context, cfg config.Config, s streams) error {
	db, v, err := keeping(ctx, cfg, time.Now)
	if err != nil {
		return err
	}
	n, err := reseal(ctx, db, v)
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	if n > 0 {
		return fmt.Errorf("%d values lay under an older key and were sealed anew just now: see that no portal is still using it, then run this again", n)
	}
	if err := vault.Retire(keyFiles(cfg)); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "The older keys of values are gone. Backups from before need the keyset of before.")
	return nil
}

func keyFiles(cfg config.Config) vault.Files {
	return vault.Files{Keyset: cfg.Portal.KeysetFile, KEK: cfg.Portal.KEKFile}
}
