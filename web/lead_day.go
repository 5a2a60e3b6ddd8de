package web

import (
	"net/http"
	"strings"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// writeNote keeps a note of the team.
func (s *Server) writeNote(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	return s.ours(w, r, l, attempt{act: "note", form: f}, func() error {
		return l.Note(r.Context(), f.long("note"))
	})
}

// followUp sets a reminder or ends one, and plans a re-pull for when a freeze is lifted
// or takes that back: each is something to come back to at a time.
func (s *Server) followUp(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	v := s.viewer(r)
	return s.ours(w, r, l, attempt{act: "follow-up", form: f}, func() error {
		switch {
		case f.text("followUp.done") != "":
			return l.EndFollowUp(r.Context(), f.text("followUp.done"))
		case f.checked("thaw.cancel"):
			return l.DropRepull(r.Context())
		case f.values.Has("thaw.liftedAt"):
			lift := desk.Lift{At: f.moment("thaw.liftedAt", v.zone), Until: f.moment("thaw.until", v.zone), Bureaus: f.list("thaw.bureaus")}
			if f.bad() {
				return fault.InvalidFields()
			}
			return l.PlanRepull(r.Context(), lift, f.consent())
		default:
			at := f.day("followUp", v)
			if f.bad() {
				return fault.InvalidFields()
			}
			return l.FollowUp(r.Context(), at, f.long("followUp.note"))
		}
	})
}

// ours runs what is ours alone, and hands the form back with what is wrong with it.
func (s *Server) ours(w http.ResponseWriter, r *http.Request, l Lead, a attempt, run func() error) error {
	err := run()
	if err == nil {
		return onward(w, r, baseOf(r).Lead(string(l.App())))
	}
	if fault.KindOf(err) != fault.Invalid {
		return err
	}
	for _, wrong := range fault.FieldsOf(err) {
		a.form.complain(wrong.Name, wrong.Message)
	}
	a.status = http.StatusUnprocessableEntity
	return s.handBack(w, r, l, a)
}

// long is text of several lines; how long it may be the desk says.
func (f *form) long(name string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(f.values.Get(name), ""), "\r\n", "\n"))
}

// moment is a day and a time in a zone; zero when nothing was typed.
func (f *form) moment(name string, zone *time.Location) time.Time {
	typed := f.text(name)
	if typed == "" {
		return time.Time{}
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04"} {
		if t, err := time.ParseInLocation(layout, typed, zone); err == nil && t.Year() > 1970 && t.Year() < 3000 {
			return t
		}
	}
	f.complain(name, "Enter a day and a time")
	return time.Time{}
}

// morning is when a reminder without a time comes.
const morning = 9 * time.Hour

// day is a day under group.on, with a time in it or under group.time, or in the morning.
func (f *form) day(group string, v viewer) time.Time {
	name := group + ".on"
	typed := f.text(name)
	if strings.Contains(typed, "T") {
		return f.moment(name, v.zone)
	}
	if typed == "" {
		f.complain(name, "Choose a day")
		return time.Time{}
	}
	d, err := heloc.ParseDate(typed)
	if err != nil {
		f.complain(name, "Enter a date as mm/dd/yyyy")
		return time.Time{}
	}
	if v.today().After(d) {
		f.complain(name, "This day has passed")
		return time.Time{}
	}
	at := morning
	if clock := f.text(group + ".time"); clock != "" {
		t, err := time.Parse("15:04", clock)
		if err != nil {
			f.complain(group+".time", "Enter a time of day")
			return time.Time{}
		}
		at = time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute
	}
	day, _ := d.Time() // it was parsed just now
	return time.Date(day.Year(), day.Month(), day.Day(), int(at.Hours()), int(at.Minutes())%60, 0, 0, v.zone)
}
