package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"golang.org/x/net/netutil"

	"hearthline/internal/config"
	"hearthline/internal/store"
	"hearthline/web"
)

// serve runs the portal until the context ends.
func serve(ctx context.Context, cfg config.Config, s streams) error {
	setCollector()
	log := newLogger(cfg.Portal.LogFormat, s.err)
	if cfg.Portal.MFA == config.MFAOptional {
		log.Warn("second factors are optional: users can sign in with only a password")
	}
	if !cfg.Portal.Local() {
		if err := checkFiles(cfg); err != nil {
			return err
		}
	}
	h, err := newPortal(ctx, cfg, log, time.Now)
	if err != nil {
		return err
	}
	if err := h.rejectDemoAccounts(ctx); err != nil {
		return errors.Join(err, h.close())
	}
	tlsCfg, err := h.tlsConfig()
	if err != nil {
		return errors.Join(err, h.close())
	}
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	h.stop = stop
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.Portal.Addr)
	if err != nil {
		return errors.Join(fmt.Errorf("the portal cannot listen (%w): choose another address with PORTAL_ADDR, "+
			"or stop the program that uses it", err), h.close())
	}
	server := web.New(h.webDeps())
	if err := h.serveMetrics(running, server); err != nil {
		return errors.Join(err, listener.Close(), h.close())
	}
	h.startBackground(running)
	fmt.Fprintf(s.out, "Hearthline %s listens on %s\n", version, cfg.Portal.BaseURL)
	err = listen(running, listener, tlsCfg, server)
	if cause := context.Cause(running); errors.Is(cause, store.ErrReleaseTooOld) {
		err = errors.Join(err, cause)
	}
	stop(nil)
	return errors.Join(err, h.close())
}

// rejectDemoAccounts refuses to serve demo users to other machines. On loopback only, it logs a warning.
func (p *portal) rejectDemoAccounts(ctx context.Context) error {
	open, err := openDemoAccounts(ctx, p.store)
	if err != nil || len(open) == 0 {
		return err
	}
	if !p.cfg.Portal.Local() {
		return fmt.Errorf("%w. Disable each with portal user disable, or serve another folder", errDemoAccounts(open))
	}
	p.log.Warn("demo users, whose password is published, can sign in")
	return nil
}

// webDeps returns the dependencies of the web server.
func (p *portal) webDeps() web.Deps {
	return web.Deps{
		BaseURL: p.cfg.Portal.BaseURL, TrustedProxies: p.cfg.Portal.TrustedProxies, Log: p.log, Now: time.Now,
		Sessions: p.store, Accounts: p.accounts, ObserveRequest: p.metrics.observeRequest, Tracer: p.tracer, Desks: p.desks,
		Embeds: p.embeds, Estimates: p.desks.EstimatesEnabled(), BorrowerLinks: p.desks.BorrowerLinksEnabled(),
		TestVariants: p.cfg.Partner.TestVariants, Webhooks: p.lenderSync, WebhookTokens: p.cfg.Partner.WebhookTokens.Values,
		Ready: p.ready, OtherFiles: p.store.StaticFile,
	}
}

// serveMetrics opens the listener of PORTAL_METRICS_ADDR, if it is set.
func (p *portal) serveMetrics(ctx context.Context, server *web.Server) error {
	if p.cfg.Portal.MetricsAddr == "" {
		return nil
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", p.cfg.Portal.MetricsAddr)
	if err != nil {
		return fmt.Errorf("the metrics listener cannot start (%w): choose another address with PORTAL_METRICS_ADDR", err)
	}
	p.metrics.registry.MustRegister(p.newStateMetrics(server))
	p.background.Go(func() { p.metrics.serve(ctx, l, p.log) })
	return nil
}

func (p *portal) newStateMetrics(server *web.Server) *stateMetrics {
	state := &stateMetrics{portal: p, openStreams: server.OpenStreams}
	if p.certificates != nil {
		state.certificate = p.certificates.expires
	}
	return state
}

// tlsConfig allows TLS 1.2 and later, and of the 1.2 cipher suites only the AEAD ones. It is nil when the portal does
// not serve TLS itself.
func (p *portal) tlsConfig() (*tls.Config, error) {
	cfg := p.cfg.Portal
	if cfg.TLSCertFile == "" {
		return nil, nil
	}
	own, err := openCertificates(cfg.TLSCertFile, cfg.TLSKeyFile, time.Now, p.log)
	if err != nil {
		return nil, fmt.Errorf("the certificate: %w", err)
	}
	p.certificates = own
	return &tls.Config{GetCertificate: own.getCertificate, MinVersion: tls.VersionTLS12, CipherSuites: []uint16{
		tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
		tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
		tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
	}}, nil
}

// maxConnections and maxStreams limit, where the portal serves TLS itself, the memory that clients occupy who read
// nothing: each HTTP/2 stream is a request whose response waits. A connection beyond the limit waits until another one
// ends. A browser has one connection with HTTP/2, and one stream for each tab.
const (
	maxConnections = 2000
	maxStreams     = 64
)

func newHTTPServer(handler http.Handler, tlsCfg *tls.Config) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second,
		WriteTimeout: 60 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		TLSConfig: tlsCfg, HTTP2: &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
	}
}

// listen serves until the context ends, then gives running requests some time to finish. It uses TLS unless speaks is
// nil.
func listen(ctx context.Context, l net.Listener, tlsCfg *tls.Config, handler *web.Server) error {
	server := newHTTPServer(handler, tlsCfg)
	server.RegisterOnShutdown(handler.Close)
	if tlsCfg != nil { // a proxy has its own limits, and may use a connection for each live update
		l = netutil.LimitListener(l, maxConnections)
	}
	ended := make(chan error, 1)
	go func() {
		if tlsCfg != nil {
			ended <- server.ServeTLS(l, "", "")
			return
		}
		ended <- server.Serve(l)
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		_ = server.Close() // requests that are still running after the grace period are cut off
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// collectionPercent is how much memory may be added, in percent of what is in use, before the garbage collector of a
// server runs. A page's memory is garbage as soon as it is sent, so that a later run frees as much for less work.
const collectionPercent = 200

// setCollector configures the garbage collector for serving pages, unless the operator has with GOGC.
func setCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectionPercent)
	}
}

// ready returns nil when the portal can do its work: the database can be written, the journal file has space for
// another answer, and the data folder has enough free space.
func (p *portal) ready(ctx context.Context) error {
	if err := p.journalFile.Check(); err != nil {
		return fmt.Errorf("the journal file: %w", err)
	}
	if err := checkFreeSpace(p.cfg.Data, p.cfg.Portal.MinFree); err != nil {
		return err
	}
	return p.store.Ready(ctx)
}

// checkFreeSpace returns an error if the file system of a folder has less free space than least, in bytes.
func checkFreeSpace(folder string, least uint64) error {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(folder, &fs); err != nil {
		return fmt.Errorf("the free space of %s: %w", folder, err)
	}
	if free := fs.Bavail * uint64(fs.Bsize); free < least { //nolint:gosec // the size of a block is positive
		return fmt.Errorf("%d MB are free in %s, fewer than PORTAL_MIN_FREE", free/1e6, folder)
	}
	return nil
}

// reportReplica reports that this process serves the portal, until the context ends, and shares the lender's rate
// with the other processes that do. It ends the process when a newer release has updated the database to what this
// one cannot use.
func (p *portal) reportReplica(ctx context.Context) {
	tick := time.NewTicker(store.ReplicaReports)
	defer tick.Stop()
	for {
		all, err := p.store.ReportReplica(ctx, p.name, version)
		switch {
		case err == nil:
			p.lender.ShareRate(len(all))
		case errors.Is(err, store.ErrReleaseTooOld) && p.stop != nil:
			p.log.Error("this process ends, because a newer release has updated the database", "release", version)
			p.stop(err)
		case ctx.Err() == nil:
			p.log.Warn("this process could not report to the others", "cause", err.Error())
		}
		select {
		case <-ctx.Done():
			if err := p.store.RemoveReplica(context.WithoutCancel(ctx), p.name); err != nil {
				p.log.Warn("the other processes will take this one for running for some seconds", "cause", err.Error())
			}
			return
		case <-tick.C:
		}
	}
}

// recheckInterval is how long the portal waits before it checks the certificate files again. A renewed certificate is
// used within a minute, and a flood of handshakes costs no more than a mutex each.
const recheckInterval = time.Minute

// certificates holds the portal's certificate and key and reloads them when the files have changed. If the new files
// do not fit together, as during a replacement, the previous pair remains in use and the error is logged once.
type certificates struct {
	cert, key string
	now       func() time.Time
	log       *slog.Logger

	mu        sync.Mutex
	current   *tls.Certificate
	loaded    fileStates // of current
	lastError string     // why the present files cannot be used; "" when they can
	lastCheck time.Time
}

// fileStates holds the times and sizes of the two files, which show whether either has changed.
type fileStates [2]struct {
	at   time.Time
	size int64
}

// openCertificates reads the pair for the first time.
func openCertificates(cert, key string, now func() time.Time, log *slog.Logger) (*certificates, error) {
	c := &certificates{cert: cert, key: key, now: now, log: log, lastCheck: now()}
	if _, err := c.reload(); err != nil {
		return nil, err
	}
	return c, nil
}

// getCertificate returns the certificate for a handshake.
func (c *certificates) getCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.Sub(c.lastCheck) >= recheckInterval {
		c.lastCheck = now
		c.reloadIfChanged()
	}
	return c.current, nil
}

// expires returns when the certificate in use expires.
func (c *certificates) expires() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current.Leaf.NotAfter
}

// reloadIfChanged reloads the pair when the files have changed, and logs the outcome.
func (c *certificates) reloadIfChanged() {
	changed, err := c.reload()
	switch {
	case err != nil && err.Error() != c.lastError:
		c.lastError = err.Error()
		c.log.Error("the new certificate files cannot be used; the previous certificate stays in use",
			"until", c.current.Leaf.NotAfter, "cause", c.lastError)
	case err == nil && changed:
		c.log.Info("the certificate was reloaded", "until", c.current.Leaf.NotAfter)
	}
	if err == nil {
		c.lastError = ""
	}
}

// reload reads the files unless they are unchanged.
func (c *certificates) reload() (changed bool, err error) {
	at, err := c.fileStates()
	if err != nil || at == c.loaded {
		return false, err
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return false, err
	}
	c.current, c.loaded = &pair, at
	return true, nil
}

// fileStates returns the current state of the files.
func (c *certificates) fileStates() (at fileStates, err error) {
	for i, path := range []string{c.cert, c.key} {
		info, err := os.Stat(path)
		if err != nil {
			return fileStates{}, err
		}
		at[i].at, at[i].size = info.ModTime(), info.Size()
	}
	return at, nil
}
