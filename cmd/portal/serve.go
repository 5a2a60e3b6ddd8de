package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

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
		return errors.Join(fmt.Errorf("the portal cannot listen (%w): choose another address with PORTAL_ADDR, or stop the program that uses it", err), h.close())
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
func (h *portal) rejectDemoAccounts(ctx context.Context) error {
	open, err := openDemoAccounts(ctx, h.store)
	if err != nil || len(open) == 0 {
		return err
	}
	if !h.cfg.Portal.Local() {
		return fmt.Errorf("%w. Disable each with portal user disable, or serve another folder", errDemoAccounts(open))
	}
	h.log.Warn("demo users, whose password is published, can sign in")
	return nil
}

// webDeps returns the dependencies of the web server.
func (h *portal) webDeps() web.Deps {
	return web.Deps{
		BaseURL: h.cfg.Portal.BaseURL, TrustedProxies: h.cfg.Portal.TrustedProxies, Log: h.log, Now: time.Now,
		Sessions: h.store, Accounts: h.accounts, ObserveRequest: h.metrics.observeRequest, Tracer: h.tracer, Desks: h.desks, Embeds: h.embeds, Estimates: h.desks.EstimatesEnabled(), BorrowerLinks: h.desks.BorrowerLinksEnabled(),
		TestVariants: h.cfg.Partner.TestVariants, Webhooks: h.lenderSync, WebhookTokens: h.cfg.Partner.WebhookTokens.Values, Ready: h.store.Ready, OtherFiles: h.store.StaticFile,
	}
}

// serveMetrics opens the listener of PORTAL_METRICS_ADDR, if it is set.
func (h *portal) serveMetrics(ctx context.Context, server *web.Server) error {
	if h.cfg.Portal.MetricsAddr == "" {
		return nil
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", h.cfg.Portal.MetricsAddr)
	if err != nil {
		return fmt.Errorf("the metrics listener cannot start (%w): choose another address with PORTAL_METRICS_ADDR", err)
	}
	h.metrics.registry.MustRegister(h.newStateMetrics(server))
	h.background.Go(func() { h.metrics.serve(ctx, l, h.log) })
	return nil
}

func (h *portal) newStateMetrics(server *web.Server) *stateMetrics {
	state := &stateMetrics{portal: h, openStreams: server.OpenStreams}
	if h.certificates != nil {
		state.certificate = h.certificates.expires
	}
	return state
}

// tlsConfig allows TLS 1.2 and later, and of the 1.2 cipher suites only the AEAD ones. It is nil when the portal does
// not serve TLS itself.
func (h *portal) tlsConfig() (*tls.Config, error) {
	cfg := h.cfg.Portal
	if cfg.TLSCertFile == "" {
		return nil, nil
	}
	own, err := openCertificates(cfg.TLSCertFile, cfg.TLSKeyFile, time.Now, h.log)
	if err != nil {
		return nil, fmt.Errorf("the certificate: %w", err)
	}
	h.certificates = own
	return &tls.Config{GetCertificate: own.getCertificate, MinVersion: tls.VersionTLS12, CipherSuites: []uint16{
		tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
		tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
		tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
	}}, nil
}

// listen serves until the context ends, then gives running requests some time to finish. It uses TLS unless speaks is
// nil.
func listen(ctx context.Context, l net.Listener, tlsCfg *tls.Config, handler *web.Server) error {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second,
		WriteTimeout: 60 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		TLSConfig: tlsCfg,
	}
	server.RegisterOnShutdown(handler.Close)
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
