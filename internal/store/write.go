package store

import (
	"context"
	"io"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pubsub"
	"hearthline/internal/store/internal/sqldb"
)

// Tx is a transaction on the writer.
type Tx struct {
	Queries
	db  *sqldb.DB
	ids io.Reader
	// Unassigned are the leads that lost their originator in this transaction, as they were before.
	Unassigned []lead.Row
	// CoversEnded are the absences whose deputy no longer covers, because the absent user's account closed or moved in
	// this transaction.
	CoversEnded []lead.Absence
}

// Write runs f in one transaction: all of it is committed when Write returns nil, and none of it after an error or a
// panic. The context ends the wait for the writer and, between the statements of f, the write; a commit that has
// begun is not canceled, because its outcome would be unknown. f must not call Write. To run several independent
// writes, callers pass them to cmp.Or, which returns the first error; all of them run. After the commit, Write
// announces to open pages the leads and the inboxes that have changed.
func (s *Store) Write(ctx context.Context, f func(tx *Tx) error) error {
	announce, err := s.WriteUnannounced(ctx, f)
	announce()
	return err
}

// WriteUnannounced is Write for a caller that announces the changes later. After an error, announce does nothing.
func (s *Store) WriteUnannounced(ctx context.Context, f func(tx *Tx) error) (announce func(), err error) {
	changes := &changes{read: map[heloc.AppID]lead.Row{}}
	err = sqldb.Write(ctx, s.database, func(c sqldb.Conn) error {
		tx := &Tx{Queries: Queries{conn: c, Options: s.Options, changes: changes}, db: s.database, ids: s.ids}
		if err := f(tx); err != nil {
			return err
		}
		return tx.publishChanges(ctx)
	})
	if err != nil || s.Hub == nil {
		return func() {}, err
	}
	return func() { changes.announce(s.Hub) }, nil
}

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
		"INSERT INTO assisted_originators ", "DELETE FROM assisted_originators ",
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
func (q Queries) AccessRevision(ctx context.Context) (int64, error) {
	return get[int64](ctx, q, `SELECT access_revision FROM installation`)
}

// CheckUnchanged checks, in the transaction that writes, what was read about a user before the work began:
// the account is still open, and nobody has ended what the user had in progress. Hashing a password, waiting
// for a provider's answer or a concurrent request takes time between the read and the write; a user who was
// locked, disabled or signed out meanwhile cannot finish. fault.Conflict.
func (tx *Tx) CheckUnchanged(ctx context.Context, who access.Actor) error {
	_, same, err := tx.currentUser(ctx, who)
	if err == nil && !same {
		err = fault.New(fault.Conflict, "Your account changed in the meantime. Nothing was done. Sign in and start again.")
	}
	return err
}

// Reauthorize also checks whether a user may still do what they are about to do, and returns the user's
// current record. Every change to other users' rights calls it in the transaction that writes, so that when
// two users remove a right from each other, only the first one succeeds. fault.Denied.
func (tx *Tx) Reauthorize(ctx context.Context, by access.By) (access.User, error) {
	if by.IsOperator() {
		return access.User{Actor: by.Actor}, nil
	}
	now, same, err := tx.currentUser(ctx, by.Actor)
	if err == nil && (!same || !now.Can(by.Permission)) {
		err = fault.New(fault.Denied, "Your account changed after you opened this page. Sign in again.")
	}
	return now, err
}

func (tx *Tx) currentUser(ctx context.Context, who access.Actor) (now access.User, same bool, err error) {
	now, err = tx.User(ctx, who.UserID)
	if fault.Is(err, fault.NotFound) {
		return now, false, nil
	}
	return now, !now.Disabled && now.SessionEpoch == who.SessionEpoch, err
}

// WriteBy runs f in one transaction, after checking there that the acting user may still do it.
func (s *Store) WriteBy(ctx context.Context, by access.By, f func(tx *Tx) error) error {
	return s.Write(ctx, func(tx *Tx) error {
		if _, err := tx.Reauthorize(ctx, by); err != nil {
			return err
		}
		return f(tx)
	})
}
