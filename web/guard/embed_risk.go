package guard

import (
	"net/http"
	"strings"

	view "hearthline/views/page"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// requireOwnWindow sends a user to the full desk for an action that must not be clickjacked. It
// saves what they typed: an inquiry as a draft, a lead's form as a pending form.
func (g *Guard) requireOwnWindow(w http.ResponseWriter, r *http.Request) error {
	v := page.VisitOf(r)
	message := view.EmbedMessageView{
		Icon: "external-link", Title: "Continue in a new tab",
		Text: "For security, this can’t be done inside another page, where something could cover the button. " +
			"Nothing was sent.",
		Action: ui.Action{Label: "Open in a new tab", Kind: "pri", Icon: "external-link", NewTab: true},
	}
	switch {
	case v.Lead != nil:
		if err := g.Pending.savePendingForWindow(r, v); err != nil {
			return err
		}
		message.Text += " Your entries are carried over, except SSNs and confirmations."
		message.Action.Href = to.EmbedPendingForm(v.Embed.ID)
	case strings.HasSuffix(r.URL.Path, "/undo"):
		message.Action.Label, message.Action.Href = "Open leads in a new tab", to.Full.Leads(to.LeadsQuery{})
	default:
		draft, err := g.saveAsDraft(r, v.Desk)
		if err != nil {
			return err
		}
		message.Text += " Your entries are saved as a draft, without the SSN and the consent."
		message.Action.Label, message.Action.Href = "Open the draft in a new tab", to.Full.NewLead(draft)
	}
	message.Page = g.Layout(r, message.Title)
	if r.Header.Get("HX-Request") == "true" {
		w.Header().Set("HX-Retarget", "closest form")
		return g.Render(w, r, http.StatusForbidden, view.EmbedInlineMessage(message))
	}
	return g.Render(w, r, http.StatusForbidden, view.EmbedMessage(message))
}

// saveAsDraft saves the submitted intake form as a draft.
func (g *Guard) saveAsDraft(r *http.Request, d page.Desk) (draft string, err error) {
	f, err := page.ReadForm(r)
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
