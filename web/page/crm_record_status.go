package page

import (
	"hearthline/views"
	"hearthline/web/format"
	"net/http"
)

// RecordLeadStatus is where the lead of a frame's record stands, whatever else its page shows;
// empty while it has none, and outside of frames.
func RecordLeadStatus(r *http.Request) (string, error) {
	record, err := LaunchedRecord(r)
	if record == nil || err != nil {
		return "", err
	}
	lead, found, err := record.Lead(r.Context())
	if !found || err != nil {
		return "", err
	}
	return views.StatusToken(string(lead.App), format.StatusChip(lead.Lead)), nil
}
