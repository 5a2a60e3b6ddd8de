package web

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"io"
	"mime"
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/web/page"
)

// WebhookReceiver accepts the lender's webhooks. It stores which application to refresh and returns
// at once; the refresh happens later.
type WebhookReceiver interface {
	ReceiveWebhook(ctx context.Context, body []byte) error
}

// partnerWebhook receives the lender's webhooks. A wrong token gets a 404. The URL is never logged, because it
// contains the token.
func (s *Server) partnerWebhook(w http.ResponseWriter, r *http.Request) error {
	if s.Webhooks == nil || !s.isWebhookToken(chi.URLParam(r, "token")) {
		return s.responder.NotFound(w, r)
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || !isWebhookType(kind) {
		return &page.StatusError{Status: http.StatusUnsupportedMediaType, Message: "Send JSON."}
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return page.ErrUnreadableForm(err)
	}
	if err := s.Webhooks.ReceiveWebhook(r.Context(), body); err != nil {
		return err
	}
	w.WriteHeader(http.StatusOK)
	return nil
}

// isWebhookType accepts JSON, and also a bare encrypted payload.
func isWebhookType(kind string) bool {
	return kind == "application/json" || kind == "application/jose" || kind == "text/plain"
}

// isWebhookToken compares the token with every live token in constant time.
func (s *Server) isWebhookToken(token string) bool {
	digest := sha256.Sum256([]byte(token))
	matched := 0
	for _, live := range s.WebhookTokens() {
		want := sha256.Sum256([]byte(live))
		matched |= subtle.ConstantTimeCompare(digest[:], want[:])
	}
	return matched == 1
}
