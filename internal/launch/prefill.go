package launch

import (
	"bytes"
	"cmp"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/go-jose/go-jose/v4/json"

	"hearthline/internal/lead"
)

// looseText accepts a string or a whole number: many CRMs send ids and amounts as numbers.
type looseText struct {
	value    string
	unusable bool // the value was something else
}

var wholeNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,17})$`)

// UnmarshalJSON never fails: the reader decides what to do with an unusable value.
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

// recordClaim is the record in a launch.
type recordClaim struct {
	Type looseText `json:"type"`
	ID   looseText `json:"id"`
}

// record returns the record. It rejects an id that is not text: without the id, the portal
// would open next to the wrong record or without one.
func (r recordClaim) record() (Record, error) {
	if r.ID.unusable || r.Type.unusable {
		return Record{}, errRecord
	}
	return Record{Type: r.Type.value, ID: r.ID.value}, nil
}

// RecordType normalizes a record's type: lower case, and the names of HubSpot's own objects
// instead of the type numbers that its cards send.
func RecordType(k Kind, name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	if k == KindCall {
		hubspot := map[string]string{"0-1": "contact", "0-2": "company", "0-3": "deal", "0-5": "ticket"}
		return cmp.Or(hubspot[name], name)
	}
	return name
}

// prefillFields are the intake values in a launch, by control.
type prefillFields map[string]looseText

// UnmarshalJSON treats anything but an object as no values, such as the empty list that some languages write for an
// empty object. A control that an object names twice is an error.
func (f *prefillFields) UnmarshalJSON(raw []byte) error {
	*f = nil
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	return json.Unmarshal(raw, (*map[string]looseText)(f))
}

// isControl reports whether r is a control character other than white space: an address in a CRM may have several
// lines, and the form corrects that visibly.
func isControl(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }

// FieldUse is what becomes of a field of a launch.
type FieldUse string

// What becomes of fields.
const (
	FieldUsed      FieldUse = "used"
	FieldEmpty     FieldUse = "empty"
	FieldReserved  FieldUse = "reserved" // only the borrower or the user may fill it in
	FieldUnknown   FieldUse = "unknown"
	FieldType      FieldUse = "type" // neither text nor a whole number
	FieldTooLong   FieldUse = "long"
	FieldCharacter FieldUse = "character" // has a control character
	FieldTooMany   FieldUse = "many"      // comes after the most fields that are used
	// The new inquiry decides these two: the value is not one of its control, or the control has another number.
	FieldValue     FieldUse = "value"
	FieldReference FieldUse = "reference"
)

// FieldResult is a field of a launch and what becomes of it. It has no value.
type FieldResult struct {
	Name string
	Use  FieldUse
}

// use returns what becomes of one field, after n others were used or reported.
func (t looseText) use(name string, n int) FieldUse {
	switch {
	case isReserved(name):
		return FieldReserved
	case !IsField(name):
		return FieldUnknown
	case t.unusable:
		return FieldType
	case len([]rune(t.value)) > maxText:
		return FieldTooLong
	case strings.ContainsFunc(t.value, isControl):
		return FieldCharacter
	case n >= maxPrefill:
		return FieldTooMany
	case t.value == "":
		return FieldEmpty
	default:
		return FieldUsed
	}
}

// fill sets the values for existing intake controls, and the names of fields that fill in none: unknown ones, and
// controls with unusable values. A launch never fills in an SSN, a consent or a confirmation: only the borrower or the
// user may.
func (a *Assertion) fill(fields prefillFields) {
	a.Prefill = url.Values{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		result := FieldResult{shownName(name), fields[name].use(name, len(a.Prefill)+len(a.Unusable))}
		switch result.Use {
		case FieldReserved, FieldEmpty:
		case FieldUsed:
			a.Prefill.Set(name, fields[name].value)
		default:
			a.Unusable = append(a.Unusable, result.Name)
		}
		a.Fields = append(a.Fields, result)
	}
	a.Unusable = slices.Compact(a.Unusable)
	a.Unusable = a.Unusable[:min(len(a.Unusable), maxUnusable)]
}

// fieldPattern matches the fields that a launch can fill in, with the number of a lien.
var fieldPattern = func() *regexp.Regexp {
	var names []string
	for _, f := range lead.LaunchFields() {
		names = append(names, strings.ReplaceAll(regexp.QuoteMeta(f.Name), "#", "(?:[0-9]|[1-4][0-9])"))
	}
	return regexp.MustCompile(`^(?:` + strings.Join(names, "|") + `)$`)
}()

// IsField reports whether a launch can fill in a control.
func IsField(name string) bool { return fieldPattern.MatchString(name) }

// isReserved reports whether a launch never fills in a control, whatever its value, and does not report it: an SSN, a
// consent or a confirmation.
func isReserved(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), "ssn") || strings.HasPrefix(name, "consent.") ||
		strings.HasPrefix(name, "confirm.")
}

// maxFieldName is how much of the name of an unknown field is shown.
const maxFieldName = 60

// shownName returns the name of an unknown field as it can be shown and stored: short, and in plain characters.
func shownName(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || strings.ContainsRune("._-[] ", r) {
			return r
		}
		return '?'
	}, name)
	return plain[:min(len(plain), maxFieldName)]
}
