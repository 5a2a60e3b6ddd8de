package lead

import (
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/lead"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// LeadTab shows one tab of a lead. It records a view of a whole page, so that later changes count
// as updates; a page that refreshes itself is not a view.
func (s *Handlers) LeadTab(tab to.Tab) func(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	return func(w http.ResponseWriter, r *http.Request, l page.Lead) error {
		facts, err := s.loadLead(r, l)
		if err != nil {
			return err
		}
		facts.tab, facts.query = tab, ParseGridQuery(r.URL.Query())
		if tab == to.Activity && l.Can(access.SeeAccessLog) {
			if facts.accessLog, err = l.AccessLog(r.Context()); err != nil {
				return err
			}
		}
		if err := s.renderWorkspace(w, r, http.StatusOK, facts); err != nil || page.IsFragment(r) || r.Method == http.MethodHead {
			return err
		}
		return s.markViewed(r, l, tab)
	}
}

// markViewed records the view. The page is already sent, so an error is only logged.
func (s *Handlers) markViewed(r *http.Request, l page.Lead, tab to.Tab) error {
	err := l.SaveLastView(r.Context(), false)
	if err == nil && tab == to.Documents {
		err = l.SaveLastView(r.Context(), true)
	}
	if err != nil {
		page.RequestLogOf(r).AddAttr("last view", "not saved")
	}
	return nil
}

func (s *Handlers) loadLead(r *http.Request, l page.Lead) (Data, error) {
	model, err := l.View(r.Context())
	if err != nil {
		return Data{}, err
	}
	received, err := l.Received(r.Context())
	return Data{
		View: model, receivedReassignment: received, loadQuotes: func(query *GridQuery) (QuoteSet, error) { return s.loadQuotes(r, l, model, query) },
		Can: l.Can, NewOperationID: l.NewOperationID, ownReference: l.OwnReference(), acceptsAttribution: l.AcceptsAttribution,
	}, err
}

// Submit runs one write on a lead, and shows its form again unless it was accepted.
func (s *Handlers) Submit(w http.ResponseWriter, r *http.Request, l page.Lead, a page.SubmittedForm, run func() (lead.Operation, error)) error {
	return page.Submit(r, page.Write{
		SubmittedForm: a, Run: run, Redisplay: func(a page.SubmittedForm) error { return s.Redisplay(w, r, l, a) },
		Next: func(op lead.Operation) error {
			return page.NavigateTo(w, r, page.AfterWriteURL(page.BaseOf(r), op, l.App()))
		},
	})
}

// Redisplay shows the page that a form belongs to, with the values and the errors of the form.
func (s *Handlers) Redisplay(w http.ResponseWriter, r *http.Request, l page.Lead, a page.SubmittedForm) error {
	facts, err := s.loadLead(r, l)
	if err != nil {
		return err
	}
	facts.submitted, facts.tab = &a, to.Overview
	if a.Action == string(heloc.OpSetAttributions) {
		facts.tab = to.History
	}
	if a.Action == string(heloc.OpSelectOffer) {
		facts.query = ParseGridQuery(a.Form.Values)
		facts.query.askLess(facts.View.Details.App.Underwriting.Offers)
		if facts.View.Row.StatusKey != heloc.StatusOffers {
			facts.tab = to.Offers
		}
	}
	return s.renderWorkspace(w, r, a.Status, facts)
}

func (s *Handlers) renderWorkspace(w http.ResponseWriter, r *http.Request, status int, f Data) error {
	v := s.Viewer(r)
	var err error
	if f.tab == to.Offers || f.tab == to.Overview && f.View.Row.StatusKey == heloc.StatusOffers {
		if f.quotes, err = f.loadQuotes(&f.query); err != nil {
			return err
		}
	}
	model := presentLead(v, f)
	if model.StatusToken, err = page.RecordLeadStatus(r); err != nil {
		return err
	}
	title := model.Head.Chip.Label + " · " + model.Head.Name
	model.Page = s.Layout(r, title)
	if f.submitted != nil && f.submitted.FromEmbed {
		model.Page.Notices = append(model.Page.Notices, page.FromEmbedNotice())
	}
	if f.revealed != nil {
		model.Page.AutoLeaveURL = page.BaseOf(r).Lead(model.App)
	}
	if page.IsFragment(r) {
		return s.Render(w, r, status, workspaceFragment(r, title, model))
	}
	return s.Render(w, r, status, view.Workspace(model))
}

// workspaceFragment returns the part that htmx has a target for: the grid, the borrower, or
// otherwise the whole lead with the page's title, so that the browser tab shows the new status.
func workspaceFragment(r *http.Request, title string, model view.WorkspaceView) templ.Component {
	switch _, id, _ := strings.Cut(r.Header.Get("HX-Target"), "#"); id {
	case "offers":
		return view.OffersPart(model)
	case view.BorrowerPanelID:
		return view.BorrowerPanel(model)
	}
	return templ.Join(ui.FragmentTitle(title), view.WorkspacePart(model))
}
