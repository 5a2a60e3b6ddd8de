// Package fault carries what went wrong in two voices: a kind for the machine
// and a sentence for the person who must go on working.
//
// An Error is made where its meaning is known (the client, the store, the desk),
// wrapped with %w on the way up, and shown only by the web adapter. Public is
// safe on any screen: it never holds a borrower's data, a key, a body or a path.
package fault

import (
	"errors"
	"fmt"
)

// Kind says what the caller can do about an error.
type Kind int

// The kinds, from the caller's own doing to ours.
const (
	Internal       Kind = iota // our own defect; the zero value, so nothing is mistaken for less
	Invalid                    // the input is wrong; Fields says where
	Denied                     // known person, forbidden act
	StepUpRequired             // known person, who must prove anew who they are before this act
	NotFound                   // does not exist for this person
	Conflict                   // the same operation with other content, or a form from an older step
	Upstream                   // the lender answered, and refused or made no sense
	Unavailable                // the lender or a part of ours does not answer just now
)

func (k Kind) String() string {
	switch k {
	case Invalid:
		return "invalid"
	case Denied:
		return "denied"
	case StepUpRequired:
		return "unproved"
	case NotFound:
		return "not found"
	case Conflict:
		return "conflict"
	case Upstream:
		return "upstream"
	case Unavailable:
		return "unavailable"
	default:
		return "internal"
	}
}

// Field is one complaint about one control, by the control's form name.
type Field struct {
	Name    string
	Message string
}

// Error is a kind, a public sentence and the cause.
type Error struct {
	Kind   Kind
	Public string  // what happened and what to do, in a sentence fit for a screen
	Fields []Field // complaints beside the controls, for Invalid
	Err    error   // the cause, for the log alone
}

func (e *Error) Error() string {
	if e.Err == nil {
		return e.Kind.String() + ": " + e.Public
	}
	return fmt.Sprintf("%s: %s: %v", e.Kind, e.Public, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// New makes an Error without a further cause.
func New(kind Kind, public string) *Error { return &Error{Kind: kind, Public: public} }

// Wrap gives a cause its kind and its public sentence.
func Wrap(kind Kind, public string, err error) *Error {
	return &Error{Kind: kind, Public: public, Err: err}
}

// InvalidFields is an Invalid error with complaints beside the controls.
func InvalidFields(fields ...Field) *Error {
	return &Error{Kind: Invalid, Public: "Some fields need attention.", Fields: fields}
}

// KindOf finds the kind of the nearest Error in a chain; Internal when there is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// Public finds the sentence to show; a general one when the chain has none.
func Public(err error) string {
	if e, ok := errors.AsType[*Error](err); ok && e.Public != "" {
		return e.Public
	}
	return "Something went wrong on our side. Nothing you typed was sent twice."
}

// FieldsOf returns the complaints of the nearest Error in a chain.
func FieldsOf(err error) []Field {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Fields
	}
	return nil
}
