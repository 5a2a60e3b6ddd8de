package store

import (
	"context"
	"slices"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pubsub"
)

// changes are the changes of a transaction that open pages and other processes must be told about. They are written
// in the same transaction, so nothing is lost when the process ends right after the commit, and nothing is announced
// that is rolled back.
type changes struct {
	access  bool // access rights may have changed
	leads   []leadChange
	inboxes []string                 // of these users
	read    map[heloc.AppID]lead.Row // the leads as the transaction last read or saved them
}

// leadChange is a new revision of a lead, for the pages of its originator and its company, before and after.
type leadChange struct {
	event  pubsub.Event
	topics []string
}

// accessStatements are the beginnings of statements that can change who may see what; activityStatements are
// exceptions, which only record what somebody did. Inserting sessions or accounts does not affect pages that are
// already open.
var (
	accessStatements = []string{
		"UPDATE sessions ", "DELETE FROM sessions ", "UPDATE users ", "DELETE FROM users ", "UPDATE originators ",
		"DELETE FROM originators ", "INSERT INTO absences ", "UPDATE absences ", "DELETE FROM absences ",
	}
	activityStatements = []string{
		"UPDATE sessions SET last_seen_at ", "UPDATE users SET updates_seen_at ",
		"UPDATE users SET signed_in_at ", "UPDATE users SET calendar_token_hash ", "UPDATE originators SET missing_since ",
	}
)

// statement records that a statement changed rows.
func (c *changes) statement(query string, rows int64) {
	begins := func(with string) bool { return strings.HasPrefix(query, with) }
	if c != nil && rows > 0 && slices.ContainsFunc(accessStatements, begins) &&
		!slices.ContainsFunc(activityStatements, begins) {
		c.access = true
	}
}

// leadChanged records a new revision of a lead.
func (tx *Tx) leadChanged(app heloc.AppID, revision int64, owners ...leadOwner) {
	var topics []string
	for _, o := range owners {
		topics = append(topics, pubsub.Originator(string(o.Originator)), pubsub.Company(o.Company))
	}
	slices.Sort(topics)
	event := pubsub.Event{App: string(app), Revision: revision}
	tx.changes.leads = append(tx.changes.leads, leadChange{event, slices.Compact(topics)})
}

// InboxChanged records that users have something new in their inboxes, or fewer unread items.
func (tx *Tx) InboxChanged(users ...string) {
	tx.changes.inboxes = append(tx.changes.inboxes, users...)
}

// announce tells the open pages of this process what was committed.
func (c *changes) announce(hub *pubsub.Hub) {
	for _, l := range c.leads {
		hub.Publish(l.event, l.topics...)
	}
	slices.Sort(c.inboxes)
	for _, who := range slices.Compact(c.inboxes) {
		hub.Publish(pubsub.Event{Inbox: true}, pubsub.Person(who))
	}
}

// leadOwner is the originator and the company of a lead.
type leadOwner struct {
	Originator heloc.OriginatorID `db:"originator"`
	Company    string             `db:"company"`
}

// publishChanges writes the changes that open pages and other processes must be told about.
func (tx *Tx) publishChanges(ctx context.Context) error {
	if tx.changes.access {
		if err := tx.exec(ctx, `UPDATE installation SET access_revision = access_revision + 1`); err != nil {
			return err
		}
	}
	if !tx.db.Shared() {
		return nil // only this process has open pages
	}
	for _, l := range tx.changes.leads {
		text := pubsub.LeadAnnouncement(tx.db.ProcessName(), l.event, l.topics)
		if err := tx.conn.Announce(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// AccessRevision counts the changes that can affect what signed-in users may see. While it is the same, only time can
// have ended a session or changed its user.
func (q queries) AccessRevision(ctx context.Context) (int64, error) {
	return get[int64](ctx, q, `SELECT access_revision FROM installation`)
}
