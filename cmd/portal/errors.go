package main

import (
	"errors"
	"strings"

	"hearthline/internal/fault"
)

// errorText formats an error for the operator, one line for each problem. For invalid input it uses the text that a
// page would show; for a failure of the system it adds the cause.
func errorText(err error) string {
	var lines []string
	if joined, ok := err.(interface{ Unwrap() []error }); ok { //nolint:errorlint // one that wraps others speaks for them
		for _, one := range joined.Unwrap() {
			lines = append(lines, errorText(one))
		}
		return strings.Join(lines, "\n")
	}
	shown, ok := errors.AsType[*fault.Error](err)
	if !ok || shown.Public == "" {
		return err.Error()
	}
	for _, f := range fault.FieldsOf(err) {
		lines = append(lines, f.Name+": "+f.Message)
	}
	if len(lines) > 0 {
		return strings.Join(lines, "\n")
	}
	switch shown.Kind {
	case fault.Invalid, fault.Denied, fault.NotFound, fault.Conflict:
		return shown.Public
	default:
		if shown.Err == nil {
			return shown.Public
		}
		return shown.Public + " The cause: " + shown.Err.Error()
	}
}
