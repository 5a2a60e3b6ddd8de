package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// TellChoices reads a user's choices of what they are told, how and when.
func (q Queries) TellChoices(ctx context.Context, userID string) (lead.TellChoices, error) {
	text, err := get[string](ctx, q, `SELECT tell_choices FROM users WHERE id = ?`, userID)
	if err != nil {
		return lead.TellChoices{}, err
	}
	return lead.ParseTellChoices(text)
}

// SetTellChoices stores a user's choices.
func (tx *Tx) SetTellChoices(ctx context.Context, userID string, c lead.TellChoices) error {
	return tx.exec(ctx, `UPDATE users SET tell_choices = ? WHERE id = ?`, c.Text(), userID)
}

// tellKinds are the entries of the outbox that tell a user, by channel, and how far apart they are: what is due in
// between is told together.
var tellKinds = map[lead.TellChannel]struct {
	kind  MailKind
	slots time.Duration
}{lead.TellByEmail: {MailNotices, time.Minute}, lead.TellByPush: {PushNotices, 5 * time.Second}}

// tellingTimes returns when the user is to be told about a notification, by channel.
func (tx *Tx) tellingTimes(ctx context.Context, n lead.Notice) (map[lead.TellChannel]time.Time, error) {
	event := n.Kind.Event()
	if tx.Tell == nil || event == "" {
		return nil, nil
	}
	user, ok, err := find[struct {
		access.Actor
		TellChoices string `db:"tell_choices"`
	}](ctx, tx.Queries, `SELECT time_zone, tell_choices FROM users WHERE id = ? AND disabled_at = 0`, n.UserID)
	if err != nil || !ok {
		return nil, err
	}
	choices, err := lead.ParseTellChoices(user.TellChoices)
	due := map[lead.TellChannel]time.Time{}
	for channel := range tellKinds {
		if !tx.Tell(channel) {
			continue
		}
		if at, told := choices.Due(event, channel, Instant(n.At), user.Zone()); told {
			due[channel] = at
		}
	}
	return due, err
}

// scheduleTelling puts into the outbox that a user is to be told, once for all notifications that are due in the same
// slot. A slot always lies ahead, so that its entry was not processed yet.
func (tx *Tx) scheduleTelling(ctx context.Context, userID string, due map[lead.TellChannel]time.Time) error {
	now := tx.now()
	for _, channel := range []lead.TellChannel{lead.TellByEmail, lead.TellByPush} {
		at, told := due[channel]
		if !told {
			continue
		}
		if at.Before(now) {
			at = now
		}
		to := tellKinds[channel]
		slot := Millis(at.Truncate(to.slots).Add(to.slots))
		if err := tx.exec(ctx, `INSERT INTO outbox (id, kind, sealed, created_at, send_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (id) DO NOTHING`, fmt.Sprintf("%s %s %d", to.kind, userID, slot), to.kind, []byte{}, Millis(now),
			slot); err != nil {
			return err
		}
	}
	return nil
}

// UserToTell returns the user whom an entry of MailNotices or PushNotices is for.
func (m Mail) UserToTell() string {
	_, rest, _ := strings.Cut(m.ID, " ")
	userID, _, _ := strings.Cut(rest, " ")
	return userID
}

// tellColumns are the columns with the time, by channel.
var tellColumns = map[lead.TellChannel]string{lead.TellByEmail: "email_at", lead.TellByPush: "push_at"}

// DueNotices lists the notifications that a user is to be told about by now in a channel, oldest first: the unread
// ones, unless the user has viewed the lead since, or an open page has shown it.
func (q Queries) DueNotices(ctx context.Context, in UserScope, by lead.TellChannel) ([]lead.Notice, error) {
	return list[lead.Notice](ctx, q, dueNoticesSQL(by), in.UserID, in.Company, Millis(q.now()))
}

func dueNoticesSQL(by lead.TellChannel) string {
	column := tellColumns[by]
	return `SELECT ` + noticeSelected + ` FROM notifications WHERE user_id = ? AND company = ? AND read_at = 0
		AND ` + column + ` > 0 AND ` + column + ` <= ?
		AND NOT EXISTS (SELECT 1 FROM lead_views v WHERE v.user_id = notifications.user_id
			AND v.app = notifications.app AND (v.viewed_at >= notifications.at OR v.displayed_at >= notifications.at))
		ORDER BY at, id`
}

// EndTelling records that the user was told of what DueNotices listed, and deletes the entry that asked for it.
func (tx *Tx) EndTelling(ctx context.Context, entry Mail, in UserScope, by lead.TellChannel) error {
	if err := tx.exec(ctx, `UPDATE notifications SET `+tellColumns[by]+` = 0 WHERE user_id = ? AND company = ?
		AND read_at = 0 AND `+tellColumns[by]+` > 0 AND `+tellColumns[by]+` <= ?`, in.UserID, in.Company,
		Millis(tx.now())); err != nil {
		return err
	}
	return tx.exec(ctx, `DELETE FROM outbox WHERE id = ?`, entry.ID)
}

// MarkHandled marks notifications of some kinds about a lead as read for everybody: what they asked for is done.
func (tx *Tx) MarkHandled(ctx context.Context, app heloc.AppID, kinds ...lead.NoticeKind) error {
	c := &condition{}
	c.and("app = ?", app)
	c.and("read_at = 0")
	in(c, "kind", kinds)
	users, err := list[string](ctx, tx.Queries, `SELECT DISTINCT user_id FROM notifications WHERE `+c.String(), c.args...)
	if err != nil || len(users) == 0 {
		return err
	}
	for _, userID := range users {
		tx.InboxChanged(userID)
	}
	return tx.exec(ctx, `UPDATE notifications SET read_at = ? WHERE `+c.String(),
		append([]any{Millis(tx.now())}, c.args...)...)
}

// SaveDisplayed records that an open page has shown a user a lead as it was at an instant. It does not
// count as a view: the notifications stay unread, but the user is not emailed or pushed about them, and the line of
// changes leaves them out.
func (tx *Tx) SaveDisplayed(ctx context.Context, userID string, app heloc.AppID, seen time.Time) error {
	return tx.exec(ctx, `UPDATE lead_views SET displayed_at = ? WHERE user_id = ? AND app = ? AND displayed_at < ?`,
		Millis(seen), userID, app, Millis(seen))
}

// ExpiringFact is something of an open lead that ends soon.
type ExpiringFact struct {
	App   heloc.AppID `db:"app"`
	About string      `db:"about"` // inquiry, lift (of a credit freeze) or link (to a shared quote)
	Fact  string      `db:"fact"`  // which one, and when
}

// shortLink is the life of a link below which its end is not worth telling.
const shortLink = 4 * 24 * time.Hour

// Expiring lists what ends from now until an instant. It reads whole tables, which are small.
func (q Queries) Expiring(ctx context.Context, now, until time.Time) ([]ExpiringFact, error) {
	return list[ExpiringFact](ctx, q, `SELECT x.app, x.about, x.fact FROM (
		SELECT app, 'inquiry' AS about, day AS fact FROM lead_dates WHERE kind = ? AND ahead = 1 AND day >= ? AND day <= ?
		UNION ALL SELECT app, 'lift' AS about, CAST(until_at AS TEXT) AS fact FROM repulls WHERE state = 'waiting'
			AND until_at > ? AND until_at <= ?
		UNION ALL SELECT app, 'link' AS about, id AS fact FROM shared_quotes WHERE revoked_at = 0 AND expires_at > ?
			AND expires_at <= ? AND expires_at - created_at > ?) x
		JOIN leads l ON l.app = x.app WHERE l.lane <> 'ended' ORDER BY x.app, x.about, x.fact`,
		lead.DateExpiration, heloc.DateOf(now.UTC()), heloc.DateOf(until.UTC()), Millis(now), Millis(until), Millis(now),
		Millis(until), shortLink.Milliseconds())
}

// FollowUpsDueBetween lists the open follow-ups whose time came after one instant and by another.
func (q Queries) FollowUpsDueBetween(ctx context.Context, after, by time.Time) ([]lead.FollowUp, error) {
	return list[lead.FollowUp](ctx, q, `SELECT id, app, due_at FROM follow_ups WHERE done_at = 0 AND due_at > ?
		AND due_at <= ? ORDER BY due_at, id`, Millis(after), Millis(by))
}
