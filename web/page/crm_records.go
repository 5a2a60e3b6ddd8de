package page

import (
	"net/http"

	"hearthline/internal/embed"
	view "hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/ui"
)

// PresentCRMs maps a user's CRM connections; action returns the URL that disconnects one.
func PresentCRMs(v text.Viewer, all []embed.Link, action func(embed.Link) string) []view.CRMRow {
	rows := make([]view.CRMRow, len(all))
	for i, l := range all {
		row := view.CRMRow{ID: l.ID, CRM: l.CRM, CRMUser: l.Name, Email: l.Email, UserID: l.Subject,
			Since: v.DateTime(l.ConnectedAt), LastUsed: v.DateTime(l.UsedAt), DisconnectURL: action(l)}
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

// RecordLeadStatus returns the status of the lead that belongs to the CRM record of an embedded
// page, whatever else the page shows. It is empty if the record has no lead, and outside of embeds.
func RecordLeadStatus(r *http.Request) (string, error) {
	record, err := LaunchedRecord(r)
	if record == nil || err != nil {
		return "", err
	}
	lead, found, err := record.Lead(r.Context())
	if !found || err != nil {
		return "", err
	}
	return view.StatusToken(string(lead.App), ui.StatusChip(text.LeadStatus(lead.Row))), nil
}
