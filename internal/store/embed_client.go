package store

import (
	"context"

	"hearthline/internal/fault"
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
}

const embedClientColumns = `key, name, broker_id, kind, origins, sealed, attested_by, attested_at, disabled_at, ` +
	`created_at, changed_at`

// EmbedClient finds a client by its key, including disabled ones.
func (q queries) EmbedClient(ctx context.Context, key string) (EmbedClient, error) {
	return get[EmbedClient](ctx, q, `SELECT `+embedClientColumns+` FROM embed_clients WHERE key = ?`, key)
}

// EmbedClients lists all clients, by key.
func (q queries) EmbedClients(ctx context.Context) ([]EmbedClient, error) {
	return list[EmbedClient](ctx, q, `SELECT `+embedClientColumns+` FROM embed_clients ORDER BY key`)
}

// AddEmbedClient adds a client; fault.Conflict when its key is taken, even when another transaction has just
// taken it.
func (tx *Tx) AddEmbedClient(ctx context.Context, c EmbedClient) error {
	err := tx.insert(ctx, "embed_clients", embedClientColumns, c)
	if tx.conn.IsUniqueViolation(err) {
		return fault.Wrap(fault.Conflict, "A CRM with this key already exists.", err)
	}
	return err
}

// ChangeEmbedClient changes an existing client.
func (tx *Tx) ChangeEmbedClient(ctx context.Context, c EmbedClient) error {
	return tx.update(ctx, "embed_clients", "key",
		`name, broker_id, kind, origins, sealed, attested_by, attested_at, disabled_at, changed_at`, c)
}

// EndSessionsOfClient ends every session that was started from a client.
func (tx *Tx) EndSessionsOfClient(ctx context.Context, key string) error {
	return tx.exec(ctx, `DELETE FROM sessions WHERE client = ? AND client <> ''`, key)
}
