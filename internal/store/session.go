package store

import (
	"context"
	"time"

	"hearthline/internal/access"
)

type sessionRow struct {
	IDHash     string `db:"id_hash"`
	UserID     string `db:"user_id"`
	CreatedAt  int64  `db:"session_created_at"`
	LastSeenAt int64  `db:"last_seen_at"`
	ExpiresAt  int64  `db:"expires_at"`
	Network    string `db:"network"`
	Browser    string `db:"browser"`
	Data       string `db:"data"`
}

func (r sessionRow) session() access.Session {
	return access.Session{
		IDHash: r.IDHash, UserID: r.UserID, Created: Instant(r.CreatedAt), LastSeen: Instant(r.LastSeenAt),
		Expires: Instant(r.ExpiresAt), Network: r.Network, Browser: r.Browser, Data: []byte(r.Data),
	}
}

const sessionColumns = `s.id_hash, s.user_id, s.created_at AS session_created_at, s.last_seen_at, s.expires_at, s.network, s.browser, s.data`

// Session reads a session and its person in one query, so that a changed role or a
// closed account counts at once. fault.NotFound when there is none.
func (q queries) Session(ctx context.Context, idHash string) (access.Session, access.User, error) {
	var r struct {
		sessionRow
		userRow
	}
	err := q.get(ctx, &r, `SELECT `+sessionColumns+`, `+userColumns+` FROM sessions s JOIN users u ON u.id = s.user_id
		LEFT JOIN originators o ON o.uuid = u.originator_uuid AND u.originator_uuid <> '' WHERE s.id_hash = ?`, idHash)
	return r.session(), r.user(), err
}

// AddSession keeps a new session and drops the oldest beyond five of the person.
func (s *Store) AddSession(ctx context.Context, session access.Session) error {
	return s.Write(ctx, func(tx *Tx) error {
		_, err := tx.exec(ctx, `INSERT INTO sessions (id_hash, user_id, created_at, last_seen_at, expires_at, network, browser, data)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, session.IDHash, session.UserID, Millis(session.Created), Millis(session.LastSeen),
			Millis(session.Expires), session.Network, session.Browser, string(session.Data))
		if err != nil {
			return err
		}
		// The new one is kept by name: of several made in one millisecond it need not be the last.
		_, err = tx.exec(ctx, `DELETE FROM sessions WHERE user_id = ? AND id_hash <> ? AND id_hash NOT IN
			(SELECT id_hash FROM sessions WHERE user_id = ? AND id_hash <> ? ORDER BY created_at DESC, id_hash LIMIT 4)`,
			session.UserID, session.IDHash, session.UserID, session.IDHash)
		return err
	})
}

// TouchSession notes activity.
func (s *Store) TouchSession(ctx context.Context, idHash string, seen time.Time) error {
	return s.Write(ctx, func(tx *Tx) error {
		_, err := tx.exec(ctx, `UPDATE sessions SET last_seen_at = ? WHERE id_hash = ?`, Millis(seen), idHash)
		return err
	})
}

// SaveSessionData replaces the session's own values.
func (s *Store) SaveSessionData(ctx context.Context, idHash string, data []byte) error {
	return s.Write(ctx, func(tx *Tx) error {
		_, err := tx.exec(ctx, `UPDATE sessions SET data = ? WHERE id_hash = ?`, string(data), idHash)
		return err
	})
}

// EndSession deletes a session.
func (s *Store) EndSession(ctx context.Context, idHash string) error {
	return s.Write(ctx, func(tx *Tx) error {
		_, err := tx.exec(ctx, `DELETE FROM sessions WHERE id_hash = ?`, idHash)
		return err
	})
}

// DropSessions deletes the sessions that ended before an instant.
func (tx *Tx) DropSessions(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM sessions WHERE expires_at < ?`, Millis(before))
	return err
}
