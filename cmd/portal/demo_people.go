package main

import (
	"context"
	"fmt"
	"io"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/web/page"
)

// demoPerson is somebody to log in as.
type demoPerson struct {
	email, name, line string
	role              access.Role
}

func cast() []demoPerson {
	return []demoPerson{
		{"olivia@summit.test", "Olivia Bennett", "Originator, Summit Home Lending", access.Originator},
		{"marcus@summit.test", "Marcus Reyes", "Originator, Summit Home Lending", access.Originator},
		{"maya@summit.test", "Maya Lindqvist", "Manager, Summit Home Lending", access.Manager},
		{"piotr@lakeside.test", "Piotr Zielinski", "Originator, Lakeside Home Finance", access.Originator},
		{"admin@hearthline.test", "Alex Kim", "Administrator", access.Admin},
	}
}

// demoPeople are the people whom the log-in page lists.
func demoPeople(password string) []page.Person {
	var people []page.Person
	for _, p := range cast() {
		people = append(people, page.Person{Name: p.name, Line: p.line, Email: p.email, Password: password})
	}
	return people
}

// addPeople makes the accounts that do not stand yet.
func (h *house) addPeople(ctx context.Context, out io.Writer) error {
	for _, p := range cast() {
		if _, _, err := h.store.UserByEmail(ctx, p.email); fault.KindOf(err) != fault.NotFound {
			if err != nil {
				return err
			}
			continue
		}
		person := access.User{Actor: access.Actor{Name: p.name, Email: p.email, Role: p.role, TimeZone: demoZoneName}}
		if o, err := h.store.OriginatorByEmail(ctx, p.email); err == nil {
			person.OriginatorUUID = string(o.UUID)
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
