package account

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/pii"
	"hearthline/internal/store"
)

// addToDirectory adds an originator to the directory.
func addToDirectory(t *testing.T, s *Service, o heloc.Originator) {
	t.Helper()
	err := s.store.Write(t.Context(), func(tx *store.Tx) error { return tx.SaveOriginator(t.Context(), o, s.Now()) })
	if err != nil {
		t.Fatal(err)
	}
}

func felix() heloc.Originator {
	return heloc.Originator{
		ID: "o-felix", Email: "felix@summit.test", FirstName: "Felix", LastName: "Hart", Organization: "Evergreen",
		Broker: &heloc.BrokerCompany{ID: "summit", Name: "Summit Home Lending"},
	}
}

// mailsTo returns the emails to an address, newest first.
func mailsTo(t *testing.T, s *Service, to string) []PendingMail {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = s.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.Outbox(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var own []PendingMail
	for _, m := range all {
		if m.To == to {
			own = append(own, m)
		}
	}
	return own
}

// tokenIn returns the code in an email.
func tokenIn(t *testing.T, m PendingMail) string {
	t.Helper()
	_, rest, found := strings.Cut(m.Text, "#")
	if !found {
		t.Fatalf("no link in %q", m.Text)
	}
	return strings.Fields(rest)[0]
}

func requestLink(t *testing.T, s *Service, kind LinkKind, email string) {
	t.Helper()
	if err := s.RequestLink(t.Context(), kind, email, hereClient); err != nil {
		t.Fatal(err)
	}
}

// finishSetUp opens the link in an email and chooses a password.
func finishSetUp(t *testing.T, s *Service, m PendingMail) error {
	t.Helper()
	browser, _, err := s.OpenLink(t.Context(), tokenIn(t, m), hereClient)
	if err != nil {
		return err
	}
	_, err = s.FinishSetUp(t.Context(), browser, ChosenFactors{Password: pii.Wrap(goodPassword)})
	return err
}

// TestRequestLink_ClosedOriginator_NoMail has a closed account with another email.
func TestOpenLink_AfterLifetime_Invalid(t *testing.T) {
	t.Parallel()
	for kind, lifetime := range map[LinkKind]time.Duration{LinkActivate: time.Hour, LinkInvite: 72 * time.Hour,
		LinkReset: 30 * time.Minute, LinkAccountReset: 72 * time.Hour, LinkNewEmail: 24 * time.Hour} {
		s, _, at := newTestService(t)
		user, token := olivia(t, s), ""
		err := s.store.Write(t.Context(), func(tx *store.Tx) (err error) {
			token, err = s.addLink(t.Context(), tx, newLink{kind: kind, who: user, by: user.UserID})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		at.at = at.at.Add(lifetime - time.Second)
		if _, _, err := s.OpenLink(t.Context(), token, hereClient); err != nil {
			t.Errorf("%s, a second before its end: got %v", kind, err)
		}
		at.at = at.at.Add(time.Second)
		if _, _, err := s.OpenLink(t.Context(), token, hereClient); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s, after %v: got %v, want it expired", kind, lifetime, err)
		}
	}
}

func TestNewToken_32RandomBytes(t *testing.T) {
	t.Parallel()
	var values [32]map[byte]bool // a constant byte has one value
	for range 64 {
		token, hash := NewToken()
		raw, err := base64.RawURLEncoding.DecodeString(token)
		if err != nil || len(raw) != len(values) || hash != HashToken(token) {
			t.Fatalf("got %d bytes, %v, want 32 and their hash", len(raw), err)
		}
		for i, b := range raw {
			if values[i] == nil {
				values[i] = map[byte]bool{}
			}
			values[i][b] = true
		}
	}
	for i, seen := range values {
		if len(seen) == 1 {
			t.Errorf("byte %d is constant", i)
		}
	}
}

func TestRequestLink_ClosedOriginator_NoMail(t *testing.T) {
	t.Parallel()
	s, rows, _ := newTestService(t)
	ctx := t.Context()
	old, err := s.Add(ctx, access.User{Actor: access.Actor{Email: "felix.old@summit.test", Name: "Felix Hart",
		Role: access.Originator, OriginatorUUID: "o-felix"}}, goodPassword)
	if err != nil {
		t.Fatal(err)
	}
	addToDirectory(t, s, felix())
	if err := s.Disable(ctx, old.Email); err != nil {
		t.Fatal(err)
	}
	requestLink(t, s, LinkActivate, felix().Email)
	if got := mailsTo(t, s, felix().Email); len(got) != 0 {
		t.Errorf("got %d emails, want none", len(got))
	}
	admin := access.Operator()
	err = s.Invite(ctx, admin, access.User{Actor: access.Actor{Email: felix().Email, Name: "Felix Hart",
		Role: access.Manager, BrokerID: "summit"}}, "summit")
	if fields := fault.FieldsOf(err); len(fields) != 1 || fields[0].Name != "email" {
		t.Errorf("invited as a manager: got %v, want a field error for the email", err)
	}
	if users, _ := rows.Users(ctx); len(users) != 2 {
		t.Errorf("got %d accounts, want olivia's and the closed one", len(users))
	}
}

// TestFinishSetUp_OriginatorHasAccount_NoLink checks that an opened link becomes invalid when an account is
// created and closed meanwhile.
func TestFinishSetUp_OriginatorHasAccount_NoLink(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	addToDirectory(t, s, felix())
	requestLink(t, s, LinkActivate, felix().Email)
	message := mailsTo(t, s, felix().Email)[0]
	browser, _, err := s.OpenLink(t.Context(), tokenIn(t, message), hereClient)
	if err != nil {
		t.Fatal(err)
	}
	u, err := readCeremony[SetUp](t.Context(), s, HashToken(browser), newAccount)
	if err != nil {
		t.Fatal(err)
	}
	other := access.User{Actor: access.Actor{Email: "felix.old@summit.test", Name: "Felix Hart", Role: access.Originator,
		OriginatorUUID: "o-felix"}}
	if _, err := s.Add(t.Context(), other, goodPassword); err != nil {
		t.Fatal(err)
	}
	if err := s.Disable(t.Context(), other.Email); err != nil {
		t.Fatal(err)
	}
	if _, err := s.FinishSetUp(t.Context(), browser, ChosenFactors{Password: pii.Wrap(goodPassword)}); !fault.Is(err,
		fault.Invalid) {
		t.Errorf("got %v, want the link rejected", err)
	}
	// The transaction checks too, in case nothing checked before it.
	if err := s.store.Write(t.Context(), func(tx *store.Tx) error {
		return s.saveSetUp(t.Context(), tx, u, setUpWrite{})
	}); !fault.Is(err, fault.Invalid) {
		t.Errorf("in the transaction: got %v, want the link rejected", err)
	}
}

func TestFinishSetUp_OriginatorUnlisted_NoLink(t *testing.T) {
	t.Parallel()
	s, rows, at := newTestService(t)
	addToDirectory(t, s, felix())
	requestLink(t, s, LinkActivate, felix().Email)
	message := mailsTo(t, s, felix().Email)[0]
	at.at = at.at.Add(time.Minute)
	if err := s.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.MarkRemoved(t.Context(), felix().ID, at.at)
	}); err != nil {
		t.Fatal(err)
	}
	if err := finishSetUp(t, s, message); !fault.Is(err, fault.Invalid) {
		t.Errorf("got %v, want the link rejected", err)
	}
	if _, _, err := rows.UserByEmail(t.Context(), felix().Email); !fault.Is(err, fault.NotFound) {
		t.Errorf("got %v, want no account", err)
	}
	addToDirectory(t, s, felix()) // listed again, so the link is valid again
	if err := finishSetUp(t, s, message); err != nil {
		t.Errorf("listed again: got %v", err)
	}
}

func TestFinishSetUp_AccountClosed_NoLink(t *testing.T) {
	t.Parallel()
	s, rows, _ := newTestService(t)
	user := olivia(t, s)
	requestLink(t, s, LinkReset, user.Email)
	message := mailsTo(t, s, user.Email)[0]
	browser, _, err := s.OpenLink(t.Context(), tokenIn(t, message), hereClient)
	if err != nil {
		t.Fatal(err)
	}
	u, err := readCeremony[SetUp](t.Context(), s, HashToken(browser), newAccount)
	if err != nil {
		t.Fatal(err)
	}
	before, _ := rows.PasswordHash(t.Context(), user.UserID)
	if err := s.Disable(t.Context(), user.Email); err != nil {
		t.Fatal(err)
	}
	if _, err := s.FinishSetUp(t.Context(), browser,
		ChosenFactors{Password: pii.Wrap("another lantern in the orchard")}); err == nil {
		t.Error("a closed account has a new password")
	}
	// The set-up ends with the account; if one remained, it would be checked too.
	if err := s.recheckEligibility(t.Context(), u); !fault.Is(err, fault.Invalid) {
		t.Errorf("got %v, want the link rejected", err)
	}
	if after, _ := rows.PasswordHash(t.Context(), user.UserID); after != before {
		t.Error("the password was changed")
	}
	requestLink(t, s, LinkReset, user.Email)
	if got := mailsTo(t, s, user.Email); len(got) != 1 {
		t.Errorf("got %d emails, want only the first", len(got))
	}
}

func TestRequestLink_LenderDown_Retried(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	silent := true
	s.Directory = func(context.Context, string) error {
		if silent {
			return errors.New("the lender is silent")
		}
		addToDirectory(t, s, felix())
		return nil
	}
	requestLink(t, s, LinkActivate, felix().Email)
	for range 30 { // an hour of retries
		if more, err := s.Deliver(t.Context()); !more || err == nil {
			t.Fatalf("got %v, %v, want the request tried and postponed", more, err)
		}
		at.at = at.at.Add(mailLease)
	}
	silent = false
	if got := mailsTo(t, s, felix().Email); len(got) != 1 {
		t.Errorf("got %d emails, want the link", len(got))
	}
}
