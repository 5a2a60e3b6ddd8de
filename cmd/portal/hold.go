package main

import (
	"context"
	"fmt"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// hold puts a lead under legal hold, lifts the hold, or lists the leads that are on hold.
func (i *installation) hold(ctx context.Context, command, lead string) error {
	if command == "list" {
		return i.listHolds(ctx)
	}
	app, err := heloc.ParseAppID(lead)
	if err != nil {
		if app, err = i.db.AppOfShortID(ctx, lead); err != nil {
			return fmt.Errorf("no lead has the id %q", lead)
		}
	}
	at, act, done := time.Now(), store.ActionLegalHold, "is held"
	if command == "lift" {
		at, act, done = time.Time{}, store.ActionLegalHoldLift, "is no longer on hold"
	}
	err = i.db.Write(ctx, func(tx *store.Tx) error {
		known, err := tx.SetLegalHold(ctx, app, at)
		if err == nil && !known {
			err = fmt.Errorf("no lead has the id %q", lead)
		}
		if err != nil {
			return err
		}
		return tx.Audit(ctx, store.AuditEntry{ActorID: "system", Action: act, Object: "lead:" + string(app), Outcome: "done"})
	})
	return i.report(err, "%s %s.\n", lead, done)
}

func (i *installation) listHolds(ctx context.Context) error {
	all, err := i.db.LegalHolds(ctx)
	for _, h := range all {
		fmt.Fprintf(i.out, "%s  %s  since %s\n", h.ShortID, h.App, store.Instant(h.At).Format(time.DateOnly))
	}
	return err
}
