package views

import "strings"

// shown says whether a control holds something that a person typed, and not a number that
// the page carried along.
func (t Typed) shown() bool {
	return t.Value != "" && t.Name != "operation" && t.Name != "draft" && !strings.HasSuffix(t.Name, "version") && !strings.HasSuffix(t.Name, "Uuid")
}
