package pipeline

import (
	"slices"
	"strconv"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/pipeline"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/page"
)

// pipelineData is everything that a list shows.
type pipelineData struct {
	query       to.LeadsQuery
	page        desk.PipelinePage
	updates     desk.Updates
	drafts      int
	originators []ui.Option // only for users who see more than their own leads
	comingDates []desk.ComingDate
	masked      bool // whether places and amounts are masked
}

// presentPipeline maps a list. The caller sets Page.
func presentPipeline(v format.Viewer, f pipelineData) view.PipelineView {
	p := view.PipelineView{
		Query: f.query, UpdatesSince: presentUpdates(v, f.updates), Lanes: presentLanes(v, f), Filters: presentFilters(f), ShowOwners: f.originators != nil,
		Empty: presentEmpty(v, f), Pager: presentPager(v, f), Dates: presentComingDates(v, f.comingDates),
	}
	open := 0
	for _, lane := range heloc.Lanes() {
		if lane != heloc.LaneEnded {
			open += f.page.Counts[lane]
		}
	}
	p.OpenText = format.CappedCount(open) + " open"
	if n := f.page.Counts[heloc.LaneToday]; n > 0 {
		p.YourMoveText = format.CappedCount(n) + " to do today"
	}
	if f.page.Overdue > 0 {
		p.OverdueText = format.CappedCount(f.page.Overdue) + " overdue"
	}
	if f.drafts > 0 {
		p.Drafts = format.Pluralize(f.drafts, "draft", "drafts")
	}
	var read int64
	for _, row := range f.page.Rows {
		p.Rows = append(p.Rows, page.PresentRow(v, row, f.page.UsualWaits))
		read = max(read, row.RefreshedAt)
	}
	if read > 0 {
		p.Updated = "Last updated " + v.SinceText(format.TimeOfMillis(read))
	}
	return p
}

func presentUpdates(v format.Viewer, n desk.Updates) view.UpdatesView {
	if n.Since.IsZero() || len(n.Counts)+n.FollowUps+n.Notes == 0 {
		return view.UpdatesView{}
	}
	s := view.UpdatesView{When: "Since " + v.SinceText(n.Since) + ":", DismissURL: v.Base.MarkSeen()}
	for _, item := range n.Counts {
		s.Items = append(s.Items, ui.NavLink{
			Label: updateText(item.StatusKey, item.Count),
			Href:  v.Base.Leads(to.LeadsQuery{View: "all", Step: string(item.StatusKey)}),
		})
	}
	if n.FollowUps > 0 {
		s.Items = append(s.Items, ui.NavLink{Label: format.Pluralize(n.FollowUps, "follow-up due", "follow-ups due"), Href: v.Base.Leads(to.LeadsQuery{View: "today"})})
	}
	if n.Notes > 0 {
		s.Items = append(s.Items, ui.NavLink{
			Label: format.Pluralize(n.Notes, "lead with a new note", "leads with new notes"), Href: v.Base.Leads(to.LeadsQuery{View: "all", Sort: string(lead.SortUpdated)}),
		})
	}
	return s
}

// updateText says how many leads have reached a status, "2 at payoff".
func updateText(key heloc.StatusKey, n int) string {
	at := "at "
	switch key {
	case heloc.StatusOffers, heloc.StatusNoOffers, heloc.StatusCreditFrozen, heloc.StatusComplete:
		at = "with "
	case heloc.StatusInProgress, heloc.StatusSigned, heloc.StatusFunding, heloc.StatusFunded, heloc.StatusCanceled, heloc.StatusDeclined, heloc.StatusExpired, heloc.StatusWithdrawn:
		at = ""
	}
	return strconv.Itoa(n) + " " + at + format.LowerFirst(words.StatusOf(string(key), "").Chip)
}

func presentLanes(v format.Viewer, f pipelineData) []ui.TabView {
	var tabs []ui.TabView
	all := 0
	for _, lane := range words.Lanes() {
		n := f.page.Counts[heloc.Lane(lane.Key)]
		all += n
		if lane.Key == "all" {
			n = all
		}
		tabs = append(tabs, ui.TabView{
			Label: lane.Label, Href: v.Base.Leads(f.query.InView(lane.Key)), Count: format.CappedCount(n),
			Current: lane.Key == f.query.View, Urgent: lane.Key == string(heloc.LaneToday) && n > 0,
		})
	}
	return tabs
}

func presentFilters(f pipelineData) []ui.Field {
	steps := [][2]string{{"", "All steps"}}
	for _, key := range words.StatusKeys() {
		steps = append(steps, [2]string{key, words.StatusOf(key, "").Chip})
	}
	states := append([][2]string{{"", "All states"}}, words.States()[1:]...)
	sorts := words.Sorts()
	filters := []ui.Field{
		{Name: "step", Label: "Step", Options: ui.Choices(f.query.Step, steps...)},
		{Name: "state", Label: "State", Options: ui.Choices(f.query.State, states...)},
	}
	if f.masked {
		filters, sorts = filters[:1], slices.DeleteFunc(sorts, func(sort [2]string) bool { return sort[0] == string(lead.SortAmount) })
	}
	if f.originators != nil {
		filters = append(filters, ui.Field{Name: "originator", Label: "Originator", Options: f.originators})
	}
	return append(filters, ui.Field{Name: "sort", Label: "Sort by", Options: ui.Choices(f.query.Sort, sorts...)})
}

func presentEmpty(v format.Viewer, f pipelineData) ui.EmptyView {
	if f.query.Filtered() {
		return ui.EmptyView{
			Icon: "search", Title: "No leads match.",
			Actions: []ui.Action{{Label: "Clear filters", Href: v.Base.Leads(to.LeadsQuery{View: f.query.View, Sort: f.query.Sort})}},
		}
	}
	lane := words.LaneOf(f.query.View)
	return ui.EmptyView{Icon: "circle-check", Title: lane.Empty, Text: lane.Hint}
}

func presentPager(v format.Viewer, f pipelineData) ui.PagerView {
	p := ui.PagerView{CountText: format.Pluralize(len(f.page.Rows), "lead", "leads")}
	if f.page.Next != "" {
		p.CountText += " on this page, more on the next"
		p.Next = v.Base.Leads(f.query.AfterKey(f.page.Next))
	}
	if f.query.After != "" {
		p.First = v.Base.Leads(f.query.AfterKey(""))
	}
	return p
}

// StepFilter parses the filter by step: one of our status keys, or the interface's name of a step,
// which becomes the status of a lead that has just reached it.
func StepFilter(typed string, now time.Time) heloc.StatusKey {
	for _, key := range words.StatusKeys() {
		if key == typed {
			return heloc.StatusKey(key)
		}
	}
	if typed == "" {
		return ""
	}
	return heloc.StatusAt(heloc.StatusFacts{Step: heloc.Step(typed), StepSince: now}, now).Key
}

// presentRecentReassignments maps the user's recent reassignments. It shows no borrower data,
// because the lead may now be somebody else's.
func presentRecentReassignments(v format.Viewer, all []desk.ReassignmentDetails, runs []desk.RunSummary, newOperationID func(heloc.AppID) string) view.RecentReassignmentsView {
	var h view.RecentReassignmentsView
	for _, run := range runs {
		h.Items = append(h.Items, view.RecentReassignment{
			Text: "Reassignment of " + format.Pluralize(run.Leads, "lead", "leads") + " to " + words.OrDash(run.ToName) + ", " + v.DateTimeInText(format.TimeOfMillis(run.At)),
			Href: v.Base.Reassignment(run.ID),
		})
	}
	for _, one := range all {
		item := view.RecentReassignment{
			Text: "Reassigned to " + words.OrDash(one.ToName) + ", " + v.DateTimeInText(format.TimeOfMillis(one.DoneAt())), Href: v.Base.Operation(one.OpID),
			Undo: page.PresentUndo(v, one, newOperationID(one.App)),
		}
		if one.State == lead.OpUnknown {
			item.Text = "Reassignment to " + words.OrDash(one.ToName) + " sent " + v.DateTimeInText(format.TimeOfMillis(one.At)) + ", not confirmed"
		}
		h.Items = append(h.Items, item)
	}
	return h
}

// presentComingDates maps upcoming dates and dates that are getting old.
func presentComingDates(v format.Viewer, all []desk.ComingDate) view.DatesView {
	d := view.DatesView{Calendar: ui.Action{Label: "Subscribe to calendar", Icon: "calendar", Kind: "ghost", Href: v.Base.Calendar()}, Period: "next 2 weeks"}
	if v.Base.Embedded() { // the subscription has no page in a frame
		d.Calendar.Label, d.Calendar.Href = "Download calendar file", v.Base.LeadsICS()
	}
	for _, one := range all {
		if !one.Ahead {
			d.Period = "next 2 weeks, plus aging pricing and credit"
		}
		d.Rows = append(d.Rows, view.DateRow{
			Day: format.Weekday(one.On), TimeLeft: v.DaysLeftText(one), Kind: words.DateKind(string(one.Kind)), Name: words.OrDash(format.FullName(one.Name)),
			ShortID: one.ShortID, Href: v.Base.Lead(string(one.App)),
		})
	}
	return d
}
