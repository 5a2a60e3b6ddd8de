package page

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
)

// Risk is how sure a press inside a frame must be not to be a trick of the page around it.
type Risk int

const (
	RiskLow    Risk = iota // a trick would do no harm that lasts
	RiskMedium             // it sends or shows what is the borrower's
	RiskHigh               // it decides: the browser itself must have judged the press
)

// Risk follows from what a route does.
func (route Route) Risk() Risk {
	pattern := strings.TrimPrefix(route.Pattern, EmbedPrefix)
	ends := func(act string) bool { return strings.HasSuffix(pattern, act) }
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

// Accepts says whether a request came from a press that is sure enough. Over a page of its
// own nothing can lie, and only a browser knows that it is one, whatever cookie it sends;
// inside a frame our own script says what the browser judged, or that this one cannot. What
// comes without any header of a browser comes from none that keeps a sign-in in a frame.
func (c Risk) Accepts(r *http.Request, form url.Values) bool {
	kind := r.Header.Get("Sec-Fetch-Dest")
	if c == RiskLow || kind == "document" {
		return true
	}
	switch form.Get("frame.seen") {
	case "true":
		return true
	case "unjudged":
		return c == RiskMedium
	default:
		return c == RiskMedium && kind == "" && r.Header.Get("Sec-Fetch-Site") == ""
	}
}

// requireOwnWindow sends a person to the full desk for what must not be done by a trick. What
// they typed waits there: of an inquiry as its draft, of a lead in the form itself.
func (s *Server) requireOwnWindow(w http.ResponseWriter, r *http.Request) error {
	v := VisitOf(r)
	said := views.EmbedMessageView{
		Icon: "external-link", Title: "Do this in a window of its own",
		Text:   "Inside another page something may lie over a button without your seeing it, so this is not done here. Nothing was sent.",
		Action: ui.Action{Label: "Go on in a new tab", Kind: "pri", Icon: "external-link", NewTab: true},
	}
	switch operation := chi.URLParam(r, "id"); {
	case v.lead != nil:
		if err := s.savePendingForWindow(r, v); err != nil {
			return err
		}
		said.Text += " What you chose and typed goes along."
		said.Action.Href = to.EmbedPendingForm(v.Embed.ID)
	case strings.HasSuffix(r.URL.Path, "/undo"):
		said.Action.Label, said.Action.Href = "Open the receipt in a new tab", to.Full.Operation(operation)
	default:
		draft, err := s.saveAsDraft(r, v.Desk)
		if err != nil {
			return err
		}
		said.Text += " What you typed is kept as a draft, without an SSN and without the consent."
		said.Action.Label, said.Action.Href = "Open the draft in a new tab", to.Full.NewLead(draft)
	}
	said.Page = s.Layout(r, said.Title)
	if r.Header.Get("HX-Request") == "true" {
		w.Header().Set("HX-Retarget", "closest form")
		return s.Render(w, r, http.StatusForbidden, views.EmbedInlineMessage(said))
	}
	return s.Render(w, r, http.StatusForbidden, views.EmbedMessage(said))
}

// saveAsDraft saves the intake that was sent as a draft.
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
