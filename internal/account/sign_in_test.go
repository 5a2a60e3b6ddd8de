package account

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// hereClient and elsewhereClient are at two locations.
var (
	hereClient      = ClientInfo{Address: "192.0.2.7", Network: "192.0.2.0/24", Browser: "Firefox on Windows"}
	elsewhereClient = ClientInfo{Address: "203.0.113.9", Network: "203.0.113.0/24", Browser: "Chrome on Linux"}
)

func TestSignIn_RightPassword_User(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	result, err := s.SignIn(t.Context(), " OLIVIA@summit.test ", goodPassword, hereClient)
	if err != nil {
		t.Fatal(err)
	}
	if user := result.User; user.Name != "Olivia Bennett" || user.UserID == "" {
		t.Errorf("got %+v, want Olivia with an id", result.User)
	}
}

func TestSignIn_AnyFailure_SameMessage(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	ctx := t.Context()
	_, err := s.Add(ctx, access.User{Actor: access.Actor{Email: "gone@summit.test", Name: "Gone", Role: access.Admin}},
		goodPassword)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Disable(ctx, "gone@summit.test"); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ what, email, password string }{
		{"a wrong password", "olivia@summit.test", "kettle-lantern-orchard!"},
		{"another case", "olivia@summit.test", strings.ToUpper(goodPassword)},
		{"a part of it", "olivia@summit.test", goodPassword[:14]},
		{"with a space", "olivia@summit.test", goodPassword + " "},
		{"an unknown address", "nobody@summit.test", goodPassword},
		{"a disabled account", "gone@summit.test", goodPassword},
		{"no password", "olivia@summit.test", ""},
		{"an endless password", "olivia@summit.test", strings.Repeat("x", 100_000)},
	}
	want := errWrongCredentials()
	for _, tt := range tests {
		_, err := s.SignIn(ctx, tt.email, tt.password, hereClient)
		if !fault.Is(err, fault.Invalid) || fault.Public(err) != fault.Public(want) {
			t.Errorf("%s: got %v, want %v", tt.what, err, want)
		}
	}
}

// TestSignIn_UnknownEmail_HashesOnce counts the hashes, so that response times do not reveal which accounts
// exist.
func TestSignIn_UnknownEmail_HashesOnce(t *testing.T) {
	t.Parallel()
	s, rows, _ := newTestService(t)
	ctx := t.Context()
	for _, email := range []string{"gone@summit.test", "keyed@summit.test"} {
		user, err := s.Add(ctx, access.User{Actor: access.Actor{Email: email, Name: "A Person", Role: access.Admin}},
			goodPassword)
		if err != nil {
			t.Fatal(err)
		}
		if email == "keyed@summit.test" { // a passkey and no password
			if err := rows.Write(ctx, func(tx *store.Tx) error { return tx.SetPassword(ctx, user.UserID, "") }); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Disable(ctx, "gone@summit.test"); err != nil {
		t.Fatal(err)
	}
	for what, email := range map[string]string{
		"a known address": "olivia@summit.test", "an unknown one": "nobody@summit.test",
		"a closed account": "gone@summit.test", "one without a password": "keyed@summit.test",
	} {
		for _, password := range []string{goodPassword, "wrong-wrong-wrong"} {
			before := s.hasher.started.Load()
			_, _ = s.SignIn(ctx, email, password, hereClient)
			if got := s.hasher.started.Load() - before; got != 1 {
				t.Errorf("%s: got %d hashes, want 1", what, got)
			}
		}
	}
	if match, err := s.hasher.check(ctx, unknown, "anything at all", ""); match || err != nil {
		t.Errorf("the dummy: got %v, %v, want no match and no error", match, err)
	}
	if _, err := s.hasher.check(ctx, unknown, "x", "not a hash"); err == nil {
		t.Error("an unreadable hash is no error")
	}
}

func TestSignIn_Failures_BackoffUntilSuccess(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	ctx := t.Context()
	fail := func() error {
		_, err := s.SignIn(ctx, "olivia@summit.test", "wrong-wrong-wrong", hereClient)
		return err
	}
	for i := range 5 {
		if err := fail(); !fault.Is(err, fault.Invalid) {
			t.Fatalf("attempt %d: got %v, want a plain rejection", i+1, err)
		}
	}
	_, err := s.SignIn(ctx, "olivia@summit.test", goodPassword, hereClient)
	soon, ok := errors.AsType[*TooSoon](err)
	if !ok || soon.Wait != time.Second {
		t.Fatalf("after five failures: got %v, want a wait of one second", err)
	}
	at.at = at.at.Add(time.Second)
	if err := fail(); !fault.Is(err, fault.Invalid) {
		t.Fatalf("after the wait: got %v, want a plain rejection", err)
	}
	at.at = at.at.Add(time.Second)
	if err := fail(); !fault.Is(err, fault.Unavailable) {
		t.Fatalf("the second wait did not double: got %v", err)
	}
	at.at = at.at.Add(time.Second)
	if _, err := s.SignIn(ctx, "olivia@summit.test", goodPassword, hereClient); err != nil {
		t.Fatalf("the owner after the wait: %v", err)
	}
	if err := fail(); !fault.Is(err, fault.Invalid) {
		t.Errorf("failures survive a success: got %v", err)
	}
}

func TestSignIn_FailuresElsewhere_OwnerNotBlocked(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	for range 25 {
		_, _ = s.SignIn(t.Context(), "olivia@summit.test", "wrong-wrong-wrong", elsewhereClient)
	}
	if _, err := s.SignIn(t.Context(), "olivia@summit.test", goodPassword, hereClient); err != nil {
		t.Errorf("the owner at another location: %v", err)
	}
}

func TestSignIn_UnknownEmail_SameBackoff(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	var err error
	for range 6 {
		_, err = s.SignIn(t.Context(), "nobody@summit.test", goodPassword, hereClient)
	}
	if _, ok := errors.AsType[*TooSoon](err); !ok {
		t.Errorf("got %v, want TooSoon as for a known address", err)
	}
}

func TestSignIn_Concurrent_CountedBeforeHash(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	var looked atomic.Int32
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			_, err := s.SignIn(t.Context(), "olivia@summit.test", "wrong-wrong-wrong", hereClient)
			if fault.Is(err, fault.Invalid) {
				looked.Add(1)
			}
		})
	}
	wg.Wait()
	if got := looked.Load(); got > 5 {
		t.Errorf("%d passwords were checked, want at most 5 before the first wait", got)
	}
}

func TestSignIn_OldFailures_Expire(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	for range 5 {
		_, _ = s.SignIn(t.Context(), "olivia@summit.test", "wrong-wrong-wrong", hereClient)
	}
	at.at = at.at.Add(failuresExpireAfter + time.Second)
	for i := range 5 {
		if _, err := s.SignIn(t.Context(), "olivia@summit.test", "wrong-wrong-wrong", hereClient); !fault.Is(err,
			fault.Invalid) {
			t.Fatalf("attempt %d of the next day: got %v, want a plain rejection", i+1, err)
		}
	}
}

func TestSignIn_OldCost_Rehashes(t *testing.T) {
	t.Parallel()
	s, rows, at := newTestService(t)
	dearer := Cost{MemoryKiB: 16, Iterations: 1, Lanes: 1}
	session := signIn(t, s, olivia(t, s), access.ByPassword)
	later := New(rows, s.vault, Options{Cost: dearer, Now: at.now})
	result, err := later.SignIn(t.Context(), "olivia@summit.test", goodPassword, hereClient)
	if err != nil {
		t.Fatal(err)
	}
	if hash, _ := rows.PasswordHash(t.Context(), result.User.UserID); !strings.Contains(hash, "m=16,") {
		t.Errorf("the hash is still %q, want the new cost", hash)
	}
	if _, _, err := rows.Session(t.Context(), session.IDHash); err != nil {
		t.Errorf("a rehash ended a session: %v", err)
	}
	if _, err := s.SignIn(t.Context(), "olivia@summit.test", goodPassword, hereClient); err != nil {
		t.Errorf("the rehashed password is rejected: %v", err)
	}
}

func TestBackoff_HasMaximum(t *testing.T) {
	t.Parallel()
	p := backoff{free: 2, max: 10 * time.Second}
	for count, want := range map[int]time.Duration{
		0: 0, 2: 0, 3: time.Second, 4: 2 * time.Second, 6: 8 * time.Second, 7: 10 * time.Second, 1 << 20: 10 * time.Second,
	} {
		if got := p.delay(count); got != want {
			t.Errorf("wait(%d) = %v, want %v", count, got, want)
		}
	}
}
