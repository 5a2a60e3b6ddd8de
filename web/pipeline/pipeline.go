package pipeline

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	pageview "hearthline/views/page"
	view "hearthline/views/pipeline"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/page"
)

// LeadsPage shows the pipeline. All of its state is in the URL.
func (s *Handlers) LeadsPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.renderLeads(w, r, d, listOutcome{})
}

// listOutcome is an error to show with the list, after an id could not be adopted.
type listOutcome struct {
	adoptError string
	status     int
}

func (s *Handlers) renderLeads(w http.ResponseWriter, r *http.Request, d page.Desk, outcome listOutcome) error {
	v := s.Viewer(r)
	facts, unsettled, err := loadPipeline(r.Context(), d, ParseLeadsQuery(r), v)
	if err != nil {
		return err
	}
	model := presentPipeline(v, facts)
	model.Page = s.Layout(r, "Leads")
	model.Page.IsList = true
	model.Page.Query = facts.query.Q
	if model.CanReassign = d.Actor.Can(access.ReassignLead) && !v.Base.Embedded(); model.CanReassign {
		if model.RecentReassignments, err = recentReassignments(r.Context(), d, v); err != nil {
			return err
		}
		for i := range model.Rows {
			model.Rows[i].Selectable = true
		}
	}
	if canExport(d, v) {
		model.CSVURL = v.Base.LeadsCSV(facts.query.AfterKey(""))
	}
	model.CanNew, model.CanAdd = d.Actor.Can(access.PrepareDraft), d.Actor.Can(access.AnnotateLead)
	if outcome.adoptError != "" {
		model.Page.Notices = append(model.Page.Notices, ui.Notice{Kind: "fail", Icon: "octagon-alert", Title: "Not added.", Text: outcome.adoptError, Role: "alert"})
	}
	for _, op := range unsettled {
		model.Page.Notices = append(model.Page.Notices, pageview.UnsettledNotice(v.Base, op.ID, string(op.Kind), format.SinceOf(op)))
	}
	status := max(outcome.status, http.StatusOK)
	if page.IsFragment(r) {
		return s.Render(w, r, status, view.PipelinePart(model))
	}
	return s.Render(w, r, status, view.Pipeline(model))
}

// loadPipeline loads what the list shows.
func loadPipeline(ctx context.Context, d page.Desk, q to.LeadsQuery, v format.Viewer) (f pipelineData, unsettled []lead.Operation, err error) {
	f.query, f.masked = q, d.Actor.VouchedByCRM
	p, err := d.Pipeline()
	if err != nil {
		return f, nil, err
	}
	if f.page, err = p.Page(ctx, leadQuery(q, v.Now), q.Q); err != nil {
		return f, nil, err
	}
	if f.updates, err = p.Updates(ctx); err != nil {
		return f, nil, err
	}
	if f.originators, err = originatorOptions(ctx, p, q.Originator); err != nil {
		return f, nil, err
	}
	if f.drafts, err = draftCount(ctx, d); err != nil {
		return f, nil, err
	}
	if q.After == "" && !q.Filtered() {
		if f.comingDates, err = p.Dates(ctx); err != nil {
			return f, nil, err
		}
	}
	unsettled, err = p.Unsettled(ctx)
	return f, unsettled, err
}

// leadQuery converts the query of the URL to a query of the desk.
func leadQuery(q to.LeadsQuery, now time.Time) lead.Query {
	query := lead.Query{
		StatusKey: StepFilter(q.Step, now), State: q.State, Originator: heloc.OriginatorID(q.Originator), Sort: lead.Sort(q.Sort), After: q.After,
	}
	if q.View != "all" {
		query.Lane = heloc.Lane(q.View)
	}
	return query
}

// originatorOptions lists the originators that a manager can filter by; it is nil for users who see
// only their own leads.
func originatorOptions(ctx context.Context, p *desk.Pipeline, chosen string) ([]ui.Option, error) {
	all, err := p.Originators(ctx)
	if err != nil || all == nil {
		return nil, err
	}
	pairs := [][2]string{{"", "All originators"}}
	for _, o := range all {
		pairs = append(pairs, [2]string{string(o.UUID), o.Name()})
	}
	return ui.Choices(chosen, pairs...), nil
}

// recentReassignments returns the user's recent reassignments.
func recentReassignments(ctx context.Context, d page.Desk, v format.Viewer) (view.RecentReassignmentsView, error) {
	reassignments, err := d.BulkReassignments()
	if err != nil {
		return view.RecentReassignmentsView{}, err
	}
	recent, err := reassignments.Recent(ctx)
	if err != nil {
		return view.RecentReassignmentsView{}, err
	}
	runs, err := reassignments.Runs(ctx)
	return presentRecentReassignments(v, recent, runs, reassignments.NewUndoOperationID), err
}

func draftCount(ctx context.Context, d page.Desk) (int, error) {
	drafts, err := d.Drafts()
	if err != nil {
		return 0, nil // a user who may not prepare drafts has none
	}
	return drafts.Count(ctx)
}

// ParseLeadsQuery parses the query of the URL. An unknown lane becomes the default lane, or all
// lanes if the query has filters.
func ParseLeadsQuery(r *http.Request) to.LeadsQuery {
	params := r.URL.Query()
	q := to.LeadsQuery{
		View: params.Get("view"), Q: searchText(params.Get("q")), Step: params.Get("step"), State: strings.ToUpper(params.Get("state")),
		Originator: params.Get("originator"), Sort: params.Get("sort"), After: params.Get("after"),
	}
	if !slices.ContainsFunc(words.Lanes(), func(l words.Lane) bool { return l.Key == q.View }) {
		q.View = string(heloc.LaneToday)
		if q.Filtered() {
			q.View = "all"
		}
	}
	return q
}

// MarkUpdatesSeen records that the user has seen the updates.
func (s *Handlers) MarkUpdatesSeen(w http.ResponseWriter, r *http.Request, p *desk.Pipeline) error {
	if err := p.MarkUpdatesSeen(r.Context()); err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Leads(to.LeadsQuery{}))
}

// AdoptLead adds an inquiry that exists at the lender, by its id.
func (s *Handlers) AdoptLead(w http.ResponseWriter, r *http.Request, p *desk.Pipeline) error {
	app, err := p.Adopt(r.Context(), page.Posted(r).Get("appUuid"))
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		return s.renderLeads(w, r, page.VisitOf(r).Desk, listOutcome{adoptError: fields[0].Message + ".", status: http.StatusUnprocessableEntity})
	}
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Lead(string(app)))
}

// maxSearchLength limits the text in the search box in characters. A search is a few words.
const maxSearchLength = 100

func searchText(typed string) string {
	runes := []rune(strings.TrimSpace(strings.ToValidUTF8(typed, "")))
	return string(runes[:min(len(runes), maxSearchLength)])
}
