package page

import "sync"

// MaxStreamsPerUser is how many pages of one person may hear of changes at once.
const MaxStreamsPerUser = 20

// StreamLimit counts the open event streams of each person, who would otherwise hold
// the server's memory with one cookie. The zero value is ready.
type StreamLimit struct {
	mu   sync.Mutex
	open map[string]int
}

// Acquire takes a place; room is false when the person has none left.
func (l *StreamLimit) Acquire(userID string) (leave func(), room bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = make(map[string]int)
	}
	if l.open[userID] >= MaxStreamsPerUser {
		return nil, false
	}
	l.open[userID]++
	return sync.OnceFunc(func() { l.release(userID) }), true
}

func (l *StreamLimit) release(userID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[userID]--; l.open[userID] == 0 {
		delete(l.open, userID)
	}
}
