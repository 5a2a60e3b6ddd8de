package page

import (
	"hearthline/internal/access"
	"hearthline/internal/desk"
)

// Desk and Lead are the handles that include the user's permissions. The guard opens them and
// passes them to handlers; nothing else in web opens them.
//
//nolint:revive // one sentence for both
type (
	Desk = *desk.Desk
	Lead = *desk.Lead
)

// Desks returns the desk of a user; *desk.Service implements it.
type Desks interface {
	For(who access.Actor) *desk.Desk
}
