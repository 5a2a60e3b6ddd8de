package lead

import (
	"context"
	"slices"
	"strconv"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Nudge notifies the lead's originator that a manager asks them to follow up, once for each stay of the lead at a step.
// It returns the nudge that there is, and whether it is the new one.
func (l *Lead) Nudge(ctx context.Context) (nudge lead.Nudge, fresh bool, err error) {
	err = l.d.WriteBy(ctx, access.SeeTeam, func(tx *store.Tx) error {
		row, err := tx.Lead(ctx, l.d.Actor.Scope(), l.d.Row.App)
		if err != nil {
			return err
		}
		before, err := tx.LastNudges(ctx, []heloc.AppID{row.App})
		if err != nil {
			return err
		}
		if nudge = lead.NudgeOf(row, before[row.App]); nudge.At != 0 {
			return nil
		}
		people, err := l.nudgePeople(ctx, tx, row)
		if err != nil {
			return err
		}
		nudge, fresh = lead.Nudge{At: store.Millis(l.d.Now()), By: l.d.Actor.Name}, true
		return l.saveNudge(ctx, tx, row, people)
	})
	if err != nil {
		return lead.Nudge{}, false, err
	}
	return nudge, fresh, nil
}

// nudgePeople returns the accounts to notify; fault.Conflict where there is nobody, or nothing to follow up.
func (l *Lead) nudgePeople(ctx context.Context, tx *store.Tx, row lead.Row) ([]string, error) {
	switch {
	case row.Lane == heloc.LaneEnded:
		return nil, fault.New(fault.Conflict, "This lead has ended, so there is nothing to follow up. No one was notified.")
	case row.Originator == "":
		return nil, fault.New(fault.Conflict, "This lead has no originator. Assign it to one instead. No one was notified.")
	case string(row.Originator) == l.d.Actor.OriginatorUUID:
		return nil, fault.New(fault.Conflict, "This lead is yours. No one was notified.")
	}
	people, err := tx.NotifiedOf(ctx, row.Originator, row.Company)
	people = slices.DeleteFunc(people, func(who string) bool { return who == l.d.Actor.UserID }) // who covers and manages
	if err == nil && len(people) == 0 {
		err = fault.New(fault.Conflict,
			"The originator has no account, so no one was notified. Contact them another way, or reassign the lead.")
	}
	return people, err
}

// saveNudge records a nudge in the lead's activity, in the originator's notifications and in the audit.
func (l *Lead) saveNudge(ctx context.Context, tx *store.Tx, row lead.Row, people []string) error {
	event := l.d.NewEvent(lead.EventNudged, "")
	event.Originator, event.StepBefore, event.StepAfter, event.StatusKey = row.Originator, row.Step, row.Step,
		row.StatusKey
	if err := tx.AddEvent(ctx, event); err != nil {
		return err
	}
	if err := tx.RaiseRevision(ctx, row.App); err != nil {
		return err
	}
	dedupKeys := l.d.Vault.NoticeDedupKeys(string(row.App), "nudge", string(row.Step),
		strconv.FormatInt(row.StepSince, 10))
	if err := core.NotifyAll(ctx, tx, people, lead.Notice{
		Company: row.Company, App: row.App, ShortID: row.ShortID, Kind: lead.NoticeNudge, About: string(row.StatusKey),
		ByName: l.d.Actor.Name, N: int(l.d.Now().Sub(store.Instant(row.StepSince)) / (24 * time.Hour)),
		DedupKey: dedupKeys[0], OldDedupKeys: dedupKeys[1:], At: event.At,
	}); err != nil {
		return err
	}
	return l.d.Audit(ctx, tx, store.ActionNudge, "done", "step:"+string(row.Step))
}
