package store

import (
	"context"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

const (
	noticeColumns = `id, user_id, company, app, draft, person, short_id, kind, about, by_name, n, dedup_key, at, read_at,
		email_at, push_at`
	noticeSelected = `id, user_id, company, coalesce(app, '') AS app, coalesce(draft, '') AS draft,
		coalesce(person, '') AS person,
		short_id, kind, about, by_name, n, dedup_key, at, read_at, email_at, push_at`
)

// Notify stores a notification once: false when the user was already notified of this fact.
func (tx *Tx) Notify(ctx context.Context, n lead.Notice) (bool, error) {
	n.ID = ulid.MustNew(uint64(n.At), ulid.DefaultEntropy()).String()
	n.N = max(1, n.N)
	if len(n.OldDedupKeys) > 0 {
		notified, err := get[int](ctx, tx.Queries, `SELECT count(*) FROM notifications WHERE user_id = ?
			AND dedup_key IN `+placeholders(len(n.OldDedupKeys)), append([]any{n.UserID}, toAny(n.OldDedupKeys)...)...)
		if err != nil || notified > 0 {
			return false, err
		}
	}
	due, err := tx.tellingTimes(ctx, n)
	if err != nil {
		return false, err
	}
	n.EmailAt, n.PushAt = Millis(due[lead.TellByEmail]), Millis(due[lead.TellByPush])
	added, err := tx.execNamedRows(ctx, `INSERT INTO notifications (`+noticeColumns+`)
		VALUES (:id, :user_id, :company, nullif(:app, ''), nullif(:draft, ''), nullif(:person, ''), :short_id,
		:kind, :about, :by_name, :n, :dedup_key, :at, :read_at, :email_at, :push_at)
		ON CONFLICT (user_id, dedup_key) DO NOTHING`, n)
	if err != nil || added == 0 {
		return false, err
	}
	tx.InboxChanged(n.UserID)
	return true, tx.scheduleTelling(ctx, n.UserID, due)
}

// NotifyBatch stores one notification of a growing batch for a user: the first lead creates it, and each further one
// raises N, so that the user has one notification instead of one for each lead. It is unread again whenever N grows,
// but the user is told by email and in their browsers only once. It reports whether anything changed.
func (tx *Tx) NotifyBatch(ctx context.Context, n lead.Notice) (bool, error) {
	keys := append([]string{n.DedupKey}, n.OldDedupKeys...)
	changed, err := tx.changed(ctx, `UPDATE notifications SET n = ?, at = ?, read_at = 0
		WHERE user_id = ? AND dedup_key IN `+placeholders(len(keys))+` AND n < ?`,
		append(append([]any{n.N, n.At, n.UserID}, toAny(keys)...), n.N)...)
	if changed {
		tx.InboxChanged(n.UserID)
	}
	if err != nil || changed {
		return changed, err
	}
	return tx.Notify(ctx, n) // which changes nothing if the user has it already
}

// PeopleOf lists the open accounts of an originator, or, for a lead without an originator, those of its
// company's managers.
func (q Queries) PeopleOf(ctx context.Context, originator heloc.OriginatorID, company string) ([]string, error) {
	if originator != "" {
		return list[string](ctx, q, `SELECT id FROM users WHERE originator = ? AND disabled_at = 0 ORDER BY id`, originator)
	}
	managers, err := list[access.User](ctx, q, userSelect+` WHERE u.role = ? AND u.disabled_at = 0 ORDER BY u.id`,
		access.Manager)
	var ids []string
	for _, m := range managers {
		if m.Company() == company {
			ids = append(ids, m.UserID)
		}
	}
	return ids, err
}

// NoticePage is one page of an inbox and the key of the next one, empty on the last page.
type NoticePage struct {
	Notices []lead.Notice
	Next    string
}

// Notices reads one page of an inbox, newest first.
func (q Queries) Notices(ctx context.Context, in UserScope, after string) (NoticePage, error) {
	query, args := noticesSQL(in, after)
	notices, err := list[lead.Notice](ctx, q, query, args...)
	page, next := cutPage(notices, PageSize, func(n lead.Notice) string { return encodePageKey(n.At, n.ID) })
	return NoticePage{page, next}, err
}

func noticesSQL(in UserScope, after string) (string, []any) {
	query, args := `SELECT `+noticeSelected+` FROM notifications WHERE user_id = ? AND company = ?`,
		[]any{in.UserID, in.Company}
	if at, id, ok := parsePageKey(after); ok {
		query, args = query+` AND (at, id) < (?, ?)`, append(args, at, id)
	}
	return fmt.Sprintf(`%s ORDER BY at DESC, id DESC LIMIT %d`, query, PageSize+1), args
}

// Unread counts the unread notifications of an inbox, up to UnreadLimit.
func (q Queries) Unread(ctx context.Context, in UserScope) (int, error) {
	return get[int](ctx, q, unreadSQL, in.UserID, in.Company)
}

// HeaderCounts is what the header of a page counts.
type HeaderCounts struct {
	Unread     int `db:"unread"`     // notifications, up to lead.UnreadLimit
	Unassigned int `db:"unassigned"` // open leads
}

// HeaderCounts counts the unread notifications of an inbox and the open leads of a company without an originator; an
// empty company has none.
func (q Queries) HeaderCounts(ctx context.Context, in UserScope, company string) (HeaderCounts, error) {
	return get[HeaderCounts](ctx, q, headerCountsSQL, in.UserID, in.Company, company)
}

var headerCountsSQL = `SELECT (` + unreadSQL + `) AS unread, (` + unassignedCountSQL + `) AS unassigned`

var unreadSQL = `SELECT count(*) FROM (SELECT 1 FROM notifications WHERE user_id = ? AND company = ? AND read_at = 0` +
	limited(lead.UnreadLimit) + `) x`

// HasUnread reports whether an inbox has an unread notification about a lead or a draft.
func (q Queries) HasUnread(ctx context.Context, in UserScope, what NoticeSelection) (bool, error) {
	query, args := unreadOnSQL, []any{in.UserID, in.Company, any(what.App)}
	if what.Draft != "" {
		query, args[2] = unreadDraftSQL, what.Draft
	}
	return q.has(ctx, query, args...)
}

const (
	unreadOnSQL = `SELECT count(*) FROM (SELECT 1 FROM notifications WHERE user_id = ? AND company = ? AND app = ?
		AND read_at = 0 LIMIT 1) x`
	unreadDraftSQL = `SELECT count(*) FROM (SELECT 1 FROM notifications WHERE user_id = ? AND company = ? AND draft = ?
		AND read_at = 0 LIMIT 1) x`
)

// MarkNoticesRead marks notifications of an inbox as read. Those that arrived after the page was read stay unread.
func (tx *Tx) MarkNoticesRead(ctx context.Context, in UserScope, what NoticeSelection) (int64, error) {
	query := `UPDATE notifications SET read_at = ? WHERE user_id = ? AND company = ? AND read_at = 0`
	args := []any{Millis(what.At), in.UserID, in.Company}
	switch {
	case what.App != "":
		query, args = query+` AND app = ? AND at <= ?`, append(args, what.App, Millis(what.Until))
	case what.Draft != "":
		query, args = query+` AND draft = ?`, append(args, what.Draft)
	case what.ID != "":
		query, args = query+` AND id = ?`, append(args, what.ID)
	case len(what.DedupKeys) > 0:
		query, args = query+` AND dedup_key IN `+placeholders(len(what.DedupKeys)), append(args, toAny(what.DedupKeys)...)
	case what.Batch != "":
		query, args = query+` AND kind IN (?, ?, ?) AND about = ?`,
			append(args, lead.NoticeLeadsReceived, lead.NoticeLeadsReturned, lead.NoticeReturn, what.Batch)
	default:
		query, args = query+` AND id <= ?`, append(args, what.UpTo)
	}
	n, err := tx.execRows(ctx, query, args...)
	if n > 0 {
		tx.InboxChanged(in.UserID)
	}
	return n, err
}

// NoticeSelection selects what was read: those of a lead until an instant, all of a draft, one notification, those of a
// fact, the one of a batch, or all up to one.
type NoticeSelection struct {
	At    time.Time
	App   heloc.AppID
	Until time.Time // for App
	Draft string
	ID    string
	// of one fact
	DedupKeys []string
	Batch     string // the job whose leads the user received
	UpTo      string
}

// DropNotices deletes the notifications that were read before one instant, and all that are older than the
// other.
func (tx *Tx) DropNotices(ctx context.Context, read, any time.Time) error {
	return tx.exec(ctx, `DELETE FROM notifications WHERE at < ? AND (read_at > 0 AND read_at < ? OR at < ?)`,
		Millis(read), Millis(read), Millis(any))
}

// ViewedAt reads when a user last viewed some leads; leads that the user never viewed are absent.
func (q Queries) ViewedAt(ctx context.Context, userID string, apps []heloc.AppID) (map[heloc.AppID]int64, error) {
	return mapOf[heloc.AppID, int64](ctx, q, `SELECT app, viewed_at FROM lead_views
		WHERE user_id = ? AND app IN `+placeholders(len(apps)),
		append([]any{userID}, toAny(apps)...)...)
}

// MailKind is what kind of entry an outbox row is.
type MailKind string

// The kinds.
const (
	MailMessage MailKind = "letter" // an email to be sent
	MailRequest MailKind = "wish"   // a user requested an email; the account is not looked up yet

	// a user is to be told about notifications; the id names the user
	MailNotices MailKind = "notice-email"
	PushNotices MailKind = "notice-push"
	// one message for one browser
	PushMessage MailKind = "push"
	// the demo's copy of a message for browsers, which is only displayed
	PushCopy MailKind = "push-copy"
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
// of tries explains (one minute, doubled with each try) was written before the clock was set back. That does not apply
// to entries about notifications, which may wait for days.
func (s *Store) LeaseMail(ctx context.Context, kind MailKind, now, until time.Time) (m Mail, ok bool, err error) {
	m, ok, err = find[Mail](ctx, s.Queries, `SELECT `+mailColumns+` FROM outbox WHERE kind = ? AND ended_at = 0
		AND (send_at <= ? OR send_at > ? + (CAST(? AS BIGINT) << CAST(tries AS INTEGER))
			AND kind NOT IN ('notice-email', 'notice-push'))
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

// PushCopies lists the demo's copies of messages for browsers, newest first.
func (q Queries) PushCopies(ctx context.Context, limit int) ([]Mail, error) {
	return list[Mail](ctx, q, `SELECT `+mailColumns+` FROM outbox WHERE kind = 'push-copy' AND ended_at = 0
		ORDER BY send_at DESC LIMIT ?`, limit)
}

// DropMails deletes the entries that were created before an instant, sent or not.
func (tx *Tx) DropMails(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM outbox WHERE created_at < ?`, Millis(before))
}
