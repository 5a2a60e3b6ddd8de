package page

import (
	"hearthline/internal/embed"
	view "hearthline/views/page"
	"hearthline/views/text"
)

// PresentCRMs maps a user's CRM connections; action returns the URL that disconnects one.
func PresentCRMs(v text.Viewer, all []embed.Link, action func(embed.Link) string) []view.CRMRow {
	rows := make([]view.CRMRow, len(all))
	for i, l := range all {
		row := view.CRMRow{ID: l.ID, CRM: l.CRM, CRMUser: l.Name, Email: l.Email, UserID: l.Subject, Since: v.DateTime(l.ConnectedAt), LastUsed: v.DateTime(l.UsedAt), DisconnectURL: action(l)}
		if l.Disabled {
			row.CRM += " (disabled)"
		}
		if row.CRMUser == "" {
			row.CRMUser, row.Email = l.Email, ""
		}
		rows[i] = row
	}
	return rows
}
