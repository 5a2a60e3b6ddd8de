package lead_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"hearthline/web/webtest"
)

// A success response without the lead must not change what is shown, and the page shows the lender's message as text.
func TestLead_AnswerWithoutResource_KeepsLeadShowsMessage(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			var broken atomic.Bool
			h := webtest.New(t, webtest.Options{Dialect: dialect, LenderMiddleware: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if broken.Load() && strings.Contains(r.URL.Path, "/details/") {
						w.Header().Set("Content-Type", "application/json")
						_, _ = w.Write([]byte(`{"data":null,"messages":[{"level":"ERROR","message":"<img src=x> Busy, call about ` +
							`123456789"}]}`))
						return
					}
					next.ServeHTTP(w, r)
				})
			}})
			olivia := h.SignInAs("olivia")
			lead := olivia.StartLead("Rivera")
			olivia.WaitFor(lead, `input[name="offer.offerUuid"]`)
			broken.Store(true)
			olivia.Post(lead+"/refresh", nil)
			h.WaitUntil("the page says that the lender's answer is unreadable", func() bool {
				return strings.Contains(olivia.Get(lead).Text(), "couldn’t be read")
			})
			page := olivia.Get(lead)
			page.WantText("Offers ready", "This page is as of", "The lender says: “<img src=x> Busy, call about")
			if page.Find(`input[name="offer.offerUuid"]`).Length() == 0 {
				t.Error("the offers are gone")
			}
			if strings.Contains(page.Body, "<img src=x") || strings.Contains(page.Body, "123456789") {
				t.Error("the lender's message is not escaped, or a number in it is shown")
			}
			if strings.Contains(h.Log.String(), "Busy") {
				t.Error("the log contains the lender's message")
			}
			broken.Store(false)
			olivia.Post(lead+"/refresh", nil)
			h.WaitUntil("the notice is gone", func() bool {
				return !strings.Contains(olivia.Get(lead).Text(), "couldn’t be read")
			})
		})
	}
}
