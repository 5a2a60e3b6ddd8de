package crm

import (
	"context"
	"maps"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
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

// splitLines puts the values of a CRM on one line each, as the controls have them: the browser would drop the break
// and join the words on both sides. A street of several lines becomes street and unit.
func splitLines(given lead.FormValues) {
	for name := range given {
		lines := linesOf(given.Value(name))
		if group, street := strings.CutSuffix(name, ".street1"); street && len(lines) > 1 {
			splitStreet(given, group, lines)
		} else if strings.ContainsFunc(given.Value(name), isLineBreak) {
			given[name] = []string{strings.Join(lines, " ")}
		}
	}
}

// splitStreet takes the first line that begins with a number as the street. The others are the unit, except one that
// repeats the ZIP code.
func splitStreet(given lead.FormValues, group string, lines []string) {
	street := 0
	for i, line := range lines {
		if line[0] >= '0' && line[0] <= '9' {
			street = i
			break
		}
	}
	var unit []string
	for i, line := range lines {
		if zip := given.Value(group + ".zip"); i != street && (zip == "" || !strings.Contains(line, zip)) {
			unit = append(unit, line)
		}
	}
	text, own := strings.Join(unit, " "), strings.Join(linesOf(given.Value(group+".street2")), " ")
	if !strings.Contains(heloc.FoldForSearch(text), heloc.FoldForSearch(own)) {
		text = strings.TrimSpace(text + " " + own)
	}
	given[group+".street1"] = []string{lines[street]}
	if text != "" {
		given[group+".street2"] = []string{text}
	}
}

func isLineBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == '\v' || r == '\u2028' || r == '\u2029'
}

func linesOf(text string) []string {
	var lines []string
	for line := range strings.FieldsFuncSeq(text, isLineBreak) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
