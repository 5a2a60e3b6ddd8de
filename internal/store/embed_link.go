package store

import (
	"context"

	"hearthline/internal/fault"
)

// EmbedLink says whose account a log-in of a CRM belongs to.
type EmbedLink struct {
	Key      string `db:"client_key"`
	Subject  string `db:"subject"` // its mark, which no other client's log-in has
	UserID   string `db:"user_id"`
	LinkedAt int64  `db:"linked_at"`
	Sealed   []byte `db:"sealed"`  // how the CRM names it
	UsedAt   int64  `db:"used_at"` // when it last opened a frame; 0 never
	KeyID    int64  `db:"under"`   // the key that made the mark; 0 the first there was
}

const embedLinkColumns = `client_key, subject, user_id, linked_at, sealed, used_at, under`

// EmbedLink finds a link; fault.NotFound when the log-in belongs to nobody yet.
func (q queries) EmbedLink(ctx context.Context, key, subject string) (EmbedLink, error) {
	var l EmbedLink
	return l, q.get(ctx, &l, `SELECT `+embedLinkColumns+` FROM embed_links WHERE client_key = ? AND subject = ?`, key, subject)
}

// EmbedLinksOf lists a person's links, the newest first.
func (q queries) EmbedLinksOf(ctx context.Context, userID string) ([]EmbedLink, error) {
	var all []EmbedLink
	return all, q.list(ctx, &all, `SELECT `+embedLinkColumns+` FROM embed_links WHERE user_id = ? ORDER BY linked_at DESC, subject`, userID)
}

// AddEmbedLink keeps a link; fault.Conflict when the log-in belongs to somebody already.
func (tx *Tx) AddEmbedLink(ctx context.Context, l EmbedLink) error {
	err := tx.execNamed(ctx, `INSERT INTO embed_links (`+embedLinkColumns+`) VALUES (:client_key, :subject, :user_id, :linked_at, :sealed, :used_at, :under)`, l)
	if isUniqueViolation(err) {
		return fault.Wrap(fault.Conflict, "This log-in of the CRM is connected to an account already.", err)
	}
	return err
}

// StaleEmbedLinks lists some links whose marks other keys made, after one.
func (q queries) StaleEmbedLinks(ctx context.Context, k Keys, after string, limit int) ([]EmbedLink, error) {
	var all []EmbedLink
	return all, q.list(ctx, &all, `SELECT `+embedLinkColumns+` FROM embed_links WHERE subject > ? AND under NOT IN `+placeholders(len(k.Digests))+` ORDER BY subject LIMIT ?`,
		append(append([]any{after}, toAny(k.Digests)...), limit)...)
}

// UpdateEmbedLinkIndex gives a link another mark of the same log-in, and what it is sealed for
// that; its launches go along.
func (tx *Tx) UpdateEmbedLinkIndex(ctx context.Context, l EmbedLink, from string) error {
	if _, err := tx.exec(ctx, `UPDATE embed_links SET subject = ?, under = ?, sealed = ? WHERE client_key = ? AND subject = ?`, l.Subject, l.KeyID, l.Sealed, l.Key, from); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `UPDATE launches SET subject = ?, under = ? WHERE subject = ? AND client_key = ?`, l.Subject, l.KeyID, from, l.Key)
	return err
}

// UseEmbedLink notes that a log-in has opened a frame, and how the CRM names it now.
func (tx *Tx) UseEmbedLink(ctx context.Context, l EmbedLink) error {
	return tx.execNamed(ctx, `UPDATE embed_links SET used_at = :used_at, sealed = :sealed WHERE client_key = :client_key AND subject = :subject`, l)
}

// DropEmbedLink takes one link away; false when that person has none such.
func (tx *Tx) DropEmbedLink(ctx context.Context, userID, key, subject string) (bool, error) {
	n, err := tx.exec(ctx, `DELETE FROM embed_links WHERE client_key = ? AND subject = ? AND user_id = ?`, key, subject, userID)
	return n == 1, err
}

// DropEmbedLinks takes all of a person's links away.
func (tx *Tx) DropEmbedLinks(ctx context.Context, userID string) error {
	_, err := tx.exec(ctx, `DELETE FROM embed_links WHERE user_id = ?`, userID)
	return err
}

// DropClientLinks takes everybody's links at a client away.
func (tx *Tx) DropClientLinks(ctx context.Context, key string) error {
	_, err := tx.exec(ctx, `DELETE FROM embed_links WHERE client_key = ?`, key)
	return err
}
