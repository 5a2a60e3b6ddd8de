package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// DraftSentError is the cause of a refusal: the draft was sent, and its lead is within the
// person's reach. What was sent is the lead's from then on.
type DraftSentError struct{ App heloc.AppID }

func (*DraftSentError) Error() string { return "a lead came of the draft" }

// draftReader reads in the database or in a transaction alike.
type draftReader interface {
	Draft(ctx context.Context, owner store.UserScope, id string) (store.Draft, error)
	Lead(ctx context.Context, scope access.Scope, app heloc.AppID) (store.Lead, error)
}

// editable reads a draft of this person that can still be worked on: every deed on a draft goes
// by it, or by workable.
func (ds *Drafts) editable(ctx context.Context, from draftReader, id string) (store.Draft, error) {
	row, err := from.Draft(ctx, ds.d.userScope(), id)
	if err == nil {
		err = ds.d.checkEditable(ctx, from, row)
	}
	if err != nil {
		return store.Draft{}, err
	}
	return row, nil
}

// checkEditable says whether this person can still work on a draft of theirs. One that was sent
// is fault.Conflict with DraftSentError for who may see the lead, and does not exist for anybody
// else, whoever typed it: it holds the whole borrower, and a lead that has gone to a
// colleague takes its borrower along. So does a lead that somebody has begun to correct. A
// correction that was handed to them is theirs like any draft.
func (d *Desk) checkEditable(ctx context.Context, from draftReader, row store.Draft) error {
	lead := row.App
	if lead == "" && row.PreparedBy == "" {
		lead = row.Restart
	}
	if lead == "" {
		return nil
	}
	if _, err := from.Lead(ctx, d.Actor.Scope(), lead); err != nil {
		return err
	}
	if row.App != "" {
		return fault.Wrap(fault.Conflict, "This draft was sent, and a lead has come of it. Open the lead.", &DraftSentError{row.App})
	}
	return nil
}
