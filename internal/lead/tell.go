package lead

import (
	"encoding/json"
	"time"
)

// TellEvent is what a user can be told about by email or in a browser. Several kinds of notification can be one event.
type TellEvent string

// The events. Those that need the user come first.
const (
	TellOffers     TellEvent = "offers"
	TellBlocked    TellEvent = "blocked"
	TellUnknown    TellEvent = "unknown"
	TellReassigned TellEvent = "reassigned"
	TellExpiring   TellEvent = "expiring"
	TellCondition  TellEvent = "condition"
	TellFollowUp   TellEvent = "followup"
	TellOpened     TellEvent = "opened"
	TellSignedIn   TellEvent = "signedin"
	TellSigned     TellEvent = "signed"
	TellDates      TellEvent = "dates"
	TellFunded     TellEvent = "funded"
	TellEnded      TellEvent = "ended"
)

// ExpiringWithin is how long before its end something expires soon.
const ExpiringWithin = 3 * 24 * time.Hour

// TellEvents lists the events in the order of the account page.
func TellEvents() []TellEvent {
	return []TellEvent{TellOffers, TellBlocked, TellUnknown, TellReassigned, TellExpiring, TellCondition, TellFollowUp,
		TellOpened, TellSignedIn, TellSigned, TellDates, TellFunded, TellEnded}
}

// NeedsUser reports whether the event asks something of the user.
func (e TellEvent) NeedsUser() bool {
	switch e {
	case TellOffers, TellBlocked, TellUnknown, TellReassigned, TellExpiring, TellCondition, TellFollowUp:
		return true
	default:
		return false
	}
}

// Event returns the event that a kind of notification belongs to. It is empty for kinds that only the inbox shows:
// those that are not about the user's own leads, and those that come with an email of their own.
func (k NoticeKind) Event() TellEvent {
	switch k {
	case NoticeOffersReady:
		return TellOffers
	case NoticeBlocked, NoticeWire, NoticeRepullSkipped:
		return TellBlocked
	case NoticeUnconfirmed, NoticeCorrected:
		return TellUnknown
	case NoticeLeadReceived, NoticeLeadReturned, NoticeLeadsReceived, NoticeLeadsReturned, NoticeDraftReceived:
		return TellReassigned
	case NoticeExpiring:
		return TellExpiring
	case NoticeCondition:
		return TellCondition
	case NoticeFollowUpDue, NoticeNudge:
		return TellFollowUp
	case NoticeShareOpened:
		return TellOpened
	case NoticeBorrowerSignedIn:
		return TellSignedIn
	case NoticeDocumentsSigned:
		return TellSigned
	case NoticeDatesChanged:
		return TellDates
	case NoticeFunded:
		return TellFunded
	case NoticeEnded:
		return TellEnded
	default:
		return ""
	}
}

// TellChannel is a way to tell a user.
type TellChannel string

// The channels.
const (
	TellByEmail TellChannel = "email"
	TellByPush  TellChannel = "push" // a notification of the browser
)

// TellWhen is when a user is told about an event.
type TellWhen string

// The choices.
const (
	TellNow    TellWhen = "now"
	TellHourly TellWhen = "hour"
	TellDaily  TellWhen = "day"
	TellNever  TellWhen = "never"
)

// TellWhens lists the choices in the order of the account page.
func TellWhens() []TellWhen { return []TellWhen{TellNow, TellHourly, TellDaily, TellNever} }

// TellChoices are a user's choices of what they are told, how and when. Times of day are minutes after midnight in the
// user's time zone. Equal quiet times mean no quiet hours. Create them with DefaultTellChoices or ParseTellChoices.
type TellChoices struct {
	Email     map[TellEvent]TellWhen `json:"email,omitempty"`
	Push      map[TellEvent]TellWhen `json:"push,omitempty"`
	DailyAt   int                    `json:"dailyAt"`
	QuietFrom int                    `json:"quietFrom"`
	QuietTo   int                    `json:"quietTo"`
	Weekends  bool                   `json:"weekends"` // all of Saturday and Sunday is quiet
}

// DefaultTellChoices returns the choices of a user who has made none.
func DefaultTellChoices() TellChoices {
	c := TellChoices{Email: map[TellEvent]TellWhen{}, Push: map[TellEvent]TellWhen{}, DailyAt: 7*60 + 30,
		QuietFrom: 20 * 60, QuietTo: 7 * 60, Weekends: true}
	for _, e := range TellEvents() {
		switch e {
		case TellOffers, TellBlocked, TellUnknown, TellReassigned:
			c.Email[e], c.Push[e] = TellNow, TellNow
		case TellExpiring, TellCondition:
			c.Email[e], c.Push[e] = TellDaily, TellDaily
		default:
			c.Email[e], c.Push[e] = TellDaily, TellNever
		}
	}
	return c
}

// ParseTellChoices reads choices as Text writes them.
func ParseTellChoices(text string) (TellChoices, error) {
	c := DefaultTellChoices()
	if text == "" {
		return c, nil
	}
	err := json.Unmarshal([]byte(text), &c)
	return c, err
}

// Text returns the choices for storage: only what differs from the defaults, so that a later default applies to
// everybody who has not chosen otherwise.
func (c TellChoices) Text() string {
	def, differs := DefaultTellChoices(), map[string]any{}
	for name, pair := range map[string][2]map[TellEvent]TellWhen{"email": {c.Email, def.Email},
		"push": {c.Push, def.Push}} {
		own := map[TellEvent]TellWhen{}
		for e, when := range pair[0] {
			if when != pair[1][e] {
				own[e] = when
			}
		}
		if len(own) > 0 {
			differs[name] = own
		}
	}
	for name, pair := range map[string][2]int{"dailyAt": {c.DailyAt, def.DailyAt},
		"quietFrom": {c.QuietFrom, def.QuietFrom}, "quietTo": {c.QuietTo, def.QuietTo}} {
		if pair[0] != pair[1] {
			differs[name] = pair[0]
		}
	}
	if c.Weekends != def.Weekends {
		differs["weekends"] = c.Weekends
	}
	if len(differs) == 0 {
		return ""
	}
	text, _ := json.Marshal(differs) // maps of text and numbers
	return string(text)
}

// When returns when the user is told about an event in a channel.
func (c TellChoices) When(e TellEvent, by TellChannel) TellWhen {
	chosen := c.Email
	if by == TellByPush {
		chosen = c.Push
	}
	if when, known := chosen[e]; known {
		return when
	}
	return TellNever
}

// emailPause is how long an immediate email waits, so that events close together share one email.
const emailPause = time.Minute

// Due returns when to tell a user about an event that happened at an instant: not during quiet hours in their zone, but
// at their end. It returns false for never. It is pure.
func (c TellChoices) Due(e TellEvent, by TellChannel, at time.Time, zone *time.Location) (time.Time, bool) {
	due := at
	switch c.When(e, by) {
	case TellNow:
		if by == TellByEmail {
			due = at.Add(emailPause)
		}
	case TellHourly:
		due = at.Truncate(time.Hour).Add(time.Hour)
	case TellDaily:
		due = atMinute(at, zone, 0, c.DailyAt)
		for days := 1; !due.After(at) || weekend(due); days++ {
			due = atMinute(at, zone, days, c.DailyAt)
		}
	default:
		return time.Time{}, false
	}
	return c.AfterQuiet(due, zone), true
}

// AfterQuiet returns the instant, or the end of the quiet hours if it falls within them.
func (c TellChoices) AfterQuiet(at time.Time, zone *time.Location) time.Time {
	due := at
	for days := 0; c.quiet(due.In(zone)); days++ {
		if end := atMinute(at, zone, days, c.QuietTo); end.After(due) {
			due = end
		}
	}
	return due
}

func (c TellChoices) quiet(local time.Time) bool {
	if c.Weekends && weekend(local) {
		return true
	}
	minute := local.Hour()*60 + local.Minute()
	if c.QuietFrom <= c.QuietTo {
		return c.QuietFrom <= minute && minute < c.QuietTo
	}
	return minute >= c.QuietFrom || minute < c.QuietTo
}

// atMinute returns a time of day in a zone, a number of days after the day of an instant.
func atMinute(at time.Time, zone *time.Location, days, minute int) time.Time {
	y, m, d := at.In(zone).Date()
	return time.Date(y, m, d+days, minute/60, minute%60, 0, 0, zone)
}

func weekend(t time.Time) bool { return t.Weekday() == time.Saturday || t.Weekday() == time.Sunday }
