package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/approval"
	"hearthline/internal/fault"
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
