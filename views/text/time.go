package text

import (
	"strconv"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/to"
)

// Viewer is the user for whom a page is made, and when: all that a presenter needs besides the
// data.
type Viewer struct {
	Now  time.Time
	Zone *time.Location
	Who  access.Actor
	Base to.Base
}

// TimeOfDay formats a time of day, "10:41 AM".
func (v Viewer) TimeOfDay(t time.Time) string { return t.In(v.Zone).Format("3:04 PM") }

// DateTime formats a time for a label, "Today 9:20 AM"; it is empty for the zero time.
func (v Viewer) DateTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return v.DayLabel(t) + " " + v.TimeOfDay(t)
}

// DateTimeInText formats a time within a sentence, "yesterday 5:40 PM".
func (v Viewer) DateTimeInText(t time.Time) string {
	text := v.DateTime(t)
	if rest, ok := strings.CutPrefix(text, "Today"); ok {
		return "today" + rest
	}
	if rest, ok := strings.CutPrefix(text, "Yesterday"); ok {
		return "yesterday" + rest
	}
	return text
}

// SinceText formats a time after the word "since". For a time today it omits the day.
func (v Viewer) SinceText(t time.Time) string {
	if v.DaysAhead(t) == 0 {
		return v.TimeOfDay(t)
	}
	return v.DateTimeInText(t)
}

// DayLabel formats a day as Today, Yesterday, "Thu, Nov 19", or with its year.
func (v Viewer) DayLabel(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	switch v.DaysAhead(t) {
	case 0:
		return "Today"
	case -1:
		return "Yesterday"
	}
	local := t.In(v.Zone)
	if local.Year() == v.Now.In(v.Zone).Year() {
		return local.Format("Mon, Jan 2")
	}
	return local.Format("Jan 2, 2006")
}

// DaysAhead returns by how many calendar days of the viewer's zone a time is after today; negative for a time in the
// past.
func (v Viewer) DaysAhead(t time.Time) int64 {
	return dayNumber(t.In(v.Zone)) - dayNumber(v.Now.In(v.Zone))
}

// dayNumber counts the calendar days since 1970 in a time's own zone.
func dayNumber(t time.Time) int64 {
	const secondsPerDay = 24 * 60 * 60
	_, offset := t.Zone()
	seconds := t.Unix() + int64(offset)
	if seconds < 0 {
		seconds -= secondsPerDay - 1
	}
	return seconds / secondsPerDay
}

// ShortMoment formats a time for a narrow place: the time of day for today, and the day for any other.
func (v Viewer) ShortMoment(t time.Time) string {
	local, now := t.In(v.Zone), v.Now.In(v.Zone)
	switch {
	case t.IsZero():
		return ""
	case v.DaysAhead(t) == 0:
		return v.TimeOfDay(t)
	case local.Year() == now.Year():
		return local.Format("Jan 2")
	default:
		return local.Format("Jan 2, 2006")
	}
}

// ShortDay formats a calendar day as ShortMoment does: with the year only if it is another one.
func (v Viewer) ShortDay(d heloc.Date) string {
	t, ok := d.Time()
	switch {
	case !ok:
		return ""
	case t.Year() == v.Now.In(v.Zone).Year():
		return t.Format("Jan 2")
	default:
		return t.Format("Jan 2, 2006")
	}
}

// StartedText says on which day an inquiry was started, "Started today"; it is empty if that is unknown. Only the
// lender knows the start date of a lead that was added later.
func (v Viewer) StartedText(l *lead.Row) string {
	if !l.Source.StartedHere() {
		if day, ok := l.StartedOn.Time(); ok {
			return "Started " + day.Format("Jan 2, 2006")
		}
		return ""
	}
	t := TimeOfMillis(l.CreatedAt)
	switch day := v.DayLabel(t); day {
	case "":
		return ""
	case "Today", "Yesterday":
		return "Started " + strings.ToLower(day)
	default:
		return "Started " + t.In(v.Zone).Format("Jan 2, 2006")
	}
}

// AgeText formats how long ago something was, "20 sec ago"; it is empty for the zero time.
func (v Viewer) AgeText(t time.Time) string {
	switch d := v.Now.Sub(t); {
	case t.IsZero():
		return ""
	case d < 2*time.Second:
		return "just now"
	default:
		return ShortDuration(d) + " ago"
	}
}

// AgeTime is AgeText as a text that the browser keeps true.
func (v Viewer) AgeTime(t time.Time) RelativeTime {
	if t.IsZero() {
		return RelativeTime{}
	}
	return RelativeTo(RelativeAgo, v.AgeText(t), t)
}

// SinceTime describes how long ago something was, "26 min", as a text that the browser keeps true.
func (v Viewer) SinceTime(t time.Time) RelativeTime {
	return RelativeTo(RelativeFor, ShortDuration(v.Now.Sub(t)), t)
}

// SinceTimeOfUsual describes how long ago something was compared with how long it usually takes, "26 min
// (usually about 10 min)".
func (v Viewer) SinceTimeOfUsual(t time.Time, usual time.Duration) RelativeTime {
	text := v.SinceTime(t)
	text.After = " (usually about " + ShortDuration(usual) + ")"
	return text
}

// IsoTime formats a time for API clients and scripts.
func IsoTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// ShortDuration formats a duration in the unit that a person would use, "26 min". From an hour and
// a half on it uses hours, and from a day and a half on days, both rounded to the nearest.
func ShortDuration(d time.Duration) string {
	switch {
	case d < time.Minute:
		return strconv.Itoa(max(1, int(d/time.Second))) + " sec"
	case d < 90*time.Minute:
		return strconv.Itoa(int(d/time.Minute)) + " min"
	case d < 36*time.Hour:
		return strconv.Itoa(int(d.Round(time.Hour)/time.Hour)) + " hr"
	default:
		return strconv.Itoa(int(d.Round(24*time.Hour)/(24*time.Hour))) + " days"
	}
}

// LongDuration formats a duration in full, "50 seconds".
func LongDuration(d time.Duration) string {
	number, unit, _ := strings.Cut(ShortDuration(d), " ")
	name := map[string]string{"sec": "second", "min": "minute", "hr": "hour", "days": "day"}[unit]
	if number != "1" {
		name += "s"
	}
	return number + " " + name
}

// Date formats a calendar day, which does not depend on a time zone: "Nov 24, 2026"; it is empty if
// unknown.
func Date(d heloc.Date) string {
	t, ok := d.Time()
	if !ok {
		return ""
	}
	return t.Format("Jan 2, 2006")
}

// Weekday formats a calendar day with its weekday, "Tue, Nov 24".
func Weekday(d heloc.Date) string {
	t, ok := d.Time()
	if !ok {
		return ""
	}
	return t.Format("Mon, Jan 2")
}

// Today returns the calendar day in the user's time zone.
func (v Viewer) Today() heloc.Date { return heloc.DateOf(v.Now.In(v.Zone)) }

// ExactDateTime returns the date and the time to the second, whatever today is.
func (v Viewer) ExactDateTime(ms int64) string {
	return TimeOfMillis(ms).In(v.Zone).Format("Jan 2, 2006, 3:04:05 PM")
}

// ExactTime formats a time to the second, "today 10:57:41 AM".
func (v Viewer) ExactTime(ms int64) string {
	if ms == 0 {
		return ""
	}
	at := TimeOfMillis(ms)
	day := v.DayLabel(at)
	if day == "Today" || day == "Yesterday" {
		day = LowerFirst(day)
	}
	return day + " " + at.In(v.Zone).Format("3:04:05 PM")
}

// Zones returns the available time zones by IANA name, from east to west.
func Zones() [][2]string {
	return [][2]string{
		{"America/Puerto_Rico", "Atlantic, Puerto Rico"}, {"America/New_York", "Eastern"}, {"America/Chicago", "Central"},
		{"America/Denver", "Mountain"}, {"America/Phoenix", "Mountain, Arizona"}, {"America/Los_Angeles", "Pacific"},
		{"America/Anchorage", "Alaska"}, {"Pacific/Honolulu", "Hawaii"}, {"UTC", "UTC"},
	}
}

// ZoneName returns the name of a time zone as it follows times: "Mountain Time". An unknown zone keeps its IANA
// name.
func ZoneName(iana string) string {
	name, place, found := strings.Cut(OptionText(Zones(), iana), ", ")
	switch {
	case found:
		return name + " Time (" + place + ")"
	case name == "" || name == iana:
		return iana
	default:
		return name + " Time"
	}
}

// MonthText formats a month, "2026-09", as "September 2026"; text that is not a month stays as it is.
func MonthText(month string) string { return monthAs(month, "January 2006") }

// ShortMonthText formats a month, "2026-09", as "Sep 2026".
func ShortMonthText(month string) string { return monthAs(month, "Jan 2006") }

func monthAs(month, layout string) string {
	t, err := time.Parse("2006-01", month)
	if err != nil {
		return month
	}
	return t.Format(layout)
}

// MonthsText formats a range of months within a sentence: "in September 2026", "Sep to Nov 2026", "Nov 2025 to Jan
// 2026".
func MonthsText(from, to string) string {
	first, err := time.Parse("2006-01", from)
	last, err2 := time.Parse("2006-01", to)
	switch {
	case err != nil || err2 != nil:
		return from
	case from == to:
		return "in " + MonthText(from)
	case first.Year() == last.Year():
		return first.Format("Jan") + " to " + last.Format("Jan 2006")
	default:
		return first.Format("Jan 2006") + " to " + last.Format("Jan 2006")
	}
}

// PeriodText formats a range of months, or of days, within a sentence: as MonthsText, or "Sep 15 to Nov 20, 2026".
func PeriodText(from, to string) string {
	first, err := time.Parse(time.DateOnly, from)
	last, err2 := time.Parse(time.DateOnly, to)
	next := last.AddDate(0, 0, 1)
	switch {
	case err != nil || err2 != nil:
		return MonthsText(from, to)
	case first.Day() == 1 && next.Day() == 1:
		return MonthsText(first.Format("2006-01"), last.Format("2006-01"))
	case from == to:
		return "on " + first.Format("Jan 2, 2006")
	case first.Year() == last.Year():
		return first.Format("Jan 2") + " to " + last.Format("Jan 2, 2006")
	default:
		return first.Format("Jan 2, 2006") + " to " + last.Format("Jan 2, 2006")
	}
}

// DaysText formats a duration in days: "under 0.1 days", "0.4 days", "1 day", "21 days". A tenth is said below ten
// days.
func DaysText(d time.Duration) string {
	tenths := (d + 72*time.Minute) / (144 * time.Minute)
	switch whole := int(tenths / 10); {
	case tenths == 0:
		return "under 0.1 days"
	case tenths == 10:
		return "1 day"
	case tenths >= 100:
		return strconv.Itoa(int((d+12*time.Hour)/(24*time.Hour))) + " days"
	case tenths%10 == 0:
		return strconv.Itoa(whole) + " days"
	default:
		return strconv.Itoa(whole) + "." + strconv.Itoa(int(tenths%10)) + " days"
	}
}

// StayText formats a duration in its largest unit and the next one, rounded to the nearest: "40 sec", "12 min 5 sec",
// "8 hr", "3 days 1 hr".
func StayText(d time.Duration) string {
	units := []struct {
		length    time.Duration
		one, many string
	}{{24 * time.Hour, "day", "days"}, {time.Hour, "hr", "hr"}, {time.Minute, "min", "min"}, {time.Second, "sec", "sec"}}
	for i, u := range units[:len(units)-1] {
		if finest := units[min(i+2, len(units)-1)]; d.Round(finest.length) < u.length {
			continue
		}
		next := units[i+1]
		rounded := d.Round(next.length)
		text := Pluralize(int(rounded/u.length), u.one, u.many)
		if rest := int(rounded % u.length / next.length); rest > 0 {
			text += " " + strconv.Itoa(rest) + " " + next.many
		}
		return text
	}
	if d < time.Second {
		return "under 1 sec"
	}
	return strconv.Itoa(int(d.Round(time.Second)/time.Second)) + " sec"
}

// Share formats n of all in whole percent, rounded half up; a dash without any.
func Share(n, all int) string {
	if all == 0 {
		return "—"
	}
	return strconv.Itoa((200*n+all)/(2*all)) + "%"
}

// RelativeTime is a text about an instant that depends on now, such as "due 38 min ago". The browser's script
// rewrites it while the page is open, by the same rules as the server.
type RelativeTime struct {
	Before string // "reminder "
	Text   string // "due 38 min ago": the part that depends on now
	After  string // " (usually about 10 min)"
	At     string // the instant in RFC 3339; "" if the text stays true
	Kind   string // how the text is built: for, ago, due
}

// Kinds of a RelativeTime: what its text says about the instant.
const (
	RelativeFor = "for" // "26 min"
	RelativeAgo = "ago" // "26 min ago"
	RelativeDue = "due" // "due in 26 min", "due 26 min ago"
)

// FixedText is a text that stays true.
func FixedText(text string) RelativeTime { return RelativeTime{Text: text} }

// RelativeTo is a text about an instant.
func RelativeTo(kind, text string, at time.Time) RelativeTime {
	return RelativeTime{Text: text, Kind: kind, At: at.UTC().Format(time.RFC3339)}
}

// String returns the whole text.
func (t RelativeTime) String() string { return t.Before + t.Text + t.After }

// DueText describes when a move is due, and reports whether it is overdue. A move that became due
// earlier today, less than 12 hours ago, shows the hours; any other overdue move shows the day.
func (v Viewer) DueText(t time.Time) (text string, overdue bool) {
	if t.IsZero() {
		return "", false
	}
	days := v.DaysAhead(t)
	switch left := t.Sub(v.Now); {
	case left < 0 && left > -12*time.Hour && days == 0:
		return "due " + ShortDuration(-left) + " ago", true
	case left < 0 && days >= -1:
		return "due " + v.DateTimeInText(t), true
	case left < 0:
		return "due " + v.DayLabel(t), true
	case left < time.Hour:
		return "due in " + ShortDuration(left), false
	case days == 0:
		return "due by " + v.TimeOfDay(t), false
	case days == 1:
		return "due tomorrow " + v.TimeOfDay(t), false
	default:
		return "due " + t.In(v.Zone).Format("Mon, Jan 2"), false
	}
}

// DueTextWithTime is DueText, with the time of day also where DueText states only the day.
func (v Viewer) DueTextWithTime(t time.Time) (text string, overdue bool) {
	text, overdue = v.DueText(t)
	if t.IsZero() || strings.HasPrefix(text, "due in ") || strings.HasSuffix(text, " ago") ||
		strings.HasSuffix(text, v.TimeOfDay(t)) {
		return text, overdue
	}
	return text + ", " + v.TimeOfDay(t), overdue
}

// DueTime is DueText as a text that the browser keeps up to date.
func (v Viewer) DueTime(t time.Time) (text RelativeTime, overdue bool) {
	words, overdue := v.DueText(t)
	if strings.HasPrefix(words, "due in ") || strings.HasSuffix(words, " ago") {
		return RelativeTo(RelativeDue, words, t), overdue
	}
	return FixedText(words), overdue
}
