package web

import (
	"net/http"
	"strconv"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// inboxPage shows what the person was told, newest first. The bell of the other pages asks
// here for itself alone.
func (s *Server) inboxPage(w http.ResponseWriter, r *http.Request, d Desk) error {
	page := s.frame(r, "Notifications")
	if _, id, _ := strings.Cut(r.Header.Get("HX-Target"), "#"); fragment(r) && id == ui.BellID {
		return s.show(w, r, http.StatusOK, ui.Bell(page.Base, page.Bell))
	}
	in, err := d.Inbox()
	if err != nil {
		return err
	}
	after := r.URL.Query().Get("after")
	found, err := in.Page(r.Context(), after)
	if err != nil {
		return err
	}
	view := s.viewer(r).showInbox(found, after)
	view.Page = page
	if fragment(r) {
		return s.show(w, r, http.StatusOK, views.NotificationsPart(view))
	}
	return s.show(w, r, http.StatusOK, views.Notifications(view))
}

// readNotices marks one as read, or all that stood on the page.
func (s *Server) readNotices(w http.ResponseWriter, r *http.Request, d Desk) error {
	in, err := d.Inbox()
	if err != nil {
		return err
	}
	if err := in.Read(r.Context(), posted(r).Get("id"), posted(r).Get("upTo")); err != nil {
		return err
	}
	return onward(w, r, baseOf(r).Notifications(""))
}

// bell is how much is unread. A count that fails is no reason to fail a page.
func (s *Server) bell(r *http.Request) ui.BellView {
	in, err := visitOf(r).desk.Inbox()
	if err != nil {
		return ui.BellView{}
	}
	n, err := in.Unread(r.Context())
	if err != nil {
		trailOf(r).note("bell", "not counted")
	}
	b := ui.BellView{Shown: true}
	if n > 0 {
		b.Unread = unreadWords(n)
	}
	return b
}

func unreadWords(n int) string {
	if n >= desk.UnreadLimit {
		return strconv.Itoa(desk.UnreadLimit-1) + "+"
	}
	return strconv.Itoa(n)
}

// showInbox maps a page of it. Page is the caller's.
func (v viewer) showInbox(p desk.InboxPage, after string) views.NotificationsView {
	view := views.NotificationsView{After: after, Pager: ui.PagerView{Shown: counted(len(p.Notices), "notification", "notifications")}}
	if p.Unread > 0 {
		view.Unread = unreadWords(p.Unread) + " unread"
	}
	if p.Next != "" {
		view.Pager.Shown += ", more follow"
		view.Pager.Next = v.base.Notifications(p.Next)
	}
	if after != "" {
		view.Pager.First = v.base.Notifications("")
	}
	for _, n := range p.Notices {
		view.Rows = append(view.Rows, v.showNotice(n))
	}
	if len(p.Notices) > 0 {
		view.Newest = p.Notices[0].ID
	}
	return view
}

func (v viewer) showNotice(n desk.Notice) views.NoticeRow {
	said := words.Notice(string(n.Kind), n.About, n.N)
	short := n.ShortID
	if short == "" && n.Draft != "" {
		short = "Draft"
	}
	if short == "" {
		short = string(n.App[:min(8, len(n.App))])
	}
	row := views.NoticeRow{
		ID: n.ID, Icon: said.Icon, Title: said.Title, Text: said.Text, Lead: short, When: v.moment(instant(n.At)), Unread: n.ReadAt == 0,
	}
	if n.ByName != "" {
		row.Text = joined(" ", "By "+n.ByName+".", row.Text)
	}
	if n.Kind == desk.NoticeDirectory {
		row.Lead, row.Href = "Lender’s directory", to.Full.Admin("originators")
		return row
	}
	if n.Person != "" {
		row.Lead, row.Text = n.ByName, counted(n.N, "lead or draft waits", "leads and drafts wait")+". "+said.Text
		row.Href = to.Full.TeamPart("unassigned")
		if v.who.Role == access.Admin {
			row.Href = to.Person(n.Person)
		}
		return row
	}
	if n.Reach && n.Draft != "" {
		row.Href = v.base.NewLead(n.Draft)
	} else if n.Reach {
		row.Href = v.base.Lead(string(n.App))
		if name := nameOf(n.Name); name != "" {
			row.Lead, row.Short = name, short
		}
	}
	return row
}
