package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"hearthline/internal/config"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// ownDemo sees that a demo's database is a demo's: five people with a password that anybody
// can read do not belong beside real ones. An empty one is marked as a demo's from now on.
func ownDemo(ctx context.Context, cfg config.Config, now store.Clock) error {
	db, _, err := making(ctx, cfg, now)
	if err != nil {
		return err
	}
	return errors.Join(markDemo(ctx, db, databasePath(cfg)), db.Close())
}

func markDemo(ctx context.Context, db *store.Store, path string) error {
	mark, err := db.Setting(ctx, seeded)
	if err != nil || mark != "" {
		return err
	}
	people, err := db.Users(ctx)
	if err != nil {
		return err
	}
	if len(people) > 0 {
		return fmt.Errorf("%s is no demo's: it holds accounts, and a demo adds people whose password is published. Give the demo a folder of its own with --data", path)
	}
	return db.Write(ctx, func(tx *store.Tx) error { return tx.SaveSetting(ctx, seeded, "0") })
}

// ofDemo says whether a database is a demo's.
func ofDemo(ctx context.Context, db *store.Store) bool {
	mark, err := db.Setting(ctx, seeded)
	return err == nil && mark != ""
}

// showpieces lists the open accounts of a demo's people.
func showpieces(ctx context.Context, db *store.Store) ([]string, error) {
	var open []string
	for _, p := range cast() {
		user, _, err := db.UserByEmail(ctx, p.email)
		if err != nil && fault.KindOf(err) != fault.NotFound {
			return nil, err
		}
		if err == nil && !user.Disabled {
			open = append(open, p.email)
		}
	}
	return open, nil
}

// errShowpieces is why a portal that others reach must not have a demo's people.
func errShowpieces(open []string) error {
	return fmt.Errorf("%s: a demo's people, whose password is published", strings.Join(open, ", "))
}

// unreached says whether nobody but this machine reaches a portal.
func unreached(cfg config.Portal) bool {
	host, _, err := net.SplitHostPort(cfg.Addr)
	return err == nil && loopback(host) && cfg.BaseURL != nil && loopback(cfg.BaseURL.Hostname())
}
