package guard

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"regexp"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/httprate"

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

// Requests from CRMs are limited only after their signature has been checked, because checking
// costs less than rejecting would: all customers of HubSpot call from the same addresses, and one
// who forges requests must not block the others. Requests that fail verification are counted by the
// client's address. Verified launches are counted in the database by the CRM sign-in that they name
// (embed.Service). CRM cards, of which one page may show many, are counted here by their requester.
//
// The two counters here are in memory and separate for each process, because nothing depends on
// them: the first turns one error into another, the second avoids reading cards. In the database,
// each would cost a write for a request that otherwise needs none, and a flood of forged requests
// would occupy the single writer. Data that must hold for all processes and survive a restart is in
// the database: the codes, earlier launches, and why a client was rejected.
const (
	RejectedPerMinute = 60
	CardsPerMinute    = 600
)

// LaunchLimits count the requests of CRMs in this process.
type LaunchLimits struct {
	rejected *httprate.RateLimiter
	cards    *httprate.RateLimiter
}

// NewLaunchLimits returns limits of which nothing is used yet.
func NewLaunchLimits() *LaunchLimits {
	return &LaunchLimits{rejected: page.NewMinuteLimit(RejectedPerMinute), cards: page.NewMinuteLimit(CardsPerMinute)}
}

// LimitCards returns an error if a CRM's user has requested too many cards.
func (l *LaunchLimits) LimitCards(w http.ResponseWriter, r *http.Request, requester string) error {
	if l.cards.OnLimit(w, r, requester) {
		return errTooManyLaunches(nil)
	}
	return nil
}

// LimitUnverified limits how many rejected requests one address may send. Each endpoint has its own
// count.
func (l *LaunchLimits) LimitUnverified(endpoint string, h page.Handler) page.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := h(w, r)
		if !fault.Is(err, fault.Denied, fault.NotFound, fault.Conflict) {
			return err
		}
		if l.rejected.OnLimit(w, r, endpoint+" "+page.ClientAddress(r)) {
			return errTooManyLaunches(err)
		}
		return err
	}
}

// errTooManyLaunches returns the error for a client that exceeds its limit.
func errTooManyLaunches(why error) error {
	return fault.Wrap(fault.Unavailable, "Too many records were opened at once. Try again in a minute.",
		errors.Join(&account.TooSoon{Wait: time.Minute}, why))
}
