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
// rejects further requests of a user who collects very many.
func (g *Guard) auditDenial(r *http.Request, status int) {
	t := page.RequestLogOf(r)
	if t.Visit == nil || t.Visit.Desk == nil {
		return
	}
	id := cmp.Or(chi.URLParam(r, "id"), r.URL.Query().Get("draft"))
	if status != http.StatusForbidden && !t.LeadHidden && (status != http.StatusNotFound || id == "") {
		return
	}
	g.Denials.Count(t.User, g.Now())
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
func (d *Denials) Count(user string, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.resetEachMinute(now)
	d.byUser[user]++
}

// checkLimit returns an error if the user has reached MaxDenialsPerMinute.
func (d *Denials) checkLimit(user string, now time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.resetEachMinute(now)
	if d.byUser[user] < MaxDenialsPerMinute {
		return nil
	}
	return fault.Wrap(fault.Unavailable, "Too many requests for pages you don’t have access to. "+
		"Wait a minute, then try again.", &account.TooSoon{Wait: time.Minute})
}

func (d *Denials) resetEachMinute(now time.Time) {
	if minute := now.Truncate(time.Minute); d.byUser == nil || !minute.Equal(d.minute) {
		d.minute, d.byUser = minute, map[string]int{}
	}
}
