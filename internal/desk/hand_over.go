package desk

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// confirmPatience is how long a hand-over waits for the details that confirm it. What
// comes later moves the lead all the same, by its refresh.
const confirmPatience = 4 * time.Second

// HandOver is one lead on its way to another originator, as a form says it.
type HandOver struct {
	Ticket string
	To     string // the new originator's uuid
	Line   string // goes along, sealed
	Job    string // of a run with many leads

	departure bool // the run is an administrator's, for somebody who has left
}

// Takers finds who may take this lead: originators of its organization and broker
// company, without the one who has it.
func (l *Lead) Takers(ctx context.Context, typed string) (Found, error) {
	if err := l.d.may(access.ReassignLead); err != nil {
		return Found{}, err
	}
	found, err := l.d.find(ctx, typed, func(ctx context.Context) ([]store.Originator, error) {
		all, err := l.d.colleagues(ctx, l.row.BrokerID, l.row.Organization)
		return takersOf(l.row, all), err
	})
	if err != nil {
		return found, err
	}
	found.Licences, err = l.d.licencesIn(ctx, found.People, []string{l.row.State})
	return found, err
}

func takersOf(row store.Lead, all []store.Originator) []store.Originator {
	var kept []store.Originator
	for _, o := range all {
		if takes(row, o) == "" {
			kept = append(kept, o)
		}
	}
	return kept
}

// takes says why an originator cannot take a lead; empty when they can.
func takes(row store.Lead, o store.Originator) string {
	switch {
	case o.UUID == row.Originator:
		return "The lead is theirs already"
	case o.BrokerID != row.BrokerID || row.Organization != "" && o.Organization != row.Organization:
		return "Choose somebody of the same organization and broker company"
	case o.GoneAt != 0:
		return "They are no longer in the lender’s directory"
	default:
		return ""
	}
}

// Reassign hands the lead to another originator (section 4.7). Its originator's own
// consent is not asked: who may hand it over, may. The details are read again before
// this returns, so that the lead stands where the lender says.
func (l *Lead) Reassign(ctx context.Context, h HandOver) (store.Operation, error) {
	if err := l.d.may(access.ReassignLead); err != nil {
		return store.Operation{}, err
	}
	line, err := lineOf(h.Line)
	if err != nil {
		return store.Operation{}, err
	}
	to, err := heloc.ParseOriginatorID(h.To)
	if err != nil {
		return store.Operation{}, wrongTaker("Choose who takes it")
	}
	departure := ""
	if h.departure {
		departure = h.Job
	}
	op, err := l.run(ctx, act{
		departure: departure,
		kind:      heloc.OpReassign, permission: access.ReassignLead, ticket: h.Ticket, content: []string{string(to), line}, target: to,
		prepare: func(ctx context.Context, tx *store.Tx, id string) error {
			row, err := tx.Lead(ctx, l.d.Actor.Scope(), l.row.App)
			if err != nil {
				return err
			}
			if err := mayTake(ctx, tx, row, to); err != nil {
				return err
			}
			return l.d.writeAlong(ctx, tx, row, along{to: to, line: line, job: h.Job}, id)
		},
		send: func(ctx context.Context, _ heloc.OriginatorID) (partner.Answer, error) {
			return l.d.Lender.Reassign(ctx, l.row.App, to)
		},
	})
	if err == nil && op.State == store.OpSucceeded {
		l.d.confirm(ctx, l.row.App, to)
	}
	return op, err
}

// mayTake refuses a person outside the lead's organization and broker company before
// the lender has to.
func mayTake(ctx context.Context, tx *store.Tx, row store.Lead, to heloc.OriginatorID) error {
	o, err := tx.Originator(ctx, to)
	if fault.KindOf(err) == fault.NotFound {
		return wrongTaker("Choose somebody of the same organization and broker company")
	}
	if err != nil {
		return err
	}
	if why := takes(row, o); why != "" {
		return wrongTaker(why)
	}
	may, err := mayActIn(ctx, tx, o.UUID, row.State)
	if err == nil && !may {
		err = wrongTaker(unlicensed)
	}
	return err
}

// unlicensed is why somebody cannot take a lead whose property lies where they may not act.
const unlicensed = "They are not licensed in the property’s state"

func wrongTaker(why string) error {
	return fault.InvalidFields(fault.Field{Name: TakerControl, Message: why})
}

// confirm reads the details until they name the new originator, twice at most: the
// first reading may be one that had begun before the lender was asked.
func (d *Desk) confirm(ctx context.Context, app heloc.AppID, to heloc.OriginatorID) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), confirmPatience)
	defer stop()
	for range 2 {
		if d.Watch.Refresh(ctx, app) != nil {
			return // the lead's own refresh comes back to it
		}
		if row, err := d.Store.AnyLead(ctx, app); err != nil || row.Originator == to {
			return
		}
	}
}

// WithinReach says whether the lead is still one that this person may see.
func (l *Lead) WithinReach(ctx context.Context) (bool, error) {
	if err := l.d.may(access.SeeLead); err != nil {
		return false, err
	}
	_, err := l.d.Store.Lead(ctx, l.d.Actor.Scope(), l.row.App)
	if fault.KindOf(err) == fault.NotFound {
		return false, nil
	}
	return err == nil, err
}
