package lendersync

import (
	"cmp"
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Adopt adds an application to the portal by its id, for a user who may see the leads of its originator;
// fault.NotFound otherwise. If the application echoes one of our starts, Adopt settles that start, which also
// provides the borrower's name. Otherwise it fetches only the borrower's name and stores it encrypted.
func (s *Service) Adopt(ctx context.Context, app heloc.AppID, by store.Adopter) error {
	got, err := s.fetchDetails(ctx, app, false)
	if err != nil {
		return err
	}
	details := got.Value
	owner, err := s.adoptableOwner(ctx, details, by)
	if err != nil {
		return err
	}
	if _, err := s.Store.AnyLead(ctx, app); err == nil {
		return s.refreshAdopted(ctx, app, by)
	}
	known, err := s.settleByEcho(ctx, details, app)
	if err != nil || known {
		return err
	}
	return s.saveAdopted(ctx, app, adoption{owner, by})
}

// adoptableOwner returns the originator of an application; fault.NotFound unless the user may see their leads.
func (s *Service) adoptableOwner(ctx context.Context, d heloc.Details, by store.Adopter) (lead.Originator, error) {
	if d.Originator.UUID != "" {
		if _, err := s.lookUp(ctx, d.Originator.UUID); err != nil {
			return lead.Originator{}, err
		}
	}
	owner, err := s.Store.Originator(ctx, d.Originator.UUID)
	if err == nil && !by.Scope.Covers(owner.Owner()) {
		err = fault.New(fault.NotFound, "The lender doesn’t list this application for you.")
	}
	return owner, err
}

// refreshAdopted rereads an existing lead. If the lender has reassigned it to somebody whose leads the user may
// see, a second reading moves it.
func (s *Service) refreshAdopted(ctx context.Context, app heloc.AppID, by store.Adopter) error {
	if err := s.Refresh(ctx, app); err != nil {
		return err
	}
	row, err := s.Store.AnyLead(ctx, app)
	if err == nil && !by.Scope.Covers(row.Owner()) {
		err = fault.New(fault.Conflict, "The lender says that this inquiry is assigned to you now. We’re asking again "+
			"before we move it. Try again in ten seconds.")
	}
	return err
}

// settleByEcho creates the lead of the lost start that an application echoes; false when it echoes none.
func (s *Service) settleByEcho(ctx context.Context, details heloc.Details, app heloc.AppID) (found bool, err error) {
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		var running bool
		if found, running, err = s.settleEchoed(ctx, tx, details, app); running {
			err = fault.New(fault.Conflict, "This inquiry is being started. Try again in a moment.")
		}
		return err
	})
	if found && err == nil {
		s.readNew(ctx, app)
	}
	return found, err
}

// adoption is the owner of an adopted application and the user who adopts it.
type adoption struct {
	owner lead.Originator
	by    store.Adopter
}

func (s *Service) saveAdopted(ctx context.Context, app heloc.AppID, c adoption) error {
	signers, err := s.Lender.Signers(ctx, app)
	if err != nil {
		return err
	}
	p := signers.Value.Primary
	name := heloc.Name{First: p.FirstName, Middle: p.MiddleName, Last: p.LastName}
	now := s.Now()
	row := lead.Row{
		App: app, Originator: c.owner.UUID, Company: access.CompanyOf(c.owner.BrokerID, c.owner.Organization),
		Organization: c.owner.Organization, StepSince: store.Millis(now), RefreshAt: store.Millis(now),
		Source: lead.SourceAdopted,
	}
	if row.Borrower, err = s.Vault.SealName(app, name); err != nil {
		return err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.AddLead(ctx, &row, now); err != nil {
			return err
		}
		tokens := journal.StoredTokens(s.Vault, row.Company, heloc.SearchTerms(name, "", "", ""))
		return cmp.Or(tx.AddTokens(ctx, app, tokens), tx.DropUnknownApplication(ctx, app),
			tx.Audit(ctx, store.AuditEntry{
				ActorID: c.by.UserID, Company: row.Company, Action: store.ActionAdopt, Object: "lead:" + string(app),
				Outcome: "done", Detail: "borrower name read once",
			}),
			tx.AddEvent(ctx, lead.Event{
				App: app, Originator: row.Originator, At: store.Millis(now), Kind: lead.EventAdopted, ActorID: c.by.UserID,
				ActorName: c.by.Name,
			}))
	})
	if err == nil {
		s.readNew(ctx, app)
	}
	return err
}

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
		// a lead that exists already was not created from it
		err = cmp.Or(tx.LinkDraft(ctx, op.DraftID, app), tx.DropUnknownApplication(ctx, app))
		if err != nil || echoed {
			return err
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
