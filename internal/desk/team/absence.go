package team

import (
	"context"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// The limits of an absence.
const (
	maxAbsenceDays = 366
	maxAbsenceNote = 200 // characters
)

// Absences are the days on which originators are absent, and who covers for them.
type Absences struct{ d core.Desk }

// OpenAbsences returns the absences: a manager's of the company, an originator's of their own; fault.Denied without the
// permission.
func OpenAbsences(d core.Desk) (*Absences, error) {
	return core.Opened(&Absences{d}, d.May(access.PlanAbsence))
}

// forCompany reports whether the user manages the absences of the whole company.
func (a *Absences) forCompany() bool { return a.d.Actor.Can(access.SeeTeam) }

// AbsenceRequest is an absence as it is typed. ID is empty for a new one.
type AbsenceRequest struct {
	ID       string
	Person   string // the user who is absent; a manager's choice, and otherwise the user themselves
	Deputy   string // the user who covers
	FirstDay heloc.Date
	LastDay  heloc.Date
	Note     string
}

// Save enters an absence or changes one that has not ended. Its field errors name the controls person, firstDay,
// lastDay, deputy and note. With another deputy, an absence that has begun ends, and a new one begins now, so that it
// stays known who covered when.
func (a *Absences) Save(ctx context.Context, req AbsenceRequest) error {
	if err := a.d.May(access.PlanAbsence); err != nil {
		return err
	}
	if !a.forCompany() {
		req.Person = a.d.Actor.UserID
	}
	if req.Note = strings.TrimSpace(req.Note); utf8.RuneCountInString(req.Note) > maxAbsenceNote {
		return fault.InvalidField("note", "Use at most "+strconv.Itoa(maxAbsenceNote)+" characters")
	}
	if err := checkFilled(req); err != nil {
		return err
	}
	return a.d.RecordLimit(ctx, a.d.WriteBy(ctx, access.PlanAbsence, func(tx *store.Tx) error {
		return a.save(ctx, tx, req)
	}))
}

func (a *Absences) save(ctx context.Context, tx *store.Tx, req AbsenceRequest) error {
	now := store.Millis(a.d.Now())
	var before lead.Absence
	next := lead.Absence{Company: a.d.Company(), CreatedBy: a.d.Actor.UserID, CreatedAt: now}
	if req.ID != "" {
		var err error
		if before, err = a.find(ctx, tx, req.ID); err != nil {
			return err
		}
		tx.InboxChanged(before.DeputyID, before.UserID)
		if before.EndsAt <= now {
			return fault.New(fault.Conflict, "This absence has ended. Nothing was changed.")
		}
		next, req.Person = before, before.UserID
	}
	person, err := a.member(ctx, tx, req.Person)
	if err != nil {
		return fieldNotFound(err, "person", "Choose who is absent")
	}
	next.UserID, next.Originator, next.Name = person.UserID, heloc.OriginatorID(person.OriginatorUUID), person.Name
	if err := setDays(&next, req, person.Zone(), a.d.Now()); err != nil {
		return err
	}
	if err := a.setDeputy(ctx, tx, &next, req.Deputy); err != nil {
		return err
	}
	if err := a.checkOverlaps(ctx, tx, next); err != nil {
		return err
	}
	tx.InboxChanged(next.DeputyID, next.UserID)
	if before.Running(now) && before.DeputyID != next.DeputyID {
		if err := a.endNow(ctx, tx, before, person.Zone()); err != nil {
			return err
		}
		next.ID, next.StartsAt, next.FirstDay, next.CreatedAt, next.CreatedBy = "", now, dayIn(a.d.Now(), person.Zone()), now,
			a.d.Actor.UserID
	}
	return a.saveWithNote(ctx, tx, before, next, req.Note)
}

// saveWithNote stores a new or changed absence, including one that replaces an absence whose deputy changed.
func (a *Absences) saveWithNote(ctx context.Context, tx *store.Tx, before, next lead.Absence, note string) (err error) {
	if err := a.d.CountUse(ctx, tx, core.UseAbsences); err != nil {
		return err
	}
	write := tx.SaveAbsence
	if next.ID == "" {
		next.ID, write = a.d.NewID(), tx.AddAbsence
	}
	if next.Sealed, err = a.d.SealText(vault.AbsenceAAD(next.ID), note); err != nil {
		return err
	}
	if err := write(ctx, next); err != nil {
		return err
	}
	return a.announce(ctx, tx, before, next)
}

func (a *Absences) audit(ctx context.Context, tx *store.Tx, action store.AuditAction, of lead.Absence,
	detail string) error {
	return a.d.AuditAction(ctx, tx, action, "user:"+of.UserID, "done", detail)
}

// checkFilled names every field of a new absence that is empty, so that the user corrects them at once.
func checkFilled(req AbsenceRequest) error {
	var missing []fault.Field
	for _, f := range []struct {
		empty         bool
		name, message string
	}{
		{req.ID == "" && req.Person == "", "person", "Choose who is absent"},
		{req.Deputy == "", "deputy", "Choose who covers"}, {req.ID == "" && req.FirstDay == "", "firstDay", enterFirstDay},
		{req.LastDay == "", "lastDay", enterLastDay},
	} {
		if f.empty {
			missing = append(missing, fault.Field{Name: f.name, Message: f.message})
		}
	}
	return fault.CheckFields(missing)
}

// What an absence without days asks for.
const (
	enterFirstDay = "Enter the first day of the absence, such as 12/5/2026"
	enterLastDay  = "Enter the last day of the absence, such as 12/9/2026"
)

// setDays sets the days of an absence and their instants where the absent user is. An absence that has begun keeps its
// first day.
func setDays(next *lead.Absence, req AbsenceRequest, zone *time.Location, now time.Time) error {
	begun := next.ID != "" && !next.Coming(store.Millis(now))
	if begun {
		req.FirstDay = next.FirstDay
	}
	first, ok := startOfDay(req.FirstDay, zone)
	if !ok {
		return fault.InvalidField("firstDay", enterFirstDay)
	}
	last, ok := startOfDay(req.LastDay, zone)
	if !ok {
		return fault.InvalidField("lastDay", enterLastDay)
	}
	today := dayIn(now, zone)
	switch {
	case !begun && req.FirstDay < today:
		return fault.InvalidField("firstDay", "Enter today or a later day")
	case last.Before(first):
		return fault.InvalidField("lastDay", "Enter the first day or a later one")
	case req.LastDay < today:
		return fault.InvalidField("lastDay", "Enter today or a later day. To end the absence now, use “End absence now”")
	case last.After(first.AddDate(0, 0, maxAbsenceDays)):
		return fault.InvalidField("lastDay", "Enter a day within a year of the first day")
	}
	next.FirstDay, next.LastDay = req.FirstDay, req.LastDay
	if !begun {
		next.StartsAt = max(store.Millis(first), store.Millis(now))
	}
	next.EndsAt = store.Millis(last.AddDate(0, 0, 1))
	next.CoverEndsAt = next.EndsAt
	return nil
}

// setDeputy sets who covers: another user of the company who acts under their own originator.
func (a *Absences) setDeputy(ctx context.Context, tx *store.Tx, next *lead.Absence, id string) error {
	if id == next.UserID && id != "" {
		return fault.InvalidField("deputy", "Choose someone other than the absent originator")
	}
	deputy, err := a.member(ctx, tx, id)
	if err != nil {
		return fieldNotFound(err, "deputy", "Choose an originator at your company who has an active account")
	}
	next.DeputyID, next.DeputyName, next.DeputyOriginator = deputy.UserID, deputy.Name,
		heloc.OriginatorID(deputy.OriginatorUUID)
	return nil
}

// checkOverlaps refuses an absence during another one of the same user, or of the deputy.
func (a *Absences) checkOverlaps(ctx context.Context, tx *store.Tx, next lead.Absence) error {
	for _, check := range []struct{ user, control, name, advice string }{
		{next.UserID, "firstDay", next.Name, "Change that absence instead"},
		{next.DeputyID, "deputy", next.DeputyName, "Choose someone else to cover"},
	} {
		other, err := tx.OverlappingAbsence(ctx, check.user, next.StartsAt, next.EndsAt, next.ID)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return err
		}
		return fault.InvalidField(check.control, check.name+" is absent "+other.Days()+". "+check.advice)
	}
	return nil
}

// member finds a user of the company who can act on leads, which is who can be absent or cover; fault.NotFound for any
// other.
func (a *Absences) member(ctx context.Context, tx *store.Tx, id string) (access.User, error) {
	user, err := tx.User(ctx, id)
	if err == nil && !a.isMember(user) {
		err = fault.New(fault.NotFound, "This account doesn’t exist.")
	}
	return user, err
}

func (a *Absences) isMember(u access.User) bool { return u.WorksAt(a.d.Company()) }

// fieldNotFound turns fault.NotFound into an error at a control.
func fieldNotFound(err error, control, message string) error {
	if fault.Is(err, fault.NotFound) {
		return fault.InvalidField(control, message)
	}
	return err
}

// find reads an absence that the user may change; fault.NotFound for any other.
func (a *Absences) find(ctx context.Context, tx *store.Tx, id string) (lead.Absence, error) {
	found, err := tx.Absence(ctx, a.d.Company(), id)
	if err == nil && !a.forCompany() && found.UserID != a.d.Actor.UserID {
		return lead.Absence{}, fault.New(fault.NotFound, "Page not found, or you don’t have access.")
	}
	return found, err
}

// End ends an absence that has begun. The deputy’s access ends with it.
func (a *Absences) End(ctx context.Context, id string) error {
	return a.write(ctx, id, func(tx *store.Tx, of lead.Absence) error {
		now := store.Millis(a.d.Now())
		switch {
		case of.EndsAt <= now:
			return nil // the same was asked twice, or it has just ended
		case of.Coming(now):
			return fault.New(fault.Conflict, "This absence hasn’t started. Delete it instead.")
		}
		person, err := tx.User(ctx, of.UserID)
		if err != nil {
			return err
		}
		if err := a.endNow(ctx, tx, of, person.Zone()); err != nil {
			return err
		}
		return a.announceEnd(ctx, tx, of, lead.NoticeAbsenceEnded)
	})
}

func (a *Absences) endNow(ctx context.Context, tx *store.Tx, of lead.Absence, zone *time.Location) error {
	now := a.d.Now()
	of.EndsAt, of.EndedAt = store.Millis(now), store.Millis(now)
	of.CoverEndsAt = min(of.CoverEndsAt, of.EndsAt)
	of.LastDay = min(of.LastDay, dayIn(now, zone))
	if err := tx.SaveAbsence(ctx, of); err != nil {
		return err
	}
	return a.audit(ctx, tx, store.ActionAbsence, of, "ended")
}

// Delete deletes an absence that has not begun.
func (a *Absences) Delete(ctx context.Context, id string) error {
	return a.write(ctx, id, func(tx *store.Tx, of lead.Absence) error {
		if err := tx.DropAbsence(ctx, of.Company, of.ID); err != nil {
			return err
		}
		if err := a.announceEnd(ctx, tx, of, lead.NoticeAbsenceDeleted); err != nil {
			return err
		}
		return a.audit(ctx, tx, store.ActionAbsenceDelete, of, string(of.FirstDay)+" "+string(of.LastDay))
	})
}

// MarkSeen records that the user has seen what was done on their leads during their absence.
func (a *Absences) MarkSeen(ctx context.Context, id string) error {
	return a.d.WriteBy(ctx, access.PlanAbsence, func(tx *store.Tx) error {
		return tx.MarkAbsenceSeen(ctx, a.d.UserScope(), id)
	})
}

// write changes one absence that the user may change.
func (a *Absences) write(ctx context.Context, id string, change func(tx *store.Tx, of lead.Absence) error) error {
	return a.d.WriteBy(ctx, access.PlanAbsence, func(tx *store.Tx) error {
		of, err := a.find(ctx, tx, id)
		if err != nil {
			return err
		}
		tx.InboxChanged(of.DeputyID, of.UserID)
		return change(tx, of)
	})
}

// startOfDay is the instant at which a day begins in a time zone; false if the day is not a date.
func startOfDay(day heloc.Date, zone *time.Location) (time.Time, bool) {
	t, err := time.ParseInLocation(time.DateOnly, string(day), zone)
	return t, err == nil
}

func dayIn(t time.Time, zone *time.Location) heloc.Date { return heloc.DateOf(t.In(zone)) }
