package page

import (
	deskreassign "hearthline/internal/desk/reassign"
	view "hearthline/views/page"
	"hearthline/views/text"
)

// PresentUndo offers to undo a reassignment, to the user who made it, while that is possible.
func PresentUndo(v text.Viewer, h deskreassign.ReassignmentDetails, operationID string) view.UndoView {
	until := h.UndoUntil()
	if h.ActorID != v.Who.UserID || until.IsZero() || !v.Now.Before(until) {
		return view.UndoView{}
	}
	return view.UndoView{ID: h.OpID, OperationID: operationID, Until: "Possible until " + v.TimeOfDay(until)}
}
