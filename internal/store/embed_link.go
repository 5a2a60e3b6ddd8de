package store

import (
	"context"

	"hearthline/internal/fault"
)

// EmbedLink links a CRM login to a portal account.
type EmbedLink struct {
	Client   string `db:"client"`
	Subject  string `db:"subject"` // blind index of the login, unique across clients
	UserID   string `db:"user_id"`
	LinkedAt int64  `db:"linked_at"`
	Sealed   []byte `db:"sealed"`  // the CRM's name for the login
	UsedAt   int64  `db:"used_at"` // when it last opened a frame; 0 never
	KeyID    int64  `db:"key_id"`  // the key that made the index; 0 the first key
}

const embedLinkColumns = `client, subject, user_id, linked_at, sealed, used_at, key_id`

// EmbedLink finds a link; fault.NotFound when the CRM login has no account yet.
func (q queries) EmbedLink(ctx context.Context, key, subject string) (EmbedLink, error) {
	return get[EmbedLink](ctx, q, `SELECT `+embedLinkColumns+` FROM embed_links WHERE client = ? AND subject = ?`,
		key, subject)
}

// EmbedLinksOf lists a user's links, newest first.
func (q queries) EmbedLinksOf(ctx context.Context, userID string) ([]EmbedLink, error) {
	return list[EmbedLink](ctx, q, `SELECT `+embedLinkColumns+` FROM embed_links WHERE user_id = ?
		ORDER BY linked_at DESC, subject`, userID)
}

// UsersLinkedTo lists the users who have links to a client, unless their account is disabled.
func (q queries) UsersLinkedTo(ctx context.Context, key string) ([]string, error) {
	return list[string](ctx, q, `SELECT DISTINCT user_id FROM embed_links JOIN users ON id = user_id
		WHERE client = ? AND disabled_at = 0 ORDER BY user_id`, key)
}

// AddEmbedLink stores a link; fault.Conflict when the CRM login already has an account.
func (tx *Tx) AddEmbedLink(ctx context.Context, l EmbedLink) error {
	err := tx.insert(ctx, "embed_links", embedLinkColumns, l)
	if tx.conn.IsUniqueViolation(err) {
		return fault.Wrap(fault.Conflict, "This CRM user is already connected to an account.", err)
	}
	return err
}

// StaleEmbedLinks lists a page, after a subject, of links whose indexes were made with other keys.
func (q queries) StaleEmbedLinks(ctx context.Context, k Keys, after string, limit int) ([]EmbedLink, error) {
	return list[EmbedLink](ctx, q, `SELECT `+embedLinkColumns+` FROM embed_links
		WHERE subject > ? AND key_id NOT IN `+placeholders(len(k.Digests))+` ORDER BY subject LIMIT ?`,
		append(append([]any{after}, toAny(k.Digests)...), limit)...)
}

// UpdateEmbedLinkIndex replaces a link's index with a new one for the same login, and its sealed name, which
// is bound to the index; it also updates the login's launches.
func (tx *Tx) UpdateEmbedLinkIndex(ctx context.Context, l EmbedLink, from string) error {
	if err := tx.exec(ctx, `UPDATE embed_links SET subject = ?, key_id = ?, sealed = ? WHERE client = ? AND subject = ?`,
		l.Subject, l.KeyID, l.Sealed, l.Client, from); err != nil {
		return err
	}
	return tx.exec(ctx, `UPDATE launches SET subject = ?, key_id = ? WHERE subject = ? AND client = ?`,
		l.Subject, l.KeyID, from, l.Client)
}

// UseEmbedLink records that a CRM login has opened a frame, and the CRM's current name for it.
func (tx *Tx) UseEmbedLink(ctx context.Context, l EmbedLink) error {
	return tx.execNamed(ctx, `UPDATE embed_links SET used_at = :used_at, sealed = :sealed
		WHERE client = :client AND subject = :subject`, l)
}

// DropEmbedLink deletes a link; false when the user has no such link.
func (tx *Tx) DropEmbedLink(ctx context.Context, userID, key, subject string) (bool, error) {
	return tx.changed(ctx, `DELETE FROM embed_links WHERE client = ? AND subject = ? AND user_id = ?`,
		key, subject, userID)
}

// DropEmbedLinks deletes all of a user's links.
func (tx *Tx) DropEmbedLinks(ctx context.Context, userID string) error {
	return tx.exec(ctx, `DELETE FROM embed_links WHERE user_id = ?`, userID)
}

// DropClientLinks deletes all users' links to a client.
func (tx *Tx) DropClientLinks(ctx context.Context, key string) error {
	return tx.exec(ctx, `DELETE FROM embed_links WHERE client = ?`, key)
}
