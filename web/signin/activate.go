package signin

import (
	"net/http"
	"strings"

	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/pii"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// linkPage is a page that asks for a link by mail, and that the link leads to.
type linkPage struct {
	kind    account.LinkKind
	address string
	title   string
}

func ActivatePages() linkPage { return linkPage{account.LinkActivate, to.Activate(), "First visit"} }

func ResetPages() linkPage { return linkPage{account.LinkReset, to.Reset(), "Another password"} }

// shows says whether what a link led to belongs on this page.
func (p linkPage) shows(u account.SetUp) bool { return (p.kind == account.LinkReset) == u.Keeps() }

// linkPage shows where to ask for a link, or, once one was opened, what it is for.
func (s *Handlers) LinkPage(p linkPage) page.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		u, err := s.Accounts.SettingUp(r.Context(), s.BegunToken(r, page.BegunSetUp))
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
func (s *Handlers) LinkStep(p linkPage) page.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		switch {
		case page.Posted(r).Has("token"):
			return s.openLink(w, r, p)
		case page.Posted(r).Has("email"):
			return s.askLink(w, r, p)
		default:
			return s.finishSetUp(w, r, p)
		}
	}
}

// askLink answers everybody alike.
func (s *Handlers) askLink(w http.ResponseWriter, r *http.Request, p linkPage) error {
	if err := s.Accounts.Ask(r.Context(), p.kind, page.Posted(r).Get("email"), page.From(r)); err != nil {
		return err
	}
	return page.Redirect(w, r, p.address+"?asked=1")
}

// openLink takes the code of a mail, which never stands in an address that a server sees.
func (s *Handlers) openLink(w http.ResponseWriter, r *http.Request, p linkPage) error {
	token, kind, err := s.Accounts.OpenLink(r.Context(), strings.TrimSpace(page.Posted(r).Get("token")), page.From(r))
	if fault.KindOf(err) == fault.Invalid && err != nil {
		return s.showAsk(w, r, p, http.StatusUnprocessableEntity, views.AskView{Refused: fault.Public(err)})
	}
	if err != nil {
		return err
	}
	s.KeepBegun(w, page.BegunSetUp, token)
	if kind == account.LinkAddress {
		return page.Redirect(w, r, to.Full.AccountEmail())
	}
	return page.Redirect(w, r, p.address)
}

func (s *Handlers) showAsk(w http.ResponseWriter, r *http.Request, p linkPage, status int, v views.AskView) error {
	v.Page, v.Action, v.Reset = s.DoorPage(r, p.title), p.address, p.kind == account.LinkReset
	if s.Outbox != nil {
		v.Outbox = to.Outbox()
	}
	return s.Show(w, r, status, views.AskLink(v))
}

// finishSetUp opens the account.
func (s *Handlers) finishSetUp(w http.ResponseWriter, r *http.Request, p linkPage) error {
	token := s.BegunToken(r, page.BegunSetUp)
	u, err := s.Accounts.SettingUp(r.Context(), token)
	if err != nil {
		return s.linkOver(w, r, p, err)
	}
	entered, err := s.Accounts.FinishSetUp(r.Context(), token, account.Chosen{
		Password: pii.Keep(page.Posted(r).Get("password")), Code: page.Posted(r).Get("code"), Zone: page.Cut(page.Posted(r).Get("zone"), 60, ""), From: page.From(r),
		Passkey: account.Made{Answer: []byte(page.Posted(r).Get("credential")), Name: page.DeviceName(r)},
	})
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		return s.showSetUp(w, r, p, http.StatusUnprocessableEntity, u, views.Form{Wrong: form.WrongOf(fields)})
	}
	if err != nil {
		return s.linkOver(w, r, p, err)
	}
	s.KeepBegun(w, page.BegunSetUp, "")
	return s.entered(w, r, entered)
}

// entered leads on who has set up their account. A new password alone signs nobody in.
func (s *Handlers) entered(w http.ResponseWriter, r *http.Request, e account.Entered) error {
	if e.Again {
		s.KeepDevice(w, r, e.User.UserID) // whoever opened the link has the user's mailbox
		return page.Redirect(w, r, to.LoginAfter(to.PasswordChanged))
	}
	if _, err := s.admitted(w, r, e.User, page.Entry{Proof: e.Proof}); err != nil {
		return err
	}
	home := s.HomeOf(e.User.Actor)
	if e.Recovery == nil {
		return page.Redirect(w, r, home)
	}
	return s.Show(w, r, http.StatusOK, views.RecoveryDoor(views.RecoveryView{Page: s.DoorPage(r, "Recovery codes"), Codes: e.Recovery, Next: home}))
}

// linkOver shows where to ask anew, and why.
func (s *Handlers) linkOver(w http.ResponseWriter, r *http.Request, p linkPage, err error) error {
	if kind := fault.KindOf(err); kind != fault.Conflict && kind != fault.Invalid {
		return err
	}
	return s.showAsk(w, r, p, http.StatusUnprocessableEntity, views.AskView{Refused: fault.Public(err)})
}

func (s *Handlers) showSetUp(w http.ResponseWriter, r *http.Request, p linkPage, status int, u account.SetUp, form views.Form) error {
	v := views.SetUpView{
		Page: s.DoorPage(r, p.title), Action: p.address, Name: u.Who.Name, Email: u.Who.Email, Line: format.RoleLine(u.Who.Actor),
		Reset: u.Keeps(), Required: u.Required, Form: form,
	}
	if !u.Keeps() {
		setup, err := page.ShowSetup(u.Setup)
		if err != nil {
			return err
		}
		v.Setup = &setup
		if s.Accounts.Passkeys() {
			v.Passkey, v.Page.Passkeys = to.ActivatePasskey(), true
		}
	}
	return s.Show(w, r, status, views.SetUp(v))
}

// setUpOptions asks the browser to make the passkey of a new account.
func (s *Handlers) SetUpOptions(w http.ResponseWriter, r *http.Request) error {
	options, err := s.Accounts.BeginPasskeySetUp(r.Context(), s.BegunToken(r, page.BegunSetUp))
	if err != nil {
		return err
	}
	return page.SayJSON(w, options)
}
