package team

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	deskteam "hearthline/internal/desk/team"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/team"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/page"
)

// maxStates is how many licensed states a row shows; the number of the others follows.
const maxStates = 3

// presentTeam maps the manager's home page. The caller sets Page.
func presentTeam(v text.Viewer, p deskteam.Page) view.View {
	model := view.View{Company: text.ActorCompany(v.Who), Invite: v.Who.Can(access.InvitePeople),
		Settings: v.Who.Can(access.ManageCompany)}
	for _, lane := range openLanes() {
		model.Lanes = append(model.Lanes, text.LaneOf(string(lane)).Label)
	}
	total := deskteam.Member{Leads: map[heloc.Lane]int{}}
	for _, m := range append([]deskteam.Member{p.Unassigned}, p.People...) {
		for lane, n := range m.Leads {
			total.Leads[lane] += n
		}
		total.Overdue += m.Overdue
	}
	model.Rows = append(model.Rows, presentUnassigned(v, p.Unassigned))
	for _, m := range p.People {
		model.Rows = append(model.Rows, presentMember(v, m))
	}
	model.Total = counted(v, "total", model.Company, total, to.LeadsQuery{})
	model.Total.Href = ""
	model.Facts = []view.CountLink{model.Total.Open, model.Total.Overdue, {Text: strconv.Itoa(p.Unassigned.Open())}}
	for i, what := range []string{" open", " overdue", " unassigned"} {
		model.Facts[i].Text, model.Facts[i].Label = model.Facts[i].Text+what, ""
	}
	if p.Unassigned.Open() > 0 {
		model.Facts[2].Href = to.Full.TeamPart("unassigned")
	}
	if p.Renew > 0 && model.Settings {
		model.Facts = append(model.Facts, view.CountLink{Late: true, Href: to.Full.TeamPart("settings"),
			Text: text.Pluralize(p.Renew, "originator license to renew", "originator licenses to renew")})
	}
	if p.Others > 0 {
		model.Others = text.Pluralize(p.Others, "more originator has no open leads and no active account.",
			"more originators have no open leads and no active account.")
	}
	return model
}

// openLanes lists the lanes whose leads have not ended.
func openLanes() []heloc.Lane {
	return slices.DeleteFunc(heloc.Lanes(), func(lane heloc.Lane) bool { return lane == heloc.LaneEnded })
}

func presentUnassigned(v text.Viewer, m deskteam.Member) view.MemberRow {
	row := counted(v, "unassigned", "Unassigned", m, to.LeadsQuery{Originator: to.NoOriginator})
	row.Sub, row.Due = "No originator", presentDue(v, m.FirstDue)
	if n := m.Open(); n > 0 {
		row.Urgent, row.Href = true, to.Full.TeamPart("unassigned")
		row.Assign, row.AssignURL = "Assign "+strconv.Itoa(n)+"…", to.Full.TeamPart("unassigned")
	}
	return row
}

func presentMember(v text.Viewer, m deskteam.Member) view.MemberRow {
	name := cmp.Or(strings.TrimSpace(m.Name()), "Not in the lender’s directory")
	row := counted(v, "originator-"+string(m.UUID), name, m, to.LeadsQuery{Originator: string(m.UUID)})
	row.Initials, row.Sub, row.Seen, row.Due = page.Initials(name), text.NMLSOrUnknown(m.NMLS), "No account",
		presentDue(v, m.FirstDue)
	if n := m.Open(); n > 0 {
		row.Assign = "Reassign " + strconv.Itoa(n) + "…"
		row.AssignURL = to.ReassignList(to.LeadsQuery{View: "all", Originator: string(m.UUID), Only: string(lead.OnlyOpen)})
		if !m.Disabled {
			row.Out = to.TeamOut(string(m.UUID))
		}
	}
	switch {
	case m.Disabled:
		row.Seen = "Account disabled"
	case m.HasAccount && m.SeenAt == 0:
		row.Seen = "Never signed in"
	case m.HasAccount:
		row.SeenKnown, row.Seen = true, v.DateTime(text.TimeOfMillis(m.SeenAt))
	}
	row.Absent = presentAvailability(name, m)
	row.States = m.States
	if n := len(m.States); n > maxStates {
		row.States, row.More = m.States[:maxStates-1], "+"+strconv.Itoa(n-maxStates+1)
	}
	row.AllState = strings.Join(m.States, ", ")
	return row
}

// counted maps the counts of a row, each with the list that it counts; in narrows that list to the row.
func counted(v text.Viewer, id, name string, m deskteam.Member, in to.LeadsQuery) view.MemberRow {
	link := func(n int, what, lane string, only lead.Only) view.CountLink {
		q := in
		q.View, q.Only = lane, string(only)
		c := view.CountLink{Text: strconv.Itoa(n), Label: name + ", " + what + ": " + strconv.Itoa(n)}
		if n > 0 {
			c.Href = v.Base.Leads(q)
		}
		return c
	}
	row := view.MemberRow{ID: id, Name: name, Open: link(m.Open(), "open", "all", lead.OnlyOpen),
		Overdue: link(m.Overdue, "overdue", "all", lead.OnlyOverdue)}
	row.Href, row.Overdue.Late = row.Open.Href, true
	for _, lane := range openLanes() {
		row.Lanes = append(row.Lanes, link(m.Leads[lane], text.LaneOf(string(lane)).Label, string(lane), ""))
	}
	return row
}

func presentDue(v text.Viewer, first *lead.PipelineRow) view.DueLead {
	if first == nil {
		return view.DueLead{}
	}
	l := first.Row
	timing := v.TimingOf(l, lead.UsualWait{})
	return view.DueLead{
		Name: text.OrDash(text.BorrowerName(l.Borrower, first.Name)), Href: v.Base.Lead(string(l.App)),
		Step: text.LeadStatus(l).Chip, When: timing.Text.String(), Late: timing.Overdue,
	}
}
