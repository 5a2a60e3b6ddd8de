package lead

import (
	"context"

	"hearthline/internal/access"
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
