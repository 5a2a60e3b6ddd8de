package desk

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Beginning is the intake of a record as its person finds it.
type Beginning struct {
	Draft     Draft        // their own, begun for the record before; without an id when there is none
	Typed     Typed        // what stands in it, filled from the record where nothing stood
	Differs   []Difference // what the CRM gives otherwise than it stands
	Colleague Colleague    // what somebody else has of this record, beyond the person's reach
}

// Difference is a control that holds something else than the CRM gives.
type Difference struct {
	Control string
	CRM     string // what the CRM gives
	Here    string // what stands
}

// Colleague says how far somebody else has come with a record.
type Colleague int

// No more is said of it: whose it is and what stands in it are theirs.
const (
	NoColleague Colleague = iota
	ColleagueDraft
	ColleagueLead
)

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
	if b.Colleague, err = r.colleague(ctx); err != nil {
		return b, err
	}
	given := r.given()
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
	b.Differs = fill(b.Typed, given)
	return b, nil
}

// given is what the CRM says of the record, by control.
func (r *Launched) given() Typed {
	given := Typed{}
	for name, values := range r.l.Prefill {
		given[name] = values
	}
	if id := r.l.Record.ID; id != "" {
		given[r.d.Embeds.ReferenceControl(r.l.Record)] = []string{id}
	}
	return given.kept()
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
	if begun {
		return ColleagueDraft, err
	}
	return NoColleague, err
}

// fill puts what is given where nothing stands, and tells what stands otherwise, in the
// order of the controls' names. Who lives at the property has no address of their own.
func fill(typed, given Typed) []Difference {
	var differs []Difference
	for _, name := range slices.Sorted(maps.Keys(given)) {
		stands, says := typed.Value(name), given.Value(name)
		switch {
		case strings.TrimSpace(says) == "" || isHome(name) && typed.Value("homeIsProperty") == "true":
		case strings.TrimSpace(stands) == "":
			typed[name] = given[name]
		case !same(stands, says):
			differs = append(differs, Difference{Control: name, CRM: says, Here: stands})
		}
	}
	return differs
}

func isHome(control string) bool { return strings.HasPrefix(control, "applicant.homeAddress.") }

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
