package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"hearthline/internal/config"
)

// healthTimeout limits the question, so that an engine that asks every few seconds is never ahead of the answer.
const healthTimeout = 4 * time.Second

// health asks the portal that runs with these settings on this machine whether it responds, or with --ready whether
// it can do its work. Container engines and service managers call it, because an image without a shell has no other
// program.
func health(ctx context.Context, cfg config.Portal, ready bool, s streams) error {
	address, err := ownAddress(cfg.Addr)
	if err != nil {
		return err
	}
	scheme, path := "http", "/healthz"
	if cfg.TLSCertFile != "" {
		scheme = "https"
	}
	if ready {
		path = "/readyz"
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://"+address+path, nil)
	if err != nil {
		return err
	}
	r.Host = cfg.BaseURL.Host
	// The certificate is for the public name and may have expired, which doctor reports and no restart repairs. Nothing
	// secret is sent, and the question does not leave this machine.
	//nolint:gosec // see above
	own := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, ServerName: cfg.BaseURL.Hostname()}}
	defer own.CloseIdleConnections()
	client := &http.Client{Transport: own, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	res, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("no response from %s (%w): the portal is starting, has ended, or runs with another PORTAL_ADDR",
			address, errors.Unwrap(err))
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(res.Body, 64))
	if err != nil || res.StatusCode != http.StatusOK {
		return errors.Join(fmt.Errorf("the portal at %s answered %s with %d", address, path, res.StatusCode), err)
	}
	fmt.Fprintln(s.out, strings.TrimSpace(string(answer)))
	return nil
}

// ownAddress returns where this machine reaches a portal that listens on an address: an address that means
// every address of the machine becomes loopback.
func ownAddress(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || port == "0" {
		return "", fmt.Errorf("PORTAL_ADDR is %q, which names no port: give the one on which the portal listens", addr)
	}
	switch ip := net.ParseIP(host); {
	case host == "", ip != nil && ip.IsUnspecified() && ip.To4() != nil:
		host = "127.0.0.1"
	case ip != nil && ip.IsUnspecified():
		host = "::1"
	}
	return net.JoinHostPort(host, port), nil
}
