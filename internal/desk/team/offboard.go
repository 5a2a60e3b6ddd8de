package team

import (
	"cmp"
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// OffboardOptions decides what happens to the work of somebody who leaves.
type OffboardOptions struct {
	DraftsTo        string // the user who gets the drafts; empty leaves them in the queue of the company
	LeaveUnassigned bool   // the open leads go to the queue of the company
	Unconfirmed     bool   // the user has not confirmed it: refused, together with what else is missing
}

// offboardProblem says why this user cannot close an account; empty if they can.
func (t *Team) offboardProblem(who access.User) string {
	switch {
	case who.UserID == t.d.Actor.UserID:
		return "You can’t disable your own account. Ask an administrator."
	case who.Disabled:
		return "This account is already disabled."
	case who.Role != access.Originator && who.Role != access.Assistant:
		return "Only an administrator can disable this account."
	}
	return ""
}

// Offboard closes the account of an originator or assistant of the company. While they have open leads, it refuses,
// unless the user agrees that the leads go to the queue of the company. Its field errors name the controls draftsTo,
// leave.unassigned and confirm.close.
func (t *Team) Offboard(ctx context.Context, id string, o OffboardOptions) error {
	return t.d.WriteBy(ctx, access.OffboardPeople, func(tx *store.Tx) error {
		gone, err := t.colleague(ctx, tx, id)
		if err != nil {
			return err
		}
		if why := t.offboardProblem(gone); why != "" {
			return fault.New(fault.Denied, why)
		}
		work, err := tx.RemainingWork(ctx, store.UserScopeOf(gone.Actor), heloc.OriginatorID(gone.OriginatorUUID))
		if err != nil {
			return err
		}
		if err := t.checkOffboard(ctx, tx, gone, o, work.Leads); err != nil {
			return err
		}
		if o.DraftsTo != "" {
			if err := t.d.TransferAllDrafts(ctx, tx, store.UserScopeOf(gone.Actor), o.DraftsTo); err != nil {
				return err
			}
		}
		return t.d.Accounts.Close(ctx, tx, t.d.Actor, gone.UserID)
	})
}

// colleague finds a user of the company; fault.NotFound for any other.
func (t *Team) colleague(ctx context.Context, tx *store.Tx, id string) (access.User, error) {
	user, err := tx.User(ctx, id)
	if err == nil && (user.Company() != t.d.Company() || user.Role == access.Admin) {
		err = fault.New(fault.NotFound, "Page not found, or you don’t have access.")
	}
	return user, err
}

// checkOffboard names everything that the form of a user who leaves lacks, in the order of its controls.
func (t *Team) checkOffboard(ctx context.Context, tx *store.Tx, gone access.User, o OffboardOptions,
	openLeads int) error {
	var wrong []fault.Field
	if o.DraftsTo != "" {
		takers, err := t.draftTakers(ctx, tx.Queries, gone.UserID)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(takers, func(u access.User) bool { return u.UserID == o.DraftsTo }) {
			wrong = append(wrong, fault.Field{Name: "draftsTo",
				Message: "Choose an originator at your company who has an active account"})
		}
	}
	if openLeads > 0 && !o.LeaveUnassigned {
		wrong = append(wrong, fault.Field{Name: "leave.unassigned",
			Message: "Reassign the open leads first, or leave them unassigned"})
	}
	if o.Unconfirmed {
		wrong = append(wrong, fault.Field{Name: "confirm.close", Message: "Check this box to disable the account"})
	}
	return fault.CheckFields(wrong)
}

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
