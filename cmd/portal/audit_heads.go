package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"log/syslog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"

	"hearthline/internal/store"
)

// headInterval is how often the head of the audit chain is sent.
const headInterval = time.Hour

// headTimeout limits one attempt to send a head.
const headTimeout = 10 * time.Second

// auditHeads sends the signed head of the audit chain to PORTAL_AUDIT_HEADS, so that somebody who changes
// the database cannot also change what was sent.
type auditHeads struct {
	store *store.Store
	log   *slog.Logger
	to    *url.URL     // file, syslog, https or https+private
	http  *http.Client // of the last two
}

// newAuditHeads returns nil if no destination is set. The setting was validated.
func newAuditHeads(s *store.Store, destination string, log *slog.Logger) *auditHeads {
	to, err := url.Parse(destination)
	if destination == "" || err != nil {
		return nil
	}
	dialer := &net.Dialer{Timeout: headTimeout}
	if to.Scheme == "https" {
		dialer.Control = refusePrivate
	}
	return &auditHeads{store: s, log: log, to: to, http: &http.Client{
		Timeout: headTimeout, Transport: &http.Transport{DialContext: dialer.DialContext},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

var errPrivateAddress = errors.New("the host has a private address; https+private:// allows that")

// refusePrivate rejects an address of this machine or of an internal network. It checks the resolved address.
func refusePrivate(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if ip := at.Addr().Unmap(); err != nil || !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return errPrivateAddress
	}
	return nil
}

// run sends the head now and then hourly, until the context is done.
func (a *auditHeads) run(ctx context.Context) {
	tick := time.NewTicker(headInterval)
	defer tick.Stop()
	for {
		a.sendNow(context.WithoutCancel(ctx))
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// sendNow sends the head, and records when that last succeeded or first failed.
func (a *auditHeads) sendNow(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 2*headTimeout)
	defer cancel()
	head, line, err := a.store.SignedAuditHead(ctx)
	if err == nil && head.Seq > 0 {
		err = a.send(ctx, line)
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // without the URL, which may contain a token
	}
	if err != nil {
		a.log.Error("the head of the audit chain could not be sent", "cause", err.Error())
	}
	if err := a.store.SaveHeadDelivery(ctx, head, err == nil); err != nil {
		a.log.Error("the delivery of the audit head could not be recorded", "cause", err.Error())
	}
}

// send appends the line to the file, or sends it to the local syslog or the server.
func (a *auditHeads) send(ctx context.Context, line string) error {
	switch a.to.Scheme {
	case "file":
		f, err := os.OpenFile(a.to.Path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|os.O_SYNC, 0o600)
		if err != nil {
			return err
		}
		_, err = io.WriteString(f, line)
		return errors.Join(err, f.Close())
	case "syslog":
		w, err := syslog.New(syslog.LOG_NOTICE|syslog.LOG_AUTHPRIV, "hearthline-audit-head")
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, line)
		return errors.Join(err, w.Close())
	default:
		return a.post(ctx, line)
	}
}

func (a *auditHeads) post(ctx context.Context, line string) error {
	to := *a.to
	to.Scheme = "https"
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), strings.NewReader(line))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "text/plain; charset=utf-8")
	res, err := a.http.Do(r)
	if err != nil {
		return err
	}
	_ = res.Body.Close()
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("the server answered %d", res.StatusCode)
	}
	return nil
}
