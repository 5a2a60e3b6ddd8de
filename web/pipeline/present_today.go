package pipeline

import (
	"net/http"
	"strconv"
	"strings"

	"hearthline/internal/desk"
	deskpipeline "hearthline/internal/desk/pipeline"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/pipeline"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// presentToday maps Today with its sections. A section has a count where the page has all of Today.
func presentToday(v text.Viewer, q to.LeadsQuery, f desk.ListPage, canReassign bool) *view.TodayView {
	p := &view.TodayView{HelpURL: v.Base.Help("start") + "#work"}
	for i := range f.Rows {
		row := &f.Rows[i]
		title, words := text.TodaySection(row.Today.Section, f.Originators != nil)
		if n := len(p.Sections); n == 0 || p.Sections[n-1].Title != title {
			p.Sections = append(p.Sections, view.TodaySection{Title: title, Text: words})
		}
		section := &p.Sections[len(p.Sections)-1]
		shown := presentTodayRow(v, row)
		shown.Primary = i == 0
		shown.Selectable = canReassign && f.Originators != nil && !row.AsDeputy
		if f.Originators == nil && !row.AsDeputy {
			shown.Owner = ""
		}
		section.Rows = append(section.Rows, shown)
	}
	if q.After == "" && f.Next == "" {
		for i := range p.Sections {
			p.Sections[i].Count = strconv.Itoa(len(p.Sections[i].Rows))
		}
	}
	if len(p.Sections) == 0 {
		p.Empty = presentTodayEmpty(v, q, f)
	}
	return p
}

func presentTodayRow(v text.Viewer, row *lead.PipelineRow) view.TodayRow {
	l := row.Row
	listed := page.PresentRow(v, row, nil)
	r := view.TodayRow{
		App: listed.App, Revision: listed.Revision, Href: listed.Href, Name: listed.Name, ShortID: listed.ShortID,
		CityState: listed.CityState, Owner: listed.Owner, Chip: listed.Chip, Words: v.TodayOf(l, row.Today),
		YourMove: listed.YourMove, Overdue: listed.Overdue, AmountLabel: listed.AmountLabel, Amount: listed.Amount,
		Do: todayPlace(v, l, row.Today),
	}
	if r.Words.Chip != "" {
		r.Chip.Label, r.Chip.Icon = r.Words.Chip, r.Words.Icon
	}
	return r
}

// nextStep is the fragment of the heading of a lead's next-step card. The browser moves the focus there.
const nextStep = "#step-h"

// todayPlace returns the URL of the page where the user handles the reason that a lead is in Today.
func todayPlace(v text.Viewer, l *lead.Row, e lead.TodayEntry) string {
	app := string(l.App)
	offers := l.StatusKey == heloc.StatusOffers && e.Reason != lead.TodayUnconfirmed
	if offers || e.Reason == lead.TodayOpened || e.Reason == lead.TodayLink {
		return v.Base.LeadTab(app, to.Offers) + ui.ChooseOffer
	}
	return v.Base.Lead(app) + nextStep
}

// presentTodayEmpty says where the open leads are, and lists the next four dates.
func presentTodayEmpty(v text.Viewer, q to.LeadsQuery, f desk.ListPage) view.TodayEmpty {
	var with []string
	for _, one := range []struct {
		lane heloc.Lane
		text string
	}{{heloc.LaneBorrower, " with the borrower"}, {heloc.LaneLender, " with the lender"},
		{heloc.LaneClosing, " in closing"}} {
		if n := f.LaneCounts()[one.lane]; n > 0 {
			with = append(with, text.CappedCount(n)+one.text)
		}
	}
	e := view.TodayEmpty{Title: text.LaneOf(text.TodayKey).Empty, Text: "Leads that need you appear here."}
	if len(f.Unsettled) > 0 {
		e.Title = "No leads need you right now." // an inquiry without a lead does
	}
	if len(with) > 0 {
		e.Text = "Open leads: " + strings.Join(with, ", ") + ". " + e.Text
	}
	e.Actions = []ui.Action{{Label: "View all leads", Href: v.Base.Leads(q.InView("all"))}}
	e.Dates = presentComingDates(v, f.NextDates)
	return e
}

// NextToday opens the page for the next lead in Today, or the list when there is none.
func (h *Handlers) NextToday(w http.ResponseWriter, r *http.Request, p *deskpipeline.Pipeline) error {
	v := h.Viewer(r)
	row, found, err := p.NextToday(r.Context(), heloc.AppID(r.URL.Query().Get("after")))
	if err != nil {
		return err
	}
	if !found {
		return page.Redirect(w, r, v.Base.Leads(to.LeadsQuery{}))
	}
	return page.Redirect(w, r, todayPlace(v, row.Row, row.Today))
}
