package text

import (
	"strings"
	"time"
)

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
