package pipeline

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

const (
	maxViews       = 30 // of one user
	maxSharedViews = 50 // of others, that a user sees
	maxViewName    = 60 // characters
	maxViewQuery   = 500
)

// Views is a user's saved lists of leads, and those that colleagues share. A view is only filters: whoever opens it
// sees the leads that they may see.
type Views struct{ d core.Desk }

// OpenViews returns the saved lists; fault.Denied without the permission, and for users that only a CRM vouches for.
func OpenViews(d core.Desk) (*Views, error) {
	v := &Views{d}
	return v, v.may()
}

func (v *Views) may() error {
	if err := v.d.MayManageSelf(); err != nil {
		return err
	}
	return v.d.May(access.SeePipeline)
}

// SavedView is one saved list.
type SavedView struct {
	ID     string
	Name   string // empty if it cannot be decrypted
	Query  string // of the list's URL
	Shared bool
	Owner  string // the name of the user who shares it; empty for the user's own
}

// SavedViews are the lists that a user can open.
type SavedViews struct {
	Own        []SavedView // in the user's order
	Shared     []SavedView // by colleagues
	OpensFirst bool        // the first of Own opens when the user signs in
	MayUnshare bool        // the user may end the sharing of colleagues' views
}

// List returns the views.
func (v *Views) List(ctx context.Context) (all SavedViews, err error) {
	if err := v.may(); err != nil {
		return all, err
	}
	own, err := v.d.Store.SavedViews(ctx, v.d.UserScope(), maxViews)
	if err != nil {
		return all, err
	}
	shared, err := v.d.Store.SharedSavedViews(ctx, v.d.UserScope(), maxSharedViews)
	if err != nil {
		return all, err
	}
	all.OpensFirst, all.MayUnshare = v.d.Actor.OpensView, v.d.Actor.Can(access.SeeTeam)
	for _, row := range own {
		all.Own = append(all.Own, v.saved(row))
	}
	for _, row := range shared {
		all.Shared = append(all.Shared, v.saved(row))
	}
	return all, nil
}

func (v *Views) saved(row store.SavedView) SavedView {
	one := SavedView{ID: row.ID, Query: row.Query, Shared: row.SharedAt != 0}
	if row.UserID != v.d.Actor.UserID {
		one.Owner = row.Owner
	}
	if name, err := v.d.Vault.Unseal(vault.SavedViewAAD(row.ID), row.Sealed); err == nil {
		one.Name = string(name)
	}
	return one
}

// First returns the query of the list that opens when the user signs in; ok is false when none does.
func (v *Views) First(ctx context.Context) (query string, ok bool, err error) {
	if err := v.may(); err != nil || !v.d.Actor.OpensView {
		return "", false, err
	}
	own, err := v.d.Store.SavedViews(ctx, v.d.UserScope(), 1)
	if err != nil || len(own) == 0 {
		return "", false, err
	}
	return own[0].Query, true, nil
}

// Save stores a list under a name, privately. The caller has removed what was searched for from the query.
func (v *Views) Save(ctx context.Context, name, query string) error {
	if err := v.may(); err != nil {
		return err
	}
	if len(query) > maxViewQuery {
		return fault.New(fault.Invalid, "This list has too many filters to save.")
	}
	row := store.SavedView{ID: uuid.Must(uuid.NewV7()).String(), UserID: v.d.Actor.UserID, Company: v.d.Company(),
		Query: query, CreatedAt: store.Millis(v.d.Now())}
	return v.d.Store.Write(ctx, func(tx *store.Tx) (err error) {
		own, err := tx.SavedViews(ctx, v.d.UserScope(), maxViews)
		if err != nil {
			return err
		}
		if len(own) >= maxViews {
			return fault.InvalidField("name", "You have 30 views. Delete one first")
		}
		if row.Sealed, err = v.sealName(row.ID, name, own); err != nil {
			return err
		}
		return tx.AddSavedView(ctx, row)
	})
}

// sealName checks a name and encrypts it.
func (v *Views) sealName(id, name string, own []store.SavedView) ([]byte, error) {
	name = strings.Join(strings.Fields(strings.ToValidUTF8(name, "")), " ")
	wrong := ""
	switch {
	case name == "":
		wrong = "Enter a name"
	case utf8.RuneCountInString(name) > maxViewName:
		wrong = "Use at most 60 characters"
	case slices.ContainsFunc(own, func(o store.SavedView) bool {
		return o.ID != id && strings.EqualFold(v.saved(o).Name, name)
	}):
		wrong = "You already have a view with this name"
	}
	if wrong != "" {
		return nil, fault.InvalidField("name", wrong)
	}
	return v.d.Vault.Seal(vault.SavedViewAAD(id), []byte(name))
}

// change runs a change of one of the user's own views; fault.NotFound for another one.
func (v *Views) change(ctx context.Context, id string,
	change func(tx *store.Tx, own []store.SavedView, at int) error) error {
	if err := v.may(); err != nil {
		return err
	}
	return v.d.Store.Write(ctx, func(tx *store.Tx) error {
		own, err := tx.SavedViews(ctx, v.d.UserScope(), maxViews)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(own, func(o store.SavedView) bool { return o.ID == id })
		if at < 0 {
			return fault.New(fault.NotFound, "This view no longer exists.")
		}
		return change(tx, own, at)
	})
}

// Rename gives one of the user's views another name.
func (v *Views) Rename(ctx context.Context, id, name string) error {
	return v.change(ctx, id, func(tx *store.Tx, own []store.SavedView, _ int) error {
		sealed, err := v.sealName(id, name, own)
		if err != nil {
			return err
		}
		return tx.RenameSavedView(ctx, id, sealed)
	})
}

// Delete deletes one of the user's views, for everyone it was shared with too.
func (v *Views) Delete(ctx context.Context, id string) error {
	return v.change(ctx, id, func(tx *store.Tx, own []store.SavedView, at int) error {
		if own[at].SharedAt != 0 {
			if err := v.auditSharing(ctx, tx, id, "ended"); err != nil {
				return err
			}
		}
		return tx.DropSavedView(ctx, id)
	})
}

// MoveUp exchanges one of the user's views with the one before it.
func (v *Views) MoveUp(ctx context.Context, id string) error {
	return v.change(ctx, id, func(tx *store.Tx, own []store.SavedView, at int) error {
		if at == 0 {
			return nil
		}
		if err := tx.SetSavedViewPosition(ctx, own[at].ID, own[at-1].Position); err != nil {
			return err
		}
		return tx.SetSavedViewPosition(ctx, own[at-1].ID, own[at].Position)
	})
}

// Share shares one of the user's views with the company.
func (v *Views) Share(ctx context.Context, id string) error {
	return v.change(ctx, id, func(tx *store.Tx, own []store.SavedView, at int) error {
		if own[at].SharedAt != 0 {
			return nil
		}
		if err := tx.ShareSavedView(ctx, id, v.d.Now()); err != nil {
			return err
		}
		return v.auditSharing(ctx, tx, id, "done")
	})
}

// Unshare makes a view private again: one of the user's own or, for a manager, a colleague's.
func (v *Views) Unshare(ctx context.Context, id string) error {
	if err := v.may(); err != nil {
		return err
	}
	return v.d.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := tx.SavedView(ctx, v.d.Company(), id)
		if err != nil {
			return err
		}
		if row.SharedAt == 0 || row.UserID != v.d.Actor.UserID && !v.d.Actor.Can(access.SeeTeam) {
			return fault.New(fault.NotFound, "This view is no longer shared.")
		}
		if err := tx.ShareSavedView(ctx, id, time.Time{}); err != nil {
			return err
		}
		return v.auditSharing(ctx, tx, id, "ended")
	})
}

func (v *Views) auditSharing(ctx context.Context, tx *store.Tx, id, outcome string) error {
	return v.d.AuditAction(ctx, tx, store.ActionViewShare, "view:"+id, outcome, "")
}

// OpenFirst sets whether the user's first view opens when they sign in.
func (v *Views) OpenFirst(ctx context.Context, on bool) error {
	if err := v.may(); err != nil {
		return err
	}
	return v.d.Store.Write(ctx, func(tx *store.Tx) error { return tx.SetOpensView(ctx, v.d.Actor.UserID, on) })
}
