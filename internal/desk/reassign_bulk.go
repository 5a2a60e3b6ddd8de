package desk

import (
	"context"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

const (
	maxBulkLeads        = 200 // per run
	maxRecent           = 5
	recentFor           = 7 * 24 * time.Hour
	maxRuns             = 3
	leadNotFoundMessage = "Lead not found, or you don’t have access"
)

// BulkReassignments reassigns many leads at once, and lists what the user has reassigned.
type BulkReassignments struct{ d *Desk }

// BulkReassignments returns the bulk reassignments; fault.Denied without the permission.
func (d *Desk) BulkReassignments() (*BulkReassignments, error) {
	if err := d.may(access.ReassignLead); err != nil {
		return nil, err
	}
	return &BulkReassignments{d}, nil
}

// Recent lists the user's reassignments of the last days, newest first. It contains no borrower data, because the
// user may no longer see those leads.
func (h *BulkReassignments) Recent(ctx context.Context) ([]ReassignmentDetails, error) {
	if err := h.d.may(access.ReassignLead); err != nil {
		return nil, err
	}
	rows, err := h.d.store.ReassignmentsBy(ctx, h.d.userScope(), h.d.now().Add(-recentFor), maxRecent)
	all := make([]ReassignmentDetails, len(rows))
	for i, row := range rows {
		all[i] = h.d.withNames(ctx, row)
	}
	return all, err
}

// LastOperation returns the operation with which this user recently reassigned a lead; fault.NotFound for a lead that
// they did not reassign.
func (h *BulkReassignments) LastOperation(ctx context.Context, app string) (opID string, err error) {
	if err := h.d.may(access.ReassignLead); err != nil {
		return "", err
	}
	id, err := heloc.ParseAppID(app)
	if err != nil {
		return "", fault.Wrap(fault.NotFound, leadNotFoundMessage, err)
	}
	row, err := h.d.store.LastReassignmentBy(ctx, h.d.userScope(), id, h.d.now().Add(-recentFor))
	return row.OpID, err
}

// NewUndoOperationID makes the operation id of the form that undoes a reassignment.
func (h *BulkReassignments) NewUndoOperationID(app heloc.AppID) string {
	return h.d.journal.NewOperationID(h.d.Actor, heloc.OpReassign, app, "undo")
}

// Assignees finds who can take leads of this user's company, and what is known about their licenses in the states of
// those leads that the user can see.
func (h *BulkReassignments) Assignees(ctx context.Context, typed string, apps []string) (DirectoryResult, error) {
	if err := h.d.may(access.ReassignLead); err != nil {
		return DirectoryResult{}, err
	}
	found, err := h.d.findOriginators(ctx, typed, func(ctx context.Context) ([]lead.Originator, error) {
		all, err := h.d.colleagues(ctx, h.d.Actor.BrokerID, h.d.Actor.Organization)
		return slices.DeleteFunc(all, func(o lead.Originator) bool { return o.RemovedAt != 0 }), err
	})
	if err != nil {
		return found, err
	}
	ids := make([]heloc.AppID, len(apps))
	for i, app := range apps {
		ids[i] = heloc.AppID(app)
	}
	leads, err := h.d.store.LeadsAmong(ctx, h.d.Actor.Scope().Own(), ids)
	if err != nil {
		return found, err
	}
	states := make([]string, len(leads))
	for i, l := range leads {
		states[i] = l.State
	}
	found.Licenses, err = h.d.licensesIn(ctx, found.People, states)
	return found, err
}

// ReassignCheck is one lead of a run, checked before anything is sent.
type ReassignCheck struct {
	App     heloc.AppID
	ShortID string
	Name    heloc.Name // empty for a lead that the user cannot access
	Owner   string
	Problem string // why it cannot be reassigned; empty when it can
	State   string // the property's state, when it is unknown whether the new originator may act there
}

// Check reports for each lead whether it could be reassigned. It sends nothing. Without an assignee it reports which
// leads could be reassigned at all.
func (h *BulkReassignments) Check(ctx context.Context, apps []string, to string) ([]ReassignCheck, error) {
	if err := h.d.may(access.ReassignLead); err != nil {
		return nil, err
	}
	newOriginator, err := h.assignee(ctx, to)
	if err != nil {
		return nil, err
	}
	plan := make([]ReassignCheck, 0, len(apps))
	for _, app := range apps {
		p, err := h.checkLead(ctx, app, newOriginator)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(plan, func(other ReassignCheck) bool { return other.App == p.App && p.App != "" }) {
			plan = append(plan, p)
		}
	}
	return plan, nil
}

// assignee reads the new originator from the directory; nil when none is chosen.
func (h *BulkReassignments) assignee(ctx context.Context, to string) (*lead.Originator, error) {
	if to == "" {
		return nil, nil
	}
	id, err := heloc.ParseOriginatorID(to)
	if err != nil {
		return nil, assigneeError("Choose an originator")
	}
	o, err := h.d.store.Originator(ctx, id)
	if fault.Is(err, fault.NotFound) || err == nil && access.CompanyOf(o.BrokerID, o.Organization) != h.d.company() {
		return nil, assigneeError("Choose an originator at the same broker company")
	}
	return &o, err
}

func (h *BulkReassignments) checkLead(ctx context.Context, app string, to *lead.Originator) (ReassignCheck, error) {
	l, err := h.d.Lead(ctx, app)
	if fault.Is(err, fault.NotFound) {
		id, _ := heloc.ParseAppID(app)
		return ReassignCheck{App: id, Problem: leadNotFoundMessage}, nil
	}
	if err != nil {
		return ReassignCheck{}, err
	}
	p := ReassignCheck{App: l.row.App, ShortID: l.row.ShortID, Name: l.Name}
	if o, err := h.d.store.Originator(ctx, l.row.Originator); err == nil {
		p.Owner = o.Name()
	}
	unknown, err := h.d.store.UnknownOperations(ctx, l.row.App)
	if err != nil {
		return p, err
	}
	if slices.ContainsFunc(unknown, func(op lead.Operation) bool { return op.Kind == heloc.OpReassign }) {
		p.Problem = "Its last reassignment isn’t confirmed yet"
	}
	if to != nil && p.Problem == "" {
		p.Problem = assigneeProblem(l.row, *to)
		status, err := licenseStatus(ctx, h.d.store, string(to.UUID), l.row.State)
		if err != nil {
			return p, err
		}
		if status == LicenseMissing && p.Problem == "" {
			p.Problem = unlicensedMessage
		}
		if status == LicenseUnknown && p.Problem == "" {
			p.State = l.row.State
		}
	}
	return p, nil
}

// BulkReassignRequest is a form that reassigns several leads.
type BulkReassignRequest struct {
	FormKey  string // made when the form was rendered: the same form sent again is the same run
	Apps     []string
	Assignee string
	Note     string
}

// runPayload is the encrypted part of a run.
type runPayload struct {
	Note string `json:"line"`
	From string `json:"from,omitempty"` // whose leads they were, if that user has left
}

// NewFormKey makes the key of a form.
func (h *BulkReassignments) NewFormKey() string { return ulid.Make().String() }

// Begin starts a run: background work in this user's name, which checks their permission again for each lead. Leads
// that cannot be reassigned are included with the reason.
func (h *BulkReassignments) Begin(ctx context.Context, m BulkReassignRequest) (id string, err error) {
	if err := h.d.may(access.ReassignLead); err != nil {
		return "", err
	}
	if m.FormKey == "" {
		m.FormKey = h.NewFormKey()
	}
	if _, err := ulid.ParseStrict(m.FormKey); err != nil {
		return "", fault.New(fault.Invalid, "This form is no longer valid. Nothing was sent. Select the leads again.")
	}
	if _, err := h.d.store.Job(ctx, h.d.userScope(), m.FormKey); err == nil {
		return m.FormKey, nil // the same form sent again
	}
	note, err := parseReassignNote(m.Note)
	if err != nil {
		return "", err
	}
	if to, err := h.assignee(ctx, m.Assignee); to == nil {
		if err == nil {
			err = assigneeError("Choose an originator")
		}
		return "", err
	}
	if len(m.Apps) == 0 || len(m.Apps) > maxBulkLeads {
		return "", fault.InvalidFields(fault.Field{Name: "app", Message: "Select 1 to 200 leads"})
	}
	plan, err := h.Check(ctx, m.Apps, m.Assignee)
	if err != nil {
		return "", err
	}
	return m.FormKey, h.saveRun(ctx, m, note, plan)
}

func (h *BulkReassignments) saveRun(ctx context.Context, m BulkReassignRequest, note string, plan []ReassignCheck) error {
	sealed, err := vault.SealJSON(h.d.vault, vault.JobAAD(m.FormKey), runPayload{Note: note})
	if err != nil {
		return err
	}
	to, err := heloc.ParseOriginatorID(m.Assignee)
	if err != nil {
		return assigneeError("Choose an originator")
	}
	job := lead.Job{
		ID: m.FormKey, Kind: lead.JobReassign, ActorID: h.d.Actor.UserID, Company: h.d.company(), Target: to, Sealed: sealed,
		CreatedAt: store.Millis(h.d.now()),
	}
	rows := make([]lead.JobRow, len(plan))
	for i, p := range plan {
		rows[i] = lead.JobRow{JobID: m.FormKey, N: i, App: p.App, ShortID: p.ShortID, State: lead.JobRowWaiting}
		if p.Problem != "" {
			rows[i].State, rows[i].Reason = lead.JobRowStopped, p.Problem
		}
	}
	return h.d.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.AddJob(ctx, job, rows); err != nil {
			return err
		}
		return tx.Audit(ctx, store.AuditEntry{
			At: job.CreatedAt, ActorID: h.d.Actor.UserID, Company: h.d.company(), Action: store.ActionBulkReassign, Object: "job:" + m.FormKey,
			Outcome: "begun", Detail: "to:" + string(to),
		})
	})
}

// RunSummary is a run in one line.
type RunSummary struct {
	ID     string
	ToName string
	Leads  int
	At     int64
}

// Runs lists the user's last runs, newest first.
func (h *BulkReassignments) Runs(ctx context.Context) ([]RunSummary, error) {
	if err := h.d.may(access.ReassignLead); err != nil {
		return nil, err
	}
	jobs, err := h.d.store.JobsOf(ctx, h.d.userScope(), h.d.now().Add(-recentFor), maxRuns)
	if err != nil {
		return nil, err
	}
	runs := make([]RunSummary, len(jobs))
	for i, job := range jobs {
		runs[i] = RunSummary{ID: job.ID, At: job.CreatedAt}
		if o, err := h.d.store.Originator(ctx, job.Target); err == nil {
			runs[i].ToName = o.Name()
		}
		if runs[i].Leads, err = h.d.store.JobSize(ctx, job.ID); err != nil {
			return nil, err
		}
	}
	return runs, nil
}
