package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"hearthline/internal/partner"
	"hearthline/web/page"
)

// metrics measures the portal's responses and its calls to the lender. Its labels are patterns, endpoints and other words
// from the code, which never identify a user or a lead and of which there are few.
type metrics struct {
	registry    *prometheus.Registry
	requests    *prometheus.HistogramVec // seconds, by method, route and class of the status
	lenderCalls *prometheus.HistogramVec // seconds, by endpoint and outcome
	info        prometheus.Gauge
}

func newMetrics() *metrics {
	buckets := []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hearthline_request_seconds", Help: "Time to answer a request, by the class of its status; none is a client that left before the response.", Buckets: buckets,
		}, []string{"method", "route", "status"}),
		lenderCalls: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hearthline_lender_call_seconds", Help: "Time of a request to the lender, by its outcome.", Buckets: buckets,
		}, []string{"endpoint", "outcome"}),
		info: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "hearthline_info", Help: "Which portal this is.", ConstLabels: prometheus.Labels{"version": version},
		}),
	}
	m.info.Set(1)
	m.registry.MustRegister(m.requests, m.lenderCalls, m.info, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
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

// serve answers GET /metrics on a separate listener until the context ends.
func (m *metrics) serve(ctx context.Context, l net.Listener, log *slog.Logger) {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // a scraper will ask again
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		log.Error("metrics", "err", err)
	}
}
