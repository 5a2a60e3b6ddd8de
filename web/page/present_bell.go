package page

import (
	"net/http"
	"strconv"
	"strings"

	"hearthline/internal/lead"
	"hearthline/views/ui"
)

// notificationBell shows the number of unread notifications. A page does not fail if the count
// does.
func (rs *Responder) notificationBell(r *http.Request) ui.BellView {
	inbox, err := VisitOf(r).Desk.Inbox()
	if err != nil {
		return ui.BellView{}
	}
	var n int
	if counted := VisitOf(r).Unread; counted != nil {
		n = *counted
	} else if n, err = inbox.Unread(r.Context()); err != nil {
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

// unassignedCount returns the number of unassigned leads for the navigation of a manager; empty for none. A page does
// not fail if the count does.
func unassignedCount(r *http.Request) string {
	team, err := VisitOf(r).Desk.Team()
	if err != nil {
		return ""
	}
	n, err := team.UnassignedCount(r.Context())
	if err != nil {
		RequestLogOf(r).AddAttr("unassigned", "not counted")
	}
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// NavCountOf returns the navigation link whose count a request fetches alone, and the id of the count; false if it
// fetches something else.
func NavCountOf(r *http.Request, layout ui.Page) (link ui.NavLink, id string, ok bool) {
	if !IsFragment(r) {
		return link, "", false
	}
	_, id, _ = strings.Cut(r.Header.Get("HX-Target"), "#")
	for _, l := range layout.Nav {
		if l.Of != "" && strings.TrimSuffix(id, "-menu") == ui.NavCountID(l.Of) {
			return l, id, true
		}
	}
	return link, "", false
}
