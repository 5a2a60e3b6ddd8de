package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hearthline/internal/config"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// checkDemoDatabase refuses to run the demo on a database with real accounts, because the demo's five users have a
// published password. An empty database is marked as a demo's from now on.
func checkDemoDatabase(ctx context.Context, cfg config.Config, now store.Clock) error {
	db, _, err := openOrCreate(ctx, cfg, now)
	if err != nil {
		return err
	}
	return errors.Join(markAsDemo(ctx, db, store.AddressForDisplay(databaseAddress(cfg))), db.Close())
}

func markAsDemo(ctx context.Context, db *store.Store, name string) error {
	marker, err := db.Setting(ctx, seededSetting)
	if err != nil || marker != "" {
		return err
	}
	people, err := db.Users(ctx)
	if err != nil {
		return err
	}
	if len(people) > 0 {
		return fmt.Errorf("%s already contains accounts that are not from a demo. The demo adds users with a published "+
			"password: use a separate folder with --data, or another PORTAL_DATABASE_URL", name)
	}
	return db.Write(ctx, func(tx *store.Tx) error { return tx.SaveSetting(ctx, seededSetting, "0") })
}

// A demo saves the addresses on which it and its lender listen, so that the doctor command can find them.
const (
	portalAddrSetting  = "demo.addr"
	sandboxAddrSetting = "demo.sandbox-addr"
)

// saveDemoAddresses saves where the running demo listens.
func (p *portal) saveDemoAddresses(ctx context.Context, portal, sandbox string) error {
	return p.store.Write(ctx, func(tx *store.Tx) error {
		return errors.Join(tx.SaveSetting(ctx, portalAddrSetting, portal), tx.SaveSetting(ctx, sandboxAddrSetting, sandbox))
	})
}

// demoArgs returns the command line of the demo that last ran on a database.
func demoArgs(ctx context.Context, db *store.Store, data string) ([]string, error) {
	args := []string{"--data", data, "demo"}
	for _, from := range []struct{ setting, flag string }{{portalAddrSetting, "--addr"},
		{sandboxAddrSetting, "--sandbox-addr"}} {
		addr, err := db.Setting(ctx, from.setting)
		if err != nil {
			return nil, err
		}
		if addr != "" {
			args = append(args, from.flag, addr)
		}
	}
	return args, nil
}

// isDemo reports whether a database is a demo's.
func isDemo(ctx context.Context, db *store.Store) bool {
	marker, err := db.Setting(ctx, seededSetting)
	return err == nil && marker != ""
}

// openDemoAccounts lists the demo users whose accounts are not disabled. Only a demo's database has any: elsewhere an
// account with the same email is somebody's own.
func openDemoAccounts(ctx context.Context, db *store.Store) ([]string, error) {
	if marker, err := db.Setting(ctx, seededSetting); err != nil || marker == "" {
		return nil, err
	}
	var open []string
	for _, p := range demoUsers() {
		user, _, err := db.UserByEmail(ctx, p.email)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return nil, err
		}
		if err == nil && !user.Disabled {
			open = append(open, p.email)
		}
	}
	return open, nil
}

// errDemoAccounts explains why a portal that other machines can reach must not have demo users.
func errDemoAccounts(open []string) error {
	return fmt.Errorf("%s: demo users, whose password is published", strings.Join(open, ", "))
}
