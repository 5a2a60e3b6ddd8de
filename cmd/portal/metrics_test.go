package main

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"hearthline/internal/partner"
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
		`hearthline_request_seconds_count{method="GET",route="/leads/{app}",status="404"} 1`,
		`hearthline_lender_call_seconds_count{endpoint="select-offer",status="0"} 1`, `hearthline_info{version=`,
		`hearthline_lender_wait_seconds_sum{kind="background",sent="true"} 1`, `hearthline_lender_wait_seconds_count{kind="user",sent="false"} 1`,
		`hearthline_lender_waiting{kind="user"} 3`, `hearthline_lender_waiting{kind="background"} 4`,
		`hearthline_lender_waiting_companies 2`, `hearthline_lender_waiting_seconds 1.5`, `go_goroutines`,
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
