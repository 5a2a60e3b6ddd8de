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
	"hearthline/web/page"
)

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
		strings.HasPrefix(pending.Path, "/leads/")
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
