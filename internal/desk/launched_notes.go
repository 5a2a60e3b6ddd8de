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

// Notes are what is known of a record besides what stands in its intake.
type Notes struct {
	Saved     time.Time    // when the draft was saved last; zero for one that was not
	Differs   []Difference // what the CRM gives otherwise than it stands
	Left      []string     // controls for which the CRM gave what none takes
	Colleague Colleague    // what somebody else has of the record, beyond the person's reach
	Elsewhere []Row        // leads that carry the record's id, as Elsewhere finds them
	// Former is the person's own draft for a record of this number, begun before types told
	// records apart; "" when there is none.
	Former string
}

// Difference is a control that holds something else than the CRM gives.
type Difference struct {
	Control string
	CRM     string // what the CRM gives
	Here    string // what stands; may be nothing
}

// Colleague says how far somebody else has come with a record.
type Colleague int

// No more is said of it: whose it is and what stands in it are theirs.
const (
	NoColleague Colleague = iota
	ColleagueDraft
	ColleagueLead
	ColleagueFormer // a lead or draft for a record of this number, from before types told records apart
)

// Notes finds them for an intake as it stands, which is the draft of that number: the same
// for each showing of it. A draft that was begun for another record, or for none, has none.
func (r *Launched) Notes(ctx context.Context, draft string, stands Typed) (Notes, error) {
	if err := r.d.may(access.PrepareDraft); err != nil {
		return Notes{}, err
	}
	var n Notes
	given, unusable := r.given()
	row, err := r.d.Store.Draft(ctx, r.d.seat(), draft)
	switch {
	case fault.KindOf(err) == fault.NotFound: // what is saved under this number will be the record's
	case err != nil:
		return n, err
	case !slices.Contains(r.d.Embeds.Marks(r.l.Client, r.l.Record), row.Record):
		return n, nil
	default:
		n.Saved, n.Differs = store.Instant(row.UpdatedAt), differences(stands, given)
	}
	n.Left = unusable
	if n.Colleague, err = r.colleague(ctx); err != nil {
		return n, err
	}
	former, err := r.draftOf(ctx, r.d.Embeds.Former(r.l.Client, r.l.Record))
	if err != nil {
		return n, err
	}
	n.Former = former.ID
	n.Elsewhere, err = r.Elsewhere(ctx)
	return n, err
}

// colleague looks whether anybody else works on the record.
func (r *Launched) colleague(ctx context.Context) (Colleague, error) {
	marks := r.d.Embeds.Marks(r.l.Client, r.l.Record)
	if len(marks) == 0 {
		return NoColleague, nil
	}
	if _, mine, err := r.Lead(ctx); err != nil || mine {
		return NoColleague, err
	}
	if lead, err := r.d.Store.Recorded(ctx, marks); err != nil || lead {
		return ColleagueLead, err
	}
	begun, err := r.d.Store.OthersDraft(ctx, r.d.Actor.UserID, marks)
	if begun || err != nil {
		return ColleagueDraft, err
	}
	return r.former(ctx)
}

// former looks whether anybody else works on a record of the number, kept before types told
// records apart.
func (r *Launched) former(ctx context.Context) (Colleague, error) {
	marks := r.d.Embeds.Former(r.l.Client, r.l.Record)
	if len(marks) == 0 {
		return NoColleague, nil
	}
	begun, err := r.d.Store.OthersDraft(ctx, r.d.Actor.UserID, marks)
	if begun || err != nil {
		return ColleagueFormer, err
	}
	all, err := r.d.Store.LeadsOfReference(ctx, access.Scope{BrokerID: r.d.Actor.BrokerID}, marks)
	for _, l := range all {
		if !r.d.Actor.Scope().Covers(l.Owner()) { // one within reach stands among Elsewhere
			return ColleagueFormer, nil
		}
	}
	return NoColleague, err
}

// differences are the controls that stand otherwise than they are given, in the order of
// their names.
func differences(stands, given Typed) []Difference {
	var all []Difference
	for _, name := range slices.Sorted(maps.Keys(given)) {
		here, says := stands.Value(name), given.Value(name)
		if strings.TrimSpace(says) != "" && asked(stands, name) && !same(here, says) {
			all = append(all, Difference{Control: name, CRM: says, Here: strings.TrimSpace(here)})
		}
	}
	return all
}

// same says whether two spellings mean the same: an amount, a day, or a text whose signs,
// blanks and capitals do not count.
func same(a, b string) bool {
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
