package desk

import (
	"context"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// CloseOptions decides what happens to a user's work when their account is closed. Assignee is a colleague's
// originator, or empty: then the leads stay in the unassigned queue of the company, and its manager reassigns them.
type CloseOptions struct{ Assignee string }

// Close closes an account immediately, as Offboard does, and moves its work to a colleague. It transfers the drafts at
// once. The leads wait in the unassigned queue while a background run reassigns them with their scheduled work, because
// the lender decides each one.
func (p *People) Close(ctx context.Context, id string, l CloseOptions) error {
	if err := p.refuseSelf(id); err != nil {
		return err
	}
	one, err := p.Find(ctx, id)
	if err != nil {
		return err
	}
	var assignee Assignee
	if l.Assignee != "" {
		at := slices.IndexFunc(one.Assignees, func(t Assignee) bool { return string(t.UUID) == l.Assignee })
		if at < 0 {
			return assigneeError("Choose an originator")
		}
		assignee = one.Assignees[at]
	}
	leads, err := p.leadsOf(ctx, one.Actor)
	if err != nil {
		return err
	}
	if one.Disabled && assignee.UUID == "" {
		return assigneeError("Choose an originator")
	}
	var effects accountEffects
	err = p.write(ctx, func(tx *store.Tx) error {
		if err := p.reassignWork(ctx, tx, one.User, assignee, leads); err != nil {
			return err
		}
		effects, err = p.d.closeAccount(ctx, tx, one.User)
		if one.Disabled && fault.Is(err, fault.Conflict) {
			return nil // it was closed for good before, and only its work was left
		}
		return err
	})
	if err == nil {
		effects.publish(p.d.hub)
	}
	return err
}

// reassignWork transfers the drafts of somebody who leaves to their successor, and starts to reassign the leads. Without
// a successor, it does nothing.
func (p *People) reassignWork(ctx context.Context, tx *store.Tx, from access.User, to Assignee, leads []lead.Row) error {
	if to.UUID == "" {
		return nil
	}
	if to.UserID != "" {
		if err := p.d.transferAllDrafts(ctx, tx, store.UserScopeOf(from.Actor), draftTransferParties{p.d.Actor, to.UserID}); err != nil {
			return err
		}
	}
	for chunk := range slices.Chunk(leads, MaxBulkLeads) {
		if err := p.startDepartureRun(ctx, tx, from.UserID, to.UUID, chunk); err != nil {
			return err
		}
	}
	return nil
}

// leadsOf are the open leads of somebody, and those that they left at their company when the
// directory lost them.
func (p *People) leadsOf(ctx context.Context, who access.Actor) ([]lead.Row, error) {
	leads, err := p.d.store.OpenLeadsOf(ctx, heloc.OriginatorID(who.OriginatorUUID))
	if err != nil {
		return nil, err
	}
	left, err := p.d.store.DepartedLeads(ctx, store.UserScopeOf(who).Company, heloc.OriginatorID(who.OriginatorUUID))
	return append(leads, left...), err
}

// startDepartureRun starts a run that reassigns the leads of a departed user.
func (p *People) startDepartureRun(ctx context.Context, tx *store.Tx, from string, to heloc.OriginatorID, leads []lead.Row) error {
	now := p.d.now()
	id := ulid.MustNew(uint64(store.Millis(now)), ulid.DefaultEntropy()).String()
	sealed, err := vault.SealJSON(p.d.vault, vault.JobAAD(id), runPayload{Note: "The previous originator is no longer available.", From: from})
	if err != nil {
		return err
	}
	job := lead.Job{ID: id, Kind: lead.JobDeparture, ActorID: p.d.Actor.UserID, Company: p.d.company(), Target: to, Sealed: sealed, CreatedAt: store.Millis(now)}
	rows := make([]lead.JobRow, len(leads))
	for i, l := range leads {
		rows[i] = lead.JobRow{JobID: id, N: i, App: l.App, ShortID: l.ShortID, State: lead.JobRowWaiting}
	}
	if err := tx.AddJob(ctx, job, rows); err != nil {
		return err
	}
	return tx.Audit(ctx, store.AuditEntry{
		At: job.CreatedAt, ActorID: p.d.Actor.UserID, Company: leads[0].Company, Action: store.ActionBulkReassign, Object: "job:" + id,
		Outcome: "begun", Detail: "to:" + string(to) + " from:" + from,
	})
}

// BulkReassignmentsForJob returns the bulk reassignments of a job in the name of the user who started it, with their
// current permissions. An administrator who closed an account cannot see leads. For such a job only, they act as a
// manager of the company of the new originator, and no lead is shown to them.
func (r *Service) BulkReassignmentsForJob(ctx context.Context, job lead.Job) (*BulkReassignments, error) {
	if job.Kind == lead.JobRule {
		return r.bulkReassignmentsForRule(ctx, job)
	}
	who, err := r.store.User(ctx, job.ActorID)
	if err != nil {
		return nil, err
	}
	if who.Disabled {
		return nil, fault.New(fault.Denied, "The person who started this no longer has an account.")
	}
	if job.Kind != lead.JobDeparture {
		return r.For(who.Actor).BulkReassignments()
	}
	if !who.Can(access.ManagePeople) {
		return nil, fault.New(fault.Denied, "The person who started this is no longer an administrator.")
	}
	to, err := r.store.Originator(ctx, job.Target)
	if err != nil {
		return nil, err
	}
	return r.For(access.Actor{
		UserID: who.UserID, Name: who.Name, Role: access.Manager, BrokerID: to.BrokerID, BrokerName: to.BrokerName, Organization: to.Organization,
	}).BulkReassignments()
}

// departureRunVisibleFor is how long a finished run is still shown.
const departureRunVisibleFor = 30 * 24 * time.Hour

// departureRuns counts the results of this administrator's runs for the leads of a departed user.
func (p *People) departureRuns(ctx context.Context, from string) ([]DepartureRun, error) {
	jobs, err := p.d.store.JobsOf(ctx, p.d.userScope(), p.d.now().Add(-departureRunVisibleFor), 50)
	if err != nil {
		return nil, err
	}
	var all []DepartureRun
	for _, job := range jobs {
		payload, err := vault.UnsealJSON[runPayload](p.d.vault, vault.JobAAD(job.ID), job.Sealed)
		if err != nil {
			return nil, err
		}
		if job.Kind != lead.JobDeparture || payload.From != from {
			continue
		}
		states, err := p.d.store.JobStates(ctx, job.ID)
		if err != nil {
			return nil, err
		}
		d := DepartureRun{Waiting: states[lead.JobRowWaiting], Sent: states[lead.JobRowSent], Stopped: states[lead.JobRowStopped]}
		d.Total = d.Waiting + d.Sent + d.Stopped
		all = append(all, d)
	}
	return all, nil
}
