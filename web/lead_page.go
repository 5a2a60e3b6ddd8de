package web

import (
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// leadTab shows one tab of a lead. A look at the whole page is remembered, so that
// what comes later is news; a page that refreshes itself looks at nothing.
func (s *Server) leadTab(tab to.Tab) func(w http.ResponseWriter, r *http.Request, l Lead) error {
	return func(w http.ResponseWriter, r *http.Request, l Lead) error {
		facts, err := s.factsOf(r, l)
		if err != nil {
			return err
		}
		facts.tab, facts.ask = tab, parseAsk(r.URL.Query())
		if tab == to.Activity && l.Can(access.SeeOpenings) {
			if facts.openings, err = l.Openings(r.Context()); err != nil {
				return err
			}
		}
		if err := s.showWorkspace(w, r, http.StatusOK, facts); err != nil || fragment(r) || r.Method == http.MethodHead {
			return err
		}
		return s.looked(r, l, tab)
	}
}

// looked notes the look. The page is with the person already: a note that fails is
// for the log alone.
func (s *Server) looked(r *http.Request, l Lead, tab to.Tab) error {
	err := l.Looked(r.Context(), false)
	if err == nil && tab == to.Documents {
		err = l.Looked(r.Context(), true)
	}
	if err != nil {
		trailOf(r).note("look", "not noted")
	}
	return nil
}

func (s *Server) factsOf(r *http.Request, l Lead) (leadFacts, error) {
	view, err := l.View(r.Context())
	if err != nil {
		return leadFacts{}, err
	}
	received, err := l.Received(r.Context())
	return leadFacts{
		view: view, received: received, quoted: func(ask *offersAsk) (supply, error) { return s.supplyOf(r, l, view, ask) },
		can: l.Can, ticket: l.Ticket, own: l.OwnReference(), takes: l.TakesAttribution,
	}, err
}

// handBack shows the page that a form belongs to, with the form as it was typed and
// what is wrong with it.
func (s *Server) handBack(w http.ResponseWriter, r *http.Request, l Lead, a attempt) error {
	facts, err := s.factsOf(r, l)
	if err != nil {
		return err
	}
	facts.attempt, facts.tab = &a, to.Overview
	if a.act == string(heloc.OpSetAttributions) {
		facts.tab = to.History
	}
	if a.act == string(heloc.OpSelectOffer) {
		facts.ask = parseAsk(a.form.values)
		facts.ask.askLess(facts.view.Details.App.Underwriting.Offers)
		if facts.view.Row.Stand != heloc.StandOffers {
			facts.tab = to.Offers
		}
	}
	return s.showWorkspace(w, r, a.status, facts)
}

func (s *Server) showWorkspace(w http.ResponseWriter, r *http.Request, status int, f leadFacts) error {
	v := s.viewer(r)
	var err error
	if f.tab == to.Offers || f.tab == to.Overview && f.view.Row.Stand == heloc.StandOffers {
		if f.supply, err = f.quoted(&f.ask); err != nil {
			return err
		}
	}
	view := v.showLead(f)
	if view.Stand, err = recordStand(r); err != nil {
		return err
	}
	title := view.Head.Chip.Label + " · " + view.Head.Name
	view.Page = s.frame(r, title)
	if f.attempt != nil && f.attempt.carried {
		view.Page.Notices = append(view.Page.Notices, carriedNotice())
	}
	if f.open != nil {
		view.Page.Leave = baseOf(r).Lead(view.App)
	}
	if fragment(r) {
		return s.show(w, r, status, partOf(r, title, view))
	}
	return s.show(w, r, status, views.Workspace(view))
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
