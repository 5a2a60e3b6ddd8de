package page

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
)

// StepUp says when a route asks its person to have proved lately who they are.
type StepUp int

// The answers.
const (
	StepUpNever   StepUp = iota
	StepUpWithSSN        // when the form carries an SSN
	StepUpAlways
)

// required says whether this request needs it.
func (c StepUp) required(r *http.Request) bool {
	switch c {
	case StepUpAlways:
		return true
	case StepUpWithSSN:
		return len(SsnControlsIn(Posted(r))) > 0
	default:
		return false
	}
}

// SsnControlsIn names the controls that hold an SSN.
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

// stepUpControls are what a confirmation carries. They never reach a handler's form.
func stepUpControls() []string { return []string{"proof.code", "proof.recovery", "proof.passkey"} }

// StepUpFactor is what a form carries: a passkey's answer, else a recovery code, else a code.
func StepUpFactor(form url.Values) account.FactorResponse {
	code := strings.TrimSpace(form.Get("proof.recovery"))
	if code == "" {
		code = strings.TrimSpace(form.Get("proof.code"))
	}
	return account.FactorResponse{Code: code, Passkey: []byte(form.Get("proof.passkey"))}
}

// ensureElevated lets a request through whose person has proved lately who they are, or does so
// by it. Else what they asked for is kept, and they are led to where they can confirm.
func (s *Server) ensureElevated(w http.ResponseWriter, r *http.Request, v *Visit) (bool, error) {
	if v.elevated(s.Now()) {
		return true, nil
	}
	given := StepUpFactor(Posted(r))
	if given.Code != "" || len(given.Passkey) > 0 {
		err := s.elevateSession(w, r, v, given)
		if err == nil || fault.KindOf(err) != fault.Invalid {
			return err == nil, err
		}
		return false, s.RenderStepUp(w, r, http.StatusUnprocessableEntity, pendingFormOf(r), err)
	}
	return false, s.requireStepUp(w, r, v)
}

// requireStepUp keeps what was asked for, and leads to where the person can confirm.
func (s *Server) requireStepUp(w http.ResponseWriter, r *http.Request, v *Visit) error {
	if err := s.Accounts.SavePendingForm(r.Context(), v.User.UserID, v.Session.IDHash, pendingFormOf(r)); err != nil {
		return err
	}
	return NavigateTo(w, r, to.Full.StepUp())
}

// elevateSession checks what is given and rotates the session.
func (s *Server) elevateSession(w http.ResponseWriter, r *http.Request, v *Visit, given account.FactorResponse) error {
	proof, err := s.Accounts.StepUp(r.Context(), v.Session.IDHash, v.User, given)
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

// maxPendingForm bounds what is kept of a form. More than any form of ours has is dropped, and
// typed again.
const maxPendingForm = 64 << 10

// pendingFormOf is a request as it is kept: never with an SSN, never with a code.
func pendingFormOf(r *http.Request) account.PendingForm {
	if r.Method != http.MethodPost {
		return account.PendingForm{Path: r.URL.RequestURI()}
	}
	held := account.PendingForm{Post: true, Path: r.URL.Path, Typed: url.Values{}, Retype: SsnControlsIn(Posted(r))}
	size := 0
	for name, values := range Posted(r) {
		if form.IsSecretControl(name) || form.IsPasswordControl(name) || slices.Contains(stepUpControls(), name) {
			continue
		}
		size += len(name) + len(strings.Join(values, ""))
		held.Typed[name] = values
	}
	if size > maxPendingForm {
		held.Typed = url.Values{}
	}
	for name := range Posted(r) {
		if form.IsPasswordControl(name) {
			held.Retype = append(held.Retype, name)
		}
	}
	slices.Sort(held.Retype)
	return held
}

// StepUpPage asks who is there, and says for what.
func (s *Server) StepUpPage(w http.ResponseWriter, r *http.Request) error {
	session := VisitOf(r).Session
	held, err := s.Accounts.PendingForm(r.Context(), session.IDHash)
	if err != nil {
		return err
	}
	if VisitOf(r).elevated(s.Now()) {
		return s.renderPendingForm(w, r, held)
	}
	return s.RenderStepUp(w, r, http.StatusOK, held, nil)
}

// renderPendingForm shows who has proved enough what waits for them.
func (s *Server) renderPendingForm(w http.ResponseWriter, r *http.Request, held account.PendingForm) error {
	if !held.Post {
		return Redirect(w, r, s.NextOrHome(held.Path, ActorOf(r)))
	}
	v := views.StepUpView{
		Page: s.Layout(r, "Go on where you were"), ResumeOnly: true, Action: strings.TrimSuffix(BaseOf(r).Home(), "/") + held.Path, Back: formPageURL(BaseOf(r), held.Path), PendingForm: presentPendingForm(held.Typed),
	}
	for _, name := range held.Retype {
		v.RetypeFields = append(v.RetypeFields, retypeField(name))
	}
	return s.Render(w, r, http.StatusOK, views.StepUp(v))
}

// formPageURL is the page on which a form of this address stands: its lead's, or the start.
func formPageURL(base to.Base, address string) string {
	if rest, ok := strings.CutPrefix(address, "/leads/"); ok {
		app, _, _ := strings.Cut(rest, "/")
		return base.Lead(app)
	}
	return base.Home()
}

// StepUp takes the proof for a page that was asked for, and leads there.
func (s *Server) StepUp(w http.ResponseWriter, r *http.Request) error {
	v := VisitOf(r)
	held, err := s.Accounts.PendingForm(r.Context(), v.Session.IDHash)
	if err != nil {
		return err
	}
	if err := s.elevateSession(w, r, v, StepUpFactor(Posted(r))); err != nil {
		if fault.KindOf(err) != fault.Invalid {
			return err
		}
		return s.RenderStepUp(w, r, http.StatusUnprocessableEntity, held, err)
	}
	next := to.Full.Account()
	if !held.Post && held.Path != "" {
		next = held.Path
	}
	return Redirect(w, r, next)
}

// RenderStepUp shows the question with what waits for the answer. A form that waits is
// sent by the same press of the button.
func (s *Server) RenderStepUp(w http.ResponseWriter, r *http.Request, status int, held account.PendingForm, wrong error) error {
	f, err := s.Accounts.Factors(r.Context(), VisitOf(r).User.UserID)
	if err != nil {
		return err
	}
	v := views.StepUpView{
		Page: s.Layout(r, "Confirm it is you"), Action: to.Full.StepUp(), Back: to.Full.Home(),
		TOTP: f.TOTP, Recovery: f.RecoveryCodes > 0, NoSecondFactor: !f.HasSecondFactor(),
		Form: views.Form{FieldErrors: StepUpFieldErrors(wrong)},
	}
	if f.HasPasskey() {
		v.Passkey, v.Page.Passkeys = to.Full.StepUpOptions(), true
	}
	if f.SSO && s.Accounts.SSOName() != "" {
		v.SSO = to.Full.StepUpSSO()
	}
	if wrong != nil && len(v.Form.FieldErrors) == 0 {
		v.Form.FormError = fault.Public(wrong)
	}
	if held.Post {
		v.Action = held.Path
		v.PendingForm = presentPendingForm(held.Typed)
		for _, name := range held.Retype {
			v.RetypeFields = append(v.RetypeFields, retypeField(name))
		}
	}
	return s.Render(w, r, status, views.StepUp(v))
}

// presentPendingForm are the controls of a form that waits, in an order that does not change.
func presentPendingForm(typed url.Values) []views.SubmittedValue {
	var kept []views.SubmittedValue
	for name, values := range typed {
		for _, value := range values {
			kept = append(kept, views.SubmittedValue{Name: name, Value: value})
		}
	}
	slices.SortStableFunc(kept, func(a, b views.SubmittedValue) int { return strings.Compare(a.Name, b.Name) })
	return kept
}

// retypeField is a control that was not kept.
func retypeField(name string) ui.Field {
	f := ui.Field{Name: name, Secret: true, Label: "SSN, once more", Mode: "numeric", Hint: "It is never kept, not even for this moment.", Required: true}
	if form.IsPasswordControl(name) {
		f.Type, f.Mode, f.Label = "password", "", "New password, once more"
		if name == "password.present" {
			f.Label = "Present password, once more"
		}
	}
	return f
}

// StepUpFieldErrors puts a complaint about a code beside the control it was typed in.
func StepUpFieldErrors(err error) []views.FieldError {
	wrong := form.ViewErrors(fault.FieldsOf(err))
	for i := range wrong {
		if wrong[i].Name == "code" {
			wrong[i].Name = "proof.code"
		}
	}
	return wrong
}

// SignInMethodText says by what a person is signed in.
func SignInMethodText(p access.Proof) string {
	switch p {
	case access.ByTOTP:
		return "password and code"
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
