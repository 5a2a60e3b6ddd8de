// Package workspace renders the pages of one lead: the header, progress, tabs and rail around the content of one tab.
// The areas lead and offers present the tabs and register them here, so that neither knows the other.
package workspace

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"hearthline/internal/access"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pii"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	view "hearthline/views/workspace"
	"hearthline/web/form"
	"hearthline/web/page"
)

// Server renders the workspace of a lead. Assembling the areas registers the tabs; after that it does not change.
type Server struct {
	*page.Responder
	tabs map[to.Tab]TabPresenter
	// OverviewOffers presents the offers for the overview: what there is, as StepNote, while an offer is to be selected,
	// or the selected offer.
	OverviewOffers TabPresenter
	// OffersNews says in one sentence what offers there are, without a period.
	OffersNews func(r *http.Request, d *Data) (string, error)
}

// New creates a workspace without tabs.
func New(r *page.Responder) *Server { return &Server{Responder: r, tabs: map[to.Tab]TabPresenter{}} }

// Content is what a tab shows.
type Content struct {
	Body        templ.Component
	StepNote    templ.Component // of offers on the overview: the body of the next-step card; nil for nothing
	Offers      templ.Component // the part that a new quote replaces; nil for none
	UpdateURL   string          // what an update of the page requests; "" is the tab
	KeepsOffers bool            // an update asks for the same draw and offer as displayed
	FullWidth   bool            // the content spans the window, without the rail
}

// TabPresenter presents the content of one tab. It runs only for requests that show the tab.
type TabPresenter func(r *http.Request, v text.Viewer, d *Data) (Content, error)

// Register sets the presenter of a tab.
func (s *Server) Register(tab to.Tab, present TabPresenter) { s.tabs[tab] = present }

// Data is everything that a page of one lead is made from. A tab reads from Lead what only it shows.
type Data struct {
	Lead           page.Lead
	View           desklead.Snapshot
	Tab            to.Tab
	Query          url.Values          // of the tab's URL; nil if a form is shown again
	Submitted      *page.SubmittedForm // a form to show again, or nil
	Revealed       *Revealed           // borrower details that this response reveals, or nil
	RevealError    string              // why no borrower details are shown
	IncomeSent     lead.FormValues     // the inquiry's income, for a step that asks for it again; nil for none
	Can            func(access.Permission) bool
	NewOperationID func(heloc.Operation) string
	Activity       []lead.Event // of the page of the activity tab
	redisplayed    bool         // the page contains the submitted form of an operation
	lastVisit      int64        // time since which changes are displayed, in milliseconds; 0 if none
}

// Revealed has the borrower details that one response reveals: all of them, or one field.
type Revealed struct {
	All           pii.Secret[heloc.Signers]
	Field         pii.Secret[string]
	ContactMethod string // the method of a contact; empty if all details are revealed
	Reason        string // as the user stated it
	AtStep        bool   // in the card of the next step, and not in the borrower's panel
	ByItself      bool   // without a button, so that the focus stays where it is
}

// OperationForm returns the form of an operation: as it was rejected, or a new one with the known values.
func (d *Data) OperationForm(kind heloc.Operation, known map[string][]string) ui.Form {
	var v ui.Form
	if d.IsSubmitted(string(kind)) {
		d.redisplayed = true
		v = d.Submitted.Form.View(d.Submitted.OperationID(d.NewOperationID, kind))
	} else {
		v = form.ViewForm(known, nil)
		v.OperationID = d.NewOperationID(kind)
	}
	d.AddRisks(&v, kind)
	return v
}

// AddRisks marks a form whose operation cannot be sent, or may be a repeat, because of earlier operations.
func (d *Data) AddRisks(v *ui.Form, kind heloc.Operation) {
	v.Blocked = IsBlocked(d.View, kind)
	if op, ok := repeatOf(d.View, kind); ok && kind.RiskyToRepeat() {
		v.RepeatRisk = text.RepeatRiskOf(string(op.Kind), string(op.State))
	}
}

// RepeatControl is the checkbox that confirms resending an operation although the first one may have arrived.
const RepeatControl = "confirm.repeat"

// IsBlocked reports whether an operation of a kind cannot be sent yet, because an earlier one may have arrived.
func IsBlocked(l desklead.Snapshot, kind heloc.Operation) bool {
	return slices.ContainsFunc(l.Operations, func(op lead.Operation) bool { return op.Blocks(kind, l.Row.Step) })
}

// IsSelectionUnknown reports whether a later selection may have replaced the one that the lender shows.
func IsSelectionUnknown(l desklead.Snapshot) bool {
	return slices.ContainsFunc(l.Operations, func(op lead.Operation) bool {
		return op.Kind == heloc.OpSelectOffer && op.State == lead.OpUnknown && op.StepChangedAt == 0
	})
}

// IsSubmitted reports whether the form of an action is shown again.
func (d *Data) IsSubmitted(action string) bool {
	return d.Submitted != nil && d.Submitted.Action == action
}

// URLs builds the URLs of the lead.
func (d *Data) URLs(v text.Viewer) to.LeadURLs {
	return to.LeadURLs{Base: v.Base, App: string(d.View.Row.App)}
}

// Load reads what every page of a lead shows.
func (s *Server) Load(r *http.Request, l page.Lead) (*Data, error) {
	model, err := l.Snapshot(r.Context())
	if err != nil {
		return nil, err
	}
	page.VisitOf(r).Unread = model.Unread()
	d := &Data{Lead: l, View: model, Can: l.Can, NewOperationID: l.NewOperationID, lastVisit: model.LastView.SeenAt()}
	if at, ok := displayedLastVisit(r); ok {
		d.lastVisit = at
	}
	return d, nil
}

// displayedLastVisit returns the visit that the changes on the displayed page follow, in milliseconds, if the page
// updates itself: it has recorded its own view since, and an update must not remove or add the line of changes.
func displayedLastVisit(r *http.Request) (at int64, ok bool) {
	if !page.IsFragment(r) {
		return 0, false
	}
	at, err := strconv.ParseInt(r.Header.Get(ui.LastVisitHeader), 10, 64)
	return at, err == nil && at >= 0
}

// ShowTab shows one tab of a lead. It records a view of a whole page, so that later changes
// count as updates; a page that refreshes itself is not a view, but saves an email about what it shows.
func (s *Server) ShowTab(tab to.Tab) func(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	return func(w http.ResponseWriter, r *http.Request, l page.Lead) error {
		d, err := s.Load(r, l)
		if err != nil {
			return err
		}
		d.Tab, d.Query = tab, r.URL.Query()
		if err := s.RenderTab(w, r, http.StatusOK, d); err != nil || r.Method == http.MethodHead {
			return err
		}
		s.recordView(r, d)
		return nil
	}
}

// viewTimeout limits how long a view waits to be recorded.
const viewTimeout = 10 * time.Second

// recordView records the view. The page is already sent, so an error is only logged, and a browser that has closed the
// connection makes no difference.
func (s *Server) recordView(r *http.Request, d *Data) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), viewTimeout)
	defer cancel()
	documents := d.Tab == to.Documents
	if _, live := displayedLastVisit(r); live {
		if err := d.Lead.SaveDisplayed(ctx); err != nil {
			page.RequestLogOf(r).AddAttr("display", "not saved")
		}
		return
	}
	if page.IsFragment(r) || page.IsAheadOfVisit(r) || d.View.Seen(documents) {
		return
	}
	if page.IsFromOtherSite(r) && !page.BaseOf(r).Embedded() {
		return // that site may have opened the page: its notifications stay unread until the user opens it here
	}
	err := d.Lead.SaveLastView(ctx, false)
	if err == nil && documents {
		err = d.Lead.SaveLastView(ctx, true)
	}
	if err != nil {
		page.RequestLogOf(r).AddAttr("last view", "not saved")
	}
}

// Submit runs one write on a lead, and shows its form again unless it was accepted.
func (s *Server) Submit(w http.ResponseWriter, r *http.Request, l page.Lead, a page.SubmittedForm,
	run func() (lead.Operation, error)) error {
	return page.Submit(r, page.Write{
		Writer: w, SubmittedForm: a, Run: run, Redisplay: func(a page.SubmittedForm) error { return s.Redisplay(w, r, l, a) },
		Next: func(op lead.Operation) error {
			return page.NavigateTo(w, r, page.AfterWriteURL(page.BaseOf(r), op, l.App()))
		},
	})
}

// Redisplay shows the page that a form belongs to, with the values and the errors of the form and the lead as it is
// now.
func (s *Server) Redisplay(w http.ResponseWriter, r *http.Request, l page.Lead, a page.SubmittedForm) error {
	l, err := l.Reopen(r.Context())
	if err != nil {
		return err
	}
	d, err := s.Load(r, l)
	if err != nil {
		return err
	}
	d.Submitted, d.Tab = &a, to.Overview
	switch {
	case a.Action == string(heloc.OpSetAttributions):
		d.Tab = to.History
	case a.Action == string(heloc.OpSelectOffer):
		d.Tab = to.Offers
	}
	return s.RenderTab(w, r, a.Status, d)
}

// RenderTab presents the tab of the data and renders the page, or the part of it that htmx asked for.
func (s *Server) RenderTab(w http.ResponseWriter, r *http.Request, status int, d *Data) error {
	var content Content
	if page.IsFragment(r) && TargetID(r) == view.BorrowerPanelID {
		d.Tab = displayedTab(r) // which stays open
	} else {
		var err error
		if content, err = s.tabs[d.Tab](r, s.Viewer(r), d); err != nil {
			return err
		}
	}
	return s.RenderContent(w, r, status, d, content)
}

// RenderContent renders the page around the content of its tab, or the part of it that htmx asked for, and audits that
// the user saw the lead.
func (s *Server) RenderContent(w http.ResponseWriter, r *http.Request, status int, d *Data, content Content) error {
	model := presentWorkspace(s.Viewer(r), d)
	model.Technical = presentTechnical(s.Viewer(r), d)
	model.Content, model.UpdateURL, model.FullWidth = content.Body, content.UpdateURL, content.FullWidth
	model.KeepsOffers = content.KeepsOffers || content.Offers == nil && offersSelectable(s.Viewer(r), d.View)
	var err error
	if model.StatusToken, err = page.RecordLeadStatus(r); err != nil {
		return err
	}
	if model.News, err = s.presentNews(r, s.Viewer(r), d); err != nil {
		return err
	}
	title := model.Head.Chip.Label + " · " + titleName(page.VisitOf(r), model.Head)
	model.Page = s.Layout(r, title)
	model.Page.Wide = true
	model.Unsent = presentUnsent(d)
	if d.Submitted != nil && d.Submitted.FromEmbed {
		model.Page.Notices = append(model.Page.Notices, page.FromEmbedNotice())
	}
	if d.Revealed != nil {
		model.Page.AutoLeaveURL = model.URLs.Overview()
	} else if d.Tab == to.Overview {
		s.RefreshWithoutScript(r, &model.Page, text.WaitingSince(&d.View.Row))
	}
	part := page.PartOrWhole(r, fragment(r, title, model, content), view.Workspace(model))
	if err := s.Render(w, r, status, part); err != nil {
		return err
	}
	page.AuditOpening(r, d.Lead)
	return nil
}

// titleName returns how a page's title names its lead. Other people may see the titles of a CRM's page.
func titleName(v *page.Visit, head view.Head) string {
	if v.Embed != nil || v.User.PlainTitles {
		return head.ShortID
	}
	return head.Name
}

// displayedTab returns the tab from which htmx sent a request.
func displayedTab(r *http.Request) to.Tab {
	address, _, _ := strings.Cut(r.Header.Get("HX-Current-URL"), "?")
	if at := slices.Index(to.Tabs(), to.Tab(path.Base(address))); at >= 0 {
		return to.Tabs()[at]
	}
	return to.Overview
}

// OffersPartID is the part of the page that a new quote replaces.
const OffersPartID = "offers"

// TargetID returns the id of the element that htmx replaces with the response; it is empty without one.
func TargetID(r *http.Request) string {
	_, id, _ := strings.Cut(r.Header.Get("HX-Target"), "#")
	return id
}

// fragment returns the part that htmx has a target for: the offers, the borrower, or
// otherwise the whole lead with the page's title, so that the browser tab shows the new status.
func fragment(r *http.Request, title string, model *view.View, content Content) templ.Component {
	switch TargetID(r) {
	case OffersPartID:
		if content.Offers != nil {
			return content.Offers
		}
	case view.BorrowerPanelID:
		return view.BorrowerPanel(model)
	}
	return templ.Join(ui.FragmentTitle(title), view.Part(model))
}

// DocumentCSP is a policy under which a document can do nothing: no script, no form, no requests.
// It may be framed where its page may.
func (s *Server) DocumentCSP(r *http.Request) string {
	return "sandbox; default-src 'none'; frame-ancestors " + s.FrameAncestors(r)
}

// InlinePDFCSP is the policy of a PDF that the browser itself displays. WebKit generates a page for
// the PDF, which is also subject to our policy and stays empty without scripts, our origin and
// styles. So the policy blocks everything but styles by name. Content that only pretends to be a
// document still runs nothing, because no script source is allowed; it cannot make requests or open
// windows.
func (s *Server) InlinePDFCSP(r *http.Request) string {
	blocked := []string{"script-src", "object-src", "connect-src", "img-src", "font-src", "media-src", "frame-src",
		"worker-src", "manifest-src", "base-uri", "form-action"}
	return "sandbox allow-scripts allow-same-origin; " + strings.Join(blocked, " 'none'; ") + " 'none'; frame-ancestors " +
		s.FrameAncestors(r)
}
