package page

import (
	"hearthline/internal/desk"
	"hearthline/views/ui"
	"net/http"
	"strconv"
)

// notificationBell is how much is unread. A count that fails is no reason to fail a page.
func (s *Server) notificationBell(r *http.Request) ui.BellView {
	in, err := VisitOf(r).Desk.Inbox()
	if err != nil {
		return ui.BellView{}
	}
	n, err := in.Unread(r.Context())
	if err != nil {
		RequestLogOf(r).AddAttr("bell", "not counted")
	}
	b := ui.BellView{Visible: true}
	if n > 0 {
		b.Unread = UnreadText(n)
	}
	return b
}

func UnreadText(n int) string {
	if n >= desk.UnreadLimit {
		return strconv.Itoa(desk.UnreadLimit-1) + "+"
	}
	return strconv.Itoa(n)
}
