package account

import (
	"context"
	"net/url"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// PendingForm is a request that waits, sealed, until the user has stepped up or signed in again, so that they
// do not have to type it twice.
type PendingForm struct {
	Post   bool
	Path   string     `json:"Address"` // path and query
	Typed  url.Values // never an SSN
	Retype []string   `json:"Again"` // controls that must be typed again, because an SSN is not stored
}

// SavePendingForm stores the request of a session's user.
func (s *Service) SavePendingForm(ctx context.Context, userID, session string, form PendingForm) error {
	return beginCeremony(ctx, s, ceremonyKey{session, pendingForm, userID}, form)
}

// PendingForm reads a session's pending form; the zero value when there is none.
func (s *Service) PendingForm(ctx context.Context, session string) (PendingForm, error) {
	form, err := readCeremony[PendingForm](ctx, s, session, pendingForm)
	if fault.Is(err, fault.Conflict) {
		return PendingForm{}, nil
	}
	return form, err
}

// pendingFormRecord is a form from a session that has ended: only for the same user, in the browser that has
// the token.
type pendingFormRecord struct {
	UserID  string
	Company string      // the user's when the form was saved; it is not shown at another
	Form    PendingForm `json:"Held"`
}

// SavePendingAfterExpiry stores a user's form beyond the end of their session. At most a few such forms are
// stored; a further one replaces the oldest.
func (s *Service) SavePendingAfterExpiry(ctx context.Context, userID string,
	form PendingForm) (browser string, err error) {
	browser, _ = NewToken()
	return browser, s.SavePendingFormAt(ctx, browser, userID, form)
}

// SavePendingFormAt stores a form under a key from the caller, and replaces the previous one there.
func (s *Service) SavePendingFormAt(ctx context.Context, key, userID string, form PendingForm) error {
	company, err := s.companyOf(ctx, userID)
	if err != nil {
		return err
	}
	return beginCeremony(ctx, s, ceremonyKey{HashToken(key), pendingAfterExpiry, userID},
		pendingFormRecord{userID, company, form})
}

// PendingFormAt reads the form that is stored under a key, without deleting it; the zero value when there is
// none, or when it is another user's.
func (s *Service) PendingFormAt(ctx context.Context, key, userID string) (PendingForm, error) {
	record, err := readCeremony[pendingFormRecord](ctx, s, HashToken(key), pendingAfterExpiry)
	if fault.Is(err, fault.Conflict) {
		return PendingForm{}, nil
	}
	if err != nil || record.UserID != userID {
		return PendingForm{}, err
	}
	if company, err := s.companyOf(ctx, userID); err != nil || record.Company != company {
		return PendingForm{}, err
	}
	return record.Form, nil
}

// ClaimPendingForm moves a form to the user's next session, and reports whether there was one. Another user
// who signs in with this browser gets nothing.
func (s *Service) ClaimPendingForm(ctx context.Context, browser, userID, session string) (bool, error) {
	if browser == "" {
		return false, nil
	}
	form, err := s.PendingFormAt(ctx, browser, userID)
	if err != nil || form.Path == "" {
		return false, err
	}
	if err := s.SavePendingForm(ctx, userID, session, form); err != nil {
		return false, err
	}
	return true, s.write(ctx, func(tx *store.Tx) error {
		return endCeremony(ctx, tx, HashToken(browser), pendingAfterExpiry)
	})
}

// DiscardPendingForm deletes a session's pending form once it is submitted.
func (s *Service) DiscardPendingForm(ctx context.Context, session string) error {
	return s.write(ctx, func(tx *store.Tx) error {
		_, err := tx.EndCeremony(ctx, session, string(pendingForm))
		return err
	})
}

// companyOf returns the company that a user belongs to now.
func (s *Service) companyOf(ctx context.Context, userID string) (string, error) {
	user, err := s.store.User(ctx, userID)
	return access.CompanyOf(user.BrokerID, user.Organization), err
}
