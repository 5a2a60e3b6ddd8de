package web

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/views"
	"hearthline/views/to"
)

// framedRoutes are the desk's routes that also stand inside frames, and those that stand
// there alone. A person's own account, people and settings are not for frames.
func (s *Server) framedRoutes() []Route {
	if s.Embeds == nil {
		return nil
	}
	own := concat(
		block(access.SeePipeline, []Route{
			{Method: http.MethodGet, Pattern: "/", Name: "record", Handler: atDesk(s.embedHome)},
			{Method: http.MethodGet, Pattern: "/account/session", Name: "stay signed in", Handler: s.stay},
			{Method: http.MethodPost, Pattern: "/confirmed", Name: "confirmed outside", Handler: s.embedConfirmed},
			{Method: http.MethodGet, Pattern: "/leads", Name: "pipeline", Handler: atDesk(s.leadsPage)},
			{Method: http.MethodGet, Pattern: "/leads.ics", Name: "calendar", Class: Download, Handler: atDesk(s.calendar)},
			{Method: http.MethodPost, Pattern: "/leads/seen", Name: "news seen", Handler: atDesk(s.caughtUp)},
		}),
		block(access.UseAccount, []Route{
			{Method: http.MethodPost, Pattern: "/logout", Name: "log out", Handler: s.leaveFrame},
			{Method: http.MethodGet, Pattern: "/events", Name: "events", Class: Stream, Handler: s.events},
			{Method: http.MethodGet, Pattern: "/notifications", Name: "notifications", Handler: atDesk(s.inboxPage)},
			{Method: http.MethodPost, Pattern: "/notifications", Name: "notifications read", Handler: atDesk(s.readNotices)},
			{Method: http.MethodGet, Pattern: "/help/{page}", Name: "help", Handler: s.helpPage},
		}),
		block(access.SeeLead, []Route{
			{Method: http.MethodGet, Pattern: "/account/held", Name: "go on", Handler: s.latePage},
			{Method: http.MethodPost, Pattern: "/account/held", Name: "hold what is typed", Handler: s.holdInFrame},
		}),
		block(access.AnnotateLead, []Route{
			{Method: http.MethodPost, Pattern: "/record", Name: "the record's lead", Handler: atDesk(s.takeLead)},
			{Method: http.MethodPost, Pattern: "/leads/adopt", Name: "adopt", Handler: atDesk(s.adoptLead)},
		}),
		block(access.SeeLead, []Route{
			{Method: http.MethodGet, Pattern: "/operations/{id}", Name: "receipt", Handler: atDesk(s.receiptPage)},
			{Method: http.MethodPost, Pattern: "/operations/{id}", Name: "give up", Handler: atDesk(s.abandonOperation)},
			{Method: http.MethodPost, Pattern: "/operations/{id}/abandon", Name: "abandon", Handler: atDesk(s.abandonOperation)},
		}),
		block(access.ReassignLead, []Route{
			{Method: http.MethodPost, Pattern: "/operations/{id}/undo", Name: "take a hand-over back", Handler: atDesk(s.undoHandOver)},
		}),
	)
	return embedded(own, s.intakeRoutes(), s.handOffRoutes(), s.estimateRoutes(), s.leadRoutes(), s.deedRoutes())
}

// embedHome leads to the record's lead, or to its intake. Whoever a CRM alone vouches for
// sees the step and is asked who they are.
func (s *Server) embedHome(w http.ResponseWriter, r *http.Request, d Desk) error {
	v := visitOf(r)
	if !v.user.Unconfirmed {
		taken, err := s.takeLate(r)
		if err != nil {
			return err
		}
		if taken {
			return redirect(w, r, v.base.Held())
		}
	}
	record, err := launched(r)
	if err != nil {
		return err
	}
	lead, found, err := record.Lead(r.Context())
	if err != nil {
		return err
	}
	switch {
	case v.user.Unconfirmed:
	case found:
		return redirect(w, r, v.base.Lead(string(lead.App)))
	case d.Actor.Can(access.PrepareDraft):
		return s.beginRecord(w, r, record)
	default:
		return redirect(w, r, v.base.Leads(to.LeadsQuery{}))
	}
	client := v.framed.Client
	view := views.EmbedHomeView{Page: s.frame(r, "This record"), CRM: client.Name, Connect: to.Connect(client.Key, v.framed.ID), Match: v.framed.Match}
	with, elsewhere, err := record.With(r.Context())
	if err != nil {
		return err
	}
	if elsewhere {
		view.With = withWhom(with)
	}
	if found {
		view.Page.Pop = to.Full.Lead(string(lead.App))
		view.Lead = views.EmbedLead{App: string(lead.App), Name: nameOf(lead.Name), ShortID: lead.ShortID, Chip: chipOf(lead.Lead)}
	}
	return s.show(w, r, http.StatusOK, views.EmbedHome(view))
}

// embedConfirmed lets the frame learn that its person has proved outside who they are.
func (s *Server) embedConfirmed(w http.ResponseWriter, r *http.Request) error {
	v := visitOf(r)
	value, hash := account.NewToken()
	proved, err := s.Embeds.Confirmed(r.Context(), v.framed.Visit, hash)
	if err != nil {
		return err
	}
	if !proved && fragment(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if proved && v.user.Unconfirmed {
		client := v.framed.Client.Key
		value = s.Embeds.Marked(client, v.user.UserID, value)
		if v.framed.tab {
			s.keepInTab(w, client, value)
		} else {
			s.keepInFrame(w, client, value)
		}
	}
	return onward(w, r, v.base.Home())
}
