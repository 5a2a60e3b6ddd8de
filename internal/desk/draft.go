package desk

import (
	"context"
	"maps"
	"strings"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/journal"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Drafts are the inquiries that a person is typing.
type Drafts struct{ d *Desk }

// Drafts opens them; fault.Denied without the permission.
func (d *Desk) Drafts() (*Drafts, error) {
	if err := d.may(access.PrepareDraft); err != nil {
		return nil, err
	}
	return &Drafts{d}, nil
}

// Typed is what stands in the intake, by control name.
type Typed map[string][]string

// Value is the first value of a control.
func (t Typed) Value(name string) string {
	if v := t[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// kept drops what a draft never holds: the SSN, the consent, and what belongs to one
// rendering of the form.
func (t Typed) kept() Typed {
	kept := maps.Clone(t)
	for name := range kept {
		if strings.Contains(strings.ToLower(name), "ssn") || strings.HasPrefix(name, "consent.") || strings.HasPrefix(name, "confirm.") ||
			name == "operation" || name == "draft" || name == "draft.originator" {
			delete(kept, name)
		}
	}
	return kept
}

// Draft is one draft, opened.
type Draft struct {
	ID      string
	Typed   Typed
	SavedAt time.Time
	GoesAt  time.Time    // when it is deleted, unless it is saved or handed over before
	Restart bool         // it corrects an inquiry
	Handed  *HandedDraft // somebody else prepared it
}

// New gives a draft a number; it is kept only once something is saved under it.
func (ds *Drafts) New() string { return uuid.Must(uuid.NewV7()).String() }

// Save keeps what was typed, without SSN and consent. What was sent stays as it was, and
// is refused as workable says.
func (ds *Drafts) Save(ctx context.Context, id string, typed Typed) (time.Time, error) {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return time.Time{}, err
	}
	if _, err := uuid.Parse(id); err != nil {
		return time.Time{}, fault.New(fault.NotFound, "There is no such draft.")
	}
	sealed, err := vault.SealJSON(ds.d.Vault, journal.PlaceOfDraft(id), typed.kept())
	if err != nil {
		return time.Time{}, err
	}
	now := ds.d.Now()
	err = ds.d.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := tx.Draft(ctx, ds.d.seat(), id)
		if err == nil {
			err = ds.d.workable(ctx, tx, row)
		} else if fault.KindOf(err) == fault.NotFound {
			row, err = store.Draft{ID: id, OwnerID: ds.d.Actor.UserID, Company: ds.d.company(), CreatedAt: store.Millis(now), Record: ds.d.record.Mark, RecordClient: ds.d.record.Client, RecordType: ds.d.record.Type, RecordUnder: ds.d.record.Under}, nil
		}
		if err != nil {
			return err
		}
		row.Sealed, row.UpdatedAt, row.ChangedBy = sealed, store.Millis(now), ds.d.Actor.UserID
		return tx.SaveDraft(ctx, row)
	})
	return now, err
}

// Open reads a draft of this person; fault.NotFound for any other, and for one that was sent
// what workable says.
func (ds *Drafts) Open(ctx context.Context, id string) (Draft, error) {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return Draft{}, err
	}
	row, err := ds.own(ctx, ds.d.Store, id)
	if err != nil {
		return Draft{}, err
	}
	if err := ds.told(ctx, id); err != nil {
		return Draft{}, err
	}
	return ds.open(ctx, row)
}

// told marks what the person was told of a draft as read: they are looking at it.
func (ds *Drafts) told(ctx context.Context, id string) error {
	i, err := ds.d.Inbox()
	if err != nil {
		return err
	}
	unread, err := ds.d.Store.UnreadOn(ctx, i.in, store.Reading{Draft: id})
	if err != nil || !unread {
		return err
	}
	return i.read(ctx, store.Reading{Draft: id})
}

func (ds *Drafts) open(ctx context.Context, row store.Draft) (Draft, error) {
	typed, err := vault.UnsealJSON[Typed](ds.d.Vault, journal.PlaceOfDraft(row.ID), row.Sealed)
	d := Draft{ID: row.ID, Typed: typed, SavedAt: store.Instant(row.UpdatedAt), GoesAt: store.Instant(max(row.UpdatedAt, row.HandedAt)).Add(store.UnsentKept), Restart: row.Restart != ""}
	if err == nil && row.PreparedBy != "" {
		d.Handed, err = ds.handed(ctx, row)
	}
	return d, err
}

// List reads the drafts of this person that no lead has come of, newest first.
func (ds *Drafts) List(ctx context.Context) ([]Draft, error) {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return nil, err
	}
	rows, err := ds.d.Store.OpenDrafts(ctx, ds.d.seat(), ds.d.Actor.Scope())
	if err != nil {
		return nil, err
	}
	drafts := make([]Draft, 0, len(rows))
	for _, row := range rows {
		d, err := ds.open(ctx, row)
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, d)
	}
	return drafts, nil
}

// Count counts the drafts that List would read, without opening any.
func (ds *Drafts) Count(ctx context.Context) (int, error) {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return 0, err
	}
	return ds.d.Store.CountOpenDrafts(ctx, ds.d.seat(), ds.d.Actor.Scope())
}

// Delete removes a draft of this person; fault.Conflict once it was sent, or while it is
// not known what became of a start from it; fault.NotFound for any other.
func (ds *Drafts) Delete(ctx context.Context, id string) error {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return err
	}
	return ds.d.Store.Write(ctx, func(tx *store.Tx) error {
		if _, err := ds.own(ctx, tx, id); err != nil {
			return err
		}
		if err := tx.DeleteDraft(ctx, ds.d.seat(), id); err != nil {
			return err
		}
		return tx.Audit(ctx, store.Audited{
			At: store.Millis(ds.d.Now()), ActorID: ds.d.Actor.UserID, Company: ds.d.company(), Action: store.ActDraftDelete, Object: "draft:" + id, Outcome: "done",
		})
	})
}
