package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// runHold puts a lead under legal hold, lifts the hold, or lists the leads that are on hold.
func runHold(ctx context.Context, inv config.Invocation, s streams) error {
	db, _, err := openExisting(ctx, inv.Config, time.Now)
	if err != nil {
		return err
	}
	if inv.Command == "hold list" {
		return errors.Join(listHolds(ctx, db, s), db.Close())
	}
	at, word := time.Now(), "is held"
	if inv.Command == "hold lift" {
		at, word = time.Time{}, "is no longer on hold"
	}
	err = setHold(ctx, db, inv.Lead, at)
	return printIfOK(s, errors.Join(err, db.Close()), "%s %s.\n", inv.Lead, word)
}

func setHold(ctx context.Context, db *store.Store, lead string, at time.Time) error {
	app, err := heloc.ParseAppID(lead)
	if err != nil {
		if app, err = db.AppOfShortID(ctx, lead); err != nil {
			return fmt.Errorf("no lead has the id %q", lead)
		}
	}
	act := store.ActionLegalHold
	if at.IsZero() {
		act = store.ActionLegalHoldLift
	}
	return db.Write(ctx, func(tx *store.Tx) error {
		known, err := tx.SetLegalHold(ctx, app, at)
		if err == nil && !known {
			err = fmt.Errorf("no lead has the id %q", lead)
		}
		if err != nil {
			return err
		}
		return tx.Audit(ctx, store.AuditEntry{ActorID: "system", Action: act, Object: "lead:" + string(app), Outcome: "done"})
	})
}

func listHolds(ctx context.Context, db *store.Store, s streams) error {
	all, err := db.LegalHolds(ctx)
	for _, h := range all {
		fmt.Fprintf(s.out, "%s  %s  since %s\n", h.ShortID, h.App, store.Instant(h.At).Format(time.DateOnly))
	}
	return err
}
