package main

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"hearthline/internal/store"
)

const (
	// stateAge is how long one reading of the database answers all scrapes.
	stateAge = 5 * time.Second
	// stateTimeout limits a reading, so that a slow database does not hide the other metrics.
	stateTimeout = 2 * time.Second
)

// stateMetrics are the metrics that a scrape reads: what is pending, and what this process is doing now. Numbers from the
// database are the same at every process, so a query must not add them up.
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

func newState(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("hearthline_"+name, help, labels, nil)
}

var (
	stateRead = newState("database_read", "1 if the numbers from the database could be read, 0 if they are missing.")

	stateUnknown      = newState("unknown_writes", "Writes to the lender whose outcome is unknown, up to 1,000.")
	stateJournal      = newState("journal_operations", "Writes that have not ended, up to 1,000: prepared and not sent, or sent and without an outcome.", "state")
	stateLeads        = newState("leads", "Leads, up to 1,000.")
	stateRefreshDue   = newState("leads_refresh_due", "Leads whose refresh has been due for more than a minute, up to 1,000.")
	stateRefreshFails = newState("leads_refresh_failing", "Leads whose last three or more refreshes failed, up to 1,000.")
	stateUnassigned   = newState("leads_unassigned", "Open leads that have no originator, up to 1,000.")
	stateJobs         = newState("jobs", "Background jobs that have not ended, up to 1,000.")
	stateWebhooks     = newState("webhooks_last_day", "Webhooks of the last day, up to 1,000.")
	stateApplications = newState("unknown_applications", "Applications that a webhook named and that have no lead, up to 1,000.")
	stateEmails       = newState("emails_waiting", "Emails that are not sent, up to 1,000.")
	stateOldestEmail  = newState("email_oldest_seconds", "Age of the oldest of these emails; 0 for none.")
	stateReplicas     = newState("replicas", "Processes that serve the portal on this database.")
	stateDuty         = newState("duty_held", "1 if this process has the duty, 0 if another has it.", "duty")

	stateStreams       = newState("event_streams", "Open event streams.")
	stateQueue         = newState("refresh_queue", "Leads that wait in this process to be read from the lender.")
	stateLenderDown    = newState("lender_down", "1 while the lender does not respond.")
	stateKeyRefused    = newState("lender_key_refused", "1 since the lender last refused the portal's key, until it accepts it.")
	stateConnections   = newState("database_connections", "Connections to the database.", "pool", "state")
	stateConnectionMax = newState("database_connections_max", "Connections that a pool may open.", "pool")
	stateWaits         = newState("database_waits_total", "Waits for a connection.", "pool")
	stateWaitSeconds   = newState("database_wait_seconds_total", "Time of these waits. In the pool for writing, the one connection is the turn to write.", "pool")
	stateSpans         = newState("trace_spans_total", "Spans that ended, that the collector received, and that it did not.", "outcome")
	stateCertificate   = newState("certificate_expires_timestamp_seconds", "When the certificate of the portal's own TLS expires.")
)

// Describe implements prometheus.Collector. It describes nothing, so that a reading that fails can leave metrics out.
func (s *stateMetrics) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (s *stateMetrics) Collect(out chan<- prometheus.Metric) {
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	counter := func(desc *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, value, labels...)
	}
	s.collectProcess(gauge, counter)
	read := s.read()
	gauge(stateRead, float(read.ok))
	if !read.ok {
		return
	}
	gauge(stateUnknown, float64(read.backlog.UnknownOperations))
	gauge(stateJournal, float64(read.pending.Prepared), "prepared")
	gauge(stateJournal, float64(read.pending.Sent), "sent")
	gauge(stateLeads, float64(read.backlog.Leads))
	gauge(stateRefreshDue, float64(read.backlog.Due))
	gauge(stateRefreshFails, float64(read.backlog.Failing))
	gauge(stateUnassigned, float64(read.backlog.Unassigned))
	gauge(stateJobs, float64(read.backlog.Jobs))
	gauge(stateWebhooks, float64(read.backlog.Webhooks))
	gauge(stateApplications, float64(read.backlog.UnknownApplications))
	gauge(stateEmails, float64(read.pending.Emails))
	gauge(stateOldestEmail, s.emailAge(read.pending).Seconds())
	gauge(stateReplicas, float64(read.replicas))
	for _, d := range read.duties {
		gauge(stateDuty, float(d.Owner == s.portal.name), d.Name)
	}
}

// collectProcess collects what is in this process's memory.
func (s *stateMetrics) collectProcess(gauge, counter func(desc *prometheus.Desc, value float64, labels ...string)) {
	gauge(stateStreams, float64(s.openStreams()))
	gauge(stateQueue, float64(s.portal.lenderSync.QueueLength()))
	gauge(stateLenderDown, float(!s.portal.lenderHealth.DownSince().IsZero()))
	gauge(stateKeyRefused, float(!s.portal.lenderHealth.KeyRefusal().Since.IsZero()))
	write, read := s.portal.store.Pools()
	for pool, stats := range map[string]sql.DBStats{"write": write, "read": read} {
		gauge(stateConnections, float64(stats.InUse), pool, "in_use")
		gauge(stateConnections, float64(stats.Idle), pool, "idle")
		gauge(stateConnectionMax, float64(stats.MaxOpenConnections), pool)
		counter(stateWaits, float64(stats.WaitCount), pool)
		counter(stateWaitSeconds, stats.WaitDuration.Seconds(), pool)
	}
	spans := s.portal.tracer.Counts()
	counter(stateSpans, float64(spans.Ended), "ended")
	counter(stateSpans, float64(spans.Exported), "exported")
	counter(stateSpans, float64(spans.Failed), "failed")
	if s.certificate != nil {
		gauge(stateCertificate, float64(s.certificate().Unix()))
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
func (h *portal) readState(ctx context.Context) (got databaseState, err error) {
	now := h.now()
	if got.backlog, err = h.store.Backlog(ctx, now); err != nil {
		return got, err
	}
	if got.pending, err = h.store.Pending(ctx); err != nil {
		return got, err
	}
	replicas, err := h.store.Replicas(ctx)
	if err != nil {
		return got, err
	}
	got.replicas = len(replicas)
	got.duties, err = h.store.DutyHolders(ctx, now)
	return got, err
}
