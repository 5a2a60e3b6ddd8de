package watch

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// What was told and what came in before keys were rotated is known after, too.
func TestNewKeysTellNothingTwice(t *testing.T) {
	inBubble(t, options{}, func(t *testing.T, g *rig) {
		app := g.began("Rivera")
		g.must(g.lender.Play(app, "convert"))
		g.must(g.watch.Refresh(t.Context(), app))
		g.must(g.watch.Receive(t.Context(), []byte(`{"applicationUuid":"`+string(app)+`"}`)))
		says := func(conditions string) {
			t.Helper()
			g.wire.set(nil, func(r *http.Request) string {
				if !strings.Contains(r.URL.Path, "/details/") {
					return ""
				}
				return `{"data":{"appUuid":"` + string(app) + `","appData":{"isInquiry":false,"nextInquiryStep":"INQUIRY_COMPLETE","conditions":[` + conditions + `]}}}`
			})
			time.Sleep(time.Minute)
			g.must(g.watch.Refresh(t.Context(), app))
		}
		const appraisal = `{"active":true,"name":"APPRAISAL","createdDate":"2026-11-02"}`
		says(appraisal)
		company := g.lead(app).Company
		before := len(g.told(g.olivia.UserID, company))
		if before == 0 {
			t.Fatal("the condition was not told")
		}
		g.close()
		g.vault = g.renewed
		g.open()
		says("")
		says(appraisal)
		if got := g.told(g.olivia.UserID, company); len(got) != before {
			t.Errorf("got %q, want the condition told once", got)
		}
		hinted := g.lead(app).HintedAt
		time.Sleep(time.Minute)
		g.must(g.watch.Receive(t.Context(), []byte(`{"applicationUuid":"`+string(app)+`"}`)))
		if got := g.lead(app).HintedAt; got != hinted {
			t.Errorf("the same webhook counts as news: hinted at %d, then %d", hinted, got)
		}
	})
}
