package lendersync

import (
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
		if err := tx.AddTokens(ctx, app, tokens); err != nil {
			return err
		}
		if err := tx.DropUnknownApplication(ctx, app); err != nil {
			return err
		}
		if err := tx.Audit(ctx, store.AuditEntry{
			ActorID: c.by.UserID, Company: row.Company, Action: store.ActionAdopt, Object: "lead:" + string(app),
			Outcome: "done", Detail: "borrower name read once",
		}); err != nil {
			return err
		}
		return tx.AddEvent(ctx, lead.Event{
			App: app, Originator: row.Originator, At: store.Millis(now), Kind: lead.EventAdopted, ActorID: c.by.UserID,
			ActorName: c.by.Name,
		})
	})
	if err == nil {
		s.readNew(ctx, app)
	}
	return err
}
