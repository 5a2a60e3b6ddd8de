package lead

import "hearthline/internal/heloc"

// Absence is the days on which an originator is absent, and the deputy who covers for them. While the cover lasts, the
// deputy sees the originator's leads and works on them under their own originator; whose leads they are does not
// change.
type Absence struct {
	ID          string             `db:"id"`
	Company     string             `db:"company"`
	UserID      string             `db:"user_id"` // who is absent
	Originator  heloc.OriginatorID `db:"originator"`
	DeputyID    string             `db:"deputy_id"`
	FirstDay    heloc.Date         `db:"first_day"`
	LastDay     heloc.Date         `db:"last_day"`      // included
	StartsAt    int64              `db:"starts_at"`     // the start of the first day where the absent user is
	EndsAt      int64              `db:"ends_at"`       // the end of the last day there, or earlier
	CoverEndsAt int64              `db:"cover_ends_at"` // EndsAt, or earlier
	Sealed      []byte             `db:"sealed"`        // the note
	CreatedBy   string             `db:"created_by"`
	CreatedAt   int64              `db:"created_at"`
	EndedAt     int64              `db:"ended_at"` // when somebody ended it early; else 0
	SeenAt      int64              `db:"seen_at"`  // when the absent user dismissed what the deputy had done; else 0

	Name             string             `db:"name"`
	DeputyName       string             `db:"deputy_name"`
	DeputyOriginator heloc.OriginatorID `db:"deputy_originator"`
	Covered          bool               `db:"covered"` // the deputy has access now
	// it ended because another deputy was chosen; the user stayed absent
	Continued bool `db:"continued"`
}

// IsOut reports whether this is not an entered absence: the user is out, and others have the user's leads until
// EndsAt.
func (a Absence) IsOut() bool { return a.ID == "" }

// Days is the days of the absence as text.
func (a Absence) Days() string { return DaysText(a.FirstDay, a.LastDay) }

// Uncovered reports whether no deputy has access, or will have it, during what remains of the absence.
func (a Absence) Uncovered(now int64) bool {
	return a.Running(now) && !a.Covered || a.Coming(now) && a.CoverEndsAt <= a.StartsAt
}

// Coming reports whether the absence has not begun.
func (a Absence) Coming(now int64) bool { return now < a.StartsAt }

// Running reports whether the user is absent now.
func (a Absence) Running(now int64) bool { return a.StartsAt <= now && now < a.EndsAt }

// DaysText is a period of days as text, "Nov 22–26, 2026", or one day.
func DaysText(first, last heloc.Date) string {
	from, ok := first.Time()
	to, valid := last.Time()
	switch {
	case !ok || !valid:
		return ""
	case first == last:
		return from.Format("Jan 2, 2006")
	case from.Year() != to.Year():
		return from.Format("Jan 2, 2006") + "–" + to.Format("Jan 2, 2006")
	case from.Month() != to.Month():
		return from.Format("Jan 2") + "–" + to.Format("Jan 2, 2006")
	default:
		return from.Format("Jan 2") + "–" + to.Format("2, 2006")
	}
}
