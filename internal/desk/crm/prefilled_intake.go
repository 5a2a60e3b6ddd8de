package crm

import (
	"context"
	"maps"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/lead"
)

// PrefilledIntake is the intake form of a record when its user opens it.
type PrefilledIntake struct {
	DraftID string          // of the user's own draft for the record; empty when there is none
	Typed   lead.FormValues // the form values; values of the record fill the empty ones
}

// PrefilledIntake returns the initial intake form of the record: the user's own draft for it or, without one, the
// CRM's values, with the record's id as the reference that the lender will store. It never opens another user's
// draft.
func (l *Launch) PrefilledIntake(ctx context.Context) (PrefilledIntake, error) {
	if err := l.d.May(access.PrepareDraft); err != nil {
		return PrefilledIntake{}, err
	}
	var b PrefilledIntake
	row, err := l.ownDraft(ctx)
	if err != nil {
		return b, err
	}
	given, _ := l.crmValues()
	if row.ID == "" {
		b.Typed = given
		b.Typed.CheckHomeByDefault()
		return b, nil
	}
	if b.Typed, _, err = l.d.UnsealDraft(row); err != nil {
		return b, err
	}
	b.DraftID = row.ID
	lead.FillEmpty(b.Typed, given)
	return b, nil
}

// crmValues returns the CRM's values by control, and the controls that do not accept theirs.
func (l *Launch) crmValues() (given lead.FormValues, unusable []string) {
	given, unusable = lead.FormValues{}, slices.Clone(l.launch.Unusable)
	record := ""
	if l.launch.Record.ID != "" {
		record = l.d.Embeds.ReferenceControl(l.launch.Record)
	}
	for _, name := range slices.Sorted(maps.Keys(l.launch.Prefill)) {
		if name == l.d.ReservedReference() || name == record && l.launch.Prefill.Get(name) != l.launch.Record.ID {
			unusable = append(unusable, name) // the field contains another number
		} else if value, ok := lead.ControlValue(name, l.launch.Prefill.Get(name), l.d.LiveDialect()); ok {
			given[name] = []string{value}
		} else {
			unusable = append(unusable, name)
		}
	}
	splitLines(given)
	if record != "" {
		given[record] = []string{l.launch.Record.ID}
	}
	return given.Storable(), unusable
}

// FormattedValues returns the CRM's values as the form shows them.
func (l *Launch) FormattedValues(formatValue func(control, value string) string) lead.FormValues {
	given, _ := l.crmValues()
	for name := range given {
		given[name] = []string{formatValue(name, given.Value(name))}
	}
	return given
}
