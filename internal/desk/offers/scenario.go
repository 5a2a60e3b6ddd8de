package offers

import (
	"context"
	"crypto/rand"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

var (
	errNoScenario       = fault.New(fault.NotFound, "This scenario was deleted.")
	errScenariosChanged = fault.New(fault.Invalid, "Nothing was undone. The scenarios changed after you opened this "+
		"page, for example on another device. They’re shown as they are now.")
	errTooManyScenarios = fault.New(fault.Invalid, "This lead already has 10 scenarios. Delete one first.")
)

// SaveScenario stores the controls of the offers as the user's scenario, or as the current one for an unknown id, and
// returns the scenarios. The first save creates it.
func (of *Offers) SaveScenario(ctx context.Context, id, query string) (saved lead.Scenarios, err error) {
	return saved, of.editScenarios(ctx, func(s *lead.Scenarios) error {
		one := s.Find(id)
		if one == nil {
			one = s.Add(of.newScenario())
		}
		s.Current, one.Query, one.SavedAt = one.ID, query, store.Millis(of.d.Now())
		saved = *s
		return nil
	})
}

// UndoScenarios undoes the user's last change to the scenarios. It is rejected if the user has changed them since a
// revision.
func (of *Offers) UndoScenarios(ctx context.Context, revision string) error {
	return of.changeScenarios(ctx, func(s *lead.Scenarios) error {
		if strconv.Itoa(s.Revision) != revision {
			return errScenariosChanged
		}
		s.Undo()
		return nil
	})
}

// DuplicateScenario adds a copy of a scenario, which becomes the current one.
func (of *Offers) DuplicateScenario(ctx context.Context, id string) error {
	return of.editScenarios(ctx, func(s *lead.Scenarios) error {
		one, err := existing(s, id)
		if err != nil {
			return err
		}
		if len(s.All) >= lead.MaxScenarios {
			return errTooManyScenarios
		}
		made := of.newScenario()
		s.Duplicate(*one, made.ID, made.SavedAt)
		return nil
	})
}

// AddScenario adds a copy of the current scenario, which becomes the current one.
func (of *Offers) AddScenario(ctx context.Context) error {
	return of.editScenarios(ctx, func(s *lead.Scenarios) error {
		if len(s.All) == 0 {
			s.Add(of.newScenario())
		}
		if len(s.All) >= lead.MaxScenarios {
			return errTooManyScenarios
		}
		made := of.newScenario()
		made.Query = s.Find("").Query
		s.Add(made)
		return nil
	})
}

// UseScenario makes a scenario the current one.
func (of *Offers) UseScenario(ctx context.Context, id string) error {
	return of.changeScenario(ctx, id, func(s *lead.Scenarios, one *lead.Scenario) { s.Current = one.ID })
}

// RenameScenario names a scenario. A field error names the control name.
func (of *Offers) RenameScenario(ctx context.Context, id, name string) error {
	if err := of.d.May(access.SeeLead); err != nil {
		return err
	}
	if n := utf8.RuneCountInString(name); n == 0 || n > lead.MaxScenarioName {
		return fault.InvalidFields(fault.Field{Name: "name", Message: "Enter a name of up to 40 characters"})
	}
	return of.editScenarios(ctx, func(s *lead.Scenarios) error {
		one, err := existing(s, id)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(s.All, func(other lead.Scenario) bool { return other.ID != id && other.Name == name }) {
			return fault.InvalidFields(fault.Field{Name: "name", Message: "Another scenario has this name"})
		}
		one.Name = name
		return nil
	})
}

// DeleteScenario deletes a scenario. Links that show it to the borrower stay.
func (of *Offers) DeleteScenario(ctx context.Context, id string) error {
	return of.editScenarios(ctx, func(s *lead.Scenarios) error {
		_, err := existing(s, id)
		s.Delete(id)
		return err
	})
}

// ScenarioShared records the link that shows a scenario to the borrower.
func (of *Offers) ScenarioShared(ctx context.Context, id, share string) error {
	return of.changeScenario(ctx, id, func(_ *lead.Scenarios, one *lead.Scenario) { one.Share = share })
}

func (of *Offers) newScenario() lead.Scenario {
	now := store.Millis(of.d.Now())
	return lead.Scenario{ID: ulid.MustNew(uint64(now), rand.Reader).String(), SavedAt: now}
}

// editScenarios is changeScenarios for changes that the user can undo.
func (of *Offers) editScenarios(ctx context.Context, change func(s *lead.Scenarios) error) error {
	return of.changeScenarios(ctx, func(s *lead.Scenarios) error {
		before := *s
		before.All = slices.Clone(s.All)
		if err := change(s); err != nil {
			return err
		}
		s.Remember(before)
		return nil
	})
}

// existing returns one of the user's scenarios; fault.NotFound if it was deleted.
func existing(s *lead.Scenarios, id string) (*lead.Scenario, error) {
	if one := s.Find(id); one != nil && one.ID == id {
		return one, nil
	}
	return nil, errNoScenario
}

// changeScenario changes one of the user's scenarios; fault.NotFound if it was deleted.
func (of *Offers) changeScenario(ctx context.Context, id string,
	change func(s *lead.Scenarios, one *lead.Scenario)) error {
	return of.changeScenarios(ctx, func(s *lead.Scenarios) error {
		one, err := existing(s, id)
		if err != nil {
			return err
		}
		change(s, one)
		return nil
	})
}

// changeScenarios changes the user's scenarios of the lead in one transaction, so that two devices do not undo each
// other's changes. They concern nobody else: the lead does not change, and nothing is audited.
func (of *Offers) changeScenarios(ctx context.Context, change func(s *lead.Scenarios) error) error {
	if err := of.d.May(access.SeeLead); err != nil {
		return err
	}
	app, part := of.d.Row.App, lead.ScenariosPart(of.d.Actor.UserID)
	return of.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := of.d.ReauthorizeLead(ctx, tx, access.SeeLead); err != nil {
			return err
		}
		var s lead.Scenarios
		known, err := tx.Part(ctx, app, part)
		if err == nil && known != nil && known.Version == journal.PartVersion {
			s, err = vault.UnsealJSON[lead.Scenarios](of.d.Vault, vault.PartAAD(app, part), known.Sealed)
		}
		if err != nil {
			return err
		}
		if err := change(&s); err != nil {
			return err
		}
		sealed, err := vault.SealJSON(of.d.Vault, vault.PartAAD(app, part), s)
		if err != nil {
			return err
		}
		return tx.SavePart(ctx, store.SealedPart{App: app, Part: part, Version: journal.PartVersion, Sealed: sealed,
			FetchedAt: store.Millis(of.d.Now())})
	})
}
