package account

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/alexedwards/argon2id"

	"hearthline/internal/fault"
)

// Cost is the work of one hash.
type Cost struct {
	MemoryKiB  uint32
	Iterations uint32
	Lanes      uint8
}

// DefaultCost is 64 MiB, two passes, one lane: about an eighth of a second.
func DefaultCost() Cost { return Cost{MemoryKiB: 64 * 1024, Iterations: 2, Lanes: 1} }

const (
	saltBytes = 16
	keyBytes  = 32
)

func (c Cost) params() *argon2id.Params {
	return &argon2id.Params{
		Memory: c.MemoryKiB, Iterations: c.Iterations, Parallelism: c.Lanes,
		SaltLength: saltBytes, KeyLength: keyBytes,
	}
}

// hasher limits how many hashes run at the same time to the number of processors, and how many wait: at 64
// MiB each, a flood of sign-ins must not become an outage.
type hasher struct {
	cost    Cost
	dummy   string // hash of a password that nobody knows
	running chan struct{}
	queue   map[queue]chan struct{}
	started atomic.Int64 // hashes since the start, so that a test can check that every sign-in costs one
}

// queue is where a check waits for a processor. Unknown clients cannot fill the queue of users whom a device
// cookie, a session or a password vouches for.
type queue int

const (
	unknown queue = iota
	known
)

// waitersPerProcessor is how many checks of each queue can wait per processor. At an eighth of a second per
// hash, the last one waits at most four seconds.
const waitersPerProcessor = 16

func newHasher(cost Cost) *hasher {
	n := runtime.NumCPU()
	return &hasher{
		cost:    cost,
		dummy:   dummyHash(cost),
		running: make(chan struct{}, n),
		queue:   map[queue]chan struct{}{unknown: make(chan struct{}, n*(1+waitersPerProcessor)), known: make(chan struct{}, n*(1+waitersPerProcessor))},
	}
}

// dummyHash is well-formed and matches no password. Checking a password against it takes as long as a real
// check, so an unknown email address is not answered faster. It is a constant because computing it would
// delay every start.
func dummyHash(c Cost) string {
	salt, key := make([]byte, saltBytes), make([]byte, keyBytes)
	_, _ = rand.Read(salt)
	_, _ = rand.Read(key)
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s",
		c.MemoryKiB, c.Iterations, c.Lanes, b64.EncodeToString(salt), b64.EncodeToString(key))
}

func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	return h.hashAt(ctx, password, h.cost)
}

func (h *hasher) hashAt(ctx context.Context, password string, cost Cost) (string, error) {
	release, err := h.acquire(ctx, unknown)
	if err != nil {
		return "", err
	}
	defer release()
	hash, err := argon2id.CreateHash(password, cost.params())
	if err != nil {
		return "", fault.Wrap(fault.Internal, "", fmt.Errorf("account: hash: %w", err))
	}
	return hash, nil
}

// check reports whether password matches hash, and whether the hash has another cost than the current one. It
// checks against the dummy when hash is empty.
func (h *hasher) check(ctx context.Context, from queue, password, hash string) (match, stale bool, err error) {
	release, err := h.acquire(ctx, from)
	if err != nil {
		return false, false, err
	}
	defer release()
	exists := hash != ""
	if !exists {
		hash = h.dummy
	}
	match, params, err := argon2id.CheckHash(password, hash)
	if err != nil {
		return false, false, fault.Wrap(fault.Internal, "", fmt.Errorf("account: stored hash: %w", err))
	}
	return match && exists, *params != *h.cost.params(), nil
}

// acquire waits for a processor, or fails at once when too many checks are waiting.
func (h *hasher) acquire(ctx context.Context, from queue) (release func(), err error) {
	busy := "Too many people are signing in at this moment. Try again in a few seconds."
	waiting := h.queue[from]
	select {
	case waiting <- struct{}{}:
	default:
		return nil, fault.New(fault.Unavailable, busy)
	}
	select {
	case h.running <- struct{}{}:
		h.started.Add(1)
		return func() { <-h.running; <-waiting }, nil
	case <-ctx.Done():
		<-waiting
		return nil, fault.Wrap(fault.Unavailable, busy, ctx.Err())
	}
}
