package text

import "time"

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
