package partner

import (
	"strings"

	"hearthline/internal/heloc"
)

// Ids in a response are parsed when it is read: only a well-formed UUID is an id; anything
// else is treated as absent. Ids sent back to the lender keep the case in which it sent them.

// keepID removes a member of an object unless it is a UUID. It reports false for a malformed
// member; null and "" are absent, not malformed.
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
	_, valid := o[name]
	return valid
}

// keepIDs applies keepID at several paths, each an object's path followed by a dot and the
// member's name. It returns the paths at which an id was malformed, never the values.
func keepIDs(tree any, paths ...string) (malformed []string) {
	for _, path := range paths {
		valid := true
		visitMember(tree, path, func(o object, name string) { valid = keepID(o, name) && valid })
		if !valid {
			malformed = append(malformed, path)
		}
	}
	return malformed
}

// lowerID converts an id that is a key of our rows to lower case.
func lowerID(tree any, path string) {
	visitMember(tree, path, func(o object, name string) {
		if text, ok := o[name].(string); ok {
			o[name] = strings.ToLower(text)
		}
	})
}

// visitMember calls do for every object that can have the member at a path.
func visitMember(tree any, path string, do func(o object, name string)) {
	dot := strings.LastIndexByte(path, '.')
	visitPath(tree, path[:max(dot, 0)], func(o object) { do(o, path[dot+1:]) })
}

// OriginatorField is the field of the details that names a lead's originator.
const OriginatorField = "loanOriginatorData.loanOriginatorUuid"

// detailsIDs are the ids in a details response that are used for lookups, links or requests.
func detailsIDs() []string {
	return []string{
		OriginatorField, "loanOriginatorData.brokerUuid", "appData.propertyLiens[].lienUuid",
		"appData.underwriting.offers[].uuid", "appData.underwriting.selectedOffer.offerUuid",
	}
}
