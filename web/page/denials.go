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

// SignInAudit writes down who came in, and how; *desk.Rooms does. Who was
// refused at the door is written down where that is judged.
type SignInAudit interface {
	LogSignIn(ctx context.Context, who access.Actor, proof access.Proof) error
}

// auditDenial puts a refusal of permission into the audit: a 403 of somebody who is
// signed in, and what does not exist for them: a lead, or anything else that an address
// names by its id. Every one is written; who collects very many is not let in to collect
// more (see refusals).
func (s *Server) auditDenial(r *http.Request, status int) {
	t := RequestLogOf(r)
	if t.Visit == nil || t.Visit.Desk == nil {
		return
	}
	id := cmp.Or(chi.URLParam(r, "id"), r.URL.Query().Get("draft"))
	if status != http.StatusForbidden && !t.leadHidden && (status != http.StatusNotFound || id == "") {
		return
	}
	s.Denials.Count(t.User, s.Now())
	object := "route:" + t.pattern()
	if app, err := heloc.ParseAppID(chi.URLParam(r, "app")); err == nil {
		object = "lead:" + string(app)
	}
	door := t.route.Name
	if idPattern.MatchString(id) {
		door += " " + id
	}
	if err := t.Visit.Desk.LogDenied(context.WithoutCancel(r.Context()), door, object); err != nil {
		t.AddAttr("audit", "the refusal could not be written down")
	}
}

// idPattern is the shape of the ids that we give: whatever else somebody writes into an address
// stays out of the audit.
var idPattern = regexp.MustCompile(`^[0-9A-Za-z-]{20,64}$`)

// AuditSignIn puts a log-in into the audit. One that cannot be written down is not made.
func (s *Server) AuditSignIn(r *http.Request, who access.Actor, proof access.Proof) error {
	if s.SignInAudit == nil {
		return nil
	}
	return s.SignInAudit.LogSignIn(context.WithoutCancel(r.Context()), who, proof)
}

// MaxDenialsPerMinute is how many refusals one person meets in a minute before they are sent
// away unseen: nobody who works does, and a program that tries doors is slowed down.
const MaxDenialsPerMinute = 60

// Denials counts the refusals of each person in the present minute. The zero value is ready.
type Denials struct {
	mu     sync.Mutex
	minute time.Time
	byUser map[string]int
}

func (f *Denials) Count(user string, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.resetEachMinute(now)
	f.byUser[user]++
}

// checkLimit refuses whoever has met too many.
func (f *Denials) checkLimit(user string, now time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.resetEachMinute(now)
	if f.byUser[user] < MaxDenialsPerMinute {
		return nil
	}
	return fault.Wrap(fault.Unavailable, "Too many pages that are not yours. Wait a minute, then go on.", &account.TooSoon{Wait: time.Minute})
}

func (f *Denials) resetEachMinute(now time.Time) {
	if minute := now.Truncate(time.Minute); f.byUser == nil || !minute.Equal(f.minute) {
		f.minute, f.byUser = minute, map[string]int{}
	}
}
