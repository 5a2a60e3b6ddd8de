package desk

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/journal"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// HandedDraft is how a draft stood when somebody handed it to who will send it.
type HandedDraft struct {
	By    string // the name of who prepared it
	At    time.Time
	Typed Typed
}

// placeOfHanded is where that lies.
func placeOfHanded(id string) vault.Place {
	return vault.Place{Table: "drafts", Row: id, Column: "handed"}
}

func (ds *Drafts) handed(ctx context.Context, row store.Draft) (*HandedDraft, error) {
	typed, err := vault.UnsealJSON[Typed](ds.d.Vault, placeOfHanded(row.ID), row.Handed)
	if err != nil {
		return nil, err
	}
	by, err := ds.d.Store.User(ctx, row.PreparedBy)
	return &HandedDraft{By: by.Name, At: store.Instant(row.HandedAt), Typed: typed}, err
}

// Senders are the colleagues to whom a draft can be handed: those with an account who may
// start an inquiry, without this person.
func (ds *Drafts) Senders(ctx context.Context) ([]access.User, error) {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return nil, err
	}
	users, err := ds.d.Store.Users(ctx)
	if err != nil {
		return nil, err
	}
	var kept []access.User
	for _, u := range users {
		if !u.Disabled && u.UserID != ds.d.Actor.UserID && u.Can(access.StartInquiry) && store.CompanyOf(u.BrokerID, u.Organization) == ds.d.company() {
			kept = append(kept, u)
		}
	}
	return kept, nil
}

// Hand gives a draft to a colleague who may send it, by their originator. What stands in it
// now is kept beside, so that they see what changed since; the consent is theirs to take.
func (ds *Drafts) Hand(ctx context.Context, id, originator string) error {
	senders, err := ds.Senders(ctx)
	if err != nil {
		return err
	}
	to := ""
	for _, u := range senders {
		if u.OriginatorUUID == originator && originator != "" {
			to = u.UserID
		}
	}
	if to == "" {
		return fault.InvalidFields(fault.Field{Name: "draft.originator", Message: "Choose a colleague who may send it"})
	}
	return ds.d.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := tx.Draft(ctx, ds.d.seat(), id)
		if err != nil {
			return err
		}
		typed, err := vault.UnsealJSON[Typed](ds.d.Vault, journal.PlaceOfDraft(id), row.Sealed)
		if err != nil {
			return err
		}
		if row.Handed, err = vault.SealJSON(ds.d.Vault, placeOfHanded(id), typed); err != nil {
			return err
		}
		row.HandedAt, row.PreparedBy = store.Millis(ds.d.Now()), ds.d.Actor.UserID
		if err := tx.HandDraft(ctx, row, to); err != nil {
			return err
		}
		return tx.Audit(ctx, store.Audited{
			ActorID: ds.d.Actor.UserID, Company: ds.d.company(), Action: store.ActDraftHand, Object: "draft:" + id, Outcome: "done", Detail: "to:" + to,
		})
	})
}

// Prepared is who typed an inquiry before it was sent, where that was not one person:
// names, empty without one.
type Prepared struct{ By, ChangedBy string }

// prepared reads it from the draft that a lead came of, while that is kept.
func (l *Lead) prepared(ctx context.Context) (Prepared, error) {
	row, err := l.d.Store.DraftOfLead(ctx, l.row.App)
	if fault.KindOf(err) == fault.NotFound || err == nil && row.PreparedBy == "" {
		return Prepared{}, nil
	}
	if err != nil {
		return Prepared{}, err
	}
	by, err := l.d.Store.User(ctx, row.PreparedBy)
	if err != nil {
		return Prepared{}, err
	}
	changed, err := l.d.Store.User(ctx, row.ChangedBy)
	return Prepared{By: by.Name, ChangedBy: changed.Name}, err
}
