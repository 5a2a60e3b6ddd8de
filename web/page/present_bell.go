package page

import (
	"net/http"
	"strconv"
	"strings"

	deskpipeline "hearthline/internal/desk/pipeline"
	"hearthline/internal/lead"
	"hearthline/views/ui"
)

// headerCounts counts what the header shows. A page does not fail if the count does.
func (rs *Responder) headerCounts(r *http.Request, team bool) (counts deskpipeline.HeaderCounts, visible bool) {
	inbox, err := VisitOf(r).Desk.Inbox()
	if err != nil {
		return counts, false
	}
	if counted := VisitOf(r).Unread; counted != nil && !team {
		counts.Unread = *counted
	} else if counts, err = inbox.HeaderCounts(r.Context()); err != nil {
		RequestLogOf(r).AddAttr("header", "not counted")
	}
	return counts, true
}

// UnreadText formats a number of unread notifications.
func UnreadText(n int) string {
	if n >= lead.UnreadLimit {
		return strconv.Itoa(lead.UnreadLimit-1) + "+"
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
