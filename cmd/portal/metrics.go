package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"hearthline/internal/partner"
	"hearthline/web/page"
)

// metrics measures the portal's responses and its calls to the lender. Its labels are patterns, endpoints and other
// words from the code, which never identify a user or a lead and of which there are few.
type metrics struct {
	registry    *prometheus.Registry
	requests    *prometheus.HistogramVec // seconds, by method, route and class of the status
	lenderCalls *prometheus.HistogramVec // seconds, by endpoint and outcome
	lenderWaits *prometheus.HistogramVec // seconds, by kind and whether the call was sent
}

func newMetrics() *metrics {
	m := &metrics{registry: prometheus.NewRegistry()}
	seconds := func(name, help string, labels ...string) *prometheus.HistogramVec {
		h := prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: name, Help: help, Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, labels)
		m.registry.MustRegister(h)
		return h
	}
	m.requests = seconds("hearthline_request_seconds",
		"Time to answer a request, by the class of its status; none is a client that left before the response.", "method",
		"route", "status")
	m.lenderCalls = seconds("hearthline_lender_call_seconds", "Time of a request to the lender, by its outcome.",
		"endpoint", "outcome")
	m.lenderWaits = seconds("hearthline_lender_wait_seconds",
		"Time that a call waited for PARTNER_RATE; sent is false when its caller gave up.", "kind", "sent")
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "hearthline_info", Help: "Which portal this is.", ConstLabels: prometheus.Labels{"version": version},
	})
	info.Set(1)
	m.registry.MustRegister(info, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// observeRequest records a request that the portal answered.
func (m *metrics) observeRequest(a page.RequestStats) {
	m.requests.WithLabelValues(a.Method, a.Route, statusClass(a.Status)).Observe(a.Duration.Seconds())
}

// statusClass returns the class of a status: 2xx, 3xx, 4xx, 5xx, or none for no response.
func statusClass(status int) string {
	const classes = "12345"
	if class := status/100 - 1; class >= 0 && class < len(classes) {
		return classes[class:class+1] + "xx"
	}
	return "none"
}

// observeLenderCall records a request to the lender.
func (m *metrics) observeLenderCall(c partner.Call) {
	m.lenderCalls.WithLabelValues(c.Endpoint, lenderOutcome(c)).Observe(c.Duration.Seconds())
}

// lenderOutcome says in one word how a request to the lender ended.
func lenderOutcome(c partner.Call) string {
	switch {
	case c.Canceled:
		return "canceled"
	case c.Status == 0:
		return "no_response"
	case c.Status < http.StatusMultipleChoices:
		return "ok"
	case c.WithKey && partner.RefusesKey(c.Status):
		return "key_refused"
	case c.Status == http.StatusTooManyRequests:
		return "throttled"
	case c.Status < http.StatusInternalServerError:
		return "rejected"
	default:
		return "error"
	}
}

// observeLenderWait records how long a call waited for its turn.
func (m *metrics) observeLenderWait(w partner.Wait) {
	m.lenderWaits.WithLabelValues(waitKind(w.Background), strconv.FormatBool(w.Sent)).Observe(w.Duration.Seconds())
}

func waitKind(background bool) string {
	if background {
		return "background"
	}
	return "user"
}

// observeLenderQueue reports the calls that wait, at each scrape.
func (m *metrics) observeLenderQueue(queue func() partner.QueueStats) {
	gauge := func(name, help string, labels prometheus.Labels, value func(partner.QueueStats) float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: labels},
			func() float64 { return value(queue()) }))
	}
	const waiting = "hearthline_lender_waiting"
	gauge(waiting, "Calls that wait for PARTNER_RATE.", prometheus.Labels{"kind": waitKind(false)},
		func(q partner.QueueStats) float64 { return float64(q.Interactive) })
	gauge(waiting, "Calls that wait for PARTNER_RATE.", prometheus.Labels{"kind": waitKind(true)},
		func(q partner.QueueStats) float64 { return float64(q.Background) })
	gauge("hearthline_lender_waiting_companies", "Companies whose calls wait for PARTNER_RATE.", nil,
		func(q partner.QueueStats) float64 { return float64(q.Companies) })
	gauge("hearthline_lender_waiting_seconds", "How long the first call has waited for PARTNER_RATE.", nil,
		func(q partner.QueueStats) float64 { return q.Oldest.Seconds() })
}

// serve answers GET /metrics on a separate listener until the context ends.
func (m *metrics) serve(ctx context.Context, l net.Listener, log *slog.Logger) {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second,
		WriteTimeout: 30 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // a scraper will ask again
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		log.Error("metrics", "err", err)
	}
}
