package journal

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// reauthorize checks the user and their access to the lead again, in the transaction that stores the operation: while
// a form was being sent, the lead may have been reassigned, and the user's role or account may have changed. It returns
// the lead.
func reauthorize(ctx context.Context, tx *store.Tx, in Intent) (row lead.Row, err error) {
	user, err := tx.User(ctx, in.Actor.UserID)
	if err != nil {
		return row, err
	}
	if in.DepartureRun != "" {
		return authorizeDeparture(ctx, tx, user, in)
	}
	now, then := user.Actor, in.Actor
	if user.Disabled || now.Role != then.Role || now.OriginatorUUID != then.OriginatorUUID ||
		now.BrokerID != then.BrokerID || now.Organization != then.Organization || now.WorksFor != then.WorksFor ||
		now.Reassigns != then.Reassigns {
		return row, fault.New(fault.Denied,
			"Your account changed after you opened this page. Nothing was sent. Sign in again.")
	}
	switch {
	case in.App == "":
		return row, nil
	case in.Undoes != "":
		return authorizeUndo(ctx, tx, now, in)
	}
	return tx.Lead(ctx, now.Scope(), in.App)
}

// authorizeDeparture allows an administrator to reassign a lead that belongs to one of their runs for a closed
// account. They cannot open the lead or do anything else with it.
func authorizeDeparture(ctx context.Context, tx *store.Tx, user access.User, in Intent) (row lead.Row, err error) {
	if user.Disabled || !user.Can(access.ManagePeople) || in.Kind != heloc.OpReassign {
		return row, fault.New(fault.Denied, "Your account changed. Nothing was sent.")
	}
	job, err := tx.Job(ctx, store.UserScopeOf(user.Actor), in.DepartureRun)
	if err != nil {
		return row, err
	}
	rows, err := tx.JobRows(ctx, job.ID)
	if err != nil {
		return row, err
	}
	ofRun := func(r lead.JobRow) bool { return r.App == in.App }
	if job.Kind != lead.JobDeparture || job.Target != in.Target || !slices.ContainsFunc(rows, ofRun) {
		return row, fault.New(fault.Denied, "This lead isn’t part of that reassignment. Nothing was sent.")
	}
	return tx.Lead(ctx, in.Actor.Scope(), in.App)
}

// authorizeUndo allows a user to undo their own reassignment of a lead that they can no longer access, within their
// company. Nobody else may undo it, and an assistant only between originators for whom they still work. Prepare checks
// the time limit.
func authorizeUndo(ctx context.Context, tx *store.Tx, now access.Actor, in Intent) (row lead.Row, err error) {
	op, err := tx.Operation(ctx, in.Undoes)
	if err != nil {
		return row, err
	}
	row, err = tx.AnyLead(ctx, in.App)
	if err != nil {
		return row, err
	}
	worksFor := func(originator string) bool {
		return now.Scope().Covers(access.Owner{OriginatorUUID: originator, BrokerID: row.BrokerID(),
			Organization: row.Organization})
	}
	ours := op.Kind == heloc.OpReassign && in.Kind == heloc.OpReassign && op.App == in.App &&
		op.ActorID == in.Actor.UserID &&
		(op.State == lead.OpSucceeded || op.State == lead.OpConfirmed) &&
		row.Company == access.CompanyOf(in.Actor.BrokerID, in.Actor.Organization) &&
		(now.Role != access.Assistant || worksFor(string(row.Originator)) && worksFor(string(in.Target)))
	if !ours {
		return row, fault.New(fault.NotFound, "Page not found, or you don’t have access.")
	}
	return row, nil
}
