package store

import (
	"context"
	"time"
)

// MailKind is what kind of entry an outbox row is.
type MailKind string

// The kinds.
const (
	MailMessage MailKind = "letter" // an email to be sent
	MailRequest MailKind = "wish"   // a user requested an email; the account is not looked up yet
)

// Mail is one row of the outbox.
type Mail struct {
	ID        string   `db:"id"`
	Kind      MailKind `db:"kind"`
	Sealed    []byte   `db:"sealed"` // empty once it was sent
	CreatedAt int64    `db:"created_at"`
	SendAt    int64    `db:"send_at"`
	Tries     int      `db:"tries"`
	EndedAt   int64    `db:"ended_at"`
	Outcome   string   `db:"outcome"` // sent, done or given up
}

// MailRetry is the pause after the first failure to send an entry, and half the time of a lease. It doubles with each
// failure.
const MailRetry = time.Minute

const mailColumns = `id, kind, sealed, created_at, send_at, tries, ended_at, outcome`

// AddMail puts an entry into the outbox.
func (tx *Tx) AddMail(ctx context.Context, m Mail) error {
	return tx.insert(ctx, "outbox", mailColumns, m)
}

// LeaseMail leases the entry of a kind that has waited longest; ok is false when there is none. When the
// caller does not finish it before until, another caller can lease it. An entry whose wait is longer than the number
// of tries explains (one minute, doubled with each try) was written before the clock was set back.
func (s *Store) LeaseMail(ctx context.Context, kind MailKind, now, until time.Time) (m Mail, ok bool, err error) {
	m, ok, err = find[Mail](ctx, s.Queries, `SELECT `+mailColumns+` FROM outbox WHERE kind = ? AND ended_at = 0
		AND (send_at <= ? OR send_at > ? + (CAST(? AS BIGINT) << CAST(tries AS INTEGER)))
		ORDER BY send_at LIMIT 1`, kind, Millis(now), Millis(now.Add(MailRetry)), MailRetry.Milliseconds())
	if err != nil || !ok {
		return Mail{}, false, err
	}
	err = s.Write(ctx, func(tx *Tx) (err error) {
		ok, err = tx.changed(ctx, `UPDATE outbox SET send_at = ?, tries = tries + 1
			WHERE id = ? AND ended_at = 0 AND send_at = ?`, Millis(until), m.ID, m.SendAt)
		return err
	})
	m.Tries++
	return m, ok && err == nil, err
}

// FinishMail records the outcome of an entry and deletes its content.
func (tx *Tx) FinishMail(ctx context.Context, id, outcome string) error {
	return tx.exec(ctx, `UPDATE outbox SET ended_at = ?, outcome = ?, sealed = ? WHERE id = ?`,
		Millis(tx.now()), outcome, []byte{}, id)
}

// PostponeMail schedules another try.
func (tx *Tx) PostponeMail(ctx context.Context, id string, at time.Time) error {
	return tx.exec(ctx, `UPDATE outbox SET send_at = ? WHERE id = ? AND ended_at = 0`, Millis(at), id)
}

// UnsentMails lists the messages that were not sent, newest first.
func (q Queries) UnsentMails(ctx context.Context, limit int) ([]Mail, error) {
	return list[Mail](ctx, q, `SELECT `+mailColumns+` FROM outbox WHERE kind = 'letter' AND ended_at = 0
		ORDER BY send_at DESC LIMIT ?`, limit)
}

// DropMails deletes the entries that were created before an instant, sent or not.
func (tx *Tx) DropMails(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM outbox WHERE created_at < ?`, Millis(before))
}
