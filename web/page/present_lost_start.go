package page

import (
	"cmp"

	"hearthline/internal/lead"
	"hearthline/views/text"
)

// LostStart maps a start whose outcome is unknown; borrower is empty if the name is not stored or must not be shown.
func LostStart(v text.Viewer, op lead.Operation, borrower string, reported bool) text.LostStart {
	s := text.LostStart{Borrower: borrower, Status: op.HTTPStatus, Reported: reported,
		SentAt: v.DateTimeInText(text.TimeOfMillis(cmp.Or(op.SentAt, op.CreatedAt)))}
	if op.ActorID != v.Who.UserID {
		s.SentBy = op.ActorName
	}
	return s
}
