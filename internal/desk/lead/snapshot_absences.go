package lead

import (
	"context"

	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// addAbsences adds to the view of a lead that its originator is absent, and to each event the originator for whom its
// actor covered.
func (l *Lead) addAbsences(ctx context.Context, v *Snapshot) error {
	all, err := l.d.Store.AbsencesOfOriginator(ctx, l.d.Row.Originator, l.d.Row.Company)
	if err != nil {
		return err
	}
	now := store.Millis(l.d.Now())
	for i, a := range all {
		if a.Running(now) {
			v.Absence = &all[i]
		}
		for j, e := range v.Events {
			if e.ActorID == a.DeputyID && a.StartsAt <= e.At && e.At < a.CoverEndsAt && l.eventOf(e, a) {
				v.Events[j].CoveringFor = a.Name
			}
		}
	}
	return nil
}

// eventOf reports whether an event happened while the lead was the absent originator's: an operation's event names the
// originator under whom the actor acted.
func (*Lead) eventOf(e lead.Event, a lead.Absence) bool {
	return e.Originator == a.Originator || e.Operation != "" && e.Originator == a.DeputyOriginator
}
