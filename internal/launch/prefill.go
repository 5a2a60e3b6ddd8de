package launch

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// looseText is what a CRM says as a string, or as a whole number: many write ids and amounts so.
type looseText struct {
	value    string
	unusable bool // something else stood there
}

var wholeNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,17})$`)

// UnmarshalJSON never fails: what is no text is for the reader to judge.
func (t *looseText) UnmarshalJSON(raw []byte) error {
	*t = looseText{}
	switch {
	case bytes.Equal(raw, []byte("null")):
	case wholeNumber.Match(raw):
		t.value = string(raw)
	default:
		t.unusable = json.Unmarshal(raw, &t.value) != nil
	}
	return nil
}

// recordClaim is a record, as a launch names it.
type recordClaim struct {
	Type looseText `json:"type"`
	ID   looseText `json:"id"`
}

// record is what the person looks at. An id that is no text is refused: without it the
// desk would open beside another record, or beside none.
func (s recordClaim) record() (Record, error) {
	if s.ID.unusable || s.Type.unusable {
		return Record{}, newRejection(CauseRecord, "the record's id is neither text nor a whole number")
	}
	return Record{Type: s.Type.value, ID: s.ID.value}, nil
}

// RecordType is a record's type as records are told apart: in small letters, and HubSpot's own
// objects by their names where a card gives the numbers of their types.
func RecordType(k Kind, said string) string {
	said = strings.ToLower(strings.TrimSpace(said))
	if k != KindCall {
		return said
	}
	switch said {
	case "0-1":
		return "contact"
	case "0-2":
		return "company"
	case "0-3":
		return "deal"
	case "0-5":
		return "ticket"
	default:
		return said
	}
}

// prefillFields is what a launch fills the intake with, control by control.
type prefillFields map[string]looseText

// UnmarshalJSON never fails: whatever is no object fills nothing, as the empty list that
// some languages write for an empty object.
func (f *prefillFields) UnmarshalJSON(raw []byte) error {
	var all map[string]looseText
	if json.Unmarshal(raw, &all) != nil {
		all = nil
	}
	*f = all
	return nil
}

// controls takes the controls that an intake has, once each, and names those of which the
// value is of no use. A launch never fills an SSN, a consent or a confirmation: those are
// the borrower's and the person's own.
func (f prefillFields) controls() (taken url.Values, unusable []string) {
	taken = url.Values{}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		switch value := f[name]; {
		case !fillable(name):
		case value.unusable || len([]rune(value.value)) > maxText || len(taken)+len(unusable) >= maxPrefill:
			unusable = append(unusable, name)
		case value.value != "":
			taken.Set(name, value.value)
		}
	}
	return taken, unusable[:min(len(unusable), maxUnusable)]
}

func fillable(name string) bool {
	if name == "applicant.ssn" || len(name) > 100 {
		return false
	}
	return slices.ContainsFunc([]string{"applicant.", "property.", "partnerDataRequest.utmParameters.", "businessInfo."}, func(begin string) bool {
		return strings.HasPrefix(name, begin)
	}) || name == "amountWanted"
}
