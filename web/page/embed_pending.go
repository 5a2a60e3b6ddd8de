package page

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/views/to"
)

// What is typed in a frame outlives its session: it waits, sealed, for the next launch of
// the same record by the same person. An SSN is never among it, and no confirmation or
// consent: those are given for a page that one sees.

// recordPendingKey is where a form waits beside a record.
func recordPendingKey(place string) string { return "late " + place }

// savePendingAfterEmbedEnd keeps a form that came after the end of its frame, be it sent or only held by
// its page. False when nothing is kept: nobody may come back for it, or it is no form.
func (s *Server) savePendingAfterEmbedEnd(r *http.Request, base to.Base) (bool, error) {
	if r.Method != http.MethodPost || IsFragment(r) {
		return false, nil
	}
	l, err := s.expiredLaunchOf(r)
	if err != nil {
		if fault.KindOf(err) == fault.NotFound {
			err = nil
		}
		return false, err
	}
	held, ok := embedPendingForm(r, base)
	if !ok {
		return false, nil
	}
	return true, s.Accounts.SavePendingFormAt(r.Context(), recordPendingKey(s.Embeds.PendingFormNames(l)[0]), l.Person.UserID, held)
}

// expiredLaunchOf finds whose frame it was, by the frame's cookie or else by the tab's.
func (s *Server) expiredLaunchOf(r *http.Request) (embed.VerifiedLaunch, error) {
	client := chi.URLParam(r, "client")
	for _, name := range []string{s.IframeCookieName(client), s.TabCookieName(client)} {
		c, none := r.Cookie(name)
		if none != nil {
			continue
		}
		l, err := s.Embeds.ExpiredLaunch(r.Context(), client, chi.URLParam(r, "launch"), c.Value)
		if err == nil || fault.KindOf(err) != fault.NotFound {
			return l, err
		}
	}
	return embed.VerifiedLaunch{}, fault.New(fault.NotFound, "There is nothing at this address.")
}

// embedPendingForm is a form of a frame as it is kept: its address is that of the full desk, so
// that it can stand in another frame. False for what is no work.
func embedPendingForm(r *http.Request, base to.Base) (account.PendingForm, bool) {
	if FormOf(r).Err != nil {
		return account.PendingForm{}, false
	}
	held := pendingFormOf(r)
	if r.URL.Path == base.PendingForm() {
		var err error
		if held, err = pendingFormFromPage(r); err != nil {
			return account.PendingForm{}, false
		}
	}
	held.Path = strings.TrimPrefix(held.Path, strings.TrimSuffix(base.Home(), "/"))
	if draft, ok := strings.CutPrefix(held.Path, "/drafts/"); ok && !strings.Contains(draft, "/") {
		held.Path = to.Full.StartLead() // an intake on its way to its draft
	}
	dropConfirmations(held.Typed)
	held.Typed.Del("consent.attested")
	work := held.Path == to.Full.StartLead() || held.Path == to.Full.Prequalify() || strings.HasPrefix(held.Path, "/leads/")
	return held, work
}

// dropConfirmations takes away what a person said yes to, for a trick may have ticked it.
func dropConfirmations(typed url.Values) {
	for name := range typed {
		if strings.HasPrefix(name, "confirm.") || name == "frame.seen" {
			typed.Del(name)
		}
	}
}

// SaveEmbedPendingForm keeps what stands in a form of a frame whose session is about to end.
func (s *Server) SaveEmbedPendingForm(w http.ResponseWriter, r *http.Request) error {
	v := VisitOf(r)
	held, ok := embedPendingForm(r, v.Base)
	if !ok {
		return fault.New(fault.Invalid, "This form cannot be kept.")
	}
	if err := s.Accounts.SavePendingFormAt(r.Context(), recordPendingKey(s.Embeds.PendingFormNames(v.Embed.VerifiedLaunch)[0]), v.User.UserID, held); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// ClaimPendingForm gives what waits beside a record to the session of its person, once. False when
// nothing does.
func (s *Server) ClaimPendingForm(r *http.Request) (bool, error) {
	v := VisitOf(r)
	for _, place := range s.Embeds.PendingFormNames(v.Embed.VerifiedLaunch) {
		if taken, err := s.Accounts.ClaimPendingForm(r.Context(), recordPendingKey(place), v.User.UserID, v.Session.IDHash); err != nil || taken {
			return taken, err
		}
	}
	return false, nil
}

// EmbedPendingFormPage shows what was typed when the last frame of the record ended, to be sent or left.
func (s *Server) EmbedPendingFormPage(w http.ResponseWriter, r *http.Request) error {
	held, err := s.Accounts.PendingForm(r.Context(), VisitOf(r).Session.IDHash)
	if err != nil {
		return err
	}
	if !held.Post {
		return Redirect(w, r, BaseOf(r).Leads(to.LeadsQuery{}))
	}
	return s.renderPendingForm(w, r, held)
}
