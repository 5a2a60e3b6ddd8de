package pipeline

import (
	"slices"
	"strconv"

	deskpipeline "hearthline/internal/desk/pipeline"
	deskreassign "hearthline/internal/desk/reassign"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	pageview "hearthline/views/page"
	view "hearthline/views/pipeline"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// presentPipeline maps a list with the columns that its user has chosen. The caller sets Page.
func presentPipeline(v text.Viewer, q to.LeadsQuery, columns pageview.LeadColumns, f desk.ListPage) view.ListView {
	p := view.ListView{
		Query: q, UpdatesSince: presentUpdates(v, f.Updates), Lanes: presentLanes(v, q, f), Filters: presentFilters(q, f),
		ShowOwners: f.Originators != nil,
		Returned:   presentReturned(v, f.Returned),
		Empty:      presentEmpty(v, q, f.Next), Pager: presentPager(v, q, f),
		CanNew: f.MayPrepare, CanAdd: f.MayAnnotate, Cohort: page.CohortText(q, f.Originators),
		Views:  presentViewsMenu(v, q, f.Views),
		Chosen: columns, Columns: columns,
	}
	p.HasDates = q.Start()
	p.TodayText = text.CappedCount(f.Moves.Today) + " to do today"
	if f.MayExport && !v.Base.Embedded() { // the CRM's page would learn the file's name and the time of the export
		p.CSVURL = v.Base.LeadsCSV(q.AfterKey(""))
	}
	if f.Reassignments != nil {
		p.CanReassign, p.RecentReassignments = true, presentRecentReassignments(v, *f.Reassignments)
		p.Reassign = page.PresentReassignBar(q, f.Matching, len(f.Rows))
	}
	if coveredOf(q, f) != "" {
		p.CanReassign = false // a deputy does not reassign
	}
	open, of := 0, coveredOf(q, f)
	if f.Filtered != nil {
		of = q.Originator
	}
	for _, lane := range heloc.Lanes() {
		if lane != heloc.LaneEnded {
			open += f.LaneCounts()[lane]
		}
	}
	p.OpenText = text.CappedCount(open) + " open"
	if f.Moves.Overdue > 0 {
		p.OverdueText = text.CappedCount(f.Moves.Overdue) + " overdue"
		p.OverdueURL = v.Base.Leads(to.LeadsQuery{View: "all", Only: string(lead.OnlyOverdue), Originator: of})
	}
	if f.Drafts > 0 {
		p.Drafts = text.Pluralize(f.Drafts, "draft", "drafts")
	}
	var read int64
	if f.Today {
		p.Today = presentToday(v, q, f, p.CanReassign)
		p.HasDates = p.HasDates && len(f.Rows) > 0 // an empty Today lists its own
	}
	for i := range f.Rows {
		row := &f.Rows[i]
		read = max(read, row.RefreshedAt)
		if f.Today {
			continue
		}
		shown := page.PresentRow(v, row, f.UsualWaits)
		p.ShowOwners = p.ShowOwners || row.AsDeputy
		shown.Selectable = p.CanReassign && !row.AsDeputy
		if columns.Updated {
			shown.Updated = v.AgeTime(text.TimeOfMillis(row.ChangedAt))
		}
		if columns.Age {
			shown.Age = startedAge(v, row.Row)
		}
		p.Rows = append(p.Rows, shown)
	}
	p.Columns.Owner = columns.Owner && p.ShowOwners
	if read > 0 {
		p.Updated = "Last updated " + v.SinceText(text.TimeOfMillis(read))
	}
	return p
}

func presentUpdates(v text.Viewer, n deskpipeline.Updates) view.UpdatesView {
	if n.Since.IsZero() || len(n.Counts)+n.FollowUps+n.Notes == 0 {
		return view.UpdatesView{}
	}
	s := view.UpdatesView{When: "Since " + v.SinceText(n.Since) + ":", DismissURL: v.Base.MarkSeen()}
	for _, item := range n.Counts {
		s.Items = append(s.Items, ui.NavLink{
			Label: updateText(item.StatusKey, item.Count),
			Href:  v.Base.Leads(to.LeadsQuery{View: "all", Step: string(item.StatusKey), Sort: string(lead.SortUpdated)}),
		})
	}
	if n.FollowUps > 0 {
		s.Items = append(s.Items, ui.NavLink{Label: text.Pluralize(n.FollowUps, "reminder due", "reminders due"),
			Href: v.Base.Leads(to.LeadsQuery{View: "today"})})
	}
	if n.Notes > 0 {
		s.Items = append(s.Items, ui.NavLink{
			Label: text.Pluralize(n.Notes, "lead with a new note", "leads with new notes"),
			Href:  v.Base.Leads(to.LeadsQuery{View: "all", Sort: string(lead.SortUpdated)}),
		})
	}
	return s
}

// updateText says how many of the changed leads have a status now, "2 at payoff".
func updateText(key heloc.StatusKey, n int) string {
	at := "at "
	switch key {
	case heloc.StatusOffers, heloc.StatusNoOffers, heloc.StatusCreditFrozen, heloc.StatusComplete, heloc.StatusSigned:
		at = "with "
	case heloc.StatusInProgress, heloc.StatusStillFrozen, heloc.StatusFunding, heloc.StatusFunded, heloc.StatusCanceled,
		heloc.StatusDeclined, heloc.StatusExpired, heloc.StatusWithdrawn:
		at = ""
	}
	return strconv.Itoa(n) + " " + at + text.LowerFirst(text.StatusOf(string(key), "").Chip)
}

// presentLanes maps the tabs. The links keep the filters, so a tab has its count only where nothing filters, or only an
// originator does.
func presentLanes(v text.Viewer, q to.LeadsQuery, f desk.ListPage) []ui.TabView {
	unfiltered, counts := q, f.LaneCounts()
	if f.Filtered != nil || coveredOf(q, f) != "" {
		unfiltered.Originator = ""
	}
	var tabs []ui.TabView
	all := 0
	for _, lane := range text.Lanes() {
		n := counts[heloc.Lane(lane.Key)]
		all += n
		switch lane.Key {
		case "all":
			n = all
		case text.TodayKey:
			n = f.Moves.Today
		}
		tab := ui.TabView{Label: lane.Label, Href: v.Base.Leads(q.InView(lane.Key)), Current: lane.Key == q.View}
		if !unfiltered.Filtered() {
			tab.Count, tab.Urgent = text.CappedCount(n), lane.Key == text.TodayKey && n > 0
		}
		tabs = append(tabs, tab)
	}
	return tabs
}

func presentFilters(q to.LeadsQuery, f desk.ListPage) []ui.Field {
	states := append([][2]string{{"", "All states"}}, text.States()[1:]...)
	if q.State == to.NoState {
		states = append(states, [2]string{to.NoState, "Not recorded"})
	}
	sorts := text.Sorts()
	filters := []ui.Field{
		{Name: "step", Label: "Step", Options: ui.Choices(q.Step, stepChoices()...)},
		{Name: "state", Label: "State", Options: ui.Choices(q.State, states...)},
	}
	if f.Masked {
		filters, sorts = filters[:1], slices.DeleteFunc(sorts, func(sort [2]string) bool {
			return sort[0] == string(lead.SortAmount)
		})
	}
	if f.Originators != nil {
		originators := [][2]string{{"", "All originators"}, {to.NoOriginator, "Unassigned"}}
		names := text.OriginatorNames(f.Originators)
		for _, o := range f.Originators {
			originators = append(originators, [2]string{string(o.UUID), names[o.UUID]})
		}
		filters = append(filters, ui.Field{Name: "originator", Label: "Originator",
			Options: ui.Choices(q.Originator, originators...)})
	}
	if f.Originators == nil && len(f.Covers) > 0 {
		owners := [][2]string{{"", "Your leads"}}
		for _, c := range f.Covers {
			owners = append(owners, [2]string{string(c.Originator), "Covering for " + c.Name})
		}
		filters = append(filters, ui.Field{Name: "originator", Label: "Originator",
			Options: ui.Choices(q.Originator, owners...)})
	}
	filters = append(filters, ui.Field{Name: "only", Label: "Show", Options: ui.Choices(q.Only, text.Narrowings()...)})
	return append(filters, ui.Field{Name: "sort", Label: "Sort by", Options: ui.Choices(q.Sort, sorts...)})
}

// stepChoices are the statuses by which every list can be filtered.
func stepChoices() [][2]string {
	steps := [][2]string{{"", "All steps"}}
	for _, key := range text.StatusKeys() {
		steps = append(steps, [2]string{key, text.StatusOf(key, "").Chip})
	}
	return steps
}

// presentEmpty says why a page has no rows. A search compares a limited number of names for one page, so a page
// without rows can have a next one.
func presentEmpty(v text.Viewer, q to.LeadsQuery, next string) ui.EmptyView {
	switch {
	case next != "":
		return ui.EmptyView{
			Icon: "search", Title: "No matches yet.", Text: "Some leads haven’t been checked.",
			Actions: []ui.Action{{Label: "Keep searching", Kind: "pri", Href: v.Base.Leads(q.AfterKey(next))}},
		}
	case q.After != "":
		return ui.EmptyView{Icon: "search", Title: "No more leads."}
	case q.Filtered():
		return ui.EmptyView{
			Icon: "search", Title: "No leads match.",
			Actions: []ui.Action{{Label: "Clear filters", Href: v.Base.Leads(to.LeadsQuery{View: q.View, Sort: q.Sort})}},
		}
	}
	lane := text.LaneOf(q.View)
	return ui.EmptyView{Icon: "circle-check", Title: lane.Empty, Text: lane.Hint}
}

func presentPager(v text.Viewer, q to.LeadsQuery, f desk.ListPage) ui.PagerView {
	var p ui.PagerView
	if len(f.Rows) > 0 || q.After == "" && f.Next == "" {
		p.CountText = text.PageCount(len(f.Rows), "lead", "leads", q.After == "", f.Next != "")
	}
	if f.Next != "" && len(f.Rows) > 0 {
		n := f.Counts[heloc.Lane(q.View)]
		if q.View == text.TodayKey {
			n = f.Moves.Today
		}
		if q.Start() && n > len(f.Rows) && n < lead.CountLimit {
			p.CountText = "Leads 1 to " + strconv.Itoa(len(f.Rows)) + " of " + strconv.Itoa(n)
		}
		p.Next = v.Base.Leads(q.AfterKey(f.Next))
	}
	if q.After != "" {
		p.First = v.Base.Leads(q.AfterKey(""))
	}
	return p
}

// presentRecentReassignments maps the user's recent reassignments. It shows no borrower data,
// because the lead may now be somebody else's.
func presentRecentReassignments(v text.Viewer, recent deskreassign.RecentReassignments) view.RecentReassignmentsView {
	var h view.RecentReassignmentsView
	for _, run := range recent.Runs {
		h.Items = append(h.Items, view.RecentReassignment{
			Text: runText(run) + ", " + v.DateTimeInText(text.TimeOfMillis(run.At)),
			Href: v.Base.Reassignment(run.ID),
		})
	}
	for _, one := range recent.Single {
		item := view.RecentReassignment{
			Text: text.JoinNonEmpty(" ", "Reassigned", one.ShortID, "to", text.OrDash(one.ToName)) + ", " +
				v.DateTimeInText(text.TimeOfMillis(one.DoneAt())), Href: v.Base.Operation(one.OpID),
			Undo: page.PresentUndo(v, one, recent.UndoOperationIDs[one.OpID]),
		}
		if one.State == lead.OpUnknown {
			item.Text = text.JoinNonEmpty(" ", "Reassignment", ofLead(one.ShortID), "to", text.OrDash(one.ToName), "sent ") +
				v.DateTimeInText(text.TimeOfMillis(one.At)) + ", not confirmed"
		}
		h.Items = append(h.Items, item)
	}
	return h
}

// ofLead names a lead by its short id, "of 1-26325-002"; "" for a deleted one.
func ofLead(shortID string) string {
	if shortID == "" {
		return ""
	}
	return "of " + shortID
}

// runText says what a run was to do.
func runText(run deskreassign.RunSummary) string {
	leads := text.Pluralize(run.Leads, "lead", "leads")
	switch {
	case run.Undo:
		return "Undo reassignment of " + leads
	case run.People > 1:
		return "Reassignment of " + leads + " to " + strconv.Itoa(run.People) + " originators"
	default:
		return "Reassignment of " + leads + " to " + text.OrDash(run.ToName)
	}
}

// startedAge returns how long ago a lead was started, or the lender's start date if it was started elsewhere.
func startedAge(v text.Viewer, l *lead.Row) text.RelativeTime {
	if !l.Source.StartedHere() {
		return text.RelativeTime{Text: v.ShortDay(l.StartedOn)}
	}
	return v.AgeTime(text.TimeOfMillis(l.CreatedAt))
}
