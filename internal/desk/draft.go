package desk

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Drafts is the inquiries that a user is preparing.
type Drafts struct{ d *Desk }

// Drafts returns the drafts; fault.Denied without the permission.
func (d *Desk) Drafts() (*Drafts, error) {
	if err := d.may(access.PrepareDraft); err != nil {
		return nil, err
	}
	return &Drafts{d}, nil
}

// FormValues is what the intake form contains, by control name.
type FormValues map[string][]string

// Value returns the first value of a control.
func (t FormValues) Value(name string) string {
	if v := t[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// storable removes what no form may store in a draft: the SSN, the consent, the values that belong to one rendering of
// the form, and the report of an import.
func (t FormValues) storable() FormValues {
	values := maps.Clone(t)
	for name := range values {
		if strings.Contains(strings.ToLower(name), "ssn") || strings.HasPrefix(name, "consent.") || strings.HasPrefix(name, "confirm.") ||
			strings.HasPrefix(name, importPrefix) || name == "operation" || name == "draft" || name == "draft.originator" {
			delete(values, name)
			continue
		}
		values[name] = withoutSSNs(values[name])
	}
	return values
}

// withoutSSNs masks Social Security numbers that were typed into another control.
func withoutSSNs(values []string) []string {
	masked := slices.Clone(values)
	for i := range masked {
		masked[i], _ = heloc.MaskSSNs(masked[i])
	}
	return masked
}

// Draft is one decrypted draft.
type Draft struct {
	ID          string
	Typed       FormValues
	SavedAt     time.Time
	ExpiresAt   time.Time         // when it is deleted, unless it is saved or transferred before
	Restart     bool              // it corrects an inquiry
	LastStart   *lead.Operation   // the start from it that may have arrived: unknown or given up; nil for none
	Transferred *TransferredDraft // somebody else prepared it
	Import      *ImportReport     // it came from a loan file, and the user has not closed the report; nil otherwise
}

// New returns an id for a draft. Nothing is stored until something is saved under it.
func (ds *Drafts) New() string { return uuid.Must(uuid.NewV7()).String() }

// Save stores what was typed, without SSN and consent. It does not change a draft that was sent; see checkEditable
// for the error.
func (ds *Drafts) Save(ctx context.Context, id string, typed FormValues) (time.Time, error) {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return time.Time{}, err
	}
	if _, err := uuid.Parse(id); err != nil {
		return time.Time{}, fault.New(fault.NotFound, "This draft doesn’t exist.")
	}
	now := ds.d.now()
	err := ds.d.store.Write(ctx, func(tx *store.Tx) error {
		var report *ImportReport
		row, err := tx.Draft(ctx, ds.d.userScope(), id)
		if err == nil {
			if err = ds.d.checkEditable(ctx, tx, row); err == nil {
				_, report, err = ds.d.unsealDraft(row)
			}
		} else if fault.Is(err, fault.NotFound) {
			row, err = ds.newRow(id, now), nil
		}
		if err != nil {
			return err
		}
		row.UpdatedAt, row.ChangedBy = store.Millis(now), ds.d.Actor.UserID
		if row.Sealed, err = vault.SealJSON(ds.d.vault, vault.DraftAAD(id), report.with(typed.storable())); err != nil {
			return err
		}
		return tx.SaveDraft(ctx, row)
	})
	return now, err
}

// newRow returns the row of a draft that is begun now, for the CRM's record from which the user came, if any.
func (ds *Drafts) newRow(id string, now time.Time) store.Draft {
	record := ds.d.launchRecord
	return store.Draft{
		ID: id, OwnerID: ds.d.Actor.UserID, Company: ds.d.company(), CreatedAt: store.Millis(now),
		RecordIndex: record.BlindIndex, RecordClient: record.Client, RecordType: record.Type, RecordKeyID: record.KeyID,
	}
}

// Find reads a draft of this user; fault.NotFound for any other. See checkEditable for the error of a draft that was
// sent.
func (ds *Drafts) Find(ctx context.Context, id string) (Draft, error) {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return Draft{}, err
	}
	row, err := ds.editable(ctx, ds.d.store, id)
	if err != nil {
		return Draft{}, err
	}
	if err := ds.markNoticesRead(ctx, id); err != nil {
		return Draft{}, err
	}
	d, err := ds.decrypt(ctx, row)
	if err == nil {
		d.LastStart, err = ds.lastStart(ctx, row)
	}
	return d, err
}

// lastStart finds the start that was sent from a draft and may have arrived.
func (ds *Drafts) lastStart(ctx context.Context, row store.Draft) (*lead.Operation, error) {
	if row.OpID == "" || row.App != "" {
		return nil, nil
	}
	op, err := ds.d.store.Operation(ctx, row.OpID)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	switch op.State {
	case lead.OpSent, lead.OpUnknown, lead.OpAbandoned:
		return &op, nil
	default:
		return nil, nil
	}
}

// markNoticesRead marks the user's notifications about a draft as read, because they are looking at it.
func (ds *Drafts) markNoticesRead(ctx context.Context, id string) error {
	i, err := ds.d.Inbox()
	if err != nil {
		return err
	}
	unread, err := ds.d.store.HasUnread(ctx, i.scope, store.NoticeSelection{Draft: id})
	if err != nil || !unread {
		return err
	}
	return i.markRead(ctx, store.NoticeSelection{Draft: id})
}

func (ds *Drafts) decrypt(ctx context.Context, row store.Draft) (Draft, error) {
	typed, report, err := ds.d.unsealDraft(row)
	d := Draft{ID: row.ID, Typed: typed, Import: report, SavedAt: store.Instant(row.UpdatedAt), ExpiresAt: store.Instant(max(row.UpdatedAt, row.TransferredAt)).Add(store.UnsentDraftRetention), Restart: row.Restart != ""}
	if err == nil && row.PreparedBy != "" {
		d.Transferred, err = ds.transferred(ctx, row)
	}
	return d, err
}

// List returns the user's drafts that have not become a lead, newest first.
func (ds *Drafts) List(ctx context.Context) ([]Draft, error) {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return nil, err
	}
	rows, err := ds.d.store.UnsentDrafts(ctx, ds.d.userScope(), ds.d.Actor.Scope())
	if err != nil {
		return nil, err
	}
	drafts := make([]Draft, 0, len(rows))
	for _, row := range rows {
		d, err := ds.decrypt(ctx, row)
		if err != nil {
			return nil, err
		}
		if d.LastStart, err = ds.lastStart(ctx, row); err != nil {
			return nil, err
		}
		drafts = append(drafts, d)
	}
	return drafts, nil
}

// Count counts the drafts that List would return, without decrypting them.
func (ds *Drafts) Count(ctx context.Context) (int, error) {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return 0, err
	}
	return ds.d.store.CountUnsentDrafts(ctx, ds.d.userScope(), ds.d.Actor.Scope())
}

// Delete deletes a draft of this user; fault.Conflict once it was sent or while the outcome of a start from it is
// unknown; fault.NotFound for any other.
func (ds *Drafts) Delete(ctx context.Context, id string) error {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return err
	}
	return ds.d.store.Write(ctx, func(tx *store.Tx) error {
		if _, err := ds.editable(ctx, tx, id); err != nil {
			return err
		}
		if err := tx.DeleteDraft(ctx, ds.d.userScope(), id); err != nil {
			return err
		}
		return tx.Audit(ctx, store.AuditEntry{
			At: store.Millis(ds.d.now()), ActorID: ds.d.Actor.UserID, Company: ds.d.company(), Action: store.ActionDraftDelete, Object: "draft:" + id, Outcome: "done",
		})
	})
}
