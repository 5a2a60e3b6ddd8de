package guard

import (
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/page"
)

// FlowPendingForm identifies the form that a user had filled in when their session ended.
const FlowPendingForm Flow = "held"

// PendingForms are forms that wait, encrypted, until their user has stepped up, signed in again or opened a window.
type PendingForms struct {
	cookies  Cookies
	accounts *account.Service
	embeds   *embed.Service
}

// savePendingAfterExpiry stores a form that arrived after the session had expired, whether the user
// submitted it or the page saved it. Only the same user can get it back. Forms that cannot be
// parsed, searches, and forms of the account itself, are not stored.
func (p *PendingForms) savePendingAfterExpiry(w http.ResponseWriter, r *http.Request, who page.SessionState) error {
	if r.URL.Path == to.Full.PendingForm() {
		if pending, err := pendingFormFromPage(r); err == nil {
			return p.storePendingForm(w, r, who, pending)
		}
	}
	if strings.HasPrefix(r.URL.Path, "/account") || r.URL.Path == "/logout" || r.URL.Path == to.Full.Search() ||
		page.FormOf(r).Err != nil {
		return nil
	}
	return p.storePendingForm(w, r, who, pendingFormOf(r))
}

func (p *PendingForms) storePendingForm(w http.ResponseWriter, r *http.Request, who page.SessionState,
	pending account.PendingForm) error {
	token, err := p.accounts.SavePendingAfterExpiry(r.Context(), who.User.UserID, pending)
	if err != nil {
		return err
	}
	p.cookies.SetFlowCookie(w, FlowPendingForm, token)
	return nil
}

// SavePendingForm stores the form of a page whose session is about to end, at the request of the
// page's script. The script omits SSNs, and an SSN that arrives anyway is dropped.
func (p *PendingForms) SavePendingForm(w http.ResponseWriter, r *http.Request) error {
	pending, err := pendingFormFromPage(r)
	if err != nil {
		return err
	}
	if err := p.storePendingForm(w, r, page.VisitOf(r).SessionState, pending); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// pendingFormFromPage reads what a page's script asks to store: a form's controls, and its path.
func pendingFormFromPage(r *http.Request) (account.PendingForm, error) {
	if err := page.FormOf(r).Err; err != nil {
		return account.PendingForm{}, err
	}
	address := page.SafeNext(page.Posted(r).Get("held.address"))
	if address == "" || strings.HasPrefix(address, "/account") {
		return account.PendingForm{}, fault.New(fault.Invalid, "This form can’t be saved.")
	}
	pending := pendingFormOf(r)
	pending.Path = address
	pending.Typed.Del("held.address")
	return pending, nil
}

// What a user types in an embed survives the end of its session: it is stored encrypted until the
// same user launches the same record again. It never includes an SSN, nor a confirmation or
// consent, which are valid only for the page on which the user gives them.

// recordPendingKey names the pending form of a CRM record.
func recordPendingKey(name string) string { return "late " + name }

// savePendingAfterEmbedEnd stores a form that arrived after its embedded session had ended, whether
// the user submitted it or the page saved it. It returns false if nothing was stored: either the
// session's user is unknown, or the request has no form.
func (p *PendingForms) savePendingAfterEmbedEnd(r *http.Request, base to.Base) (bool, error) {
	if r.Method != http.MethodPost || page.IsFragment(r) {
		return false, nil
	}
	l, err := p.expiredLaunchOf(r)
	if err != nil {
		if fault.Is(err, fault.NotFound) {
			err = nil
		}
		return false, err
	}
	pending, ok := embedPendingForm(r, base)
	if !ok {
		return false, nil
	}
	return true, p.accounts.SavePendingFormAt(r.Context(), recordPendingKey(p.embeds.PendingFormNames(l)[0]),
		l.Person.UserID, pending)
}

// expiredLaunchOf finds the expired launch of a request by the embed's cookie, or else by the
// tab's.
func (p *PendingForms) expiredLaunchOf(r *http.Request) (embed.VerifiedLaunch, error) {
	client := chi.URLParam(r, "client")
	for _, name := range []string{p.cookies.IframeCookieName(client), p.cookies.TabCookieName(client)} {
		c, err := r.Cookie(name)
		if err != nil {
			continue
		}
		l, err := p.embeds.ExpiredLaunch(r.Context(), client, chi.URLParam(r, "launch"), c.Value)
		if !fault.Is(err, fault.NotFound) {
			return l, err
		}
	}
	return embed.VerifiedLaunch{}, fault.New(fault.NotFound, "Page not found.")
}

// embedPendingForm reads a form of an embed as it is stored: with its path in the full desk, so
// that another embed can show it. It returns false if the form holds no work worth storing.
func embedPendingForm(r *http.Request, base to.Base) (account.PendingForm, bool) {
	if page.FormOf(r).Err != nil {
		return account.PendingForm{}, false
	}
	pending := pendingFormOf(r)
	if r.URL.Path == base.PendingForm() {
		var err error
		if pending, err = pendingFormFromPage(r); err != nil {
			return account.PendingForm{}, false
		}
	}
	pending.Path = strings.TrimPrefix(pending.Path, strings.TrimSuffix(base.Home(), "/"))
	if draft, ok := strings.CutPrefix(pending.Path, "/drafts/"); ok && !strings.Contains(draft, "/") {
		pending.Path = to.Full.StartLead() // an intake form that has no draft yet
	}
	dropConfirmations(pending.Typed)
	pending.Typed.Del("consent.attested")
	work := pending.Path == to.Full.StartLead() || pending.Path == to.Full.Prequalify() ||
		strings.HasPrefix(page.SafeNext(pending.Path), "/leads/")
	return pending, work
}

// dropConfirmations removes the user's confirmations, because clickjacking may have ticked them.
func dropConfirmations(typed url.Values) {
	maps.DeleteFunc(typed, func(name string, _ []string) bool {
		return strings.HasPrefix(name, "confirm.") || name == "frame.seen"
	})
}

// SaveEmbedPendingForm stores the form of an embedded page whose session is about to end.
func (p *PendingForms) SaveEmbedPendingForm(w http.ResponseWriter, r *http.Request) error {
	v := page.VisitOf(r)
	pending, ok := embedPendingForm(r, v.Base)
	if !ok {
		return fault.New(fault.Invalid, "This form can’t be saved.")
	}
	if err := p.accounts.SavePendingFormAt(r.Context(),
		recordPendingKey(p.embeds.PendingFormNames(v.Embed.VerifiedLaunch)[0]), v.User.UserID, pending); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// ClaimPendingForm moves the pending form of a record to the session of its user, once. It returns
// false if there is none.
func (p *PendingForms) ClaimPendingForm(r *http.Request) (bool, error) {
	v := page.VisitOf(r)
	for _, name := range p.embeds.PendingFormNames(v.Embed.VerifiedLaunch) {
		if claimed, err := p.accounts.ClaimPendingForm(r.Context(), recordPendingKey(name), v.User.UserID,
			v.Session.IDHash); err != nil || claimed {
			return claimed, err
		}
	}
	return false, nil
}

// EmbedPendingFormPage shows what the user typed when the record's last embedded session ended. The
// user can submit or discard it.
func (g *Guard) EmbedPendingFormPage(w http.ResponseWriter, r *http.Request) error {
	pending, err := g.accounts.PendingForm(r.Context(), page.VisitOf(r).Session.IDHash)
	if err != nil {
		return err
	}
	if !pending.Post {
		return page.Redirect(w, r, page.BaseOf(r).Leads(to.LeadsQuery{}))
	}
	return g.StepUp.renderPendingForm(w, r, pending)
}

// embedPendingKey names the pending form of an embed. Each launch has its own name, so that two
// records never mix.
func embedPendingKey(launch string) string { return "frame " + launch }

// savePendingForWindow stores the form of a lead that the user must submit from a separate window.
// It omits SSNs, and confirmations, which the same clickjacking may have ticked.
func (p *PendingForms) savePendingForWindow(r *http.Request, v *page.Visit) error {
	pending := pendingFormOf(r)
	pending.Path = strings.TrimPrefix(pending.Path, strings.TrimSuffix(v.Base.Home(), "/"))
	dropConfirmations(pending.Typed)
	return p.accounts.SavePendingFormAt(r.Context(), embedPendingKey(v.Embed.ID), v.User.UserID, pending)
}

// ResumeFromEmbedPage shows a form that was filled in inside a CRM's embed on its page in the full
// desk, as the user typed it. Nothing has been sent; the user submits it here. If the launch is
// another user's or has no pending form, it redirects to the home page.
func (g *Guard) ResumeFromEmbedPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	pending, err := g.accounts.PendingFormAt(r.Context(), embedPendingKey(chi.URLParam(r, "launch")),
		page.ActorOf(r).UserID)
	if err != nil {
		return err
	}
	app, action, ok := leadOfForm(pending.Path)
	if !ok || action == "" || strings.Contains(action, "/") {
		return page.Redirect(w, r, to.Full.Home())
	}
	l, err := d.Lead(r.Context(), app)
	if err != nil {
		return err
	}
	a := page.SubmittedForm{
		Action: action, Form: &form.Form{Values: pending.Typed, OperationID: pending.Typed.Get("operation"),
			Corrections: map[string]string{}}, Status: http.StatusOK, FromEmbed: true,
	}
	return g.redisplay(w, r, l, a)
}
