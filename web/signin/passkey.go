package signin

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/web/guard"
	"hearthline/web/page"
)

// flowPasskey is a passkey challenge on the sign-in page.
const flowPasskey guard.Flow = "passkey"

// PasskeyOptions returns the options that request any passkey of this portal.
func (h *Handlers) PasskeyOptions(w http.ResponseWriter, r *http.Request) error {
	token, options, err := h.Accounts.BeginPasskeySignIn(r.Context(), guard.ClientOf(r))
	if err != nil {
		return err
	}
	h.SetFlowCookie(w, flowPasskey, token)
	return page.WriteRawJSON(w, options, nil)
}

// PasskeySignIn signs a user in with a passkey, which counts as two factors.
func (h *Handlers) PasskeySignIn(w http.ResponseWriter, r *http.Request) error {
	user, err := h.Accounts.PasskeySignIn(r.Context(), h.FlowToken(r, flowPasskey),
		[]byte(page.Posted(r).Get("credential")), guard.ClientOf(r))
	if fault.Is(err, fault.Conflict) {
		err = fault.Wrap(fault.Invalid, fault.Public(err), err)
	}
	if err != nil {
		return h.rejectSignIn(w, r, err)
	}
	h.SetFlowCookie(w, flowPasskey, "")
	return h.continueSignIn(w, r, user, account.Authentication{Proof: access.ByPasskey},
		page.SafeNext(page.Posted(r).Get("next")))
}

// SecondFactorOptions returns the options that request a passkey from a user who has entered their
// password.
func (h *Handlers) SecondFactorOptions(w http.ResponseWriter, r *http.Request) error {
	token := h.FlowToken(r, FlowSignIn)
	pending, err := h.Accounts.PendingSignIn(r.Context(), token)
	if err != nil {
		return err
	}
	options, err := h.Accounts.BeginPasskeyFactor(r.Context(), account.HashToken(token), pending.User)
	return page.WriteRawJSON(w, options, err)
}

// StepUpPasskeyOptions returns the options that request a passkey from the signed-in user.
func (h *Handlers) StepUpPasskeyOptions(w http.ResponseWriter, r *http.Request) error {
	v := page.VisitOf(r)
	options, err := h.Accounts.BeginPasskeyFactor(r.Context(), v.Session.IDHash, v.User)
	return page.WriteRawJSON(w, options, err)
}
