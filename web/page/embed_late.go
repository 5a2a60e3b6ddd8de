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

// lateHold is where a form waits beside a record.
func lateHold(place string) string { return "late " + place }

// holdLate keeps a form that came after the end of its frame, be it sent or only held by
// its page. False when nothing is kept: nobody may come back for it, or it is no form.
func (s *Server) holdLate(r *http.Request, base to.Base) (bool, error) {
	if r.Method != http.MethodPost || Fragment(r) {
		return false, nil
	}
	l, err := s.whoWas(r)
	if err != nil {
		if fault.KindOf(err) == fault.NotFound {
			err = nil
		}
		return false, err
	}
	held, ok := heldInFrame(r, base)
	if !ok {
		return false, nil
	}
	return true, s.Accounts.HoldAt(r.Context(), lateHold(s.Embeds.Places(l)[0]), l.Person.UserID, held)
}

// whoWas finds whose frame it was, by the frame's cookie or else by the tab's.
func (s *Server) whoWas(r *http.Request) (embed.Launched, error) {
	client := chi.URLParam(r, "client")
	for _, name := range []string{s.FrameCookie(client), s.TabCookie(client)} {
		c, none := r.Cookie(name)
		if none != nil {
			continue
		}
		l, err := s.Embeds.Late(r.Context(), client, chi.URLParam(r, "launch"), c.Value)
		if err == nil || fault.KindOf(err) != fault.NotFound {
			return l, err
		}
	}
	return embed.Launched{}, fault.New(fault.NotFound, "There is nothing at this address.")
}

// heldInFrame is a form of a frame as it is kept: its address is that of the full desk, so
// that it can stand in another frame. False for what is no work.
func heldInFrame(r *http.Request, base to.Base) (account.Held, bool) {
	if FormOf(r).Err != nil {
		return account.Held{}, false
	}
	held := heldOf(r)
	if r.URL.Path == base.Held() {
		var err error
		if held, err = heldByPage(r); err != nil {
			return account.Held{}, false
		}
	}
	held.Address = strings.TrimPrefix(held.Address, strings.TrimSuffix(base.Home(), "/"))
	if draft, ok := strings.CutPrefix(held.Address, "/drafts/"); ok && !strings.Contains(draft, "/") {
		held.Address = to.Full.StartLead() // an intake on its way to its draft
	}
	unconfirmed(held.Typed)
	held.Typed.Del("consent.attested")
	work := held.Address == to.Full.StartLead() || held.Address == to.Full.Prequalify() || strings.HasPrefix(held.Address, "/leads/")
	return held, work
}

// unconfirmed takes away what a person said yes to, for a trick may have ticked it.
func unconfirmed(typed url.Values) {
	for name := range typed {
		if strings.HasPrefix(name, "confirm.") || name == "frame.seen" {
			typed.Del(name)
		}
	}
}

// holdInFrame keeps what stands in a form of a frame whose session is about to end.
func (s *Server) HoldInFrame(w http.ResponseWriter, r *http.Request) error {
	v := VisitOf(r)
	held, ok := heldInFrame(r, v.Base)
	if !ok {
		return fault.New(fault.Invalid, "This form cannot be kept.")
	}
	if err := s.Accounts.HoldAt(r.Context(), lateHold(s.Embeds.Places(v.Framed.Launched)[0]), v.User.UserID, held); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// takeLate gives what waits beside a record to the session of its person, once. False when
// nothing does.
func (s *Server) TakeLate(r *http.Request) (bool, error) {
	v := VisitOf(r)
	for _, place := range s.Embeds.Places(v.Framed.Launched) {
		if taken, err := s.Accounts.TakeOver(r.Context(), lateHold(place), v.User.UserID, v.Session.IDHash); err != nil || taken {
			return taken, err
		}
	}
	return false, nil
}

// latePage shows what was typed when the last frame of the record ended, to be sent or left.
func (s *Server) LatePage(w http.ResponseWriter, r *http.Request) error {
	held, err := s.Accounts.HeldFor(r.Context(), VisitOf(r).Session.IDHash)
	if err != nil {
		return err
	}
	if !held.Post {
		return Redirect(w, r, BaseOf(r).Leads(to.LeadsQuery{}))
	}
	return s.showResume(w, r, held)
}
