package page

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"hearthline/web/form"
)

// StepUp determines when a route requires a recent step-up.
type StepUp int

// The values of StepUp.
const (
	StepUpNever   StepUp = iota
	StepUpWithSSN        // when the form contains an SSN
	StepUpAlways
)

// Required reports whether this request needs a step-up.
func (s StepUp) Required(r *http.Request) bool {
	switch s {
	case StepUpAlways:
		return true
	case StepUpWithSSN:
		return len(SsnControlsIn(Posted(r))) > 0
	default:
		return false
	}
}

// SsnControlsIn returns the names of the controls that contain an SSN, in order.
func SsnControlsIn(posted url.Values) []string {
	var names []string
	for name, values := range posted {
		if form.IsSecretControl(name) && strings.TrimSpace(strings.Join(values, "")) != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
