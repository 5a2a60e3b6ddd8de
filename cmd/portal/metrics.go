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

// metrics counts the portal's responses and its calls to the lender. Its labels are patterns, endpoints and numbers,
// which never identify a user or a lead.
type metrics struct {
	registry    *prometheus.Registry
	requests    *prometheus.HistogramVec // seconds, by method, route and status
	lenderCalls *prometheus.HistogramVec // seconds, by endpoint and status; status 0 means no response
	revision    prometheus.Gauge
}

func newMetrics() *metrics {
	buckets := []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hearthline_request_seconds", Help: "Time to answer a request.", Buckets: buckets,
		}, []string{"method", "route", "status"}),
		lenderCalls: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hearthline_lender_call_seconds", Help: "Time of a call to the lender; status 0 is one without an answer.", Buckets: buckets,
		}, []string{"endpoint", "status"}),
		revision: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "hearthline_info", Help: "Which portal this is.", ConstLabels: prometheus.Labels{"version": version},
		}),
	}
	m.revision.Set(1)
	m.registry.MustRegister(m.requests, m.lenderCalls, m.revision, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// observeRequest records a request that the portal answered.
func (m *metrics) observeRequest(a page.RequestStats) {
	m.requests.WithLabelValues(a.Method, a.Route, strconv.Itoa(a.Status)).Observe(a.Duration.Seconds())
}

// observeLenderCall records a call to the lender.
func (m *metrics) observeLenderCall(c partner.Call) {
	m.lenderCalls.WithLabelValues(c.Endpoint, strconv.Itoa(c.Status)).Observe(c.Duration.Seconds())
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
