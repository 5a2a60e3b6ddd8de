package account

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/unicode/norm"

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

// hasher limits the hashes that run at once to the number of processors, and how many wait: at 64 MiB
// each, a flood of sign-ins must not become an outage.
type hasher struct {
	cost    Cost
	dummy   string // hash of a password that nobody knows
	running chan struct{}
	queue   map[queue]chan struct{}
	started atomic.Int64 // hashes since the start: a test checks that every sign-in costs one
}

// queue is where a check waits for a processor. Unknown browsers cannot fill the queue of users with a
// device cookie, a session, a password or a mailed link.
type queue int

const (
	unknown queue = iota
	known
)

// waitersPerProcessor is how many checks of each queue may wait for each processor: at an
// eighth of a second a hash, the last of them waits four seconds at most.
const waitersPerProcessor = 16

func newHasher(cost Cost) *hasher {
	n := runtime.NumCPU()
	return &hasher{
		cost:    cost,
		dummy:   dummyHash(cost),
		running: make(chan struct{}, n),
		queue: map[queue]chan struct{}{
			unknown: make(chan struct{}, n*(1+waitersPerProcessor)), known: make(chan struct{}, n*(1+waitersPerProcessor)),
		},
	}
}

// dummyHash is well-formed and matches no password. Checking against it takes
// the time of a real check, so an unknown address is answered no faster. It is
// written down rather than computed, which would delay every start.
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

// hashAt makes a hash for somebody who is known: nobody sets a password or a code before something
// vouches for them. Keyboards type "é" as one character or as two, so the normal form NFC is hashed.
func (h *hasher) hashAt(ctx context.Context, password string, cost Cost) (string, error) {
	p, err := h.reserve(known)
	if err != nil {
		return "", err
	}
	release, err := p.acquire(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	hash, err := argon2id.CreateHash(norm.NFC.String(password), cost.params())
	if err != nil {
		return "", fault.Wrap(fault.Internal, "", fmt.Errorf("account: hash: %w", err))
	}
	return hash, nil
}

// check reports whether password matches hash.
func (h *hasher) check(ctx context.Context, from queue, password, hash string) (match bool, err error) {
	p, err := h.reserve(from)
	if err != nil {
		return false, err
	}
	match, _, err = p.check(ctx, password, hash)
	return match, err
}

// check reports whether password matches hash, and whether the hash should be replaced because it was computed with a
// different cost. An empty hash is checked against the dummy. It leaves the place.
func (p place) check(ctx context.Context, password, hash string) (match, stale bool, err error) {
	release, err := p.acquire(ctx)
	if err != nil {
		return false, false, err
	}
	defer release()
	match, params, err := argon2id.CheckHash(norm.NFC.String(password), cmp.Or(hash, p.hasher.dummy))
	if err != nil {
		return false, false, fault.Wrap(fault.Internal, "", fmt.Errorf("account: stored hash: %w", err))
	}
	return match && hash != "", *params != *p.hasher.cost.params(), nil
}

// place is a position in the queue. Its holder either acquires a processor with it or gives it up.
type place struct {
	hasher  *hasher
	waiting chan struct{}
}

func errHashQueueFull(cause error) error {
	return fault.Wrap(fault.Unavailable, "Too many people are signing in right now. Try again in a few seconds.", cause)
}

// reserve takes a place, or gives up at once when too many wait already.
func (h *hasher) reserve(from queue) (place, error) {
	waiting := h.queue[from]
	select {
	case waiting <- struct{}{}:
		return place{h, waiting}, nil
	default:
		return place{}, errHashQueueFull(nil)
	}
}

func (p place) leave() { <-p.waiting }

// acquire waits for a processor. It leaves the place when it fails, and release leaves it otherwise.
func (p place) acquire(ctx context.Context) (release func(), err error) {
	select {
	case p.hasher.running <- struct{}{}:
		p.hasher.started.Add(1)
		return func() { <-p.hasher.running; p.leave() }, nil
	case <-ctx.Done():
		p.leave()
		return nil, errHashQueueFull(ctx.Err())
	}
}
