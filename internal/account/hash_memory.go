package account

import (
	"sync"
	"time"
)

// Hashes of this size are worth a garbage collection of their own.
const largeHashKiB = 8 * 1024

// hashPause is how long no hash has ended before their memory is released.
const hashPause = time.Second

// idleMemory gives the memory of hashes back to the system after the last of them. Each takes 64 MiB, which the runtime
// would otherwise keep for minutes after a wave of sign-ins.
type idleMemory struct {
	large   bool
	release func()
	mu      sync.Mutex
	timer   *time.Timer // nil until the first use
}

// used notes that a hash has ended.
func (m *idleMemory) used() {
	if !m.large {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.timer == nil {
		m.timer = time.AfterFunc(hashPause, m.release)
		return
	}
	m.timer.Reset(hashPause)
}
