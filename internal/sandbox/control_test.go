package sandbox

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestControl_LoopbackOnly: only this machine has access, and no page of another site does.
func TestControl_LoopbackOnly(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	for _, row := range []struct {
		remote, host string
		header       map[string]string
		want         int
	}{
		{"127.0.0.1:4000", "localhost:8081", nil, 200},
		{"127.8.8.8:4000", "127.0.0.1:8081", nil, 200},
		{"[::1]:4000", "[::1]:8081", nil, 200},
		{"[::ffff:127.0.0.1]:4000", "localhost", nil, 200},
		{"192.0.2.7:4000", "localhost:8081", nil, 403},
		{"10.0.0.1:4000", "localhost:8081", nil, 403},
		{"192.0.2.7:4000", "localhost:8081", map[string]string{"X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1"},
			403},
		{"", "localhost:8081", nil, 403},
		{"127.0.0.1:4000", "rebound.example:8081", nil, 403},
	} {
		for _, path := range []string{"/_sandbox/", "/_sandbox/inquiries", "/_sandbox/calls", "/_sandbox/faults"} {
			r := httptest.NewRequestWithContext(t.Context(), "GET", path, nil)
			r.RemoteAddr, r.Host = row.remote, row.host
			for k, v := range row.header {
				r.Header.Set(k, v)
			}
			w := httptest.NewRecorder()
			g.s.Handler().ServeHTTP(w, r)
			if w.Code != row.want {
				t.Errorf("%s from %s at %s: got %d, want %d", path, row.remote, row.host, w.Code, row.want)
			}
		}
	}
	w := g.rawCall("PUT", "/_sandbox/faults", object{},
		map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"})
	if w.Code != 403 {
		t.Errorf("faults from another site: got %d, want 403", w.Code)
	}
}

// TestInquiries_JSON checks the JSON that other programs use to control the sandbox.
func TestInquiries_JSON(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	g := newHarness(t, Config{Now: func() time.Time { return at }})
	first, second := g.start(g.payload("Rivera-Match")), g.start(g.payload("Okafor"))
	want := `[{"appUuid":"` + first + `","appShortId":"1-26324-001","lastName":"Rivera-Match","loanOriginatorUuid":"` +
		g.actor +
		`","nextInquiryStep":"CREDIT_MATCH_REQUIRED","externalAppId":"hl-01J","createdAt":"2026-11-20T09:30:00Z"},` +
		`{"appUuid":"` + second + `","appShortId":"1-26324-002","lastName":"Okafor","loanOriginatorUuid":"` + g.actor +
		`","nextInquiryStep":"OFFERS_AVAILABLE","externalAppId":"hl-01J","createdAt":"2026-11-20T09:30:00Z"}]`
	if got := g.rawCall("GET", "/_sandbox/inquiries", nil, nil).Body.String(); got != want {
		t.Errorf("inquiries:\n got %s\nwant %s", got, want)
	}
}

// TestClock sets the clock and restores it.
func TestClock(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	if status, _ := g.call("PUT", "/_sandbox/clock", object{"now": "2026-06-19T23:59:00Z"}); status != 200 {
		t.Fatalf("clock: got %d, want 200", status)
	}
	id := g.start(g.payload("Rivera"))
	if got := g.appData(id)["keyDates"].(object)["createdDate"]; got != "2026-06-19" {
		t.Errorf("createdDate: got %v, want 2026-06-19", got)
	}
	for _, bad := range []any{object{}, object{"now": "yesterday"}} {
		if status, _ := g.call("PUT", "/_sandbox/clock", bad); status != 400 {
			t.Errorf("clock %v: got %d, want 400", bad, status)
		}
	}
	g.call("PUT", "/_sandbox/clock", object{"now": nil})
	if drift := time.Since(g.s.clock.now()); drift > time.Minute || drift < -time.Minute {
		t.Errorf("after null: the clock is off by %v", drift)
	}
}

// TestCalls_HaveNoPII: the call log contains no body, key or query, and its length is limited.
func TestCalls_HaveNoPII(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{APIKey: "key-of-the-partner"})
	id := g.start(g.payload("Rivera"))
	g.call("GET", "/management/v1/loan-originator?email=olivia@summit.test", nil)
	g.call("GET", "/_sandbox/inquiries", nil)
	body := g.rawCall("GET", "/_sandbox/calls", nil, nil).Body.String()
	for _, secret := range []string{"key-of-the-partner", "Rivera", "olivia", "Elena", "encrypted"} {
		if strings.Contains(body, secret) {
			t.Errorf("the call log contains %q: %s", secret, body)
		}
	}
	var calls []map[string]any
	if err := json.Unmarshal([]byte(body), &calls); err != nil {
		t.Fatal(err)
	}
	if len(calls) != 2 || len(calls[0]) != 4 || calls[0]["method"] != "POST" || calls[0]["status"] != 200.0 ||
		calls[1]["path"] != "/management/v1/loan-originator" {
		t.Errorf("calls: got %v, want the start and the directory, {at, method, path, status}", calls)
	}
	for range maxCalls + 5 {
		g.s.calls.add(call{Path: "/" + id})
	}
	if got := len(g.s.calls.list()); got != maxCalls {
		t.Errorf("stored calls: got %d, want %d", got, maxCalls)
	}
}

// TestControlPage checks that the page lists inquiries and that its buttons work.
func TestControlPage(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	id := g.start(g.payload("Rivera<i>-Frozen"))
	text := g.rawCall("GET", "/_sandbox/", nil, nil).Body.String()
	for _, want := range []string{id, "UNFREEZE_CREDIT", `value="thaw"`, `name="webhooks"`, "Rivera&lt;i&gt;"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not contain %s", want)
		}
	}
	for _, banned := range []string{"<script", "<style", "style=", "onclick", "Elena"} {
		if strings.Contains(text, banned) {
			t.Errorf("the page contains %s", banned)
		}
	}
	form := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	if w := g.rawCall("POST", "/_sandbox/", url.Values{"appUuid": {id}, "event": {"thaw"}}.Encode(),
		form); w.Code != http.StatusSeeOther {
		t.Errorf("valid event: got %d, want 303", w.Code)
	}
	if w := g.rawCall("POST", "/_sandbox/", url.Values{"appUuid": {id}, "event": {"borrower-signs-in"}}.Encode(),
		form); w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "role=\"alert\"") {
		t.Errorf("event that does not apply: got %d, want 409 and an alert", w.Code)
	}
	g.rawCall("POST", "/_sandbox/", url.Values{"latencyMs": {"7"}, "errorRate": {"0.5"}, "dropResponses": {"all"},
		"webhooks": {"late"}}.Encode(), form)
	if got, want := g.s.Faults(), (Faults{LatencyMs: 7, ErrorRate: 0.5, DropResponses: DropAll,
		Webhooks: WebhooksLate}); got != want {
		t.Errorf("faults from the form: got %+v, want %+v", got, want)
	}
}
