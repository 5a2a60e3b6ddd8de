package web

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/views/to"
)

// viewer is who a page is made for, and when: all that a mapping from what is known
// to what is shown needs besides the facts.
type viewer struct {
	now  time.Time
	zone *time.Location
	who  access.Actor
	base to.Base
}

// viewer of a request. A time zone that this machine does not know is UTC.
func (s *Server) viewer(r *http.Request) viewer {
	who := actorOf(r)
	zone, err := time.LoadLocation(who.TimeZone)
	if err != nil {
		zone = time.UTC
	}
	return viewer{now: s.Now(), zone: zone, who: who, base: baseOf(r)}
}

// clock is the time of day, "10:41 AM".
func (v viewer) clock(t time.Time) string { return t.In(v.zone).Format("3:04 PM") }

// moment is an instant for a label, "Today 9:20 AM"; empty for the zero time.
func (v viewer) moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return v.dayOf(t) + " " + v.clock(t)
}

// within is an instant inside a sentence, "yesterday 5:40 PM".
func (v viewer) within(t time.Time) string {
	text := v.moment(t)
	if rest, ok := strings.CutPrefix(text, "Today"); ok {
		return "today" + rest
	}
	if rest, ok := strings.CutPrefix(text, "Yesterday"); ok {
		return "yesterday" + rest
	}
	return text
}

// since is an instant after the word since: today the time of day says enough.
func (v viewer) since(t time.Time) string {
	if sameDay(t.In(v.zone), v.now.In(v.zone)) {
		return v.clock(t)
	}
	return v.within(t)
}

// dayOf is the day of an instant: Today, Yesterday, "Thu, Nov 19", or with its year.
func (v viewer) dayOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	local, now := t.In(v.zone), v.now.In(v.zone)
	switch {
	case sameDay(local, now):
		return "Today"
	case sameDay(local, now.AddDate(0, 0, -1)):
		return "Yesterday"
	case local.Year() == now.Year():
		return local.Format("Mon, Jan 2")
	default:
		return local.Format("Jan 2, 2006")
	}
}

func sameDay(a, b time.Time) bool {
	ay, am, ad := a.Date()
	by, bm, bd := b.Date()
	return ay == by && am == bm && ad == bd
}

// age is how long ago something was, "20 s ago"; empty for the zero time.
func (v viewer) age(t time.Time) string {
	switch d := v.now.Sub(t); {
	case t.IsZero():
		return ""
	case d < 2*time.Second:
		return "just now"
	default:
		return span(d) + " ago"
	}
}

// due says when a move is due, and whether that is past. Late by hours it counts
// them; late by more, a time of day says it better.
func (v viewer) due(t time.Time) (text string, late bool) {
	if t.IsZero() {
		return "", false
	}
	if left := t.Sub(v.now); left >= 0 {
		if left < time.Hour {
			return "due in " + span(left), false
		}
		if sameDay(t.In(v.zone), v.now.In(v.zone)) {
			return "due by " + v.clock(t), false
		}
		if sameDay(t.In(v.zone), v.now.In(v.zone).AddDate(0, 0, 1)) {
			return "due tomorrow " + v.clock(t), false
		}
		return "due " + t.In(v.zone).Format("Mon, Jan 2"), false
	}
	if over := v.now.Sub(t); over < 12*time.Hour && sameDay(t.In(v.zone), v.now.In(v.zone)) {
		return "due " + span(over) + " ago", true
	}
	if day := v.dayOf(t); day != "Yesterday" && day != "Today" {
		return "due " + day, true
	}
	return "due " + v.within(t), true
}

// iso is an instant for machines.
func iso(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// span is a length of time in the unit a person would say, "26 min": hours from an
// hour and a half on, days from a day and a half on, both to the nearest.
func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return strconv.Itoa(max(1, int(d/time.Second))) + " s"
	case d < 90*time.Minute:
		return strconv.Itoa(int(d/time.Minute)) + " min"
	case d < 36*time.Hour:
		return strconv.Itoa(int(d.Round(time.Hour)/time.Hour)) + " h"
	default:
		return strconv.Itoa(int(d.Round(24*time.Hour)/(24*time.Hour))) + " d"
	}
}

// against is how long something has taken beside how long it usually takes,
// "26 min of usually 10"; the second unit is said when it differs.
func against(passed, usual time.Duration) string {
	a, b := span(passed), span(usual)
	number, unit, _ := strings.Cut(b, " ")
	if strings.HasSuffix(a, " "+unit) {
		b = number
	}
	return a + " of usually " + b
}

// spell is a length of time in full, "50 seconds".
func spell(d time.Duration) string {
	number, unit, _ := strings.Cut(span(d), " ")
	name := map[string]string{"s": "second", "min": "minute", "h": "hour", "d": "day"}[unit]
	if number != "1" {
		name += "s"
	}
	return number + " " + name
}

// calendar is a calendar day, which no time zone moves: "Nov 24, 2026"; empty when
// it is not known.
func calendar(d heloc.Date) string {
	t, ok := d.Time()
	if !ok {
		return ""
	}
	return t.Format("Jan 2, 2006")
}

// weekday is a calendar day with its day of the week, "Tue, Nov 24".
func weekday(d heloc.Date) string {
	t, ok := d.Time()
	if !ok {
		return ""
	}
	return t.Format("Mon, Jan 2")
}
