package team

import (
	"cmp"
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// MaxDisabledPeople is how many disabled accounts a list has: those that were disabled last.
const MaxDisabledPeople = 200

// DisablerKind is who disabled an account, as far as the audit knows.
type DisablerKind string

// The kinds.
const (
	DisablerUnknown   DisablerKind = ""          // the audit has no entry
	DisablerColleague DisablerKind = "colleague" // somebody at the company
	DisablerAdmin     DisablerKind = "admin"     // an administrator, who belongs to no company
	DisablerFormer    DisablerKind = "former"    // somebody who is no longer at the company
	// Hearthline, because the lender's directory no longer listed the originator
	DisablerDirectory DisablerKind = "directory"
	DisablerSystem    DisablerKind = "system" // Hearthline, by a command on the server
)

// DisabledPerson is a user of the company whose account is disabled.
type DisabledPerson struct {
	Person
	By     DisablerKind
	ByID   string // for DisablerColleague
	ByName string
}

// Disabled lists the users of the company whose account is disabled, up to MaxDisabledPeople, those that were
// disabled last first. Somebody who has another account that is open is not listed.
func (t *Team) Disabled(ctx context.Context) ([]DisabledPerson, error) {
	if err := t.d.May(access.SeeTeam); err != nil {
		return nil, err
	}
	people, err := t.everybody(ctx)
	if err != nil {
		return nil, err
	}
	people = slices.DeleteFunc(people, func(p Person) bool { return !p.Disabled })
	slices.SortFunc(people, func(a, b Person) int {
		return cmp.Or(cmp.Compare(b.DisabledAt, a.DisabledAt), cmp.Compare(a.Name, b.Name), cmp.Compare(a.UserID, b.UserID))
	})
	people = people[:min(len(people), MaxDisabledPeople)]
	ids := make([]string, len(people))
	for i, p := range people {
		ids[i] = p.UserID
	}
	entries, err := t.d.Store.DisabledBy(ctx, ids)
	if err != nil {
		return nil, err
	}
	all := make([]DisabledPerson, len(people))
	for i, p := range people {
		all[i].Person = p
		if entry, known := entries[p.UserID]; known {
			if err := t.addDisabler(ctx, &all[i], entry); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// addDisabler sets who disabled an account. Nobody of another company is named.
func (t *Team) addDisabler(ctx context.Context, p *DisabledPerson, entry store.AuditEntry) error {
	if entry.ActorID == "system" {
		if p.By = DisablerSystem; entry.Detail == "directory" {
			p.By = DisablerDirectory
		}
		return nil
	}
	by, err := t.d.Store.User(ctx, entry.ActorID)
	switch {
	case fault.Is(err, fault.NotFound):
		p.By = DisablerFormer
	case err != nil:
		return err
	case by.Role == access.Admin:
		p.By = DisablerAdmin
	case by.Company() != t.d.Company():
		p.By = DisablerFormer
	default:
		p.By, p.ByID, p.ByName = DisablerColleague, by.UserID, by.Name
	}
	return nil
}
