package store

import (
	"context"
	"time"

	"hearthline/internal/access"
)

// Launch is one verified launch from a CRM.
type Launch struct {
	ID          string `db:"id"` // in URLs; grants no access
	Client      string `db:"client"`
	ReplayKey   string `db:"replay_key"`
	Subject     string `db:"subject"` // blind index of the login in the CRM
	KeyID       int64  `db:"key_id"`  // the key that made it; 0 the first key
	Origin      string `db:"origin"`  // of the page that embeds the portal
	Sealed      []byte `db:"sealed"`  // the CRM's data
	UserID      string `db:"user_id"` // the user who continued with it; "" for none yet
	Tries       int    `db:"tries"`   // wrong match codes, outside the frame
	ConfirmedAt int64  `db:"confirmed_at"`
	CreatedAt   int64  `db:"created_at"`
	ExpiresAt   int64  `db:"expires_at"` // when the row may be deleted
	EndedAt     int64  `db:"ended_at"`   // when it stopped being usable; 0 not yet
	// blind index of the secret that signed a launch without an expiration; "" for others
	Secret string `db:"secret"`
}

const launchColumns = `id, client, replay_key, subject, origin, sealed, user_id, tries, confirmed_at, created_at, ` +
	`expires_at, ended_at, key_id, secret`

// AddLaunch stores a launch; fault.Conflict when its replay key was already used.
func (tx *Tx) AddLaunch(ctx context.Context, l Launch) error {
	return tx.unlessTaken(tx.insert(ctx, "launches", launchColumns, l), "This was already opened.")
}

// ConsumedSecretIndexes lists the secret indexes of a client's stored launches that have no expiration.
func (q Queries) ConsumedSecretIndexes(ctx context.Context, client string) ([]string, error) {
	return list[string](ctx, q, `SELECT DISTINCT secret FROM launches WHERE client = ? AND secret <> ''`, client)
}

// DropConsumedLaunches deletes ended launches that were signed with a secret that is no longer valid.
func (tx *Tx) DropConsumedLaunches(ctx context.Context, client, secret string) error {
	return tx.execEach(ctx, []any{client, secret},
		`DELETE FROM launches WHERE client = ? AND secret = ? AND length(sealed) = 0`,
		`UPDATE launches SET secret = '' WHERE client = ? AND secret = ?`)
}

// EndLaunchesOfClient ends every launch of a client.
func (tx *Tx) EndLaunchesOfClient(ctx context.Context, client string) error {
	return tx.exec(ctx, `UPDATE launches SET ended_at = ? WHERE client = ? AND ended_at = 0`, Millis(tx.now()), client)
}

// EndLaunchesOf ends every launch of a user, including those of the user's CRM logins.
func (tx *Tx) EndLaunchesOf(ctx context.Context, userID string) error {
	return tx.execEach(ctx, []any{Millis(tx.now()), userID},
		`UPDATE launches SET ended_at = ? WHERE user_id = ? AND user_id <> '' AND ended_at = 0`,
		`UPDATE launches SET ended_at = ? WHERE ended_at = 0 AND (subject, client) IN
			(SELECT subject, client FROM embed_links WHERE user_id = ?)`)
}

// EndLaunchesOfSubject ends every launch of one CRM login.
func (tx *Tx) EndLaunchesOfSubject(ctx context.Context, client, subject string) error {
	return tx.exec(ctx, `UPDATE launches SET ended_at = ? WHERE subject = ? AND client = ? AND ended_at = 0`,
		Millis(tx.now()), subject, client)
}

// Launch finds a launch of a client; fault.NotFound for another client's launch.
func (q Queries) Launch(ctx context.Context, client, id string) (Launch, error) {
	return get[Launch](ctx, q, `SELECT `+launchColumns+` FROM launches WHERE id = ? AND client = ?`, id, client)
}

const launchesSinceSQL = `SELECT COUNT(*) FROM launches WHERE subject = ? AND client = ? AND created_at > ?
	AND created_at <= ?`

// LaunchesSince counts the launches of one CRM login at a client since an instant, except those from before the clock
// was set back.
func (q Queries) LaunchesSince(ctx context.Context, client, subject string, since time.Time) (int, error) {
	return get[int](ctx, q, launchesSinceSQL, subject, client, Millis(since),
		Millis(q.now().Add(maxClockSkew)))
}

// LaunchByReplay finds a launch that was posted before.
func (q Queries) LaunchByReplay(ctx context.Context, key string) (Launch, error) {
	return get[Launch](ctx, q, `SELECT `+launchColumns+` FROM launches WHERE replay_key = ?`, key)
}

// ClaimLaunch assigns a launch to the user who continues with it; false when it belongs to another user.
func (tx *Tx) ClaimLaunch(ctx context.Context, id, userID string) (bool, error) {
	return tx.changed(ctx, `UPDATE launches SET user_id = ? WHERE id = ? AND (user_id = '' OR user_id = ?)`,
		userID, id, userID)
}

// CountLaunchMismatch counts a wrong match code for a launch; false when no more tries are allowed.
func (tx *Tx) CountLaunchMismatch(ctx context.Context, id string, limit int) (bool, error) {
	return tx.changed(ctx, `UPDATE launches SET tries = tries + 1 WHERE id = ? AND tries < ?`, id, limit)
}

// ConfirmLaunch records that the user has authenticated at top level; false when too many wrong match codes
// were tried before.
func (tx *Tx) ConfirmLaunch(ctx context.Context, id string, at time.Time, limit int) (bool, error) {
	return tx.changed(ctx, `UPDATE launches SET confirmed_at = ? WHERE id = ? AND tries < ?`, Millis(at), id, limit)
}

// LaunchCode is a single-use code that moves a launch to its next step.
type LaunchCode struct {
	Hash      string `db:"hash"`
	LaunchID  string `db:"launch_id"`
	Purpose   string `db:"purpose"`
	Session   string `db:"session"` // the frame's session, started with the code of a tab; "" for none
	ExpiresAt int64  `db:"expires_at"`
}

// AddLaunchCode stores the hash of a code.
func (tx *Tx) AddLaunchCode(ctx context.Context, c LaunchCode) error {
	return tx.insert(ctx, "launch_codes", `hash, launch_id, purpose, session, expires_at`, c)
}

// LaunchOfCode finds the launch of a code that can still be used, without using it.
func (q Queries) LaunchOfCode(ctx context.Context, c LaunchCode, now time.Time) (Launch, error) {
	return get[Launch](ctx, q, `SELECT `+prefixed("l", launchColumns)+` FROM launch_codes c
		JOIN launches l ON l.id = c.launch_id
		WHERE c.hash = ? AND c.purpose = ? AND c.used_at = 0 AND c.expires_at > ? AND l.ended_at = 0`,
		c.Hash, c.Purpose, Millis(now))
}

// ConsumeLaunchCode uses up a code; false when it is unknown, was already used, has expired or ended with its
// launch.
func (tx *Tx) ConsumeLaunchCode(ctx context.Context, c LaunchCode, now time.Time) (bool, error) {
	return tx.changed(ctx, `UPDATE launch_codes SET used_at = ? WHERE hash = ? AND purpose = ? AND used_at = 0
		AND expires_at > ?
		AND EXISTS (SELECT 1 FROM launches l WHERE l.id = launch_id AND l.ended_at = 0)`,
		Millis(now), c.Hash, c.Purpose, Millis(now))
}

// EndFrameSession ends the frame session that was started with the code of a tab.
func (tx *Tx) EndFrameSession(ctx context.Context, c LaunchCode) error {
	return tx.exec(ctx, `DELETE FROM sessions WHERE location = ?
		AND id_hash = (SELECT session FROM launch_codes WHERE hash = ?)`, access.InFrame, c.Hash)
}

// DropLaunchCodes deletes the codes of the launches that a user continued with at a client.
func (tx *Tx) DropLaunchCodes(ctx context.Context, userID, client string) error {
	return tx.exec(ctx, `DELETE FROM launch_codes
		WHERE launch_id IN (SELECT id FROM launches WHERE user_id = ? AND client = ?)`, userID, client)
}

// DropLaunches deletes the launches that ended before an instant, including their codes. Of a launch without an
// expiration, the replay key remains while the secret that signed it is valid, without the CRM's data.
func (tx *Tx) DropLaunches(ctx context.Context, before time.Time) error {
	return tx.execEach(ctx, []any{Millis(before)},
		`DELETE FROM launches WHERE expires_at < ? AND secret = ''`,
		`DELETE FROM launch_codes WHERE launch_id IN (SELECT id FROM launches WHERE expires_at < ? AND secret <> '')`,
		`UPDATE launches SET sealed = substr(sealed, 1, 0), ended_at = expires_at WHERE expires_at < ? AND secret <> ''
			AND length(sealed) > 0`)
}
