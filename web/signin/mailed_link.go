package signin

import (
	"net/http"
	"strings"

	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/pii"
	view "hearthline/views/signin"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/guard"
	"hearthline/web/page"
)

// mailedLink is a page on which users request a link by email, and to which the link leads.
type mailedLink struct {
	kind    account.LinkKind
	address string
	title   string
}

// activationLink is the page that activates an account.
func activationLink() mailedLink {
	return mailedLink{account.LinkActivate, to.Activate(), "Set up your account"}
}

// resetLink is the page that resets a password.
func resetLink() mailedLink { return mailedLink{account.LinkReset, to.Reset(), "Reset your password"} }

// accepts reports whether a setup belongs on this page.
func (m mailedLink) accepts(u account.SetUp) bool {
	return (m.kind == account.LinkReset) == u.KeepsSecondFactor()
}

// MailedLinkPage shows the form that requests a link or, after a link was opened, the setup that it
// is for.
func (h *Handlers) MailedLinkPage(p mailedLink) page.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		u, err := h.Accounts.SetUp(r.Context(), h.FlowToken(r, guard.FlowSetUp))
		if err == nil && p.accepts(u) && r.URL.Query().Get("anew") == "" {
			return h.renderSetUp(w, r, p, http.StatusOK, u, ui.Form{})
		}
		if err != nil && !fault.Is(err, fault.Conflict) {
			return err
		}
		return h.renderLinkRequest(w, r, p, http.StatusOK, view.LinkRequestView{Requested: r.URL.Query().Get("asked") != ""})
	}
}

// SubmitMailedLink handles what is posted there: the request for a link, the link's code, or the
// factors that the user has chosen.
func (h *Handlers) SubmitMailedLink(p mailedLink) page.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		switch {
		case page.Posted(r).Has("token"):
			return h.redeemLink(w, r, p)
		case page.Posted(r).Has("email"):
			return h.requestLink(w, r, p)
		default:
			return h.finishSetUp(w, r, p)
		}
	}
}

// requestLink responds in the same way whether or not the account exists.
func (h *Handlers) requestLink(w http.ResponseWriter, r *http.Request, p mailedLink) error {
	if strings.TrimSpace(page.Posted(r).Get("email")) == "" {
		return h.renderLinkRequest(w, r, p, http.StatusUnprocessableEntity, view.LinkRequestView{NoEmail: "Enter your email"})
	}
	if err := h.Accounts.RequestLink(r.Context(), p.kind, page.Posted(r).Get("email"), guard.ClientOf(r)); err != nil {
		return err
	}
	return page.Redirect(w, r, p.address+"?asked=1")
}

// redeemLink accepts the code from an email. The code is posted and never in a URL that a server
// sees.
func (h *Handlers) redeemLink(w http.ResponseWriter, r *http.Request, p mailedLink) error {
	code := strings.TrimSpace(page.Posted(r).Get("token"))
	if code == "" {
		return h.renderLinkRequest(w, r, p, http.StatusUnprocessableEntity,
			view.LinkRequestView{NoCode: "Enter the code from your email"})
	}
	token, kind, err := h.Accounts.OpenLink(r.Context(), code, guard.ClientOf(r))
	if fault.Is(err, fault.Invalid) {
		return h.renderLinkRequest(w, r, p, http.StatusUnprocessableEntity, view.LinkRequestView{Error: fault.Public(err)})
	}
	if err != nil {
		return err
	}
	h.SetFlowCookie(w, guard.FlowSetUp, token)
	if kind == account.LinkNewEmail {
		return page.Redirect(w, r, to.Full.AccountEmail())
	}
	return page.Redirect(w, r, p.address)
}

// renderLinkRequest shows the form that requests a link.
func (h *Handlers) renderLinkRequest(w http.ResponseWriter, r *http.Request, p mailedLink, status int,
	v view.LinkRequestView) error {
	v.Page, v.Action, v.Reset = h.PublicLayout(r, p.title), p.address, p.kind == account.LinkReset
	if h.Outbox != nil {
		v.OutboxURL = to.Outbox()
	}
	return h.Render(w, r, status, view.LinkRequest(v))
}

// finishSetUp activates the account, or sets the new password.
func (h *Handlers) finishSetUp(w http.ResponseWriter, r *http.Request, p mailedLink) error {
	token := h.FlowToken(r, guard.FlowSetUp)
	u, err := h.Accounts.SetUp(r.Context(), token)
	if err != nil {
		return h.renderLinkExpired(w, r, p, err)
	}
	result, err := h.Accounts.FinishSetUp(r.Context(), token, account.ChosenFactors{
		Password: pii.Wrap(page.Posted(r).Get("password")), Code: page.Posted(r).Get("code"),
		Zone: page.TruncateOr(page.Posted(r).Get("zone"), 60, ""), From: guard.ClientOf(r),
		Passkey: account.CreatedPasskey{Response: []byte(page.Posted(r).Get("credential")), Name: page.DeviceName(r)},
	})
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		return h.renderSetUp(w, r, p, http.StatusUnprocessableEntity, u, ui.Form{FieldErrors: form.ViewErrors(fields)})
	}
	if err != nil {
		return h.renderLinkExpired(w, r, p, err)
	}
	h.SetFlowCookie(w, guard.FlowSetUp, "")
	return h.afterSetUp(w, r, result)
}

// afterSetUp continues after an account was set up. A new password alone signs nobody in.
func (h *Handlers) afterSetUp(w http.ResponseWriter, r *http.Request, result account.SetUpResult) error {
	if result.SignInAgain {
		h.keepDevice(w, r, result.User) // the link proves access to the user's mailbox
		return page.Redirect(w, r, to.SignInAfter(to.PasswordChanged))
	}
	if _, err := h.signInNow(w, r, result.User, account.Authentication{Proof: result.Proof}, ""); err != nil {
		return err
	}
	home := h.HomeURL(result.User.Actor)
	if result.RecoveryCodes == nil {
		return page.Redirect(w, r, home)
	}
	return h.renderRecoveryCodes(w, r, result.RecoveryCodes, home)
}

// renderLinkExpired shows the form that requests a new link, with the reason.
func (h *Handlers) renderLinkExpired(w http.ResponseWriter, r *http.Request, p mailedLink, err error) error {
	if !fault.Is(err, fault.Conflict, fault.Invalid) {
		return err
	}
	return h.renderLinkRequest(w, r, p, http.StatusUnprocessableEntity, view.LinkRequestView{Error: fault.Public(err)})
}

func (h *Handlers) renderSetUp(w http.ResponseWriter, r *http.Request, p mailedLink, status int, u account.SetUp,
	form ui.Form) error {
	v := view.SetUpView{
		Page: h.PublicLayout(r, p.title), Action: p.address, Name: u.Who.Name, Email: u.Who.Email,
		Subtitle: text.RoleText(u.Who.Actor), Reset: u.KeepsSecondFactor(),
		Required: h.Accounts.SecondFactorRequired, Form: form,
	}
	if !u.KeepsSecondFactor() {
		setup, err := page.PresentTOTPSetup(u.Setup.URI, u.Setup.Secret)
		if err != nil {
			return err
		}
		v.Setup = &setup
		if h.Accounts.Passkeys() {
			v.Passkey, v.Page.Passkeys = to.ActivatePasskey(), true
		}
	}
	return h.Render(w, r, status, view.SetUp(v))
}

// SetUpPasskeyOptions returns the options with which the browser creates the passkey of a new
// account.
func (h *Handlers) SetUpPasskeyOptions(w http.ResponseWriter, r *http.Request) error {
	options, err := h.Accounts.BeginPasskeySetUp(r.Context(), h.FlowToken(r, guard.FlowSetUp))
	return page.WriteRawJSON(w, options, err)
}

// OutboxPage shows the demo's emails.
func (h *Handlers) OutboxPage(w http.ResponseWriter, r *http.Request) error {
	mails, err := h.Outbox.Outbox(r.Context())
	if err != nil {
		return err
	}
	v := view.OutboxView{Page: h.PublicLayout(r, "Outbox")}
	zone := h.Viewer(r) // of nobody: the page is public
	for _, m := range mails {
		v.Mails = append(v.Mails, presentMail(m, zone.DateTimeInText(m.At)+" UTC", h.Origin))
	}
	return h.Render(w, r, http.StatusOK, view.Outbox(v))
}

// presentMail splits an email into its lines, and finds the links to this portal.
func presentMail(m account.PendingMail, at, base string) view.MailView {
	v := view.MailView{To: m.To, Subject: m.Subject, At: at, Browser: m.Browser}
	for part := range strings.FieldsFuncSeq(m.Text, func(r rune) bool { return r == '\n' }) {
		line := view.MailLine{Text: part}
		if path, isOwn := strings.CutPrefix(part, base+"/"); isOwn && !strings.ContainsAny(path, " \n") {
			line.Href = "/" + path
		}
		v.Lines = append(v.Lines, line)
	}
	return v
}
