package pipeline

import (
	"slices"
	"strconv"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/page"
)

// pipelineFacts are all that a list shows.
type pipelineFacts struct {
	query       to.LeadsQuery
	page        desk.PipelinePage
	news        desk.News
	drafts      int
	originators []ui.Option // for those who see more than their own leads
	dates       []desk.ComingDate
	masked      bool // places and amounts are
}

// showPipeline maps them. Page is the caller's.
func showPipeline(v format.Viewer, f pipelineFacts) views.PipelineView {
	p := views.PipelineView{
		Query: f.query, Since: showNews(v, f.news), Lanes: showLanes(v, f), Filters: showFilters(f), Owners: f.originators != nil,
		Empty: showEmpty(v, f), Pager: showPager(v, f), Dates: showDatesAhead(v, f.dates),
	}
	open := 0
	for _, lane := range heloc.Lanes() {
		if lane != heloc.LaneEnded {
			open += f.page.Counts[lane]
		}
	}
	p.Open = format.UpTo(open) + " open"
	if n := f.page.Counts[heloc.LaneToday]; n > 0 {
		p.Yours = format.Counted(n, "is yours today", "are yours today")
	}
	if f.page.Overdue > 0 {
		p.Overdue = strconv.Itoa(f.page.Overdue) + " overdue"
	}
	if f.drafts > 0 {
		p.Drafts = format.Counted(f.drafts, "draft", "drafts")
	}
	var read int64
	for _, row := range f.page.Rows {
		p.Rows = append(p.Rows, page.ShowRow(v, row, f.page.Waits))
		read = max(read, row.RefreshedAt)
	}
	if read > 0 {
		p.Updated = "Updated " + v.Age(format.Instant(read))
	}
	return p
}

func showNews(v format.Viewer, n desk.News) views.SinceView {
	if n.Since.IsZero() || len(n.Items)+n.FollowUps+n.Notes == 0 {
		return views.SinceView{}
	}
	s := views.SinceView{When: "Since " + v.Within(n.Since) + ":", Seen: v.Base.Seen()}
	for _, item := range n.Items {
		s.Items = append(s.Items, ui.NavLink{
			Label: strconv.Itoa(item.N) + " " + format.Lowered(words.StandingOf(string(item.Stand), "").Chip),
			Href:  v.Base.Leads(to.LeadsQuery{View: "all", Step: string(item.Stand)}),
		})
	}
	if n.FollowUps > 0 {
		s.Items = append(s.Items, ui.NavLink{Label: format.Counted(n.FollowUps, "follow-up due", "follow-ups due"), Href: v.Base.Leads(to.LeadsQuery{View: "today"})})
	}
	if n.Notes > 0 {
		s.Items = append(s.Items, ui.NavLink{
			Label: format.Counted(n.Notes, "lead with a new note", "leads with new notes"), Href: v.Base.Leads(to.LeadsQuery{View: "all", Sort: string(desk.SortUpdated)}),
		})
	}
	return s
}

func showLanes(v format.Viewer, f pipelineFacts) []ui.TabView {
	var tabs []ui.TabView
	all := 0
	for _, lane := range words.Lanes() {
		n := f.page.Counts[heloc.Lane(lane.Key)]
		all += n
		if lane.Key == "all" {
			n = all
		}
		tabs = append(tabs, ui.TabView{
			Label: lane.Label, Href: v.Base.Leads(f.query.In(lane.Key)), Count: format.UpTo(n),
			Current: lane.Key == f.query.View, Hot: lane.Key == string(heloc.LaneToday) && n > 0,
		})
	}
	return tabs
}

func showFilters(f pipelineFacts) []ui.Field {
	steps := [][2]string{{"", "Every step"}}
	for _, key := range words.StandingKeys() {
		steps = append(steps, [2]string{key, words.StandingOf(key, "").Chip})
	}
	states := append([][2]string{{"", "Every state"}}, words.States()[1:]...)
	sorts := words.Sorts()
	filters := []ui.Field{
		{Name: "step", Label: "Step", Options: ui.Choices(f.query.Step, steps...)},
		{Name: "state", Label: "State", Options: ui.Choices(f.query.State, states...)},
	}
	if f.masked {
		filters, sorts = filters[:1], slices.DeleteFunc(sorts, func(sort [2]string) bool { return sort[0] == string(desk.SortAmount) })
	}
	if f.originators != nil {
		filters = append(filters, ui.Field{Name: "originator", Label: "Originator", Options: f.originators})
	}
	return append(filters, ui.Field{Name: "sort", Label: "Order", Options: ui.Choices(f.query.Sort, sorts...)})
}

func showEmpty(v format.Viewer, f pipelineFacts) ui.EmptyView {
	if f.query.Filtered() {
		return ui.EmptyView{
			Icon: "search", Title: "No lead fits this.", Text: "Look through all of them, or take a filter away.",
			Actions: []ui.Action{{Label: "Show all leads", Href: v.Base.Leads(to.LeadsQuery{View: "all"})}},
		}
	}
	lane := words.LaneOf(f.query.View)
	return ui.EmptyView{Icon: "circle-check", Title: lane.Empty, Text: lane.Hint}
}

func showPager(v format.Viewer, f pipelineFacts) ui.PagerView {
	p := ui.PagerView{Shown: format.Counted(len(f.page.Rows), "lead", "leads")}
	if f.page.Next != "" {
		p.Shown += ", more follow"
		p.Next = v.Base.Leads(f.query.From(f.page.Next))
	}
	if f.query.After != "" {
		p.First = v.Base.Leads(f.query.From(""))
	}
	return p
}

// stepFilter reads the filter by step: one of our standings, or the interface's own
// name of a step, which is where a lead stands that has just reached it.
func StepFilter(typed string, now time.Time) heloc.Stand {
	for _, key := range words.StandingKeys() {
		if key == typed {
			return heloc.Stand(key)
		}
	}
	if typed == "" {
		return ""
	}
	return heloc.StandingAt(heloc.Facts{Step: heloc.Step(typed), Since: now}, now).Stand
}

// showHanded maps what a person handed on lately: no word of the borrower, for the lead
// may be another's now.
func showHanded(v format.Viewer, all []desk.Handed, runs []desk.RunStub, ticket func(heloc.AppID) string) views.HandedView {
	var h views.HandedView
	for _, run := range runs {
		h.Items = append(h.Items, views.HandedItem{
			Text: format.Counted(run.Leads, "lead", "leads") + " to " + words.Or(run.ToName) + ", " + v.Within(format.Instant(run.At)),
			Href: v.Base.Reassignment(run.ID),
		})
	}
	for _, one := range all {
		item := views.HandedItem{
			Text: "Handed to " + words.Or(one.ToName) + ", " + v.Within(format.Instant(one.DoneAt())), Href: v.Base.Operation(one.OpID),
			Undo: page.ShowUndo(v, one, ticket(one.App)),
		}
		if one.State == desk.OpUnknown {
			item.Text = "Sent to " + words.Or(one.ToName) + ", " + v.Within(format.Instant(one.At)) + ": not known yet whether it arrived"
		}
		h.Items = append(h.Items, item)
	}
	return h
}

// showDatesAhead maps what is coming up, and what is getting old.
func showDatesAhead(v format.Viewer, all []desk.ComingDate) views.DatesView {
	d := views.DatesView{Calendar: v.Base.LeadsICS()}
	for _, one := range all {
		d.Rows = append(d.Rows, views.DateRow{
			Day: format.Weekday(one.On), Left: v.Left(one), Kind: words.DateKind(string(one.Kind)), Name: words.Or(format.NameOf(one.Name)),
			Short: one.ShortID, Href: v.Base.Lead(string(one.App)),
		})
	}
	return d
}
