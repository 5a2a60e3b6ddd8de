package lead

import (
	"maps"
	"slices"
	"strings"

	"hearthline/internal/heloc"
)

// Storable removes what no form may store in a draft: the SSN, the consent, the values that belong to one rendering of
// the form, and the report of an import.
func (f FormValues) Storable() FormValues {
	values := maps.Clone(f)
	for name := range values {
		if strings.Contains(strings.ToLower(name), "ssn") || strings.HasPrefix(name, "consent.") ||
			strings.HasPrefix(name, "confirm.") ||
			strings.HasPrefix(name, importPrefix) || name == "operation" || name == "draft" || name == "draft.originator" {
			delete(values, name)
			continue
		}
		values[name] = withoutSSNs(values[name])
	}
	return values
}

// withoutSSNs masks Social Security numbers that were typed into another control.
func withoutSSNs(values []string) []string {
	masked := slices.Clone(values)
	for i := range masked {
		masked[i], _ = heloc.MaskSSNs(masked[i])
	}
	return masked
}
