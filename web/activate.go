package web

import (
	"net/http"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/pii"
	"hearthline/views"
	"hearthline/views/to"
)

// begunSetUp is a mailed link that was opened.
const begunSetUp begun = "set-up"

// linkPage is a page that asks for a link by mail, and that the link leads to.
type linkPage struct {
	kind    account.LinkKind
	address string
	title   string
}

func activatePages() linkPage { return linkPage{account.LinkActivate, to.Activate(), "First visit"} }

func resetPages() linkPage { return linkPage{account.LinkReset, to.Reset(), "Another password"} }

// shows says whether what a link led to belongs on this page.
func (p linkPage) shows(u account.SetUp) bool { return (p.kind == account.LinkReset) == u.Keeps() }

// linkPage shows where to ask for a link, or, once one was opened, what it is for.
func (s *Server) linkPage(p linkPage) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		u, err := s.Accounts.SettingUp(r.Context(), s.begunToken(r, begunSetUp))
		if err == nil && p.shows(u) && r.URL.Query().Get("anew") == "" {
			return s.showSetUp(w, r, p, http.StatusOK, u, views.Form{})
		}
		if err != nil && fault.KindOf(err) != fault.Conflict {
			return err
		}
		return s.showAsk(w, r, p, http.StatusOK, views.AskView{Asked: r.URL.Query().Get("asked") != ""})
	}
}

// linkStep takes what was posted there: a wish for a link, its code, or how the person
// will sign in.
func (s *Server) linkStep(p linkPage) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		switch {
		case posted(r).Has("token"):
			return s.openLink(w, r, p)
		case posted(r).Has("email"):
			return s.askLink(w, r, p)
		default:
			return s.finishSetUp(w, r, p)
		}
	}
}

// askLink answers everybody alike.
func (s *Server) askLink(w http.ResponseWriter, r *http.Request, p linkPage) error {
	if err := s.Accounts.Ask(r.Context(), p.kind, posted(r).Get("email"), from(r)); err != nil {
		return err
	}
	return redirect(w, r, p.address+"?asked=1")
}

// openLink takes the code of a mail, which never stands in an address that a server sees.
func (s *Server) openLink(w http.ResponseWriter, r *http.Request, p linkPage) error {
	token, kind, err := s.Accounts.OpenLink(r.Context(), strings.TrimSpace(posted(r).Get("token")), from(r))
	if fault.KindOf(err) == fault.Invalid && err != nil {
		return s.showAsk(w, r, p, http.StatusUnprocessableEntity, views.AskView{Refused: fault.Public(err)})
	}
	if err != nil {
		return err
	}
	s.keepBegun(w, begunSetUp, token)
	if kind == account.LinkAddress {
		return redirect(w, r, to.Full.AccountEmail())
	}
	return redirect(w, r, p.address)
}

func (s *Server) showAsk(w http.ResponseWriter, r *http.Request, p linkPage, status int, v views.AskView) error {
	v.Page, v.Action, v.Reset = s.doorPage(r, p.title), p.address, p.kind == account.LinkReset
	if s.Outbox != nil {
		v.Outbox = to.Outbox()
	}
	return s.show(w, r, status, views.AskLink(v))
}

// finishSetUp opens the account.
func (s *Server) finishSetUp(w http.ResponseWriter, r *http.Request, p linkPage) error {
	token := s.begunToken(r, begunSetUp)
	u, err := s.Accounts.SettingUp(r.Context(), token)
	if err != nil {
		return s.linkOver(w, r, p, err)
	}
	entered, err := s.Accounts.FinishSetUp(r.Context(), token, account.Chosen{
		Password: pii.Keep(posted(r).Get("password")), Code: posted(r).Get("code"), Zone: cut(posted(r).Get("zone"), 60, ""), From: from(r),
		Passkey: account.Made{Answer: []byte(posted(r).Get("credential")), Name: deviceName(r)},
	})
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		return s.showSetUp(w, r, p, http.StatusUnprocessableEntity, u, views.Form{Wrong: wrongOf(fields)})
	}
	if err != nil {
		return s.linkOver(w, r, p, err)
	}
	s.keepBegun(w, begunSetUp, "")
	return s.entered(w, r, entered)
}

// entered leads on who has set up their account. A new password alone signs nobody in.
func (s *Server) entered(w http.ResponseWriter, r *http.Request, e account.Entered) error {
	if e.Again {
		s.keepDevice(w, r, e.User.UserID) // whoever opened the link has the user's mailbox
		return redirect(w, r, to.LoginAfter(to.PasswordChanged))
	}
	if _, err := s.admitted(w, r, e.User, entry{proof: e.Proof}); err != nil {
		return err
	}
	home := s.homeOf(e.User.Actor)
	if e.Recovery == nil {
		return redirect(w, r, home)
	}
	return s.show(w, r, http.StatusOK, views.RecoveryDoor(views.RecoveryView{Page: s.doorPage(r, "Recovery codes"), Codes: e.Recovery, Next: home}))
}

// linkOver shows where to ask anew, and why.
func (s *Server) linkOver(w http.ResponseWriter, r *http.Request, p linkPage, err error) error {
	if kind := fault.KindOf(err); kind != fault.Conflict && kind != fault.Invalid {
		return err
	}
	return s.showAsk(w, r, p, http.StatusUnprocessableEntity, views.AskView{Refused: fault.Public(err)})
}

func (s *Server) showSetUp(w http.ResponseWriter, r *http.Request, p linkPage, status int, u account.SetUp, form views.Form) error {
	v := views.SetUpView{
		Page: s.doorPage(r, p.title), Action: p.address, Name: u.Who.Name, Email: u.Who.Email, Line: roleLine(u.Who.Actor),
		Reset: u.Keeps(), Required: u.Required, Form: form,
	}
	if !u.Keeps() {
		setup, err := showSetup(u.Setup)
		if err != nil {
			return err
		}
		v.Setup = &setup
		if s.Accounts.Passkeys() {
			v.Passkey, v.Page.Passkeys = to.ActivatePasskey(), true
		}
	}
	return s.show(w, r, status, views.SetUp(v))
}

// setUpOptions asks the browser to make the passkey of a new account.
func (s *Server) setUpOptions(w http.ResponseWriter, r *http.Request) error {
	options, err := s.Accounts.BeginPasskeySetUp(r.Context(), s.begunToken(r, begunSetUp))
	if err != nil {
		return err
	}
	return sayJSON(w, options)
}

// roleLine is what somebody will be, and where.
func roleLine(who access.Actor) string {
	line := strings.ToUpper(string(who.Role[:1])) + string(who.Role[1:])
	if who.Role == access.Admin {
		line = "Administrator"
	}
	if c := companyLine(who); c != "" {
		line += ", " + c
	}
	return line
}
