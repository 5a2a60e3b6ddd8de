package lead

import (
	"net/http"
	"strings"
	"time"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/views/text"
	"hearthline/web/form"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// AddNote saves a note of the team.
func (h *Handlers) AddNote(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	return h.runLocal(w, r, l, page.SubmittedForm{Action: "note", Form: f}, func() error {
		words := f.Lines("note")
		if f.HasErrors() {
			return fault.InvalidFields()
		}
		return l.Note(r.Context(), words)
	})
}

// FollowUp sets or completes a reminder, and plans or cancels a credit re-pull for when a freeze is
// lifted: each is something to do at a later time.
func (h *Handlers) FollowUp(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	v := h.Viewer(r)
	return h.runLocal(w, r, l, page.SubmittedForm{Action: "follow-up", Form: f}, func() error {
		switch {
		case f.Text("followUp.done") != "":
			return l.CompleteFollowUp(r.Context(), f.Text("followUp.done"))
		case f.IsChecked("thaw.cancel"):
			return l.CancelRepullPlan(r.Context())
		case f.Values.Has("thaw.liftedAt"):
			lift := desklead.FreezeLift{At: DateTime(f, "thaw.liftedAt", v.Zone), Until: DateTime(f, "thaw.until", v.Zone),
				Bureaus: f.UniqueValues("thaw.bureaus")}
			if f.HasErrors() {
				return fault.InvalidFields()
			}
			if f.IsChecked(workspace.RepeatControl) {
				l.ConfirmRepeat()
			}
			return l.PlanRepull(r.Context(), lift, f.Consent())
		default:
			at, words := FollowUpTime(f, "followUp", v), f.Lines("followUp.note")
			if f.HasErrors() {
				return fault.InvalidFields()
			}
			return l.FollowUp(r.Context(), at, words)
		}
	})
}

// runLocal makes a change that the lender does not take part in, or shows the form again with its
// errors.
func (h *Handlers) runLocal(w http.ResponseWriter, r *http.Request, l page.Lead, a page.SubmittedForm,
	run func() error) error {
	return page.Apply(w, r, page.Change{
		Form: a.Form, Run: run, Next: page.BaseOf(r).Lead(string(l.App())),
		Kinds: []fault.Kind{fault.Conflict, fault.Unavailable, fault.Upstream},
		Redisplay: func() error {
			a.Status = page.FormStatus(a.Form)
			return h.workspace.Redisplay(w, r, l, a)
		},
	})
}

// DateTime parses a date and a time in a zone; it returns the zero time if the control is empty.
func DateTime(f *form.Form, name string, zone *time.Location) time.Time {
	typed := f.Text(name)
	if typed == "" {
		return time.Time{}
	}
	d, at, problem := parseDateTime(typed)
	t, exists := onDay(d, at, zone)
	switch {
	case problem != "":
		f.AddError(name, problem)
	case !isPlausible(t):
		f.AddError(name, msgDateTime)
	case !exists:
		f.AddError(name, msgSkippedTime)
	default:
		return t
	}
	return time.Time{}
}

const msgDateTime = "Enter a date and a time, such as 12/5/2026 2:30 PM"

// parseDateTime parses a date and a time of day as browsers send them or as people type them. Anything else is a
// problem, which is text for the field.
func parseDateTime(typed string) (d heloc.Date, at time.Duration, problem string) {
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, typed); err == nil {
			return heloc.DateOf(t), time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute, ""
		}
	}
	day, clock, _ := strings.Cut(typed, " ")
	at, isClock := form.ParseClock(clock)
	if !isClock {
		return "", 0, msgDateTime
	}
	d, problem = form.ParseNearDate(day)
	return d, at, problem
}

func isPlausible(t time.Time) bool { return t.Year() > 1970 && t.Year() < 3000 }

const msgSkippedTime = "This time is skipped because clocks go forward on this day. Choose another time"

// onDay returns a time of day on a day in a zone. It does not exist if the zone's clocks skip it when they go forward.
func onDay(d heloc.Date, at time.Duration, zone *time.Location) (t time.Time, exists bool) {
	day, _ := d.Time()
	hour, minute := int(at.Hours()), int(at.Minutes())%60
	t = time.Date(day.Year(), day.Month(), day.Day(), hour, minute, 0, 0, zone)
	return t, t.Hour() == hour && t.Minute() == minute
}

// defaultFollowUpTime is the time of day of a reminder without a time, since midnight.
const defaultFollowUpTime = 9 * time.Hour

// FollowUpTime parses the date in group.on, with a time in the same control or in group.time, or
// else the default time.
func FollowUpTime(f *form.Form, group string, v text.Viewer) time.Time {
	name := group + ".on"
	typed := f.Text(name)
	if strings.Contains(typed, "T") {
		return DateTime(f, name, v.Zone)
	}
	if typed == "" {
		f.AddError(name, "Choose a day")
		return time.Time{}
	}
	d, problem := form.ParseNearDate(typed)
	if problem != "" {
		f.AddError(name, problem)
		return time.Time{}
	}
	if v.Today().After(d) {
		f.AddError(name, "This day has passed")
		return time.Time{}
	}
	at := defaultFollowUpTime
	if clock := f.Text(group + ".time"); clock != "" {
		var ok bool
		if at, ok = form.ParseClock(clock); !ok {
			f.AddError(group+".time", "Enter a time of day, such as 2:30 PM")
			return time.Time{}
		}
	}
	t, exists := onDay(d, at, v.Zone)
	if !exists {
		f.AddError(group+".time", msgSkippedTime)
		return time.Time{}
	}
	return t
}

// SetAside marks the lead as ended without offers, here only, or undoes that.
func (h *Handlers) SetAside(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	undo := f.IsChecked("undo")
	if !undo && !f.IsChecked("confirm.set-aside") {
		f.AddError("confirm.set-aside", "Check this box to close the lead")
	}
	return h.runLocal(w, r, l, page.SubmittedForm{Action: "set-aside", Form: f},
		func() error { return l.SetAside(r.Context(), !undo) })
}

// RefreshLead requests the lead from the lender again. A live event notifies the page when it has
// arrived.
func (h *Handlers) RefreshLead(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	return page.NavigateAfter(w, r, l.Refresh(r.Context()), page.BaseOf(r).Lead(string(l.App())))
}

// UnlinkRecord unlinks a lead from a CRM's record. An embed of that record then opens another of
// its leads, or the intake.
func (h *Handlers) UnlinkRecord(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	blindIndex := f.Required("record.mark", "Choose the record")
	f.RequireCheck("confirm.take-off", "Check this box to unlink it")
	if f.HasErrors() {
		return h.workspace.Redisplay(w, r, l, page.SubmittedForm{Action: workspace.ActionUnlinkRecord, Form: f,
			Status: http.StatusUnprocessableEntity})
	}
	fromRecord, err := l.UnlinkRecord(r.Context(), blindIndex)
	if err != nil {
		return err
	}
	if fromRecord {
		return page.NavigateTo(w, r, page.BaseOf(r).Home())
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Lead(string(l.App())))
}
