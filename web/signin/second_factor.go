package signin

import (
	"errors"
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	pageview "hearthline/views/page"
	view "hearthline/views/signin"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/guard"
	"hearthline/web/page"
)

// FlowSignIn is a sign-in that waits for its second factor.
const FlowSignIn guard.Flow = "login"

// SecondFactorPage asks for a second factor. Users who have none are asked to create a passkey or add an app.
func (h *Handlers) SecondFactorPage(w http.ResponseWriter, r *http.Request) error {
	pending, err := h.Accounts.PendingSignIn(r.Context(), h.FlowToken(r, FlowSignIn))
	if fault.Is(err, fault.Conflict) {
		return page.Redirect(w, r, to.SignIn(page.SafeNext(r.URL.Query().Get("next"))))
	}
	if err != nil {
		return err
	}
	return h.renderSecondFactor(w, r, http.StatusOK, pending, ui.Form{})
}

// SubmitSecondFactor checks the factor and signs the user in.
func (h *Handlers) SubmitSecondFactor(w http.ResponseWriter, r *http.Request) error {
	token, given := h.FlowToken(r, FlowSignIn), guard.StepUpFactor(page.Posted(r))
	given.Name = page.DeviceName(r)
	result, err := h.Accounts.FinishSecondFactor(r.Context(), token, given, h.ClientWithDevice(r))
	if err != nil {
		return h.rejectSecondFactor(w, r, token, err)
	}
	h.SetFlowCookie(w, FlowSignIn, "")
	how, next := account.Authentication{Proof: result.Proof}, page.SafeNext(page.Posted(r).Get("next"))
	if result.RecoveryCodes == nil {
		return h.continueSignIn(w, r, result.User, how, next)
	}
	if next, err = h.signInNow(w, r, result.User, how, next); err != nil {
		return err
	}
	return h.renderRecoveryCodes(w, r, result.RecoveryCodes, next)
}

// renderRecoveryCodes shows new recovery codes once, with a link to the next page.
func (h *Handlers) renderRecoveryCodes(w http.ResponseWriter, r *http.Request, codes []string, next string) error {
	return h.Render(w, r, http.StatusOK, pageview.RecoveryAtSignIn(pageview.RecoveryView{
		Page: h.PublicLayout(r, "Recovery codes"), Codes: codes, Next: next,
	}))
}

func (h *Handlers) rejectSecondFactor(w http.ResponseWriter, r *http.Request, token string, err error) error {
	_, soon := errors.AsType[*account.TooSoon](err)
	switch {
	case fault.Is(err, fault.Conflict):
		return page.Redirect(w, r, to.SignIn(page.SafeNext(page.Posted(r).Get("next"))))
	case !soon && !fault.Is(err, fault.Invalid):
		return err
	}
	page.RequestLogOf(r).AddAttr("login", "refused")
	pending, pendingErr := h.Accounts.PendingSignIn(r.Context(), token)
	if pendingErr != nil {
		return pendingErr
	}
	status, message := page.StatusAndMessage(err)
	page.SetRetryAfter(w, err)
	form := ui.Form{FieldErrors: guard.StepUpFieldErrors(err)}
	if len(form.FieldErrors) == 0 {
		form.FormError = message
	}
	return h.renderSecondFactor(w, r, status, pending, form)
}

func (h *Handlers) renderSecondFactor(w http.ResponseWriter, r *http.Request, status int, pending account.PendingSignIn,
	form ui.Form) error {
	next := r.URL.Query().Get("next")
	if r.Method == http.MethodPost {
		next = page.Posted(r).Get("next")
	}
	v := view.SecondFactorView{
		Page: h.PublicLayout(r, "Verify it’s you"), Next: page.SafeNext(next), Name: pending.User.Name, Form: form,
		TOTP: pending.TOTP,
	}
	if pending.Passkeys || pending.Setup != nil && h.Accounts.Passkeys() {
		v.Passkey, v.Page.Passkeys = to.SecondFactorOptions(), true
	}
	if pending.Setup != nil {
		setup, err := page.PresentTOTPSetup(pending.Setup.URI, pending.Setup.Secret)
		if err != nil {
			return err
		}
		v.Page.Title, v.Setup = "Add a second factor", &setup
	}
	return h.Render(w, r, status, view.SecondFactor(v))
}

// PasskeyOptions returns the options that request any passkey of this portal.
func (h *Handlers) PasskeyOptions(w http.ResponseWriter, r *http.Request) error {
	token, options, err := h.Accounts.BeginPasskeySignIn(r.Context(), guard.ClientOf(r))
	if err != nil {
		return err
	}
	h.SetFlowCookie(w, guard.FlowPasskey, token)
	return page.WriteRawJSON(w, options, nil)
}

// PasskeySignIn signs a user in with a passkey, which counts as two factors.
func (h *Handlers) PasskeySignIn(w http.ResponseWriter, r *http.Request) error {
	user, err := h.Accounts.PasskeySignIn(r.Context(), h.FlowToken(r, guard.FlowPasskey),
		[]byte(page.Posted(r).Get("credential")), guard.ClientOf(r))
	if fault.Is(err, fault.Conflict) {
		err = fault.Wrap(fault.Invalid, fault.Public(err), err)
	}
	if err != nil {
		return h.rejectSignIn(w, r, err)
	}
	h.SetFlowCookie(w, guard.FlowPasskey, "")
	return h.continueSignIn(w, r, user, account.Authentication{Proof: access.ByPasskey},
		page.SafeNext(page.Posted(r).Get("next")))
}

// SecondFactorOptions returns the options that request a passkey from a user who has entered their password, or create
// the first second factor of one who has none.
func (h *Handlers) SecondFactorOptions(w http.ResponseWriter, r *http.Request) error {
	options, err := h.Accounts.BeginSecondFactorPasskey(r.Context(), h.FlowToken(r, FlowSignIn))
	return page.WriteRawJSON(w, options, err)
}

// StepUpPasskeyOptions returns the options that request a passkey from the signed-in user.
func (h *Handlers) StepUpPasskeyOptions(w http.ResponseWriter, r *http.Request) error {
	v := page.VisitOf(r)
	options, err := h.Accounts.BeginPasskeyFactor(r.Context(), v.Session.IDHash, v.User)
	return page.WriteRawJSON(w, options, err)
}
