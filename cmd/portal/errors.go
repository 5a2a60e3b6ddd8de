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
	for _, one := range unjoin(err) {
		lines = append(lines, errorLines(one)...)
	}
	return strings.Join(lines, "\n")
}

// unjoin splits joined errors.
func unjoin(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error }) //nolint:errorlint // one that wraps others speaks for them
	if !ok {
		return []error{err}
	}
	var all []error
	for _, one := range joined.Unwrap() {
		all = append(all, unjoin(one)...)
	}
	return all
}

func errorLines(err error) []string {
	faultErr, ok := errors.AsType[*fault.Error](err)
	if !ok || faultErr.Public == "" {
		return []string{err.Error()}
	}
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		lines := make([]string, len(fields))
		for i, f := range fields {
			lines[i] = f.Name + ": " + f.Message
		}
		return lines
	}
	switch faultErr.Kind {
	case fault.Invalid, fault.Denied, fault.NotFound, fault.Conflict:
		return []string{faultErr.Public}
	default:
		if faultErr.Err == nil {
			return []string{faultErr.Public}
		}
		return []string{faultErr.Public + " The cause: " + faultErr.Err.Error()}
	}
}
