package intake

import (
	"errors"
	"net/http"

	"hearthline/internal/desk"
	"hearthline/web/page"
)

// orItsLead leads who asks for a draft that was sent to the lead that came of it. Whoever
// may not see that lead is told that there is no such draft; any other error stays.
func orItsLead(w http.ResponseWriter, r *http.Request, err error) error {
	if became, ok := errors.AsType[*desk.BecameLead](err); ok {
		return page.Onward(w, r, page.BaseOf(r).Lead(string(became.App)))
	}
	return err
}

// wasSent says whether an error says that a draft was sent.
func wasSent(err error) bool {
	_, sent := errors.AsType[*desk.BecameLead](err)
	return sent
}
