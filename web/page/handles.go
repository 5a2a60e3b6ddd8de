package page

import (
	"hearthline/internal/access"
	"hearthline/internal/desk"
)

// Desk and Lead are the handles that carry a person's right. The guard opens them
// and hands them to handlers: nobody else here opens either.
//
//nolint:revive // one sentence for both
type (
	Desk = *desk.Desk
	Lead = *desk.Lead
)

// Desks gives a person their desk; *desk.Rooms does.
type Desks interface {
	For(who access.Actor) *desk.Desk
}
