package lead

import (
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// leadTab shows one tab of a lead. A look at the whole page is remembered, so that
// what comes later is news; a page that refreshes itself looks at nothing.
func (s *Handlers) LeadTab(tab to.Tab) func(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	return func(w http.ResponseWriter, r *http.Request, l page.Lead) error {
		facts, err := s.factsOf(r, l)
		if err != nil {
			return err
		}
		facts.tab, facts.ask = tab, ParseAsk(r.URL.Query())
		if tab == to.Activity && l.Can(access.SeeOpenings) {
			if facts.openings, err = l.Openings(r.Context()); err != nil {
				return err
			}
		}
		if err := s.showWorkspace(w, r, http.StatusOK, facts); err != nil || page.Fragment(r) || r.Method == http.MethodHead {
			return err
		}
		return s.looked(r, l, tab)
	}
}

// looked notes the look. The page is with the person already: a note that fails is
// for the log alone.
func (s *Handlers) looked(r *http.Request, l page.Lead, tab to.Tab) error {
	err := l.Looked(r.Context(), false)
	if err == nil && tab == to.Documents {
		err = l.Looked(r.Context(), true)
	}
	if err != nil {
		page.TrailOf(r).Note("look", "not noted")
	}
	return nil
}

func (s *Handlers) factsOf(r *http.Request, l page.Lead) (LeadFacts, error) {
	view, err := l.View(r.Context())
	if err != nil {
		return LeadFacts{}, err
	}
	received, err := l.Received(r.Context())
	return LeadFacts{
		View: view, received: received, quoted: func(ask *OffersAsk) (Supply, error) { return s.supplyOf(r, l, view, ask) },
		Can: l.Can, Ticket: l.Ticket, own: l.OwnReference(), takes: l.TakesAttribution,
	}, err
}

// handBack shows the page that a form belongs to, with the form as it was typed and
// what is wrong with it.
func (s *Handlers) HandBack(w http.ResponseWriter, r *http.Request, l page.Lead, a page.Attempt) error {
	facts, err := s.factsOf(r, l)
	if err != nil {
		return err
	}
	facts.attempt, facts.tab = &a, to.Overview
	if a.Act == string(heloc.OpSetAttributions) {
		facts.tab = to.History
	}
	if a.Act == string(heloc.OpSelectOffer) {
		facts.ask = ParseAsk(a.Form.Values)
		facts.ask.askLess(facts.View.Details.App.Underwriting.Offers)
		if facts.View.Row.Stand != heloc.StandOffers {
			facts.tab = to.Offers
		}
	}
	return s.showWorkspace(w, r, a.Status, facts)
}

func (s *Handlers) showWorkspace(w http.ResponseWriter, r *http.Request, status int, f LeadFacts) error {
	v := s.Viewer(r)
	var err error
	if f.tab == to.Offers || f.tab == to.Overview && f.View.Row.Stand == heloc.StandOffers {
		if f.supply, err = f.quoted(&f.ask); err != nil {
			return err
		}
	}
	view := showLead(v, f)
	if view.Stand, err = page.RecordStand(r); err != nil {
		return err
	}
	title := view.Head.Chip.Label + " · " + view.Head.Name
	view.Page = s.Frame(r, title)
	if f.attempt != nil && f.attempt.Carried {
		view.Page.Notices = append(view.Page.Notices, page.CarriedNotice())
	}
	if f.open != nil {
		view.Page.Leave = page.BaseOf(r).Lead(view.App)
	}
	if page.Fragment(r) {
		return s.Show(w, r, status, partOf(r, title, view))
	}
	return s.Show(w, r, status, views.Workspace(view))
}

// partOf is the part that htmx has a place for: the grid, the borrower, or else the whole lead with
// the page's title, so that an open tab tells the news.
func partOf(r *http.Request, title string, view views.WorkspaceView) templ.Component {
	switch _, id, _ := strings.Cut(r.Header.Get("HX-Target"), "#"); id {
	case "offers":
		return views.OffersPart(view)
	case views.BorrowerPartID:
		return views.BorrowerPart(view)
	}
	return templ.Join(ui.FragmentTitle(title), views.WorkspacePart(view))
}
