package lendersync

import (
	"cmp"
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// AdoptStart settles a start of unknown outcome with the application that a user says it created, if the user may see
// the leads of the application's originator; fault.NotFound otherwise. The application must echo the start, or have its
// borrower and property; any other is fault.Invalid at appUuid, in words that say nothing about its borrower, and
// nothing is stored.
func (s *Service) AdoptStart(ctx context.Context, operationID string, app heloc.AppID, by store.Adopter) error {
	got, err := s.fetchDetails(ctx, app, false)
	if err != nil {
		return err
	}
	if _, err := s.adoptableOwner(ctx, got.Value, by); err != nil {
		return err
	}
	echoed, err := s.compareStart(ctx, operationID, app, got.Value)
	if err != nil {
		return err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		op, err := unsettledStart(ctx, tx, operationID)
		if err != nil {
			return err
		}
		start, err := tx.StartOf(ctx, app)
		if err == nil && start.ID != op.ID { // another start of ours created it
			return otherApplication()
		}
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		if !echoed {
			op.ResolvedBy = by.UserID
		}
		if settled, err := s.Journal.SettleStart(ctx, tx, op, app); err != nil || !settled {
			return cmp.Or(err, otherApplication())
		}
		if err := tx.LinkDraft(ctx, op.DraftID, app); err != nil { // a lead that exists already was not created from it
			return err
		}
		if err := tx.DropUnknownApplication(ctx, app); err != nil {
			return err
		}
		if echoed {
			return nil
		}
		return tx.Audit(ctx, store.AuditEntry{
			ActorID: by.UserID, Company: op.Company, Action: store.ActionAdopt, Object: "lead:" + string(app),
			Outcome: "done", Detail: "borrower name read once, compared with the start",
		})
	})
	if err == nil {
		s.readNew(ctx, app)
	}
	return err
}

// otherApplication is the error for an application that is not the start's.
func otherApplication() error {
	return fault.InvalidFields(fault.Field{Name: "appUuid",
		Message: "That application is for another borrower or property. Check the ID."})
}

// unsettledStart returns a start whose outcome is unknown; fault.Conflict for any other.
func unsettledStart(ctx context.Context, tx *store.Tx, id string) (lead.Operation, error) {
	op, err := tx.Operation(ctx, id)
	switch {
	case err != nil:
		return op, err
	case op.State == lead.OpSent: // or its answer is not stored yet
		return op, fault.New(fault.Conflict, "This inquiry is being started. Try again in a moment.")
	case op.Kind != heloc.OpStart || op.State != lead.OpUnknown:
		return op, fault.New(fault.Conflict, "The outcome of this operation is already known.")
	}
	return op, nil
}

// compareStart rejects an application that a start cannot have created. Only when it echoes none of our starts is its
// borrower's name read, and compared with the form together with the property.
func (s *Service) compareStart(ctx context.Context, operationID string, app heloc.AppID,
	d heloc.Details) (echoed bool, err error) {
	if id, ours := journal.ParseReference(s.Lender.Reference(d.App.Integrations)); ours {
		if id == operationID {
			return true, nil
		}
		if _, err := s.Store.Operation(ctx, id); !fault.Is(err, fault.NotFound) {
			if err == nil {
				err = otherApplication()
			}
			return false, err
		}
	}
	snapshot, err := s.startSnapshot(ctx, operationID)
	if err != nil {
		return false, err
	}
	signers, err := s.Lender.Signers(ctx, app)
	if err != nil {
		return false, err
	}
	p := signers.Value.Primary
	if !snapshot.Describes(heloc.Name{First: p.FirstName, Last: p.LastName}, d.App.PropertyAddress) {
		return false, otherApplication()
	}
	return false, nil
}

// startSnapshot returns what a start was sent with; fault.Invalid at appUuid once its form has been deleted or
// transferred.
func (s *Service) startSnapshot(ctx context.Context, operationID string) (lead.StartSnapshot, error) {
	op, err := s.Store.Operation(ctx, operationID)
	if err != nil {
		return lead.StartSnapshot{}, err
	}
	draft, err := s.Store.DraftOfOperation(ctx, op.DraftID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return lead.StartSnapshot{}, err
	}
	snapshots := journal.StartSnapshots{}
	if err == nil && draft.OwnerID == op.ActorID {
		if snapshots, err = journal.DecryptStartSnapshots(s.Vault, draft); err != nil {
			return lead.StartSnapshot{}, err
		}
	}
	snapshot, ok := snapshots[op.ID]
	if !ok {
		return snapshot, fault.InvalidFields(fault.Field{Name: "appUuid",
			Message: "This inquiry’s form is no longer stored, so the application can’t be compared with it. " +
				"Add the application by its ID on the Leads page instead."})
	}
	return snapshot, nil
}
