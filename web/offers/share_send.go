package offers

import (
	"net/http"
	"slices"
	"strings"

	deskoffers "hearthline/internal/desk/offers"

	"hearthline/internal/access"
	view "hearthline/views/offers"
	"hearthline/views/text"
	wsview "hearthline/views/workspace"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// presentSendShare adds the sheet that sends it, and its progress, to the newest link that shows its quote. We don't
// know which contact sent which link, so it says only that a contact was logged after the link was created.
func presentSendShare(r *http.Request, v text.Viewer, l page.Lead, links []deskoffers.SharedQuote,
	shown []view.ShareLink) error {
	newest := slices.IndexFunc(shown, func(s view.ShareLink) bool { return s.IsNew && s.URL != "" })
	if newest < 0 {
		newest = slices.IndexFunc(shown, func(s view.ShareLink) bool { return s.URL != "" })
	}
	if newest < 0 || !l.Can(access.AnnotateLead) {
		return nil
	}
	details, err := l.Snapshot(r.Context())
	if err != nil {
		return err
	}
	link, s := links[newest], &shown[newest]
	send := workspace.PresentSend(workspace.NewMessage(v, details, text.TopicQuote), s.URL)
	send.LinkName, send.LinkLabel, send.PopoverID, send.Language = "link", "Link", "qr-"+s.ID, link.Language
	send.QRHint = "The borrower can scan this with a phone camera."
	s.Send = &send
	at := func(ms int64) string { return v.DateTimeInText(text.TimeOfMillis(ms)) }
	s.Ticks = []wsview.Tick{
		{Label: "Link created", Text: at(link.CreatedAt) + " by " + link.ActorName, State: "ok"},
		{Label: "Contact logged", Text: "none since the link was created", State: "now"}, {Label: s.Opened},
	}
	s.Ticks[2].Label, s.Ticks[2].Text, _ = strings.Cut(s.Opened, ", ")
	if contacted := l.Row().LastContactAt >= link.CreatedAt; contacted {
		s.Ticks[1].State, s.Ticks[1].Text = "ok", text.LowerFirst(workspace.LastContactText(v, l.Row()))
		s.Ticks[2].State = "now"
	} else {
		s.Ask = wsview.AskView{Action: v.Base.LeadAction(string(l.App()), "contact"), LinkShown: true,
			NoURL: v.Base.Lead(string(l.App())), Text: s.Created + "."}
	}
	if link.Opened > 0 {
		s.Ticks[2].State = "ok"
	}
	return nil
}
