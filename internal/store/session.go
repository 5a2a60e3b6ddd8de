package store

import (
	"context"
	"slices"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

type sessionRow struct {
	IDHash           string `db:"id_hash"`
	UserID           string `db:"user_id"`
	CreatedAt        int64  `db:"session_created_at"`
	LastSeenAt       int64  `db:"last_seen_at"`
	ExpiresAt        int64  `db:"expires_at"`
	Network          string `db:"network"`
	Browser          string `db:"browser"`
	Data             string `db:"data"`
	Level            int    `db:"level"`
	ElevatedAt       int64  `db:"proved_at"`
	Proof            string `db:"proof"`
	Client           string `db:"client"`
	Location         string `db:"place"`
	RoleAtStart      string `db:"begun_as"`
	OwnsSecondFactor bool   `db:"second"`
}

func (r sessionRow) session() access.Session {
	return access.Session{
		IDHash: r.IDHash, UserID: r.UserID, Created: Instant(r.CreatedAt), LastSeen: Instant(r.LastSeenAt),
		Expires: Instant(r.ExpiresAt), Network: r.Network, Browser: r.Browser, Data: []byte(r.Data),
		Level: r.Level, ElevatedAt: Instant(r.ElevatedAt), Proof: access.Proof(r.Proof), Client: r.Client, Location: access.Location(r.Location), Role: access.Role(r.RoleAtStart), OwnsSecondFactor: r.OwnsSecondFactor,
	}
}

const sessionColumns = `s.id_hash, s.user_id, s.created_at AS session_created_at, s.last_seen_at, s.expires_at, s.network, s.browser, s.data,
	s.level, s.proved_at, s.proof, s.client, s.place, s.role AS begun_as`

// Session reads a session and its person in one query, so that a changed role or a
// closed account counts at once. fault.NotFound when there is none.
func (q queries) Session(ctx context.Context, idHash string) (access.Session, access.User, error) {
	var r struct {
		sessionRow
		userRow
	}
	err := q.get(ctx, &r, `SELECT `+sessionColumns+`, `+userColumns+`,
		CASE WHEN s.level < 2 AND EXISTS (SELECT 1 FROM credentials c WHERE c.user_id = s.user_id) THEN 1 ELSE 0 END AS second
		FROM sessions s JOIN users u ON u.id = s.user_id
		LEFT JOIN originators o ON o.uuid = u.originator_uuid AND u.originator_uuid <> '' WHERE s.id_hash = ?`, idHash)
	return r.session(), r.user(), err
}

// AddSession keeps a new session and drops the oldest beyond five of the person;
// fault.Conflict when their password, role or account has changed since the log-in began.
func (s *Store) AddSession(ctx context.Context, session access.Session) error {
	return s.Write(ctx, func(tx *Tx) error { return tx.AddSession(ctx, session) })
}

// AddSession does so in a transaction. Those that came by a CRM are counted apart, in its
// frames and in tabs.
func (tx *Tx) AddSession(ctx context.Context, session access.Session) error {
	n, err := tx.exec(ctx, `INSERT INTO sessions (id_hash, user_id, created_at, last_seen_at, expires_at, network, browser, data, level, proved_at, proof, client, place, role)
		SELECT ?, u.id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM users u WHERE u.id = ? AND u.turn = ?`, session.IDHash, Millis(session.Created), Millis(session.LastSeen),
		Millis(session.Expires), session.Network, session.Browser, string(session.Data), session.Level, Millis(session.ElevatedAt), session.Proof, session.Client,
		session.Location, session.Role, session.UserID, session.SessionEpoch)
	if err != nil {
		return err
	}
	if n == 0 {
		return fault.New(fault.Conflict, "Your account has changed while you were signing in. Sign in once more.")
	}
	return tx.endOldestSessions(ctx, session)
}

// maxSessions is in how many browsers a person is signed in at once.
const maxSessions = 5

// endOldestSessions ends the oldest sessions beyond the bound, and tells their person so. Of those that
// came by a CRM the first to go were never used, because their browser kept no sign-in, and
// then those that were longest out of use.
func (tx *Tx) endOldestSessions(ctx context.Context, session access.Session) error {
	// The new one is kept by name: of several made in one millisecond it need not be the last.
	var over []sessionRow
	order := `s.created_at DESC`
	if session.Client != "" {
		order = `CASE WHEN s.last_seen_at > s.created_at THEN 0 ELSE 1 END, s.last_seen_at DESC`
	}
	err := tx.list(ctx, &over, `SELECT `+sessionColumns+` FROM sessions s WHERE s.user_id = ? AND s.client = ? AND s.place = ? AND s.id_hash <> ?
		ORDER BY `+order+`, s.id_hash LIMIT 20 OFFSET ?`, session.UserID, session.Client, session.Location, session.IDHash, maxSessions-1)
	if err != nil {
		return err
	}
	for _, one := range over {
		if _, err := tx.EndSessionOf(ctx, one.UserID, one.IDHash); err != nil {
			return err
		}
		over := one.ExpiresAt <= Millis(session.Created) || one.LastSeenAt+access.IdleLimit.Milliseconds() <= Millis(session.Created)
		if over || one.Client != "" {
			continue // nobody sits there, or it is begun anew with a press
		}
		_, err := tx.AddAlert(ctx, Alert{UserID: one.UserID, Kind: AlertTooManySessions, Network: one.Network, Browser: one.Browser, At: Millis(session.Created)})
		if err != nil {
			return err
		}
		if err := tx.AuditOwn(ctx, one.UserID, ActionTooManySessions, ""); err != nil {
			return err
		}
	}
	return nil
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

// ElevateSession gives a session another token and notes how its person has just proved
// who they are; false when the session has ended. What was begun under the old token is
// account's to carry over, for it is sealed to that.
func (s *Store) ElevateSession(ctx context.Context, old string, proved access.Session) (ours bool, err error) {
	err = s.Write(ctx, func(tx *Tx) error {
		n, err := tx.exec(ctx, `UPDATE sessions SET id_hash = ?, level = ?, proved_at = ?, proof = ? WHERE id_hash = ?`,
			proved.IDHash, proved.Level, Millis(proved.ElevatedAt), proved.Proof, old)
		if ours = n == 1; err != nil || !ours {
			return err
		}
		return tx.AuditOwn(ctx, proved.UserID, ActionStepUp, string(proved.Proof))
	})
	return ours && err == nil, err
}

// RotateSession gives a session another token, because its person has another role than it
// was begun in: what they had confirmed does not count in that one. False when it has ended.
func (s *Store) RotateSession(ctx context.Context, old string, turned access.Session) (ours bool, err error) {
	err = s.Write(ctx, func(tx *Tx) error {
		n, err := tx.exec(ctx, `UPDATE sessions SET id_hash = ?, role = ?, proved_at = 0 WHERE id_hash = ?`, turned.IDHash, turned.Role, old)
		ours = n == 1
		return err
	})
	return ours && err == nil, err
}

// SessionsOf lists a person's sessions that let somebody in, the latest in use first.
func (q queries) SessionsOf(ctx context.Context, userID string, now time.Time) ([]access.Session, error) {
	var rows []sessionRow
	err := q.list(ctx, &rows, `SELECT `+sessionColumns+` FROM sessions s WHERE s.user_id = ? AND s.expires_at > ? AND s.last_seen_at > ?
		ORDER BY s.created_at DESC`, userID, Millis(now), Millis(now.Add(-access.IdleLimit)))
	all := make([]access.Session, len(rows))
	for i, r := range rows {
		all[i] = r.session()
	}
	slices.SortStableFunc(all, func(a, b access.Session) int { return b.LastSeen.Compare(a.LastSeen) })
	return all, err
}

// EndSessionOf deletes one session of a person; false when they have none such.
func (tx *Tx) EndSessionOf(ctx context.Context, userID, idHash string) (bool, error) {
	n, err := tx.exec(ctx, `DELETE FROM sessions WHERE user_id = ? AND id_hash = ?`, userID, idHash)
	return n == 1, err
}

// EndSessionsOf deletes every session of a person but the one to keep, if any, and ends
// what they could still go on with out of a CRM.
func (tx *Tx) EndSessionsOf(ctx context.Context, userID, keep string) (int64, error) {
	if err := tx.EndLaunchesOf(ctx, userID); err != nil {
		return 0, err
	}
	return tx.exec(ctx, `DELETE FROM sessions WHERE user_id = ? AND id_hash <> ?`, userID, keep)
}

// EndFrameSessionsOf deletes a person's sessions inside the frames of one client.
func (tx *Tx) EndFrameSessionsOf(ctx context.Context, userID, client string) error {
	_, err := tx.exec(ctx, `DELETE FROM sessions WHERE user_id = ? AND client = ? AND client <> ''`, userID, client)
	return err
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
