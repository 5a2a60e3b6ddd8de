package web

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
func (v viewer) showPipeline(f pipelineFacts) views.PipelineView {
	p := views.PipelineView{
		Query: f.query, Since: v.showNews(f.news), Lanes: v.showLanes(f), Filters: showFilters(f), Owners: f.originators != nil,
		Empty: v.showEmpty(f), Pager: v.showPager(f), Dates: v.showDatesAhead(f.dates),
	}
	open := 0
	for _, lane := range heloc.Lanes() {
		if lane != heloc.LaneEnded {
			open += f.page.Counts[lane]
		}
	}
	p.Open = upTo(open) + " open"
	if n := f.page.Counts[heloc.LaneToday]; n > 0 {
		p.Yours = counted(n, "is yours today", "are yours today")
	}
	if f.page.Overdue > 0 {
		p.Overdue = strconv.Itoa(f.page.Overdue) + " overdue"
	}
	if f.drafts > 0 {
		p.Drafts = counted(f.drafts, "draft", "drafts")
	}
	var read int64
	for _, row := range f.page.Rows {
		p.Rows = append(p.Rows, v.showRow(row, f.page.Waits))
		read = max(read, row.RefreshedAt)
	}
	if read > 0 {
		p.Updated = "Updated " + v.age(instant(read))
	}
	return p
}

func (v viewer) showRow(row desk.Row, waits map[heloc.Operation]desk.Wait) views.LeadRow {
	l := row.Lead
	c := v.clockOf(l, waits[heloc.OpStart])
	r := views.LeadRow{
		App: string(l.App), Revision: strconv.FormatInt(l.Revision, 10), Href: v.base.Lead(string(l.App)),
		Name: words.Or(borrowerOf(l.Borrower, row.Name)), ShortID: shortID(l), Place: placeOf(l.City, l.State), Chip: chipOf(l), Who: string(l.Mover),
		Clock: c.Clock, Late: c.Late, Mine: l.Mover == heloc.YouMove, Overdue: c.Late != "", Owner: row.Originator,
	}
	if wait := waits[l.Stand.Answer()]; wait.Known && r.Mine {
		r.Usual = "then usually " + span(wait.Usual)
	}
	if r.AmountWord, r.Amount = amountOf(l); row.Masked {
		r.Place, r.Amount = "•••", "•••"
	}
	if row.Unlooked.Wire != "" {
		r.News = append(r.News, words.Stopped(row.Unlooked.Wire))
	}
	if row.Unlooked.Condition {
		r.News = append(r.News, words.Notice(string(desk.NoticeCondition), "", 1).Title)
	}
	if l.LastContactAt != 0 {
		r.Contact, r.ContactHow = v.moment(instant(l.LastContactAt)), lowered(words.Contact(l.LastContact))
	}
	return r
}

// shortID is the lender's short id; until there is one, the beginning of the long one.
func shortID(l desk.Record) string {
	if l.ShortID != "" {
		return l.ShortID
	}
	return string(l.App[:min(8, len(l.App))])
}

// amountOf is the amount a lead is about, and what kind of amount it is.
func amountOf(l desk.Record) (word, text string) {
	switch {
	case l.SelectedAmount > 0:
		return "Selected", amount(l.SelectedAmount)
	case l.MaxAmount > 0:
		return "Up to", amount(l.MaxAmount)
	case l.Wanted > 0:
		return "Wants", amount(l.Wanted)
	default:
		return "", ""
	}
}

func (v viewer) showNews(n desk.News) views.SinceView {
	if n.Since.IsZero() || len(n.Items)+n.FollowUps+n.Notes == 0 {
		return views.SinceView{}
	}
	s := views.SinceView{When: "Since " + v.within(n.Since) + ":", Seen: v.base.Seen()}
	for _, item := range n.Items {
		s.Items = append(s.Items, ui.NavLink{
			Label: strconv.Itoa(item.N) + " " + lowered(words.StandingOf(string(item.Stand), "").Chip),
			Href:  v.base.Leads(to.LeadsQuery{View: "all", Step: string(item.Stand)}),
		})
	}
	if n.FollowUps > 0 {
		s.Items = append(s.Items, ui.NavLink{Label: counted(n.FollowUps, "follow-up due", "follow-ups due"), Href: v.base.Leads(to.LeadsQuery{View: "today"})})
	}
	if n.Notes > 0 {
		s.Items = append(s.Items, ui.NavLink{
			Label: counted(n.Notes, "lead with a new note", "leads with new notes"), Href: v.base.Leads(to.LeadsQuery{View: "all", Sort: string(desk.SortUpdated)}),
		})
	}
	return s
}

func (v viewer) showLanes(f pipelineFacts) []ui.TabView {
	var tabs []ui.TabView
	all := 0
	for _, lane := range words.Lanes() {
		n := f.page.Counts[heloc.Lane(lane.Key)]
		all += n
		if lane.Key == "all" {
			n = all
		}
		tabs = append(tabs, ui.TabView{
			Label: lane.Label, Href: v.base.Leads(f.query.In(lane.Key)), Count: upTo(n),
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

func (v viewer) showEmpty(f pipelineFacts) ui.EmptyView {
	if f.query.Filtered() {
		return ui.EmptyView{
			Icon: "search", Title: "No lead fits this.", Text: "Look through all of them, or take a filter away.",
			Actions: []ui.Action{{Label: "Show all leads", Href: v.base.Leads(to.LeadsQuery{View: "all"})}},
		}
	}
	lane := words.LaneOf(f.query.View)
	return ui.EmptyView{Icon: "circle-check", Title: lane.Empty, Text: lane.Hint}
}

func (v viewer) showPager(f pipelineFacts) ui.PagerView {
	p := ui.PagerView{Shown: counted(len(f.page.Rows), "lead", "leads")}
	if f.page.Next != "" {
		p.Shown += ", more follow"
		p.Next = v.base.Leads(f.query.From(f.page.Next))
	}
	if f.query.After != "" {
		p.First = v.base.Leads(f.query.From(""))
	}
	return p
}

// stepFilter reads the filter by step: one of our standings, or the interface's own
// name of a step, which is where a lead stands that has just reached it.
func stepFilter(typed string, now time.Time) heloc.Stand {
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
