package page

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	view "hearthline/views/page"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
)

// Risk is the harm that a clickjacked action inside an embed could do. It decides how sure we must
// be that the user meant the click.
type Risk int

// The levels of risk.
const (
	RiskLow    Risk = iota // clickjacking would do no lasting harm
	RiskMedium             // sends or reveals borrower data
	RiskHigh               // decides something: the browser itself must have verified that the button was visible
)

// Risk returns the risk of a route's action.
func (route Route) Risk() Risk {
	pattern := strings.TrimPrefix(route.Pattern, EmbedPrefix)
	ends := func(action string) bool { return strings.HasSuffix(pattern, action) }
	switch {
	case route.Method != http.MethodPost:
		return RiskLow
	case slices.ContainsFunc([]string{"/select-offer", "/cancel", "/reassign", "/reveal", "/undo", "/take-off"}, ends):
		return RiskHigh
	case pattern == "/leads" || slices.ContainsFunc([]string{"/link", "/borrower-link", "/add-ssn", "/repull-credit"}, ends):
		return RiskMedium
	default:
		return RiskLow
	}
}

// Accepts reports whether a request comes from a click that is sure enough for the risk. Nothing
// can cover a page in its own window, and only the browser knows reliably whether a page is in one,
// whatever cookie it sends. Inside an embed our own script reports whether the browser verified
// that the button was visible, or that this browser cannot. A request without any browser headers
// does not come from a browser with an embedded session.
func (risk Risk) Accepts(r *http.Request, form url.Values) bool {
	kind := r.Header.Get("Sec-Fetch-Dest")
	if risk == RiskLow || kind == "document" {
		return true
	}
	switch form.Get("frame.seen") {
	case "true":
		return true
	case "unjudged":
		return risk == RiskMedium
	default:
		return risk == RiskMedium && kind == "" && r.Header.Get("Sec-Fetch-Site") == ""
	}
}

// requireOwnWindow sends a user to the full desk for an action that must not be clickjacked. It
// saves what they typed: an inquiry as a draft, a lead's form as a pending form.
func (s *Server) requireOwnWindow(w http.ResponseWriter, r *http.Request) error {
	v := VisitOf(r)
	message := view.EmbedMessageView{
		Icon: "external-link", Title: "Continue in a new tab",
		Text:   "For security, this can’t be done inside another page, where something could cover the button. Nothing was sent.",
		Action: ui.Action{Label: "Open in a new tab", Kind: "pri", Icon: "external-link", NewTab: true},
	}
	switch operation := chi.URLParam(r, "id"); {
	case v.lead != nil:
		if err := s.savePendingForWindow(r, v); err != nil {
			return err
		}
		message.Text += " Your entries are carried over, except SSNs and confirmations."
		message.Action.Href = to.EmbedPendingForm(v.Embed.ID)
	case strings.HasSuffix(r.URL.Path, "/undo"):
		message.Action.Label, message.Action.Href = "Open the receipt in a new tab", to.Full.Operation(operation)
	default:
		draft, err := s.saveAsDraft(r, v.Desk)
		if err != nil {
			return err
		}
		message.Text += " Your entries are saved as a draft, without the SSN and the consent."
		message.Action.Label, message.Action.Href = "Open the draft in a new tab", to.Full.NewLead(draft)
	}
	message.Page = s.Layout(r, message.Title)
	if r.Header.Get("HX-Request") == "true" {
		w.Header().Set("HX-Retarget", "closest form")
		return s.Render(w, r, http.StatusForbidden, view.EmbedInlineMessage(message))
	}
	return s.Render(w, r, http.StatusForbidden, view.EmbedMessage(message))
}

// saveAsDraft saves the submitted intake form as a draft.
func (s *Server) saveAsDraft(r *http.Request, d Desk) (draft string, err error) {
	f, err := ReadForm(r)
	if err != nil {
		return "", err
	}
	drafts, err := d.Drafts()
	if err != nil {
		return "", err
	}
	draft = form.DraftIDOrNew(f.Values.Get("draft"))
	_, err = drafts.Save(r.Context(), draft, f.DraftValues())
	return draft, err
}
