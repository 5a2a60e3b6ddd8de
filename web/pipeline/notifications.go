package pipeline

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	deskpipeline "hearthline/internal/desk/pipeline"

	"hearthline/internal/access"
	"hearthline/internal/lead"
	view "hearthline/views/pipeline"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// NotificationsPage lists the user's notifications, newest first. For the bell on other pages, it
// returns only the bell.
func (h *Handlers) NotificationsPage(w http.ResponseWriter, r *http.Request, inbox *deskpipeline.Inbox) error {
	layout := h.Layout(r, "Notifications")
	if _, id, _ := strings.Cut(r.Header.Get("HX-Target"), "#"); page.IsFragment(r) && id == ui.BellID {
		return h.Render(w, r, http.StatusOK, ui.Bell(layout.Base, layout.Bell))
	}
	after := r.URL.Query().Get("after")
	found, err := inbox.Page(r.Context(), after)
	if err != nil {
		return err
	}
	model := presentNotifications(h.Viewer(r), found, after)
	model.Page = layout
	return h.Render(w, r, http.StatusOK, page.PartOrWhole(r, view.NotificationsPart(model), view.Notifications(model)))
}

// MarkNotificationsRead marks one notification as read, or all that were on the page.
func (h *Handlers) MarkNotificationsRead(w http.ResponseWriter, r *http.Request, inbox *deskpipeline.Inbox) error {
	return page.NavigateAfter(w, r, inbox.MarkRead(r.Context(), page.Posted(r).Get("id"), page.Posted(r).Get("upTo")),
		page.BaseOf(r).Notifications(""))
}

// presentNotifications maps a page of notifications. The caller sets Page.
func presentNotifications(v text.Viewer, p deskpipeline.InboxPage, after string) view.NotificationsView {
	model := view.NotificationsView{After: after, Pager: ui.PagerView{CountText: text.PageCount(len(p.Notices),
		"notification", "notifications", after == "", p.Next != "")}}
	if p.Unread > 0 {
		model.Unread = page.UnreadText(p.Unread) + " unread"
	}
	model.Pager.Links(after, p.Next, v.Base.Notifications)
	for _, n := range p.Notices {
		model.Rows = append(model.Rows, presentNotification(v, n))
	}
	if len(p.Notices) > 0 {
		model.Newest = p.Notices[0].ID
	}
	return model
}

func presentNotification(v text.Viewer, n deskpipeline.Notice) view.NoticeRow {
	texts := text.Notice(string(n.Kind), n.About, n.N)
	short := cmp.Or(n.ShortID, string(n.App[:min(8, len(n.App))]))
	if n.ShortID == "" && n.Draft != "" {
		short = "Draft"
	}
	row := view.NoticeRow{
		ID: n.ID, Icon: texts.Icon, Title: texts.Title, Text: texts.Text, Lead: short,
		When: v.DateTime(text.TimeOfMillis(n.At)), Unread: n.ReadAt == 0,
	}
	switch {
	case n.Kind == lead.NoticeDeputy && n.ByName != "":
		row.Text = askedToCover(n.ByName, n.About)
	case n.Kind == lead.NoticeNudge && n.ByName != "":
		row.Title = n.ByName + " asked you to follow up"
	case n.ByName != "" && (n.Kind == lead.NoticeLeadReturned || n.Kind == lead.NoticeLeadsReturned):
		row.Text = n.ByName + " undid the reassignment."
	case n.ByName != "":
		row.Text = text.JoinNonEmpty(" ", "By "+n.ByName+".", row.Text)
	}
	leads := text.Pluralize(n.N, "lead", "leads")
	switch {
	case n.Kind == lead.NoticeLeadsReceived || n.Kind == lead.NoticeLeadsReturned:
		row.Lead, row.Href = leads, to.Full.Reassignment(n.About)
	case n.Kind == lead.NoticeReturn:
		row.Lead, row.Href = leads, to.Return(n.About)
	case n.Kind == lead.NoticeLeadsGone:
		row.Lead = leads
	case n.Kind == lead.NoticeLeadsCovered:
		row.Lead = leads
		if v.Who.Covering.Has(n.About) || v.Who.Can(access.SeeTeam) {
			row.Href = v.Base.Leads(to.LeadsQuery{Originator: n.About})
		}
	case n.Kind == lead.NoticeDirectory:
		row.Lead, row.Href = "Lender’s directory", to.Full.Admin("originators")
	case n.Kind == lead.NoticeRequest:
		if row.Lead, row.Href = "Requests", to.Full.Admin("requests"); v.Who.Role != access.Admin {
			row.Lead, row.Href = "Invitations", to.Full.Invite()
		}
	case n.Kind == lead.NoticeOwnRequest:
		row.Lead = "Your account"
	case n.Kind == lead.NoticeCRMChanged:
		row.Lead, row.Href = n.About, to.Full.Admin("embed")
	case n.Kind == lead.NoticeCRMEventsFailed:
		key, name, _ := strings.Cut(n.About, " ")
		row.Lead, row.Href = name, to.EmbedEvents(key)
	case n.Kind == lead.NoticeCRMDisconnected:
		row.Lead = n.About
	case n.Kind == lead.NoticeNewColleague:
		row.Lead, row.Href = "People", to.Full.TeamPart("people")
	case isAboutAbsence(n.Kind):
		row.Lead, row.Href = "Absences", to.Full.TeamPart("absences")
	case n.Kind == lead.NoticeUnconfirmed && n.App == "":
		row.Lead, row.Href = "New inquiry", v.Base.Leads(to.LeadsQuery{})
	case n.Kind == lead.NoticeLimit:
		row.Lead = "Company limits"
	case n.Kind == lead.NoticeRulesPaused:
		row.Lead, row.Href = "Assignment rules", to.Full.TeamPart("rules")
	case n.Person != "":
		row.Lead, row.Href = n.ByName, to.Full.TeamPart("unassigned")
		row.Text = text.Pluralize(n.N, "lead or draft to reassign", "leads and drafts to reassign") + "."
		if v.Who.Role == access.Admin {
			row.Href = to.Person(n.Person)
		}
	case n.Accessible && n.Draft != "":
		row.Href = v.Base.NewLead(n.Draft)
	case n.Accessible:
		row.Href = v.Base.Lead(string(n.App))
		if name := text.FullName(n.Name); name != "" {
			row.Lead, row.Short = name, short
		}
	case n.Kind == lead.NoticeNudge:
		row.Text = text.JoinNonEmpty(" ", row.Text, "You no longer have access to this lead.")
	}
	return row
}

// isAboutAbsence reports whether a notification leads to the absences.
func isAboutAbsence(k lead.NoticeKind) bool {
	return slices.Contains([]lead.NoticeKind{
		lead.NoticeDeputy, lead.NoticeAbsence, lead.NoticeAbsenceChanged, lead.NoticeAbsenceEnded,
		lead.NoticeAbsenceDeleted, lead.NoticeCoverEnded, lead.NoticeUncovered,
	}, k)
}

// askedToCover says who asked the user to cover for whom, and when; about is the absent user and the days.
func askedToCover(by, about string) string {
	if days, own := strings.CutPrefix(about, by+", "); own {
		return by + " asked you to cover for them, " + days + ". You can see and work on their leads on those days."
	}
	return by + " asked you to cover for " + about + ". You can see and work on their leads on those days."
}
