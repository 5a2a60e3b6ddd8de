package signin

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	view "hearthline/views/signin"
	"hearthline/views/to"
	"hearthline/web/guard"
	"hearthline/web/page"
)

// flowSSO is a single sign-on at the provider.
const flowSSO guard.Flow = "sso"

// SSO is the single sign-on provider as the account service uses it; *account.Service implements it.
type SSO interface {
	// SSOName returns the name of the provider, or "" if there is none.
	SSOName() string
	// BeginSSO and BeginSSOStepUp start a round trip to the provider, and FinishSSO finishes it.
	BeginSSO(ctx context.Context, name, next string, from account.ClientInfo) (token, address string, err error)
	BeginSSOStepUp(ctx context.Context, session access.Session, from account.ClientInfo) (token, address string, err error)
	FinishSSO(ctx context.Context, name, token string, back account.Callback) (account.SSOResult, error)
}

// StartSSO sends the browser to the provider. A link on another site leads only to the sign-in
// page, so that nobody is signed in without having pressed a button here.
func (h *Handlers) StartSSO(w http.ResponseWriter, r *http.Request) error {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return page.Redirect(w, r, to.SignIn(""))
	}
	token, address, err := h.SSO.BeginSSO(r.Context(), chi.URLParam(r, "provider"),
		page.SafeNext(r.URL.Query().Get("next")), guard.ClientOf(r))
	if err != nil {
		return err
	}
	h.SetFlowCookie(w, flowSSO, token)
	return page.Redirect(w, r, address)
}

// SsoCallback handles the return from the provider. If the provider vouches for one factor only,
// ours is requested as after a password.
func (h *Handlers) SsoCallback(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	result, err := h.SSO.FinishSSO(r.Context(), chi.URLParam(r, "provider"), h.FlowToken(r, flowSSO), account.Callback{
		State: q.Get("state"), Code: q.Get("code"), Issuer: q.Get("iss"), Error: q.Get("error"), From: guard.ClientOf(r),
	})
	h.SetFlowCookie(w, flowSSO, "")
	if err != nil && result.Session != "" {
		return h.StepUp.RenderSSORejected(w, r, err)
	}
	if fault.Is(err, fault.Invalid, fault.Conflict) {
		return h.renderSignInError(w, r, err)
	}
	if err != nil {
		return err
	}
	if result.Session != "" {
		return h.StepUp.FinishSSO(w, r, result)
	}
	return h.continueSignIn(w, r, result.User, account.Authentication{Proof: result.Proof, At: result.At,
		Link: result.Link},
		page.SafeNext(result.Next))
}

// StepUpBySSO sends a user to the provider for a step-up.
func (h *Handlers) StepUpBySSO(w http.ResponseWriter, r *http.Request) error {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return page.Redirect(w, r, to.Full.StepUp())
	}
	token, address, err := h.SSO.BeginSSOStepUp(r.Context(), page.VisitOf(r).Session, guard.ClientOf(r))
	if err != nil {
		return err
	}
	h.SetFlowCookie(w, flowSSO, token)
	return page.Redirect(w, r, address)
}

// renderSignInError shows the sign-in page with an error that suggests another way to sign in.
func (h *Handlers) renderSignInError(w http.ResponseWriter, r *http.Request, err error) error {
	page.RequestLogOf(r).Err = err
	page.RequestLogOf(r).AddAttr("login", "refused")
	v := h.signInView(r, "")
	v.Error = fault.Public(err)
	return h.Render(w, r, http.StatusUnprocessableEntity, view.SignIn(v))
}
