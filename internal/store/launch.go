package store

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

// Launch is one verified launch out of a CRM.
type Launch struct {
	ID          string `db:"id"` // in addresses; opens nothing by itself
	Client      string `db:"client_key"`
	ReplayKey   string `db:"replay_key"`
	Subject     string `db:"subject"` // the mark of the log-in in the CRM
	KeyID       int64  `db:"under"`   // the key that made it; 0 the first there was
	Origin      string `db:"origin"`  // of the page that frames it
	Sealed      []byte `db:"sealed"`  // what the CRM said
	UserID      string `db:"user_id"` // who went on with it; "" nobody yet
	Tries       int    `db:"tries"`   // wrong letters, outside of the frame
	ConfirmedAt int64  `db:"confirmed_at"`
	CreatedAt   int64  `db:"created_at"`
	ExpiresAt   int64  `db:"expires_at"` // when the row may go
	EndedAt     int64  `db:"ended_at"`   // when it stopped being good for anything; 0 not yet
}

const launchColumns = `id, client_key, replay_key, subject, origin, sealed, user_id, tries, confirmed_at, created_at, expires_at, ended_at, under`

// AddLaunch keeps a launch; fault.Conflict when its replay key was taken before.
func (tx *Tx) AddLaunch(ctx context.Context, l Launch) error {
	err := tx.execNamed(ctx, `INSERT INTO launches (`+launchColumns+`)
		VALUES (:id, :client_key, :replay_key, :subject, :origin, :sealed, :user_id, :tries, :confirmed_at, :created_at, :expires_at, :ended_at, :under)`, l)
	if isUniqueViolation(err) {
		return errAlreadyUsed(err)
	}
	return err
}

func errAlreadyUsed(err error) error {
	return fault.Wrap(fault.Conflict, "This was opened before.", err)
}

// ConsumeLaunch remembers a launch that carries no end of its own, under the mark of the
// secret that signed it; fault.Conflict when it was posted before.
func (tx *Tx) ConsumeLaunch(ctx context.Context, client, replayKey, secret string) error {
	_, err := tx.exec(ctx, `INSERT INTO spent_launches (replay_key, client_key, secret) VALUES (?, ?, ?)`, replayKey, client, secret)
	if isUniqueViolation(err) {
		return errAlreadyUsed(err)
	}
	return err
}

// ConsumedSecretIndexes lists the marks under which launches of a client are remembered.
func (q queries) ConsumedSecretIndexes(ctx context.Context, client string) ([]string, error) {
	var marks []string
	return marks, q.list(ctx, &marks, `SELECT DISTINCT secret FROM spent_launches WHERE client_key = ?`, client)
}

// DropConsumedLaunches forgets what was signed under a secret that holds no more.
func (tx *Tx) DropConsumedLaunches(ctx context.Context, client, secret string) error {
	_, err := tx.exec(ctx, `DELETE FROM spent_launches WHERE client_key = ? AND secret = ?`, client, secret)
	return err
}

// EndLaunchesOfClient makes every launch of a client good for nothing more.
func (tx *Tx) EndLaunchesOfClient(ctx context.Context, client string) error {
	_, err := tx.exec(ctx, `UPDATE launches SET ended_at = ? WHERE client_key = ? AND ended_at = 0`, Millis(tx.now()), client)
	return err
}

// EndLaunchesOf does so with those of a person, of their log-ins in CRMs too.
func (tx *Tx) EndLaunchesOf(ctx context.Context, userID string) error {
	_, err := tx.exec(ctx, `UPDATE launches SET ended_at = ? WHERE user_id = ? AND user_id <> '' AND ended_at = 0`, Millis(tx.now()), userID)
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, `UPDATE launches SET ended_at = ? WHERE ended_at = 0 AND (subject, client_key) IN
		(SELECT subject, client_key FROM embed_links WHERE user_id = ?)`, Millis(tx.now()), userID)
	return err
}

// EndLaunchesOfSubject does so with those of one log-in.
func (tx *Tx) EndLaunchesOfSubject(ctx context.Context, client, subject string) error {
	_, err := tx.exec(ctx, `UPDATE launches SET ended_at = ? WHERE subject = ? AND client_key = ? AND ended_at = 0`, Millis(tx.now()), subject, client)
	return err
}

// Launch finds a launch of a client; fault.NotFound for another client's.
func (q queries) Launch(ctx context.Context, client, id string) (Launch, error) {
	var l Launch
	return l, q.get(ctx, &l, `SELECT `+launchColumns+` FROM launches WHERE id = ? AND client_key = ?`, id, client)
}

const launchesSinceSQL = `SELECT COUNT(*) FROM launches WHERE subject = ? AND client_key = ? AND created_at > ?`

// LaunchesSince counts the launches of one log-in at a client since an instant.
func (q queries) LaunchesSince(ctx context.Context, client, subject string, since time.Time) (int, error) {
	var n int
	return n, q.get(ctx, &n, launchesSinceSQL, subject, client, Millis(since))
}

// LaunchByReplay finds a launch that was posted before.
func (q queries) LaunchByReplay(ctx context.Context, key string) (Launch, error) {
	var l Launch
	return l, q.get(ctx, &l, `SELECT `+launchColumns+` FROM launches WHERE replay_key = ?`, key)
}

// ClaimLaunch gives a launch to the person who goes on with it; false when it is another's.
func (tx *Tx) ClaimLaunch(ctx context.Context, id, userID string) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE launches SET user_id = ? WHERE id = ? AND (user_id = '' OR user_id = ?)`, userID, id, userID)
	return n == 1, err
}

// CountLaunchMismatch counts wrong letters at a launch; false when it takes no more tries.
func (tx *Tx) CountLaunchMismatch(ctx context.Context, id string, most int) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE launches SET tries = tries + 1 WHERE id = ? AND tries < ?`, id, most)
	return n == 1, err
}

// ConfirmLaunch notes that its person has proved at top level who they are; false when too
// many wrong letters were tried before.
func (tx *Tx) ConfirmLaunch(ctx context.Context, id string, at time.Time, most int) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE launches SET confirmed_at = ? WHERE id = ? AND tries < ?`, Millis(at), id, most)
	return n == 1, err
}

// LaunchCode is a code that moves a launch on by one step, once.
type LaunchCode struct {
	Hash      string `db:"hash"`
	LaunchID  string `db:"launch_id"`
	Purpose   string `db:"purpose"`
	Session   string `db:"session"` // the frame's, begun beside the code of a tab; "" none
	ExpiresAt int64  `db:"expires_at"`
}

// AddLaunchCode keeps the hash of a code.
func (tx *Tx) AddLaunchCode(ctx context.Context, c LaunchCode) error {
	return tx.execNamed(ctx, `INSERT INTO launch_codes (hash, launch_id, purpose, session, expires_at) VALUES (:hash, :launch_id, :purpose, :session, :expires_at)`, c)
}

// LaunchOfCode finds what a code that can still be used belongs to, without using it.
func (q queries) LaunchOfCode(ctx context.Context, c LaunchCode, now time.Time) (Launch, error) {
	var l Launch
	return l, q.get(ctx, &l, `SELECT `+prefixed("l", launchColumns)+` FROM launch_codes c JOIN launches l ON l.id = c.launch_id
		WHERE c.hash = ? AND c.purpose = ? AND c.used_at = 0 AND c.expires_at > ? AND l.ended_at = 0`, c.Hash, c.Purpose, Millis(now))
}

// ConsumeLaunchCode uses a code up; false when it was used, has run out, was ended with its
// launch or never was.
func (tx *Tx) ConsumeLaunchCode(ctx context.Context, c LaunchCode, now time.Time) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE launch_codes SET used_at = ? WHERE hash = ? AND purpose = ? AND used_at = 0 AND expires_at > ?
		AND EXISTS (SELECT 1 FROM launches l WHERE l.id = launch_id AND l.ended_at = 0)`, Millis(now), c.Hash, c.Purpose, Millis(now))
	return n == 1, err
}

// EndFrameSession ends the frame's session that was begun beside the code of a tab.
func (tx *Tx) EndFrameSession(ctx context.Context, c LaunchCode) error {
	_, err := tx.exec(ctx, `DELETE FROM sessions WHERE place = ? AND id_hash = (SELECT session FROM launch_codes WHERE hash = ?)`, access.InFrame, c.Hash)
	return err
}

// DropLaunchCodes takes away the codes of what a person went on with at a client.
func (tx *Tx) DropLaunchCodes(ctx context.Context, userID, client string) error {
	_, err := tx.exec(ctx, `DELETE FROM launch_codes WHERE launch_id IN (SELECT id FROM launches WHERE user_id = ? AND client_key = ?)`, userID, client)
	return err
}

// DropLaunches deletes what ended before an instant, codes included.
func (tx *Tx) DropLaunches(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM launches WHERE expires_at < ?`, Millis(before))
	return err
}
