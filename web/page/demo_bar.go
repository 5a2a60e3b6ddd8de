package page

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// addDemoBar adds the demo bar to a page. It does nothing outside of the demo.
func (rs *Responder) addDemoBar(r *http.Request, p *ui.Page) {
	v := VisitOf(r)
	if rs.DemoControl == nil || v == nil {
		return
	}
	if !v.User.Can(access.SeeLead) {
		p.Demo = view.DemoBanner()
		return
	}
	returnTo := to.Full.Leads(to.LeadsQuery{})
	switch {
	case r.Method == http.MethodGet:
		returnTo = r.URL.RequestURI()
	case v.Lead != nil:
		returnTo = to.Full.Lead(string(v.Lead.App()))
	}
	bar := rs.presentDemoBar(r, v.Lead, returnTo)
	bar.Message = rs.demoNotices.forPage(v.User.Actor.UserID, bar.App)
	p.Demo = view.DemoBar(bar)
}

// RenderDemoBar answers with the demo bar alone, for the page of a lead or, if it is nil, for any other page.
func (rs *Responder) RenderDemoBar(w http.ResponseWriter, r *http.Request, l Lead) error {
	returnTo := ""
	if current, err := url.Parse(r.Header.Get("HX-Current-URL")); err == nil {
		returnTo = SafeNext(current.RequestURI())
	}
	bar := rs.presentDemoBar(r, l, returnTo)
	bar.Message = rs.demoNotices.forFragment(VisitOf(r).User.Actor.UserID, bar.App)
	return rs.Render(w, r, http.StatusOK, view.DemoBar(bar))
}

// presentDemoBar maps what the simulated lender says now, so the bar may be ahead of the page when an update is on its
// way or was not sent.
func (rs *Responder) presentDemoBar(r *http.Request, l Lead, returnTo string) view.DemoView {
	state := rs.DemoControl.State(r.Context())
	bar := view.DemoView{ReturnTo: returnTo, LenderDown: state.Down, DropNextResponse: state.DropsNext,
		WebhooksOff: state.WebhooksOff, Missions: ActorOf(r).Can(access.ActOnLead)}
	if l != nil {
		bar.App, bar.Name = string(l.App()), text.FullName(l.Name)
		bar.Events = demoEvents(rs.DemoControl.Events(r.Context(), l.App()), l.Row())
	}
	return bar
}

// demoEvents labels the events that would change a lead now. Events without a label are those that
// combine others; the bar does not offer them.
func demoEvents(possible []string, l lead.Row) []ui.Option {
	decline, fund := "Lender declines the inquiry", "Lender funds the loan"
	if l.Converted {
		decline = "Lender declines the application"
	}
	if l.StatusKey == heloc.StatusRescission {
		fund = "Skip the rescission and fund the loan"
	}
	return slices.DeleteFunc([]ui.Option{
		{Value: "thaw", Label: "Borrower lifts the freeze"},
		{Value: "borrower-signs-in", Label: "Borrower signs in"},
		{Value: "documents-signed", Label: "Borrower signs the documents"},
		{Value: "convert", Label: "Lender starts the application"},
		{Value: "condition", Label: "Lender adds a condition"},
		{Value: "co-deed-signed", Label: "Co-owner signs the co-deed"},
		{Value: "fund", Label: fund},
		{Value: "expire", Label: "Inquiry expires"},
		{Value: "decline", Label: decline},
	}, func(o ui.Option) bool { return !slices.Contains(possible, o.Value) })
}

// demoEventNotices say what happened at the simulated lender. They remain true when the page changes.
var demoEventNotices = map[string]string{
	"thaw":              "The borrower lifted the credit freeze.",
	"borrower-signs-in": "The borrower signed in with the lender.",
	"documents-signed":  "The borrower signed the broker documents.",
	"convert":           "The inquiry became an application.",
	"complete":          "The borrower signed the broker documents, and the inquiry became an application.",
	"condition":         "The lender added a condition.",
	"co-deed-signed":    "The co-owner signed the co-deed.",
	"fund":              "The lender funded the loan.",
	"expire":            "The inquiry expired.",
	"decline":           "The lender declined it.",
}

// demoFaultNotices say what was changed at the simulated lender.
var demoFaultNotices = map[string]string{
	FaultDown:        "You took the lender offline.",
	FaultUp:          "You brought the lender back online.",
	FaultLoseNext:    "You set the lender’s next response to be lost.",
	FaultDeliver:     "You set the lender’s next response to arrive.",
	FaultWebhooksOff: "You turned the lender’s updates off.",
	FaultWebhooksOn:  "You turned the lender’s updates on.",
}

// NoteDemoEvent keeps the notice of an event that the simulated lender has executed for a lead, or of one that it
// refused.
func (rs *Responder) NoteDemoEvent(r *http.Request, app heloc.AppID, event string, refused error) {
	notice, state := demoEventNotices[event], rs.DemoControl.State(r.Context())
	switch {
	case refused != nil:
		notice = "Nothing changed: this isn’t possible at the lead’s current step with the lender."
	case state.Down:
		notice += " The lender is offline, so Hearthline can’t read the change yet."
	case state.WebhooksOff:
		notice += " Updates are off, so Hearthline learns of it when it next asks the lender."
	}
	rs.demoNotices.put(VisitOf(r).User.Actor.UserID, demoNotice{app: string(app), text: notice, shown: IsFragment(r)})
}

// NoteDemoFault keeps the notice of a fault that was started or ended.
func (rs *Responder) NoteDemoFault(r *http.Request, what string) {
	rs.demoNotices.put(VisitOf(r).User.Actor.UserID, demoNotice{text: demoFaultNotices[what], shown: IsFragment(r)})
}

// demoNotices holds the last notice of each user's demo bar, in memory: it concerns the press of a button, so it need
// not survive a restart. The zero value is ready to use.
type demoNotices struct {
	mu     sync.Mutex
	byUser map[string]demoNotice
}

// demoNotice says what happened after a button of the demo bar was pressed.
type demoNotice struct {
	app   string // the lead whose pages show it; "" for every page
	text  string
	shown bool // a page has shown it, so the next page does not
}

func (n *demoNotices) put(user string, notice demoNotice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.byUser == nil {
		n.byUser = map[string]demoNotice{}
	}
	n.byUser[user] = notice
}

// forPage returns the notice for a whole page, which shows it once.
func (n *demoNotices) forPage(user, app string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	notice, ok := n.byUser[user]
	if !ok || notice.shown || notice.app != "" && notice.app != app {
		delete(n.byUser, user)
		return ""
	}
	notice.shown = true
	n.byUser[user] = notice
	return notice.text
}

// forFragment returns the notice for an update of the bar on a page that already shows it.
func (n *demoNotices) forFragment(user, app string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	notice := n.byUser[user]
	if !notice.shown || notice.app != "" && notice.app != app {
		return ""
	}
	return notice.text
}

// DemoControl simulates the borrower and the lender in the demo.
type DemoControl interface {
	// Play simulates an event on a lead, such as borrower-signs-in or documents-signed.
	Play(ctx context.Context, app heloc.AppID, event string) error
	// Events lists the events that would change a lead at the simulated lender now.
	Events(ctx context.Context, app heloc.AppID) []string
	// InjectFault starts or ends a fault at the lender. It returns fault.Invalid for a value that
	// is not one of the Fault constants.
	InjectFault(ctx context.Context, what string) error
	// State returns what the demo bar shows.
	State(ctx context.Context) DemoState
	// Samples returns filled intake forms, one for each trigger.
	Samples() []Sample
}

// DemoState lists the faults that are active at the simulated lender.
type DemoState struct {
	DropsNext   bool
	Down        bool
	WebhooksOff bool
}

// Faults at the simulated lender, and the values that end them.
const (
	FaultDown        = "down"
	FaultUp          = "up"
	FaultLoseNext    = "lose" // lose the next response, after the lender has executed the request
	FaultDeliver     = "keep"
	FaultWebhooksOff = "webhooks-off"
	FaultWebhooksOn  = "webhooks-on"
)

// Sample is a filled intake form. Values maps the name of each control to what is typed in it.
type Sample struct {
	Key   string
	Label string
	// the step that the inquiry reaches when it is sent as filled in; empty for samples about something else
	Step   heloc.Step
	Values map[string][]string
}
