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

// PrefilledIntake is the intake of a record as its person finds it.
type PrefilledIntake struct {
	Draft Draft      // their own, begun for the record before; without an id when there is none
	Typed FormValues // what stands in it, filled from the record where nothing stood
}

// PrefilledIntake is what the intake of the record begins with: the draft that this person began for
// it, else what the CRM gives, with the record's own id as the reference that the lender
// will keep. A draft of somebody else is never opened.
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
		if !slices.ContainsFunc(slices.Collect(maps.Keys(given)), isHomeAddressControl) {
			b.Typed["homeIsProperty"] = []string{"true"} // as on an empty form
		}
		return b, nil
	}
	if b.Typed, err = vault.UnsealJSON[FormValues](r.d.Vault, journal.DraftAAD(row.ID), row.Sealed); err != nil {
		return b, err
	}
	b.Draft = Draft{ID: row.ID, SavedAt: store.Instant(row.UpdatedAt), Restart: row.Restart != ""}
	fillEmpty(b.Typed, given)
	return b, nil
}

// crmValues is what the CRM says of the record, by control, and the controls for which it says
// what none takes.
func (r *CRMLaunch) crmValues() (given FormValues, unusable []string) {
	given, unusable = FormValues{}, slices.Clone(r.launch.Unusable)
	for _, name := range slices.Sorted(maps.Keys(r.launch.Prefill)) {
		if value, ok := ControlValue(name, r.launch.Prefill.Get(name), r.d.LiveDialect()); ok {
			given[name] = []string{value}
		} else {
			unusable = append(unusable, name)
		}
	}
	if id := r.launch.Record.ID; id != "" {
		given[r.d.Embeds.ReferenceControl(r.launch.Record)] = []string{id}
	}
	return given.storable(), unusable
}

// fillEmpty puts what is given where nothing stands.
func fillEmpty(typed, given FormValues) {
	for name, says := range given {
		if strings.TrimSpace(given.Value(name)) != "" && strings.TrimSpace(typed.Value(name)) == "" && isAsked(typed, name) {
			typed[name] = says
		}
	}
}

// isAsked says whether a control counts in an intake: who lives at the property has no
// address of their own.
func isAsked(typed FormValues, control string) bool {
	return !isHomeAddressControl(control) || typed.Value("homeIsProperty") != "true"
}

func isHomeAddressControl(control string) bool {
	return strings.HasPrefix(control, "applicant.homeAddress.")
}
