package lendersync

import (
	"context"
	"encoding/json"
	"slices"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// claimOf returns what a reading would change against a lead: its step, its originator, or its open status. A lender
// with an outage can report such changes for many leads at once and retract them a moment later. So nothing in such a
// reading is stored until another reading, at least secondLook later, agrees, unless our own write requested the
// change.
//
// A null makes no claim (hold.go), and neither does a step forward, unless the lead is set aside or has a planned
// re-pull. moves reports whether the lead would move to the originator that the reading names.
func (s *Service) claimOf(ctx context.Context, tx *store.Tx, row *lead.Row, r *partWriter,
	op *lead.Operation, moves bool) (lead.Claim, error) {
	claim := claimAgainst(*row, r.details, r.closing, op)
	if moves {
		claim.Originator = r.said.Originator.UUID
	}
	if !claim.Made() {
		return claim, nil
	}
	ops, err := tx.Operations(ctx, row.App, 10)
	for _, sent := range ops {
		switch {
		case !mayHaveHadEffect(sent):
		case sent.Kind == heloc.OpReassign && sent.Target == r.said.Originator.UUID:
			claim.Originator = ""
		case sent.Kind == heloc.OpCancel:
			claim.Ended = false
			if claim.Step.Ended() {
				claim.Step = ""
			}
		}
	}
	return claim, err
}

func mayHaveHadEffect(op lead.Operation) bool {
	return slices.Contains([]lead.OpState{lead.OpSent, lead.OpSucceeded, lead.OpUnknown, lead.OpConfirmed}, op.State)
}

// claimAgainst returns the claim that the details of a reading make. It has no side effects. op is the pending
// operation, or nil.
func claimAgainst(row lead.Row, d heloc.Details, closing bool, op *lead.Operation) (c lead.Claim) {
	step, known := d.App.NextInquiryStep, row.Step
	switch {
	case step == known || known == "":
	case !step.Known(), step.Ended(), step.Before(known):
		c.Step = step
	case op == nil && (row.SetAsideAt != 0 || row.RepullAt != 0): // another step ends what a user has decided or planned
		c.Step = step
	case op == nil && !known.InProgress() && (step.InProgress() || step.Beside(known)):
		// a change that an operation can cause
		c.Step = step
	}
	dates := d.App.KeyDates
	c.Ended = dates.Canceled != "" && row.CanceledDate == "" || dates.Declined != "" && row.DeclinedDate == ""
	c.Reversed = row.Converted && d.App.IsInquiry != nil && *d.App.IsInquiry ||
		row.Funded && closing && d.App.Funding != nil && !heloc.IsFunded(d.App.Funding)
	entries := len(d.App.StatusHistory)
	c.Shorter = 0 < entries && entries < row.HistoryLength
	return c
}

// saveUnchanged saves a lead that a reading did not change, and announces it if its page has a new notice.
func (s *Service) saveUnchanged(ctx context.Context, tx *store.Tx, row *lead.Row, announce bool) error {
	if err := tx.SaveLead(ctx, row, s.Now(), false); err != nil || !announce {
		return err
	}
	return tx.RaiseRevision(ctx, row.App)
}

// saveClaim stores only the claim of a reading, and schedules another reading soon.
func (s *Service) saveClaim(ctx context.Context, tx *store.Tx, row *lead.Row, k readingToSave,
	last journal.LastReading, claim lead.Claim) error {
	fresh := !last.Claim.Same(claim)
	if claim.Since = store.Millis(k.at); !fresh {
		claim.Since = last.Claim.Since
	}
	last.Claim, last.FailedAt, last.Said = claim, 0, ""
	plain, err := json.Marshal(last)
	if err != nil {
		return err
	}
	if err := s.savePart(ctx, tx, store.SealedPart{App: row.App, Part: lead.PartReading, Sealed: plain,
		FetchedAt: store.Millis(k.at)}); err != nil {
		return err
	}
	s.schedule(row, k, soon{doubtful: true})
	return s.saveUnchanged(ctx, tx, row, fresh)
}
