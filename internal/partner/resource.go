package partner

import (
	"errors"
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// A 2xx status does not prove that a response contains its resource: a deployment may return
// 200 with only messages, with null, or with an empty object (interface-live.md section 1).
// These checks reject such a response. A list that is present and empty is valid; a caller
// that must not replace a known list with it immediately has to decide that.

// holdsValue reports whether a node contains at least one value, at any depth. Null, the empty
// string, and objects and lists of only these contain none.
func holdsValue(node any) bool {
	switch node := node.(type) {
	case nil:
		return false
	case string:
		return node != ""
	case object:
		for _, member := range node {
			if holdsValue(member) {
				return true
			}
		}
		return false
	case []any:
		for _, entry := range node {
			if holdsValue(entry) {
				return true
			}
		}
		return false
	default:
		return true
	}
}

// listed reports whether a node is a list, empty or not.
func listed(node any) bool {
	_, ok := node.([]any)
	return ok
}

// list finds the list of a response that consists of one. Null means that there is none,
// unless the response has an error-level message: then null means that the lender failed.
func (r *reply) list(name string) (list any, ok bool) {
	list, present := unwrapData(r.tree)[name]
	return list, listed(list) || present && list == nil && !heloc.HasErrorMessage(r.messages)
}

// filled reports whether a node is an object with a member that is not null. Unlike
// holdsValue it accepts empty lists: an empty list of costs is a valid response.
func filled(node any) bool {
	members, _ := node.(object)
	for _, member := range members {
		if member != nil {
			return true
		}
	}
	return false
}

// about rejects a response that names another application, wherever the envelope names one.
// It accepts a response that names none: every field may be null (section 2).
func (c call) about(r *reply) error {
	top, _ := r.tree.(object)
	data := unwrapData(r.tree)
	app, _ := data["appData"].(object)
	for _, holder := range []object{top, data, app} {
		named := holder["appUuid"]
		if named == nil || named == "" {
			continue
		}
		if parsed, err := heloc.ParseAppID(textOf(named)); err != nil || parsed != c.app {
			return c.failure(r.said(), fault.Upstream, errors.New("the answer is about another application"))
		}
	}
	return nil
}

// noResource is the failure of a 2xx response without its resource. It includes the lender's
// messages, if there are any.
func (c call) noResource(r *reply) *Failure {
	f := c.failure(r.said(), fault.Upstream, errors.New("the answer holds no resource"))
	f.err.Public = joinMessages(r.messages,
		"The lender’s answer was incomplete, so nothing was updated. Try again in a moment.")
	return f
}

// said is the status, messages and request id of a response, for a failure.
func (r *reply) said() Failure {
	return Failure{Status: r.status, Messages: r.messages, RequestID: r.requestID}
}

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
