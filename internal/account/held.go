package account

import (
	"context"
	"net/url"

	"hearthline/internal/fault"
)

// Held is what a person asked for when they were to confirm who they are first: it waits,
// sealed, so that nothing is typed twice.
type Held struct {
	Post    bool
	Address string     // path and query
	Typed   url.Values // never an SSN
	Again   []string   // controls that must be typed once more: an SSN is not kept
}

// Hold keeps what a session's person asked for.
func (s *Service) Hold(ctx context.Context, session string, held Held) error {
	return begin(ctx, s, session, heldForm, held)
}

// HeldFor reads it; the zero Held when nothing is kept.
func (s *Service) HeldFor(ctx context.Context, session string) (Held, error) {
	held, err := look[Held](ctx, s, session, heldForm)
	if fault.KindOf(err) == fault.Conflict && err != nil {
		return Held{}, nil
	}
	return held, err
}
