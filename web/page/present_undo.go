package page

import (
	"hearthline/internal/desk"
	"hearthline/views"
	"hearthline/web/format"
)

// PresentUndo offers to undo a reassignment, to the user who made it, while that is possible.
func PresentUndo(v format.Viewer, h desk.ReassignmentDetails, operationID string) views.UndoView {
	until := h.UndoUntil()
	if h.ActorID != v.Who.UserID || until.IsZero() || !v.Now.Before(until) {
		return views.UndoView{}
	}
	return views.UndoView{ID: h.OpID, OperationID: operationID, Until: "until " + v.TimeOfDay(until)}
}
