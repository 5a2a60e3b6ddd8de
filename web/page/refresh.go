package page

import (
	"net/http"
	"strconv"
	"time"

	"hearthline/views/ui"
)

// noRefresh is the parameter of a page's URL that stops the refreshes.
const noRefresh = "stay"

// How often, and how long, a browser without JavaScript loads a page again that waits for something.
const (
	soonRefresh    = 5 * time.Second
	laterRefresh   = 20 * time.Second
	soonUntil      = time.Minute
	refreshesUntil = 10 * time.Minute
)

// RefreshWithoutScript lets browsers without JavaScript load a page again while it waits for something that began at a
// time. A new load discards what is typed, so the page says that it reloads and links to itself without (WCAG 2.2.1).
func (s *Responder) RefreshWithoutScript(r *http.Request, p *ui.Page, began time.Time) {
	switch waited := s.Now().Sub(began); {
	case r.Method != http.MethodGet || r.URL.Query().Has(noRefresh):
	case began.IsZero() || waited < 0 || waited >= refreshesUntil:
	case waited < soonUntil:
		p.RefreshSeconds = seconds(soonRefresh)
	default:
		p.RefreshSeconds = seconds(laterRefresh)
	}
	if p.RefreshSeconds != "" {
		p.NoRefreshURL = "?" + noRefresh + "=true"
	}
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }
