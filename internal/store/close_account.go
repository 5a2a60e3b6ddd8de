package store

import (
	"cmp"
	"context"
	"strconv"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// closing is the closing of an account.
type closing struct {
	by     access.Actor
	absent bool // the lender's directory no longer lists the originator: the account opens again when it does
}

// CloseUser closes an account permanently on behalf of by: no account of the same originator reopens when the
// lender's directory lists them again. It returns fault.Conflict if the account was already closed permanently.
// Tx.CoversEnded has the covers to email about.
func (tx *Tx) CloseUser(ctx context.Context, by access.Actor, userID string) error {
	absent, err := tx.EndAbsence(ctx, userID)
	if err != nil {
		return err
	}
	user, err := tx.User(ctx, userID)
	if err != nil {
		return err
	}
	switch {
	case !user.Disabled:
		return tx.closeAccount(ctx, user, closing{by: by})
	case absent == 0:
		return accountChanged()
	default:
		return tx.auditUserChange(ctx, by, AuditEntry{Action: ActionUserDisable, Object: "user:" + userID})
	}
}

// closeAccount is the only way to close an open account. Its sessions end, and its covers, with a notification for the
// other side. The open leads of its originator go to the unassigned queue of their company, whose managers are
// notified.
func (tx *Tx) closeAccount(ctx context.Context, user access.User, c closing) error {
	now, absentAt, detail := Millis(tx.now()), int64(0), ""
	if c.absent {
		absentAt, detail = now, "directory"
	}
	return cmp.Or(tx.signOut(ctx, user.UserID), tx.endCovers(ctx, user.UserID),
		tx.changeUser(ctx, c.by, AuditEntry{Action: ActionUserDisable, Object: "user:" + user.UserID, Detail: detail},
			`UPDATE users SET disabled_at = ?, absent_at = ? WHERE id = ? AND disabled_at = 0`, now, absentAt, user.UserID),
		tx.leaveLeads(ctx, c.by, user.UserID))
}

// leaveLeads puts the open leads of a user's originator into the unassigned queue when nobody can work on them now,
// because the account is closed or its role does not work on leads. It asks the company's managers, except who did it,
// to reassign the leads and the drafts.
func (tx *Tx) leaveLeads(ctx context.Context, by access.Actor, userID string) error {
	user, err := tx.User(ctx, userID)
	if err != nil {
		return err
	}
	left := DepartedUser{User: user, Company: UserScopeOf(user.Actor).Company, By: by.UserID}
	left.KeepsDrafts = !user.Disabled && user.Can(access.PrepareDraft)
	id := heloc.OriginatorID(user.OriginatorUUID)
	can, err := tx.CanWorkOnLeads(ctx, id)
	if err != nil || can && left.KeepsDrafts {
		return err // a change of the role that leaves no work behind
	}
	before := len(tx.Unassigned)
	if !can {
		if err := tx.UnassignOpenLeads(ctx, id, left.Company); err != nil {
			return err
		}
	}
	if n := len(tx.Unassigned) - before; n > 0 {
		if err := tx.Audit(ctx, AuditEntry{
			ActorID: by.UserID, Company: left.Company, Action: ActionUnassign, Object: "user:" + userID, Outcome: "done",
			Detail: "leads:" + strconv.Itoa(n),
		}); err != nil {
			return err
		}
	} else if left.KeepsDrafts {
		return nil
	}
	return tx.notifyDeparted(ctx, left)
}

// notifyDeparted asks the company's managers to reassign what a user left behind there; nobody if they left nothing.
func (tx *Tx) notifyDeparted(ctx context.Context, who DepartedUser) error {
	leads, drafts, err := tx.DepartedCounts(ctx, who)
	if err != nil || leads+drafts == 0 {
		return err
	}
	managers, err := tx.ResponsibleManagers(ctx, who.Company)
	if err != nil {
		return err
	}
	at := Millis(tx.now())
	key := "left " + who.UserID + " " + who.Company + " " + strconv.FormatInt(at, 10)
	for _, manager := range managers {
		if manager.UserID == who.By {
			continue
		}
		if _, err := tx.Notify(ctx, lead.Notice{
			UserID: manager.UserID, Company: UserScopeOf(manager.Actor).Company, Person: who.UserID, Kind: lead.NoticeDeparted,
			ByName: who.Name, N: leads + drafts, At: at, DedupKey: key,
		}); err != nil {
			return err
		}
	}
	return nil
}

// dropDepartedNotices deletes the notifications about the work of a user who is back.
func (tx *Tx) dropDepartedNotices(ctx context.Context, userID string) error {
	return tx.exec(ctx, `DELETE FROM notifications WHERE person = ? AND kind = ?`, userID, lead.NoticeDeparted)
}

// DisableUser closes an account on behalf of the system, without an email about covers. It does nothing to one that is
// closed.
func (s *Store) DisableUser(ctx context.Context, userID string) error {
	err := s.Write(ctx, func(tx *Tx) error { return tx.CloseUser(ctx, access.Operator().Actor, userID) })
	if fault.Is(err, fault.Conflict) {
		return nil
	}
	return err
}

// signOut ends the sessions and the calendar feed of a user whose account is closed, and everything they have in
// progress.
func (tx *Tx) signOut(ctx context.Context, userID string) error {
	if _, err := tx.EndSessionsOf(ctx, userID, ""); err != nil {
		return err
	}
	if _, err := tx.EndCalendarFeed(ctx, userID); err != nil {
		return err
	}
	return tx.EndPending(ctx, userID, "")
}

// EndAbsence keeps accounts closed that were closed because the directory did not list their originator: they will not
// reopen when the directory lists the originator again. It returns the number of these accounts.
func (tx *Tx) EndAbsence(ctx context.Context, userID string) (int64, error) {
	return tx.execRows(ctx, `UPDATE users SET absent_at = 0 WHERE absent_at <> 0 AND (id = ?
		OR originator <> '' AND originator = (SELECT u.originator FROM users u WHERE u.id = ?))`,
		userID, userID)
}

// canWorkSQL is 1 if somebody can work on the leads of an originator, whose id is in a column: a user with an open
// account and a role that works on leads. It is also 1 for an originator who never had an account, whose leads their
// manager sees, and 0 for one whom the lender's directory no longer lists.
func canWorkSQL(originator string) string {
	return `CASE WHEN NOT EXISTS (SELECT 1 FROM originators r WHERE r.uuid = ` + originator + ` AND r.removed_at <> 0)
	AND (NOT EXISTS (SELECT 1 FROM users u WHERE u.originator = ` + originator + `)
		OR EXISTS (SELECT 1 FROM users u WHERE u.originator = ` + originator + ` AND u.disabled_at = 0
			AND u.role IN ('originator', 'manager'))) THEN 1 ELSE 0 END`
}

// Assignee reads an originator who may receive a lead, and whether somebody can work on their leads; fault.NotFound
// when the directory has none.
func (q Queries) Assignee(ctx context.Context, id heloc.OriginatorID) (o lead.Originator, canWork bool, err error) {
	type row struct {
		lead.Originator
		CanWork bool `db:"can_work"`
	}
	found, err := get[row](ctx, q, `SELECT `+originatorColumns+`, `+canWorkSQL("o.uuid")+` AS can_work
		FROM originators o WHERE uuid = ?`, id)
	return found.Originator, found.CanWork, err
}

// CanWorkOnLeads reports whether somebody can work on the leads of an originator.
func (q Queries) CanWorkOnLeads(ctx context.Context, originator heloc.OriginatorID) (bool, error) {
	if originator == "" {
		return true, nil
	}
	return get[bool](ctx, q, `SELECT `+canWorkSQL("o.uuid")+` FROM (SELECT CAST(? AS TEXT) AS uuid) o`, originator)
}

// withdrawLead takes an open lead that is new or open again from an originator whose leads nobody can work on, and
// puts it into the unassigned queue. It reports whether it did.
func (tx *Tx) withdrawLead(ctx context.Context, l *lead.Row) (bool, error) {
	if l.Lane == heloc.LaneEnded {
		return false, nil
	}
	can, err := tx.CanWorkOnLeads(ctx, l.Originator)
	if err != nil || can {
		return false, err
	}
	l.Originator, l.FormerOriginator = "", l.Originator
	return true, nil
}

// DepartedWork counts what a departed user left at a company: unassigned leads that have not ended, by former
// originator, and drafts, by owner.
type DepartedWork struct {
	Originator heloc.OriginatorID `db:"originator"` // of leads
	UserID     string             `db:"user_id"`    // of drafts
	Count      int                `db:"count"`
}

const (
	departedLeadCountsSQL = `SELECT former_originator AS originator, '' AS user_id, count(*) AS count FROM leads
		WHERE company = ? AND former_originator <> '' AND lane <> 'ended' GROUP BY former_originator
		ORDER BY former_originator`
	departedLeadCountSQL = `SELECT count(*) FROM leads WHERE company = ? AND former_originator = ?
		AND former_originator <> '' AND lane <> 'ended'`
	departedDraftCountsSQL = `SELECT '' AS originator, owner_id AS user_id, count(*) AS count FROM drafts
		WHERE company = ? AND app = ''
		AND NOT EXISTS (SELECT 1 FROM operations o WHERE o.actor_id = drafts.owner_id AND o.draft_id = drafts.id
			AND o.kind = 'start' AND o.state IN ('sent', 'unknown'))
		GROUP BY owner_id`
)

// DepartedLeadCounts counts the leads that departed originators left at a company, by former originator.
func (q Queries) DepartedLeadCounts(ctx context.Context, company string) ([]DepartedWork, error) {
	return list[DepartedWork](ctx, q, departedLeadCountsSQL, company)
}

// DraftCounts counts the drafts of a company by owner, without drafts that became a lead or may have.
func (q Queries) DraftCounts(ctx context.Context, company string) ([]DepartedWork, error) {
	return list[DepartedWork](ctx, q, departedDraftCountsSQL, company)
}

const departedLeadsSQL = `SELECT ` + listColumns + ` FROM leads WHERE company = ? AND former_originator = ?
	AND former_originator <> '' AND lane <> 'ended' ORDER BY due_sort, app`

// DepartedLeads lists the leads that an originator left at a company, in order of due time.
func (q Queries) DepartedLeads(ctx context.Context, company string, originator heloc.OriginatorID) ([]lead.Row, error) {
	return q.leadRows(ctx, departedLeadsSQL, company, originator)
}

// DepartedUser is a user who has left a company, or who no longer works on leads there.
type DepartedUser struct {
	access.User
	Company     string // the company, as CompanyOf returns it
	By          string // the user who closed the account, who is not notified; empty for nobody
	KeepsDrafts bool   // they can still open their drafts
}

// DepartedCounts counts what a departed user left at the company.
func (q Queries) DepartedCounts(ctx context.Context, l DepartedUser) (leads, drafts int, err error) {
	if leads, err = get[int](ctx, q, departedLeadCountSQL, l.Company, l.OriginatorUUID); err != nil {
		return 0, 0, err
	}
	all, err := q.DraftCounts(ctx, l.Company)
	for _, work := range all {
		if work.UserID == l.UserID && !l.KeepsDrafts {
			drafts = work.Count
		}
	}
	return leads, drafts, err
}

// closeRemoved closes the account of an originator who is no longer in the directory, because they cannot do
// anything without that entry. An account that also manages or administers stays open, and an administrator
// decides about it.
func (tx *Tx) closeRemoved(ctx context.Context, id heloc.OriginatorID) error {
	users, err := list[access.User](ctx, tx.Queries, userSelect+` WHERE o.uuid = ? AND u.disabled_at = 0 AND u.role = ?`,
		id, access.Originator)
	if err != nil {
		return err
	}
	for _, user := range users {
		if err := tx.closeAccount(ctx, user, closing{by: access.Operator().Actor, absent: true}); err != nil {
			return err
		}
	}
	return nil
}

// ResponsibleManagers returns the users who are asked about the work of a departed user: the managers of the
// company, or the administrators where the company has none.
func (q Queries) ResponsibleManagers(ctx context.Context, company string) ([]access.User, error) {
	users, err := list[access.User](ctx, q, userSelect+` WHERE u.role IN (?, ?) AND u.disabled_at = 0 ORDER BY u.id`,
		access.Manager, access.Admin)
	if err != nil {
		return nil, err
	}
	var managers, admins []access.User
	for _, user := range users {
		switch {
		case user.Role == access.Admin:
			admins = append(admins, user)
		case user.Company() == company:
			managers = append(managers, user)
		}
	}
	if len(managers) == 0 {
		return admins, nil
	}
	return managers, nil
}

// RemainingWork counts what an open account has that ends or needs a new owner when the account closes.
type RemainingWork struct {
	Leads   int `db:"leads"` // open ones of their originator
	Drafts  int `db:"drafts"`
	Shares  int `db:"shares"`  // quotes that they shared and that borrowers can still open
	Repulls int `db:"repulls"` // scheduled credit re-pulls
}

const remainingWorkSQL = `SELECT
	(SELECT count(*) FROM leads WHERE company = ? AND originator = ? AND originator <> '' AND lane <> 'ended') AS leads,
	(SELECT count(*) FROM drafts WHERE owner_id = ? AND company = ? AND app = '') AS drafts,
	(SELECT count(*) FROM shared_quotes s WHERE s.actor_id = ? AND s.revoked_at = 0 AND s.expires_at > ?
		AND EXISTS (SELECT 1 FROM leads l WHERE l.app = s.app AND l.lane <> 'ended')) AS shares,
	(SELECT count(*) FROM repulls WHERE state = 'waiting' AND user_id = ?) AS repulls`

// RemainingWork counts the work of a user at a company.
func (q Queries) RemainingWork(ctx context.Context, in UserScope,
	originator heloc.OriginatorID) (RemainingWork, error) {
	return get[RemainingWork](ctx, q, remainingWorkSQL, in.Company, originator, in.UserID, in.Company, in.UserID,
		Millis(q.now()), in.UserID)
}

// UnassignOpenLeads puts the open leads of an originator at a company into the queue of the company. Tx.Unassigned
// collects them.
func (tx *Tx) UnassignOpenLeads(ctx context.Context, originator heloc.OriginatorID, company string) error {
	if originator == "" {
		return nil
	}
	return tx.unassign(ctx, tx.now(), `originator = ? AND company = ? AND lane <> 'ended'`, originator, company)
}
