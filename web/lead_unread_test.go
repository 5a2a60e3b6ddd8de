package web

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// A success response without the lead must not change what is shown, and the page shows the lender's message as text.
func TestLead_AnswerWithoutResource_KeepsLeadShowsMessage(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"documented", "live"} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			var broken atomic.Bool
			h := newHarness(t, harnessOptions{dialect: dialect, lenderMiddleware: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if broken.Load() && strings.Contains(r.URL.Path, "/details/") {
						w.Header().Set("Content-Type", "application/json")
						_, _ = w.Write([]byte(`{"data":null,"messages":[{"level":"ERROR","message":"<img src=x> Busy, call about 123456789"}]}`))
						return
					}
					next.ServeHTTP(w, r)
				})
			}})
			olivia := h.signInAs("olivia")
			lead := olivia.startLead("Rivera")
			olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
			broken.Store(true)
			olivia.post(lead+"/refresh", nil)
			h.waitUntil("the page says that the lender's answer is unreadable", func() bool {
				return strings.Contains(olivia.get(lead).Text(), "couldn’t be used")
			})
			page := olivia.get(lead)
			page.wantText("Offers ready", "What you see is as of", "The lender says: “<img src=x> Busy, call about")
			if page.Find(`input[name="offer.offerUuid"]`).Length() == 0 {
				t.Error("the offers are gone")
			}
			if strings.Contains(page.body, "<img src=x") || strings.Contains(page.body, "123456789") {
				t.Error("the lender's message is not escaped, or a number in it is shown")
			}
			if strings.Contains(h.log.String(), "Busy") {
				t.Error("the log contains the lender's message")
			}
			broken.Store(false)
			olivia.post(lead+"/refresh", nil)
			h.waitUntil("the notice is gone", func() bool { return !strings.Contains(olivia.get(lead).Text(), "couldn’t be used") })
		})
	}
}
