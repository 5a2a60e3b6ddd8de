package guard

import (
	"net/http"
	"strings"

	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/views/to"
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
