package reassign

import (
	"context"
	"strconv"
	"strings"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

const (
	maxRecent           = 5
	maxRuns             = 3
	leadNotFoundMessage = "Lead not found, or you don’t have access"
)

// Bulk reassigns many leads at once, and lists what the user has reassigned.
type Bulk struct{ d core.Desk }

// OpenBulk returns the bulk reassignments; fault.Denied without the permission.
func OpenBulk(d core.Desk) (*Bulk, error) { return core.Opened(&Bulk{d}, d.May(access.ReassignLead)) }

// LastOperation returns the operation with which this user recently reassigned a lead; fault.NotFound for a lead that
// they did not reassign.
func (b *Bulk) LastOperation(ctx context.Context, app string) (opID string, err error) {
	if err := b.d.May(access.ReassignLead); err != nil {
		return "", err
	}
	id, err := heloc.ParseAppID(app)
	if err != nil {
		return "", fault.Wrap(fault.NotFound, leadNotFoundMessage, err)
	}
	row, err := b.d.Store.LastReassignmentBy(ctx, b.d.UserScope(), id, b.d.Now().Add(-lead.RecentReassignments))
	return row.OpID, err
}

// NewUndoOperationID makes the operation id of the form that undoes a reassignment.
func (b *Bulk) NewUndoOperationID(app heloc.AppID) string {
	return b.d.Journal.NewOperationID(b.d.Actor, heloc.OpReassign, app, "undo")
}

// NewFormKey makes the key of a form.
func (b *Bulk) NewFormKey() string { return ulid.Make().String() }

// Started reports whether a form has started a run already.
func (b *Bulk) Started(ctx context.Context, formKey string) (bool, error) {
	if err := b.d.May(access.ReassignLead); err != nil {
		return false, err
	}
	_, err := b.d.Store.Job(ctx, b.d.UserScope(), formKey)
	return err == nil, fault.Ignore(err, fault.NotFound)
}

// Begin starts a run: background work in this user's name, which checks their permission again for each lead. Leads
// that cannot be reassigned are included with the reason.
func (b *Bulk) Begin(ctx context.Context, m BulkReassignRequest) (id string, err error) {
	if err := b.d.May(access.ReassignLead); err != nil {
		return "", err
	}
	if m.FormKey == "" {
		m.FormKey = b.NewFormKey()
	}
	if _, err := ulid.ParseStrict(m.FormKey); err != nil {
		return "", fault.New(fault.Invalid, "This form is no longer valid. Nothing was sent. Select the leads again.")
	}
	if _, err := b.d.Store.Job(ctx, b.d.UserScope(), m.FormKey); err == nil {
		return m.FormKey, nil // the same form sent again
	}
	note, err := parseReassignNote(m.Note)
	if err != nil {
		return "", err
	}
	if len(m.Assignees) == 0 {
		return "", lead.AssigneeError("Choose an originator")
	}
	if len(m.Apps) == 0 || len(m.Apps) > lead.MaxBulkLeads {
		return "", fault.InvalidField("app", "Select 1 to "+strconv.Itoa(lead.MaxBulkLeads)+" leads")
	}
	plan, err := b.Plan(ctx, m)
	if err != nil {
		return "", err
	}
	return m.FormKey, b.saveRun(ctx, m.FormKey, note, plan, nil)
}

// saveRun stores a run of a plan. If also is not nil, it is called in the same transaction.
func (b *Bulk) saveRun(ctx context.Context, id, note string, plan Plan, also func(tx *store.Tx) error) error {
	job, err := b.d.NewRun(id, lead.JobReassign, core.RunPayload{Note: note})
	if err != nil {
		return err
	}
	job.ReturnAt = plan.returnAt
	if len(plan.Assignees) == 1 {
		job.Target = plan.Assignees[0]
	}
	rows := make([]lead.JobRow, len(plan.Leads))
	for i, p := range plan.Leads {
		rows[i] = lead.JobRow{JobID: id, N: i, App: p.App, ShortID: p.ShortID, State: lead.JobRowWaiting, Target: p.To}
		if p.Problem != "" {
			rows[i].State, rows[i].Reason = lead.JobRowStopped, p.Problem
		}
	}
	var to []string
	for _, assignee := range plan.Assignees {
		to = append(to, string(assignee))
	}
	return b.d.Store.Write(ctx, func(tx *store.Tx) error {
		if also != nil {
			if err := also(tx); err != nil {
				return err
			}
		}
		return b.addRun(ctx, tx, job, rows, "to:"+strings.Join(to, ","))
	})
}

// addRun stores a run, which a worker then executes.
func (b *Bulk) addRun(ctx context.Context, tx *store.Tx, job lead.Job, rows []lead.JobRow, detail string) error {
	if err := tx.AddJob(ctx, job, rows); err != nil {
		return err
	}
	return b.d.AuditAction(ctx, tx, store.ActionBulkReassign, "job:"+job.ID, "begun", detail)
}

// RunSummary is a run in one line.
type RunSummary struct {
	ID     string
	ToName string // empty unless one originator was to get all of its leads
	People int    // how many were to get leads
	Undo   bool   // it undoes another run
	Leads  int
	At     int64
}

// Runs lists the user's last runs, newest first.
func (b *Bulk) Runs(ctx context.Context) ([]RunSummary, error) {
	if err := b.d.May(access.ReassignLead); err != nil {
		return nil, err
	}
	jobs, err := b.d.Store.JobsOf(ctx, b.d.UserScope(), b.d.Now().Add(-lead.RecentReassignments), maxRuns)
	if err != nil {
		return nil, err
	}
	runs := make([]RunSummary, len(jobs))
	for i, job := range jobs {
		runs[i] = RunSummary{ID: job.ID, At: job.CreatedAt, Undo: job.Kind == lead.JobUndo}
		if runs[i].People, err = b.d.Store.JobTargets(ctx, job.ID); err != nil {
			return nil, err
		}
		if o, err := b.d.Store.Originator(ctx, job.Target); err == nil {
			runs[i].ToName = o.Name()
		}
		if runs[i].Leads, err = b.d.Store.JobSize(ctx, job.ID); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// BulkReassignmentsForJob returns the bulk reassignments of a job in the name of the user who started it, with their
// current permissions. An administrator who closed an account cannot see leads. For such a job only, they act as a
// manager of the company of the new originator, and no lead is shown to them.
func BulkReassignmentsForJob(ctx context.Context, s core.Services, job lead.Job) (*Bulk, error) {
	if job.Kind == lead.JobRule {
		return bulkReassignmentsForRule(ctx, s, job)
	}
	who, err := s.Store.User(ctx, job.ActorID)
	if err != nil {
		return nil, err
	}
	if who.Disabled {
		return nil, fault.New(fault.Denied, "The person who started this no longer has an account.")
	}
	if job.Kind == lead.JobReturn && !mayReturn(who, job.Company) {
		return nil, fault.New(fault.Denied, "The person who started this no longer manages the company’s leads.")
	}
	if job.Kind != lead.JobDeparture {
		return OpenBulk(s.For(who.Actor))
	}
	if !who.Can(access.ManagePeople) {
		return nil, fault.New(fault.Denied, "The person who started this is no longer an administrator.")
	}
	to, err := s.Store.Originator(ctx, job.Target)
	if err != nil {
		return nil, err
	}
	return OpenBulk(s.For(access.Actor{
		UserID: who.UserID, Name: who.Name, Role: access.Manager, BrokerID: to.BrokerID, BrokerName: to.BrokerName,
		Organization: to.Organization,
	}))
}
