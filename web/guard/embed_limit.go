package guard

import (
	"errors"
	"net/http"
	"time"

	"github.com/go-chi/httprate"

	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/web/page"
)

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
