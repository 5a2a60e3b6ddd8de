package page

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	view "hearthline/views/page"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
)

// StepUp determines when a route requires a recent step-up.
type StepUp int

// The values of StepUp.
const (
	StepUpNever   StepUp = iota
	StepUpWithSSN        // when the form contains an SSN
	StepUpAlways
)

// required reports whether this request needs a step-up.
func (stepUp StepUp) required(r *http.Request) bool {
	switch stepUp {
	case StepUpAlways:
		return true
	case StepUpWithSSN:
		return len(SsnControlsIn(Posted(r))) > 0
	default:
		return false
	}
}

// SsnControlsIn returns the names of the controls that contain an SSN, in order.
func SsnControlsIn(posted url.Values) []string {
	var names []string
	for name, values := range posted {
		if form.IsSecretControl(name) && strings.TrimSpace(strings.Join(values, "")) != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// stepUpControls lists the controls of a step-up. They never reach a handler's form.
func stepUpControls() []string { return []string{"proof.code", "proof.recovery", "proof.passkey"} }

// StepUpFactor returns the factor in a form: a passkey's response, and a recovery code or else a
// code.
func StepUpFactor(form url.Values) account.FactorResponse {
	code := strings.TrimSpace(form.Get("proof.recovery"))
	if code == "" {
		code = strings.TrimSpace(form.Get("proof.code"))
	}
	return account.FactorResponse{Code: code, Passkey: []byte(form.Get("proof.passkey"))}
}

// ensureElevated returns true if the user has stepped up recently or does so with this request.
// Otherwise it saves the request and sends the user to the step-up page.
func (s *Server) ensureElevated(w http.ResponseWriter, r *http.Request, v *Visit) (bool, error) {
	if v.elevated(s.Now()) {
		return true, nil
	}
	factor := StepUpFactor(Posted(r))
	if factor.Code != "" || len(factor.Passkey) > 0 {
		err := s.elevateSession(w, r, v, factor)
		if err == nil || fault.KindOf(err) != fault.Invalid {
			return err == nil, err
		}
		return false, s.RenderStepUp(w, r, http.StatusUnprocessableEntity, pendingFormOf(r), err)
	}
	return false, s.requireStepUp(w, r, v)
}

// requireStepUp saves the request and sends the user to the step-up page.
func (s *Server) requireStepUp(w http.ResponseWriter, r *http.Request, v *Visit) error {
	if err := s.Accounts.SavePendingForm(r.Context(), v.User.UserID, v.Session.IDHash, pendingFormOf(r)); err != nil {
		return err
	}
	return NavigateTo(w, r, to.Full.StepUp())
}

// elevateSession checks the factor and rotates the session.
func (s *Server) elevateSession(w http.ResponseWriter, r *http.Request, v *Visit, factor account.FactorResponse) error {
	proof, err := s.Accounts.StepUp(r.Context(), v.Session.IDHash, v.User, factor)
	if err != nil {
		return err
	}
	before := v.Session.IDHash
	if err := s.Sessions.RotateElevated(w, r, v, AuthResult{Proof: proof}); err != nil {
		return err
	}
	v.setElevatedUntil(s.Accounts.ElevatedUntil(v.Session))
	return s.Accounts.MoveToSession(r.Context(), before, v.Session.IDHash)
}

// maxPendingForm limits how many bytes of a form are stored. It is more than any of our forms has;
// a larger form is dropped, and the user must type it again.
const maxPendingForm = 64 << 10

// pendingFormOf returns a request as it is stored: never with an SSN, a password or a code.
func pendingFormOf(r *http.Request) account.PendingForm {
	if r.Method != http.MethodPost {
		return account.PendingForm{Path: r.URL.RequestURI()}
	}
	pending := account.PendingForm{Post: true, Path: r.URL.Path, Typed: url.Values{}, Retype: SsnControlsIn(Posted(r))}
	size := 0
	for name, values := range Posted(r) {
		if form.IsSecretControl(name) || form.IsPasswordControl(name) || slices.Contains(stepUpControls(), name) {
			continue
		}
		size += len(name) + len(strings.Join(values, ""))
		pending.Typed[name] = values
	}
	if size > maxPendingForm {
		pending.Typed = url.Values{}
	}
	for name := range Posted(r) {
		if form.IsPasswordControl(name) {
			pending.Retype = append(pending.Retype, name)
		}
	}
	slices.Sort(pending.Retype)
	return pending
}

// StepUpPage asks the user to step up, and shows what for.
func (s *Server) StepUpPage(w http.ResponseWriter, r *http.Request) error {
	session := VisitOf(r).Session
	pending, err := s.Accounts.PendingForm(r.Context(), session.IDHash)
	if err != nil {
		return err
	}
	if VisitOf(r).elevated(s.Now()) {
		return s.renderPendingForm(w, r, pending)
	}
	return s.RenderStepUp(w, r, http.StatusOK, pending, nil)
}

// renderPendingForm shows a user who has stepped up the form that they had filled in.
func (s *Server) renderPendingForm(w http.ResponseWriter, r *http.Request, pending account.PendingForm) error {
	if !pending.Post {
		return Redirect(w, r, s.NextOrHome(pending.Path, ActorOf(r)))
	}
	v := view.StepUpView{
		Page: s.Layout(r, "Continue where you left off"), ResumeOnly: true, Action: strings.TrimSuffix(BaseOf(r).Home(), "/") + pending.Path, Back: formPageURL(BaseOf(r), pending.Path), PendingForm: presentPendingForm(pending.Typed),
	}
	for _, name := range pending.Retype {
		v.RetypeFields = append(v.RetypeFields, retypeField(name))
	}
	return s.Render(w, r, http.StatusOK, view.StepUp(v))
}

// formPageURL returns the page that shows a form with this URL: its lead, or the home page.
func formPageURL(base to.Base, formURL string) string {
	if rest, ok := strings.CutPrefix(formURL, "/leads/"); ok {
		app, _, _ := strings.Cut(rest, "/")
		return base.Lead(app)
	}
	return base.Home()
}

// StepUp checks the factor for a requested page, and redirects to the page.
func (s *Server) StepUp(w http.ResponseWriter, r *http.Request) error {
	v := VisitOf(r)
	pending, err := s.Accounts.PendingForm(r.Context(), v.Session.IDHash)
	if err != nil {
		return err
	}
	if err := s.elevateSession(w, r, v, StepUpFactor(Posted(r))); err != nil {
		if fault.KindOf(err) != fault.Invalid {
			return err
		}
		return s.RenderStepUp(w, r, http.StatusUnprocessableEntity, pending, err)
	}
	next := to.Full.Account()
	if !pending.Post && pending.Path != "" {
		next = pending.Path
	}
	return Redirect(w, r, next)
}

// RenderStepUp shows the step-up page. If a form is pending, the same button submits both.
func (s *Server) RenderStepUp(w http.ResponseWriter, r *http.Request, status int, pending account.PendingForm, stepUpErr error) error {
	f, err := s.Accounts.Factors(r.Context(), VisitOf(r).User.UserID)
	if err != nil {
		return err
	}
	v := view.StepUpView{
		Page: s.Layout(r, "Confirm it’s you"), Action: to.Full.StepUp(), Back: to.Full.Home(),
		TOTP: f.TOTP, Recovery: f.RecoveryCodes > 0, NoSecondFactor: !f.HasSecondFactor(),
		Form: ui.Form{FieldErrors: StepUpFieldErrors(stepUpErr)},
	}
	if f.HasPasskey() {
		v.Passkey, v.Page.Passkeys = to.Full.StepUpOptions(), true
	}
	if f.SSO && s.Accounts.SSOName() != "" {
		v.SSO = to.Full.StepUpSSO()
	}
	if stepUpErr != nil && len(v.Form.FieldErrors) == 0 {
		v.Form.FormError = fault.Public(stepUpErr)
	}
	if pending.Post {
		v.Action = pending.Path
		v.PendingForm = presentPendingForm(pending.Typed)
		for _, name := range pending.Retype {
			v.RetypeFields = append(v.RetypeFields, retypeField(name))
		}
	}
	return s.Render(w, r, status, view.StepUp(v))
}

// presentPendingForm lists the values of a pending form in a stable order.
func presentPendingForm(typed url.Values) []ui.SubmittedValue {
	var submitted []ui.SubmittedValue
	for name, values := range typed {
		for _, value := range values {
			submitted = append(submitted, ui.SubmittedValue{Name: name, Value: value})
		}
	}
	slices.SortStableFunc(submitted, func(a, b ui.SubmittedValue) int { return strings.Compare(a.Name, b.Name) })
	return submitted
}

// retypeField is a control whose value was not stored.
func retypeField(name string) ui.Field {
	f := ui.Field{Name: name, Secret: true, Label: "SSN", Mode: "numeric", Hint: "Enter it again. We never store it.", Required: true}
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

// SignInMethodText describes how a user has signed in.
func SignInMethodText(p access.Proof) string {
	switch p {
	case access.ByTOTP:
		return "password and authenticator code"
	case access.ByRecovery:
		return "password and recovery code"
	case access.ByPasskey:
		return "passkey"
	case access.BySingleSignOn, access.ByStrongSSO:
		return "single sign-on"
	case access.ByLaunch, access.ByAttestedLaunch, access.ByConfirmed:
		return "a CRM"
	default:
		return "password"
	}
}
