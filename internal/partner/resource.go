package partner

import (
	"errors"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// A good status does not prove that an answer holds its resource: a deployment may answer
// 200 with nothing but messages, with null, or with an empty object (interface-live.md
// section 1). Such an answer is not a reading, and these checks refuse it. A list that is
// there and empty is a reading; where a known list may not be replaced by it at once, the
// caller decides that.

// holdsValue reports whether a node holds at least one value, at any depth. Null, the
// empty string, and objects and lists of nothing else hold none.
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

// listed reports whether a member is a list, empty or not.
func listed(node any) bool {
	_, ok := node.([]any)
	return ok
}

// list finds the list of an answer that is one list. It may be null, which says that there is
// none, unless an error-level message stands beside it: then null says that the lender failed.
func (r *reply) list(name string) (list any, ok bool) {
	list, there := unwrapData(r.tree)[name]
	return list, listed(list) || there && list == nil && !hasErrorMessage(r.messages)
}

// filled reports whether a node is an object with a member that is not null. Unlike
// holdsValue it accepts empty lists: costs that list nothing are an answer.
func filled(node any) bool {
	members, _ := node.(object)
	for _, member := range members {
		if member != nil {
			return true
		}
	}
	return false
}

// about refuses an answer that names another application, wherever the envelope names one.
// An answer that names none is accepted: every field may be null (section 2).
func (c call) about(r *reply, id string) error {
	top, _ := r.tree.(object)
	data := unwrapData(r.tree)
	app, _ := data["appData"].(object)
	for _, holder := range []object{top, data, app} {
		named := holder["appUuid"]
		if named == nil || named == "" {
			continue
		}
		if parsed, err := heloc.ParseAppID(textOf(named)); err != nil || string(parsed) != id {
			return c.failure(r.said(), fault.Upstream, errors.New("the answer is about another application"))
		}
	}
	return nil
}

// noResource is the failure of an answer with a good status and without its resource. The
// lender's messages, if there are any, go with it.
func (c call) noResource(r *reply) *Failure {
	f := c.failure(r.said(), fault.Upstream, errors.New("the answer holds no resource"))
	f.err.Public = joinMessages(r.messages, "The lender’s answer was incomplete, so nothing was updated. Try again in a moment.")
	return f
}

// joinMessages is what came beside an answer, for a failure to tell.
func (r *reply) said() Failure {
	return Failure{Status: r.status, Messages: r.messages, RequestID: r.requestID}
}
