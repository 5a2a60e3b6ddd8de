package page

import (
	"net/http"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	deskcrm "hearthline/internal/desk/crm"
	"hearthline/internal/embed"
	"hearthline/views/to"
)

// Desk and Lead are the handles that include the user's permissions. The guard opens them and
// passes them to handlers; nothing else in web opens them.
//
//nolint:revive // one sentence for both
type (
	Desk = *desk.Desk
	Lead = *desk.Lead
)

// SessionState describes who is signed in.
type SessionState struct {
	SignedIn  bool
	Expired   bool // the session has expired; User is its user
	User      access.User
	Session   access.Session
	ExpiresAt time.Time // when the session ends without further activity
}

// Visit is one request of a signed-in user, with the handles opened for it.
type Visit struct {
	SessionState
	Base to.Base // prefix of every URL on the pages that this request renders
	Desk Desk    // nil on pages that do not require a user
	Lead Lead    // the lead in the URL; nil if there is none

	Unread *int // the user's unread notifications, if the page has counted them; nil if not

	Embed *EmbedVisit // the embedded session; nil in the full desk
}

// EmbedVisit is one request inside an embed, or in the tab that replaces one.
type EmbedVisit struct {
	embed.Visit
	InTab bool
}

// SetElevatedUntil sets how long the user counts as stepped up, for the desk and every handle
// opened from it.
func (v *Visit) SetElevatedUntil(until time.Time) {
	if v.Desk != nil {
		v.Desk.Actor.ElevatedUntil = until
	}
}

// Elevated reports whether the user has stepped up recently.
func (v *Visit) Elevated(now time.Time) bool { return v.Desk != nil && v.Desk.Actor.Elevated(now) }

// VisitOf returns the visit that the guard created. Public routes have none.
func VisitOf(r *http.Request) *Visit { return RequestLogOf(r).Visit }

// BaseOf returns the prefix of the URLs on the pages of this request.
func BaseOf(r *http.Request) to.Base {
	if v := VisitOf(r); v != nil {
		return v.Base
	}
	return to.Full
}

// ActorOf returns the signed-in user. If nobody is signed in, it returns the zero Actor, which has
// no permissions.
func ActorOf(r *http.Request) access.Actor {
	if v := VisitOf(r); v != nil {
		return v.User.Actor
	}
	return access.Actor{}
}

// LaunchedRecord returns the CRM record of an embedded visit as its user may read it, or nil
// outside of embeds.
func LaunchedRecord(r *http.Request) (*deskcrm.Launch, error) {
	v := VisitOf(r)
	if v == nil || v.Embed == nil {
		return nil, nil
	}
	return v.Desk.CRMLaunch(v.Embed.VerifiedLaunch)
}

// SessionExpiry returns when a session ends without further activity.
func SessionExpiry(row access.Session) time.Time {
	if idle := row.LastSeen.Add(access.IdleLimit); idle.Before(row.Expires) {
		return idle
	}
	return row.Expires
}
