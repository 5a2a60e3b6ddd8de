package lead

import (
	"context"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// ActivityPage returns a view of the lead with one page of its events, those after a key, and with their operations,
// and the key of the next page, which is empty on the last page. An empty key selects the first page.
func (l *Lead) ActivityPage(ctx context.Context, v Snapshot, after string) (page Snapshot, next string, err error) {
	if err := l.d.May(access.SeeLead); err != nil {
		return v, "", err
	}
	if next = v.olderEvents; after != "" {
		if next, err = l.readOlder(ctx, &v, after); err != nil {
			return v, "", err
		}
	}
	if len(v.Events) > store.PageSize {
		v.Events = v.Events[:store.PageSize]
		next = store.EventKey(v.Events[store.PageSize-1])
	}
	return v, next, nil
}

// readOlder replaces the events of a view by those after a key, and its operations by theirs. It reads two pages,
// because the event that explains the last one of a page may be on the next one.
func (l *Lead) readOlder(ctx context.Context, v *Snapshot, after string) (next string, err error) {
	const limit = 2 * store.PageSize
	if v.Events, err = l.d.Store.EventsAfter(ctx, l.d.Row.App, after, limit); err != nil {
		return "", err
	}
	next = eventsAfter(v.Events, limit)
	var ids []string
	for _, e := range v.Events {
		if e.OpID != "" {
			ids = append(ids, e.OpID)
		}
	}
	if v.Operations, err = l.d.Store.OperationsAmong(ctx, l.d.Row.App, ids); err != nil {
		return "", err
	}
	if v.extras != nil && v.extras.Absences {
		if err := l.addAbsences(ctx, v); err != nil {
			return "", err
		}
	}
	if err := l.nameReassignments(ctx, v); err != nil {
		return "", err
	}
	l.decryptMessages(v)
	return next, nil
}

// eventsAfter returns the key of the last event if the list was cut off, or an empty key if there are no more.
func eventsAfter(events []lead.Event, limit int) string {
	if len(events) < limit {
		return ""
	}
	return store.EventKey(events[len(events)-1])
}

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

// transfer is the change of a lead's originator.
type transfer struct{ from, to heloc.OriginatorID }

// nameReassignments adds the originators' names to the events of reassignments. It removes an event by which a reading
// only noticed what an accepted operation of the portal had changed: the activity shows each reassignment once.
func (l *Lead) nameReassignments(ctx context.Context, v *Snapshot) error {
	if !slices.ContainsFunc(v.Events, isReassignment) {
		return nil
	}
	made, err := l.d.Store.ReassignmentsOf(ctx, l.d.Row.App, maxEvents)
	if err != nil {
		return err
	}
	byOperation := make(map[string]lead.Reassignment, len(made))
	for _, r := range made {
		byOperation[r.OpID] = r
	}
	name := l.originatorNames(ctx)
	accepted := map[transfer]int{} // not yet seen in a reading
	var shown []lead.Event
	for _, e := range slices.Backward(v.Events) {
		switch own, known := byOperation[e.OpID]; {
		case e.Operation == heloc.OpReassign && known:
			e.FromName, e.ToName, e.Undo = name(own.FromOriginator), name(own.ToOriginator), own.Undoes != ""
			if e.Kind == lead.EventSent {
				accepted[transfer{own.FromOriginator, own.ToOriginator}]++
			}
		case e.Kind == lead.EventReassigned:
			t, ok := transferOf(e.Detail)
			if ok && accepted[t] > 0 {
				accepted[t]--
				continue
			}
			e.FromName, e.ToName = name(t.from), name(t.to)
		}
		shown = append(shown, e)
	}
	slices.Reverse(shown)
	v.Events = shown
	return nil
}

func isReassignment(e lead.Event) bool {
	return e.Kind == lead.EventReassigned || e.Operation == heloc.OpReassign
}

// transferOf parses the detail of an event by which a reading noticed another originator.
func transferOf(detail string) (t transfer, ok bool) {
	rest, ok := strings.CutPrefix(detail, "from ")
	if !ok {
		return t, false
	}
	from, to, ok := strings.Cut(rest, " to ")
	return transfer{heloc.OriginatorID(from), heloc.OriginatorID(to)}, ok
}

// originatorNames returns a function that names an originator of the lead's company. Others have no name: a lead may
// have come from another company.
func (l *Lead) originatorNames(ctx context.Context) func(heloc.OriginatorID) string {
	names := map[heloc.OriginatorID]string{}
	return func(id heloc.OriginatorID) string {
		name, known := names[id]
		if !known && id != "" {
			if o, err := l.d.Store.Originator(ctx, id); err == nil &&
				access.CompanyOf(o.BrokerID, o.Organization) == l.d.Row.Company {
				name = o.Name()
			}
			names[id] = name
		}
		return name
	}
}
