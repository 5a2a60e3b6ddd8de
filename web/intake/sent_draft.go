package intake

import (
	"errors"
	"net/http"

	"hearthline/internal/desk"
	"hearthline/web/page"
)

// redirectToSentLead redirects a request for a draft that was sent to the lead that it became.
// Users who may not see that lead learn only that there is no such draft. Any other error is
// returned.
func redirectToSentLead(w http.ResponseWriter, r *http.Request, err error) error {
	if sent, ok := errors.AsType[*desk.DraftSentError](err); ok {
		return page.NavigateTo(w, r, page.BaseOf(r).Lead(string(sent.App)))
	}
	return err
}
