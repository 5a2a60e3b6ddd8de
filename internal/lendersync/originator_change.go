package lendersync

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// resolveOriginator sets the originator of a row to the one whom the lender names, or to nobody, and reports whether
// the originator changed: within a company, the lender decides who has a lead. A lead never moves to
// another company automatically: if the named originator has left the company, the lead becomes unassigned and waits
// for a manager. If the originator is not in the lender's directory, the lead does not move.
func (s *Service) resolveOriginator(ctx context.Context, tx *store.Tx, row *lead.Row,
	named heloc.OriginatorID) (moves bool, err error) {
	if named == "" || named == row.Originator {
		return false, nil
	}
	to := named
	owner, canWork, err := tx.Assignee(ctx, named)
	switch {
	case fault.Is(err, fault.NotFound):
		return false, nil
	case err != nil:
		return false, err
	case access.CompanyOf(owner.BrokerID, owner.Organization) != row.Company:
		to = ""
	case owner.RemovedAt != 0:
		to = ""
		if row.Originator != "" || row.FormerOriginator == "" {
			row.FormerOriginator = named // theirs again when the directory lists them again
		}
	case !canWork: // the originator's account is closed
		to, row.FormerOriginator = "", named // theirs again when the account is reopened
	}
	moves = to != row.Originator
	row.Originator = to
	return moves, nil
}

// reassignedEvent records that a lead has moved to another originator, or to nobody.
func reassignedEvent(before, after lead.Row) lead.Event {
	detail := "unassigned"
	if after.Originator != "" {
		detail = "from " + string(before.Originator) + " to " + string(after.Originator)
	}
	return lead.Event{App: after.App, Originator: after.Originator, Kind: lead.EventReassigned, Detail: detail}
}

// moveRepullPlan gives a planned credit re-pull to the lead's new originator. If that originator has no account, the
// plan does not move; when it comes due, the user who planned it is notified that the report was not requested.
func (s *Service) moveRepullPlan(ctx context.Context, tx *store.Tx, row lead.Row) error {
	if row.Originator == "" {
		return nil
	}
	who, err := tx.UserByOriginator(ctx, string(row.Originator))
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	moved, err := tx.ReassignRepull(ctx, row.App, who.UserID, row.Originator)
	if err != nil || !moved {
		return err
	}
	return tx.Audit(ctx, store.AuditEntry{
		ActorID: "system", Company: row.Company, Action: store.ActionRepullReassign, Object: "lead:" + string(row.App),
		Outcome: "done", Detail: "to:" + who.UserID,
	})
}
