package main

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"hearthline/internal/partner"
	"hearthline/internal/store"
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
	if status >= 100 && status < 600 {
		return strconv.Itoa(status/100) + "xx"
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

const (
	// stateAge is how long one reading of the database answers all scrapes.
	stateAge = 5 * time.Second
	// stateTimeout limits a reading, so that a slow database does not hide the other metrics.
	stateTimeout = 2 * time.Second
)

// stateMetrics are the metrics that a scrape reads: what is pending, and what this process is doing now. Numbers from
// the database are the same at every process, so a query must not add them up.
type stateMetrics struct {
	portal      *portal
	openStreams func() int
	certificate func() time.Time // nil when the portal does not serve TLS itself

	mu   sync.Mutex
	at   time.Time
	last databaseState
}

// databaseState is what a reading of the database found.
type databaseState struct {
	ok       bool
	backlog  store.Backlog
	pending  store.Pending
	replicas int
	duties   []store.DutyHolder
}

// measure reports the value of a metric; labels are pairs of a name and a value.
type measure func(name, help string, value float64, labels ...string)

func measureTo(out chan<- prometheus.Metric, kind prometheus.ValueType) measure {
	return func(name, help string, value float64, labels ...string) {
		var names, values []string
		for pair := range slices.Chunk(labels, 2) {
			names, values = append(names, pair[0]), append(values, pair[1])
		}
		out <- prometheus.MustNewConstMetric(prometheus.NewDesc("hearthline_"+name, help, names, nil), kind, value, values...)
	}
}

// Describe implements prometheus.Collector. It describes nothing, so that a reading that fails can leave metrics out.
func (s *stateMetrics) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (s *stateMetrics) Collect(out chan<- prometheus.Metric) {
	gauge := measureTo(out, prometheus.GaugeValue)
	s.collectProcess(gauge, measureTo(out, prometheus.CounterValue))
	read := s.read()
	gauge("database_read", "1 if the numbers from the database could be read, 0 if they are missing.", float(read.ok))
	if read.ok {
		s.collectDatabase(gauge, read)
	}
}

// collectDatabase collects what is pending in the database.
func (s *stateMetrics) collectDatabase(gauge measure, read databaseState) {
	count := func(name, help string, n int, labels ...string) {
		gauge(name, help+", up to 1,000.", float64(n), labels...)
	}
	count("unknown_writes", "Writes to the lender whose outcome is unknown", read.backlog.UnknownOperations)
	count("journal_operations", "Writes that have not ended: sent and without an outcome", read.pending.Sent,
		"state", "sent")
	count("leads", "Leads", read.backlog.Leads)
	count("leads_refresh_due", "Leads whose refresh has been due for more than a minute", read.backlog.Due)
	count("leads_refresh_failing", "Leads whose last three or more refreshes failed", read.backlog.Failing)
	count("leads_unassigned", "Open leads that have no originator", read.backlog.Unassigned)
	count("jobs", "Background jobs that have not ended", read.backlog.Jobs)
	count("webhooks_last_day", "Webhooks of the last day", read.backlog.Webhooks)
	count("unknown_applications", "Applications that a webhook named and that have no lead",
		read.backlog.UnknownApplications)
	count("emails_waiting", "Emails that are not sent", read.pending.Emails)
	gauge("email_oldest_seconds", "Age of the oldest of these emails; 0 for none.", s.emailAge(read.pending).Seconds())
	gauge("replicas", "Processes that serve the portal on this database.", float64(read.replicas))
	for _, d := range read.duties {
		gauge("duty_held", "1 if this process has the duty, 0 if another has it.", float(d.Owner == s.portal.name),
			"duty", d.Name)
	}
}

// collectProcess collects what is in this process's memory.
func (s *stateMetrics) collectProcess(gauge, counter measure) {
	gauge("event_streams", "Open event streams.", float64(s.openStreams()))
	gauge("refresh_queue", "Leads that wait in this process to be read from the lender.",
		float64(s.portal.lenderSync.QueueLength()))
	gauge("answers_unsaved", "Answers from the lender that the database has not stored yet.",
		float64(s.portal.journal.Unsaved()))
	gauge("lender_down", "1 while the lender does not respond.", float(!s.portal.lenderHealth.DownSince().IsZero()))
	gauge("lender_key_refused", "1 since the lender last refused the portal's key, until it accepts it.",
		float(!s.portal.lenderHealth.KeyRefusal().Since.IsZero()))
	write, read := s.portal.store.Pools()
	for pool, stats := range map[string]sql.DBStats{"write": write, "read": read} {
		gauge("database_connections", "Connections to the database.", float64(stats.InUse), "pool", pool, "state", "in_use")
		gauge("database_connections", "Connections to the database.", float64(stats.Idle), "pool", pool, "state", "idle")
		gauge("database_connections_max", "Connections that a pool may open.", float64(stats.MaxOpenConnections),
			"pool", pool)
		counter("database_waits_total", "Waits for a connection.", float64(stats.WaitCount), "pool", pool)
		counter("database_wait_seconds_total", "Time of these waits. "+
			"In the pool for writing, the one connection is the turn to write.", stats.WaitDuration.Seconds(), "pool", pool)
	}
	spans := s.portal.tracer.Counts()
	for outcome, n := range map[string]int64{"ended": spans.Ended, "exported": spans.Exported, "failed": spans.Failed} {
		counter("trace_spans_total", "Spans that ended, that the collector received, and that it did not.", float64(n),
			"outcome", outcome)
	}
	if s.certificate != nil {
		gauge("certificate_expires_timestamp_seconds", "When the certificate of the portal's own TLS expires.",
			float64(s.certificate().Unix()))
	}
}

// float returns 1 for true.
func float(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (s *stateMetrics) emailAge(p store.Pending) time.Duration {
	if p.OldestEmail == 0 {
		return 0
	}
	return max(0, s.portal.now().Sub(store.Instant(p.OldestEmail)))
}

// read returns the state of the database, up to stateAge old.
func (s *stateMetrics) read() databaseState {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last.ok && time.Since(s.at) < stateAge {
		return s.last
	}
	ctx, cancel := context.WithTimeout(context.Background(), stateTimeout)
	defer cancel()
	got, err := s.portal.readState(ctx)
	if err != nil && (s.last.ok || s.at.IsZero()) { // not at every scrape
		s.portal.log.Warn("the metrics of the database could not be read", "cause", err.Error())
	}
	got.ok = err == nil
	s.last, s.at = got, time.Now()
	return got
}

// readState counts what is pending in the database.
func (p *portal) readState(ctx context.Context) (got databaseState, err error) {
	now := p.now()
	if got.backlog, err = p.store.Backlog(ctx, now); err != nil {
		return got, err
	}
	if got.pending, err = p.store.Pending(ctx); err != nil {
		return got, err
	}
	replicas, err := p.store.Replicas(ctx)
	if err != nil {
		return got, err
	}
	got.replicas = len(replicas)
	got.duties, err = p.store.DutyHolders(ctx)
	return got, err
}
