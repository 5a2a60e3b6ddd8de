// Package crm has the handles of CRMs: the record from which a user launched the portal, and the CRMs that may frame
// it.
//
//	launch.go            the record, its lead, how they are linked, and the colleague who has the lead
//	record_intake.go     the form of a new inquiry with the record's values, and what is known about them
//	embed_clients.go     the CRMs, for administrators
package crm

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Launch is the CRM record from which a user launched the portal.
type Launch struct {
	d      core.Desk
	launch embed.VerifiedLaunch
}

// OpenLaunch returns the record of a launch that this user completed; fault.NotFound for any other user's launch.
func OpenLaunch(d core.Desk, l embed.VerifiedLaunch) (*Launch, error) {
	if err := d.May(access.SeePipeline); err != nil {
		return nil, err
	}
	if !isOwnLaunch(d, l) {
		return nil, fault.New(fault.NotFound, "This record was opened by someone else.")
	}
	return &Launch{d, l}, nil
}

func isOwnLaunch(d core.Desk, l embed.VerifiedLaunch) bool {
	return l.Person.UserID == d.Actor.UserID && l.Client.BrokerID == d.Actor.BrokerID
}

// SetLaunchRecord sets the record of a launch that this user completed. Drafts that are begun at this desk are begun
// for that record.
func SetLaunchRecord(d core.Desk, l embed.VerifiedLaunch) {
	if isOwnLaunch(d, l) {
		d.LaunchRecord, d.RecordIndexes = d.Embeds.RecordIndex(l.Client, l.Record), d.Embeds.RecordIndexes(l.Client, l.Record)
	}
}

// Lead returns the record's lead if the user can access it; false when there is none yet. The borrower's name is
// masked for users that only a CRM vouches for. A lead that only has the record's id as a reference is not the
// record's lead: UnlinkedLeads returns it.
func (l *Launch) Lead(ctx context.Context) (lead.PipelineRow, bool, error) {
	if err := l.d.May(access.SeePipeline); err != nil {
		return lead.PipelineRow{}, false, err
	}
	row, found, err := l.d.Embeds.Lead(ctx, l.d.Actor.Scope(), l.launch.Client, l.launch.Record)
	if err != nil || !found {
		return lead.PipelineRow{}, false, err
	}
	name, err := l.d.BorrowerName(row.App, row.Borrower)
	return lead.PipelineRow{Row: &row, Name: name}, true, err
}

// CRM returns the display name of the CRM.
func (l *Launch) CRM() string { return l.launch.Client.Name }

// PendingStart returns the id of a start that this user sent for the record and whose outcome is not known yet; ""
// when there is none.
func (l *Launch) PendingStart(ctx context.Context) (string, error) {
	if err := l.d.May(access.PrepareDraft); err != nil {
		return "", err
	}
	draft, err := l.ownDraft(ctx)
	if err != nil || draft.OpID == "" {
		return "", err
	}
	op, err := l.d.Store.Operation(ctx, draft.OpID)
	if err != nil {
		return "", fault.Ignore(err, fault.NotFound)
	}
	if op.State == lead.OpSent || op.State == lead.OpUnknown {
		return op.ID, nil
	}
	return "", nil
}

// ownDraft returns the user's own draft for the record; the zero Draft when there is none.
func (l *Launch) ownDraft(ctx context.Context) (store.Draft, error) {
	return l.draftByIndexes(ctx, l.d.Embeds.RecordIndexes(l.launch.Client, l.launch.Record))
}

func (l *Launch) draftByIndexes(ctx context.Context, blindIndexes []string) (store.Draft, error) {
	if len(blindIndexes) == 0 {
		return store.Draft{}, nil
	}
	row, err := l.d.Store.DraftOfRecord(ctx, l.d.Actor.UserID, blindIndexes)
	if fault.Is(err, fault.NotFound) {
		return store.Draft{}, nil
	}
	return row, err
}

// UnlinkedLeads returns the leads that the user can access and that have the record's id as a reference, but were not
// started from the record. Names are masked as in Lead.
func (l *Launch) UnlinkedLeads(ctx context.Context) ([]lead.PipelineRow, error) {
	if err := l.d.May(access.SeePipeline); err != nil {
		return nil, err
	}
	leads, err := l.d.Embeds.UnlinkedLeads(ctx, l.d.Actor.Scope(), l.launch.Client, l.launch.Record)
	rows := make([]lead.PipelineRow, 0, len(leads))
	for _, one := range leads {
		name, err := l.d.BorrowerName(one.App, one.Borrower)
		if err != nil {
			return nil, err
		}
		rows = append(rows, lead.PipelineRow{Row: &one, Name: name})
	}
	return rows, err
}

// LinkLead links one of the unlinked leads to the record, in the user's name; fault.NotFound for any other lead.
func (l *Launch) LinkLead(ctx context.Context, app string) error {
	if err := l.d.May(access.AnnotateLead); err != nil {
		return err
	}
	rows, err := l.UnlinkedLeads(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.App == heloc.AppID(app) {
			return l.linkLead(ctx, *row.Row)
		}
	}
	return fault.New(fault.NotFound, "No lead is linked to this record.")
}

func (l *Launch) linkLead(ctx context.Context, one lead.Row) error {
	return l.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.LinkRecord(ctx, one.App, l.d.Embeds.RecordIndex(l.launch.Client, l.launch.Record)); err != nil {
			return err
		}
		// now we know which record was meant
		for _, former := range l.d.Embeds.LegacyIndexes(l.launch.Client, l.launch.Record) {
			if err := tx.DropReference(ctx, store.Reference{App: one.App, BlindIndex: former}); err != nil {
				return err
			}
		}
		if err := tx.RaiseRevision(ctx, one.App); err != nil {
			return err
		}
		return tx.Audit(ctx, store.AuditEntry{
			ActorID: l.d.Actor.UserID, Company: one.Company, Action: store.ActionEmbedLinkRecord,
			Object: "lead:" + string(one.App), Outcome: "done", Detail: l.launch.Client.Key,
		})
	})
}

// LeadOwner names the colleague who has the record's lead when the user cannot access it. It is enough to ask them,
// and contains nothing about the borrower.
type LeadOwner struct {
	ShortID    string
	Originator string // "" while nobody has the lead, and for users that only a CRM vouches for
	Reassigned bool   // by this user, or away from them
	Ended      bool
}

// LeadOwner finds the owner; false when the record has no lead or the user can access it.
func (l *Launch) LeadOwner(ctx context.Context) (LeadOwner, bool, error) {
	if err := l.d.May(access.SeePipeline); err != nil {
		return LeadOwner{}, false, err
	}
	if _, mine, err := l.Lead(ctx); err != nil || mine {
		return LeadOwner{}, false, err
	}
	lead, found, err := l.d.Embeds.Lead(ctx, access.Scope{BrokerID: l.d.Actor.BrokerID}, l.launch.Client, l.launch.Record)
	if err != nil || !found {
		return LeadOwner{}, false, err
	}
	w := LeadOwner{ShortID: lead.ShortID, Ended: embed.LeadEnded(lead)}
	reassignment, err := l.d.Store.LastAcceptedReassignment(ctx, lead.App)
	switch {
	case fault.Is(err, fault.NotFound):
	case err != nil:
		return LeadOwner{}, false, err
	default:
		w.Reassigned = string(reassignment.FromOriginator) == l.d.Actor.OriginatorUUID && reassignment.FromOriginator != "" ||
			reassignment.ActorID == l.d.Actor.UserID
	}
	if l.d.Actor.VouchedByCRM {
		return w, true, nil
	}
	of, err := l.d.Store.Originator(ctx, lead.Originator)
	if fault.Is(err, fault.NotFound) {
		return w, true, nil
	}
	w.Originator = of.Name()
	return w, err == nil, err
}
