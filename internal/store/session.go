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
	SessionCreatedAt int64  `db:"session_created_at"`
	LastSeenAt       int64  `db:"last_seen_at"`
	ExpiresAt        int64  `db:"expires_at"`
	Network          string `db:"network"`
	Browser          string `db:"browser"`
	Assurance        int    `db:"assurance"`
	SteppedUpAt      int64  `db:"stepped_up_at"`
	StepUpMethod     string `db:"step_up_method"`
	Client           string `db:"client"`
	Location         string `db:"location"`
	RoleAtStart      string `db:"role_at_start"`
	OwnsSecondFactor bool   `db:"owns_second_factor"`
}

func (r sessionRow) session(userID string) access.Session {
	return access.Session{
		IDHash: r.IDHash, UserID: userID, Created: Instant(r.SessionCreatedAt), LastSeen: Instant(r.LastSeenAt),
		Expires: Instant(r.ExpiresAt), Network: r.Network, Browser: r.Browser,
		Level: r.Assurance, ElevatedAt: Instant(r.SteppedUpAt), Proof: access.Proof(r.StepUpMethod), Client: r.Client,
		Location: access.Location(r.Location), Role: access.Role(r.RoleAtStart), OwnsSecondFactor: r.OwnsSecondFactor,
	}
}

const sessionColumns = `s.id_hash, s.created_at AS session_created_at, s.last_seen_at, s.expires_at, s.network,
	s.browser,
	s.assurance, s.stepped_up_at, s.step_up_method, s.client, s.location, s.role AS role_at_start`

// Session reads a session and its user in one query, so that a changed role or a closed account takes effect
// at once. fault.NotFound when there is none.
func (q Queries) Session(ctx context.Context, idHash string) (access.Session, access.User, error) {
	now := Millis(q.now())
	r, err := get[sessionUserRow](ctx, q, sessionSQL, now, now, idHash)
	return r.session(r.UserID), r.User, err
}

// sessionUserRow is a session with its user.
type sessionUserRow struct {
	sessionRow
	access.User
}

var sessionSQL = `SELECT ` + sessionColumns + `, ` + userColumns + `, ` + coveringSQL + `,
	CASE WHEN s.assurance < 2 AND EXISTS (SELECT 1 FROM credentials c WHERE c.user_id = s.user_id) THEN 1
	ELSE 0 END AS owns_second_factor
	FROM sessions s JOIN users u ON u.id = s.user_id
	LEFT JOIN originators o ON o.uuid = u.originator AND u.originator <> '' WHERE s.id_hash = ?`

// AddSession stores a new session and deletes the user's oldest ones beyond five; fault.Conflict when the
// user's password, role or account has changed since the sign-in began.
func (s *Store) AddSession(ctx context.Context, session access.Session) error {
	return s.Write(ctx, func(tx *Tx) error { return tx.AddSession(ctx, session) })
}

// AddSession does the same in a transaction. Sessions from a CRM are counted separately, in frames and in
// tabs.
func (tx *Tx) AddSession(ctx context.Context, session access.Session) error {
	// The number of sessions beside it is returned, so that their rows are only read when there are too many.
	others, ok, err := find[int](ctx, tx.Queries,
		`INSERT INTO sessions (id_hash, user_id, created_at, last_seen_at, expires_at, network,
			browser, assurance, stepped_up_at, step_up_method, client, location, role)
		SELECT ?, u.id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM users u WHERE u.id = ? AND u.session_epoch = ?
		RETURNING (SELECT count(*) FROM sessions o WHERE o.user_id = ? AND o.client = ? AND o.location = ?
			AND o.id_hash <> ?)`,
		session.IDHash, Millis(session.Created), Millis(session.LastSeen), Millis(session.Expires), session.Network,
		session.Browser, session.Level, Millis(session.ElevatedAt),
		session.Proof, session.Client, session.Location, session.Role,
		session.UserID, session.SessionEpoch, session.UserID, session.Client, session.Location, session.IDHash)
	if err != nil {
		return err
	}
	if !ok {
		return fault.New(fault.Conflict, "Your account changed while you were signing in. Sign in again.")
	}
	if others < maxSessions {
		return nil
	}
	return tx.endOldestSessions(ctx, session)
}

// maxSessions is the number of browsers in which a user can be signed in at the same time.
const maxSessions = 5

// endOldestSessions ends the oldest sessions beyond the limit and alerts the user. Of the sessions from a
// CRM, the first to end are those that were never used, because the browser stored no cookie, and then those
// unused for longest.
func (tx *Tx) endOldestSessions(ctx context.Context, session access.Session) error {
	// Exclude the new one by id: among several from the same millisecond it need not sort last.
	order := `s.created_at DESC`
	if session.Client != "" {
		order = `CASE WHEN s.last_seen_at > s.created_at THEN 0 ELSE 1 END, s.last_seen_at DESC`
	}
	over, err := list[sessionRow](ctx, tx.Queries, `SELECT `+sessionColumns+` FROM sessions s
		WHERE s.user_id = ? AND s.client = ? AND s.location = ? AND s.id_hash <> ?
		ORDER BY `+order+`, s.id_hash LIMIT 20 OFFSET ?`, session.UserID, session.Client, session.Location, session.IDHash,
		maxSessions-1)
	if err != nil {
		return err
	}
	for _, one := range over {
		if _, err := tx.EndSessionOf(ctx, session.UserID, one.IDHash); err != nil {
			return err
		}
		over := one.ExpiresAt <= Millis(session.Created) || one.LastSeenAt+
			access.IdleLimit.Milliseconds() <= Millis(session.Created)
		if over || one.Client != "" {
			continue // the session had expired, or the CRM can start a new one with one click
		}
		_, err := tx.AddAlert(ctx, Alert{UserID: session.UserID, Kind: AlertTooManySessions, Network: one.Network,
			Browser: one.Browser, At: Millis(session.Created)})
		if err != nil {
			return err
		}
		if err := tx.AuditOwn(ctx, session.UserID, ActionTooManySessions, ""); err != nil {
			return err
		}
	}
	return nil
}

// TouchSession records activity: always after the session's creation, because a session that was seen only then was
// never used.
func (s *Store) TouchSession(ctx context.Context, idHash string, seen time.Time) error {
	return s.Write(ctx, func(tx *Tx) error {
		return tx.exec(ctx, `UPDATE sessions SET last_seen_at = CASE WHEN created_at < ? THEN ? ELSE created_at + 1 END
			WHERE id_hash = ?`, Millis(seen), Millis(seen), idHash)
	})
}

// ElevateSession gives a session a new token and records that the user has just authenticated again; false
// when the session has ended. Package account moves what was begun under the old token, because that data is
// sealed to the token.
func (s *Store) ElevateSession(ctx context.Context, old string, elevated access.Session) (ours bool, err error) {
	err = s.Write(ctx, func(tx *Tx) error {
		ours, err = tx.changed(ctx, `UPDATE sessions SET id_hash = ?, assurance = ?, stepped_up_at = ?, step_up_method = ?
			WHERE id_hash = ?`,
			elevated.IDHash, elevated.Level, Millis(elevated.ElevatedAt), elevated.Proof, old)
		if err != nil || !ours {
			return err
		}
		return tx.AuditOwn(ctx, elevated.UserID, ActionStepUp, string(elevated.Proof))
	})
	return ours && err == nil, err
}

// RotateSession gives a session a new token because the user's role has changed since the session started; an
// earlier step-up does not count in the new role. False when the session has ended.
func (s *Store) RotateSession(ctx context.Context, old string, rotated access.Session) (ours bool, err error) {
	err = s.Write(ctx, func(tx *Tx) error {
		ours, err = tx.changed(ctx, `UPDATE sessions SET id_hash = ?, role = ?, stepped_up_at = 0 WHERE id_hash = ?`,
			rotated.IDHash, rotated.Role, old)
		return err
	})
	return ours && err == nil, err
}

// SessionsOf lists a user's valid sessions, latest activity first.
func (q Queries) SessionsOf(ctx context.Context, userID string, now time.Time) ([]access.Session, error) {
	rows, err := list[sessionRow](ctx, q, `SELECT `+sessionColumns+` FROM sessions s
		WHERE s.user_id = ? AND s.expires_at > ? AND s.last_seen_at > ?
		ORDER BY s.created_at DESC`, userID, Millis(now), Millis(now.Add(-access.IdleLimit)))
	all := make([]access.Session, len(rows))
	for i, r := range rows {
		all[i] = r.session(userID)
	}
	slices.SortStableFunc(all, func(a, b access.Session) int { return b.LastSeen.Compare(a.LastSeen) })
	return all, err
}

// endedSession is the kind of ceremony that remembers whose session has ended. It signs nobody in: a form that its
// browser still submits can be saved for the user.
const endedSession = "ended-session"

// endedSessionTime is how long an ended session is remembered.
const endedSessionTime = 2 * time.Hour

// rememberEnded remembers the sessions of a user that are about to end: one, or if only is empty, all except keep.
func (tx *Tx) rememberEnded(ctx context.Context, userID, only, keep string) error {
	return tx.exec(ctx, `INSERT INTO ceremonies (id_hash, kind, user_id, sealed, expires_at)
		SELECT id_hash, ?, user_id, '', ? FROM sessions WHERE user_id = ? AND client = '' AND (? = '' OR id_hash = ?)
		AND id_hash <> ?
		ON CONFLICT (id_hash, kind) DO NOTHING`, endedSession, Millis(tx.now().Add(endedSessionTime)), userID,
		only, only, keep)
}

// EndedSession finds the user of a session that was ended before it expired; fault.NotFound otherwise.
func (q Queries) EndedSession(ctx context.Context, idHash string, now time.Time) (access.User, error) {
	c, err := q.Ceremony(ctx, idHash, endedSession, now)
	if err != nil {
		return access.User{}, err
	}
	return q.User(ctx, c.UserID)
}

// EndSessionOf deletes one session of a user; false when the user has no such session.
func (tx *Tx) EndSessionOf(ctx context.Context, userID, idHash string) (bool, error) {
	if err := tx.rememberEnded(ctx, userID, idHash, ""); err != nil {
		return false, err
	}
	return tx.changed(ctx, `DELETE FROM sessions WHERE user_id = ? AND id_hash = ?`, userID, idHash)
}

// EndSessionsOf deletes every session of a user except keep, if any, and ends the user's launches from CRMs. No browser
// shows notifications to the user until they turn them on there again.
func (tx *Tx) EndSessionsOf(ctx context.Context, userID, keep string) (int64, error) {
	if err := tx.EndLaunchesOf(ctx, userID); err != nil {
		return 0, err
	}
	if err := tx.rememberEnded(ctx, userID, "", keep); err != nil {
		return 0, err
	}
	if err := tx.DropPushSubscriptions(ctx, userID); err != nil {
		return 0, err
	}
	return tx.execRows(ctx, `DELETE FROM sessions WHERE user_id = ? AND id_hash <> ?`, userID, keep)
}

// EndFrameSessionsOf deletes a user's sessions inside the frames of one client.
func (tx *Tx) EndFrameSessionsOf(ctx context.Context, userID, client string) error {
	return tx.exec(ctx, `DELETE FROM sessions WHERE user_id = ? AND client = ? AND client <> ''`, userID, client)
}

// SignOut ends the session of a user who signs out.
func (s *Store) SignOut(ctx context.Context, userID, idHash string) error {
	return s.Write(ctx, func(tx *Tx) error {
		if err := tx.EndSession(ctx, idHash); err != nil {
			return err
		}
		return tx.AuditOwn(ctx, userID, ActionSignOut, "")
	})
}

// EndSession deletes a session.
func (s *Store) EndSession(ctx context.Context, idHash string) error {
	return s.Write(ctx, func(tx *Tx) error { return tx.EndSession(ctx, idHash) })
}

// EndSession deletes a session.
func (tx *Tx) EndSession(ctx context.Context, idHash string) error {
	return tx.exec(ctx, `DELETE FROM sessions WHERE id_hash = ?`, idHash)
}

// DropSessions deletes the sessions that ended before an instant.
func (tx *Tx) DropSessions(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM sessions WHERE expires_at < ?`, Millis(before))
}

// Ceremony is a multi-step procedure that a browser has started and not finished.
type Ceremony struct {
	IDHash    string `db:"id_hash"` // of the browser's token, or of the id of a review
	Kind      string `db:"kind"`
	UserID    string `db:"user_id"` // the user; "" while unknown
	Sealed    []byte `db:"sealed"`
	ExpiresAt int64  `db:"expires_at"`
}

const ceremonyColumns = `id_hash, kind, user_id, sealed, expires_at`

// SaveCeremony stores a ceremony and deletes the browser's earlier one of the same kind. At most most
// ceremonies of that kind remain for a user; the ones that expire last remain.
func (tx *Tx) SaveCeremony(ctx context.Context, c Ceremony, limit int) error {
	err := tx.upsert(ctx, "ceremonies", `id_hash, kind`, ceremonyColumns, c)
	if err != nil || c.UserID == "" {
		return err
	}
	// Exclude the new one by id: among several from the same millisecond it need not sort last.
	return tx.exec(ctx, `DELETE FROM ceremonies WHERE user_id = ? AND kind = ? AND id_hash <> ? AND id_hash NOT IN
		(SELECT id_hash FROM ceremonies WHERE user_id = ? AND kind = ? AND id_hash <> ?
			ORDER BY expires_at DESC, id_hash DESC LIMIT ?)`,
		c.UserID, c.Kind, c.IDHash, c.UserID, c.Kind, c.IDHash, limit-1)
}

// Ceremony reads one that has not expired; fault.NotFound otherwise.
func (q Queries) Ceremony(ctx context.Context, idHash, kind string, now time.Time) (Ceremony, error) {
	return get[Ceremony](ctx, q, `SELECT `+ceremonyColumns+` FROM ceremonies WHERE id_hash = ? AND kind = ?
		AND expires_at > ?`,
		idHash, kind, Millis(now))
}

// EndCeremony deletes a ceremony. It returns false when the ceremony had already ended, because one can be
// finished only once.
func (tx *Tx) EndCeremony(ctx context.Context, idHash, kind string) (bool, error) {
	return tx.changed(ctx, `DELETE FROM ceremonies WHERE id_hash = ? AND kind = ?`, idHash, kind)
}

// EndCeremonies deletes all ceremonies of a token.
func (tx *Tx) EndCeremonies(ctx context.Context, idHash string) error {
	return tx.exec(ctx, `DELETE FROM ceremonies WHERE id_hash = ?`, idHash)
}

// EndPending ends what a user has in progress: second steps of a sign-in, set-ups, factors about to be added,
// and challenges. It also invalidates the links that were emailed to the user. A sign-in whose password was
// already checked no longer leads to a session. What is in progress under the token whose hash is keep
// remains, and so do pending forms, loan files under review and whose session ended, which grant no access.
func (tx *Tx) EndPending(ctx context.Context, userID, keep string) error {
	if userID == "" {
		return nil
	}
	err := tx.exec(ctx, `DELETE FROM ceremonies WHERE user_id = ? AND id_hash <> ?
		AND kind NOT IN ('held-form', 'held-over', 'ended-session', 'loan-file')`, userID, keep)
	if err != nil {
		return err
	}
	if err := tx.RaiseSessionEpoch(ctx, userID); err != nil {
		return err
	}
	now := Millis(tx.now())
	return tx.exec(ctx, `UPDATE invitations SET expires_at = ? WHERE user_id = ? AND used_at = 0 AND expires_at > ?`,
		now, userID, now)
}

// RaiseSessionEpoch prevents the user's requests in progress from changing how the user signs in, or from
// signing them in, because whatever started them has just ended.
func (tx *Tx) RaiseSessionEpoch(ctx context.Context, userID string) error {
	return tx.exec(ctx, `UPDATE users SET session_epoch = session_epoch + 1 WHERE id = ?`, userID)
}

// ExpiredCeremony reads the oldest ceremony of a kind that expired before an instant; ok is false when there
// is none.
func (q Queries) ExpiredCeremony(ctx context.Context, kind string, before time.Time) (c Ceremony, ok bool, err error) {
	return find[Ceremony](ctx, q, `SELECT `+ceremonyColumns+` FROM ceremonies WHERE kind = ? AND expires_at < ?
		ORDER BY expires_at LIMIT 1`, kind, Millis(before))
}

// DropCeremonies deletes the ceremonies that expired before an instant. Second steps of a sign-in are deleted
// a day later, because ExpiredCeremony reads them first.
func (tx *Tx) DropCeremonies(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM ceremonies WHERE expires_at < ? AND (kind <> 'second-step' OR expires_at < ?)`,
		Millis(before), Millis(before.Add(-24*time.Hour)))
}
