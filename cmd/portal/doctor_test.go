package main

import (
	"bytes"
	"database/sql"
	"errors"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/reencrypt"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

func TestDoctor_DecryptsEveryValue(t *testing.T) {
	cfg := newInstallation(t)
	diagnosed := func() (output string, failed bool) {
		t.Helper()
		var out bytes.Buffer
		d := &diagnosis{streams: streams{out: &out, err: &out}}
		withDatabase(t, cfg, func(db *store.Store, v *vault.Vault) {
			d.encryptedValues(t.Context(), reencrypt.New(db, v, time.Now))
		})
		return out.String(), d.failed
	}
	if output, failed := diagnosed(); failed || !strings.Contains(output, "all 2 can be decrypted") {
		t.Errorf("got %q, want everything to be decrypted", output)
	}
	raw, err := sql.Open("sqlite3", databaseAddress(cfg))
	if err == nil {
		_, err = raw.ExecContext(t.Context(), `UPDATE leads SET borrower = x'0102030405'`)
	}
	if err := errors.Join(err, raw.Close()); err != nil {
		t.Fatal(err)
	}
	output, failed := diagnosed()
	if !failed || !strings.Contains(output, "1 cannot be decrypted") ||
		!strings.Contains(output, "leads.borrower of "+string(leadApp)) {
		t.Errorf("got %q, want the lead whose name cannot be decrypted", output)
	}
}

// A demo has its own settings: doctor must not report the ones that only a portal needs.
func TestDoctor_Demo_NoFalseErrors(t *testing.T) {
	cfg := newInstallation(t)
	t.Setenv("PORTAL_KEYSET_FILE", cfg.Portal.KeysetFile)
	t.Setenv("PORTAL_KEK_FILE", cfg.Portal.KEK.File)
	runDoctor := func() (string, int) {
		var out bytes.Buffer
		rc := run(t.Context(), []string{"doctor", "--data", cfg.Data}, streams{out: &out, err: &out})
		return out.String(), rc
	}
	if output, rc := runDoctor(); rc != 1 || !strings.Contains(output, "PARTNER_BASE_URL is missing") {
		t.Fatalf("not a demo: got %d, %q", rc, output)
	}
	withDatabase(t, cfg, func(db *store.Store, _ *vault.Vault) {
		err := db.Write(t.Context(), func(tx *store.Tx) error { return tx.SaveSetting(t.Context(), seededSetting, "60") })
		if err != nil {
			t.Fatal(err)
		}
	})
	demo, err := config.ParsePortal([]string{"--data", cfg.Data, "demo"}, config.IO{})
	if err != nil {
		t.Fatal(err)
	}
	box, err := sandbox.Open(sandbox.Config{Dir: t.TempDir(), APIKey: demo.Config.Partner.APIKey.Value(),
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	lender := httptest.NewServer(box.Handler())
	addr := strings.TrimPrefix(lender.URL, "http://")
	withDatabase(t, cfg, func(db *store.Store, _ *vault.Vault) {
		if err := (&portal{store: db}).saveDemoAddresses(t.Context(), "localhost:9090", addr); err != nil {
			t.Fatal(err)
		}
	})
	if output, rc := runDoctor(); rc != 0 || !strings.Contains(output, "ok     Lender: responds; 120 originators") {
		t.Errorf("beside a demo on other ports: got %d, %q", rc, output)
	}
	lender.Close()
	if err := box.Close(); err != nil {
		t.Fatal(err)
	}
	output, rc := runDoctor()
	if rc != 0 || !strings.Contains(output, "no response from "+addr) {
		t.Errorf("a demo: got %d, %q", rc, output)
	}
}
