package store

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
)

// NoticeKind says what a notification is about.
type NoticeKind string

// The kinds of notification.
const (
	NoticeCondition      NoticeKind = "condition" // N conditions are open that were not before
	NoticeWire           NoticeKind = "wire"      // a transfer did not go through; About is its status
	NoticeLeadReceived   NoticeKind = "taken"     // the lead is yours now; ByName handed it over, or the lender did
	NoticeLeadReassigned NoticeKind = "gone"      // the lead is another's now
	NoticeUnassigned     NoticeKind = "waits"     // the lead is nobody's and waits for its manager
	NoticeRepull         NoticeKind = "repull"    // a planned re-pull was answered; About is where the lead stands
	NoticeRepullSkipped  NoticeKind = "not-asked" // a planned re-pull was not asked for; About says why
	NoticeFunded         NoticeKind = "funded"    // money was sent
	NoticeEnded          NoticeKind = "ended"     // the lead ended, not by an act from here; About is where it stands
	NoticeDraftReceived  NoticeKind = "draft"     // ByName handed a draft over, to be sent
	NoticeDirectory      NoticeKind = "directory" // a change of the lender's directory about N people waits for an administrator
	NoticeDeparted       NoticeKind = "left"      // Person has gone, and N leads and drafts wait for somebody; ByName is their name
)

// NoticeKinds lists the kinds, for words and tests.
func NoticeKinds() []NoticeKind {
	return []NoticeKind{
		NoticeCondition, NoticeWire, NoticeLeadReceived, NoticeLeadReassigned, NoticeUnassigned, NoticeRepull, NoticeRepullSkipped, NoticeFunded, NoticeEnded,
		NoticeDraftReceived, NoticeDeparted, NoticeDirectory,
	}
}

// Notification tells one person of one thing. It holds nothing of a borrower: who may see
// the lead reads the rest there. Company is the wall behind which it happened: with
// another company's desk a person does not read it any more.
type Notification struct {
	ID           string      `db:"id"`
	UserID       string      `db:"user_id"`
	Company      string      `db:"company"`
	App          heloc.AppID `db:"app_uuid"`   // what it is about: a lead,
	Draft        string      `db:"draft_id"`   // or a draft,
	Person       string      `db:"about_user"` // or somebody
	ShortID      string      `db:"short_id"`
	Kind         NoticeKind  `db:"kind"`
	About        string      `db:"about"`
	ByName       string      `db:"by_name"` // of the team, or empty
	N            int         `db:"n"`
	DedupKey     string      `db:"fact"` // the same for the same thing
	OldDedupKeys []string    `db:"-"`    // what older keys make of it, when it is to be told
	At           int64       `db:"at"`
	ReadAt       int64       `db:"read_at"`
}

const (
	noticeColumns  = `id, user_id, company, app_uuid, draft_id, about_user, short_id, kind, about, by_name, n, fact, at, read_at`
	noticeSelected = `id, user_id, company, coalesce(app_uuid, '') AS app_uuid, coalesce(draft_id, '') AS draft_id, coalesce(about_user, '') AS about_user,
		short_id, kind, about, by_name, n, fact, at, read_at`
)

// Notify tells a person, once: false when they were told of this fact before.
func (tx *Tx) Notify(ctx context.Context, n Notification) (bool, error) {
	n.ID = ulid.MustNew(uint64(n.At), ulid.DefaultEntropy()).String()
	n.N = max(1, n.N)
	if len(n.OldDedupKeys) > 0 {
		var told int
		err := tx.get(ctx, &told, `SELECT count(*) FROM notifications WHERE user_id = ? AND fact IN `+placeholders(len(n.OldDedupKeys)), append([]any{n.UserID}, toAny(n.OldDedupKeys)...)...)
		if err != nil || told > 0 {
			return false, err
		}
	}
	added, err := tx.execNamedRows(ctx, `INSERT INTO notifications (`+noticeColumns+`) VALUES (:id, :user_id, :company, nullif(:app_uuid, ''), nullif(:draft_id, ''), nullif(:about_user, ''), :short_id,
		:kind, :about, :by_name, :n, :fact, :at, :read_at) ON CONFLICT (user_id, fact) DO NOTHING`, n)
	return added > 0, err
}

// PeopleOf lists the open accounts that work as an originator; of a lead that is nobody's,
// those that manage its company.
func (q queries) PeopleOf(ctx context.Context, originator heloc.OriginatorID, company string) ([]string, error) {
	var rows []userRow
	if originator != "" {
		err := q.list(ctx, &rows, `SELECT `+userColumns+` FROM `+userTables+` WHERE u.originator_uuid = ? AND u.disabled_at = 0 ORDER BY u.id`, originator)
		return idsOf(rows), err
	}
	err := q.list(ctx, &rows, `SELECT `+userColumns+` FROM `+userTables+` WHERE u.role = ? AND u.disabled_at = 0 ORDER BY u.id`, access.Manager)
	kept := rows[:0]
	for _, r := range rows {
		if CompanyOf(r.BrokerID, r.Organization) == company {
			kept = append(kept, r)
		}
	}
	return idsOf(kept), err
}

func idsOf(rows []userRow) []string {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	return ids
}

// NoticePage is one page of an inbox and the key of the next, empty on the last.
type NoticePage struct {
	Notices []Notification
	Next    string
}

// Notices reads one page of an inbox, newest first.
func (q queries) Notices(ctx context.Context, in UserScope, after string) (NoticePage, error) {
	query, args := noticesSQL(in, after)
	var page NoticePage
	if err := q.list(ctx, &page.Notices, query, args...); err != nil {
		return NoticePage{}, err
	}
	if len(page.Notices) > PageSize {
		page.Notices = page.Notices[:PageSize]
		last := page.Notices[PageSize-1]
		page.Next = base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(last.At, 36) + "." + last.ID))
	}
	return page, nil
}

func noticesSQL(in UserScope, after string) (string, []any) {
	query, args := `SELECT `+noticeSelected+` FROM notifications WHERE user_id = ? AND company = ?`, []any{in.UserID, in.Company}
	if at, id, ok := parsePageKey(after); ok {
		query, args = query+` AND (at, id) < (?, ?)`, append(args, at, id)
	}
	return fmt.Sprintf(`%s ORDER BY at DESC, id DESC LIMIT %d`, query, PageSize+1), args
}

// UnreadLimit is where the count of what is unread stops.
const UnreadLimit = 100

// Unread counts what is unread in an inbox, up to UnreadLimit.
func (q queries) Unread(ctx context.Context, in UserScope) (int, error) {
	var n int
	err := q.get(ctx, &n, unreadSQL, in.UserID, in.Company, UnreadLimit)
	return n, err
}

const unreadSQL = `SELECT count(*) FROM (SELECT 1 FROM notifications WHERE user_id = ? AND company = ? AND read_at = 0 LIMIT ?) x`

// HasUnread says whether something about a lead or a draft is unread in an inbox.
func (q queries) HasUnread(ctx context.Context, in UserScope, what NoticeSelection) (bool, error) {
	query, args := unreadOnSQL, []any{in.UserID, in.Company, any(what.App)}
	if what.Draft != "" {
		query, args[2] = unreadDraftSQL, what.Draft
	}
	var n int
	err := q.get(ctx, &n, query, args...)
	return n > 0, err
}

const (
	unreadOnSQL    = `SELECT count(*) FROM (SELECT 1 FROM notifications WHERE user_id = ? AND company = ? AND app_uuid = ? AND read_at = 0 LIMIT 1) x`
	unreadDraftSQL = `SELECT count(*) FROM (SELECT 1 FROM notifications WHERE user_id = ? AND company = ? AND draft_id = ? AND read_at = 0 LIMIT 1) x`
)

// MarkNoticesRead marks what an inbox holds as read: of one lead, or up to the one with the
// id when app is empty, so that what came after the page was shown stays unread.
func (tx *Tx) MarkNoticesRead(ctx context.Context, in UserScope, what NoticeSelection) (int64, error) {
	query := `UPDATE notifications SET read_at = ? WHERE user_id = ? AND company = ? AND read_at = 0`
	args := []any{Millis(what.At), in.UserID, in.Company}
	switch {
	case what.App != "":
		query, args = query+` AND app_uuid = ?`, append(args, what.App)
	case what.Draft != "":
		query, args = query+` AND draft_id = ?`, append(args, what.Draft)
	case what.ID != "":
		query, args = query+` AND id = ?`, append(args, what.ID)
	default:
		query, args = query+` AND id <= ?`, append(args, what.UpTo)
	}
	return tx.exec(ctx, query, args...)
}

// NoticeSelection says what was read: all of a lead or a draft, one notification, or all up to one.
type NoticeSelection struct {
	At    time.Time
	App   heloc.AppID
	Draft string
	ID    string
	UpTo  string
}

// DropNotices deletes what was read before one instant, and all that is older than another.
func (tx *Tx) DropNotices(ctx context.Context, read, any time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM notifications WHERE at < ? AND (read_at > 0 AND read_at < ? OR at < ?)`, Millis(read), Millis(read), Millis(any))
	return err
}

// ViewedAt reads when a person last looked at some leads; those never looked at are absent.
func (q queries) ViewedAt(ctx context.Context, userID string, apps []heloc.AppID) (map[heloc.AppID]int64, error) {
	if len(apps) == 0 {
		return nil, nil
	}
	args := []any{userID}
	for _, app := range apps {
		args = append(args, app)
	}
	var rows []struct {
		App heloc.AppID `db:"app_uuid"`
		At  int64       `db:"looked_at"`
	}
	if err := q.list(ctx, &rows, viewedAtSQL(len(apps)), args...); err != nil {
		return nil, err
	}
	looked := make(map[heloc.AppID]int64, len(rows))
	for _, r := range rows {
		looked[r.App] = r.At
	}
	return looked, nil
}

func viewedAtSQL(n int) string {
	return `SELECT app_uuid, looked_at FROM lead_looks WHERE user_id = ? AND app_uuid IN (?` + strings.Repeat(", ?", n-1) + `)`
}
