package lead

import (
	"context"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

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
