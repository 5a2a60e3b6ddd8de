package crm

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/input"
	"hearthline/internal/launch"
	"hearthline/internal/lead"
	"hearthline/internal/store"
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
	if b.Typed, err = l.d.UnsealDraft(row); err != nil {
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

// RecordIntake is what is known about the record of a CRM besides the values in its intake form.
type RecordIntake struct {
	CRM           string             // display name
	CanLink       bool               // whether the user may link leads to the record
	Lead          *lead.PipelineRow  // the record's lead; nil if it has none
	Saved         time.Time          // when the draft was last saved; zero if it was not saved
	Differences   []Difference       // controls for which the CRM gives another value
	Unused        []string           // controls that do not accept the value that the CRM gave
	Unknown       []string           // names that the CRM gave values for, and that no control has
	Colleague     ColleagueProgress  // what a colleague has for the record, if the user cannot access it
	UnlinkedLeads []lead.PipelineRow // leads that have the record's id as a reference, as UnlinkedLeads returns them
	// LegacyDraft is the id of the user's own draft for a record with this id, begun before indexes included the
	// record's type; "" when there is none.
	LegacyDraft string
}

// Difference is a control whose value differs from the one that the CRM gives.
type Difference struct {
	Control string
	CRM     string // the value that the CRM gives
	Current string // the current value; may be empty
}

// ColleagueProgress is how far a colleague has come with a record.
type ColleagueProgress int

// The user learns no more than this: the owner and the contents stay private.
const (
	ColleagueNone ColleagueProgress = iota
	ColleagueDraft
	ColleagueLead
	ColleagueLegacy // a lead or draft for a record with this id, begun before indexes included the record's type
)

// RecordIntake returns what is known about the record while a form with the given draft id and values is shown. It is
// the same each time the form is rendered. A draft that was begun for another record, or for none, has no hints.
func (l *Launch) RecordIntake(ctx context.Context, draft string, values lead.FormValues) (*RecordIntake, error) {
	n := &RecordIntake{CRM: l.CRM(), CanLink: l.d.Actor.Can(access.AnnotateLead)}
	if err := l.d.May(access.PrepareDraft); err != nil {
		return n, err
	}
	own, found, err := l.Lead(ctx)
	if err != nil {
		return n, err
	}
	if found {
		n.Lead = &own
	}
	given, unusable := l.crmValues()
	row, err := l.d.Store.Draft(ctx, l.d.UserScope(), draft)
	switch {
	case fault.Is(err, fault.NotFound): // what will be saved under this id will belong to the record
	case err != nil:
		return n, err
	case !slices.Contains(l.d.Embeds.RecordIndexes(l.launch.Client, l.launch.Record), row.RecordIndex):
		return n, nil
	default:
		n.Saved, n.Differences = store.Instant(row.UpdatedAt), differences(values, given)
	}
	for _, name := range unusable {
		if launch.IsField(name) || name == lead.HomeIsProperty {
			n.Unused = append(n.Unused, name)
		} else {
			n.Unknown = append(n.Unknown, name)
		}
	}
	l.d.Embeds.LogUnusedFields(ctx, l.launch.Client, unusable)
	if !found {
		if n.Colleague, err = l.colleagueProgress(ctx); err != nil {
			return n, err
		}
	}
	former, err := l.draftByIndexes(ctx, l.d.Embeds.LegacyIndexes(l.launch.Client, l.launch.Record))
	if err != nil {
		return n, err
	}
	n.LegacyDraft = former.ID
	n.UnlinkedLeads, err = l.UnlinkedLeads(ctx)
	return n, err
}

// colleagueProgress reports whether a colleague works on the record, of which the user can access no lead.
func (l *Launch) colleagueProgress(ctx context.Context) (ColleagueProgress, error) {
	blindIndexes := l.d.Embeds.RecordIndexes(l.launch.Client, l.launch.Record)
	if len(blindIndexes) == 0 {
		return ColleagueNone, nil
	}
	if linked, err := l.d.Store.HasLinkedRecord(ctx, blindIndexes); err != nil || linked {
		return ColleagueLead, err
	}
	begun, err := l.d.Store.HasOthersDraft(ctx, l.d.Actor.UserID, blindIndexes)
	if begun || err != nil {
		return ColleagueDraft, err
	}
	return l.legacyProgress(ctx)
}

// legacyProgress reports whether a colleague works on a record with this id that was stored before indexes included
// the record's type.
func (l *Launch) legacyProgress(ctx context.Context) (ColleagueProgress, error) {
	blindIndexes := l.d.Embeds.LegacyIndexes(l.launch.Client, l.launch.Record)
	if len(blindIndexes) == 0 {
		return ColleagueNone, nil
	}
	begun, err := l.d.Store.HasOthersDraft(ctx, l.d.Actor.UserID, blindIndexes)
	if begun || err != nil {
		return ColleagueLegacy, err
	}
	all, err := l.d.Store.LeadsOfReference(ctx, access.Scope{BrokerID: l.d.Actor.BrokerID}, blindIndexes)
	for _, one := range all {
		if !l.d.Actor.Scope().Covers(one.Owner()) { // an accessible one is among UnlinkedLeads
			return ColleagueLegacy, nil
		}
	}
	return ColleagueNone, err
}

// differences lists the controls whose value differs from the given one, ordered by name.
func differences(values, given lead.FormValues) []Difference {
	var all []Difference
	for _, name := range slices.Sorted(maps.Keys(given)) {
		current, value := values.Value(lead.SentAs(values, name)), given.Value(name)
		if strings.TrimSpace(value) != "" && !sameValue(current, value) {
			all = append(all, Difference{Control: name, CRM: value, Current: strings.TrimSpace(current)})
		}
	}
	return all
}

// sameValue reports whether two values mean the same: an amount, a date, or a text without regard to punctuation,
// spaces and case.
func sameValue(a, b string) bool {
	if x, err := heloc.ParseMoney(a); err == nil {
		if y, err := heloc.ParseMoney(b); err == nil {
			return x == y
		}
	}
	if x, err := heloc.ParseDate(a); err == nil {
		if y, err := heloc.ParseDate(b); err == nil {
			return x == y
		}
	}
	bare := func(s string) string {
		s = input.Line(s).Text
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, s)
	}
	return bare(a) == bare(b)
}
