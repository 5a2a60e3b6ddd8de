package account

import (
	"context"
	"net/url"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/pii"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// clock is a time that tests set.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// cheapCost is the lowest cost that argon2id allows.
func cheapCost() Cost { return Cost{MemoryKiB: 8, Iterations: 1, Lanes: 1} }

// portalURL is the URL of the portal in these tests.
func portalURL() *url.URL { return &url.URL{Scheme: "https", Host: "portal.example"} }

const goodPassword = "kettle-lantern-orchard"

// newTestService is a service with one originator.
func newTestService(t *testing.T) (*Service, *store.Store, *clock) {
	t.Helper()
	return newTestServiceWith(t, Options{})
}

func newTestServiceWith(t *testing.T, options Options) (*Service, *store.Store, *clock) {
	t.Helper()
	at := &clock{time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)}
	keys, err := vault.InMemory()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := store.Open(t.Context(), storetest.NewDatabase(t), store.Options{MAC: keys.MAC, Now: at.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	})
	options.Cost, options.Now = cheapCost(), at.now
	s := New(rows, keys, options)
	_, err = s.Add(t.Context(), access.User{Actor: access.Actor{
		Email: "Olivia@Summit.test", Name: "Olivia Bennett", Role: access.Originator, OriginatorUUID: "o-1",
	}}, goodPassword)
	if err != nil {
		t.Fatal(err)
	}
	return s, rows, at
}

// signIn stores a session for a user and returns it.
func signIn(t *testing.T, s *Service, user access.User, proof access.Proof) access.Session {
	t.Helper()
	_, hash := NewToken()
	row := access.Session{
		IDHash: hash, UserID: user.UserID, Created: s.Now(), LastSeen: s.Now(), Expires: s.Now().Add(12 * time.Hour),
		Level: proof.Level(), ElevatedAt: s.Now(), Proof: proof, Role: user.Role, SessionEpoch: user.SessionEpoch,
	}
	if err := s.store.AddSession(t.Context(), row); err != nil {
		t.Fatal(err)
	}
	return row
}

func olivia(t *testing.T, s *Service) access.User {
	t.Helper()
	user, err := s.Find(t.Context(), "olivia@summit.test")
	if err != nil {
		t.Fatal(err)
	}
	return user
}

func passwords(present, next string) Passwords {
	return Passwords{Current: pii.Wrap(present), New: pii.Wrap(next)}
}

// BeginSecondFactor begins the second step of a user whose password was right.
func (s *Service) BeginSecondFactor(ctx context.Context, user access.User, need Need,
	from ClientInfo) (token string, err error) {
	err = s.store.Write(ctx, func(tx *store.Tx) error {
		state, err := tx.SignInState(ctx, from.location(user.UserID))
		if err == nil {
			token, err = s.beginSecondFactor(ctx, tx, user, need,
				pendingSignInState{From: from, NewLocation: !state.KnownLocation})
		}
		return err
	})
	return token, err
}

// needOf returns what a user still has to do after their password.
func needOf(t *testing.T, s *Service, user access.User) Need {
	t.Helper()
	result, err := s.ContinueSignIn(t.Context(), user, Authentication{Proof: access.ByPassword}, hereClient)
	if err != nil {
		t.Fatal(err)
	}
	return result.Need
}
