package desk

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
	"hearthline/internal/store"
)

// IntakeHints are what is known of a record besides what stands in its intake.
type IntakeHints struct {
	Saved         time.Time         // when the draft was saved last; zero for one that was not
	Differences   []Difference      // what the CRM gives otherwise than it stands
	Unused        []string          // controls for which the CRM gave what none takes
	Colleague     ColleagueProgress // what somebody else has of the record, beyond the person's reach
	UnlinkedLeads []PipelineRow     // leads that carry the record's id, as Elsewhere finds them
	// LegacyDraft is the person's own draft for a record of this number, begun before types told
	// records apart; "" when there is none.
	LegacyDraft string
}

// Difference is a control that holds something else than the CRM gives.
type Difference struct {
	Control string
	CRM     string // what the CRM gives
	Current string // what stands; may be nothing
}

// ColleagueProgress says how far somebody else has come with a record.
type ColleagueProgress int

// No more is said of it: whose it is and what stands in it are theirs.
const (
	ColleagueNone ColleagueProgress = iota
	ColleagueDraft
	ColleagueLead
	ColleagueLegacy // a lead or draft for a record of this number, from before types told records apart
)

// IntakeHints finds them for an intake as it stands, which is the draft of that number: the same
// for each showing of it. A draft that was begun for another record, or for none, has none.
func (r *CRMLaunch) IntakeHints(ctx context.Context, draft string, stands FormValues) (IntakeHints, error) {
	if err := r.d.may(access.PrepareDraft); err != nil {
		return IntakeHints{}, err
	}
	var n IntakeHints
	given, unusable := r.crmValues()
	row, err := r.d.Store.Draft(ctx, r.d.userScope(), draft)
	switch {
	case fault.KindOf(err) == fault.NotFound: // what is saved under this number will be the record's
	case err != nil:
		return n, err
	case !slices.Contains(r.d.Embeds.RecordIndexes(r.launch.Client, r.launch.Record), row.RecordIndex):
		return n, nil
	default:
		n.Saved, n.Differences = store.Instant(row.UpdatedAt), differences(stands, given)
	}
	n.Unused = unusable
	if n.Colleague, err = r.colleagueProgress(ctx); err != nil {
		return n, err
	}
	former, err := r.draftByIndexes(ctx, r.d.Embeds.LegacyIndexes(r.launch.Client, r.launch.Record))
	if err != nil {
		return n, err
	}
	n.LegacyDraft = former.ID
	n.UnlinkedLeads, err = r.UnlinkedLeads(ctx)
	return n, err
}

// colleagueProgress looks whether anybody else works on the record.
func (r *CRMLaunch) colleagueProgress(ctx context.Context) (ColleagueProgress, error) {
	marks := r.d.Embeds.RecordIndexes(r.launch.Client, r.launch.Record)
	if len(marks) == 0 {
		return ColleagueNone, nil
	}
	if _, mine, err := r.Lead(ctx); err != nil || mine {
		return ColleagueNone, err
	}
	if lead, err := r.d.Store.HasLinkedRecord(ctx, marks); err != nil || lead {
		return ColleagueLead, err
	}
	begun, err := r.d.Store.HasOthersDraft(ctx, r.d.Actor.UserID, marks)
	if begun || err != nil {
		return ColleagueDraft, err
	}
	return r.legacyProgress(ctx)
}

// legacyProgress looks whether anybody else works on a record of the number, kept before types told
// records apart.
func (r *CRMLaunch) legacyProgress(ctx context.Context) (ColleagueProgress, error) {
	marks := r.d.Embeds.LegacyIndexes(r.launch.Client, r.launch.Record)
	if len(marks) == 0 {
		return ColleagueNone, nil
	}
	begun, err := r.d.Store.HasOthersDraft(ctx, r.d.Actor.UserID, marks)
	if begun || err != nil {
		return ColleagueLegacy, err
	}
	all, err := r.d.Store.LeadsOfReference(ctx, access.Scope{BrokerID: r.d.Actor.BrokerID}, marks)
	for _, l := range all {
		if !r.d.Actor.Scope().Covers(l.Owner()) { // one within reach stands among Elsewhere
			return ColleagueLegacy, nil
		}
	}
	return ColleagueNone, err
}

// differences are the controls that stand otherwise than they are given, in the order of
// their names.
func differences(stands, given FormValues) []Difference {
	var all []Difference
	for _, name := range slices.Sorted(maps.Keys(given)) {
		here, says := stands.Value(name), given.Value(name)
		if strings.TrimSpace(says) != "" && isAsked(stands, name) && !sameValue(here, says) {
			all = append(all, Difference{Control: name, CRM: says, Current: strings.TrimSpace(here)})
		}
	}
	return all
}

// sameValue says whether two spellings mean the same: an amount, a day, or a text whose signs,
// blanks and capitals do not count.
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
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, s)
	}
	return bare(a) == bare(b)
}
