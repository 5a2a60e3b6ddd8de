package account

import (
	"context"
	"sync"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

// memory is a store of accounts for tests, safe for many goroutines.
type memory struct {
	mu       sync.Mutex
	users    map[string]access.User
	hashes   map[string]string
	failures map[string]access.Failures
	ended    []string // users whose sessions were ended
}

func newMemory() *memory {
	return &memory{users: map[string]access.User{}, hashes: map[string]string{}, failures: map[string]access.Failures{}}
}

func (m *memory) UserByEmail(_ context.Context, email string) (access.User, string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, u := range m.users {
		if u.Email == email {
			return u, m.hashes[u.UserID], nil
		}
	}
	return access.User{}, "", fault.New(fault.NotFound, "no user")
}

func (m *memory) AddUser(_ context.Context, u access.User, hash string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, other := range m.users {
		if other.Email == u.Email {
			return fault.New(fault.Conflict, "taken")
		}
	}
	m.users[u.UserID], m.hashes[u.UserID] = u, hash
	return nil
}

func (m *memory) RefreshPasswordHash(_ context.Context, id, hash string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hashes[id] = hash
	return nil
}

func (m *memory) ResetPassword(ctx context.Context, id, hash string) error {
	m.ended = append(m.ended, id)
	return m.RefreshPasswordHash(ctx, id, hash)
}

func (m *memory) change(id string, f func(*access.User)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.users[id]
	f(&u)
	m.users[id] = u
	return nil
}

func (m *memory) SetUserRole(_ context.Context, id string, role access.Role) error {
	return m.change(id, func(u *access.User) { u.Role = role })
}

func (m *memory) DisableUser(_ context.Context, id string) error {
	m.ended = append(m.ended, id)
	return m.change(id, func(u *access.User) { u.Disabled = true })
}

func (m *memory) LogInFailures(_ context.Context, key string) (access.Failures, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failures[key], nil
}

func (m *memory) CountLogInFailure(_ context.Context, key string, seen, next access.Failures) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failures[key] != seen {
		return false, nil
	}
	m.failures[key] = next
	return true, nil
}

func (m *memory) ClearLogInFailures(_ context.Context, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.failures, key)
	return nil
}

// plain joins instead of digesting: the counters of a test can be read.
type plain struct{}

func (plain) Digest(parts ...string) string {
	key := ""
	for _, p := range parts {
		key += p + "|"
	}
	return key
}

// clock is a time that tests set.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// quick is the least work argon2id allows.
func quick() Cost { return Cost{MemoryKiB: 8, Iterations: 1, Lanes: 1} }

const goodPassword = "kettle-lantern-orchard"

// office is a service with one originator in it.
func office(t *testing.T) (*Service, *memory, *clock) {
	t.Helper()
	store, at := newMemory(), &clock{time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)}
	s := New(store, plain{}, Options{Cost: quick(), Now: at.now})
	_, err := s.Add(t.Context(), access.User{Actor: access.Actor{
		Email: "Olivia@Summit.test", Name: "Olivia Bennett", Role: access.Originator, OriginatorUUID: "o-1",
	}}, goodPassword)
	if err != nil {
		t.Fatal(err)
	}
	return s, store, at
}
