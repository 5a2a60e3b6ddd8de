package account

import (
	"context"
	"net/url"

	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// PendingForm is what a person asked for when they were to confirm who they are first: it waits,
// sealed, so that nothing is typed twice.
type PendingForm struct {
	Post   bool
	Path   string     `json:"Address"` // path and query
	Typed  url.Values // never an SSN
	Retype []string   `json:"Again"` // controls that must be typed once more: an SSN is not kept
}

// SavePendingForm keeps what a session's person asked for.
func (s *Service) SavePendingForm(ctx context.Context, userID, session string, held PendingForm) error {
	return beginCeremony(ctx, s, ceremonyKey{session, pendingForm, userID}, held)
}

// PendingForm reads it; the zero Held when nothing is kept.
func (s *Service) PendingForm(ctx context.Context, session string) (PendingForm, error) {
	held, err := readCeremony[PendingForm](ctx, s, session, pendingForm)
	if fault.KindOf(err) == fault.Conflict && err != nil {
		return PendingForm{}, nil
	}
	return held, err
}

// pendingFormRecord is what somebody typed in a session that ended: for them alone, in the browser
// that has the token.
type pendingFormRecord struct {
	UserID string
	Form   PendingForm `json:"Held"`
}

// SavePendingAfterExpiry keeps what a person typed beyond the end of their session: a few such forms,
// the oldest goes.
func (s *Service) SavePendingAfterExpiry(ctx context.Context, userID string, held PendingForm) (browser string, err error) {
	browser, _ = NewToken()
	return browser, s.SavePendingFormAt(ctx, browser, userID, held)
}

// SavePendingFormAt keeps it under a name of the caller's; what was there before is forgotten.
func (s *Service) SavePendingFormAt(ctx context.Context, place, userID string, held PendingForm) error {
	return beginCeremony(ctx, s, ceremonyKey{HashToken(place), pendingAfterExpiry, userID}, pendingFormRecord{userID, held})
}

// PendingFormAt reads what was kept under a name, and leaves it there; the zero Held when nothing
// is, or when it is another person's.
func (s *Service) PendingFormAt(ctx context.Context, place, userID string) (PendingForm, error) {
	kept, err := readCeremony[pendingFormRecord](ctx, s, HashToken(place), pendingAfterExpiry)
	if fault.KindOf(err) == fault.Conflict && err != nil {
		return PendingForm{}, nil
	}
	if err != nil || kept.UserID != userID {
		return PendingForm{}, err
	}
	return kept.Form, nil
}

// ClaimPendingForm gives it to the person's next session, and says whether there was anything.
// Somebody else who signs in at this browser finds nothing.
func (s *Service) ClaimPendingForm(ctx context.Context, browser, userID, session string) (bool, error) {
	if browser == "" {
		return false, nil
	}
	kept, err := readCeremony[pendingFormRecord](ctx, s, HashToken(browser), pendingAfterExpiry)
	if fault.KindOf(err) == fault.Conflict && err != nil {
		return false, nil
	}
	if err != nil || kept.UserID != userID {
		return false, err
	}
	if err := s.SavePendingForm(ctx, userID, session, kept.Form); err != nil {
		return false, err
	}
	return true, s.write(ctx, func(tx *store.Tx) error { return endCeremony(ctx, tx, HashToken(browser), pendingAfterExpiry) })
}
