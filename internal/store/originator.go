package store

import (
	"cmp"
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

const originatorColumns = `uuid, email, first_name, middle_name, last_name, nmls, phone, organization, broker_id, ` +
	`broker_name, broker_nmls, synced_at, removed_at, missing_since`

// SaveOriginator writes one directory entry. An originator who has moved to another broker company leaves
// their leads at the previous one.
func (tx *Tx) SaveOriginator(ctx context.Context, o heloc.Originator, now time.Time) error {
	row := originatorRow(o, now)
	before, err := tx.Originator(ctx, row.UUID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	return tx.replaceOriginator(ctx, row, before, now)
}

// replaceOriginator is SaveOriginator for an entry that the caller has read: before is zero when there is none.
func (tx *Tx) replaceOriginator(ctx context.Context, row, before lead.Originator, now time.Time) error {
	known := before.UUID != ""
	if err := tx.writeOriginator(ctx, row, before); err != nil {
		return err
	}
	company := access.CompanyOf(row.BrokerID, row.Organization)
	var (
		left []DepartedUser
		err  error
	)
	if known && access.CompanyOf(before.BrokerID, before.Organization) != company {
		if left, err = tx.leaveCompany(ctx, row.UUID, access.CompanyOf(before.BrokerID, before.Organization)); err != nil {
			return err
		}
	}
	// The leads of an originator who moves to another broker company stay with the previous company and wait
	// there, unassigned, for its manager.
	if err := tx.unassign(ctx, now, `originator = ? AND company <> ?`, row.UUID, company); err != nil {
		return err
	}
	for _, who := range left {
		if err := tx.notifyDeparted(ctx, who); err != nil {
			return err
		}
	}
	return nil
}

func originatorRow(o heloc.Originator, now time.Time) lead.Originator {
	row := lead.Originator{
		UUID: o.ID, Email: o.Email, FirstName: o.FirstName, MiddleName: o.MiddleName, LastName: o.LastName, NMLS: o.NMLS,
		Phone: o.Phone, Organization: o.Organization, SyncedAt: Millis(now),
	}
	if o.Broker != nil {
		row.BrokerID, row.BrokerName, row.BrokerNMLS = o.Broker.ID, o.Broker.Name, o.Broker.NMLS
	}
	return row
}

// writeOriginator writes the entry of a listed originator, which clears the removal and missing times. An unchanged
// entry does not affect users.
func (tx *Tx) writeOriginator(ctx context.Context, row, before lead.Originator) error {
	before.SyncedAt, before.MissingSince = row.SyncedAt, row.MissingSince
	if row != before {
		tx.changes.access = true
	}
	row.RemovedAt, row.MissingSince = 0, 0
	return tx.upsert(ctx, "originators", "uuid", originatorColumns, row)
}

// leaveCompany ends what an originator has in progress at the company that they leave: their frames in its
// CRMs, and pending forms that wait for a step-up or a sign-in. The session itself continues, and its next
// request sees the other company. It returns the users who leave.
func (tx *Tx) leaveCompany(ctx context.Context, originator heloc.OriginatorID,
	from string) (left []DepartedUser, err error) {
	users, err := list[access.User](ctx, tx.Queries, userSelect+` WHERE u.originator = ?`, originator)
	if err != nil {
		return nil, err
	}
	for _, user := range users {
		if !user.Disabled {
			left = append(left, DepartedUser{User: user, Company: from})
		}
		if err := cmp.Or(tx.endCovers(ctx, user.UserID), tx.endForRoleChange(ctx, user.UserID),
			tx.exec(ctx, `DELETE FROM ceremonies WHERE user_id = ?`, user.UserID)); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// unassign removes the originator from leads and puts the leads into the queue of their company. It saves
// each lead separately, so that all derived columns change too. Tx.Unassigned collects the leads.
func (tx *Tx) unassign(ctx context.Context, now time.Time, where string, args ...any) error {
	leads, err := list[lead.Row](ctx, tx.Queries, `SELECT `+leadColumns+` FROM leads WHERE `+where, args...)
	if err != nil {
		return err
	}
	for _, before := range leads {
		l := before
		l.Originator, l.FormerOriginator = "", before.Originator
		if err := tx.SaveLead(ctx, &l, now, true); err != nil {
			return err
		}
		if err := tx.recordUnassigned(ctx, before, l, now); err != nil {
			return err
		}
	}
	return nil
}

// recordUnassigned records that a lead lost its originator.
func (tx *Tx) recordUnassigned(ctx context.Context, before, l lead.Row, now time.Time) error {
	tx.Unassigned = append(tx.Unassigned, before)
	return cmp.Or(
		tx.AddEvent(ctx, lead.Event{App: l.App, At: Millis(now), Kind: lead.EventReassigned, StepBefore: l.Step,
			StepAfter: l.Step, StatusKey: l.StatusKey, Detail: "unassigned"}),
		tx.Audit(ctx, AuditEntry{At: Millis(now), ActorID: "system", Company: l.Company, Action: ActionUnassign,
			Object: "lead:" + string(l.App), Outcome: "done", Detail: "from:" + string(before.Originator)}))
}

// Originator reads one entry; fault.NotFound when the directory has none.
func (q Queries) Originator(ctx context.Context, id heloc.OriginatorID) (lead.Originator, error) {
	return get[lead.Originator](ctx, q, `SELECT `+originatorColumns+` FROM originators WHERE uuid = ?`, id)
}

// OriginatorByEmail reads one entry by email address, ignoring case.
func (q Queries) OriginatorByEmail(ctx context.Context, email string) (lead.Originator, error) {
	return get[lead.Originator](ctx, q, `SELECT `+originatorColumns+` FROM originators WHERE lower(email) = lower(?)
		LIMIT 1`, email)
}

// OriginatorsOf lists the originators within a scope, by name. An originator's scope contains only that
// originator.
func (q Queries) OriginatorsOf(ctx context.Context, scope access.Scope) ([]lead.Originator, error) {
	where, args := originatorScopeCondition(scope)
	return list[lead.Originator](ctx, q, `SELECT `+originatorColumns+` FROM originators WHERE `+where+`
		ORDER BY last_name, first_name, uuid`, args...)
}

// OriginatorsAtWork lists the originators within a scope whose leads somebody can work on, by name.
func (q Queries) OriginatorsAtWork(ctx context.Context, scope access.Scope) ([]lead.Originator, error) {
	where, args := originatorScopeCondition(scope)
	return list[lead.Originator](ctx, q, `SELECT `+originatorColumns+` FROM originators o WHERE `+where+`
		AND `+canWorkSQL("o.uuid")+` = 1 ORDER BY last_name, first_name, uuid`, args...)
}

// OriginatorNames lists the originators of OriginatorsOf with their names and NMLS numbers alone.
func (q Queries) OriginatorNames(ctx context.Context, scope access.Scope) ([]lead.Originator, error) {
	where, args := originatorScopeCondition(scope)
	return list[lead.Originator](ctx, q, `SELECT uuid, first_name, last_name, nmls FROM originators WHERE `+where+`
		ORDER BY last_name, first_name, uuid`, args...)
}

// originatorScopeCondition returns the originators of a scope as an SQL condition. An empty scope matches nobody.
func originatorScopeCondition(scope access.Scope) (string, []any) {
	c := &condition{}
	switch {
	case scope.OriginatorUUID != "":
		c.and("uuid = ?", scope.OriginatorUUID)
	case scope.BrokerID != "":
		c.and("broker_id = ?", scope.BrokerID)
	case scope.Organization != "":
		c.and("broker_id = '' AND organization = ?", scope.Organization)
	default:
		c.and("1 = 0")
	}
	if scope.Among != "" {
		in(c, "uuid", scope.Among.All())
	}
	return c.String(), c.args
}

// AllOriginators lists the whole directory, by name.
func (q Queries) AllOriginators(ctx context.Context) ([]lead.Originator, error) {
	return list[lead.Originator](ctx, q, `SELECT `+originatorColumns+` FROM originators
		ORDER BY last_name, first_name, uuid`)
}

// Adopter is the user who adopts an application into the portal, and the scope of leads that this user may
// see.
type Adopter struct {
	UserID, Name string
	Scope        access.Scope
}

// Brokers returns the broker companies of the directory: id → name.
func (q Queries) Brokers(ctx context.Context) (map[string]string, error) {
	return mapOf[string, string](ctx, q, `SELECT DISTINCT broker_id, broker_name FROM originators WHERE broker_id <> ''`)
}
