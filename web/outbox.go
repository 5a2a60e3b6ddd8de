package web

import (
	"context"
	"net/http"
	"strings"

	"hearthline/internal/account"
	"hearthline/views"
)

// Outbox shows the mails that wait; account.Service does.
type Outbox interface {
	Outbox(ctx context.Context) ([]account.Posted, error)
}

// outboxPage is where the demo's mails arrive.
func (s *Server) outboxPage(w http.ResponseWriter, r *http.Request) error {
	posted, err := s.Outbox.Outbox(r.Context())
	if err != nil {
		return err
	}
	v := views.OutboxView{Page: s.doorPage(r, "Outbox")}
	zone := s.viewer(r)
	for _, m := range posted {
		v.Mails = append(v.Mails, showMail(m, zone.moment(m.At), s.BaseURL.Scheme+"://"+s.BaseURL.Host))
	}
	return s.show(w, r, http.StatusOK, views.Outbox(v))
}

// showMail takes a mail apart at its links to this portal.
func showMail(m account.Posted, at, base string) views.MailView {
	v := views.MailView{To: m.To, Subject: m.Subject, At: at}
	for part := range strings.SplitSeq(strings.TrimSpace(m.Text), "\n\n") {
		line := views.MailLine{Text: part}
		if path, ours := strings.CutPrefix(part, base+"/"); ours && !strings.ContainsAny(path, " \n") {
			line.Href = "/" + path
		}
		v.Lines = append(v.Lines, line)
	}
	return v
}
