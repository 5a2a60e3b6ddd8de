package page

import (
	"hearthline/internal/desk"
	"hearthline/views"
	"hearthline/web/format"
)

// showUndo offers to take a hand-over back, to who did it, while that is possible.
func ShowUndo(v format.Viewer, h desk.Handed, ticket string) views.UndoView {
	until := h.UndoUntil()
	if h.ActorID != v.Who.UserID || until.IsZero() || !v.Now.Before(until) {
		return views.UndoView{}
	}
	return views.UndoView{ID: h.OpID, Ticket: ticket, Until: "until " + v.Clock(until)}
}
