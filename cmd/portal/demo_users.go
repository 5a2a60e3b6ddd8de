package main

import (
	"context"
	"fmt"
	"io"

	"hearthline/internal/access"
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
func (h *portal) addDemoUsers(ctx context.Context, out io.Writer) error {
	for _, p := range demoUsers() {
		if _, _, err := h.store.UserByEmail(ctx, p.email); !fault.Is(err, fault.NotFound) {
			if err != nil {
				return err
			}
			continue
		}
		person := access.User{Actor: access.Actor{Name: p.name, Email: p.email, Role: p.role, TimeZone: demoZoneName}}
		if o, err := h.store.OriginatorByEmail(ctx, p.email); err == nil {
			person.OriginatorUUID = string(o.UUID)
			company := access.CompanyOf(o.BrokerID, o.Organization)
			if err := h.store.Write(ctx, func(tx *store.Tx) error { return tx.SetCompanyZone(ctx, company, demoZone()) }); err != nil {
				return err
			}
		} else if p.role != access.Admin {
			return fmt.Errorf("%s is not in the lender's directory: %w", p.email, err)
		}
		if _, err := h.accounts.Add(ctx, person, h.cfg.Portal.DemoPassword); err != nil {
			return fmt.Errorf("%s: %w", p.email, err)
		}
		fmt.Fprintf(out, "Added %s.\n", p.email)
	}
	return nil
}
