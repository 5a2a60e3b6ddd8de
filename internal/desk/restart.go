package desk

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// Restart is the inquiry that a draft corrects, for the page that the draft is typed on.
type Restart struct {
	Lead       *Lead
	SentValues FormValues // what that inquiry was started with
	CanCancel  bool       // it is open, and this person may end it
}

// Restart finds what a draft of this person corrects; fault.NotFound for a draft of its
// own, and for a lead that is no longer within the person's reach.
func (ds *Drafts) Restart(ctx context.Context, id string) (Restart, error) {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return Restart{}, err
	}
	row, err := ds.d.Store.Draft(ctx, ds.d.userScope(), id)
	if err != nil {
		return Restart{}, err
	}
	if row.Restart == "" {
		return Restart{}, fault.New(fault.NotFound, "This draft corrects no inquiry.")
	}
	old, err := ds.d.Lead(ctx, string(row.Restart))
	if err != nil {
		return Restart{}, err
	}
	sent, err := old.sentValues(ctx)
	return Restart{Lead: old, SentValues: sent, CanCancel: CanCancel(old.row) && ds.d.Actor.Can(access.CancelInquiry)}, err
}

// CancelReplaced ends the inquiry that a draft of this person corrected (section 4.5), once
// the new one stands. It goes by a ticket of its own, so that a form sent twice cancels
// once.
func (in *Intake) CancelReplaced(ctx context.Context, draftID, ticket string) (store.Operation, error) {
	if err := in.d.may(access.CancelInquiry); err != nil {
		return store.Operation{}, err
	}
	row, err := in.d.Store.Draft(ctx, in.d.userScope(), draftID)
	if err != nil {
		return store.Operation{}, err
	}
	if row.App == "" || row.Restart == "" {
		return store.Operation{}, fault.New(fault.Conflict, "The new inquiry has not started, so the old one was left as it is.")
	}
	old, err := in.d.Lead(ctx, string(row.Restart))
	if err != nil {
		return store.Operation{}, err
	}
	return old.Cancel(ctx, ticket)
}

// withoutReplaced takes the inquiry that is to be cancelled out of the duplicates: the person
// has seen that one, and has said what is to become of it.
func withoutReplaced(found []Duplicate, old heloc.AppID) []Duplicate {
	return slices.DeleteFunc(found, func(d Duplicate) bool { return d.Lead != nil && old != "" && d.Lead.App == old })
}
