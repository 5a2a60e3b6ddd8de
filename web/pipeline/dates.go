package pipeline

import (
	"net/http"
	"time"

	deskpipeline "hearthline/internal/desk/pipeline"

	"hearthline/internal/lead"
	view "hearthline/views/pipeline"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// DatesPage shows the upcoming dates, which the first page of the lists fetches after its rows.
func (h *Handlers) DatesPage(w http.ResponseWriter, r *http.Request, p *deskpipeline.Pipeline) error {
	dates, err := p.ComingDates(r.Context())
	if err != nil {
		return err
	}
	shown := presentComingDates(h.Viewer(r), dates)
	return h.Render(w, r, http.StatusOK, page.PartOrWhole(r, view.DatesPanel(shown),
		view.DatesPage(h.Layout(r, "Upcoming dates"), shown)))
}

// presentComingDates maps upcoming dates and dates that are getting old.
func presentComingDates(v text.Viewer, all []lead.Date) view.DatesView {
	d := view.DatesView{Calendar: ui.Action{Label: "Subscribe to calendar", Icon: "calendar", Kind: "ghost",
		Href: v.Base.Calendar()}, Period: "next 2 weeks"}
	if v.Base.Embedded() { // the subscription has no page in a frame
		d.Calendar.Label, d.Calendar.Href = "Download calendar file", v.Base.LeadsICS()
	}
	for _, one := range all {
		if !one.Ahead {
			d.Period = "next 2 weeks, plus aging pricing and credit"
		}
		d.Rows = append(d.Rows, view.DateRow{
			Day: text.Weekday(one.Day), TimeLeft: daysLeft(v, one), Kind: text.DateKind(string(one.Kind)),
			Name: text.OrDash(text.FullName(one.Name)), ShortID: one.ShortID, Href: v.Base.Lead(string(one.App)),
		})
	}
	return d
}

// daysLeft formats how many days away a date is, or how many days old.
func daysLeft(v text.Viewer, d lead.Date) string {
	on, _ := d.Day.Time()
	today, _ := v.Today().Time()
	switch days := int(on.Sub(today) / (24 * time.Hour)); {
	case !d.Ahead:
		return text.Pluralize(-days, "day old", "days old")
	case days < 0:
		return "yesterday"
	case days == 0:
		return "today"
	case days == 1:
		return "tomorrow"
	default:
		return "in " + text.Pluralize(days, "day", "days")
	}
}
