package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// playEvent lets the borrower or the lender do something to a lead, which is opened
// like everywhere else.
func (s *Server) playEvent(w http.ResponseWriter, r *http.Request, d Desk) error {
	l, err := d.Lead(r.Context(), chi.URLParam(r, "app"))
	if err != nil {
		return err
	}
	f, err := readForm(r)
	if err != nil {
		return err
	}
	if err := s.Rehearsal.Play(r.Context(), l.App(), f.text("event")); err != nil {
		return fault.Wrap(fault.Conflict, "This cannot happen to the lead where it stands now.", err)
	}
	return redirect(w, r, s.backTo(f, to.Full.Lead(string(l.App()))))
}

// setFaults lets the lender fail, or mends it.
func (s *Server) setFaults(w http.ResponseWriter, r *http.Request, _ Desk) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	if err := s.Rehearsal.Spoil(r.Context(), f.text("fault")); err != nil {
		return err
	}
	return redirect(w, r, s.backTo(f, to.Full.Leads(to.LeadsQuery{})))
}

// backTo is the page that a press of the demo bar came from.
func (s *Server) backTo(f *form, otherwise string) string {
	if back := safeNext(f.values.Get("back")); back != "" {
		return back
	}
	return otherwise
}

// withDemo puts the demo's bar on a page, in the demo and nowhere else.
func (s *Server) withDemo(r *http.Request, p *ui.Page) {
	v := visitOf(r)
	if s.Rehearsal == nil || v == nil {
		return
	}
	if !v.user.Can(access.SeeLead) {
		p.Demo = views.DemoMark()
		return
	}
	state := s.Rehearsal.State(r.Context())
	bar := views.DemoView{Base: p.Base, Back: to.Full.Leads(to.LeadsQuery{}), Down: state.Down, Losing: state.LosesNext}
	if state.WebhooksOff {
		bar.Webhooks = "off"
	}
	if r.Method == http.MethodGet {
		bar.Back = r.URL.RequestURI()
	}
	if v.lead != nil {
		bar.App, bar.Name, bar.Events = string(v.lead.App()), nameOf(v.lead.Name), demoEvents(v.lead.Row().Step, v.lead.Row().Converted)
		if r.Method != http.MethodGet {
			bar.Back = to.Full.Lead(bar.App)
		}
	}
	p.Demo = views.DemoBar(bar)
}

// demoEvents are what can be played on a lead where it stands.
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
	add(step == heloc.StepComplete && !converted, "convert", "Lender makes it an application")
	add(converted, "condition", "Lender adds a condition")
	add(converted, "fund", "Lender funds it")
	open := step != heloc.StepClosed && step != heloc.StepWithdrawn
	add(open && !converted, "expire", "Time runs out")
	add(open, "decline", "Lender declines")
	return events
}

// sheetPage shows every part in every state, for the people who build.
func (s *Server) sheetPage(w http.ResponseWriter, r *http.Request) error {
	return s.show(w, r, http.StatusOK, views.Sheet(views.SheetView{Page: s.frame(r, "Parts"), Chips: views.SampleChips(), Rows: views.SampleRows()}))
}
