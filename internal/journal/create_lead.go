package journal

import (
	"cmp"
	"context"
	"slices"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// StartSnapshots maps operation ids to the snapshots of a draft. A draft can be sent again, even for another
// borrower, while its first start is not settled.
type StartSnapshots map[string]lead.StartSnapshot

// DecryptStartSnapshots decrypts the snapshots of a draft; it returns an empty map for a draft that was never sent.
func DecryptStartSnapshots(v *vault.Vault, d store.Draft) (StartSnapshots, error) {
	if len(d.StartSnapshot) == 0 {
		return StartSnapshots{}, nil
	}
	return vault.UnsealJSON[StartSnapshots](v, vault.StartSnapshotsAAD(d.ID), d.StartSnapshot)
}

// draftOf returns the draft that a start was sent from; the zero value if it was deleted. Then the lead has no name,
// which is better than an application that nobody sees.
func draftOf(ctx context.Context, tx *store.Tx, op lead.Operation) (store.Draft, error) {
	draft, err := tx.DraftOfOperation(ctx, op.DraftID)
	return draft, ignoreNotFound(err)
}

// linkRecords links a lead to the CRM record that its draft was begun for, and to the records of the lead that it
// corrects.
func linkRecords(ctx context.Context, tx *store.Tx, app heloc.AppID, draft store.Draft) error {
	var err error
	if draft.RecordIndex != "" {
		err = tx.LinkRecord(ctx, app, store.RecordIndex{Client: draft.RecordClient, Type: draft.RecordType,
			BlindIndex: draft.RecordIndex, KeyID: draft.RecordKeyID})
	}
	if err != nil || draft.Restart == "" {
		return err
	}
	return tx.CopyRecordLinks(ctx, draft.Restart, app)
}

// startOwner returns the owner of a new lead. The lead belongs to the company where its start was sent, because leads
// never move between companies automatically. If the originator has moved to another company since, the lead does not
// follow them: it waits, unassigned, for the manager.
func startOwner(ctx context.Context, tx *store.Tx, op lead.Operation) (access.Owner, error) {
	owner, err := tx.Originator(ctx, op.Originator)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return access.Owner{}, err
	}
	if err == nil && access.CompanyOf(owner.BrokerID, owner.Organization) == op.Company {
		return owner.Owner(), nil
	}
	where := access.Owner{Organization: owner.Organization}
	if organization, ok := access.OrganizationOf(op.Company); ok {
		where.Organization = organization
	}
	if err != nil { // the originator is not in the directory yet
		where.OriginatorUUID = string(op.Originator)
	}
	return where, nil
}

// createLead creates the lead of an accepted start, whether the lender responded immediately or the outcome was found
// out later. The draft names the borrower.
func (j *Journal) createLead(ctx context.Context, tx *store.Tx, op *lead.Operation) error {
	draft, err := draftOf(ctx, tx, *op)
	if err != nil {
		return err
	}
	corrects := draft.Restart
	if draft.OwnerID != op.ActorID { // somebody else's by now
		draft = store.Draft{}
	}
	snapshots, err := DecryptStartSnapshots(j.vault, draft)
	if err != nil {
		return err
	}
	snapshot := snapshots[op.ID]
	owner, err := startOwner(ctx, tx, *op)
	if err != nil {
		return err
	}
	now := j.now()
	row := lead.Row{
		App: op.App, Originator: heloc.OriginatorID(owner.OriginatorUUID), Company: op.Company,
		Organization: owner.Organization, City: snapshot.Address.City, State: snapshot.Address.State,
		RequestedAmount: snapshot.RequestedAmount, StepSince: store.Millis(now), RefreshAt: store.Millis(now),
		Source: lead.SourcePortal,
	}
	if draft.RecordIndex != "" {
		row.Source = lead.SourceCRM
	}
	if snapshot.Name != (heloc.Name{}) {
		if row.Borrower, err = j.vault.SealName(op.App, snapshot.Name); err != nil {
			return err
		}
	}
	if err := Accept(ctx, tx, &row, op, now); err != nil {
		return err
	}
	if err := tx.AddLead(ctx, &row, now); err != nil {
		return err
	}
	terms := heloc.SearchTerms(snapshot.Name, snapshot.Phone, snapshot.Email, snapshot.Address.Street1)
	return cmp.Or(
		tx.AddTokens(ctx, op.App, StoredTokens(j.vault, row.Company, terms)),
		tx.AddReferences(ctx, op.App, References(j.vault, row.Company, snapshot.References...)),
		linkRecords(ctx, tx, op.App, draft),
		tx.LinkDraft(ctx, op.DraftID, op.App),
		j.copyNotes(ctx, tx, correction{op.ActorID, corrects, row}),
		tx.AddEvent(ctx, lead.Event{
			App: op.App, Originator: row.Originator, At: store.Millis(now), Kind: lead.EventStarted, Operation: op.Kind,
			OpID: op.ID, ActorID: op.ActorID, ActorName: op.ActorName,
		}),
	)
}

// SettleStart settles a start whose response was lost, for an application that echoes its operation id. It creates
// the lead unless the lead exists. It returns false and does nothing for a start that may still get a response, and
// for one that created another application.
func (j *Journal) SettleStart(ctx context.Context, tx *store.Tx, op lead.Operation, app heloc.AppID) (bool, error) {
	if op.Kind != heloc.OpStart || op.App != "" && op.App != app || op.State == lead.OpSent {
		return false, nil
	}
	op.App = app
	if _, err := tx.AnyLead(ctx, app); fault.Is(err, fault.NotFound) {
		err = j.createLead(ctx, tx, &op)
		if err != nil {
			return false, err
		}
	} else if err != nil {
		return false, err
	}
	if op.State == lead.OpSucceeded || op.State == lead.OpConfirmed {
		return true, tx.SaveOperation(ctx, op)
	}
	// The lender has the application, so this overrides an earlier rejection and a user's decision to abandon the
	// start.
	if op.State != lead.OpUnknown {
		op.CorrectedAt = store.Millis(j.now())
	}
	op.State = lead.OpUnknown
	return true, j.Settle(ctx, tx, &op, lead.OpConfirmed)
}

// maxCopiedNotes is how many notes are copied to a corrected inquiry.
const maxCopiedNotes = 100

// correction is a start that corrects an earlier inquiry.
type correction struct {
	actorID string
	of      heloc.AppID // empty if it corrects none
	row     lead.Row    // the new lead
}

// copyNotes copies the notes of the corrected inquiry to the new lead, each with its author, time and origin. It copies
// nothing from a lead that the sender of the start cannot access.
func (j *Journal) copyNotes(ctx context.Context, tx *store.Tx, c correction) error {
	if c.of == "" || c.of == c.row.App {
		return nil
	}
	old, err := tx.AnyLead(ctx, c.of)
	if err != nil {
		return ignoreNotFound(err)
	}
	who, err := tx.User(ctx, c.actorID)
	if err != nil || old.Company != c.row.Company || !who.Scope().Covers(old.Owner()) {
		return ignoreNotFound(err)
	}
	notes, err := tx.Notes(ctx, old.App, maxCopiedNotes)
	if err != nil {
		return err
	}
	for _, n := range slices.Backward(notes) {
		if n, err = j.copyNote(n, old, c.row.App); err != nil {
			return err
		}
		if err := tx.AddNote(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// copyNote returns a copy of a note with a new id. It encrypts the text again, because encrypted values are bound to
// their rows.
func (j *Journal) copyNote(n lead.Note, old lead.Row, to heloc.AppID) (lead.Note, error) {
	text, err := j.vault.Unseal(vault.NoteAAD(n.ID), n.Sealed)
	if err != nil {
		return n, err
	}
	if n.FromApp == "" {
		n.FromApp, n.FromShortID = old.App, old.ShortID
	}
	n.ID, n.App = ulid.MustNew(uint64(n.At), ulid.DefaultEntropy()).String(), to
	n.Sealed, err = j.vault.Seal(vault.NoteAAD(n.ID), text)
	return n, err
}

func ignoreNotFound(err error) error {
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}
