package offers

import (
	"errors"
	"net/http"

	"hearthline/internal/fault"
	"hearthline/web/page"
)

// OpensPerMinute is how many shared quotes one address may request. The tokens cannot be guessed; the limit protects
// the one writer, which counts openings.
const OpensPerMinute = 60

// limitOpens returns an error if the client's address has requested too many shared quotes.
func (s *Handlers) limitOpens(w http.ResponseWriter, r *http.Request) error {
	if s.opens.OnLimit(w, r, page.ClientAddress(r)) {
		return fault.Wrap(fault.Unavailable, "Too many requests. Try again in a minute.", errors.New("shared quotes"))
	}
	return nil
}
