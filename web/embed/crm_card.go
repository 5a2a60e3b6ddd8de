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
	Found     bool   `json:"found" doc:"Whether the record has a lead that the caller may see."`
	Connected *bool  `json:"connected,omitempty" doc:"False if the CRM user who asks isn’t connected to an account."`
	ShortID   string `json:"shortId,omitempty" doc:"The lead’s short ID, as shown in Hearthline."`
	Step      string `json:"step,omitempty" doc:"The step in words, which may change. Compare a lead’s codes instead."`
	Changed   string `json:"changed,omitempty" format:"date-time" doc:"When the lead last changed."`
}

// RecordCRMCard returns the status of a record's inquiry to a CRM. A signed request is valid for as
// long as its signature allows and may be repeated in that time, because it changes nothing. The
// response is the same 404 if the record has no inquiry, belongs to another CRM or another company,
// or is not visible to the requesting user. It is the same 403 if the client is unknown or has not
// signed the call. The response is not cached (no-store) and has no validator for conditional
// requests.
func (h *Handlers) RecordCRMCard(w http.ResponseWriter, r *http.Request) error {
	ask, by, err := h.verifyCaller(w, r)
	if err != nil {
		return err
	}
	c, err := h.Embeds.Card(r.Context(), by, ask)
	if err != nil {
		return err
	}
	if !c.Found {
		notFound := crmCard{}
		if by.NotConnected {
			notFound.Connected = new(bool)
		}
		return page.WriteJSON(w, http.StatusNotFound, notFound)
	}
	texts := text.StatusOf(string(c.Lead.StatusKey), string(c.Lead.Step))
	return page.WriteJSON(w, http.StatusOK, crmCard{Found: true, ShortID: c.Lead.ShortID, Step: texts.Chip,
		Changed: text.IsoTime(text.TimeOfMillis(c.Lead.ChangedAt))})
}

// verifyCaller verifies who asks for a card or for statuses, and counts the request.
func (h *Handlers) verifyCaller(w http.ResponseWriter, r *http.Request) (embed.CardRequest, embed.Caller, error) {
	ask := embed.CardRequest{Key: chi.URLParam(r, "client"), Path: r.URL.EscapedPath(), Query: r.URL.RawQuery}
	verify := func() (embed.Caller, error) {
		if scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
			return h.Embeds.CallerByToken(r.Context(), ask, strings.TrimSpace(token))
		}
		return h.Embeds.CallerByCall(r.Context(), ask, signedCall(r, ""))
	}
	by, err := verify()
	if fault.Is(err, fault.Denied, fault.NotFound) {
		return ask, by, fault.Wrap(fault.Denied, "This call isn’t signed by an enabled CRM.", err)
	}
	if err != nil {
		return ask, by, err
	}
	return ask, by, h.Launches.LimitCards(w, r, ask.Key+" "+by.RequestedBy)
}
