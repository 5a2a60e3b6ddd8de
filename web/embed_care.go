package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// care is how sure a press inside a frame must be not to be a trick of the page around it.
type care int

const (
	careless care = iota // a trick would do no harm that lasts
	careful              // it sends or shows what is the borrower's
	grave                // it decides: the browser itself must have judged the press
)

// care follows from what a route does.
func (route Route) care() care {
	pattern := strings.TrimPrefix(route.Pattern, embedPrefix)
	ends := func(act string) bool { return strings.HasSuffix(pattern, act) }
	switch {
	case route.Method != http.MethodPost:
		return careless
	case slices.ContainsFunc([]string{"/select-offer", "/cancel", "/reassign", "/reveal", "/undo", "/take-off"}, ends):
		return grave
	case pattern == "/leads" || slices.ContainsFunc([]string{"/link", "/borrower-link", "/add-ssn", "/repull-credit"}, ends):
		return careful
	default:
		return careless
	}
}

// content says whether a request came from a press that is sure enough. Over a page of its
// own nothing can lie, and only a browser knows that it is one, whatever cookie it sends;
// inside a frame our own script says what the browser judged, or that this one cannot. What
// comes without any header of a browser comes from none that keeps a sign-in in a frame.
func (c care) content(r *http.Request, form url.Values) bool {
	kind := r.Header.Get("Sec-Fetch-Dest")
	if c == careless || kind == "document" {
		return true
	}
	switch form.Get("frame.seen") {
	case "true":
		return true
	case "unjudged":
		return c == careful
	default:
		return c == careful && kind == "" && r.Header.Get("Sec-Fetch-Site") == ""
	}
}

// askForWindow sends a person to the full desk for what must not be done by a trick. What
// they typed waits there: of an inquiry as its draft, of a lead in the form itself.
func (s *Server) askForWindow(w http.ResponseWriter, r *http.Request) error {
	v := visitOf(r)
	said := views.FrameSaidView{
		Icon: "external-link", Title: "Do this in a window of its own",
		Text:   "Inside another page something may lie over a button without your seeing it, so this is not done here. Nothing was sent.",
		Action: ui.Action{Label: "Go on in a new tab", Kind: "pri", Icon: "external-link", Tab: true},
	}
	switch operation := chi.URLParam(r, "id"); {
	case v.lead != nil:
		if err := s.holdForWindow(r, v); err != nil {
			return err
		}
		said.Text += " What you chose and typed goes along."
		said.Action.Href = to.Carried(v.framed.ID)
	case strings.HasSuffix(r.URL.Path, "/undo"):
		said.Action.Label, said.Action.Href = "Open the receipt in a new tab", to.Full.Operation(operation)
	default:
		draft, err := s.keepTyped(r, v.desk)
		if err != nil {
			return err
		}
		said.Text += " What you typed is kept as a draft, without an SSN and without the consent."
		said.Action.Label, said.Action.Href = "Open the draft in a new tab", to.Full.NewLead(draft)
	}
	said.Page = s.frame(r, said.Title)
	if r.Header.Get("HX-Request") == "true" {
		w.Header().Set("HX-Retarget", "closest form")
		return s.show(w, r, http.StatusForbidden, views.FrameBeside(said))
	}
	return s.show(w, r, http.StatusForbidden, views.FrameSaid(said))
}

// keepTyped saves the intake that was sent as a draft.
func (s *Server) keepTyped(r *http.Request, d Desk) (draft string, err error) {
	f, err := readForm(r)
	if err != nil {
		return "", err
	}
	drafts, err := d.Drafts()
	if err != nil {
		return "", err
	}
	draft = draftID(f.values.Get("draft"))
	_, err = drafts.Save(r.Context(), draft, f.typed())
	return draft, err
}
