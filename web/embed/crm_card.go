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

// crmCard is what a CRM may show of a record without a frame: words of the step, never a name
// or an amount.
type crmCard struct {
	Found     bool   `json:"found"`
	Connected *bool  `json:"connected,omitempty"` // false: the log-in that asks is nobody's here
	ShortID   string `json:"shortId,omitempty"`
	Step      string `json:"step,omitempty"`
	Changed   string `json:"changed,omitempty"`
}

// RecordCRMCard tells a CRM where a record's inquiry stands. What is signed is good for the
// minutes that its signature allows and may be asked again in them, since nothing comes of
// it. A record without an inquiry, another CRM's, another company's and one beyond the
// asking person's reach are the same 404; a call that is not signed by the client, and one
// at a client that is not, are the same 403. Nothing of it is kept on the way (no-store),
// and it carries no mark by which one could be asked whether it has changed.
func (s *Handlers) RecordCRMCard(w http.ResponseWriter, r *http.Request) error {
	c, err := s.lookUpCRMCard(r)
	if kind := fault.KindOf(err); err != nil && (kind == fault.Denied || kind == fault.NotFound) {
		return fault.Wrap(fault.Denied, "This call is not signed by a CRM that is let in here.", err)
	}
	if err != nil {
		return err
	}
	if s.CardLimit.OnLimit(w, r, chi.URLParam(r, "client")+" "+c.RequestedBy) {
		return page.ErrTooManyLaunches(nil)
	}
	if !c.Found {
		none := crmCard{}
		if c.NotConnected {
			none.Connected = new(bool)
		}
		return page.WriteJSON(w, http.StatusNotFound, none)
	}
	said := words.StatusOf(string(c.Lead.StatusKey), string(c.Lead.Step))
	return page.WriteJSON(w, http.StatusOK, crmCard{Found: true, ShortID: c.Lead.ShortID, Step: said.Chip, Changed: format.IsoTime(format.TimeOfMillis(c.Lead.ChangedAt))})
}

func (s *Handlers) lookUpCRMCard(r *http.Request) (embed.CRMCard, error) {
	ask := embed.CardRequest{Key: chi.URLParam(r, "client"), Path: r.URL.EscapedPath(), Query: r.URL.RawQuery}
	if scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		return s.Embeds.CardByToken(r.Context(), ask, strings.TrimSpace(token))
	}
	return s.Embeds.CardByCall(r.Context(), ask, signedCall(r, ""))
}
