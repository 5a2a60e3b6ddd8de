package desk

import (
	"context"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

const (
	manyLeads   = 200 // of one run
	stubsShown  = 5
	stubsFor    = 7 * 24 * time.Hour
	runsShown   = 3
	anotherWord = "This lead does not exist, or not for you"
)

// HandOvers is what a person hands over: many leads at once, and what they handed on.
type HandOvers struct{ d *Desk }

// HandOvers opens it; fault.Denied without the permission.
func (d *Desk) HandOvers() (*HandOvers, error) {
	if err := d.may(access.ReassignLead); err != nil {
		return nil, err
	}
	return &HandOvers{d}, nil
}

// Recent are the hand-overs of the last days, newest first, without anything of the
// borrowers: who handed a lead over may not see it any more.
func (h *HandOvers) Recent(ctx context.Context) ([]Handed, error) {
	if err := h.d.may(access.ReassignLead); err != nil {
		return nil, err
	}
	rows, err := h.d.Store.HandOversBy(ctx, h.d.seat(), h.d.Now().Add(-stubsFor), stubsShown)
	all := make([]Handed, len(rows))
	for i, row := range rows {
		all[i] = h.d.named(ctx, row)
	}
	return all, err
}

// Last is the operation by which this person handed a lead on lately; fault.NotFound for
// a lead that they did not.
func (h *HandOvers) Last(ctx context.Context, app string) (opID string, err error) {
	if err := h.d.may(access.ReassignLead); err != nil {
		return "", err
	}
	id, err := heloc.ParseAppID(app)
	if err != nil {
		return "", fault.Wrap(fault.NotFound, anotherWord, err)
	}
	row, err := h.d.Store.HandOverOf(ctx, h.d.seat(), id, h.d.Now().Add(-stubsFor))
	return row.OpID, err
}

// UndoTicket makes the operation id of the form that takes a lead back.
func (h *HandOvers) UndoTicket(app heloc.AppID) string {
	return h.d.Journal.Ticket(h.d.Actor, heloc.OpReassign, app, "undo")
}

// Takers finds who may take leads of this person's company, and what is known of their
// licences where the properties of those leads lie that the person may see.
func (h *HandOvers) Takers(ctx context.Context, typed string, apps []string) (Found, error) {
	if err := h.d.may(access.ReassignLead); err != nil {
		return Found{}, err
	}
	found, err := h.d.find(ctx, typed, func(ctx context.Context) ([]store.Originator, error) {
		all, err := h.d.colleagues(ctx, h.d.Actor.BrokerID, h.d.Actor.Organization)
		return slices.DeleteFunc(all, func(o store.Originator) bool { return o.GoneAt != 0 }), err
	})
	if err != nil {
		return found, err
	}
	ids := make([]heloc.AppID, len(apps))
	for i, app := range apps {
		ids[i] = heloc.AppID(app)
	}
	leads, err := h.d.Store.LeadsAmong(ctx, h.d.Actor.Scope(), ids)
	if err != nil {
		return found, err
	}
	states := make([]string, len(leads))
	for i, l := range leads {
		states[i] = l.State
	}
	found.Licences, err = h.d.licencesIn(ctx, found.People, states)
	return found, err
}

// Planned is one lead of a run before anything is sent.
type Planned struct {
	App     heloc.AppID
	ShortID string
	Name    heloc.Name // empty for a lead out of reach
	Owner   string
	Why     string // why it cannot be handed over; empty when it can
	State   string // where the property lies, when nobody knows whether the taker may act there
}

// Check says of each lead whether it could be handed over. Nothing is sent. With no
// taker yet it says which leads could be handed over at all.
func (h *HandOvers) Check(ctx context.Context, apps []string, to string) ([]Planned, error) {
	if err := h.d.may(access.ReassignLead); err != nil {
		return nil, err
	}
	taker, err := h.taker(ctx, to)
	if err != nil {
		return nil, err
	}
	plan := make([]Planned, 0, len(apps))
	for _, app := range apps {
		p, err := h.plan(ctx, app, taker)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(plan, func(other Planned) bool { return other.App == p.App && p.App != "" }) {
			plan = append(plan, p)
		}
	}
	return plan, nil
}

// taker reads the new originator from the directory; nil when none was chosen.
func (h *HandOvers) taker(ctx context.Context, to string) (*store.Originator, error) {
	if to == "" {
		return nil, nil
	}
	id, err := heloc.ParseOriginatorID(to)
	if err != nil {
		return nil, wrongTaker("Choose who takes them")
	}
	o, err := h.d.Store.Originator(ctx, id)
	if fault.KindOf(err) == fault.NotFound || err == nil && store.CompanyOf(o.BrokerID, o.Organization) != h.d.company() {
		return nil, wrongTaker("Choose somebody of the same organization and broker company")
	}
	return &o, err
}

func (h *HandOvers) plan(ctx context.Context, app string, to *store.Originator) (Planned, error) {
	l, err := h.d.Lead(ctx, app)
	if fault.KindOf(err) == fault.NotFound {
		id, _ := heloc.ParseAppID(app)
		return Planned{App: id, Why: anotherWord}, nil
	}
	if err != nil {
		return Planned{}, err
	}
	p := Planned{App: l.row.App, ShortID: l.row.ShortID, Name: l.Name}
	if o, err := h.d.Store.Originator(ctx, l.row.Originator); err == nil {
		p.Owner = o.Name()
	}
	unknown, err := h.d.Store.UnknownOperations(ctx, l.row.App)
	if err != nil {
		return p, err
	}
	if slices.ContainsFunc(unknown, func(op store.Operation) bool { return op.Kind == heloc.OpReassign }) {
		p.Why = "It is not known yet whether its last hand-over has arrived"
	}
	if to != nil && p.Why == "" {
		p.Why = takes(l.row, *to)
		held, err := licensed(ctx, h.d.Store, string(to.UUID), l.row.State)
		if err != nil {
			return p, err
		}
		if held == LicenceMissing && p.Why == "" {
			p.Why = unlicensed
		}
		if held == LicenceUnknown && p.Why == "" {
			p.State = l.row.State
		}
	}
	return p, nil
}

// Many are leads that are to be handed over together.
type Many struct {
	Key  string // made when the form was shown: the same form again is the same run
	Apps []string
	To   string
	Line string
}

// runAlong is what a run keeps sealed.
type runAlong struct {
	Line string `json:"line"`
	From string `json:"from,omitempty"` // whose leads they were, when they have left
}

func placeOfRun(id string) vault.Place {
	return vault.Place{Table: "jobs", Row: id, Column: "sealed"}
}

// Key makes the key of a form.
func (h *HandOvers) Key() string { return ulid.Make().String() }

// Begin starts a run: background work in this person's name, whose right is asked again
// for each lead. Leads that cannot go are in it with the reason.
func (h *HandOvers) Begin(ctx context.Context, m Many) (id string, err error) {
	if err := h.d.may(access.ReassignLead); err != nil {
		return "", err
	}
	if m.Key == "" {
		m.Key = h.Key()
	}
	if _, err := ulid.ParseStrict(m.Key); err != nil {
		return "", fault.New(fault.Invalid, "This form has lost its number. Nothing was sent. Choose the leads again.")
	}
	if _, err := h.d.Store.Job(ctx, h.d.seat(), m.Key); err == nil {
		return m.Key, nil // the same form again
	}
	line, err := lineOf(m.Line)
	if err != nil {
		return "", err
	}
	if to, err := h.taker(ctx, m.To); to == nil {
		if err == nil {
			err = wrongTaker("Choose who takes them")
		}
		return "", err
	}
	if len(m.Apps) == 0 || len(m.Apps) > manyLeads {
		return "", fault.InvalidFields(fault.Field{Name: "app", Message: "Choose between one and 200 leads"})
	}
	plan, err := h.Check(ctx, m.Apps, m.To)
	if err != nil {
		return "", err
	}
	return m.Key, h.keep(ctx, m, line, plan)
}

func (h *HandOvers) keep(ctx context.Context, m Many, line string, plan []Planned) error {
	sealed, err := vault.SealJSON(h.d.Vault, placeOfRun(m.Key), runAlong{Line: line})
	if err != nil {
		return err
	}
	to, err := heloc.ParseOriginatorID(m.To)
	if err != nil {
		return wrongTaker("Choose who takes them")
	}
	job := store.Job{
		ID: m.Key, Kind: store.JobReassign, ActorID: h.d.Actor.UserID, Company: h.d.company(), Target: to, Sealed: sealed,
		CreatedAt: store.Millis(h.d.Now()),
	}
	rows := make([]store.JobRow, len(plan))
	for i, p := range plan {
		rows[i] = store.JobRow{JobID: m.Key, N: i, App: p.App, ShortID: p.ShortID, State: store.RowWaiting}
		if p.Why != "" {
			rows[i].State, rows[i].Reason = store.RowStopped, p.Why
		}
	}
	return h.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.AddJob(ctx, job, rows); err != nil {
			return err
		}
		return tx.Audit(ctx, store.Audited{
			At: job.CreatedAt, ActorID: h.d.Actor.UserID, Company: h.d.company(), Action: store.ActHandOverMany, Object: "job:" + m.Key,
			Outcome: "begun", Detail: "to:" + string(to),
		})
	})
}

// RunStub is a run in one line.
type RunStub struct {
	ID     string
	ToName string
	Leads  int
	At     int64
}

// Runs are the last runs of this person, newest first.
func (h *HandOvers) Runs(ctx context.Context) ([]RunStub, error) {
	if err := h.d.may(access.ReassignLead); err != nil {
		return nil, err
	}
	jobs, err := h.d.Store.JobsOf(ctx, h.d.seat(), h.d.Now().Add(-stubsFor), runsShown)
	if err != nil {
		return nil, err
	}
	runs := make([]RunStub, len(jobs))
	for i, job := range jobs {
		runs[i] = RunStub{ID: job.ID, At: job.CreatedAt}
		if o, err := h.d.Store.Originator(ctx, job.Target); err == nil {
			runs[i].ToName = o.Name()
		}
		if runs[i].Leads, err = h.d.Store.JobSize(ctx, job.ID); err != nil {
			return nil, err
		}
	}
	return runs, nil
}
