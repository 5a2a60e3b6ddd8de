// Package pii prevents a borrower's secrets from being printed by accident.
//
// A Secret shows [withheld] to every formatter, logger and encoder. The value is available only through Reveal, so
// that a reader can find every use.
package pii

import (
	"fmt"
	"log/slog"
)

// Withheld is what a Secret prints.
const Withheld = "[withheld]"

// Secret wraps a value that must not be printed. The zero value is an empty secret.
type Secret[T any] struct{ value T }

// Wrap wraps a value.
func Wrap[T any](v T) Secret[T] { return Secret[T]{value: v} }

// Reveal returns the value. Every call must be deliberate.
func (s Secret[T]) Reveal() T { return s.value }

// String implements fmt.Stringer.
func (Secret[T]) String() string { return Withheld }

// GoString implements fmt.GoStringer.
func (Secret[T]) GoString() string { return Withheld }

// Format implements fmt.Formatter, so that no verb reaches the fields.
func (Secret[T]) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(Withheld)) }

// LogValue implements slog.LogValuer.
func (Secret[T]) LogValue() slog.Value { return slog.StringValue(Withheld) }

// MarshalText implements encoding.TextMarshaler.
func (Secret[T]) MarshalText() ([]byte, error) { return []byte(Withheld), nil }

// MarshalJSON implements json.Marshaler.
func (Secret[T]) MarshalJSON() ([]byte, error) { return []byte(`"` + Withheld + `"`), nil }
