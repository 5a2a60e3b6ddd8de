package guard

import "sync"

// MaxStreamsPerUser is how many event streams one user may have open at once.
const MaxStreamsPerUser = 20

// StreamLimit counts the open event streams of each user, because one user could otherwise exhaust
// the server's memory. The zero value is ready to use.
type StreamLimit struct {
	mu   sync.Mutex
	open map[string]int
	all  int
}

// Open returns how many streams all users have open.
func (l *StreamLimit) Open() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all
}

// Acquire reserves a stream for the user until release is called; ok is false if the user has
// reached the limit.
func (l *StreamLimit) Acquire(userID string) (release func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = make(map[string]int)
	}
	if l.open[userID] >= MaxStreamsPerUser {
		return nil, false
	}
	l.open[userID]++
	l.all++
	return sync.OnceFunc(func() { l.release(userID) }), true
}

func (l *StreamLimit) release(userID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all--
	if l.open[userID]--; l.open[userID] == 0 {
		delete(l.open, userID)
	}
}
