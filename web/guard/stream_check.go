package guard

import (
	"context"
	"net/http"
	"sync"
	"time"

	"hearthline/web/page"
)

// streamCheck checks whether the session of a stream is still valid, in the database, because the request's own copy is
// from its start.
type streamCheck struct {
	live     *LiveUpdates
	visit    *page.Visit
	at       time.Time // of the last look at the session
	expires  time.Time // of the session, as of then
	revision int64     // from before then
}

// coverBoundary is what the days divide on which covers begin and end, in every time zone.
const coverBoundary = 15 * time.Minute

// validNow reports whether the session is valid. It looks at the session only if something can have changed since the
// last time, because a change at a large company is sent to thousands of streams at once.
func (c *streamCheck) validNow(r *http.Request) bool {
	now := c.live.sessions.Now()
	revision, err := c.live.access.read(r.Context(), c.live.sessions)
	if err != nil || c.visit.Embed != nil || revision != c.revision || !now.Before(c.expires) ||
		!now.Truncate(coverBoundary).Equal(c.at.Truncate(coverBoundary)) {
		return c.validAgain(r)
	}
	return true
}

// validAgain looks at the session.
func (c *streamCheck) validAgain(r *http.Request) bool {
	l, v := c.live, c.visit
	if v.Embed != nil {
		now, err := l.embeds.Visit(r.Context(), v.Embed.Client.Key, v.Embed.ID, v.Session.IDHash)
		return err == nil && now.User == v.User
	}
	revision, err := l.access.read(r.Context(), l.sessions)
	if err != nil {
		return false
	}
	now, err := l.sessions.lookUp(r.Context(), v.Session.IDHash)
	c.at, c.expires, c.revision = l.sessions.Now(), now.ExpiresAt, revision
	return err == nil && now.SignedIn && now.User == v.User
}

// accessRevisionAge is how long all streams use one reading of the access revision.
const accessRevisionAge = 20 * time.Millisecond

// accessRevision is the last reading of the access revision.
type accessRevision struct {
	mu sync.Mutex
	at time.Time
	n  int64
}

func (a *accessRevision) read(ctx context.Context, s *Sessions) (int64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	if !a.at.IsZero() && now.Sub(a.at) < accessRevisionAge {
		return a.n, nil
	}
	n, err := s.rows.AccessRevision(ctx)
	if err == nil {
		a.at, a.n = now, n
	}
	return n, err
}
