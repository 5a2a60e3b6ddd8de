// Package intake has the handles of new inquiries: starting one, the drafts, and quick estimates.
//
//	intake.go        starting an inquiry, and what is checked before
//	intake_page.go   what the page of an inquiry shows, also whether the unit is missing
//	draft.go, draft_transfer.go, draft_import.go  drafts: typed, transferred, from a loan file; the link to the
//	                 lender's site, where a borrower applies alone
//	import_review.go what a loan file says beside what a draft would take of it
//	clone.go         correcting an inquiry that was sent
//	estimate.go      estimates without an inquiry
package intake

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Intake starts inquiries in the user's own name.
type Intake struct{ d core.Desk }

// Open returns the intake; fault.Denied without the permission or when the user is not an originator.
func Open(d core.Desk) (*Intake, error) { return core.Opened(&Intake{d}, d.May(access.StartInquiry)) }

// NewOperationID makes the operation id of an intake form that is being rendered.
func (in *Intake) NewOperationID() string {
	return in.d.Journal.NewOperationID(in.d.Actor, heloc.OpStart, "", "new")
}

// StartForm is a parsed and complete intake form.
type StartForm struct {
	OperationID       string
	DraftID           string
	Typed             lead.FormValues // storable as the draft, without SSN and consent
	Inquiry           heloc.Inquiry   // as it will be sent
	Snapshot          lead.StartSnapshot
	Consent           lead.ConsentForm
	ConfirmDuplicate  bool
	NoUnit            bool // the user said that the address has no unit
	CancelsReplaced   bool // the inquiry that the draft corrects is canceled afterwards, under CancelOperationID
	CancelOperationID string
}

// Duplicate is an inquiry for the same borrower and property.
type Duplicate struct {
	Lead      *lead.Row       // an existing lead that the user can access
	Pending   *lead.Operation // a start that may have arrived: its outcome is not known, or it was given up
	Colleague bool            // a colleague's inquiry, about which no more is shown
}

// Duplicates finds open leads and unsettled starts of the company with the same name, birth date and property.
func (in *Intake) Duplicates(ctx context.Context, inquiry heloc.Inquiry) ([]Duplicate, error) {
	if err := in.d.May(access.StartInquiry); err != nil {
		return nil, err
	}
	return in.findDuplicates(ctx, in.d.Store.Queries, inquiry)
}

func (in *Intake) duplicateKey(inquiry heloc.Inquiry) lead.DuplicateKey {
	return lead.DuplicateKeyOf(in.d.Company(), inquiry)
}

func (in *Intake) findDuplicates(ctx context.Context, from store.Queries, inquiry heloc.Inquiry) ([]Duplicate, error) {
	blindIndexes := in.d.Vault.DuplicateIndexes(in.duplicateKey(inquiry))
	leads, err := from.Duplicates(ctx, in.d.Company(), blindIndexes)
	if err != nil {
		return nil, err
	}
	var found []Duplicate
	for i, l := range leads {
		if in.d.Actor.Scope().Covers(l.Owner()) {
			found = append(found, Duplicate{Lead: &leads[i]})
		} else {
			found = append(found, Duplicate{Colleague: true})
		}
	}
	pending, err := from.UnsettledStarts(ctx, in.d.Company(), blindIndexes)
	for i, op := range pending {
		if op.ActorID == in.d.Actor.UserID {
			found = append(found, Duplicate{Pending: &pending[i]})
		} else {
			found = append(found, Duplicate{Colleague: true})
		}
	}
	return found, err
}

// Start sends a new inquiry (section 4.1). The operation has the new lead's id if the lender returned one; its
// outcome is unknown when the response was lost. An unconfirmed duplicate is fault.Invalid at confirm.duplicate, and an
// address that may need a unit at confirm.noUnit.
func (in *Intake) Start(ctx context.Context, f StartForm) (lead.Operation, error) {
	if err := in.d.May(access.StartInquiry); err != nil {
		return lead.Operation{}, err
	}
	if f.Inquiry.Applicant.SSN.Reveal() != "" {
		if err := in.d.May(access.SendSSN); err != nil {
			return lead.Operation{}, err
		}
	}
	consent, err := in.d.CheckConsent(f.Consent)
	if err != nil {
		return lead.Operation{}, err
	}
	if _, err := uuid.Parse(f.DraftID); err != nil {
		return lead.Operation{}, fault.New(fault.NotFound, "This draft doesn’t exist.")
	}
	if err := in.d.CheckReferences(f.Inquiry.PartnerData); err != nil {
		return lead.Operation{}, err
	}
	if err := in.d.RequireLicense(ctx, f.Inquiry.Property.Address.State, "property.address.state"); err != nil {
		return lead.Operation{}, err
	}
	content, err := startDigestContent(f)
	if err != nil {
		return lead.Operation{}, err
	}
	intent := journal.Intent{
		OperationID: f.OperationID, Kind: heloc.OpStart, Actor: in.d.Actor, DraftID: f.DraftID, DigestContent: content,
		Consent:      consent,
		DuplicateKey: in.d.Vault.DuplicateIndex(in.duplicateKey(f.Inquiry)),
	}
	// The checks and the draft are part of the operation's transaction. Of two forms at once, the second
	// sees the first; and the same form sent again gets its first result and does not count as its own duplicate.
	intent.Prepare = func(ctx context.Context, tx *store.Tx, _ lead.Row, id string) error {
		if err := in.checkUnit(ctx, tx.Queries, f); err != nil {
			return err
		}
		if err := in.checkDuplicates(ctx, tx, f); err != nil {
			return err
		}
		return in.saveStart(ctx, tx, id, f)
	}
	by := heloc.OriginatorID(in.d.Actor.OriginatorUUID)
	op, err := in.d.Execute(ctx, intent, func(ctx context.Context, id string) heloc.CallResult {
		return partner.ResultOf(in.d.Lender.Start(ctx, partner.Start{Originator: by, Reference: id, Inquiry: f.Inquiry}))
	})
	if op.App != "" {
		in.d.RequestRefresh(op.App)
	}
	return op, err
}

// checkDuplicates refuses a duplicate that was not confirmed.
func (in *Intake) checkDuplicates(ctx context.Context, tx *store.Tx, f StartForm) error {
	if f.ConfirmDuplicate {
		return nil
	}
	found, err := in.findDuplicates(ctx, tx.Queries, f.Inquiry)
	if err != nil {
		return err
	}
	if f.CancelsReplaced {
		row, err := tx.Draft(ctx, in.d.UserScope(), f.DraftID)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		found = withoutReplaced(found, row.Restart)
	}
	if len(found) > 0 {
		return fault.InvalidField("confirm.duplicate",
			"There’s already an inquiry for this borrower and property. Send anyway?")
	}
	return nil
}

// saveStart encrypts and stores what was typed and what the lead will need, before an operation sends it.
func (in *Intake) saveStart(ctx context.Context, tx *store.Tx, operationID string, f StartForm) error {
	row, err := editableOrNew(ctx, in.d, tx, f.DraftID)
	if err != nil {
		return err
	}
	snapshots, err := journal.DecryptStartSnapshots(in.d.Vault, row)
	if err != nil {
		return err
	}
	snapshot := f.Snapshot
	snapshot.DuplicateKey = in.duplicateKey(f.Inquiry)
	snapshots[operationID] = snapshot
	if row.StartSnapshot, err = vault.SealJSON(in.d.Vault, vault.StartSnapshotsAAD(row.ID), snapshots); err != nil {
		return err
	}
	if row.Sealed, err = vault.SealJSON(in.d.Vault, vault.DraftAAD(row.ID), f.Typed.Storable()); err != nil {
		return err
	}
	row.OpID, row.UpdatedAt, row.ChangedBy = operationID, store.Millis(in.d.Now()), in.d.Actor.UserID
	return tx.SaveDraft(ctx, row)
}

// startDigestContent returns everything that is sent, for the digest; of the SSN only whether it is present.
func startDigestContent(f StartForm) ([]string, error) {
	sent, err := json.Marshal(f.Inquiry) // an SSN is never marshaled
	has := "no ssn"
	if f.Inquiry.Applicant.SSN.Reveal() != "" {
		has = "ssn"
	}
	return []string{string(sent), has, f.Consent.Method, f.Consent.Version}, err
}

// CheckConsent returns the error of a consent that Start would refuse, for a form that has other errors too.
func (in *Intake) CheckConsent(c lead.ConsentForm) error {
	if err := in.d.May(access.StartInquiry); err != nil {
		return err
	}
	_, err := in.d.CheckConsent(c)
	return err
}

// StateLicense says whether an originator may act in a state, and which colleagues may instead.
type StateLicense struct {
	State              string
	Own                lead.LicenseStatus
	Company            lead.LicenseStatus
	LicensedColleagues []lead.Originator // colleagues who have a license there
}

// License returns what is known about this user's own license in a state, before they type any borrower data.
func (in *Intake) License(ctx context.Context, state string) (StateLicense, error) {
	if err := in.d.May(access.StartInquiry); err != nil {
		return StateLicense{}, err
	}
	d, l := in.d, StateLicense{State: state}
	var err error
	if l.Own, err = core.LicenseStatus(ctx, d.Store.Queries, d.Actor.OriginatorUUID, state); err != nil {
		return l, err
	}
	if l.Company, err = core.LicenseStatus(ctx, d.Store.Queries, d.Actor.BrokerID, state); err != nil {
		return l, err
	}
	if l.Own == lead.LicenseHeld {
		return l, nil
	}
	colleagues, err := d.Colleagues(ctx, d.Actor.BrokerID, d.Actor.Organization)
	if err != nil {
		return l, err
	}
	for _, o := range colleagues {
		status, err := core.LicenseStatus(ctx, d.Store.Queries, string(o.UUID), state)
		if err != nil {
			return l, err
		}
		other := o.RemovedAt == 0 && string(o.UUID) != d.Actor.OriginatorUUID
		if status == lead.LicenseHeld && other && len(l.LicensedColleagues) < 3 {
			l.LicensedColleagues = append(l.LicensedColleagues, o)
		}
	}
	return l, nil
}
