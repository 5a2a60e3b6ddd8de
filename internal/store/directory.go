package store

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// DirectoryChanges lists the changes that were not applied, by name.
func (q Queries) DirectoryChanges(ctx context.Context) ([]lead.DirectoryChange, error) {
	return q.directoryChanges(ctx, `c.state <> ?`)
}

// AppliedChanges lists the changes that were applied lately without an administrator.
func (q Queries) AppliedChanges(ctx context.Context) ([]lead.DirectoryChange, error) {
	return q.directoryChanges(ctx, `c.state = ?`)
}

func (q Queries) directoryChanges(ctx context.Context, whether string) ([]lead.DirectoryChange, error) {
	return list[lead.DirectoryChange](ctx, q, `SELECT c.originator, c.to_company, c.to_name, c.state, c.shown_at,
		c.decided_by
		FROM directory_changes c JOIN originators o ON o.uuid = c.originator WHERE `+whether+`
			ORDER BY o.last_name, o.first_name, o.uuid`, lead.ChangeApplied)
}

// OriginatorsWithWork is the set of originators who have something here that the directory can take:
// an account, also one that an absence closed, or leads, also those that wait for them.
func (q Queries) OriginatorsWithWork(ctx context.Context) (map[heloc.OriginatorID]bool, error) {
	return mapOf[heloc.OriginatorID, bool](ctx, q, originatorsWithWorkSQL)
}

const originatorsWithWorkSQL = `SELECT originator, 1 FROM users
	WHERE originator <> '' AND (disabled_at = 0 OR absent_at <> 0)
	UNION SELECT originator, 1 FROM leads WHERE originator <> ''
	UNION SELECT o.uuid, 1 FROM originators o WHERE EXISTS (SELECT 1 FROM leads l WHERE l.former_originator = o.uuid
		AND l.former_originator <> '')`

// SaveDirectoryChange writes a change and replaces an earlier one of the same originator.
func (tx *Tx) SaveDirectoryChange(ctx context.Context, c lead.DirectoryChange) error {
	return tx.upsert(ctx, "directory_changes", `originator`,
		`originator, to_company, to_name, state, shown_at, decided_by`, c)
}

// DropDirectoryChange deletes the change of an originator.
func (tx *Tx) DropDirectoryChange(ctx context.Context, id heloc.OriginatorID) error {
	return tx.exec(ctx, `DELETE FROM directory_changes WHERE originator = ?`, id)
}

// SeeOriginator writes what the directory shows of an originator, except that somebody who is
// known stays in their broker company: only a complete read may take leads from people. This includes
// people who were removed: what they can have back is of their former company.
func (tx *Tx) SeeOriginator(ctx context.Context, o heloc.Originator, now time.Time) error {
	before, err := tx.Originator(ctx, o.ID)
	unknown := fault.Is(err, fault.NotFound)
	if err != nil && !unknown {
		return err
	}
	seen := originatorRow(o, now)
	if unknown {
		return tx.replaceOriginator(ctx, seen, before, now)
	}
	if access.CompanyOf(seen.BrokerID, seen.Organization) != access.CompanyOf(before.BrokerID, before.Organization) {
		seen.BrokerID, seen.BrokerName, seen.BrokerNMLS, seen.Organization = before.BrokerID, before.BrokerName,
			before.BrokerNMLS, before.Organization
	}
	return tx.writeOriginator(ctx, seen, before)
}

// HeldAdditions reads which new people are held.
func (q Queries) HeldAdditions(ctx context.Context) (lead.HeldAdditions, error) {
	return settingJSON[lead.HeldAdditions](ctx, q, directoryAdditions)
}

// SaveHeldAdditions replaces the stored HeldAdditions.
func (tx *Tx) SaveHeldAdditions(ctx context.Context, h lead.HeldAdditions) error {
	if h.People == 0 {
		return tx.SaveSetting(ctx, directoryAdditions, "")
	}
	return tx.saveSettingJSON(ctx, directoryAdditions, h)
}

// NoteMissing records since when complete reads of the directory have not listed an originator.
func (tx *Tx) NoteMissing(ctx context.Context, id heloc.OriginatorID, since time.Time) error {
	return tx.exec(ctx, `UPDATE originators SET missing_since = ? WHERE uuid = ?`, Millis(since), id)
}

// MarkRemoved records that the directory no longer lists an originator: their account closes, and their leads
// wait for their company's manager.
func (tx *Tx) MarkRemoved(ctx context.Context, id heloc.OriginatorID, now time.Time) error {
	n, err := tx.execRows(ctx, `UPDATE originators SET removed_at = ? WHERE uuid = ? AND removed_at = 0`, Millis(now), id)
	if err != nil || n == 0 {
		return err
	}
	if err := tx.closeRemoved(ctx, id); err != nil {
		return err
	}
	return tx.unassign(ctx, now, `originator = ?`, id) // those of an account that stays open, and those that have ended
}

// UnassignSome unassigns some of the leads that a change of the directory takes from an originator: all for a
// removal, and otherwise those of other companies. It reports whether there may be more.
func (tx *Tx) UnassignSome(ctx context.Context, c lead.DirectoryChange, now time.Time,
	limit int) (more bool, err error) {
	before := len(tx.Unassigned)
	err = tx.unassign(ctx, now, `originator = ? AND company <> ? LIMIT ?`, c.Originator, c.ToCompany, limit)
	return len(tx.Unassigned)-before == limit, err
}

// Recoverable lists the originators who can get back what they lost because of the directory: an account that
// it closed, or leads of their current company that nobody has received since.
func (q Queries) Recoverable(ctx context.Context) ([]heloc.OriginatorID, error) {
	return list[heloc.OriginatorID](ctx, q, recoverableSQL)
}

const recoverableSQL = `SELECT originator FROM users WHERE absent_at <> 0 AND disabled_at <> 0
	UNION SELECT o.uuid FROM originators o WHERE EXISTS (SELECT 1 FROM leads l WHERE l.former_originator = o.uuid
		AND l.former_originator <> '' AND l.company = ` + companySQL + ` AND l.originator = '')
			AND ` + canHaveLeadsSQL + ` ORDER BY 1`

// canHaveLeadsSQL says whether leads may return to an originator o: not when their accounts here were
// all closed by somebody, or have roles without leads, because nobody would work on the leads.
const canHaveLeadsSQL = `(NOT EXISTS (SELECT 1 FROM users u WHERE u.originator = o.uuid)
	OR EXISTS (SELECT 1 FROM users u WHERE u.originator = o.uuid AND (u.disabled_at = 0 OR u.absent_at <> 0)
		AND u.role IN ('originator', 'manager')))`

// companySQL is CompanyOf an originator o.
const companySQL = `CASE WHEN o.broker_id <> '' THEN o.broker_id ELSE 'org:' || o.organization END`

// ReturnOriginator undoes, in the name of by, what an absence from the directory did: the account
// that it closed opens, and the leads that nobody has received since are theirs again, unless they
// have no open account. Sessions stay ended.
func (tx *Tx) ReturnOriginator(ctx context.Context, by string, id heloc.OriginatorID, now time.Time) error {
	if err := tx.ReopenOriginator(ctx, by, id); err != nil {
		return err
	}
	_, err := tx.ReturnLeads(ctx, by, id, now, everyLead)
	return err
}

// ReopenOriginator is ReturnOriginator without the leads.
func (tx *Tx) ReopenOriginator(ctx context.Context, by string, id heloc.OriginatorID) error {
	if err := tx.exec(ctx, `UPDATE originators SET removed_at = 0, missing_since = 0 WHERE uuid = ?`, id); err != nil {
		return err
	}
	return tx.openAbsent(ctx, by, id)
}

// everyLead is more than an originator has.
const everyLead = math.MaxInt32

// ReturnLeads returns some of the leads that an originator lost with their account or their entry in the directory,
// and that nobody has received since, unless the originator has no open account. It reports whether there may be
// more.
func (tx *Tx) ReturnLeads(ctx context.Context, by string, id heloc.OriginatorID, now time.Time,
	limit int) (more bool, err error) {
	o, err := tx.Originator(ctx, id)
	if err != nil {
		return false, err
	}
	leads, err := list[lead.Row](ctx, tx.Queries, returnedSQL, access.CompanyOf(o.BrokerID, o.Organization), id, limit)
	if err != nil {
		return false, err
	}
	for _, before := range leads {
		if err := tx.returnLead(ctx, by, id, before, now); err != nil {
			return false, err
		}
	}
	return len(leads) == limit, nil
}

func (tx *Tx) returnLead(ctx context.Context, by string, to heloc.OriginatorID, before lead.Row, now time.Time) error {
	l := before
	l.Originator = to
	if err := tx.SaveLead(ctx, &l, now, true); err != nil {
		return err
	}
	return cmp.Or(
		tx.AddEvent(ctx, lead.Event{App: l.App, Originator: to, At: Millis(now), Kind: lead.EventReassigned,
			StepBefore: l.Step, StepAfter: l.Step, StatusKey: l.StatusKey, Detail: "returned"}),
		tx.Audit(ctx, AuditEntry{At: Millis(now), ActorID: by, Company: l.Company, Action: ActionReturn,
			Object: "lead:" + string(l.App), Outcome: "done", Detail: "to:" + string(to)}),
		// These notifications are no longer true.
		tx.exec(ctx, `DELETE FROM notifications WHERE app = ? AND kind IN (?, ?)`,
			l.App, lead.NoticeUnassigned, lead.NoticeLeadReassigned))
}

var returnedSQL = `SELECT ` + leadColumns + ` FROM leads WHERE company = ? AND former_originator = ?
	AND former_originator <> '' AND originator = ''
	AND EXISTS (SELECT 1 FROM originators o WHERE o.uuid = leads.former_originator AND ` + canHaveLeadsSQL + `) LIMIT ?`

// openAbsent reopens the account that the directory closed, unless the originator now has another open one.
func (tx *Tx) openAbsent(ctx context.Context, by string, id heloc.OriginatorID) error {
	users, err := list[string](ctx, tx.Queries, `SELECT id FROM users WHERE originator = ? AND originator <> ''
		AND absent_at <> 0 AND disabled_at <> 0
		AND NOT EXISTS (SELECT 1 FROM users u WHERE u.originator = users.originator AND u.disabled_at = 0)
		ORDER BY absent_at DESC LIMIT 1`, id)
	if err != nil {
		return err
	}
	for _, user := range users {
		if err := cmp.Or(
			tx.exec(ctx, `UPDATE users SET disabled_at = 0, absent_at = 0 WHERE id = ?`, user),
			tx.dropDepartedNotices(ctx, user),
			tx.Audit(ctx, AuditEntry{ActorID: by, Action: ActionUserReopen, Object: "user:" + user, Outcome: "done",
				Detail: "directory"})); err != nil {
			return err
		}
	}
	return nil
}

// DropDirectoryNotices takes back what administrators were told of changes that wait.
func (tx *Tx) DropDirectoryNotices(ctx context.Context) error {
	return tx.exec(ctx, `DELETE FROM notifications WHERE kind = ?`, lead.NoticeDirectory)
}

// DropSettledDirectoryNotices is DropDirectoryNotices, unless a change is still pending.
func (tx *Tx) DropSettledDirectoryNotices(ctx context.Context) error {
	changes, err := tx.DirectoryChanges(ctx)
	if err != nil || slices.ContainsFunc(changes,
		func(c lead.DirectoryChange) bool { return c.State == lead.ChangeWaiting }) {
		return err
	}
	return tx.DropDirectoryNotices(ctx)
}

// Closures lists the closures, latest first.
func (q Queries) Closures(ctx context.Context) ([]lead.Closure, error) {
	return list[lead.Closure](ctx, q, closuresSQL)
}

const closuresSQL = `SELECT ` + originatorColumns + `,
	coalesce((SELECT max(u.id) FROM users u WHERE u.originator = o.uuid AND u.absent_at <> 0 AND u.disabled_at <> 0),
		'') AS user_id,
	(SELECT count(*) FROM leads l WHERE l.former_originator = o.uuid AND l.former_originator <> '' AND l.originator = ''
		AND l.company = ` + companySQL + ` AND ` + canHaveLeadsSQL + `) AS leads
	FROM originators o WHERE o.uuid IN (SELECT uuid FROM originators WHERE removed_at <> 0
		UNION ALL SELECT originator FROM users WHERE absent_at <> 0 AND disabled_at <> 0)
		ORDER BY removed_at DESC, last_name, first_name, uuid`

// OpenLeadCounts counts each originator's leads that have not ended.
func (q Queries) OpenLeadCounts(ctx context.Context) (map[heloc.OriginatorID]int, error) {
	return mapOf[heloc.OriginatorID, int](ctx, q, `SELECT originator, count(*) FROM leads
		WHERE originator <> '' AND lane <> 'ended'
		GROUP BY originator`)
}

// Administrators lists the open accounts that administer users.
func (q Queries) Administrators(ctx context.Context) ([]access.User, error) {
	users, err := q.Users(ctx)
	return slices.DeleteFunc(users, func(u access.User) bool { return u.Disabled || !u.Can(access.ManagePeople) }), err
}

// Mismatches lists the mismatches, oldest first.
func (q Queries) Mismatches(ctx context.Context) ([]lead.Mismatch, error) {
	return list[lead.Mismatch](ctx, q, `SELECT app, named, reason, at FROM originator_mismatches ORDER BY at, app`)
}

// NoteMismatch stores a mismatch with the time of its first occurrence; fresh reports whether it is new. A
// mismatch without a reason deletes what was stored for the lead.
func (tx *Tx) NoteMismatch(ctx context.Context, m lead.Mismatch) (fresh bool, err error) {
	if m.Reason == "" {
		err := tx.exec(ctx, `DELETE FROM originator_mismatches WHERE app = ?`, m.App)
		return false, err
	}
	n, err := tx.execNamedRows(ctx, `INSERT INTO originator_mismatches (app, named, reason, at)
		VALUES (:app, :named, :reason, :at)
		ON CONFLICT (app) DO UPDATE SET named = excluded.named, reason = excluded.reason, at = excluded.at
		WHERE originator_mismatches.named <> excluded.named OR originator_mismatches.reason <> excluded.reason`, m)
	return n > 0, err
}

// Explained lists the leads whose named originator is now in the directory.
func (q Queries) Explained(ctx context.Context) ([]DueLead, error) {
	return list[DueLead](ctx, q, `SELECT m.app, l.company FROM originator_mismatches m
		JOIN originators o ON o.uuid = m.named JOIN leads l ON l.app = m.app ORDER BY m.at`)
}
