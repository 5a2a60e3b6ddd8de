package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"hearthline/internal/config"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
	"hearthline/web"
	"hearthline/web/page"
)

func TestMetrics_OwnListener(t *testing.T) {
	m := newMetrics()
	m.observeRequest(page.RequestStats{Method: "GET", Route: "/leads/{app}", Status: 404, Duration: 3 * time.Millisecond})
	m.observeLenderCall(partner.Call{Endpoint: "select-offer", Duration: time.Second})
	m.observeLenderWait(partner.Wait{Background: true, Sent: true, Duration: time.Second})
	m.observeLenderWait(partner.Wait{})
	m.observeLenderQueue(func() partner.QueueStats {
		return partner.QueueStats{Interactive: 3, Background: 4, Companies: 2, Oldest: 1500 * time.Millisecond}
	})
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { m.serve(ctx, l, slog.New(slog.DiscardHandler)); close(done) }()

	get := func(path string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.Addr().String()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(body)
	}
	status, body := get("/metrics")
	for _, want := range []string{
		`hearthline_request_seconds_count{method="GET",route="/leads/{app}",status="4xx"} 1`,
		`hearthline_lender_call_seconds_count{endpoint="select-offer",outcome="no_response"} 1`, `hearthline_info{version=`,
		`go_goroutines`, `hearthline_lender_wait_seconds_sum{kind="background",sent="true"} 1`,
		`hearthline_lender_wait_seconds_count{kind="user",sent="false"} 1`,
		`hearthline_lender_waiting{kind="user"} 3`, `hearthline_lender_waiting{kind="background"} 4`,
		`hearthline_lender_waiting_companies 2`, `hearthline_lender_waiting_seconds 1.5`,
	} {
		if status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("got %d without %s", status, want)
		}
	}
	if status, _ := get("/leads"); status != http.StatusNotFound {
		t.Errorf("/leads: got %d, want 404", status)
	}
	stop()
	<-done
}

func TestStatusClass(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{0: "none", 101: "1xx", 200: "2xx", 303: "3xx", 499: "4xx", 503: "5xx",
		600: "none", -1: "none"} {
		if got := statusClass(status); got != want {
			t.Errorf("%d: got %s, want %s", status, got, want)
		}
	}
}

func TestLenderOutcome(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		call partner.Call
		want string
	}{
		{partner.Call{Canceled: true}, "canceled"}, {partner.Call{}, "no_response"}, {partner.Call{Status: 204}, "ok"},
		{partner.Call{Status: 401, WithKey: true}, "key_refused"}, {partner.Call{Status: 401}, "rejected"},
		{partner.Call{Status: 429, WithKey: true}, "throttled"}, {partner.Call{Status: 302}, "rejected"},
		{partner.Call{Status: 404, WithKey: true}, "rejected"}, {partner.Call{Status: 500}, "error"},
	} {
		if got := lenderOutcome(c.call); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.call, got, c.want)
		}
	}
}

// newMeasuredPortal returns a portal with all of its metrics, which serves nobody.
func newMeasuredPortal(t *testing.T) (*portal, *stateMetrics) {
	t.Helper()
	for name, value := range map[string]string{"PARTNER_BASE_URL": "http://localhost:1", "PARTNER_API_KEY": "key"} {
		t.Setenv(name, value)
	}
	inv, err := config.ParsePortal([]string{"--data", t.TempDir(), "serve"},
		config.IO{Stdout: io.Discard, Stderr: io.Discard, Version: version})
	if err != nil {
		t.Fatal(err)
	}
	h, err := newPortal(t.Context(), inv.Config, slog.New(slog.DiscardHandler), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	state := h.newStateMetrics(web.New(h.webDeps()))
	state.certificate = time.Now
	h.metrics.registry.MustRegister(state)
	if held, err := h.store.Duty("lender sync", h.name).Held(t.Context()); err != nil || !held {
		t.Fatal(held, err)
	}
	h.metrics.observeRequest(page.RequestStats{Method: "GET", Route: "/leads", Status: 200})
	h.metrics.observeLenderCall(partner.Call{Endpoint: "details", Status: 200})
	h.metrics.observeLenderWait(partner.Wait{Duration: time.Millisecond, Sent: true})
	return h, state
}

// exposed returns what a scrape gets, without comments.
func exposed(t *testing.T, h *portal) string {
	t.Helper()
	w := httptest.NewRecorder()
	promhttp.HandlerFor(h.metrics.registry, promhttp.HandlerOpts{}).
		ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("got %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

func TestStateMetrics_CountWhatIsPending(t *testing.T) {
	h, _ := newMeasuredPortal(t)
	err := h.store.Write(t.Context(), func(tx *store.Tx) error {
		return errors.Join(
			tx.AddMail(t.Context(), store.Mail{ID: "m", Kind: store.MailMessage, Sealed: []byte{1},
				CreatedAt: store.Millis(time.Now().Add(-time.Hour))}),
			tx.AddOperation(t.Context(), lead.Operation{ID: "a", State: lead.OpUnknown, Kind: "cancel"}),
			tx.AddOperation(t.Context(), lead.Operation{ID: "b", State: lead.OpSent, Kind: "cancel"}),
			tx.AddOperation(t.Context(), lead.Operation{ID: "c", State: lead.OpSent, Kind: "cancel"}),
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.store.ReportReplica(t.Context(), "another", version); err != nil {
		t.Fatal(err)
	}
	body := exposed(t, h)
	for _, want := range []string{
		"hearthline_database_read 1", "hearthline_emails_waiting 1",
		"hearthline_unknown_writes 1", `hearthline_journal_operations{state="sent"} 2`,
		"hearthline_replicas 1", `hearthline_duty_held{duty="lender sync"} 1`, "hearthline_event_streams 0",
		`hearthline_database_connections_max{pool="write"} 1`, `hearthline_trace_spans_total{outcome="failed"} 0`,
		"hearthline_lender_down 0", "hearthline_email_oldest_seconds 36",
	} {
		if !strings.Contains(body, "\n"+want) {
			t.Errorf("nothing begins with %s:\n%s", want, body)
		}
	}
	if err := h.close(); err != nil {
		t.Fatal(err)
	}
}

func TestStateMetrics_DatabaseGone_SaysSo(t *testing.T) {
	h, _ := newMeasuredPortal(t)
	if err := h.close(); err != nil {
		t.Fatal(err)
	}
	body := exposed(t, h)
	if !strings.Contains(body, "\nhearthline_database_read 0\n") || strings.Contains(body, "hearthline_unknown_writes") ||
		!strings.Contains(body, "hearthline_event_streams") {
		t.Errorf("got\n%s\nwant no number that was not read", body)
	}
}
