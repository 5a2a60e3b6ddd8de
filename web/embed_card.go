package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/httprate"

	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/views/words"
)

// cardsPerMinute bounds the cards that one network asks for at one CRM. A CRM's server asks
// for all its people, so there may be more of them than launches.
const cardsPerMinute = 300

func newCardLimit() *httprate.RateLimiter {
	return httprate.NewRateLimiter(cardsPerMinute, launchPeriod, httprate.WithResponseHeaders(httprate.ResponseHeaders{}))
}

// card is what a CRM may show of a record without a frame: words of the step, never a name
// or an amount.
type card struct {
	Found     bool   `json:"found"`
	Connected *bool  `json:"connected,omitempty"` // false: the log-in that asks is nobody's here
	ShortID   string `json:"shortId,omitempty"`
	Step      string `json:"step,omitempty"`
	Changed   string `json:"changed,omitempty"`
}

// recordCard tells a CRM where a record's inquiry stands. What is signed is good for the
// minutes that its signature allows and may be asked again in them, since nothing comes of
// it. A record without an inquiry, another CRM's, another company's and one beyond the
// asking person's reach are the same 404; a call that is not signed by the client, and one
// at a client that is not, are the same 403. Nothing of it is kept on the way (no-store),
// and it carries no mark by which one could be asked whether it has changed.
func (s *Server) recordCard(w http.ResponseWriter, r *http.Request) error {
	if err := limited(s.cards, w, r); err != nil {
		return err
	}
	c, err := s.cardAsked(r)
	if kind := fault.KindOf(err); err != nil && (kind == fault.Denied || kind == fault.NotFound) {
		trailOf(r).err = err
		return answerJSON(w, http.StatusForbidden, map[string]string{"error": "This call is not signed by a CRM that is let in here."})
	}
	if err != nil {
		return err
	}
	if !c.Found {
		none := card{}
		if c.Stranger {
			none.Connected = new(bool)
		}
		return answerJSON(w, http.StatusNotFound, none)
	}
	said := words.StandingOf(string(c.Lead.Stand), string(c.Lead.Step))
	return answerJSON(w, http.StatusOK, card{Found: true, ShortID: c.Lead.ShortID, Step: said.Chip, Changed: iso(instant(c.Lead.ChangedAt))})
}

func (s *Server) cardAsked(r *http.Request) (embed.Card, error) {
	client, record := chi.URLParam(r, "client"), chi.URLParam(r, "record")
	if plain, err := url.PathUnescape(record); err == nil {
		record = plain
	}
	if token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); bearer {
		return s.Embeds.CardByToken(r.Context(), client, record, token)
	}
	return s.Embeds.CardByCall(r.Context(), client, record, signedCall(r, ""))
}

// answerJSON answers a machine.
func answerJSON(w http.ResponseWriter, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the caller has gone; there is nobody to tell
	return nil
}
