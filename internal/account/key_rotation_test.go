package account

import (
	"errors"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// newServicesAroundRotation returns one installation before and after a key rotation.
func newServicesAroundRotation(t *testing.T) (before, after *Service, at *clock) {
	t.Helper()
	old, fresh, err := vault.InMemoryRotated()
	if err != nil {
		t.Fatal(err)
	}
	at = &clock{time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)}
	rows, err := store.Open(t.Context(), storetest.NewDatabase(t), store.Options{MAC: old.MAC, Now: at.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rows.Close() })
	options := Options{Cost: cheapCost(), Now: at.now}
	before, after = New(rows, old, options), New(rows, fresh, options)
	if _, err := before.Add(t.Context(), access.User{
		Actor: access.Actor{Email: "olivia@summit.test", Name: "Olivia", Role: access.Originator, OriginatorUUID: "o-1"},
	}, goodPassword); err != nil {
		t.Fatal(err)
	}
	return before, after, at
}

func TestSignIn_AfterKeyRotation_FailuresKept(t *testing.T) {
	t.Parallel()
	before, after, at := newServicesAroundRotation(t)
	wrong := func(s *Service) error {
		_, err := s.SignIn(t.Context(), "olivia@summit.test", "wrong-wrong-wrong", hereClient)
		return err
	}
	for range 5 {
		if err := wrong(before); !fault.Is(err, fault.Invalid) {
			t.Fatalf("got %v, want a plain rejection", err)
		}
	}
	if _, ok := errors.AsType[*TooSoon](wrong(after)); !ok {
		t.Error("with new keys there is no wait")
	}
	at.at = at.at.Add(time.Second)
	if err := wrong(after); !fault.Is(err, fault.Invalid) {
		t.Fatalf("after the wait: got %v, want a plain rejection", err)
	}
	soon, ok := errors.AsType[*TooSoon](wrong(after))
	if !ok || soon.Wait != 2*time.Second {
		t.Errorf("got %v, want the wait to continue growing", soon)
	}
	at.at = at.at.Add(2 * time.Second)
	if _, err := after.SignIn(t.Context(), "olivia@summit.test", goodPassword, hereClient); err != nil {
		t.Fatal(err)
	}
	if err := wrong(after); !fault.Is(err, fault.Invalid) {
		t.Errorf("a count under an older key survives a success: got %v", err)
	}
	if err := wrong(after); !fault.Is(err, fault.Invalid) {
		t.Errorf("and once more: got %v", err)
	}
}

func TestLink_AfterKeyRotation_EndsOlderLink(t *testing.T) {
	t.Parallel()
	before, after, at := newServicesAroundRotation(t)
	token := func(s *Service) string {
		link, err := s.ResetAccount(t.Context(), access.Operator(), "olivia@summit.test", false)
		if err != nil {
			t.Fatal(err)
		}
		_, token, _ := strings.Cut(link, "#")
		return HashToken(token)
	}
	first, second := token(before), token(after)
	if _, err := after.store.PendingInvitation(t.Context(), first, at.at); !fault.Is(err, fault.NotFound) {
		t.Errorf("the first link: got %v, want it invalid", err)
	}
	if _, err := after.store.PendingInvitation(t.Context(), second, at.at); err != nil {
		t.Errorf("the second: got %v, want it valid", err)
	}
}

func TestRateLimit_AfterKeyRotation_Kept(t *testing.T) {
	t.Parallel()
	before, after, _ := newServicesAroundRotation(t)
	for range 20 {
		if err := before.charge(t.Context(), before.guessLimits(trySecondFactor, hereClient)...); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := errors.AsType[*TooSoon](after.charge(t.Context(),
		after.guessLimits(trySecondFactor, hereClient)...)); !ok {
		t.Error("with new keys the address has its full limit again")
	}
}
