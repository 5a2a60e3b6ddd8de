package guard

import (
	"cmp"
	"context"
	"net/http"
	"regexp"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/web/page"
)

// auditDenial records a denied request in the audit: a 403 for a signed-in user, and a 404 for a
// lead or another object that the URL names by its id. Every denial is recorded; Denials.checkLimit
// rejects further requests from a session that has too many.
func (g *Guard) auditDenial(r *http.Request, status int) {
	t := page.RequestLogOf(r)
	if t.Visit == nil || t.Visit.Desk == nil {
		return
	}
	id := cmp.Or(chi.URLParam(r, "id"), r.URL.Query().Get("draft"))
	if status != http.StatusForbidden && !t.LeadHidden && (status != http.StatusNotFound || id == "") {
		return
	}
	g.Denials.Count(t.Visit.Session.IDHash, g.Now())
	object := "route:" + t.Pattern()
	if app, err := heloc.ParseAppID(chi.URLParam(r, "app")); err == nil {
		object = "lead:" + string(app)
	}
	target := t.Route.Name
	if idPattern.MatchString(id) {
		target += " " + id
	}
	if err := t.Visit.Desk.LogDenied(context.WithoutCancel(r.Context()), target, object); err != nil {
		t.AddAttr("audit", "the denial could not be recorded")
	}
}

// idPattern matches the ids that the portal generates, so that other text in a URL stays out of the
// audit.
var idPattern = regexp.MustCompile(`^[0-9A-Za-z-]{20,64}$`)

// MaxDenialsPerMinute is how many denials one session may get in a minute before its further requests
// are rejected unprocessed. Nobody reaches it in normal work; it slows down a program that probes URLs. The user's
// other sessions continue, because the user may not be the one who uses this session.
const MaxDenialsPerMinute = 60

// Denials counts the denials of each session in the current minute. The zero value is ready to use.
type Denials struct {
	mu        sync.Mutex
	minute    time.Time
	bySession map[string]int // by the hash of its token
}

// Count counts one denial of a session.
func (d *Denials) Count(session string, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.resetEachMinute(now)
	d.bySession[session]++
}

// checkLimit returns an error if the session has reached MaxDenialsPerMinute.
func (d *Denials) checkLimit(session string, now time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.resetEachMinute(now)
	if d.bySession[session] < MaxDenialsPerMinute {
		return nil
	}
	return fault.Wrap(fault.Unavailable, "Too many requests for pages you don’t have access to. "+
		"Wait a minute, then try again.", &account.TooSoon{Wait: time.Minute})
}

func (d *Denials) resetEachMinute(now time.Time) {
	if minute := now.Truncate(time.Minute); d.bySession == nil || !minute.Equal(d.minute) {
		d.minute, d.bySession = minute, map[string]int{}
	}
}
