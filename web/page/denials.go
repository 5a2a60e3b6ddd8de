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

// SignInAudit records sign-ins in the audit; *desk.Service implements it. Rejected sign-ins are
// recorded where they are rejected.
type SignInAudit interface {
	LogSignIn(ctx context.Context, who access.Actor, proof access.Proof) error
}

// auditDenial records a denied request in the audit: a 403 for a signed-in user, and a 404 for a
// lead or another object that the URL names by its id. Every denial is recorded; Denials.checkLimit
// rejects further requests of a user who collects very many.
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
	target := t.route.Name
	if idPattern.MatchString(id) {
		target += " " + id
	}
	if err := t.Visit.Desk.LogDenied(context.WithoutCancel(r.Context()), target, object); err != nil {
		t.AddAttr("audit", "the refusal could not be written down")
	}
}

// idPattern matches the ids that the portal generates, so that other text in a URL stays out of the
// audit.
var idPattern = regexp.MustCompile(`^[0-9A-Za-z-]{20,64}$`)

// AuditSignIn records a sign-in in the audit. A sign-in that cannot be recorded fails.
func (s *Server) AuditSignIn(r *http.Request, who access.Actor, proof access.Proof) error {
	if s.SignInAudit == nil {
		return nil
	}
	return s.SignInAudit.LogSignIn(context.WithoutCancel(r.Context()), who, proof)
}

// MaxDenialsPerMinute is how many denials one user may collect in a minute before further requests
// are rejected unseen. Nobody reaches it in normal work; it slows down a program that probes URLs.
const MaxDenialsPerMinute = 60

// Denials counts the denials of each user in the current minute. The zero value is ready to use.
type Denials struct {
	mu     sync.Mutex
	minute time.Time
	byUser map[string]int
}

// Count counts one denial of a user.
func (f *Denials) Count(user string, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.resetEachMinute(now)
	f.byUser[user]++
}

// checkLimit returns an error if the user has reached MaxDenialsPerMinute.
func (f *Denials) checkLimit(user string, now time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.resetEachMinute(now)
	if f.byUser[user] < MaxDenialsPerMinute {
		return nil
	}
	return fault.Wrap(fault.Unavailable, "Too many pages you don’t have access to. Wait a minute and try again.", &account.TooSoon{Wait: time.Minute})
}

func (f *Denials) resetEachMinute(now time.Time) {
	if minute := now.Truncate(time.Minute); f.byUser == nil || !minute.Equal(f.minute) {
		f.minute, f.byUser = minute, map[string]int{}
	}
}
