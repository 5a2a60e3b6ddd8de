package lead

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// The limits of notes and follow-ups.
const (
	maxNote          = 4000 // characters
	maxFollowUpText  = 200
	maxFollowUpAhead = 366 * 24 * time.Hour // a later date is probably a typing error in the year
	MaxNotes         = 100                  // that a summary counts
)

// Note saves a note for the team. The lender does not receive it.
func (l *Lead) Note(ctx context.Context, text string) error {
	if err := l.d.May(access.AnnotateLead); err != nil {
		return err
	}
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return fault.InvalidField("note", "Enter a note")
	case utf8.RuneCountInString(text) > maxNote:
		return fault.InvalidField("note", "Use at most 4,000 characters")
	}
	note, err := l.encryptNote(text)
	if err != nil {
		return err
	}
	return l.d.AddToRow(ctx, func(tx *store.Tx, _ *lead.Row) error {
		if err := tx.AddNote(ctx, note); err != nil {
			return err
		}
		return tx.AddEvent(ctx, l.d.NewEvent(lead.EventNote, ""))
	})
}

func (l *Lead) encryptNote(text string) (lead.Note, error) {
	now := store.Millis(l.d.Now())
	n := lead.Note{
		ID: l.d.NewID(), App: l.d.Row.App,
		ActorID: l.d.Actor.UserID, ActorName: l.d.Actor.Name, At: now,
	}
	var err error
	n.Sealed, err = l.d.Vault.Seal(vault.NoteAAD(n.ID), []byte(text))
	return n, err
}

// FollowUp sets a reminder. From at on, the lead is the user's move.
func (l *Lead) FollowUp(ctx context.Context, at time.Time, text string) error {
	if err := l.d.May(access.AnnotateLead); err != nil {
		return err
	}
	now := l.d.Now()
	text = strings.TrimSpace(text)
	var wrong []fault.Field
	switch {
	case at.IsZero():
		wrong = append(wrong, fault.Field{Name: "followUp.on", Message: "Choose a day"})
	case at.After(now.Add(maxFollowUpAhead)):
		wrong = append(wrong, fault.Field{Name: "followUp.on", Message: "Choose a day within a year"})
	case at.Before(now.Add(-24 * time.Hour)):
		wrong = append(wrong, fault.Field{Name: "followUp.on", Message: "This day has passed"})
	}
	if utf8.RuneCountInString(text) > maxFollowUpText {
		wrong = append(wrong, fault.Field{Name: "followUp.note", Message: "Use at most 200 characters"})
	}
	if len(wrong) > 0 {
		return fault.InvalidFields(wrong...)
	}
	f := lead.FollowUp{
		ID: l.d.NewID(), App: l.d.Row.App,
		ActorID: l.d.Actor.UserID, ActorName: l.d.Actor.Name, DueAt: store.Millis(at), CreatedAt: store.Millis(now),
	}
	var err error
	if f.Sealed, err = l.d.SealText(vault.FollowUpAAD(f.ID), text); err != nil {
		return err
	}
	return l.d.AddToRow(ctx, func(tx *store.Tx, row *lead.Row) error {
		if err := tx.AddFollowUp(ctx, f); err != nil {
			return err
		}
		if err := setNextFollowUp(ctx, tx, row); err != nil {
			return err
		}
		return tx.AddEvent(ctx, l.d.NewEvent(lead.EventFollowUp, ""))
	})
}

// CompleteFollowUp marks a follow-up as completed. Completing it twice has no further effect.
func (l *Lead) CompleteFollowUp(ctx context.Context, id string) error {
	if err := l.d.May(access.AnnotateLead); err != nil {
		return err
	}
	return l.d.UpdateRow(ctx, func(tx *store.Tx, row *lead.Row) error {
		ended, err := tx.CompleteFollowUp(ctx, lead.FollowUp{ID: id, App: row.App, DoneBy: l.d.Actor.UserID}, l.d.Now())
		if err != nil || !ended {
			return err
		}
		if err := setNextFollowUp(ctx, tx, row); err != nil {
			return err
		}
		if row.FollowUpAt == 0 || row.FollowUpAt > store.Millis(l.d.Now()) {
			if err := tx.MarkHandled(ctx, row.App, lead.NoticeFollowUpDue); err != nil {
				return err
			}
		}
		return tx.AddEvent(ctx, l.d.NewEvent(lead.EventFollowUpDone, ""))
	})
}

// setNextFollowUp sets the lead's next follow-up to the earliest open one.
func setNextFollowUp(ctx context.Context, tx *store.Tx, row *lead.Row) error {
	open, err := tx.FollowUps(ctx, row.App)
	row.FollowUpAt = 0
	if len(open) > 0 {
		row.FollowUpAt = open[0].DueAt
	}
	return err
}

// decryptNotes adds the notes and the follow-ups to a view, decrypted.
func (l *Lead) decryptNotes(ctx context.Context, v *Snapshot) (err error) {
	if v.Notes, v.OlderNotes, err = l.notesAfter(ctx, ""); err != nil {
		return err
	}
	if v.FollowUps, err = l.d.Store.FollowUps(ctx, l.d.Row.App); err != nil {
		return err
	}
	if v.MoreFollowUps = len(v.FollowUps) > store.PageSize; v.MoreFollowUps {
		v.FollowUps = v.FollowUps[:store.PageSize]
	}
	for i, f := range v.FollowUps {
		if v.FollowUps[i].Text, err = l.d.UnsealText(vault.FollowUpAAD(f.ID), f.Sealed); err != nil {
			return err
		}
	}
	return nil
}

// NotesPage reads the page of the notes after a key, newest first, and the key of the next page; it is empty on the
// last one.
func (l *Lead) NotesPage(ctx context.Context, after string) (notes []lead.Note, next string, err error) {
	if err := l.d.May(access.SeeLead); err != nil {
		return nil, "", err
	}
	return l.notesAfter(ctx, after)
}

func (l *Lead) notesAfter(ctx context.Context, after string) (notes []lead.Note, next string, err error) {
	if notes, next, err = l.d.Store.NotesAfter(ctx, l.d.Row.App, after); err != nil {
		return nil, "", err
	}
	for i, n := range notes {
		if notes[i].Text, err = l.d.UnsealText(vault.NoteAAD(n.ID), n.Sealed); err != nil {
			return nil, "", err
		}
	}
	return notes, next, nil
}

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
