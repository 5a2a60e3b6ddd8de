package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/launch"
	"hearthline/internal/store"
)

// Launched is the record of a CRM from which a person came.
type Launched struct {
	d *Desk
	l embed.Launched
}

// Launched opens the record of a launch that this person went on with; fault.NotFound for
// anybody else's.
func (d *Desk) Launched(l embed.Launched) (*Launched, error) {
	if err := d.may(access.SeePipeline); err != nil {
		return nil, err
	}
	if !d.launched(l) {
		return nil, fault.New(fault.NotFound, "This record was opened by somebody else.")
	}
	return &Launched{d, l}, nil
}

func (d *Desk) launched(l embed.Launched) bool {
	return l.Person.UserID == d.Actor.UserID && l.Client.BrokerID == d.Actor.BrokerID
}

// Beside puts the desk beside the record of a launch that this person went on with: what is
// begun at it is begun for that record.
func (d *Desk) Beside(l embed.Launched) {
	if d.launched(l) {
		d.record, d.beside = d.Embeds.Record(l.Client, l.Record), d.Embeds.Marks(l.Client, l.Record)
	}
}

// Record is what the person looks at in the CRM.
func (r *Launched) Record() launch.Record { return r.l.Record }

// Lead finds the lead of the record within the person's reach, its borrower's name masked
// for whom a CRM alone vouches; false when there is none yet. A lead that merely carries
// the record's id is not the record's: Elsewhere offers it.
func (r *Launched) Lead(ctx context.Context) (Row, bool, error) {
	if err := r.d.may(access.SeePipeline); err != nil {
		return Row{}, false, err
	}
	row, found, err := r.d.Embeds.Lead(ctx, r.d.Actor.Scope(), r.l.Client, r.l.Record)
	if err != nil || !found {
		return Row{}, false, err
	}
	name, err := r.d.name(row)
	return Row{Lead: row, Name: name}, true, err
}

// CRM is the name of the CRM, for people.
func (r *Launched) CRM() string { return r.l.Client.Name }

// Sent gives the operation of a start that was sent for the record by this person and whose
// outcome is not known yet; "" when there is none.
func (r *Launched) Sent(ctx context.Context) (string, error) {
	if err := r.d.may(access.PrepareDraft); err != nil {
		return "", err
	}
	draft, err := r.draft(ctx)
	if err != nil || draft.OpID == "" {
		return "", err
	}
	op, err := r.d.Store.Operation(ctx, draft.OpID)
	if fault.KindOf(err) == fault.NotFound {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	switch op.State {
	case store.OpPrepared, store.OpSent, store.OpUnknown:
		return op.ID, nil
	default:
		return "", nil
	}
}

// draft is the person's own that was begun for the record; the zero Draft when there is none.
func (r *Launched) draft(ctx context.Context) (store.Draft, error) {
	return r.draftOf(ctx, r.d.Embeds.Marks(r.l.Client, r.l.Record))
}

func (r *Launched) draftOf(ctx context.Context, marks []string) (store.Draft, error) {
	if len(marks) == 0 {
		return store.Draft{}, nil
	}
	row, err := r.d.Store.DraftOfRecord(ctx, r.d.Actor.UserID, marks)
	if fault.KindOf(err) == fault.NotFound {
		return store.Draft{}, nil
	}
	return row, err
}

// Elsewhere are leads within the person's reach that carry the record's id and were not
// started beside it, names masked as in Lead.
func (r *Launched) Elsewhere(ctx context.Context) ([]Row, error) {
	if err := r.d.may(access.SeePipeline); err != nil {
		return nil, err
	}
	leads, err := r.d.Embeds.Carrying(ctx, r.d.Actor.Scope(), r.l.Client, r.l.Record)
	rows := make([]Row, 0, len(leads))
	for _, l := range leads {
		name, err := r.d.name(l)
		if err != nil {
			return nil, err
		}
		rows = append(rows, Row{Lead: l, Name: name})
	}
	return rows, err
}

// Take makes one of them the record's, in the person's name; fault.NotFound for any other.
func (r *Launched) Take(ctx context.Context, app string) error {
	if err := r.d.may(access.AnnotateLead); err != nil {
		return err
	}
	rows, err := r.Elsewhere(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.App == heloc.AppID(app) {
			return r.take(ctx, row.Lead)
		}
	}
	return fault.New(fault.NotFound, "There is no such lead with this record's number.")
}

func (r *Launched) take(ctx context.Context, l store.Lead) error {
	return r.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.AddRecord(ctx, l.App, r.d.Embeds.Record(r.l.Client, r.l.Record)); err != nil {
			return err
		}
		for _, former := range r.d.Embeds.Former(r.l.Client, r.l.Record) { // it is known now which record was meant
			if err := tx.DropReference(ctx, store.Reference{App: l.App, Mark: former}); err != nil {
				return err
			}
		}
		return tx.Audit(ctx, store.Audited{
			ActorID: r.d.Actor.UserID, Company: l.Company, Action: store.ActEmbedTake, Object: "lead:" + string(l.App), Outcome: "done", Detail: r.l.Client.Key,
		})
	})
}
