package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/approval"
	"hearthline/internal/config"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/signin"
)

// demoUser is a user of the demo.
type demoUser struct {
	email, name, subtitle string
	role                  access.Role
}

func demoUsers() []demoUser {
	return []demoUser{
		{"olivia@summit.test", "Olivia Bennett", "Originator, Summit Home Lending", access.Originator},
		{"marcus@summit.test", "Marcus Reyes", "Originator, Summit Home Lending", access.Originator},
		{"maya@summit.test", "Maya Lindqvist", "Manager, Summit Home Lending", access.Manager},
		{"piotr@lakeside.test", "Piotr Zielinski", "Originator, Lakeside Home Finance", access.Originator},
		{"admin@hearthline.test", "Alex Kim", "Administrator", access.Admin},
		{"ruth@hearthline.test", "Ruth Okafor", "Administrator", access.Admin},
	}
}

// demoSignInList returns the users that the sign-in page lists.
func demoSignInList(password string) []signin.DemoPerson {
	var people []signin.DemoPerson
	for _, p := range demoUsers() {
		people = append(people, signin.DemoPerson{Name: p.name, Subtitle: p.subtitle, Email: p.email, Password: password})
	}
	return people
}

// addDemoUsers creates the accounts that do not exist yet.
func (p *portal) addDemoUsers(ctx context.Context, out io.Writer) error {
	for _, one := range demoUsers() {
		if _, _, err := p.store.UserByEmail(ctx, one.email); !fault.Is(err, fault.NotFound) {
			if err != nil {
				return err
			}
			continue
		}
		person := access.User{Actor: access.Actor{Name: one.name, Email: one.email, Role: one.role, TimeZone: demoZoneName}}
		if o, err := p.store.OriginatorByEmail(ctx, one.email); err == nil {
			person.OriginatorUUID = string(o.UUID)
			company := access.CompanyOf(o.BrokerID, o.Organization)
			if err := p.store.Write(ctx, func(tx *store.Tx) error {
				return tx.SetCompanyZone(ctx, company, demoZone())
			}); err != nil {
				return err
			}
		} else if one.role != access.Admin {
			return fmt.Errorf("%s is not in the lender's directory: %w", one.email, err)
		}
		if _, err := p.accounts.Add(ctx, person, p.cfg.Portal.DemoPassword); err != nil {
			return fmt.Errorf("%s: %w", one.email, err)
		}
		fmt.Fprintf(out, "Added %s.\n", one.email)
	}
	return nil
}

// requestDemoChange has one administrator request what the other one decides, unless the same request is pending or
// was approved.
func (p *portal) requestDemoChange(ctx context.Context) error {
	alex, _, err := p.store.UserByEmail(ctx, "admin@hearthline.test")
	if err != nil {
		return err
	}
	marcus, _, err := p.store.UserByEmail(ctx, "marcus@summit.test")
	if err != nil {
		return err
	}
	requests := approval.Service{Store: p.store, Vault: p.vault, Accounts: p.accounts, Now: time.Now}
	err = requests.Create(ctx, access.By{Actor: alex.Actor, Permission: access.ManagePeople}, approval.Ask{
		Kind: access.RequestRole, Subject: marcus, Role: access.Manager,
		Reason: "Marcus runs the team while Maya is on leave in January.",
	})
	if fault.Is(err, fault.Conflict, fault.Denied) {
		return nil // the demo's user has changed an account
	}
	return err
}

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

// licensedColleagues is how many originators of each company of the demo have licenses on file besides the demo's
// users. The others have none, so that the demo shows both.
const licensedColleagues = 2

// addLicenses records that the demo's users, a few of their colleagues and their companies may act in the states of the
// demo's leads and of the intake samples, as an installation in use would have learned from their leads.
func (p *portal) addLicenses(ctx context.Context) error {
	holders, err := p.licensedOriginators(ctx)
	if err != nil {
		return err
	}
	return p.store.Write(ctx, func(tx *store.Tx) error {
		for _, o := range holders {
			for holder, party := range map[string]lead.Party{string(o.UUID): lead.PartyOriginator,
				o.BrokerID: lead.PartyBroker} {
				if err := addLicenses(ctx, tx, lead.License{Holder: holder, Party: party, Number: o.NMLS}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// addLicenses records a holder's licenses, except in states for which the lender has reported one already. The number
// is a part of each license's.
func addLicenses(ctx context.Context, tx *store.Tx, of lead.License) error {
	known, err := tx.LicensesOf(ctx, of.Holder)
	for i, state := range demoStates() {
		if err == nil && !slices.ContainsFunc(known, func(k lead.License) bool { return k.State == state }) {
			l := of
			l.State, l.Number, l.At = state, fmt.Sprintf("%s-%s%02d", state, of.Number, i), store.Millis(time.Now())
			err = tx.SaveLenderLicenses(ctx, l)
		}
	}
	return err
}

// licensedOriginators lists the demo's users who are originators, and the first colleagues of each of their companies.
func (p *portal) licensedOriginators(ctx context.Context) (holders []lead.Originator, err error) {
	users, wanted := map[string]bool{}, map[string]int{} // wanted: how many more, by company
	for _, one := range demoUsers() {
		users[one.email] = true
		if o, err := p.store.OriginatorByEmail(ctx, one.email); err == nil {
			wanted[o.BrokerID] = licensedColleagues
		} else if !fault.Is(err, fault.NotFound) {
			return nil, err
		}
	}
	all, err := p.store.AllOriginators(ctx)
	for _, o := range all {
		if users[o.Email] || wanted[o.BrokerID] > 0 {
			holders = append(holders, o)
		}
		if !users[o.Email] {
			wanted[o.BrokerID]--
		}
	}
	return holders, err
}

// demoStates lists the states of the demo's leads and of the intake samples.
func demoStates() []string {
	states := sampleValues("")["property.address.state"]
	for _, l := range leadPlan(time.Now()) {
		states = append(states, l.borrower().Property.Address.State)
	}
	slices.Sort(states)
	return slices.Compact(states)
}
