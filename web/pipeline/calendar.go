package pipeline

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	deskpipeline "hearthline/internal/desk/pipeline"
	"hearthline/internal/lead"
	view "hearthline/views/pipeline"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// LeadsICS exports the upcoming dates as an iCalendar file. It contains short ids and kinds of
// dates but no borrower data, because calendars are shared and shown on lock screens.
func (h *Handlers) LeadsICS(w http.ResponseWriter, r *http.Request, p *deskpipeline.Pipeline) error {
	entries, err := p.Calendar(r.Context())
	if err != nil {
		return err
	}
	writeCalendar(w, icsCalendar(entries, h.Now()), "attachment")
	return nil
}

func writeCalendar(w http.ResponseWriter, calendar, disposition string) {
	w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
	w.Header().Set("Content-Disposition", disposition+`; filename="leads.ics"`)
	_, _ = io.WriteString(w, calendar) //nolint:gosec // plain text, escaped as iCalendar requires
}

// feedsPerMinute limits how often one network may request calendar feeds, whether or not their tokens are valid. A
// calendar asks a few times an hour, and a calendar service asks for many users from one network. The count is in
// memory: a token cannot be guessed, so the limit only saves work.
const feedsPerMinute = 120

// CalendarFeeds reads the dates of the user to whom a token belongs.
type CalendarFeeds interface {
	CalendarByToken(ctx context.Context, token string) ([]deskpipeline.CalendarEntry, error)
}

// CalendarPage offers a subscription and a file.
func (h *Handlers) CalendarPage(w http.ResponseWriter, r *http.Request, p *deskpipeline.Pipeline) error {
	return h.renderCalendar(w, r, p, "")
}

// RenewCalendar creates the secret URL and shows it, in this response only.
func (h *Handlers) RenewCalendar(w http.ResponseWriter, r *http.Request, p *deskpipeline.Pipeline) error {
	token, err := p.RenewCalendarFeed(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return h.renderCalendar(w, r, p, h.Origin+to.CalendarFeed(token))
}

func (h *Handlers) renderCalendar(w http.ResponseWriter, r *http.Request, p *deskpipeline.Pipeline, url string) error {
	since, err := p.CalendarFeedSince(r.Context())
	if err != nil {
		return err
	}
	model := view.CalendarView{Page: h.Layout(r, "Calendar"), URL: url}
	if !since.IsZero() {
		model.Since = h.Viewer(r).DateTimeInText(since)
	}
	return h.Render(w, r, http.StatusOK, view.Calendar(model))
}

// CalendarFeed answers a calendar that has the secret URL of a user.
func (h *Handlers) CalendarFeed(w http.ResponseWriter, r *http.Request) error {
	if h.feedLimit.OnLimit(w, r, page.ClientAddress(r)) {
		return &page.StatusError{Status: http.StatusTooManyRequests,
			Message: "Too many calendars were requested at once. Try again in a minute."}
	}
	entries, err := h.Feeds.CalendarByToken(r.Context(), chi.URLParam(r, "token"))
	if err != nil {
		return err
	}
	writeCalendar(w, icsCalendar(entries, h.Now()), "inline")
	return nil
}

const (
	icsDateLayout = "20060102"
	icsTimeLayout = "20060102T150405Z"
)

// maxICSLine is the length of a line in bytes, without its end.
const maxICSLine = 75

// icsCalendar writes a calendar in the format of RFC 5545.
func icsCalendar(entries []deskpipeline.CalendarEntry, now time.Time) string {
	lines := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Hearthline//Leads//EN", "CALSCALE:GREGORIAN",
		"METHOD:PUBLISH", "X-WR-CALNAME:Hearthline", "REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H"}
	for _, e := range entries {
		event := []string{
			"BEGIN:VEVENT", "UID:" + e.Key + "@hearthline", "DTSTAMP:" + now.UTC().Format(icsTimeLayout),
			"SUMMARY:" + icsEscape(text.DateKind(e.Kind)+" "+e.ShortID), "CLASS:PRIVATE", "TRANSP:TRANSPARENT",
		}
		if day, ok := e.On.Time(); ok {
			event = append(event, "DTSTART;VALUE=DATE:"+day.Format(icsDateLayout),
				"DTEND;VALUE=DATE:"+day.AddDate(0, 0, 1).Format(icsDateLayout))
		} else {
			event = append(event, "DTSTART:"+e.At.UTC().Format(icsTimeLayout), "DURATION:PT15M")
		}
		lines = append(lines, append(event, "END:VEVENT")...)
	}
	var calendar strings.Builder
	for _, line := range append(lines, "END:VCALENDAR") {
		icsFold(&calendar, line)
	}
	return calendar.String()
}

// icsFold writes a line, and continues one that is too long on further lines, which begin with a space. It
// never splits a character.
func icsFold(to *strings.Builder, line string) {
	left := maxICSLine
	for _, char := range line {
		size := utf8.RuneLen(char)
		if size > left {
			to.WriteString("\r\n ")
			left = maxICSLine - 1
		}
		to.WriteRune(char)
		left -= size
	}
	to.WriteString("\r\n")
}

// icsEscape escapes the special characters of a calendar, and limits the length of text from the
// lender.
func icsEscape(words string) string {
	words = strings.Join(strings.Fields(words), " ")
	if len(words) > 60 {
		words = strings.ToValidUTF8(words[:60], "")
	}
	return strings.NewReplacer(`\`, `\\`, ",", `\,`, ";", `\;`).Replace(words)
}

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
