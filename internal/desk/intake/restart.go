package intake

import (
	"context"
	"slices"

	"hearthline/internal/access"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Restart is the inquiry that a draft corrects, for the page of the draft.
type Restart struct {
	Lead       *desklead.Lead
	SentValues lead.FormValues // what that inquiry was started with
	CanCancel  bool            // it is open, and this user may cancel it
}

// Restart finds the inquiry that a draft of this user corrects; fault.NotFound when the draft corrects none, or when
// the user can no longer access the lead.
func (d *Drafts) Restart(ctx context.Context, id string) (Restart, error) {
	if err := d.d.May(access.PrepareDraft); err != nil {
		return Restart{}, err
	}
	row, err := d.d.Store.Draft(ctx, d.d.UserScope(), id)
	if err != nil {
		return Restart{}, err
	}
	if row.Restart == "" {
		return Restart{}, fault.New(fault.NotFound, "This draft doesn’t correct an inquiry.")
	}
	old, err := d.d.OpenLead(ctx, string(row.Restart))
	if err != nil {
		return Restart{}, err
	}
	sent, err := sentValues(ctx, old)
	return Restart{Lead: desklead.Of(old), SentValues: sent,
		CanCancel: old.Row.CanCancel() && d.d.Actor.Can(access.CancelInquiry)}, err
}

// CancelReplaced cancels the inquiry that a draft of this user corrected (section 4.5), once the new one exists. It
// has a separate operation id, so that a form sent twice cancels only once.
func (in *Intake) CancelReplaced(ctx context.Context, draftID, operationID string) (lead.Operation, error) {
	if err := in.d.May(access.CancelInquiry); err != nil {
		return lead.Operation{}, err
	}
	row, err := in.d.Store.Draft(ctx, in.d.UserScope(), draftID)
	if err != nil {
		return lead.Operation{}, err
	}
	if row.App == "" || row.Restart == "" {
		return lead.Operation{}, fault.New(fault.Conflict, "The new inquiry hasn’t started, so the old one was not changed.")
	}
	old, err := in.d.OpenLead(ctx, string(row.Restart))
	if err != nil {
		return lead.Operation{}, err
	}
	return desklead.Of(old).Cancel(ctx, operationID)
}

// withoutReplaced removes the inquiry that is about to be canceled from the duplicates: the user has seen it and
// decided what happens to it.
func withoutReplaced(found []Duplicate, old heloc.AppID) []Duplicate {
	return slices.DeleteFunc(found, func(d Duplicate) bool { return d.Lead != nil && old != "" && d.Lead.App == old })
}
