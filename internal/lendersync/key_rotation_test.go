package lendersync

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// Notifications and webhooks from before a key rotation are still recognized after it.
func TestNotify_AfterKeyRotation_Once(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.must(g.lender.Play(app, "convert"))
		g.must(g.service.Refresh(t.Context(), app))
		g.must(g.service.ReceiveWebhook(t.Context(), []byte(`{"applicationUuid":"`+string(app)+`"}`)))
		setConditions := func(conditions string) {
			t.Helper()
			g.transport.set(nil, func(r *http.Request) string {
				if !strings.Contains(r.URL.Path, "/details/") {
					return ""
				}
				return `{"data":{"appUuid":"` + string(app) +
					`","appData":{"isInquiry":false,"nextInquiryStep":"INQUIRY_COMPLETE","conditions":[` + conditions + `]}}}`
			})
			time.Sleep(time.Minute)
			g.must(g.service.Refresh(t.Context(), app))
		}
		const appraisal = `{"active":true,"name":"APPRAISAL","createdDate":"2026-11-02"}`
		setConditions(appraisal)
		company := g.lead(app).Company
		before := len(g.noticesOf(g.olivia.UserID, company))
		if before == 0 {
			t.Fatal("got no notification of the condition")
		}
		g.close()
		g.vault = g.rotatedVault
		g.open()
		setConditions("")
		setConditions(appraisal)
		if got := g.noticesOf(g.olivia.UserID, company); len(got) != before {
			t.Errorf("got %q, want one notification of the condition", got)
		}
		webhookAt := g.lead(app).WebhookAt
		time.Sleep(time.Minute)
		g.must(g.service.ReceiveWebhook(t.Context(), []byte(`{"applicationUuid":"`+string(app)+`"}`)))
		if got := g.lead(app).WebhookAt; got != webhookAt {
			t.Errorf("the same webhook counts as a new one: at %d, then %d", webhookAt, got)
		}
	})
}
