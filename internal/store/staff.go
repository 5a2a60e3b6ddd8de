package store

import (
	"cmp"
	"context"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Staff lists every account, open ones first, by name.
func (q Queries) Staff(ctx context.Context) ([]access.Staff, error) {
	return list[access.Staff](ctx, q, `SELECT `+userColumns+`, u.created_at, u.disabled_at, u.signed_in_at,
		CASE WHEN o.removed_at <> 0 THEN 1 ELSE 0 END AS not_in_directory,
		CASE WHEN EXISTS (SELECT 1 FROM credentials c WHERE c.user_id = u.id)
		OR EXISTS (SELECT 1 FROM identities i WHERE i.user_id = u.id) THEN 0 ELSE 1 END AS one_factor,
		coalesce((SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.id), 0) AS last_seen_at
		FROM `+userTables+` ORDER BY CASE WHEN u.disabled_at = 0 THEN 0 ELSE 1 END, u.name, u.id`)
}

// DisabledBy reads who disabled some accounts, by the account's id, as far as the audit knows.
func (q Queries) DisabledBy(ctx context.Context, ids []string) (map[string]AuditEntry, error) {
	// It is the first entry since shortly before the account was disabled, because the two were written in one
	// transaction.
	rows, err := list[AuditEntry](ctx, q, `SELECT `+auditColumns+` FROM audit
			WHERE seq IN (SELECT (SELECT min(b.seq) FROM audit b
			WHERE b.object = 'user:' || u.id AND b.action = ? AND b.at >= u.disabled_at - 60000)
		FROM users u WHERE u.id IN `+placeholders(len(ids))+` AND u.disabled_at <> 0)`,
		append([]any{ActionUserDisable}, toAny(ids)...)...)
	return byKey(rows, func(a AuditEntry) string { return strings.TrimPrefix(a.Object, "user:") }), err
}

// OpenLeadsOf lists the leads of an originator that have not ended, for the system itself.
func (q Queries) OpenLeadsOf(ctx context.Context, originator heloc.OriginatorID) ([]lead.Row, error) {
	if originator == "" {
		return nil, nil
	}
	return q.leadRows(ctx, `SELECT `+listColumns+` FROM leads WHERE originator = ? AND lane <> 'ended'
		ORDER BY due_sort, app`, originator)
}

// SignOut ends a user's sessions and everything they have in progress, on behalf of by, and returns the
// number of sessions. The account does not change.
func (tx *Tx) SignOut(ctx context.Context, by access.Actor, userID string) (int64, error) {
	ended, err := tx.EndSessionsOf(ctx, userID, "")
	if err != nil {
		return 0, err
	}
	if err := tx.EndPending(ctx, userID, ""); err != nil {
		return 0, err
	}
	return ended, tx.auditUserChange(ctx, by, AuditEntry{Action: ActionUserSignOut, Object: "user:" + userID})
}

// ReopenUser reopens a closed account, with its password and factors unchanged, and returns the leads of its originator
// that nobody has received since. fault.Conflict when its originator has another open account by now.
func (tx *Tx) ReopenUser(ctx context.Context, by access.Actor, userID string) error {
	user, err := tx.User(ctx, userID)
	if err != nil {
		return err
	}
	if err := tx.checkSoleAccount(ctx, userID, user.OriginatorUUID); err != nil {
		return err
	}
	if err := cmp.Or(
		tx.changeUser(ctx, by, AuditEntry{Action: ActionUserReopen, Object: "user:" + userID},
			`UPDATE users SET disabled_at = 0, absent_at = 0 WHERE id = ? AND disabled_at <> 0`, userID),
		tx.dropDepartedNotices(ctx, userID)); err != nil {
		return err
	}
	id := heloc.OriginatorID(user.OriginatorUUID)
	if can, err := tx.CanWorkOnLeads(ctx, id); id == "" || err != nil || !can {
		return err
	}
	_, err = tx.ReturnLeads(ctx, by.UserID, id, tx.now(), everyLead)
	if fault.Is(err, fault.NotFound) {
		return nil // the directory does not know the originator, who then has no leads
	}
	return err
}

// ChangeRole changes a user's role on behalf of by; the user's next request sees it.
func (tx *Tx) ChangeRole(ctx context.Context, by access.Actor, userID string, role access.Role) error {
	return cmp.Or(tx.endForRoleChange(ctx, userID),
		tx.changeUser(ctx, by, AuditEntry{Action: ActionUserRole, Object: "user:" + userID, Detail: string(role)},
			`UPDATE users SET role = ? WHERE id = ? AND disabled_at = 0`, role, userID),
		tx.leaveLeads(ctx, by, userID))
}

// changeUser runs the statement of a change of an account, and audits it; fault.Conflict when no account was changed.
func (tx *Tx) changeUser(ctx context.Context, by access.Actor, a AuditEntry, query string, args ...any) error {
	if err := tx.mustChange(ctx, accountChanged(), query, args...); err != nil {
		return err
	}
	return tx.auditUserChange(ctx, by, a)
}

func accountChanged() error {
	return fault.New(fault.Conflict, "This account changed in the meantime. Reload the page.")
}

// auditUserChange audits a change of an account.
func (tx *Tx) auditUserChange(ctx context.Context, by access.Actor, a AuditEntry) error {
	a.ActorID, a.Outcome = by.UserID, "done"
	if by.UserID != access.Operator().UserID {
		a.Company = by.Company()
	}
	return tx.Audit(ctx, a)
}

// JobStates counts the rows of a job by state, for users who may not see the leads.
func (q Queries) JobStates(ctx context.Context, jobID string) (map[lead.JobRowState]int, error) {
	return mapOf[lead.JobRowState, int](ctx, q, `SELECT state, count(*) FROM job_rows WHERE job_id = ?
		GROUP BY state`, jobID)
}
