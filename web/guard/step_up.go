package guard

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"hearthline/internal/account"
	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	view "hearthline/views/page"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// stepUpControls lists the controls of a step-up. They never reach a handler's form.
func stepUpControls() []string { return []string{"proof.code", "proof.recovery", "proof.passkey"} }

// StepUpFactor returns the factor in a form: a passkey's response, and a recovery code or else a
// code.
func StepUpFactor(form url.Values) account.FactorResponse {
	code := cmp.Or(strings.TrimSpace(form.Get("proof.recovery")), strings.TrimSpace(form.Get("proof.code")))
	return account.FactorResponse{Code: code, Passkey: []byte(form.Get("proof.passkey"))}
}

// StepUp asks signed-in users to authenticate again before sensitive actions.
type StepUp struct {
	*page.Responder
	accounts *account.Service
	desks    *desk.Service
	ssoName  func() string
	sessions *Sessions
}

// ensureElevated returns true if the user has stepped up recently or does so with this request.
// Otherwise it saves the request and sends the user to the step-up page.
func (u *StepUp) ensureElevated(w http.ResponseWriter, r *http.Request, v *page.Visit) (bool, error) {
	if v.Elevated(u.Now()) {
		return true, nil
	}
	factor := StepUpFactor(page.Posted(r))
	if factor.Code != "" || len(factor.Passkey) > 0 {
		err := u.elevateSession(w, r, v, factor)
		if !fault.Is(err, fault.Invalid) {
			return err == nil, err
		}
		return false, u.RenderStepUp(w, r, http.StatusUnprocessableEntity, pendingFormOf(r), err)
	}
	return false, u.requireStepUp(w, r, v)
}

// requireStepUp saves the request and sends the user to the step-up page.
func (u *StepUp) requireStepUp(w http.ResponseWriter, r *http.Request, v *page.Visit) error {
	return page.NavigateAfter(w, r, u.accounts.SavePendingForm(r.Context(), v.User.UserID, v.Session.IDHash,
		pendingFormOf(r)), to.Full.StepUp())
}

// elevateSession checks the factor and rotates the session.
func (u *StepUp) elevateSession(w http.ResponseWriter, r *http.Request, v *page.Visit,
	factor account.FactorResponse) error {
	proof, err := u.accounts.StepUp(r.Context(), v.Session.IDHash, v.User, factor)
	if err != nil {
		return err
	}
	before := v.Session.IDHash
	if err := u.sessions.RotateElevated(w, r, v, account.Authentication{Proof: proof}); err != nil {
		return err
	}
	v.SetElevatedUntil(u.accounts.ElevatedUntil(v.Session))
	return u.accounts.MoveToSession(r.Context(), before, v.Session.IDHash)
}

// maxPendingForm limits how many bytes of a form are stored. It is more than any of our forms has;
// a larger form is dropped, and the user must type it again.
const maxPendingForm = 64 << 10

// pendingFormOf returns a request as it is stored: never with an SSN, a password or a code.
func pendingFormOf(r *http.Request) account.PendingForm {
	if r.Method != http.MethodPost {
		return account.PendingForm{Path: r.URL.RequestURI()}
	}
	pending := account.PendingForm{Post: true, Path: r.URL.Path, Typed: url.Values{},
		Retype: page.SsnControlsIn(page.Posted(r))}
	size := 0
	for name, values := range page.Posted(r) {
		switch {
		case form.IsPasswordControl(name):
			pending.Retype = append(pending.Retype, name)
		case !form.IsSecretControl(name) && !slices.Contains(stepUpControls(), name):
			size += len(name) + len(strings.Join(values, ""))
			pending.Typed[name] = values
		}
	}
	if size > maxPendingForm {
		pending.Typed = url.Values{}
	}
	slices.Sort(pending.Retype)
	return pending
}

// StepUpPage asks the user to step up, and shows what for.
func (u *StepUp) StepUpPage(w http.ResponseWriter, r *http.Request) error {
	session := page.VisitOf(r).Session
	pending, err := u.accounts.PendingForm(r.Context(), session.IDHash)
	if err != nil {
		return err
	}
	if pending.Post && !opensForm(r, pending.Path) {
		if err := u.accounts.DiscardPendingForm(r.Context(), session.IDHash); err != nil {
			return err
		}
		return page.Redirect(w, r, page.BaseOf(r).Home())
	}
	if page.VisitOf(r).Elevated(u.Now()) {
		return u.renderPendingForm(w, r, pending)
	}
	return u.RenderStepUp(w, r, http.StatusOK, pending, nil)
}

// opensForm reports whether the user can still open the lead that a form belongs to, if any. Otherwise what was typed
// about it is no longer shown, not even to whoever typed it.
func opensForm(r *http.Request, formURL string) bool {
	app, action, ok := leadOfForm(formURL)
	if !ok || action == "" {
		return true
	}
	_, err := page.VisitOf(r).Desk.Lead(r.Context(), app)
	return err == nil
}

// leadOfForm splits the URL of a lead's form, /leads/{app}/{action}; ok is false for any other form.
func leadOfForm(formURL string) (app, action string, ok bool) {
	rest, isLead := strings.CutPrefix(formURL, "/leads/")
	app, action, _ = strings.Cut(rest, "/")
	_, err := heloc.ParseAppID(app)
	return app, action, isLead && err == nil
}

// renderPendingForm shows a user who has stepped up the form that they had filled in.
func (u *StepUp) renderPendingForm(w http.ResponseWriter, r *http.Request, pending account.PendingForm) error {
	if !pending.Post {
		return page.Redirect(w, r, u.NextOrHome(pending.Path, page.ActorOf(r)))
	}
	v := view.StepUpView{
		Page: u.Layout(r, "Continue where you left off"), ResumeOnly: true,
		Action: strings.TrimSuffix(page.BaseOf(r).Home(), "/") + pending.Path,
		Back:   formPageURL(page.BaseOf(r), pending.Path),
	}
	addPendingForm(&v, pending)
	return u.Render(w, r, http.StatusOK, view.StepUp(v))
}

// formPageURL returns the page that shows a form with this URL: its lead, a new inquiry, or the home page.
func formPageURL(base to.Base, formURL string) string {
	if app, _, ok := leadOfForm(formURL); ok {
		return base.Lead(app)
	}
	if formURL == to.Full.ImportLead() {
		return base.NewLead("")
	}
	return base.Home()
}

// SubmitStepUp checks the factor for a requested page, and redirects to the page.
func (u *StepUp) SubmitStepUp(w http.ResponseWriter, r *http.Request) error {
	v := page.VisitOf(r)
	pending, err := u.accounts.PendingForm(r.Context(), v.Session.IDHash)
	if err != nil {
		return err
	}
	if err := u.elevateSession(w, r, v, StepUpFactor(page.Posted(r))); err != nil {
		if !fault.Is(err, fault.Invalid) {
			return err
		}
		return u.RenderStepUp(w, r, http.StatusUnprocessableEntity, pending, err)
	}
	next := to.Full.Account()
	if !pending.Post && pending.Path != "" {
		next = pending.Path
	}
	return page.Redirect(w, r, next)
}

// RenderStepUp shows the step-up page. If a form is pending, the same button submits both.
func (u *StepUp) RenderStepUp(w http.ResponseWriter, r *http.Request, status int, pending account.PendingForm,
	stepUpErr error) error {
	f, err := u.accounts.Factors(r.Context(), page.VisitOf(r).User.UserID)
	if err != nil {
		return err
	}
	v := view.StepUpView{
		Page: u.Layout(r, "Confirm it’s you"), Action: to.Full.StepUp(), Back: to.Full.Home(),
		TOTP: f.TOTP, Recovery: f.RecoveryCodes > 0, NoSecondFactor: !f.HasSecondFactor(),
		Form: ui.Form{FieldErrors: StepUpFieldErrors(stepUpErr)},
	}
	if f.HasPasskey() {
		v.Passkey, v.Page.Passkeys = to.Full.StepUpOptions(), true
	}
	if f.SSO && u.ssoName() != "" {
		v.SSO = to.Full.StepUpSSO()
	}
	if stepUpErr != nil && len(v.Form.FieldErrors) == 0 {
		v.Form.FormError = fault.Public(stepUpErr)
	}
	if pending.Post {
		v.Action = pending.Path
		addPendingForm(&v, pending)
	}
	return u.Render(w, r, status, view.StepUp(v))
}

// addPendingForm adds the values of a pending form in a stable order, and the controls that must be typed again.
func addPendingForm(v *view.StepUpView, pending account.PendingForm) {
	for _, name := range slices.Sorted(maps.Keys(pending.Typed)) {
		for _, value := range pending.Typed[name] {
			v.PendingForm = append(v.PendingForm, ui.SubmittedValue{Name: name, Value: value})
		}
	}
	for _, name := range pending.Retype {
		v.RetypeFields = append(v.RetypeFields, retypeField(name))
	}
}

// retypeField is a control whose value was not stored.
func retypeField(name string) ui.Field {
	f := ui.Field{Name: name, Secret: true, Label: "SSN", Mode: "numeric", Hint: "Enter it again. We never store it.",
		Required: true}
	if form.IsPasswordControl(name) {
		f.Type, f.Mode, f.Label = "password", "", "New password"
		if name == "password.present" {
			f.Label = "Current password"
		}
	}
	return f
}

// StepUpFieldErrors moves an error about a code to the control where it was typed.
func StepUpFieldErrors(err error) []ui.FieldError {
	fieldErrors := form.ViewErrors(fault.FieldsOf(err))
	for i := range fieldErrors {
		if fieldErrors[i].Name == "code" {
			fieldErrors[i].Name = "proof.code"
		}
	}
	return fieldErrors
}

// FinishSSO steps up the session that started the round trip to the provider of single sign-on, and redirects to its
// pending form. It does nothing for any other session.
func (u *StepUp) FinishSSO(w http.ResponseWriter, r *http.Request, result account.SSOResult) error {
	who, err := u.sessions.Current(r, true)
	if err != nil {
		return err
	}
	if !who.SignedIn || who.Session.IDHash != result.Session || who.User.UserID != result.User.UserID {
		return page.Redirect(w, r, to.Full.StepUp())
	}
	pending, err := u.accounts.PendingForm(r.Context(), result.Session)
	if err != nil {
		return err
	}
	v := &page.Visit{SessionState: who}
	if err := u.sessions.RotateElevated(w, r, v, account.Authentication{Proof: result.Proof, At: result.At}); err != nil {
		return err
	}
	if err := u.accounts.MoveToSession(r.Context(), result.Session, v.Session.IDHash); err != nil {
		return err
	}
	if err := u.accounts.SavePendingForm(r.Context(), who.User.UserID, v.Session.IDHash, pending); err != nil {
		return err
	}
	return page.Redirect(w, r, to.Full.StepUp())
}

// RenderSSORejected shows the step-up page again, with what was wrong with the provider's response.
func (u *StepUp) RenderSSORejected(w http.ResponseWriter, r *http.Request, cause error) error {
	who, err := u.sessions.Current(r, false)
	if err != nil || !who.SignedIn || !fault.Is(cause, fault.Invalid) {
		return errors.Join(cause, err)
	}
	reqLog := page.RequestLogOf(r)
	reqLog.Visit, reqLog.User = &page.Visit{SessionState: who, Desk: u.desks.For(who.User.Actor)}, who.User.UserID
	pending, err := u.accounts.PendingForm(r.Context(), who.Session.IDHash)
	if err != nil {
		return err
	}
	return u.RenderStepUp(w, r, http.StatusUnprocessableEntity, pending, cause)
}
