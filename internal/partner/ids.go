package partner

import (
	"strings"

	"hearthline/internal/heloc"
)

// Ids of an answer are parsed when it is read: only a well-formed UUID is an id, and anything
// else is absent. Ids that go back to the lender keep the case in which the lender sent them.

// keepID leaves a member of an object only if it is a UUID. It reports false for a member
// that is something else; null and "" are absent, not malformed.
func keepID(o object, name string) bool {
	value, present := o[name]
	if !present || value == nil || value == "" {
		delete(o, name)
		return true
	}
	text, _ := value.(string)
	if _, err := heloc.ParseAppID(text); err != nil {
		delete(o, name)
	}
	_, kept := o[name]
	return kept
}

// keepIDs applies keepID to members at some paths, each an object's path and the member's name
// after the last dot, and returns the paths at which an id was malformed, never their values.
func keepIDs(tree any, paths ...string) (malformed []string) {
	for _, path := range paths {
		whole := true
		dot := strings.LastIndexByte(path, '.')
		visitPath(tree, path[:max(dot, 0)], func(o object) { whole = keepID(o, path[dot+1:]) && whole })
		if !whole {
			malformed = append(malformed, path)
		}
	}
	return malformed
}

// lowerID writes an id of ours, which keys our rows, in lower case.
func lowerID(tree any, path string) {
	dot := strings.LastIndexByte(path, '.')
	visitPath(tree, path[:max(dot, 0)], func(o object) {
		if text, ok := o[path[dot+1:]].(string); ok {
			o[path[dot+1:]] = strings.ToLower(text)
		}
	})
}

// OriginatorField is the field of the details that names a lead's originator.
const OriginatorField = "loanOriginatorData.loanOriginatorUuid"

// detailsIDs are the ids of a details answer that something is looked up, linked or sent back by.
func detailsIDs() []string {
	return []string{
		OriginatorField, "loanOriginatorData.brokerUuid", "appData.propertyLiens[].lienUuid",
		"appData.underwriting.offers[].uuid", "appData.underwriting.selectedOffer.offerUuid",
	}
}
