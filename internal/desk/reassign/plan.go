package reassign

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// BulkReassignRequest is a form that reassigns several leads.
type BulkReassignRequest struct {
	FormKey   string // made when the form was rendered: the same form sent again is the same run
	Apps      []string
	Assignees []string          // the new originators; without one, a plan only shows the leads
	Split     Split             // how the leads are divided among several
	Choices   map[string]string // by lead: the one of the new originators that a user chose for it
	Note      string
	Cap       int // the most open leads that a new originator may have afterwards; 0 for no cap
}

// PlannedLead is one lead of a run, checked before anything is sent.
type PlannedLead struct {
	lead.PipelineRow        // for a lead that the user cannot access, only its App
	Problem          string // why it is not reassigned; empty when it is
	To               heloc.OriginatorID
	ToName           string
	Chosen           bool // a user chose who gets it; otherwise the split did
	// of the new originator in the property's state; lead.LicenseHeld while the state is unknown
	License   lead.LicenseStatus
	NoAccount bool // the new originator has no account
}

// Plan is what a run would do.
type Plan struct {
	Leads     []PlannedLead
	Assignees []heloc.OriginatorID // in the order in which they were chosen
	Split     Split
	facts     core.CandidateFacts
	returnAt  int64 // when the leads go back; 0 when they do not
}

// Fingerprints identify what a user asked for, and what would happen. A form whose request is the same but whose
// outcome differs was rendered before something changed.
func (p Plan) Fingerprints() (request, outcome string) {
	var asked, planned strings.Builder
	asked.WriteString(string(p.Split))
	for _, id := range p.Assignees {
		asked.WriteString(" " + string(id))
	}
	for _, l := range p.Leads {
		asked.WriteString(" " + string(l.App))
		if l.Chosen {
			asked.WriteString("=" + string(l.To))
		}
		planned.WriteString(string(l.App) + "=" + string(l.To) + " ")
	}
	return digestOf(asked.String()), digestOf(planned.String())
}

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// Plan reports what would happen to each lead. It sends nothing. Without an assignee it reports which leads could be
// reassigned at all.
func (b *Bulk) Plan(ctx context.Context, req BulkReassignRequest) (Plan, error) {
	if err := b.d.May(access.ReassignLead); err != nil {
		return Plan{}, err
	}
	facts, err := b.d.CandidateFacts(ctx)
	if err != nil {
		return Plan{}, err
	}
	return b.planWith(ctx, req, facts)
}

func (b *Bulk) planWith(ctx context.Context, req BulkReassignRequest, facts core.CandidateFacts) (
	plan Plan, err error) {
	plan = Plan{Split: req.Split, facts: facts}
	if plan.Leads, err = b.selectedLeads(ctx, req.Apps, facts); err != nil {
		return plan, err
	}
	split, err := newSplitter(req, facts)
	if err != nil {
		return plan, err
	}
	if plan.Split = split.how; len(split.people) > 0 {
		plan.divide(split, req.Choices)
	}
	for _, p := range split.people {
		plan.Assignees = append(plan.Assignees, p.UUID)
	}
	return plan, nil
}

// newSplitter finds the people among whom the leads are divided, in the order of the request.
func newSplitter(req BulkReassignRequest, facts core.CandidateFacts) (*splitter, error) {
	s := &splitter{how: req.Split, licenses: facts.Licenses}
	if !slices.Contains(Splits(), s.how) || s.how == SplitLoad && !facts.Team {
		s.how = SplitEven
	}
	for _, typed := range req.Assignees {
		id, err := heloc.ParseOriginatorID(typed)
		if err != nil {
			return nil, lead.AssigneeError("Choose an originator")
		}
		o, known := facts.Person(id)
		if !known {
			return nil, lead.AssigneeError("Choose an originator at the same broker company")
		}
		if s.index(id) < 0 {
			a, open := facts.Available[id], facts.Open[id]
			s.people = append(s.people, splitPerson{Originator: o, open: open, noAccount: !a.HasAccount,
				closed: a.Disabled || a.NoLeads, absent: a.Absence != nil, full: req.Cap > 0 && open >= req.Cap,
				most: max(0, req.Cap-open)})
		}
	}
	return s, nil
}

// divide decides who gets each lead that can be reassigned.
func (p *Plan) divide(s *splitter, choices map[string]string) {
	var rows []lead.Row
	var at, chosen []int
	for i, l := range p.Leads {
		if l.Problem != "" {
			continue
		}
		to := s.index(heloc.OriginatorID(choices[string(l.App)]))
		if to >= 0 && (lead.AssigneeProblem(*l.Row, s.people[to].Originator) != "" || s.people[to].closed ||
			s.status(to, *l.Row) == lead.LicenseMissing || !s.hasRoom(to, chosen)) {
			to = -1
		}
		rows, at, chosen = append(rows, *l.Row), append(at, i), append(chosen, to)
	}
	for n, to := range s.divide(rows, chosen) {
		l := &p.Leads[at[n]]
		if to < 0 {
			l.Problem = s.whyNobody(*l.Row)
			continue
		}
		l.To, l.ToName, l.Chosen = s.people[to].UUID, s.people[to].Name(), chosen[n] >= 0
		l.License, l.NoAccount = s.status(to, *l.Row), s.people[to].noAccount
	}
}

// hasRoom reports whether a person can get one more lead besides those that were chosen for them.
func (s *splitter) hasRoom(at int, chosen []int) bool {
	p, n := s.people[at], 0
	for _, to := range chosen {
		if to == at {
			n++
		}
	}
	return !p.full && (p.most == 0 || n < p.most)
}

// selectedLeads reads the selected leads in their order, each once.
func (b *Bulk) selectedLeads(ctx context.Context, apps []string, facts core.CandidateFacts) ([]PlannedLead, error) {
	ids := make([]heloc.AppID, 0, len(apps))
	for _, app := range apps {
		id, err := heloc.ParseAppID(app)
		if err != nil {
			id = ""
		}
		if id == "" || !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	rows, err := b.d.Store.LeadsAmong(ctx, b.d.Actor.Scope().Own(), ids)
	if err != nil {
		return nil, err
	}
	unconfirmed, err := b.unconfirmed(ctx, ids)
	if err != nil {
		return nil, err
	}
	known := make(map[heloc.AppID]lead.Row, len(rows))
	for _, row := range rows {
		known[row.App] = row
	}
	leads := make([]PlannedLead, len(ids))
	for i, id := range ids {
		row, found := known[id]
		if !found {
			leads[i] = PlannedLead{PipelineRow: lead.PipelineRow{Row: &lead.Row{App: id}}, Problem: leadNotFoundMessage}
			continue
		}
		name, err := b.d.BorrowerName(row.App, row.Borrower)
		if err != nil {
			return nil, err
		}
		owner, _ := facts.Person(row.Originator)
		leads[i] = PlannedLead{PipelineRow: lead.PipelineRow{Row: &row, Name: name, Originator: owner.Name()}}
		if slices.Contains(unconfirmed, id) {
			leads[i].Problem = "Its last reassignment isn’t confirmed yet"
		}
	}
	return leads, nil
}

// unconfirmed lists the leads whose last reassignment has an unknown outcome.
func (b *Bulk) unconfirmed(ctx context.Context, apps []heloc.AppID) (found []heloc.AppID, err error) {
	unknown, err := b.d.Store.UnknownAmong(ctx, apps)
	if err != nil {
		return nil, err
	}
	for _, app := range unknown {
		ops, err := b.d.Store.UnknownOperations(ctx, app)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(ops, isUnconfirmed) {
			found = append(found, app)
		}
	}
	return found, nil
}

// isUnconfirmed reports whether an operation is a reassignment that the lender may have received.
func isUnconfirmed(op lead.Operation) bool {
	return op.Kind == heloc.OpReassign && op.State == lead.OpUnknown
}

// Select lists the leads of a list on all of its pages, or of a search. total counts them, up to lead.CountLimit. A
// list with more than lead.MaxBulkLeads leads is too large for one run: apps is empty then.
func (b *Bulk) Select(ctx context.Context, q lead.Query, typed string) (apps []string, total int, err error) {
	if err := b.d.May(access.ReassignLead); err != nil {
		return nil, 0, err
	}
	if err := b.d.May(access.SeePipeline); err != nil {
		return nil, 0, err
	}
	list := b.d.LeadList()
	q.After, q.Limit = "", lead.MaxBulkLeads
	rows, next, err := list.Leads(ctx, q, typed)
	if err != nil {
		return nil, 0, err
	}
	if next != "" && strings.TrimSpace(typed) != "" {
		return nil, lead.CountLimit, nil // a search does not count its matches
	}
	if next != "" {
		total, err = b.d.Store.CountLeads(ctx, list.Scope, q, lead.CountLimit)
		return nil, total, err
	}
	apps = make([]string, len(rows))
	for i, row := range rows {
		apps[i] = string(row.App)
	}
	return apps, len(apps), nil
}

// Gets counts how many leads an originator would get.
func (p Plan) Gets(id heloc.OriginatorID) int {
	return p.count(func(l PlannedLead) bool { return l.To == id })
}

// Movable counts the leads that can be reassigned.
func (p Plan) Movable() int {
	n := 0
	for _, l := range p.Leads {
		if l.Problem == "" {
			n++
		}
	}
	return n
}

// Unlicensed counts the leads whose new originator has no license on file in the property's state.
func (p Plan) Unlicensed() int {
	return p.count(func(l PlannedLead) bool { return l.License != lead.LicenseHeld })
}

// WithoutAccount counts the leads whose new originator has no account.
func (p Plan) WithoutAccount() int {
	return p.count(func(l PlannedLead) bool { return l.NoAccount })
}

// count counts the leads that somebody gets and that fit.
func (p Plan) count(fits func(l PlannedLead) bool) (n int) {
	for _, l := range p.Leads {
		if l.To != "" && fits(l) {
			n++
		}
	}
	return n
}
