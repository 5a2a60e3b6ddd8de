package lead

import (
	"net/http"
	"strings"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// writeNote keeps a note of the team.
func (s *Handlers) WriteNote(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	return s.ours(w, r, l, page.Attempt{Act: "note", Form: f}, func() error {
		return l.Note(r.Context(), Long(f, "note"))
	})
}

// followUp sets a reminder or ends one, and plans a re-pull for when a freeze is lifted
// or takes that back: each is something to come back to at a time.
func (s *Handlers) FollowUp(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	v := s.Viewer(r)
	return s.ours(w, r, l, page.Attempt{Act: "follow-up", Form: f}, func() error {
		switch {
		case f.Text("followUp.done") != "":
			return l.EndFollowUp(r.Context(), f.Text("followUp.done"))
		case f.Checked("thaw.cancel"):
			return l.DropRepull(r.Context())
		case f.Values.Has("thaw.liftedAt"):
			lift := desk.Lift{At: Moment(f, "thaw.liftedAt", v.Zone), Until: Moment(f, "thaw.until", v.Zone), Bureaus: f.List("thaw.bureaus")}
			if f.Bad() {
				return fault.InvalidFields()
			}
			return l.PlanRepull(r.Context(), lift, f.Consent())
		default:
			at := Day(f, "followUp", v)
			if f.Bad() {
				return fault.InvalidFields()
			}
			return l.FollowUp(r.Context(), at, Long(f, "followUp.note"))
		}
	})
}

// ours runs what is ours alone, and hands the form back with what is wrong with it.
func (s *Handlers) ours(w http.ResponseWriter, r *http.Request, l page.Lead, a page.Attempt, run func() error) error {
	err := run()
	if err == nil {
		return page.Onward(w, r, page.BaseOf(r).Lead(string(l.App())))
	}
	if fault.KindOf(err) != fault.Invalid {
		return err
	}
	for _, wrong := range fault.FieldsOf(err) {
		a.Form.Complain(wrong.Name, wrong.Message)
	}
	a.Status = http.StatusUnprocessableEntity
	return s.HandBack(w, r, l, a)
}

// long is text of several lines; how long it may be the desk says.
func Long(f *form.Form, name string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(f.Values.Get(name), ""), "\r\n", "\n"))
}

// moment is a day and a time in a zone; zero when nothing was typed.
func Moment(f *form.Form, name string, zone *time.Location) time.Time {
	typed := f.Text(name)
	if typed == "" {
		return time.Time{}
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04"} {
		if t, err := time.ParseInLocation(layout, typed, zone); err == nil && t.Year() > 1970 && t.Year() < 3000 {
			return t
		}
	}
	f.Complain(name, "Enter a day and a time")
	return time.Time{}
}

// morning is when a reminder without a time comes.
const morning = 9 * time.Hour

// day is a day under group.on, with a time in it or under group.time, or in the morning.
func Day(f *form.Form, group string, v format.Viewer) time.Time {
	name := group + ".on"
	typed := f.Text(name)
	if strings.Contains(typed, "T") {
		return Moment(f, name, v.Zone)
	}
	if typed == "" {
		f.Complain(name, "Choose a day")
		return time.Time{}
	}
	d, err := heloc.ParseDate(typed)
	if err != nil {
		f.Complain(name, "Enter a date as mm/dd/yyyy")
		return time.Time{}
	}
	if v.Today().After(d) {
		f.Complain(name, "This day has passed")
		return time.Time{}
	}
	at := morning
	if clock := f.Text(group + ".time"); clock != "" {
		t, err := time.Parse("15:04", clock)
		if err != nil {
			f.Complain(group+".time", "Enter a time of day")
			return time.Time{}
		}
		at = time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute
	}
	day, _ := d.Time() // it was parsed just now
	return time.Date(day.Year(), day.Month(), day.Day(), int(at.Hours()), int(at.Minutes())%60, 0, 0, v.Zone)
}
