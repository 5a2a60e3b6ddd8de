package page

import (
	"strconv"
	"time"

	"hearthline/views/ui"
)

// How often, and how long, a browser without JavaScript loads a page again that waits for something.
const (
	soonRefresh    = 5 * time.Second
	laterRefresh   = 20 * time.Second
	soonUntil      = time.Minute
	refreshesUntil = 10 * time.Minute
)

// RefreshWithoutScript lets browsers without JavaScript load a page again while it waits for something that began at a
// time. Pages with a form to fill must not use it: it would discard what is typed.
func (s *Responder) RefreshWithoutScript(p *ui.Page, began time.Time) {
	switch waited := s.Now().Sub(began); {
	case began.IsZero() || waited < 0 || waited >= refreshesUntil:
	case waited < soonUntil:
		p.RefreshSeconds = seconds(soonRefresh)
	default:
		p.RefreshSeconds = seconds(laterRefresh)
	}
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }
