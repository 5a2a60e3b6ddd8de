package store

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// EmbedClient is a CRM that may embed the portal in a frame.
type EmbedClient struct {
	Key        string `db:"key"` // in URLs
	Name       string `db:"name"`
	BrokerID   string `db:"broker_id"` // the broker company whose users may launch from it
	Kind       string `db:"kind"`
	Origins    string `db:"origins"` // exact, separated by spaces
	Sealed     []byte `db:"sealed"`  // the secrets that sign its launches
	AttestedBy string `db:"attested_by"`
	AttestedAt int64  `db:"attested_at"` // since when its sign-in counts as a second factor; 0 never
	DisabledAt int64  `db:"disabled_at"`
	CreatedAt  int64  `db:"created_at"`
	ChangedAt  int64  `db:"changed_at"`
	EventsAt   int64  `db:"events_at"` // since when events about its leads are sent to it; 0 when they are not
}

const embedClientColumns = `key, name, broker_id, kind, origins, sealed, attested_by, attested_at, disabled_at, ` +
	`created_at, changed_at, events_at`

// EmbedClient finds a client by its key, including disabled ones.
func (q Queries) EmbedClient(ctx context.Context, key string) (EmbedClient, error) {
	return get[EmbedClient](ctx, q, `SELECT `+embedClientColumns+` FROM embed_clients WHERE key = ?`, key)
}

// EmbedClients lists all clients, by key.
func (q Queries) EmbedClients(ctx context.Context) ([]EmbedClient, error) {
	return list[EmbedClient](ctx, q, `SELECT `+embedClientColumns+` FROM embed_clients ORDER BY key`)
}

// AddEmbedClient adds a client; fault.Conflict when its key is taken, even when another transaction has just
// taken it.
func (tx *Tx) AddEmbedClient(ctx context.Context, c EmbedClient) error {
	return tx.unlessTaken(tx.insert(ctx, "embed_clients", embedClientColumns, c), "A CRM with this key already exists.")
}

// ChangeEmbedClient changes an existing client.
func (tx *Tx) ChangeEmbedClient(ctx context.Context, c EmbedClient) error {
	return tx.update(ctx, "embed_clients", "key",
		`name, broker_id, kind, origins, sealed, attested_by, attested_at, disabled_at, changed_at, events_at`, c)
}

// EndSessionsOfClient ends every session that was started from a client.
func (tx *Tx) EndSessionsOfClient(ctx context.Context, key string) error {
	return tx.exec(ctx, `DELETE FROM sessions WHERE client = ? AND client <> ''`, key)
}

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
func (q Queries) EmbedLink(ctx context.Context, key, subject string) (EmbedLink, error) {
	return get[EmbedLink](ctx, q, `SELECT `+embedLinkColumns+` FROM embed_links WHERE client = ? AND subject = ?`,
		key, subject)
}

// EmbedLinksOf lists a user's links, newest first.
func (q Queries) EmbedLinksOf(ctx context.Context, userID string) ([]EmbedLink, error) {
	return list[EmbedLink](ctx, q, `SELECT `+embedLinkColumns+` FROM embed_links WHERE user_id = ?
		ORDER BY linked_at DESC, subject`, userID)
}

// UsersLinkedTo lists the users who have links to a client, unless their account is disabled.
func (q Queries) UsersLinkedTo(ctx context.Context, key string) ([]string, error) {
	return list[string](ctx, q, `SELECT DISTINCT user_id FROM embed_links JOIN users ON id = user_id
		WHERE client = ? AND disabled_at = 0 ORDER BY user_id`, key)
}

// AddEmbedLink stores a link; fault.Conflict when the CRM login already has an account.
func (tx *Tx) AddEmbedLink(ctx context.Context, l EmbedLink) error {
	return tx.unlessTaken(tx.insert(ctx, "embed_links", embedLinkColumns, l),
		"This CRM user is already connected to an account.")
}

// StaleEmbedLinks lists a page, after a subject, of links whose indexes were made with other keys.
func (q Queries) StaleEmbedLinks(ctx context.Context, k Keys, after string, limit int) ([]EmbedLink, error) {
	return list[EmbedLink](ctx, q, `SELECT `+embedLinkColumns+` FROM embed_links
		WHERE subject > ? AND key_id NOT IN `+placeholders(len(k.Digests))+` ORDER BY subject LIMIT ?`,
		append(append([]any{after}, toAny(k.Digests)...), limit)...)
}

// UpdateEmbedLinkIndex replaces a link's index with a new one for the same login, and its sealed name, which
// is bound to the index; it also updates the login's launches.
func (tx *Tx) UpdateEmbedLinkIndex(ctx context.Context, l EmbedLink, from string) error {
	return cmp.Or(tx.exec(ctx, `UPDATE embed_links SET subject = ?, key_id = ?, sealed = ?
			WHERE client = ? AND subject = ?`,
		l.Subject, l.KeyID, l.Sealed, l.Client, from),
		tx.exec(ctx, `UPDATE launches SET subject = ?, key_id = ? WHERE subject = ? AND client = ?`,
			l.Subject, l.KeyID, from, l.Client))
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

// EmbedRejection is the last time a client's launch or card request was rejected for a cause, or a field of its
// launches filled in nothing.
type EmbedRejection struct {
	Client   string `db:"client"`
	Endpoint string `db:"endpoint"` // "launch", "card"; "field" for a field, whose name is the cause
	Cause    string `db:"cause"`
	At       int64  `db:"at"`
}

const embedRejectionsSQL = `SELECT client, endpoint, cause, at FROM embed_rejections WHERE client = ?
	ORDER BY endpoint, cause`

// EmbedRejections lists a client's rejections, latest first: one for each endpoint and cause.
func (q Queries) EmbedRejections(ctx context.Context, key string) ([]EmbedRejection, error) {
	all, err := list[EmbedRejection](ctx, q, embedRejectionsSQL, key)
	slices.SortStableFunc(all, func(a, b EmbedRejection) int { return cmp.Compare(b.At, a.At) }) // a few dozen at most
	return all, err
}

// EmbedRejectedSince reports whether a client's request was rejected for the same cause since an instant.
func (q Queries) EmbedRejectedSince(ctx context.Context, r EmbedRejection, since time.Time) (bool, error) {
	return q.has(ctx, `SELECT COUNT(*) FROM embed_rejections WHERE client = ? AND endpoint = ? AND cause = ? AND at >= ?`,
		r.Client, r.Endpoint, r.Cause, Millis(since))
}

// SaveEmbedRejection stores a rejection and replaces the previous one for the same cause.
func (tx *Tx) SaveEmbedRejection(ctx context.Context, r EmbedRejection) error {
	return tx.upsert(ctx, "embed_rejections", `client, endpoint, cause`, `client, endpoint, cause, at`, r)
}

// DropEmbedRejections deletes the rejections from before an instant.
func (tx *Tx) DropEmbedRejections(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM embed_rejections WHERE at < ?`, Millis(before))
}
