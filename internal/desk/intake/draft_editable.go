package intake

import (
	"context"
	"errors"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// DraftSentError is the cause of a refusal: the draft was sent, and the user can access its lead. From then on, what
// was sent belongs to the lead.
type DraftSentError struct{ App heloc.AppID }

func (*DraftSentError) Error() string { return "a lead came of the draft" }

// isDraftSent reports whether an error means that a draft was sent.
func isDraftSent(err error) bool {
	_, sent := errors.AsType[*DraftSentError](err)
	return sent
}

// draftReader is the database or a transaction.
type draftReader interface {
	Draft(ctx context.Context, owner store.UserScope, id string) (store.Draft, error)
	Lead(ctx context.Context, scope access.Scope, app heloc.AppID) (lead.Row, error)
}

// editable reads a draft of this user that can still be edited. Every action on a draft goes through it or through
// checkEditable.
func (d *Drafts) editable(ctx context.Context, from draftReader, id string) (store.Draft, error) {
	row, err := from.Draft(ctx, d.d.UserScope(), id)
	if err == nil {
		err = checkEditable(ctx, d.d, from, row)
	}
	if err != nil {
		return store.Draft{}, err
	}
	return row, nil
}

// checkEditable returns an error when this user can no longer edit one of their drafts. A draft that was sent is
// fault.Conflict with DraftSentError for users who may see the lead, and fault.NotFound for everybody else, including
// its author: it contains all borrower data, and when a lead is reassigned to a colleague, its borrower data goes
// with it. The same applies to the correction of a lead that the user can no longer see. A correction that was
// transferred to the user is treated like any other draft.
func checkEditable(ctx context.Context, d core.Desk, from draftReader, row store.Draft) error {
	app := row.App
	if app == "" && row.PreparedBy == "" {
		app = row.Restart
	}
	if app == "" {
		return nil
	}
	if _, err := from.Lead(ctx, d.Actor.Scope(), app); err != nil {
		return err
	}
	if row.App != "" {
		return fault.Wrap(fault.Conflict, "This draft was sent and is now a lead. Open the lead.", &DraftSentError{row.App})
	}
	return nil
}
