package page

import (
	"cmp"
	"context"
	"net/http"
	"regexp"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// LogInTrail writes down who came in, and how; *desk.Rooms does. Who was
// refused at the door is written down where that is judged.
type LogInTrail interface {
	CameIn(ctx context.Context, who access.Actor, proof access.Proof) error
}

// writeRefusal puts a refusal of permission into the audit: a 403 of somebody who is
// signed in, and what does not exist for them: a lead, or anything else that an address
// names by its id. Every one is written; who collects very many is not let in to collect
// more (see refusals).
func (s *Server) writeRefusal(r *http.Request, status int) {
	t := TrailOf(r)
	if t.Visit == nil || t.Visit.Desk == nil {
		return
	}
	id := cmp.Or(chi.URLParam(r, "id"), r.URL.Query().Get("draft"))
	if status != http.StatusForbidden && !t.notTheirs && (status != http.StatusNotFound || id == "") {
		return
	}
	s.Refused.Count(t.User, s.Now())
	object := "route:" + t.pattern()
	if app, err := heloc.ParseAppID(chi.URLParam(r, "app")); err == nil {
		object = "lead:" + string(app)
	}
	door := t.route.Name
	if anID.MatchString(id) {
		door += " " + id
	}
	if err := t.Visit.Desk.Refused(context.WithoutCancel(r.Context()), door, object); err != nil {
		t.Note("audit", "the refusal could not be written down")
	}
}

// anID is the shape of the ids that we give: whatever else somebody writes into an address
// stays out of the audit.
var anID = regexp.MustCompile(`^[0-9A-Za-z-]{20,64}$`)

// writeLogIn puts a log-in into the audit. One that cannot be written down is not made.
func (s *Server) WriteLogIn(r *http.Request, who access.Actor, proof access.Proof) error {
	if s.Trail == nil {
		return nil
	}
	return s.Trail.CameIn(context.WithoutCancel(r.Context()), who, proof)
}

// mostRefusals is how many refusals one person meets in a minute before they are sent
// away unseen: nobody who works does, and a program that tries doors is slowed down.
const MostRefusals = 60

// refusals counts the refusals of each person in the present minute. The zero value is ready.
type Refusals struct {
	mu     sync.Mutex
	minute time.Time
	of     map[string]int
}

func (f *Refusals) Count(user string, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.turn(now)
	f.of[user]++
}

// tooMany refuses whoever has met too many.
func (f *Refusals) tooMany(user string, now time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.turn(now)
	if f.of[user] < MostRefusals {
		return nil
	}
	return fault.Wrap(fault.Unavailable, "Too many pages that are not yours. Wait a minute, then go on.", &account.TooSoon{Wait: time.Minute})
}

func (f *Refusals) turn(now time.Time) {
	if minute := now.Truncate(time.Minute); f.of == nil || !minute.Equal(f.minute) {
		f.minute, f.of = minute, map[string]int{}
	}
}
