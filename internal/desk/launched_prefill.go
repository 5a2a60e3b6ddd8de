package desk

import (
	"context"
	"maps"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/store"
)

// PrefilledIntake is the intake form of a record when its user opens it.
type PrefilledIntake struct {
	Draft Draft      // the user's own draft for the record; without an id when there is none
	Typed FormValues // the form values; values of the record fill the empty ones
}

// PrefilledIntake returns the initial intake form of the record: the user's own draft for it or, without one, the
// CRM's values, with the record's id as the reference that the lender will store. It never opens another user's
// draft.
func (r *CRMLaunch) PrefilledIntake(ctx context.Context) (PrefilledIntake, error) {
	if err := r.d.may(access.PrepareDraft); err != nil {
		return PrefilledIntake{}, err
	}
	var b PrefilledIntake
	row, err := r.ownDraft(ctx)
	if err != nil {
		return b, err
	}
	given, _ := r.crmValues()
	if row.ID == "" {
		b.Typed = given
		b.Typed.CheckHomeByDefault()
		return b, nil
	}
	if b.Typed, _, err = r.d.unsealDraft(row); err != nil {
		return b, err
	}
	b.Draft = Draft{ID: row.ID, SavedAt: store.Instant(row.UpdatedAt), Restart: row.Restart != ""}
	fillEmpty(b.Typed, given)
	return b, nil
}

// crmValues returns the CRM's values by control, and the controls that do not accept theirs.
func (r *CRMLaunch) crmValues() (given FormValues, unusable []string) {
	given, unusable = FormValues{}, slices.Clone(r.launch.Unusable)
	record := ""
	if r.launch.Record.ID != "" {
		record = r.d.embeds.ReferenceControl(r.launch.Record)
	}
	for _, name := range slices.Sorted(maps.Keys(r.launch.Prefill)) {
		if name == r.d.ReservedReference() || name == record && r.launch.Prefill.Get(name) != r.launch.Record.ID {
			unusable = append(unusable, name) // the field contains another number
		} else if value, ok := ControlValue(name, r.launch.Prefill.Get(name), r.d.LiveDialect()); ok {
			given[name] = []string{value}
		} else {
			unusable = append(unusable, name)
		}
	}
	splitLines(given)
	if record != "" {
		given[record] = []string{r.launch.Record.ID}
	}
	return given.storable(), unusable
}

// fillEmpty fills empty controls with the given values.
func fillEmpty(typed, given FormValues) {
	for name, values := range given {
		if strings.TrimSpace(given.Value(name)) != "" && strings.TrimSpace(typed.Value(name)) == "" && isAsked(typed, name) {
			typed[name] = values
		}
	}
}
