package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// runAgainst runs portal audit verify --against with a file.
func runAgainst(t *testing.T, cfg config.Config, file string) (string, error) {
	t.Helper()
	var out strings.Builder
	err := runOn(t, cfg, streams{out: &out, err: &out}, "audit verify",
		func(args *config.Args) { args.Audit.Verify.Against = file })
	return out.String(), err
}

// addAuditRows adds valid rows, as somebody who has the keys can.
func addAuditRows(t *testing.T, db *store.Store, n int, object string) {
	t.Helper()
	for range n {
		if err := db.Write(t.Context(), func(tx *store.Tx) error {
			return tx.Audit(t.Context(), store.AuditEntry{ActorID: "olivia", Action: store.ActionLeadOpen, Object: object,
				Outcome: "opened"})
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAuditVerify_AgainstSentHeads replaces rows after their heads were sent to a file. It uses the keys, so the chain
// is valid.
func TestAuditVerify_AgainstSentHeads(t *testing.T) {
	cfg, file := auditedInstallation(t), filepath.Join(t.TempDir(), "heads")
	send := func(db *store.Store, _ *vault.Vault) {
		newAuditHeads(db, "file://"+file, slog.New(slog.DiscardHandler)).sendNow(t.Context())
	}
	withDatabase(t, cfg, send)
	earlier := mustReadFile(t, databaseAddress(cfg))
	withDatabase(t, cfg, func(db *store.Store, v *vault.Vault) {
		addAuditRows(t, db, 5, "lead:one")
		send(db, v)
	})
	if output, err := runAgainst(t, cfg, file); err != nil || !strings.Contains(output, "2 heads match") {
		t.Fatalf("unchanged: got %q, %v", output, err)
	}
	sent := string(mustReadFile(t, file))
	syslogged := "Nov 28 01:00:00 desk hearthline-audit-head[7]: " + sent
	for name, tt := range map[string]struct{ heads, want string }{
		"with a syslog prefix": {syslogged, ""},
		"a forged head":        {strings.Replace(sent, "9 ", "8 ", 1), "line 1 of"},
		"another file":         {"root:x:0:0", "line 1 of"},
	} {
		other := filepath.Join(t.TempDir(), "heads")
		if err := os.WriteFile(other, []byte(tt.heads), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := runAgainst(t, cfg, other); (err == nil) != (tt.want == "") ||
			err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, tt.want)
		}
	}
	if err := os.WriteFile(databaseAddress(cfg), earlier, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := runAgainst(t, cfg, file); err == nil || !strings.Contains(err.Error(), "rows 10 to 14") {
		t.Errorf("an earlier copy: got %v, want the rows after the last head that matches", err)
	}
	withDatabase(t, cfg, func(db *store.Store, _ *vault.Vault) { addAuditRows(t, db, 5, "lead:another") })
	if output, err := runVerify(t, cfg, ""); err != nil {
		t.Fatalf("the replaced rows: got %q, %v, want a valid chain", output, err)
	}
	if _, err := runAgainst(t, cfg, file); err == nil || !strings.Contains(err.Error(), "rows 10 to 14") {
		t.Errorf("replaced rows: got %v, want the rows after the last head that matches", err)
	}
}

// TestAuditHeads_HTTPS_DeliveryRecorded sends to a server on this machine, which must be explicitly allowed.
func TestAuditHeads_HTTPS_DeliveryRecorded(t *testing.T) {
	status, got := http.StatusNoContent, ""
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got += r.URL.Path + " " + string(body)
		w.WriteHeader(status)
	}))
	defer server.Close()
	pool := server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	withDatabase(t, auditedInstallation(t), func(db *store.Store, _ *vault.Vault) {
		for _, tt := range []struct {
			scheme    string
			status    int
			delivered bool
		}{
			{"https", 204, false}, {"https+private", 500, false}, {"https+private", 302, false}, {"https+private", 204, true},
		} {
			var log strings.Builder
			got, status = "", tt.status
			heads := newAuditHeads(db, tt.scheme+strings.TrimPrefix(server.URL, "https")+"/token-7",
				slog.New(slog.NewTextHandler(&log, nil)))
			heads.http.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: pool}
			heads.sendNow(t.Context())
			d, err := db.HeadDelivery(t.Context())
			if err != nil || (d.FailedSince == 0) != tt.delivered || (d.SentAt != 0) != tt.delivered {
				t.Errorf("%s answered %d: got %+v, %v, want delivered %v", tt.scheme, tt.status, d, err, tt.delivered)
			}
			if (got == "") != (tt.scheme == "https") || strings.Contains(log.String(), "token-7") ||
				(log.Len() == 0) != tt.delivered {
				t.Errorf("%s answered %d: got the request %q and the log %q", tt.scheme, tt.status, got, log.String())
			}
		}
		_, line, err := db.SignedAuditHead(t.Context())
		if want := "/token-7 " + line; err != nil || got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if err := db.ForgetHeadDelivery(t.Context()); err != nil {
			t.Fatal(err)
		}
		if d, err := db.HeadDelivery(t.Context()); err != nil || d != (store.HeadDelivery{}) {
			t.Errorf("forgotten: got %+v, %v", d, err)
		}
	})
}

func TestRefusePrivate(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1": false, "10.1.2.3": false, "192.168.0.9": false, "169.254.169.254": false, "[::1]": false,
		"[fd00::1]": false, "[fe80::1]": false, "[::ffff:10.0.0.1]": false, "0.0.0.0": false, "8.8.8.8": true,
		"[2600::1]": true,
	} {
		if err := refusePrivate("tcp", fmt.Sprintf("%s:443", address), nil); (err == nil) != want {
			t.Errorf("%s: got %v, want allowed %v", address, err, want)
		}
	}
}

// TestAuditHeads_SentHourly lets a portal run for two and a half hours.
func TestAuditHeads_SentHourly(t *testing.T) {
	cfg := auditedInstallation(t)
	file := filepath.Join(t.TempDir(), "heads")
	synctest.Test(t, func(t *testing.T) {
		withDatabase(t, cfg, func(db *store.Store, _ *vault.Vault) {
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan struct{})
			heads := newAuditHeads(db, "file://"+file, slog.New(slog.DiscardHandler))
			go func() { heads.run(ctx); close(ended) }()
			time.Sleep(150 * time.Minute)
			stop()
			<-ended
		})
	})
	sent, err := os.ReadFile(file)
	if n := strings.Count(string(sent), "\n"); err != nil || n != 3 {
		t.Errorf("got %d heads, %v, want one at the start and two more", n, err)
	}
}
