package page

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	view "hearthline/views/page"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/format"
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
	state := s.DemoControl.State(r.Context())
	bar := view.DemoView{Base: p.Base, ReturnTo: to.Full.Leads(to.LeadsQuery{}), LenderDown: state.Down, DropNextResponse: state.DropsNext}
	if state.WebhooksOff {
		bar.Webhooks = "off"
	}
	if r.Method == http.MethodGet {
		bar.ReturnTo = r.URL.RequestURI()
	}
	if v.Lead != nil {
		bar.App, bar.Name, bar.Events = string(v.Lead.App()), format.FullName(v.Lead.Name), demoEvents(v.Lead.Row().Step, v.Lead.Row().Converted)
		if r.Method != http.MethodGet {
			bar.ReturnTo = to.Full.Lead(bar.App)
		}
	}
	p.Demo = view.DemoBar(bar)
}

// demoEvents lists the events that can be simulated on a lead at its current step.
func demoEvents(step heloc.Step, converted bool) []ui.Option {
	var events []ui.Option
	add := func(when bool, event, label string) {
		if when {
			events = append(events, ui.Option{Value: event, Label: label})
		}
	}
	add(step == heloc.StepUnfreezeCredit, "thaw", "Borrower lifts the freeze")
	add(step == heloc.StepBorrowerAuth, "borrower-signs-in", "Borrower signs in")
	add(step == heloc.StepBrokerDocSigning, "documents-signed", "Borrower signs the documents")
	add(step == heloc.StepComplete && !converted, "convert", "Lender starts the application")
	add(converted, "condition", "Lender adds a condition")
	add(converted, "fund", "Lender funds it")
	open := step != heloc.StepClosed && step != heloc.StepWithdrawn
	add(open && !converted, "expire", "Inquiry expires")
	add(open, "decline", "Lender declines")
	return events
}
