package account

import (
	"context"
	"net/url"

	"hearthline/internal/fault"
	"hearthline/internal/store"
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
func (s *Service) Hold(ctx context.Context, userID, session string, held Held) error {
	return begin(ctx, s, begun{session, heldForm, userID}, held)
}

// HeldFor reads it; the zero Held when nothing is kept.
func (s *Service) HeldFor(ctx context.Context, session string) (Held, error) {
	held, err := look[Held](ctx, s, session, heldForm)
	if fault.KindOf(err) == fault.Conflict && err != nil {
		return Held{}, nil
	}
	return held, err
}

// heldFor is what somebody typed in a session that ended: for them alone, in the browser
// that has the token.
type heldFor struct {
	UserID string
	Held   Held
}

// HoldOver keeps what a person typed beyond the end of their session: a few such forms,
// the oldest goes.
func (s *Service) HoldOver(ctx context.Context, userID string, held Held) (browser string, err error) {
	browser, _ = NewToken()
	return browser, s.HoldAt(ctx, browser, userID, held)
}

// HoldAt keeps it under a name of the caller's; what was there before is forgotten.
func (s *Service) HoldAt(ctx context.Context, place, userID string, held Held) error {
	return begin(ctx, s, begun{HashToken(place), heldOver, userID}, heldFor{userID, held})
}

// HeldAt reads what was kept under a name, and leaves it there; the zero Held when nothing
// is, or when it is another person's.
func (s *Service) HeldAt(ctx context.Context, place, userID string) (Held, error) {
	kept, err := look[heldFor](ctx, s, HashToken(place), heldOver)
	if fault.KindOf(err) == fault.Conflict && err != nil {
		return Held{}, nil
	}
	if err != nil || kept.UserID != userID {
		return Held{}, err
	}
	return kept.Held, nil
}

// TakeOver gives it to the person's next session, and says whether there was anything.
// Somebody else who signs in at this browser finds nothing.
func (s *Service) TakeOver(ctx context.Context, browser, userID, session string) (bool, error) {
	if browser == "" {
		return false, nil
	}
	kept, err := look[heldFor](ctx, s, HashToken(browser), heldOver)
	if fault.KindOf(err) == fault.Conflict && err != nil {
		return false, nil
	}
	if err != nil || kept.UserID != userID {
		return false, err
	}
	if err := s.Hold(ctx, userID, session, kept.Held); err != nil {
		return false, err
	}
	return true, s.write(ctx, func(tx *store.Tx) error { return end(ctx, tx, HashToken(browser), heldOver) })
}
