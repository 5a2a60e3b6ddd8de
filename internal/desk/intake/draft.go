package intake

import (
	"context"
	"encoding/json"
	"net/url"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pii"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Drafts is the inquiries that a user is preparing.
type Drafts struct{ d core.Desk }

// OpenDrafts returns the drafts; fault.Denied without the permission.
func OpenDrafts(d core.Desk) (*Drafts, error) {
	return core.Opened(&Drafts{d}, d.May(access.PrepareDraft))
}

// Draft is one decrypted draft.
type Draft struct {
	ID        string
	Typed     lead.FormValues
	SavedAt   time.Time
	ExpiresAt time.Time       // when it is deleted, unless it is saved or transferred before
	Restart   bool            // it corrects an inquiry
	LastStart *lead.Operation // the last start that may have reached the lender: unknown or given up; nil for none
	Transfers []DraftTransfer // oldest first; somebody else prepared it if there are any
}

// New returns an id for a draft. Nothing is stored until something is saved under it.
func (d *Drafts) New() string { return uuid.Must(uuid.NewV7()).String() }

// Save stores what was typed, without SSN and consent. It does not change a draft that was sent; see checkEditable
// for the error.
func (d *Drafts) Save(ctx context.Context, id string, typed lead.FormValues) (time.Time, error) {
	if err := d.d.May(access.PrepareDraft); err != nil {
		return time.Time{}, err
	}
	if _, err := uuid.Parse(id); err != nil {
		return time.Time{}, fault.New(fault.NotFound, "This draft doesn’t exist.")
	}
	now := d.d.Now()
	err := d.d.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := editableOrNew(ctx, d.d, tx, id)
		if err == nil && row.UpdatedAt == 0 {
			err = d.d.CountUse(ctx, tx, core.UseDrafts)
		}
		if err != nil {
			return err
		}
		row.UpdatedAt, row.ChangedBy = store.Millis(now), d.d.Actor.UserID
		if row.Sealed, err = vault.SealJSON(d.d.Vault, vault.DraftAAD(id), typed.Storable()); err != nil {
			return err
		}
		return tx.SaveDraft(ctx, row)
	})
	return now, d.d.RecordLimit(ctx, err)
}

// editableOrNew reads a draft of this user that can still be edited, or returns a new one if the user has none with
// this id.
func editableOrNew(ctx context.Context, d core.Desk, tx *store.Tx, id string) (store.Draft, error) {
	row, err := tx.Draft(ctx, d.UserScope(), id)
	if fault.Is(err, fault.NotFound) {
		return newDraft(d, id, d.Now()), nil
	}
	if err == nil {
		err = checkEditable(ctx, d, tx.Queries, row)
	}
	return row, err
}

// newDraft returns the row of a new draft, for the CRM record that the user launched from, if any.
func newDraft(d core.Desk, id string, now time.Time) store.Draft {
	record := d.LaunchRecord
	return store.Draft{
		ID: id, OwnerID: d.Actor.UserID, Company: d.Company(), CreatedAt: store.Millis(now),
		RecordIndex: record.BlindIndex, RecordClient: record.Client, RecordType: record.Type, RecordKeyID: record.KeyID,
	}
}

// Find reads a draft of this user; fault.NotFound for any other. See checkEditable for the error of a draft that was
// sent.
func (d *Drafts) Find(ctx context.Context, id string) (Draft, error) {
	if err := d.d.May(access.PrepareDraft); err != nil {
		return Draft{}, err
	}
	row, err := d.editable(ctx, d.d.Store.Queries, id)
	if err != nil {
		return Draft{}, err
	}
	if err := d.d.MarkNoticesRead(ctx, store.NoticeSelection{Draft: id}); err != nil {
		return Draft{}, err
	}
	if err := d.d.AuditDaily(ctx, access.PrepareDraft, store.ActionDraftOpen, "draft:"+id); err != nil {
		return Draft{}, err
	}
	draft, err := d.decrypt(ctx, row)
	if err == nil {
		draft.LastStart, err = d.lastStart(ctx, row)
	}
	return draft, err
}

// lastStart finds the start that was sent from a draft and may have arrived.
func (d *Drafts) lastStart(ctx context.Context, row store.Draft) (*lead.Operation, error) {
	if row.OpID == "" || row.App != "" {
		return nil, nil
	}
	op, err := d.d.Store.Operation(ctx, row.OpID)
	if err != nil {
		return nil, fault.Ignore(err, fault.NotFound)
	}
	switch op.State {
	case lead.OpSent, lead.OpUnknown, lead.OpAbandoned:
		return &op, nil
	default:
		return nil, nil
	}
}

func (d *Drafts) decrypt(ctx context.Context, row store.Draft) (Draft, error) {
	typed, err := d.d.UnsealDraft(row)
	draft := Draft{ID: row.ID, Typed: typed, SavedAt: store.Instant(row.UpdatedAt),
		ExpiresAt: store.Instant(max(row.UpdatedAt, row.TransferredAt)).Add(store.UnsentDraftRetention),
		Restart:   row.Restart != ""}
	if err == nil && row.PreparedBy != "" {
		draft.Transfers, err = d.transfers(ctx, row)
	}
	return draft, err
}

// List returns the user's drafts that have not become a lead, newest first.
func (d *Drafts) List(ctx context.Context) ([]Draft, error) {
	if err := d.d.May(access.PrepareDraft); err != nil {
		return nil, err
	}
	rows, err := d.d.Store.UnsentDrafts(ctx, d.d.UserScope(), d.d.Actor.Scope())
	if err != nil {
		return nil, err
	}
	drafts := make([]Draft, 0, len(rows))
	for _, row := range rows {
		draft, err := d.decrypt(ctx, row)
		if err != nil {
			return nil, err
		}
		if draft.LastStart, err = d.lastStart(ctx, row); err != nil {
			return nil, err
		}
		drafts = append(drafts, draft)
	}
	return drafts, nil
}

// Delete deletes a draft of this user; fault.Conflict once it was sent or while the outcome of a start from it is
// unknown; fault.NotFound for any other.
func (d *Drafts) Delete(ctx context.Context, id string) error {
	if err := d.d.May(access.PrepareDraft); err != nil {
		return err
	}
	return d.d.Store.Write(ctx, func(tx *store.Tx) error {
		if _, err := d.editable(ctx, tx.Queries, id); err != nil {
			return err
		}
		if err := tx.DeleteDraft(ctx, d.d.UserScope(), id); err != nil {
			return err
		}
		return d.d.AuditAction(ctx, tx, store.ActionDraftDelete, "draft:"+id, "done", "")
	})
}

// DraftSentError is the cause of a refusal: the draft was sent, and the user can access its lead. From then on, what
// was sent belongs to the lead.
type DraftSentError struct{ App heloc.AppID }

func (*DraftSentError) Error() string { return "a lead came of the draft" }

// editable reads a draft of this user that can still be edited. Every action on a draft goes through it or through
// checkEditable.
func (d *Drafts) editable(ctx context.Context, from store.Queries, id string) (store.Draft, error) {
	row, err := from.Draft(ctx, d.d.UserScope(), id)
	if err == nil {
		err = checkEditable(ctx, d.d, from, row)
	}
	return row, err
}

// checkEditable returns an error when this user can no longer edit one of their drafts. A draft that was sent is
// fault.Conflict with DraftSentError for users who may see the lead, and fault.NotFound for everybody else, including
// its author: it contains all borrower data, and when a lead is reassigned to a colleague, its borrower data goes
// with it. The same applies to the correction of a lead that the user can no longer see. A correction that was
// transferred to the user is treated like any other draft.
func checkEditable(ctx context.Context, d core.Desk, from store.Queries, row store.Draft) error {
	app := row.App
	if app == "" && row.PreparedBy == "" {
		app = row.Restart
	}
	if app == "" {
		return nil
	}
	if _, err := from.Lead(ctx, d.Actor.Scope(), app); err != nil {
		return err
	}
	if row.App != "" {
		return fault.Wrap(fault.Conflict, "This draft was sent and is now a lead. Open the lead.", &DraftSentError{row.App})
	}
	return nil
}

// prefillPayload is the start payload (section 2.2) as far as it is known. It names the originator of the borrower.
type prefillPayload struct {
	Request struct {
		Originator string `json:"loanOriginatorUuid"`
	} `json:"request"`
	heloc.Inquiry
}

// Link returns the URL where the borrower of a draft continues alone. It contains what the user has typed, encrypted
// for the lender, and never an SSN (section 4.22). Link starts nothing and stores nothing, but it audits that the URL
// was shown. It refuses when somebody has recorded that this user may not act in the state.
func (d *Drafts) Link(ctx context.Context, id string, known heloc.Inquiry) (string, error) {
	if err := d.d.May(access.StartInquiry); err != nil {
		return "", err
	}
	to := d.d.BorrowerLink
	if !to.Enabled() {
		return "", fault.New(fault.NotFound, "The lender’s borrower site isn’t configured.")
	}
	if _, err := d.editable(ctx, d.d.Store.Queries, id); err != nil {
		return "", err
	}
	if err := d.d.RequireLicense(ctx, known.Property.Address.State, "property.address.state"); err != nil {
		return "", err
	}
	known.Applicant.SSN = pii.Secret[string]{}
	payload := prefillPayload{Inquiry: known}
	payload.Request.Originator = d.d.Actor.OriginatorUUID
	plain, err := json.Marshal(payload)
	if err != nil {
		return "", err
	}
	defer clear(plain)
	sealed, err := to.Sealer.Seal(ctx, plain)
	if err != nil {
		return "", err
	}
	err = d.d.Store.Write(ctx, func(tx *store.Tx) error {
		return d.d.AuditAction(ctx, tx, store.ActionDraftLink, "draft:"+id, "done", "")
	})
	if err != nil {
		return "", err
	}
	return to.ApplyURL.JoinPath("heloc").String() + "?inquiry=" + url.QueryEscape(sealed), nil
}
