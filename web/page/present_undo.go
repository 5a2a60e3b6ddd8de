package page

import (
	"hearthline/internal/desk"
	view "hearthline/views/page"
	"hearthline/web/format"
)

// PresentUndo offers to undo a reassignment, to the user who made it, while that is possible.
func PresentUndo(v format.Viewer, h desk.ReassignmentDetails, operationID string) view.UndoView {
	until := h.UndoUntil()
	if h.ActorID != v.Who.UserID || until.IsZero() || !v.Now.Before(until) {
		return view.UndoView{}
	}
	return view.UndoView{ID: h.OpID, OperationID: operationID, Until: "Possible until " + v.TimeOfDay(until)}
}
