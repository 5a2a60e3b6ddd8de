package signin

import (
	"net/http"
	"strings"

	"hearthline/internal/account"
	view "hearthline/views/signin"
)

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
