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

// Confirm says when a route asks its person to have proved lately who they are.
type Confirm int

// The answers.
const (
	Never   Confirm = iota
	WithSSN         // when the form carries an SSN
	Always
)

// asked says whether this request needs it.
func (c Confirm) asked(r *http.Request) bool {
	switch c {
	case Always:
		return true
	case WithSSN:
		return len(SsnIn(Posted(r))) > 0
	default:
		return false
	}
}

// ssnIn names the controls that hold an SSN.
func SsnIn(posted url.Values) []string {
	var names []string
	for name, values := range posted {
		if form.SecretControl(name) && strings.TrimSpace(strings.Join(values, "")) != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// proofControls are what a confirmation carries. They never reach a handler's form.
func proofControls() []string { return []string{"proof.code", "proof.recovery", "proof.passkey"} }

// proofIn is what a form carries: a passkey's answer, else a recovery code, else a code.
func ProofIn(form url.Values) account.Given {
	code := strings.TrimSpace(form.Get("proof.recovery"))
	if code == "" {
		code = strings.TrimSpace(form.Get("proof.code"))
	}
	return account.Given{Code: code, Passkey: []byte(form.Get("proof.passkey"))}
}

// proved lets a request through whose person has proved lately who they are, or does so
// by it. Else what they asked for is kept, and they are led to where they can confirm.
func (s *Server) proved(w http.ResponseWriter, r *http.Request, v *Visit) (bool, error) {
	if v.proved(s.Now()) {
		return true, nil
	}
	given := ProofIn(Posted(r))
	if given.Code != "" || len(given.Passkey) > 0 {
		err := s.prove(w, r, v, given)
		if err == nil || fault.KindOf(err) != fault.Invalid {
			return err == nil, err
		}
		return false, s.ShowConfirm(w, r, http.StatusUnprocessableEntity, heldOf(r), err)
	}
	return false, s.askProof(w, r, v)
}

// askProof keeps what was asked for, and leads to where the person can confirm.
func (s *Server) askProof(w http.ResponseWriter, r *http.Request, v *Visit) error {
	if err := s.Accounts.Hold(r.Context(), v.User.UserID, v.Session.IDHash, heldOf(r)); err != nil {
		return err
	}
	return Onward(w, r, to.Full.Confirm())
}

// prove checks what is given and rotates the session.
func (s *Server) prove(w http.ResponseWriter, r *http.Request, v *Visit, given account.Given) error {
	proof, err := s.Accounts.Prove(r.Context(), v.Session.IDHash, v.User, given)
	if err != nil {
		return err
	}
	before := v.Session.IDHash
	if err := s.Sessions.Prove(w, r, v, Entry{Proof: proof}); err != nil {
		return err
	}
	v.provedUntil(s.Accounts.ProvedUntil(v.Session))
	return s.Accounts.Carry(r.Context(), before, v.Session.IDHash)
}

// mostHeld bounds what is kept of a form. More than any form of ours has is dropped, and
// typed again.
const mostHeld = 64 << 10

// heldOf is a request as it is kept: never with an SSN, never with a code.
func heldOf(r *http.Request) account.Held {
	if r.Method != http.MethodPost {
		return account.Held{Address: r.URL.RequestURI()}
	}
	held := account.Held{Post: true, Address: r.URL.Path, Typed: url.Values{}, Again: SsnIn(Posted(r))}
	size := 0
	for name, values := range Posted(r) {
		if form.SecretControl(name) || form.PasswordControl(name) || slices.Contains(proofControls(), name) {
			continue
		}
		size += len(name) + len(strings.Join(values, ""))
		held.Typed[name] = values
	}
	if size > mostHeld {
		held.Typed = url.Values{}
	}
	for name := range Posted(r) {
		if form.PasswordControl(name) {
			held.Again = append(held.Again, name)
		}
	}
	slices.Sort(held.Again)
	return held
}

// confirmPage asks who is there, and says for what.
func (s *Server) ConfirmPage(w http.ResponseWriter, r *http.Request) error {
	session := VisitOf(r).Session
	held, err := s.Accounts.HeldFor(r.Context(), session.IDHash)
	if err != nil {
		return err
	}
	if VisitOf(r).proved(s.Now()) {
		return s.showResume(w, r, held)
	}
	return s.ShowConfirm(w, r, http.StatusOK, held, nil)
}

// showResume shows who has proved enough what waits for them.
func (s *Server) showResume(w http.ResponseWriter, r *http.Request, held account.Held) error {
	if !held.Post {
		return Redirect(w, r, s.After(held.Address, ActorOf(r)))
	}
	v := views.ConfirmView{
		Page: s.Frame(r, "Go on where you were"), Resume: true, Action: strings.TrimSuffix(BaseOf(r).Home(), "/") + held.Address, Back: pageOf(BaseOf(r), held.Address), Kept: showHeld(held.Typed),
	}
	for _, name := range held.Again {
		v.Again = append(v.Again, againField(name))
	}
	return s.Show(w, r, http.StatusOK, views.ConfirmPage(v))
}

// pageOf is the page on which a form of this address stands: its lead's, or the start.
func pageOf(base to.Base, address string) string {
	if rest, ok := strings.CutPrefix(address, "/leads/"); ok {
		app, _, _ := strings.Cut(rest, "/")
		return base.Lead(app)
	}
	return base.Home()
}

// confirm takes the proof for a page that was asked for, and leads there.
func (s *Server) Confirm(w http.ResponseWriter, r *http.Request) error {
	v := VisitOf(r)
	held, err := s.Accounts.HeldFor(r.Context(), v.Session.IDHash)
	if err != nil {
		return err
	}
	if err := s.prove(w, r, v, ProofIn(Posted(r))); err != nil {
		if fault.KindOf(err) != fault.Invalid {
			return err
		}
		return s.ShowConfirm(w, r, http.StatusUnprocessableEntity, held, err)
	}
	next := to.Full.Account()
	if !held.Post && held.Address != "" {
		next = held.Address
	}
	return Redirect(w, r, next)
}

// showConfirm shows the question with what waits for the answer. A form that waits is
// sent by the same press of the button.
func (s *Server) ShowConfirm(w http.ResponseWriter, r *http.Request, status int, held account.Held, wrong error) error {
	f, err := s.Accounts.Factors(r.Context(), VisitOf(r).User.UserID)
	if err != nil {
		return err
	}
	v := views.ConfirmView{
		Page: s.Frame(r, "Confirm it is you"), Action: to.Full.Confirm(), Back: to.Full.Home(),
		TOTP: f.TOTP, Recovery: f.Recovery > 0, None: !f.Any(),
		Form: views.Form{Wrong: ProofComplaints(wrong)},
	}
	if f.Passkeys() {
		v.Passkey, v.Page.Passkeys = to.Full.ConfirmOptions(), true
	}
	if f.SSO && s.Accounts.SignOn() != "" {
		v.SSO = to.Full.ConfirmSSO()
	}
	if wrong != nil && len(v.Form.Wrong) == 0 {
		v.Form.Refused = fault.Public(wrong)
	}
	if held.Post {
		v.Action = held.Address
		v.Kept = showHeld(held.Typed)
		for _, name := range held.Again {
			v.Again = append(v.Again, againField(name))
		}
	}
	return s.Show(w, r, status, views.ConfirmPage(v))
}

// showHeld are the controls of a form that waits, in an order that does not change.
func showHeld(typed url.Values) []views.Typed {
	var kept []views.Typed
	for name, values := range typed {
		for _, value := range values {
			kept = append(kept, views.Typed{Name: name, Value: value})
		}
	}
	slices.SortStableFunc(kept, func(a, b views.Typed) int { return strings.Compare(a.Name, b.Name) })
	return kept
}

// againField is a control that was not kept.
func againField(name string) ui.Field {
	f := ui.Field{Name: name, Secret: true, Label: "SSN, once more", Mode: "numeric", Hint: "It is never kept, not even for this moment.", Required: true}
	if form.PasswordControl(name) {
		f.Type, f.Mode, f.Label = "password", "", "New password, once more"
		if name == "password.present" {
			f.Label = "Present password, once more"
		}
	}
	return f
}

// proofComplaints puts a complaint about a code beside the control it was typed in.
func ProofComplaints(err error) []views.Wrong {
	wrong := form.WrongOf(fault.FieldsOf(err))
	for i := range wrong {
		if wrong[i].Name == "code" {
			wrong[i].Name = "proof.code"
		}
	}
	return wrong
}

// proofWords says by what a person is signed in.
func ProofWords(p access.Proof) string {
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
