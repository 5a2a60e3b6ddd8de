package account

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/account"
	deskaccount "hearthline/internal/desk/account"
	"hearthline/internal/fault"
	"hearthline/internal/pii"
	view "hearthline/views/account"
	pageview "hearthline/views/page"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/guard"
	"hearthline/web/page"
)

// renderAuthenticator shows how to add an authenticator app.
func (h *Handlers) renderAuthenticator(w http.ResponseWriter, r *http.Request, own *deskaccount.Account,
	f *form.Form) error {
	setup, err := own.SetUpTOTP(r.Context(), page.VisitOf(r).Session.IDHash)
	if err != nil {
		return err
	}
	setupView, err := page.PresentTOTPSetup(setup.URI, setup.Secret)
	if err != nil {
		return err
	}
	return h.Render(w, r, page.FormStatus(f), view.Authenticator(view.AuthenticatorView{
		Page: h.Layout(r, "Authenticator app"), Setup: setupView,
		Form: ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors), FormError: f.FormError},
	}))
}

// AddAuthenticator checks the app's first code and adds the app.
func (h *Handlers) AddAuthenticator(w http.ResponseWriter, r *http.Request, own *deskaccount.Account,
	f *form.Form) error {
	codes, err := own.AddTOTP(r.Context(), page.VisitOf(r).Session.IDHash, f.Text("code"))
	if page.Rejected(f, err) {
		return h.renderAuthenticator(w, r, own, f)
	}
	if err != nil {
		return err
	}
	return h.renderRecoveryCodes(w, r, codes)
}

// PasskeyPage shows the form that creates a passkey.
func (h *Handlers) PasskeyPage(w http.ResponseWriter, r *http.Request) error {
	return h.renderNewPasskey(w, r, http.StatusOK, "")
}

func (h *Handlers) renderNewPasskey(w http.ResponseWriter, r *http.Request, status int, formError string) error {
	layout := h.Layout(r, "New passkey")
	layout.Passkeys = true
	return h.Render(w, r, status, view.NewPasskey(view.NewPasskeyView{Page: layout, Name: page.DeviceName(r),
		Form: ui.Form{FormError: formError}}))
}

// NewPasskeyOptions returns the options with which the browser creates a passkey.
func (h *Handlers) NewPasskeyOptions(w http.ResponseWriter, r *http.Request, own *deskaccount.Account) error {
	options, err := own.BeginPasskey(r.Context(), page.VisitOf(r).Session.IDHash)
	return page.WriteRawJSON(w, options, err)
}

// AddPasskey stores the passkey that the browser created.
func (h *Handlers) AddPasskey(w http.ResponseWriter, r *http.Request, own *deskaccount.Account) error {
	codes, err := own.AddPasskey(r.Context(), page.VisitOf(r).Session.IDHash, account.CreatedPasskey{
		Response: []byte(page.Posted(r).Get("credential")),
		Name:     page.TruncateOr(strings.TrimSpace(page.Posted(r).Get("name")), 60, page.DeviceName(r)),
	})
	if fault.Is(err, fault.Invalid, fault.Conflict) {
		return h.renderNewPasskey(w, r, http.StatusUnprocessableEntity, fault.Public(err))
	}
	if err != nil {
		return err
	}
	if codes != nil {
		return h.renderRecoveryCodes(w, r, codes)
	}
	return page.Redirect(w, r, to.Full.Account())
}

// RenewRecoveryCodes invalidates the old recovery codes and shows new ones, once.
func (h *Handlers) RenewRecoveryCodes(w http.ResponseWriter, r *http.Request, own *deskaccount.Account) error {
	codes, err := own.ReplaceRecoveryCodes(r.Context())
	if err != nil {
		return err
	}
	return h.renderRecoveryCodes(w, r, codes)
}

func (h *Handlers) renderRecoveryCodes(w http.ResponseWriter, r *http.Request, codes []string) error {
	return h.Render(w, r, http.StatusOK, pageview.Recovery(pageview.RecoveryView{Page: h.Layout(r, "Recovery codes"),
		Codes: codes, Next: to.Full.Account()}))
}

// unlinkSSO removes single sign-on from the account.
func unlinkSSO(r *http.Request, own *deskaccount.Account, _ *form.Form) error {
	return own.UnlinkSSO(r.Context())
}

// renameFactor changes the name of a second factor.
func renameFactor(r *http.Request, own *deskaccount.Account, f *form.Form) error {
	return own.RenameFactor(r.Context(), chi.URLParam(r, "id"), f.Text("name"))
}

// setTimeZone stores the time zone in which the user sees times.
func setTimeZone(r *http.Request, own *deskaccount.Account, f *form.Form) error {
	return own.SetTimeZone(r.Context(), f.Text("zone"))
}

// setPlainTitles chooses whether page titles name leads by their short ID.
func setPlainTitles(r *http.Request, own *deskaccount.Account, f *form.Form) error {
	return own.SetPlainTitles(r.Context(), f.Text("plainTitles") == "true")
}

// setShortcuts turns single-key shortcuts on or off.
func setShortcuts(r *http.Request, own *deskaccount.Account, f *form.Form) error {
	return own.SetShortcuts(r.Context(), f.Text("shortcuts") == "true")
}

// changePassword checks the current password and sets the new one.
func changePassword(r *http.Request, own *deskaccount.Account, f *form.Form) error {
	p := account.Passwords{Current: pii.Wrap(f.Values.Get("password.present")), New: pii.Wrap(f.Values.Get("password"))}
	var missing []fault.Field
	if f.Values.Has("password.present") && p.Current.Reveal() == "" {
		missing = append(missing, fault.Field{Name: "password.present", Message: "Enter your current password"})
	}
	if p.New.Reveal() == "" {
		missing = append(missing, fault.Field{Name: "password", Message: "Enter a new password"})
	}
	f.Values.Del("password.present")
	f.Values.Del("password")
	if len(missing) > 0 {
		return fault.InvalidFields(missing...)
	}
	return own.ChangePassword(r.Context(), page.VisitOf(r).Session.IDHash, p)
}

// endSession ends another session of the user.
func endSession(r *http.Request, own *deskaccount.Account, _ *form.Form) error {
	return own.EndSession(r.Context(), chi.URLParam(r, "id"))
}

// disconnectCRM removes a CRM connection from the user's account.
func disconnectCRM(r *http.Request, own *deskaccount.Account, _ *form.Form) error {
	return own.DisconnectCRM(r.Context(), chi.URLParam(r, "id"))
}

// endOtherSessions ends all sessions of the user except this one.
func endOtherSessions(r *http.Request, own *deskaccount.Account, _ *form.Form) error {
	return own.EndOtherSessions(r.Context(), page.VisitOf(r).Session.IDHash)
}

// setMonthlyReport turns the monthly summary by email on or off.
func setMonthlyReport(r *http.Request, own *deskaccount.Account, f *form.Form) error {
	return own.SetMonthlyReport(r.Context(), f.Text("monthlyReport") == "true")
}

// EmailChangePage shows the new email whose confirmation link this browser has opened.
func (h *Handlers) EmailChangePage(w http.ResponseWriter, r *http.Request, own *deskaccount.Account) error {
	return h.renderEmailChange(w, r, own, "")
}

// ConfirmEmailChange makes it the account's email.
func (h *Handlers) ConfirmEmailChange(w http.ResponseWriter, r *http.Request, own *deskaccount.Account) error {
	err := own.ConfirmEmail(r.Context(), page.VisitOf(r).Session.IDHash, h.FlowToken(r, guard.FlowSetUp))
	if fault.Is(err, fault.Invalid, fault.Conflict) {
		return h.renderEmailChange(w, r, own, fault.Public(err))
	}
	if err != nil {
		return err
	}
	h.SetFlowCookie(w, guard.FlowSetUp, "")
	return page.Redirect(w, r, to.Full.Account())
}

func (h *Handlers) renderEmailChange(w http.ResponseWriter, r *http.Request, own *deskaccount.Account,
	message string) error {
	status := http.StatusOK
	if message != "" {
		status = http.StatusUnprocessableEntity
	}
	model := view.EmailView{Page: h.Layout(r, "Change your email"), Current: page.ActorOf(r).Email, Error: message}
	newEmail, err := own.EmailOffer(r.Context(), h.FlowToken(r, guard.FlowSetUp))
	if err != nil && !fault.Is(err, fault.Conflict) {
		return err
	}
	model.NewEmail = newEmail
	if err != nil && h.FlowToken(r, guard.FlowSetUp) != "" && model.Error == "" {
		model.Error = fault.Public(err)
	}
	return h.Render(w, r, status, view.Email(model))
}
