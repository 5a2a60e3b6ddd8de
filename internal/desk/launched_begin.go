package desk

import (
	"context"
	"maps"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/journal"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Beginning is the intake of a record as its person finds it.
type Beginning struct {
	Draft Draft // their own, begun for the record before; without an id when there is none
	Typed Typed // what stands in it, filled from the record where nothing stood
}

// Begin is what the intake of the record begins with: the draft that this person began for
// it, else what the CRM gives, with the record's own id as the reference that the lender
// will keep. A draft of somebody else is never opened.
func (r *Launched) Begin(ctx context.Context) (Beginning, error) {
	if err := r.d.may(access.PrepareDraft); err != nil {
		return Beginning{}, err
	}
	var b Beginning
	row, err := r.draft(ctx)
	if err != nil {
		return b, err
	}
	given, _ := r.given()
	if row.ID == "" {
		b.Typed = given
		if !slices.ContainsFunc(slices.Collect(maps.Keys(given)), isHome) {
			b.Typed["homeIsProperty"] = []string{"true"} // as on an empty form
		}
		return b, nil
	}
	if b.Typed, err = vault.UnsealJSON[Typed](r.d.Vault, journal.PlaceOfDraft(row.ID), row.Sealed); err != nil {
		return b, err
	}
	b.Draft = Draft{ID: row.ID, SavedAt: store.Instant(row.UpdatedAt), Restart: row.Restart != ""}
	fill(b.Typed, given)
	return b, nil
}

// given is what the CRM says of the record, by control, and the controls for which it says
// what none takes.
func (r *Launched) given() (given Typed, unusable []string) {
	given, unusable = Typed{}, slices.Clone(r.l.Left)
	for _, name := range slices.Sorted(maps.Keys(r.l.Prefill)) {
		if value, ok := ControlValue(name, r.l.Prefill.Get(name), r.d.Live()); ok {
			given[name] = []string{value}
		} else {
			unusable = append(unusable, name)
		}
	}
	if id := r.l.Record.ID; id != "" {
		given[r.d.Embeds.ReferenceControl(r.l.Record)] = []string{id}
	}
	return given.kept(), unusable
}

// fill puts what is given where nothing stands.
func fill(typed, given Typed) {
	for name, says := range given {
		if strings.TrimSpace(given.Value(name)) != "" && strings.TrimSpace(typed.Value(name)) == "" && asked(typed, name) {
			typed[name] = says
		}
	}
}

// asked says whether a control counts in an intake: who lives at the property has no
// address of their own.
func asked(typed Typed, control string) bool {
	return !isHome(control) || typed.Value("homeIsProperty") != "true"
}

func isHome(control string) bool { return strings.HasPrefix(control, "applicant.homeAddress.") }
