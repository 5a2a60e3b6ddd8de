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

// leadsPage is the pipeline. All of its state stands in the address.
func (s *Handlers) LeadsPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.listLeads(w, r, d, listing{})
}

// listing is what besides the address decides a list: an id that could not be adopted.
type listing struct {
	refused string
	status  int
}

func (s *Handlers) listLeads(w http.ResponseWriter, r *http.Request, d page.Desk, l listing) error {
	v := s.Viewer(r)
	facts, unsettled, err := pipelineOf(r.Context(), d, ParseLeads(r), v)
	if err != nil {
		return err
	}
	view := showPipeline(v, facts)
	view.Page = s.Frame(r, "Leads")
	view.Page.List = true
	view.Page.Query = facts.query.Q
	if view.CanHand = d.Actor.Can(access.ReassignLead) && !v.Base.Embedded(); view.CanHand {
		if view.Handed, err = handedBy(r.Context(), d, v); err != nil {
			return err
		}
		for i := range view.Rows {
			view.Rows[i].Pick = true
		}
	}
	if mayExport(d, v) {
		view.CSV = v.Base.LeadsCSV(facts.query.From(""))
	}
	view.CanNew, view.CanAdd = d.Actor.Can(access.PrepareDraft), d.Actor.Can(access.AnnotateLead)
	if l.refused != "" {
		view.Page.Notices = append(view.Page.Notices, ui.Notice{Kind: "fail", Icon: "octagon-alert", Title: "Not added.", Text: l.refused, Role: "alert"})
	}
	if since := d.LenderDownSince(); !since.IsZero() {
		view.Page.Notices = append(view.Page.Notices, views.Silent(v.Since(since)))
	}
	for _, op := range unsettled {
		view.Page.Notices = append(view.Page.Notices, views.Unsettled(v.Base, op.ID, string(op.Kind), format.SinceOf(op)))
	}
	status := max(l.status, http.StatusOK)
	if page.Fragment(r) {
		return s.Show(w, r, status, views.PipelinePart(view))
	}
	return s.Show(w, r, status, views.Pipeline(view))
}

// pipelineOf reads what a list shows.
func pipelineOf(ctx context.Context, d page.Desk, q to.LeadsQuery, v format.Viewer) (f pipelineFacts, unsettled []desk.Operation, err error) {
	f.query, f.masked = q, d.Actor.Unconfirmed
	p, err := d.Pipeline()
	if err != nil {
		return f, nil, err
	}
	if f.page, err = p.Page(ctx, askOf(q, v.Now), q.Q); err != nil {
		return f, nil, err
	}
	if f.news, err = p.News(ctx); err != nil {
		return f, nil, err
	}
	if f.originators, err = originatorsOf(ctx, p, q.Originator); err != nil {
		return f, nil, err
	}
	if f.drafts, err = draftCount(ctx, d); err != nil {
		return f, nil, err
	}
	if q.After == "" && !q.Filtered() {
		if f.dates, err = p.Dates(ctx); err != nil {
			return f, nil, err
		}
	}
	unsettled, err = p.Unsettled(ctx)
	return f, unsettled, err
}

// askOf is the state of the address as the desk is asked.
func askOf(q to.LeadsQuery, now time.Time) desk.LeadQuery {
	ask := desk.LeadQuery{
		Stand: StepFilter(q.Step, now), State: q.State, Originator: heloc.OriginatorID(q.Originator), Sort: desk.Sort(q.Sort), After: q.After,
	}
	if q.View != "all" {
		ask.Lane = heloc.Lane(q.View)
	}
	return ask
}

// originatorsOf are the choices of a manager; nil for who sees their own leads alone.
func originatorsOf(ctx context.Context, p *desk.Pipeline, chosen string) ([]ui.Option, error) {
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

// handedBy is what the person handed on lately.
func handedBy(ctx context.Context, d page.Desk, v format.Viewer) (views.HandedView, error) {
	hand, err := d.HandOvers()
	if err != nil {
		return views.HandedView{}, err
	}
	recent, err := hand.Recent(ctx)
	if err != nil {
		return views.HandedView{}, err
	}
	runs, err := hand.Runs(ctx)
	return showHanded(v, recent, runs, hand.UndoTicket), err
}

func draftCount(ctx context.Context, d page.Desk) (int, error) {
	drafts, err := d.Drafts()
	if err != nil {
		return 0, nil // who prepares no drafts has none
	}
	return drafts.Count(ctx)
}

// parseLeads reads the address. What it does not know is the list as it opens, and a
// search that names no lane looks through all of them.
func ParseLeads(r *http.Request) to.LeadsQuery {
	in := r.URL.Query()
	q := to.LeadsQuery{
		View: in.Get("view"), Q: searched(in.Get("q")), Step: in.Get("step"), State: strings.ToUpper(in.Get("state")),
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

// caughtUp notes that the person has seen the news.
func (s *Handlers) CaughtUp(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	p, err := d.Pipeline()
	if err != nil {
		return err
	}
	if err := p.CatchUp(r.Context()); err != nil {
		return err
	}
	return page.Onward(w, r, page.BaseOf(r).Leads(to.LeadsQuery{}))
}

// adoptLead takes in an inquiry that stands at the lender, by its id.
func (s *Handlers) AdoptLead(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	p, err := d.Pipeline()
	if err != nil {
		return err
	}
	app, err := p.Adopt(r.Context(), page.Posted(r).Get("appUuid"))
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		return s.listLeads(w, r, d, listing{refused: fields[0].Message + ".", status: http.StatusUnprocessableEntity})
	}
	if err != nil {
		return err
	}
	return page.Onward(w, r, page.BaseOf(r).Lead(string(app)))
}

// mostSearched bounds what comes back in the search box: a search is a few words.
const mostSearched = 100

func searched(typed string) string {
	runes := []rune(strings.TrimSpace(strings.ToValidUTF8(typed, "")))
	return string(runes[:min(len(runes), mostSearched)])
}
