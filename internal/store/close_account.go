package store

import (
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
	if err := tx.signOut(ctx, user.UserID); err != nil {
		return err
	}
	if err := tx.endCovers(ctx, user.UserID); err != nil {
		return err
	}
	now, absentAt, detail := Millis(tx.now()), int64(0), ""
	if c.absent {
		absentAt, detail = now, "directory"
	}
	err := tx.changeUser(ctx, c.by, AuditEntry{Action: ActionUserDisable, Object: "user:" + user.UserID, Detail: detail},
		`UPDATE users SET disabled_at = ?, absent_at = ? WHERE id = ? AND disabled_at = 0`, now, absentAt, user.UserID)
	if err != nil {
		return err
	}
	return tx.leaveLeads(ctx, c.by, user.UserID)
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

// canWorkSQL is 1 if somebody can work on the leads of the originator o.uuid: a user with an open account and a role
// that works on leads. It is also 1 for an originator who never had an account, whose leads their manager sees, and 0
// for one whom the lender's directory no longer lists.
const canWorkSQL = `CASE WHEN NOT EXISTS (SELECT 1 FROM originators r WHERE r.uuid = o.uuid AND r.removed_at <> 0)
	AND (NOT EXISTS (SELECT 1 FROM users u WHERE u.originator = o.uuid)
		OR EXISTS (SELECT 1 FROM users u WHERE u.originator = o.uuid AND u.disabled_at = 0
			AND u.role IN ('originator', 'manager'))) THEN 1 ELSE 0 END`

// Assignee reads an originator who may receive a lead, and whether somebody can work on their leads; fault.NotFound
// when the directory has none.
func (q queries) Assignee(ctx context.Context, id heloc.OriginatorID) (o lead.Originator, canWork bool, err error) {
	type row struct {
		lead.Originator
		CanWork bool `db:"can_work"`
	}
	found, err := get[row](ctx, q, `SELECT `+originatorColumns+`, `+canWorkSQL+` AS can_work
		FROM originators o WHERE uuid = ?`, id)
	return found.Originator, found.CanWork, err
}

// CanWorkOnLeads reports whether somebody can work on the leads of an originator.
func (q queries) CanWorkOnLeads(ctx context.Context, originator heloc.OriginatorID) (bool, error) {
	if originator == "" {
		return true, nil
	}
	return get[bool](ctx, q, `SELECT `+canWorkSQL+` FROM (SELECT CAST(? AS TEXT) AS uuid) o`, originator)
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
