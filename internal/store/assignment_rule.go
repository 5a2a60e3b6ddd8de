package store

import (
	"context"
	"encoding/json"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

const ruleColumns = `company, active, open_limit, set_by, set_at, paused_at, paused_by, pause_reason, scan_after`

// AssignmentRules reads the rules of a company. They are off when nobody has set them.
func (q Queries) AssignmentRules(ctx context.Context, company string) (lead.AssignmentRules, error) {
	type row struct {
		lead.AssignmentRules
		Rules string `db:"rules"`
	}
	r, found, err := find[row](ctx, q, `SELECT `+ruleColumns+`, rules FROM assignment_rules WHERE company = ?`, company)
	if err != nil || !found {
		return lead.AssignmentRules{Company: company}, err
	}
	return r.AssignmentRules, json.Unmarshal([]byte(r.Rules), &r.AssignmentRules.Rules)
}

// RunningRules lists the companies whose rules assign leads.
func (q Queries) RunningRules(ctx context.Context) ([]string, error) {
	return list[string](ctx, q, `SELECT company FROM assignment_rules WHERE active = 1 AND paused_at = 0 ORDER BY company`)
}

// SaveAssignmentRules writes the rules of a company.
func (tx *Tx) SaveAssignmentRules(ctx context.Context, r lead.AssignmentRules) error {
	if err := tx.upsert(ctx, "assignment_rules", `company`, ruleColumns, r); err != nil {
		return err
	}
	rules, err := json.Marshal(r.Rules)
	if err != nil {
		return err
	}
	return tx.exec(ctx, `UPDATE assignment_rules SET rules = ? WHERE company = ?`, string(rules), r.Company)
}

// SaveRuleScan stores where the next run continues in a long queue.
func (tx *Tx) SaveRuleScan(ctx context.Context, company, after string) error {
	return tx.exec(ctx, `UPDATE assignment_rules SET scan_after = ? WHERE company = ?`, after, company)
}

// AddRuleAssignment stores a decision in the transaction that adds the row of its job.
func (tx *Tx) AddRuleAssignment(ctx context.Context, a lead.RuleAssignment) error {
	return tx.insert(ctx, "rule_assignments", `id, company, app, user_id, originator, job_id, n, set_by, why, at`, a)
}

const (
	ruleAssignmentSelect = `SELECT a.id, a.company, a.app, a.user_id, a.originator, a.job_id, a.n, a.set_by, a.why, a.at,
		r.short_id, r.state, r.op_id, r.reason, coalesce(o.state, '') AS verdict, coalesce(o.messages, '') AS messages,
		coalesce(o.answered_at, 0) AS answered_at,
		l.originator AS now
		FROM rule_assignments a JOIN leads l ON l.app = a.app JOIN job_rows r ON r.job_id = a.job_id AND r.n = a.n
		LEFT JOIN operations o ON o.id = r.op_id AND r.op_id <> '' `
	ruleLogSQL = ruleAssignmentSelect + `WHERE a.company = ? AND a.id < ? ORDER BY a.id DESC LIMIT ?`
)

// RuleAssignments lists the decisions of a company's rules before an id, latest first; an empty id is the beginning.
func (q Queries) RuleAssignments(ctx context.Context, company, before string,
	limit int) ([]lead.RuleAssignment, error) {
	if before == "" {
		before = "~" // greater than every id
	}
	return list[lead.RuleAssignment](ctx, q, ruleLogSQL, company, before, limit)
}

// LastRuleAssignments reads the latest decision of a company's rules about each of some leads.
func (q Queries) LastRuleAssignments(ctx context.Context, company string,
	apps []heloc.AppID) (map[heloc.AppID]lead.RuleAssignment, error) {
	rows, err := list[lead.RuleAssignment](ctx, q, ruleAssignmentSelect+`WHERE a.company = ? AND a.id IN
		(SELECT max(id) FROM rule_assignments WHERE app IN `+placeholders(len(apps))+` GROUP BY app)`,
		append([]any{company}, toAny(apps)...)...)
	return byKey(rows, func(a lead.RuleAssignment) heloc.AppID { return a.App }), err
}

const (
	// maxRuleTurns is more than any round of turns has leads.
	maxRuleTurns = 500
	// ruleTurnsSQL lists the last decisions by which somebody got a lead, or may get one.
	ruleTurnsSQL = `SELECT a.user_id, a.why FROM rule_assignments a JOIN job_rows r ON r.job_id = a.job_id AND r.n = a.n
		LEFT JOIN operations o ON o.id = r.op_id AND r.op_id <> ''
		WHERE a.company = ? AND (r.state = 'waiting' OR o.state IN ('sent', 'unknown', 'succeeded', 'confirmed'))
		ORDER BY a.id DESC LIMIT ?`
)

// RuleTurns lists who got the last leads by a company's rules, and why, latest first. Only UserID and Why are set.
func (q Queries) RuleTurns(ctx context.Context, company string) ([]lead.RuleAssignment, error) {
	return list[lead.RuleAssignment](ctx, q, ruleTurnsSQL, company, maxRuleTurns)
}

// LeadsWithoutOriginatorSince lists the leads in a scope that had no originator at some time since an instant, newest
// first.
func (q Queries) LeadsWithoutOriginatorSince(ctx context.Context, scope access.Scope, since int64,
	limit int) ([]lead.Row, error) {
	where := inScope(scope)
	where.and(`(originator = '' AND lane <> 'ended' OR app IN (SELECT app FROM lead_events WHERE originator = ''
		AND at >= ? AND kind IN ('moved', 'started', 'adopted')))`, since)
	return q.leadRows(ctx, `SELECT `+listColumns+` FROM leads WHERE `+where.String()+` ORDER BY created_at DESC, app DESC
		LIMIT ?`, append(where.args, limit)...)
}

const (
	openRuleJobSQL   = `SELECT count(*) FROM jobs WHERE ended_at = 0 AND lease_until >= 0 AND kind = ? AND company = ?`
	waitingInJobsSQL = `SELECT r.app, 1 FROM jobs j JOIN job_rows r ON r.job_id = j.id
		WHERE j.ended_at = 0 AND j.lease_until >= 0 AND r.state = 'waiting'`
)

// RuleJobOpen reports whether an earlier run of a company's rules has not ended.
func (q Queries) RuleJobOpen(ctx context.Context, company string) (bool, error) {
	return q.has(ctx, openRuleJobSQL, lead.JobRule, company)
}

// WaitingInJobs lists the leads that wait in a job of anybody.
func (q Queries) WaitingInJobs(ctx context.Context) (map[heloc.AppID]bool, error) {
	return mapOf[heloc.AppID, bool](ctx, q, waitingInJobsSQL)
}

// QueuedLead is what happened to a lead before it waits for an originator.
type QueuedLead struct {
	App          heloc.AppID `db:"app"`
	UnassignedAt int64       `db:"unassigned_at"` // when it lost its originator; 0 when it never had one
	// when the latest reassignment that the lender may have received was stored; 0 for none
	SentAt int64        `db:"sent_at"`
	State  lead.OpState `db:"state"` // of that reassignment
}

// Pending reports whether the lender has accepted, or may have accepted, an originator for the lead since it lost its
// last one. The lead is then only unassigned because the lender's details do not show the new one yet.
func (l QueuedLead) Pending() bool {
	return l.State == lead.OpUnknown || l.SentAt != 0 && l.SentAt >= l.UnassignedAt
}

const queuedLeadsSQL = `SELECT l.app, coalesce((SELECT e.at FROM lead_events e WHERE e.app = l.app AND e.kind = 'moved'
		AND (e.originator = '' OR e.detail = 'unassigned') ORDER BY e.at DESC LIMIT 1), 0) AS unassigned_at,
	coalesce(h.at, 0) AS sent_at, coalesce(o.state, '') AS state
	FROM leads l LEFT JOIN reassignments h ON h.op_id = (SELECT p.op_id FROM reassignments p
		JOIN operations po ON po.id = p.op_id
		WHERE p.app = l.app AND po.state IN ('sent', 'succeeded', 'confirmed', 'unknown') ORDER BY p.at DESC LIMIT 1)
	LEFT JOIN operations o ON o.id = h.op_id
	WHERE l.app IN `

// QueuedLeads reads what happened to some leads that have no originator.
func (q Queries) QueuedLeads(ctx context.Context, apps []heloc.AppID) (map[heloc.AppID]QueuedLead, error) {
	rows, err := list[QueuedLead](ctx, q, queuedLeadsSQL+placeholders(len(apps)), toAny(apps)...)
	return byKey(rows, func(l QueuedLead) heloc.AppID { return l.App }), err
}
