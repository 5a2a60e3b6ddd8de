package page

import (
	"net/http"

	view "hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/ui"
)

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
