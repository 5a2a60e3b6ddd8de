package store

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

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
func (q queries) DepartedLeadCounts(ctx context.Context, company string) ([]DepartedWork, error) {
	return list[DepartedWork](ctx, q, departedLeadCountsSQL, company)
}

// DraftCounts counts the drafts of a company by owner, without drafts that became a lead or may have.
func (q queries) DraftCounts(ctx context.Context, company string) ([]DepartedWork, error) {
	return list[DepartedWork](ctx, q, departedDraftCountsSQL, company)
}

const departedLeadsSQL = `SELECT ` + listColumns + ` FROM leads WHERE company = ? AND former_originator = ?
	AND former_originator <> '' AND lane <> 'ended' ORDER BY due_sort, app`

// DepartedLeads lists the leads that an originator left at a company, in order of due time.
func (q queries) DepartedLeads(ctx context.Context, company string, originator heloc.OriginatorID) ([]lead.Row, error) {
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
func (q queries) DepartedCounts(ctx context.Context, l DepartedUser) (leads, drafts int, err error) {
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
	users, err := list[access.User](ctx, tx.queries, userSelect+` WHERE o.uuid = ? AND u.disabled_at = 0 AND u.role = ?`,
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
func (q queries) ResponsibleManagers(ctx context.Context, company string) ([]access.User, error) {
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
func (q queries) RemainingWork(ctx context.Context, in UserScope,
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
