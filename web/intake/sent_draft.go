package intake

import (
	"errors"
	"net/http"

	"hearthline/internal/desk"
	"hearthline/web/page"
)

// redirectToSentLead leads who asks for a draft that was sent to the lead that came of it. Whoever
// may not see that lead is told that there is no such draft; any other error stays.
func redirectToSentLead(w http.ResponseWriter, r *http.Request, err error) error {
	if became, ok := errors.AsType[*desk.DraftSentError](err); ok {
		return page.NavigateTo(w, r, page.BaseOf(r).Lead(string(became.App)))
	}
	return err
}

// isDraftSent says whether an error says that a draft was sent.
func isDraftSent(err error) bool {
	_, sent := errors.AsType[*desk.DraftSentError](err)
	return sent
}
