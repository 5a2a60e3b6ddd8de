package core

import (
	"context"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// RunPayload is the encrypted part of a run.
type RunPayload struct {
	Note string `json:"line"`
	From string `json:"from,omitempty"` // whose leads they were, if that user has left
}

// NewRun returns a run in the user's name, with its payload.
func (d Desk) NewRun(id string, kind lead.JobKind, payload RunPayload) (lead.Job, error) {
	sealed, err := vault.SealJSON(d.Vault, vault.JobAAD(id), payload)
	return lead.Job{ID: id, Kind: kind, ActorID: d.Actor.UserID, Company: d.Company(), Sealed: sealed,
		CreatedAt: store.Millis(d.Now())}, err
}

// StartDepartureRun starts a run that reassigns the leads of a departed user.
func (d Desk) StartDepartureRun(ctx context.Context, tx *store.Tx, from string, to heloc.OriginatorID,
	leads []lead.Row) error {
	job, err := d.NewRun(d.NewID(), lead.JobDeparture,
		RunPayload{Note: "The previous originator is no longer available.", From: from})
	if err != nil {
		return err
	}
	job.Target = to
	rows := make([]lead.JobRow, len(leads))
	for i, l := range leads {
		rows[i] = lead.JobRow{JobID: job.ID, N: i, App: l.App, ShortID: l.ShortID, State: lead.JobRowWaiting}
	}
	if err := tx.AddJob(ctx, job, rows); err != nil {
		return err
	}
	return tx.Audit(ctx, store.AuditEntry{
		At: job.CreatedAt, ActorID: d.Actor.UserID, Company: leads[0].Company, Action: store.ActionBulkReassign,
		Object: "job:" + job.ID, Outcome: "begun", Detail: "to:" + string(to) + " from:" + from,
	})
}

// departureRunVisibleFor is how long a finished run is still shown.
const departureRunVisibleFor = 30 * 24 * time.Hour

// DepartureRuns counts the results of this administrator's runs for the leads of a departed user.
func (d Desk) DepartureRuns(ctx context.Context, from string) ([]lead.DepartureRun, error) {
	jobs, err := d.Store.JobsOf(ctx, d.UserScope(), d.Now().Add(-departureRunVisibleFor), 50)
	if err != nil {
		return nil, err
	}
	var all []lead.DepartureRun
	for _, job := range jobs {
		payload, err := vault.UnsealJSON[RunPayload](d.Vault, vault.JobAAD(job.ID), job.Sealed)
		if err != nil {
			return nil, err
		}
		if job.Kind != lead.JobDeparture || payload.From != from {
			continue
		}
		states, err := d.Store.JobStates(ctx, job.ID)
		if err != nil {
			return nil, err
		}
		run := lead.DepartureRun{Waiting: states[lead.JobRowWaiting], Sent: states[lead.JobRowSent],
			Stopped: states[lead.JobRowStopped]}
		run.Total = run.Waiting + run.Sent + run.Stopped
		all = append(all, run)
	}
	return all, nil
}
