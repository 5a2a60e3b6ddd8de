package embed

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/page"
)

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
func (s *Handlers) RecordCard(w http.ResponseWriter, r *http.Request) error {
	c, err := s.cardAsked(r)
	if kind := fault.KindOf(err); err != nil && (kind == fault.Denied || kind == fault.NotFound) {
		return fault.Wrap(fault.Denied, "This call is not signed by a CRM that is let in here.", err)
	}
	if err != nil {
		return err
	}
	if s.Cards.OnLimit(w, r, chi.URLParam(r, "client")+" "+c.Asker) {
		return page.TooManyLaunches(nil)
	}
	if !c.Found {
		none := card{}
		if c.Stranger {
			none.Connected = new(bool)
		}
		return page.AnswerJSON(w, http.StatusNotFound, none)
	}
	said := words.StandingOf(string(c.Lead.Stand), string(c.Lead.Step))
	return page.AnswerJSON(w, http.StatusOK, card{Found: true, ShortID: c.Lead.ShortID, Step: said.Chip, Changed: format.Iso(format.Instant(c.Lead.ChangedAt))})
}

func (s *Handlers) cardAsked(r *http.Request) (embed.Card, error) {
	ask := embed.CardAsk{Key: chi.URLParam(r, "client"), Path: r.URL.EscapedPath(), Query: r.URL.RawQuery}
	if scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		return s.Embeds.CardByToken(r.Context(), ask, strings.TrimSpace(token))
	}
	return s.Embeds.CardByCall(r.Context(), ask, signedCall(r, ""))
}
