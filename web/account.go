package web

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/account"
	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/pii"
	"hearthline/views"
	"hearthline/views/to"
)

// accountPage is a person's own account.
func (s *Server) accountPage(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.showAccount(w, r, d, http.StatusOK, &form{})
}

// authenticatorPage shows how to add an authenticator app.
func (s *Server) authenticatorPage(w http.ResponseWriter, r *http.Request, d Desk) error {
	own, err := d.Account()
	if err != nil {
		return err
	}
	return s.showAuthenticator(w, r, own, http.StatusOK, views.Form{})
}

func (s *Server) showAuthenticator(w http.ResponseWriter, r *http.Request, own *desk.Account, status int, form views.Form) error {
	setup, err := own.SetUpTOTP(r.Context(), visitOf(r).session.IDHash)
	if err != nil {
		return err
	}
	shown, err := showSetup(setup)
	if err != nil {
		return err
	}
	return s.show(w, r, status, views.Authenticator(views.AuthenticatorView{Page: s.frame(r, "Authenticator app"), Setup: shown, Form: form}))
}

// addAuthenticator takes the app's first code.
func (s *Server) addAuthenticator(w http.ResponseWriter, r *http.Request, d Desk) error {
	own, err := d.Account()
	if err != nil {
		return err
	}
	f, err := readForm(r)
	if err != nil {
		return err
	}
	codes, err := own.AddTOTP(r.Context(), visitOf(r).session.IDHash, f.text("code"))
	if fault.KindOf(err) == fault.Invalid && err != nil {
		return s.showAuthenticator(w, r, own, http.StatusUnprocessableEntity, views.Form{Wrong: wrongOf(fault.FieldsOf(err))})
	}
	if err != nil {
		return err
	}
	return s.showRecovery(w, r, codes)
}

// passkeyPage is where a passkey is made.
func (s *Server) passkeyPage(w http.ResponseWriter, r *http.Request, _ Desk) error {
	return s.showNewPasskey(w, r, http.StatusOK, "")
}

func (s *Server) showNewPasskey(w http.ResponseWriter, r *http.Request, status int, refused string) error {
	page := s.frame(r, "New passkey")
	page.Passkeys = true
	return s.show(w, r, status, views.NewPasskey(views.NewPasskeyView{Page: page, Name: deviceName(r), Form: views.Form{Refused: refused}}))
}

// newPasskeyOptions are what the browser needs to make one.
func (s *Server) newPasskeyOptions(w http.ResponseWriter, r *http.Request, d Desk) error {
	own, err := d.Account()
	if err != nil {
		return err
	}
	options, err := own.BeginPasskey(r.Context(), visitOf(r).session.IDHash)
	if err != nil {
		return err
	}
	return sayJSON(w, options)
}

// addPasskey keeps the one that it made.
func (s *Server) addPasskey(w http.ResponseWriter, r *http.Request, d Desk) error {
	own, err := d.Account()
	if err != nil {
		return err
	}
	codes, err := own.AddPasskey(r.Context(), visitOf(r).session.IDHash, account.Made{
		Answer: []byte(posted(r).Get("credential")), Name: cut(strings.TrimSpace(posted(r).Get("name")), 60, deviceName(r)),
	})
	if kind := fault.KindOf(err); err != nil && (kind == fault.Invalid || kind == fault.Conflict) {
		return s.showNewPasskey(w, r, http.StatusUnprocessableEntity, fault.Public(err))
	}
	if err != nil {
		return err
	}
	if codes != nil {
		return s.showRecovery(w, r, codes)
	}
	return redirect(w, r, to.Full.Account())
}

// renewRecovery makes the old recovery codes worthless and shows new ones, once.
func (s *Server) renewRecovery(w http.ResponseWriter, r *http.Request, d Desk) error {
	own, err := d.Account()
	if err != nil {
		return err
	}
	codes, err := own.RenewRecovery(r.Context())
	if err != nil {
		return err
	}
	return s.showRecovery(w, r, codes)
}

func (s *Server) showRecovery(w http.ResponseWriter, r *http.Request, codes []string) error {
	return s.show(w, r, http.StatusOK, views.Recovery(views.RecoveryView{Page: s.frame(r, "Recovery codes"), Codes: codes, Next: to.Full.Account()}))
}

// removeFactor takes a way to sign in away.
func (s *Server) removeFactor(w http.ResponseWriter, r *http.Request, d Desk) error {
	own, err := d.Account()
	if err != nil {
		return err
	}
	if err := own.RemoveFactor(r.Context(), chi.URLParam(r, "id")); err != nil {
		return err
	}
	return onward(w, r, to.Full.Account())
}

// unlinkSSO takes single sign-on away.
func (s *Server) unlinkSSO(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.changeAccount(w, r, d, func(own *desk.Account, _ *form) error { return own.UnlinkSSO(r.Context()) })
}

// renameFactor changes what a person calls one.
func (s *Server) renameFactor(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.changeAccount(w, r, d, func(own *desk.Account, f *form) error {
		return own.RenameFactor(r.Context(), chi.URLParam(r, "id"), f.text("name"))
	})
}

// setZone keeps the zone in which the person reads the time.
func (s *Server) setZone(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.changeAccount(w, r, d, func(own *desk.Account, f *form) error { return own.SetTimeZone(r.Context(), f.text("zone")) })
}

// changePassword takes the present password and the next one.
func (s *Server) changePassword(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.changeAccount(w, r, d, func(own *desk.Account, f *form) error {
		err := own.ChangePassword(r.Context(), visitOf(r).session.IDHash, account.Passwords{
			Present: pii.Keep(f.values.Get("password.present")), Next: pii.Keep(f.values.Get("password")),
		})
		f.values.Del("password.present")
		f.values.Del("password")
		return err
	})
}

// changeAccount does one thing to the account, or hands its form back.
func (s *Server) changeAccount(w http.ResponseWriter, r *http.Request, d Desk, change func(*desk.Account, *form) error) error {
	own, err := d.Account()
	if err != nil {
		return err
	}
	f, err := readForm(r)
	if err != nil {
		return err
	}
	err = change(own, f)
	if fault.KindOf(err) == fault.Invalid && err != nil {
		f.wrong = fault.FieldsOf(err)
		return s.showAccount(w, r, d, http.StatusUnprocessableEntity, f)
	}
	if err != nil {
		return err
	}
	return onward(w, r, to.Full.Account())
}

// endSession signs the person out in one other place.
func (s *Server) endSession(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.changeAccount(w, r, d, func(own *desk.Account, _ *form) error {
		return own.EndSession(r.Context(), chi.URLParam(r, "id"))
	})
}

// disconnectCRM takes a CRM's log-in from the person's account.
func (s *Server) disconnectCRM(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.changeAccount(w, r, d, func(own *desk.Account, _ *form) error {
		return own.DisconnectCRM(r.Context(), chi.URLParam(r, "id"))
	})
}

// endOtherSessions signs the person out everywhere but here.
func (s *Server) endOtherSessions(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.changeAccount(w, r, d, func(own *desk.Account, _ *form) error {
		return own.EndOtherSessions(r.Context(), visitOf(r).session.IDHash)
	})
}
