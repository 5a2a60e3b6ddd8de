package page

import (
	"net/http"
	"net/url"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// addDemoBar adds the demo bar to a page. It does nothing outside of the demo.
func (s *Responder) addDemoBar(r *http.Request, p *ui.Page) {
	v := VisitOf(r)
	if s.DemoControl == nil || v == nil {
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
	bar := s.presentDemoBar(r, v.Lead, returnTo)
	bar.Message = s.demoNotices.forPage(v.User.Actor.UserID, bar.App)
	p.Demo = view.DemoBar(bar)
}

// RenderDemoBar answers with the demo bar alone, for the page of a lead or, if it is nil, for any other page.
func (s *Responder) RenderDemoBar(w http.ResponseWriter, r *http.Request, l Lead) error {
	returnTo := ""
	if current, err := url.Parse(r.Header.Get("HX-Current-URL")); err == nil {
		returnTo = SafeNext(current.RequestURI())
	}
	bar := s.presentDemoBar(r, l, returnTo)
	bar.Message = s.demoNotices.forFragment(VisitOf(r).User.Actor.UserID, bar.App)
	return s.Render(w, r, http.StatusOK, view.DemoBar(bar))
}

// presentDemoBar maps what the simulated lender says now, so the bar may be ahead of the page when an update is on its
// way or was not sent.
func (s *Responder) presentDemoBar(r *http.Request, l Lead, returnTo string) view.DemoView {
	state := s.DemoControl.State(r.Context())
	bar := view.DemoView{ReturnTo: returnTo, LenderDown: state.Down, DropNextResponse: state.DropsNext, WebhooksOff: state.WebhooksOff, Missions: ActorOf(r).Can(access.ActOnLead)}
	if l != nil {
		bar.App, bar.Name = string(l.App()), text.FullName(l.Name)
		bar.Events = demoEvents(s.DemoControl.Events(r.Context(), l.App()), l.Row())
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
func (s *Responder) NoteDemoEvent(r *http.Request, app heloc.AppID, event string, refused error) {
	notice, state := demoEventNotices[event], s.DemoControl.State(r.Context())
	switch {
	case refused != nil:
		notice = "Nothing changed: this isn’t possible at the lead’s current step with the lender."
	case state.Down:
		notice += " The lender is offline, so Hearthline can’t read the change yet."
	case state.WebhooksOff:
		notice += " Updates are off, so Hearthline learns of it when it next asks the lender."
	}
	s.demoNotices.put(VisitOf(r).User.Actor.UserID, demoNotice{app: string(app), text: notice, shown: IsFragment(r)})
}

// NoteDemoFault keeps the notice of a fault that was started or ended.
func (s *Responder) NoteDemoFault(r *http.Request, what string) {
	s.demoNotices.put(VisitOf(r).User.Actor.UserID, demoNotice{text: demoFaultNotices[what], shown: IsFragment(r)})
}
