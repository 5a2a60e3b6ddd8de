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
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/page"
)

// LeadsPage is the pipeline. All of its state stands in the address.
func (s *Handlers) LeadsPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.renderLeads(w, r, d, listOutcome{})
}

// listOutcome is what besides the address decides a list: an id that could not be adopted.
type listOutcome struct {
	adoptError string
	status     int
}

func (s *Handlers) renderLeads(w http.ResponseWriter, r *http.Request, d page.Desk, l listOutcome) error {
	v := s.Viewer(r)
	facts, unsettled, err := loadPipeline(r.Context(), d, ParseLeadsQuery(r), v)
	if err != nil {
		return err
	}
	view := presentPipeline(v, facts)
	view.Page = s.Layout(r, "Leads")
	view.Page.IsList = true
	view.Page.Query = facts.query.Q
	if view.CanReassign = d.Actor.Can(access.ReassignLead) && !v.Base.Embedded(); view.CanReassign {
		if view.RecentReassignments, err = recentReassignments(r.Context(), d, v); err != nil {
			return err
		}
		for i := range view.Rows {
			view.Rows[i].Selectable = true
		}
	}
	if canExport(d, v) {
		view.CSVURL = v.Base.LeadsCSV(facts.query.AfterKey(""))
	}
	view.CanNew, view.CanAdd = d.Actor.Can(access.PrepareDraft), d.Actor.Can(access.AnnotateLead)
	if l.adoptError != "" {
		view.Page.Notices = append(view.Page.Notices, ui.Notice{Kind: "fail", Icon: "octagon-alert", Title: "Not added.", Text: l.adoptError, Role: "alert"})
	}
	if since := d.LenderDownSince(); !since.IsZero() {
		view.Page.Notices = append(view.Page.Notices, views.LenderDownNotice(v.SinceText(since)))
	}
	for _, op := range unsettled {
		view.Page.Notices = append(view.Page.Notices, views.UnsettledNotice(v.Base, op.ID, string(op.Kind), format.SinceOf(op)))
	}
	status := max(l.status, http.StatusOK)
	if page.IsFragment(r) {
		return s.Render(w, r, status, views.PipelinePart(view))
	}
	return s.Render(w, r, status, views.Pipeline(view))
}

// loadPipeline reads what a list shows.
func loadPipeline(ctx context.Context, d page.Desk, q to.LeadsQuery, v format.Viewer) (f pipelineData, unsettled []desk.Operation, err error) {
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

// leadQuery is the state of the address as the desk is asked.
func leadQuery(q to.LeadsQuery, now time.Time) desk.LeadQuery {
	ask := desk.LeadQuery{
		StatusKey: StepFilter(q.Step, now), State: q.State, Originator: heloc.OriginatorID(q.Originator), Sort: desk.Sort(q.Sort), After: q.After,
	}
	if q.View != "all" {
		ask.Lane = heloc.Lane(q.View)
	}
	return ask
}

// originatorOptions are the choices of a manager; nil for who sees their own leads alone.
func originatorOptions(ctx context.Context, p *desk.Pipeline, chosen string) ([]ui.Option, error) {
	all, err := p.Originators(ctx)
	if err != nil || all == nil {
		return nil, err
	}
	pairs := [][2]string{{"", "Everybody"}}
	for _, o := range all {
		pairs = append(pairs, [2]string{string(o.UUID), o.Name()})
	}
	return ui.Choices(chosen, pairs...), nil
}

// recentReassignments is what the person handed on lately.
func recentReassignments(ctx context.Context, d page.Desk, v format.Viewer) (views.RecentReassignmentsView, error) {
	hand, err := d.BulkReassignments()
	if err != nil {
		return views.RecentReassignmentsView{}, err
	}
	recent, err := hand.Recent(ctx)
	if err != nil {
		return views.RecentReassignmentsView{}, err
	}
	runs, err := hand.Runs(ctx)
	return presentRecentReassignments(v, recent, runs, hand.NewUndoOperationID), err
}

func draftCount(ctx context.Context, d page.Desk) (int, error) {
	drafts, err := d.Drafts()
	if err != nil {
		return 0, nil // who prepares no drafts has none
	}
	return drafts.Count(ctx)
}

// ParseLeadsQuery reads the address. What it does not know is the list as it opens, and a
// search that names no lane looks through all of them.
func ParseLeadsQuery(r *http.Request) to.LeadsQuery {
	in := r.URL.Query()
	q := to.LeadsQuery{
		View: in.Get("view"), Q: searchText(in.Get("q")), Step: in.Get("step"), State: strings.ToUpper(in.Get("state")),
		Originator: in.Get("originator"), Sort: in.Get("sort"), After: in.Get("after"),
	}
	if !slices.ContainsFunc(words.Lanes(), func(l words.Lane) bool { return l.Key == q.View }) {
		q.View = string(heloc.LaneToday)
		if q.Filtered() {
			q.View = "all"
		}
	}
	return q
}

// MarkUpdatesSeen notes that the person has seen the news.
func (s *Handlers) MarkUpdatesSeen(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	p, err := d.Pipeline()
	if err != nil {
		return err
	}
	if err := p.MarkUpdatesSeen(r.Context()); err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Leads(to.LeadsQuery{}))
}

// AdoptLead takes in an inquiry that stands at the lender, by its id.
func (s *Handlers) AdoptLead(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	p, err := d.Pipeline()
	if err != nil {
		return err
	}
	app, err := p.Adopt(r.Context(), page.Posted(r).Get("appUuid"))
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		return s.renderLeads(w, r, d, listOutcome{adoptError: fields[0].Message + ".", status: http.StatusUnprocessableEntity})
	}
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Lead(string(app)))
}

// maxSearchLength bounds what comes back in the search box: a search is a few words.
const maxSearchLength = 100

func searchText(typed string) string {
	runes := []rune(strings.TrimSpace(strings.ToValidUTF8(typed, "")))
	return string(runes[:min(len(runes), maxSearchLength)])
}
