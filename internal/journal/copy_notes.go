package journal

import (
	"context"
	"slices"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// maxCopiedNotes is how many notes are copied to a corrected inquiry.
const maxCopiedNotes = 100

// correction is a start that corrects an earlier inquiry.
type correction struct {
	actorID string
	of      heloc.AppID // empty if it corrects none
	row     lead.Row    // the new lead
}

// copyNotes copies the notes of the corrected inquiry to the new lead, each with its author, time and origin. It copies
// nothing from a lead that the sender of the start cannot access.
func (j *Journal) copyNotes(ctx context.Context, tx *store.Tx, c correction) error {
	if c.of == "" || c.of == c.row.App {
		return nil
	}
	old, err := tx.AnyLead(ctx, c.of)
	if err != nil {
		return ignoreNotFound(err)
	}
	who, err := tx.User(ctx, c.actorID)
	if err != nil || old.Company != c.row.Company || !who.Scope().Covers(old.Owner()) {
		return ignoreNotFound(err)
	}
	notes, err := tx.Notes(ctx, old.App, maxCopiedNotes)
	if err != nil {
		return err
	}
	for _, n := range slices.Backward(notes) {
		if n, err = j.copyNote(n, old, c.row.App); err != nil {
			return err
		}
		if err := tx.AddNote(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// copyNote returns a copy of a note with a new id. It encrypts the text again, because encrypted values are bound to
// their rows.
func (j *Journal) copyNote(n lead.Note, old lead.Row, to heloc.AppID) (lead.Note, error) {
	text, err := j.vault.Unseal(vault.NoteAAD(n.ID), n.Sealed)
	if err != nil {
		return n, err
	}
	if n.FromApp == "" {
		n.FromApp, n.FromShortID = old.App, old.ShortID
	}
	n.ID, n.App = ulid.MustNew(uint64(n.At), ulid.DefaultEntropy()).String(), to
	n.Sealed, err = j.vault.Seal(vault.NoteAAD(n.ID), text)
	return n, err
}

func ignoreNotFound(err error) error {
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}
