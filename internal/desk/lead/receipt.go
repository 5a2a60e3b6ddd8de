package lead

import (
	"cmp"
	"context"
	"maps"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// maxAbandonReason is the maximum length of the reason for abandoning an operation, in bytes.
const maxAbandonReason = 400

// Receipt is one operation opened by one user.
type Receipt struct {
	d  core.Desk
	Op lead.Operation
}

// OpenReceipt opens an operation that this user sent at their current company, one of a lead that they can access, or a
// start without a lead that was sent in the name of an originator for whom they cover; fault.NotFound for any other.
func OpenReceipt(ctx context.Context, d core.Desk, id string) (*Receipt, error) {
	hidden := fault.New(fault.NotFound, "Page not found, or you don’t have access.")
	if !d.Actor.Can(access.SeeLead) {
		return nil, hidden
	}
	op, err := d.Store.Operation(ctx, id)
	if err != nil {
		return nil, err
	}
	op = d.Journal.WithMessages(op)
	if op.ActorID == d.Actor.UserID && op.Company == d.Company() || d.CoversStart(op) {
		return &Receipt{d, op}, nil
	}
	if op.App == "" {
		return nil, hidden
	}
	if _, err := d.Store.Lead(ctx, d.Actor.Scope(), op.App); err != nil {
		return nil, hidden
	}
	return &Receipt{d, op}, nil
}

// UsualWait is how long such an operation usually takes.
func (r *Receipt) UsualWait(ctx context.Context) (lead.UsualWait, error) {
	if err := r.d.May(access.SeeLead); err != nil {
		return lead.UsualWait{}, err
	}
	return journal.LoadUsualWait(ctx, r.d.Store.Queries, r.Op.Kind)
}

// Borrower returns the borrower's name: the lead's or, while a start has no lead, the name in its form.
func (r *Receipt) Borrower(ctx context.Context) (heloc.Name, error) {
	if err := r.d.May(access.SeeLead); err != nil {
		return heloc.Name{}, err
	}
	if r.Op.App != "" {
		l, err := r.d.OpenLead(ctx, string(r.Op.App))
		if err != nil {
			return heloc.Name{}, nil // the lead has moved to another originator since
		}
		return l.Name, nil
	}
	return r.d.StartName(ctx, r.Op)
}

// Typed returns the name and property that a start was typed with, for its sender, so that the page can show what was
// sent differently. It is empty for any other operation, and once the user can no longer access the lead.
func (r *Receipt) Typed(ctx context.Context) (lead.FormValues, error) {
	if err := r.d.May(access.SeeLead); err != nil {
		return nil, err
	}
	if r.Op.Kind != heloc.OpStart || r.Op.DraftID == "" || r.Op.ActorID != r.d.Actor.UserID {
		return nil, nil
	}
	row, err := r.d.Store.Draft(ctx, r.d.UserScope(), r.Op.DraftID)
	if err == nil && row.App != "" {
		_, err = r.d.Store.Lead(ctx, r.d.Actor.Scope(), row.App)
	}
	if err != nil {
		return nil, fault.Ignore(err, fault.NotFound)
	}
	typed, err := vault.UnsealJSON[lead.FormValues](r.d.Vault, vault.DraftAAD(row.ID), row.Sealed)
	maps.DeleteFunc(typed, func(name string, _ []string) bool {
		return !strings.HasPrefix(name, "applicant.name.") && !strings.HasPrefix(name, "property.")
	})
	return typed, err
}

// AbandonPermission returns the permission for abandoning an operation of a kind: the one for sending it.
func AbandonPermission(kind heloc.Operation) access.Permission {
	return cmp.Or(map[heloc.Operation]access.Permission{heloc.OpStart: access.StartInquiry,
		heloc.OpReassign: access.ReassignLead}[kind], access.ActOnLead)
}

// StartsReported reports whether a notification from the lender can show that it received a start whose response was
// lost.
func (r *Receipt) StartsReported(ctx context.Context) (bool, error) {
	if err := r.d.May(access.SeeLead); err != nil {
		return false, err
	}
	return r.d.StartsReported(ctx)
}

// AdoptStart settles a start of unknown outcome with the application that the lender named to the user. An id that is
// no application of theirs, or that of another borrower or property, is fault.Invalid at appUuid.
func (r *Receipt) AdoptStart(ctx context.Context, typed string) error {
	if err := r.d.May(AbandonPermission(heloc.OpStart)); err != nil {
		return err
	}
	if r.Op.Kind != heloc.OpStart || r.Op.ActorID != r.d.Actor.UserID && !r.d.CoversStart(r.Op) {
		return fault.New(fault.Denied, "Only the person who sent this, or their deputy, can add its application.")
	}
	_, err := r.d.Adopt(typed, func(app heloc.AppID, by store.Adopter) error {
		return r.d.Refresher.AdoptStart(ctx, r.Op.ID, app, by)
	})
	return err
}

// Abandon gives up an operation of unknown outcome, with a reason. Its sender may do this, and so may anyone who
// could now send such an operation for the lead; otherwise an operation of somebody who has left would block the
// lead.
func (r *Receipt) Abandon(ctx context.Context, reason string) error {
	if err := r.d.May(AbandonPermission(r.Op.Kind)); err != nil {
		return err
	}
	if r.Op.ActorID != r.d.Actor.UserID && !r.d.CoversStart(r.Op) {
		_, err := r.d.OpenLead(ctx, string(r.Op.App))
		if fault.Is(err, fault.NotFound) {
			return fault.New(fault.Denied,
				"Only the person who sent this, or the person who has the lead now, can mark it as not received.")
		}
		if err != nil {
			return err
		}
	}
	if reason = strings.TrimSpace(reason); reason == "" || len(reason) > maxAbandonReason {
		return fault.InvalidField("reason", "Enter a reason of up to 200 characters, without borrower data")
	}
	return r.d.Journal.Abandon(ctx, r.Op.ID, r.d.Actor.UserID, reason)
}
