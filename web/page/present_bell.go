package page

import (
	"net/http"
	"strconv"

	"hearthline/internal/lead"
	"hearthline/views/ui"
)

// notificationBell shows the number of unread notifications. A page does not fail if the count
// does.
func (s *Responder) notificationBell(r *http.Request) ui.BellView {
	inbox, err := VisitOf(r).Desk.Inbox()
	if err != nil {
		return ui.BellView{}
	}
	n, err := inbox.Unread(r.Context())
	if err != nil {
		RequestLogOf(r).AddAttr("bell", "not counted")
	}
	b := ui.BellView{Visible: true}
	if n > 0 {
		b.Unread = UnreadText(n)
	}
	return b
}

// UnreadText formats a number of unread notifications.
func UnreadText(n int) string {
	if n >= lead.UnreadLimit {
		return strconv.Itoa(lead.UnreadLimit-1) + "+"
	}
	return strconv.Itoa(n)
}
