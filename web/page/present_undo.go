package page

import (
	"hearthline/internal/desk"
	"hearthline/views"
	"hearthline/web/format"
)

// PresentUndo offers to take a hand-over back, to who did it, while that is possible.
func PresentUndo(v format.Viewer, h desk.ReassignmentDetails, ticket string) views.UndoView {
	until := h.UndoUntil()
	if h.ActorID != v.Who.UserID || until.IsZero() || !v.Now.Before(until) {
		return views.UndoView{}
	}
	return views.UndoView{ID: h.OpID, OperationID: ticket, Until: "until " + v.TimeOfDay(until)}
}
