package intake

import (
	"maps"
	"slices"
	"strings"

	"hearthline/internal/heloc"
	view "hearthline/views/intake"
	"hearthline/web/form"
)

// estimateAddresses lists the addresses of the quick estimate.
func estimateAddresses() []string { return []string{"address", "mailingAddress"} }

// presentEstimateStatus maps what the page's script shows when the user leaves a field: the entries that cannot be
// sent as they are, but not yet what is missing. Nothing is stored or sent.
func presentEstimateStatus(f *form.Form, live bool, today heloc.Date) view.DraftStatus {
	trial := form.Form{Values: f.Values, Corrections: map[string]string{}}
	Prequalification(&trial, live, today)
	status := view.DraftStatus{Problems: []view.DraftNote{}, Corrections: []view.DraftNote{}, Places: placesOf(f, estimateAddresses()...)}
	for _, field := range trial.FieldErrors {
		if strings.TrimSpace(trial.Values.Get(field.Name)) != "" {
			status.Problems = append(status.Problems, view.DraftNote{Name: field.Name, Text: field.Message})
		}
	}
	notes := trial.CorrectionNotes()
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		status.Corrections = append(status.Corrections, view.DraftNote{Name: name, Text: notes[name]})
	}
	return status
}
