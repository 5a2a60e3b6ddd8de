// Package fault describes an error twice: with a kind for the program, and with a sentence for the user, who must be
// able to continue.
//
// An Error is created where its meaning is known (the client, the store, the desk), wrapped with %w on the way up,
// and shown only by the web adapter. Public is safe on any screen: it never contains borrower data, a key, a body or
// a path.
package fault

import (
	"errors"
	"fmt"
	"slices"
)

// Kind tells the caller what it can do about an error.
type Kind int

// The kinds, roughly from the caller's mistakes to ours.
const (
	Internal       Kind = iota // our own defect; the zero value, so that an unclassified error counts as a defect
	Invalid                    // the input is wrong; Fields lists the controls
	Denied                     // a known user, who may not do this
	StepUpRequired             // a known user, who must authenticate again before this action
	NotFound                   // does not exist for this user
	Conflict                   // the same operation with other content, or a form from an older step
	Upstream                   // the lender answered with a rejection or with something unreadable
	Unavailable                // the lender or a part of the portal does not respond right now
	Unsaved                    // a write was sent, and its response is not stored yet
)

var kindNames = [...]string{
	Internal: "internal", Invalid: "invalid", Denied: "denied", StepUpRequired: "unproved", NotFound: "not found",
	Conflict: "conflict", Upstream: "upstream", Unavailable: "unavailable", Unsaved: "unsaved",
}

func (k Kind) String() string { return kindNames[k] }

// Field is an error message for one control, which is identified by its form name.
type Field struct {
	Name    string
	Message string
}

// Error is a kind, a public sentence and the cause.
type Error struct {
	Kind   Kind
	Public string  // what happened and what to do, as a sentence for the screen
	Fields []Field // messages for the controls, for Invalid
	Err    error   // the cause, for the log only
}

func (e *Error) Error() string {
	if e.Err == nil {
		return e.Kind.String() + ": " + e.Public
	}
	return fmt.Sprintf("%s: %s: %v", e.Kind, e.Public, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// New returns an Error without a cause.
func New(kind Kind, public string) *Error { return &Error{Kind: kind, Public: public} }

// Wrap adds a kind and a public sentence to a cause.
func Wrap(kind Kind, public string, err error) *Error {
	return &Error{Kind: kind, Public: public, Err: err}
}

// InvalidFields returns an Invalid error with messages for the controls.
func InvalidFields(fields ...Field) *Error {
	return &Error{Kind: Invalid, Public: "Some fields need attention.", Fields: fields}
}

// InvalidField returns an Invalid error with a message for one control.
func InvalidField(name, message string) *Error {
	return InvalidFields(Field{Name: name, Message: message})
}

// CheckFields returns an Invalid error if any control has a message.
func CheckFields(fields []Field) error {
	if len(fields) == 0 {
		return nil
	}
	return InvalidFields(fields...)
}

// KindOf returns the kind of the nearest Error in a chain, or Internal if there is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// Is reports whether the nearest Error in a chain has one of the kinds. It is false if there is no error.
func Is(err error, kinds ...Kind) bool { return err != nil && slices.Contains(kinds, KindOf(err)) }

// Public returns the sentence to show, or a general one if the chain has none.
func Public(err error) string {
	if e, ok := errors.AsType[*Error](err); ok && e.Public != "" {
		return e.Public
	}
	return "Something went wrong on our side. If you sent something, check the lead before you send it again."
}

// Ignore returns nil for an error that Is of one of the kinds, and otherwise the error.
func Ignore(err error, kinds ...Kind) error {
	if Is(err, kinds...) {
		return nil
	}
	return err
}

// FieldsOf returns the field messages of the nearest Error in a chain.
func FieldsOf(err error) []Field {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Fields
	}
	return nil
}
