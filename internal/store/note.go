package store

import (
	"context"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

const noteColumns = `id, app, actor_id, actor_name, contact, sealed, at, from_app, from_short_id`

// AddNote stores a note.
func (tx *Tx) AddNote(ctx context.Context, n lead.Note) error {
	return tx.insert(ctx, "notes", noteColumns, n)
}

// Notes lists the notes of a lead that the caller has opened, newest first.
func (q queries) Notes(ctx context.Context, app heloc.AppID, limit int) ([]lead.Note, error) {
	return list[lead.Note](ctx, q, `SELECT `+noteColumns+` FROM notes
		WHERE app = ? ORDER BY at DESC, id DESC`+limited(limit), app)
}

// NotesAfter returns the page of notes after the one with the given key, and the key of the next page, which
// is empty on the last page. An empty key selects the first page.
func (q queries) NotesAfter(ctx context.Context, app heloc.AppID, key string) (notes []lead.Note, next string,
	err error) {
	query, args := `SELECT `+noteColumns+` FROM notes WHERE app = ?`, []any{app}
	if at, id, ok := parsePageKey(key); ok {
		query, args = query+` AND (at, id) < (?, ?)`, append(args, at, id)
	}
	notes, err = list[lead.Note](ctx, q, query+` ORDER BY at DESC, id DESC`+limited(PageSize+1), args...)
	if len(notes) > PageSize {
		notes = notes[:PageSize]
		next = encodePageKey(notes[PageSize-1].At, notes[PageSize-1].ID)
	}
	return notes, next, err
}

// AddFollowUp stores a follow-up. The caller saves the lead's own FollowUpAt.
func (tx *Tx) AddFollowUp(ctx context.Context, f lead.FollowUp) error {
	return tx.insert(ctx, "follow_ups", `id, app, actor_id, actor_name, due_at, sealed, created_at`, f)
}

// FollowUps lists the open follow-ups of a lead that the caller has opened, earliest first, up to one more than
// PageSize.
func (q queries) FollowUps(ctx context.Context, app heloc.AppID) ([]lead.FollowUp, error) {
	return list[lead.FollowUp](ctx, q, `SELECT id, app, actor_id, actor_name, due_at, sealed, created_at, done_at, done_by
		FROM follow_ups
		WHERE app = ? AND done_at = 0 ORDER BY due_at, id`+limited(PageSize+1), app)
}

// CompleteFollowUp marks one of the lead's follow-ups as done; false when it was not open.
func (tx *Tx) CompleteFollowUp(ctx context.Context, f lead.FollowUp, at time.Time) (bool, error) {
	return tx.changed(ctx, `UPDATE follow_ups SET done_at = ?, done_by = ? WHERE id = ? AND app = ? AND done_at = 0`,
		Millis(at), f.DoneBy, f.ID, f.App)
}
