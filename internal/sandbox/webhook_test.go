package sandbox

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// webhookInbox is a partner that accepts webhooks, or rejects the first few.
type webhookInbox struct {
	mu         sync.Mutex
	rejections int
	at         []time.Time
	bodies     []string
	kinds      []string
}

func (i *webhookInbox) RoundTrip(r *http.Request) (*http.Response, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	i.at = append(i.at, time.Now())
	i.bodies = append(i.bodies, string(body))
	i.kinds = append(i.kinds, r.Header.Get("Content-Type"))
	status := http.StatusOK
	if i.rejections > 0 {
		i.rejections--
		status = http.StatusAccepted // only 200 acknowledges
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
}

// steps returns the step or status of each webhook, in order of arrival.
func (i *webhookInbox) steps(t *testing.T) []string {
	t.Helper()
	i.mu.Lock()
	defer i.mu.Unlock()
	var all []string
	for _, b := range i.bodies {
		var body map[string]any
		if err := json.Unmarshal([]byte(b), &body); err != nil {
			t.Fatal(err)
		}
		if step, ok := body["nextInquiryStepType"].(string); ok {
			all = append(all, step)
		} else {
			all = append(all, body["overallStatus"].(string)+"/"+body["status"].(string))
		}
	}
	return all
}

// withInbox runs a test with a fake clock and a partner that receives webhooks.
func withInbox(t *testing.T, cfg Config, test func(*harness, *webhookInbox)) {
	synctest.Test(t, func(t *testing.T) {
		partner := &webhookInbox{}
		cfg.WebhookURL, cfg.Transport = "http://partner.test/hooks/secret", partner
		test(newHarness(t, cfg), partner)
	})
}

// TestWebhookShapes checks the two bodies of the live service and which event has which.
func TestWebhookShapes(t *testing.T) {
	t.Parallel()
	withInbox(t, Config{}, func(g *harness, partner *webhookInbox) {
		id := g.start(g.payload("Rivera"))
		synctest.Wait()
		var inquiry map[string]any
		if err := json.Unmarshal([]byte(partner.bodies[0]), &inquiry); err != nil {
			t.Fatal(err)
		}
		checkContract(t, "inquiry webhook", inquiry, map[string]string{
			"applicationUuid": "uuid", "loanOriginatorNmls": "string", "productType": "string", "eventTimestamp": "date-time",
			"nextInquiryStepType": "string", "organization": "string",
		})
		if inquiry["applicationUuid"] != id || inquiry["loanOriginatorNmls"] != "1847220" {
			t.Errorf("inquiry webhook: got %v", inquiry)
		}
		g.submitAnswer(id, "offer")
		synctest.Wait()
		for _, e := range []string{"borrower-signs-in", "complete", "condition", "fund"} {
			g.playEvent(id, e)
			synctest.Wait()
		}
		got := strings.Join(partner.steps(t)[:3], " ")
		if want := "OFFERS_AVAILABLE BORROWER_AUTH_REQUIRED BROKER_DOC_SIGNING_REQUIRED"; got != want {
			t.Errorf("inquiry webhooks: got %s, want %s", got, want)
		}
		rest := partner.steps(t)[3:]
		if len(rest) != 4 || rest[3] != "FUNDED/FUNDED" {
			t.Errorf("after complete: got %v, want a step, two statuses and FUNDED", rest)
		}
		var application map[string]any
		if err := json.Unmarshal([]byte(partner.bodies[6]), &application); err != nil {
			t.Fatal(err)
		}
		checkContract(t, "application webhook", application, map[string]string{
			"applicationUuid": "uuid", "loanOriginatorNmls": "string", "productType": "string", "eventTimestamp": "date-time",
			"status": "string", "overallStatus": "string", "organization": "string",
		})
	})
}

// TestWebhookRetries: a response other than 200 causes retries with doubled delays, up to a
// maximum.
func TestWebhookRetries(t *testing.T) {
	t.Parallel()
	withInbox(t, Config{WebhookBackoff: time.Second}, func(g *harness, partner *webhookInbox) {
		partner.rejections = 3
		g.start(g.payload("Rivera"))
		time.Sleep(time.Minute)
		synctest.Wait()
		var pauses []time.Duration
		for i := 1; i < len(partner.at); i++ {
			pauses = append(pauses, partner.at[i].Sub(partner.at[i-1]))
		}
		if len(pauses) != 3 || pauses[0] != time.Second || pauses[1] != 2*time.Second || pauses[2] != 4*time.Second {
			t.Errorf("pauses: got %v, want 1s 2s 4s", pauses)
		}
		partner.rejections, partner.at = 100, nil
		g.start(g.payload("Rivera"))
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if len(partner.at) != webhookAttempts {
			t.Errorf("attempts: got %d, want %d", len(partner.at), webhookAttempts)
		}
	})
}

// TestWebhookModes: off, late, double and reorder.
func TestWebhookModes(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		mode        WebhookMode
		soon, later string
	}{
		{WebhooksOn, "CREDIT_MATCH_REQUIRED OFFERS_AVAILABLE", "CREDIT_MATCH_REQUIRED OFFERS_AVAILABLE"},
		{WebhooksOff, "", ""},
		{WebhooksLate, "", "CREDIT_MATCH_REQUIRED OFFERS_AVAILABLE"},
		{WebhooksDouble, "CREDIT_MATCH_REQUIRED CREDIT_MATCH_REQUIRED OFFERS_AVAILABLE OFFERS_AVAILABLE",
			"CREDIT_MATCH_REQUIRED CREDIT_MATCH_REQUIRED OFFERS_AVAILABLE OFFERS_AVAILABLE"},
		{WebhooksReorder, "OFFERS_AVAILABLE CREDIT_MATCH_REQUIRED", "OFFERS_AVAILABLE CREDIT_MATCH_REQUIRED"},
	} {
		withInbox(t, Config{}, func(g *harness, partner *webhookInbox) {
			if err := g.s.SetFaults(Faults{Webhooks: row.mode}); err != nil {
				t.Fatal(err)
			}
			id := g.start(g.payload("Rivera-Match"))
			synctest.Wait()
			time.Sleep(time.Second)
			g.submitAnswer(id, "ssn")
			synctest.Wait()
			if got := strings.Join(partner.steps(t), " "); got != row.soon {
				t.Errorf("%s, immediately: got %q, want %q", row.mode, got, row.soon)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if got := strings.Join(partner.steps(t), " "); got != row.later {
				t.Errorf("%s, later: got %q, want %q", row.mode, got, row.later)
			}
		})
	}
}

// TestWebhooks_ReorderWithoutNext_Sent: a delayed webhook is sent even if no other one follows.
func TestWebhooks_ReorderWithoutNext_Sent(t *testing.T) {
	t.Parallel()
	withInbox(t, Config{}, func(g *harness, partner *webhookInbox) {
		if err := g.s.SetFaults(Faults{Webhooks: WebhooksReorder}); err != nil {
			t.Fatal(err)
		}
		g.start(g.payload("Rivera"))
		time.Sleep(maxReorderDelay + time.Second)
		synctest.Wait()
		if got := len(partner.steps(t)); got != 1 {
			t.Errorf("webhooks: got %d, want 1", got)
		}
	})
}

// TestEncryptedWebhook checks that a webhook is a bare JWE for the partner's key.
func TestEncryptedWebhook(t *testing.T) {
	t.Parallel()
	withInbox(t, Config{PartnerPublicKey: partnerPublic(t)}, func(g *harness, partner *webhookInbox) {
		id := g.start(g.payload("Rivera"))
		synctest.Wait()
		_, plain := decryptIndependently(t, "testdata/partner.pem", partner.bodies[0])
		if !strings.Contains(string(plain), id) || partner.kinds[0] != "application/jose" {
			t.Errorf("webhook: got %s as %s, want the application, as application/jose", plain, partner.kinds[0])
		}
	})
}
