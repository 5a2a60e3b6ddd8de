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
	"strconv"
	"strings"
	"syscall"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/store"
)

// audit verifies the whole audit chain and looks for a head that was saved elsewhere, or prints the newest head.
func (i *installation) audit(ctx context.Context, command string, args config.Args) error {
	if command == "head" {
		head, err := i.db.AuditHead(ctx)
		return i.report(err, "%d:%s\n", head.Seq, head.MAC)
	}
	seq, rows, ok, err := i.db.BrokenAudit(ctx)
	if err != nil {
		return err
	}
	base, err := i.db.AuditBase(ctx)
	if err != nil {
		return err
	}
	switch {
	case !ok && base.Seq > 0 && seq == base.Seq:
		return fmt.Errorf("the audit log does not verify: its start, after row %d, "+
			"was not written by this installation or does not match the rows", seq)
	case !ok:
		return fmt.Errorf("the audit log does not verify: row %d was changed or removed; the %d rows before it are valid",
			seq, rows)
	}
	if saved := args.Audit.Verify.Head; saved != nil {
		if err := i.compareHead(ctx, *saved); err != nil {
			return err
		}
	}
	if file := args.Audit.Verify.Against; file != "" {
		if err := i.compareFile(ctx, file); err != nil {
			return err
		}
	}
	return i.report(nil, "The audit log is verified: %d rows%s.\n", rows, startText(base))
}

// startText describes where an audit begins whose oldest rows were dropped.
func startText(base store.AuditBase) string {
	if base.Seq == 0 {
		return ""
	}
	return fmt.Sprintf(", starting at row %d; earlier rows, written before %s, were deleted after six years",
		base.Seq+1, store.Instant(base.WrittenBefore).Format(time.DateOnly))
}

// compareHead looks for an audit head that was stored elsewhere.
func (i *installation) compareHead(ctx context.Context, saved string) error {
	head, err := parseHead(saved)
	if err != nil {
		return err
	}
	status, err := i.db.HeadStatusOf(ctx, head)
	switch {
	case err != nil:
		return err
	case status == store.HeadMissing:
		return fmt.Errorf("row %d does not match the saved head: the audit log was changed, truncated or replaced", head.Seq)
	case status == store.HeadTrimmed:
		fmt.Fprintf(i.out, "Row %d is older than the first stored row, so this head cannot be compared. "+
			"Compare a later one.\n", head.Seq)
	}
	return nil
}

// compareFile compares the audit log with the sent heads, oldest first. A line may begin with a prefix from syslog or a
// log collector. The chain itself was already verified, so rows that differ were replaced by somebody who has the
// keys, or the log was truncated.
func (i *installation) compareFile(ctx context.Context, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var matched, trimmed int
	var last store.AuditHead // the newest head that matched
	for n, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		fields := strings.Fields(line)
		if len(fields) < 4 {
			return fmt.Errorf("line %d of %s is not a head (row, time, hash and signature)", n+1, file)
		}
		fields = fields[len(fields)-4:]
		head, err := parseHead(strings.Join(fields[:3], " "))
		if err != nil || !i.db.IsOwnHead(head, fields[3]) {
			return fmt.Errorf("line %d of %s was not signed by this installation, "+
				"or was signed with a key that is no longer in its keyset",
				n+1, file)
		}
		status, err := i.db.HeadStatusOf(ctx, head)
		switch {
		case err != nil:
			return err
		case status == store.HeadTrimmed:
			trimmed++
		case status == store.HeadMissing && last.Seq+1 >= head.Seq:
			return fmt.Errorf("row %d differs from the head of %s in line %d: the audit log was changed, truncated or replaced",
				head.Seq, fields[1], n+1)
		case status == store.HeadMissing:
			return fmt.Errorf("row %d differs from the head of %s in line %d: the first row that was changed, cut off or "+
				"replaced is one of rows %d to %d", head.Seq, fields[1], n+1, last.Seq+1, head.Seq)
		default:
			matched, last = matched+1, head
		}
	}
	fmt.Fprintf(i.out, "%d heads match; %d are older than the first stored row.\n", matched, trimmed)
	return nil
}

// parseHead reads ROW:HASH, or a line of the list on the audit page.
func parseHead(text string) (store.AuditHead, error) {
	row, mark, _ := strings.Cut(text, ":")
	if fields := strings.Fields(text); len(fields) == 3 {
		row, mark = fields[0], fields[2]
	}
	seq, err := strconv.ParseInt(row, 10, 64)
	if err != nil || mark == "" {
		return store.AuditHead{}, errors.New("a head has the form ROW:HASH, as printed by portal audit head")
	}
	return store.AuditHead{Seq: seq, MAC: mark}, nil
}

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
	var w io.WriteCloser
	var err error
	switch a.to.Scheme {
	case "file":
		w, err = os.OpenFile(a.to.Path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|os.O_SYNC, 0o600)
	case "syslog":
		w, err = syslog.New(syslog.LOG_NOTICE|syslog.LOG_AUTHPRIV, "hearthline-audit-head")
	default:
		return a.post(ctx, line)
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, line)
	return errors.Join(err, w.Close())
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
