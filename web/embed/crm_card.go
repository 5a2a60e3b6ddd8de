package embed

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/views/text"
	"hearthline/web/page"
)

// crmCard is what a CRM may show of a record without embedding a page: the display text of the
// step, never a name or an amount.
type crmCard struct {
	Found     bool   `json:"found"`
	Connected *bool  `json:"connected,omitempty"` // false if the CRM user who asks is not connected to an account
	ShortID   string `json:"shortId,omitempty"`
	Step      string `json:"step,omitempty"`
	Changed   string `json:"changed,omitempty"`
}

// RecordCRMCard returns the status of a record's inquiry to a CRM. A signed request is valid for as
// long as its signature allows and may be repeated in that time, because it changes nothing. The
// response is the same 404 if the record has no inquiry, belongs to another CRM or another company,
// or is not visible to the requesting user. It is the same 403 if the client is unknown or has not
// signed the call. The response is not cached (no-store) and has no validator for conditional
// requests.
func (h *Handlers) RecordCRMCard(w http.ResponseWriter, r *http.Request) error {
	c, err := h.lookUpCRMCard(r)
	if fault.Is(err, fault.Denied, fault.NotFound) {
		return fault.Wrap(fault.Denied, "This call isn’t signed by an enabled CRM.", err)
	}
	if err != nil {
		return err
	}
	if err := h.Launches.LimitCards(w, r, chi.URLParam(r, "client")+" "+c.RequestedBy); err != nil {
		return err
	}
	if !c.Found {
		notFound := crmCard{}
		if c.NotConnected {
			notFound.Connected = new(bool)
		}
		return page.WriteJSON(w, http.StatusNotFound, notFound)
	}
	texts := text.StatusOf(string(c.Lead.StatusKey), string(c.Lead.Step))
	return page.WriteJSON(w, http.StatusOK, crmCard{Found: true, ShortID: c.Lead.ShortID, Step: texts.Chip,
		Changed: text.IsoTime(text.TimeOfMillis(c.Lead.ChangedAt))})
}

func (h *Handlers) lookUpCRMCard(r *http.Request) (embed.CRMCard, error) {
	req := embed.CardRequest{Key: chi.URLParam(r, "client"), Path: r.URL.EscapedPath(), Query: r.URL.RawQuery}
	if scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		return h.Embeds.CardByToken(r.Context(), req, strings.TrimSpace(token))
	}
	return h.Embeds.CardByCall(r.Context(), req, signedCall(r, ""))
}
