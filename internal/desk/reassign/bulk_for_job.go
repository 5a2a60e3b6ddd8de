package reassign

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
)

// BulkReassignmentsForJob returns the bulk reassignments of a job in the name of the user who started it, with their
// current permissions. An administrator who closed an account cannot see leads. For such a job only, they act as a
// manager of the company of the new originator, and no lead is shown to them.
func BulkReassignmentsForJob(ctx context.Context, s core.Services, job lead.Job) (*Bulk, error) {
	if job.Kind == lead.JobRule {
		return bulkReassignmentsForRule(ctx, s, job)
	}
	who, err := s.Store.User(ctx, job.ActorID)
	if err != nil {
		return nil, err
	}
	if who.Disabled {
		return nil, fault.New(fault.Denied, "The person who started this no longer has an account.")
	}
	if job.Kind != lead.JobDeparture {
		return OpenBulk(s.For(who.Actor))
	}
	if !who.Can(access.ManagePeople) {
		return nil, fault.New(fault.Denied, "The person who started this is no longer an administrator.")
	}
	to, err := s.Store.Originator(ctx, job.Target)
	if err != nil {
		return nil, err
	}
	return OpenBulk(s.For(access.Actor{
		UserID: who.UserID, Name: who.Name, Role: access.Manager, BrokerID: to.BrokerID, BrokerName: to.BrokerName,
		Organization: to.Organization,
	}))
}
