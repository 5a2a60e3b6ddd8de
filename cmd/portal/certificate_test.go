package main

import (
	"bytes"
	"crypto/tls"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hearthline/internal/config"
)

// renewing is a portal's certificate under a clock of our own.
type renewing struct {
	*certificates
	t   *testing.T
	dir string
	at  time.Time
	log bytes.Buffer
}

func renews(t *testing.T, until time.Time) *renewing {
	t.Helper()
	r := &renewing{t: t, dir: t.TempDir(), at: time.Now()}
	cert, key, _ := certificateUntil(t, r.dir, until)
	c, err := openCertificates(cert, key, func() time.Time { return r.at }, slog.New(slog.NewTextHandler(&r.log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	r.certificates = c
	return r
}

// shows is until when the certificate holds that a browser is shown.
func (r *renewing) shows() time.Time {
	r.t.Helper()
	pair, err := r.present(&tls.ClientHelloInfo{})
	if err != nil {
		r.t.Fatal(err)
	}
	return pair.Leaf.NotAfter
}

func (r *renewing) lines() int { return strings.Count(r.log.String(), "\n") }

// put writes a file in one piece or half of it, surely with another time.
func (r *renewing) put(name string, content []byte, times int) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		r.t.Fatal(err)
	}
	then := time.Now().Add(time.Duration(times) * time.Second)
	if err := os.Chtimes(path, then, then); err != nil {
		r.t.Fatal(err)
	}
}

func TestARenewedCertificateIsReadAgain(t *testing.T) {
	first, second := time.Now().AddDate(0, 0, 30).UTC().Truncate(time.Second), time.Now().AddDate(0, 0, 90).UTC().Truncate(time.Second)
	r, beside := renews(t, first), t.TempDir()
	certificateUntil(t, beside, second)
	var renewed [2][]byte
	for i, name := range []string{"cert.pem", "key.pem"} {
		renewed[i], _ = os.ReadFile(filepath.Join(beside, name))
	}
	for _, step := range []struct {
		what  string
		do    func()
		after time.Duration
		want  time.Time
		lines int
	}{
		{"nothing has changed", func() {}, time.Hour, first, 0},
		{"half a certificate", func() { r.put("cert.pem", renewed[0][:len(renewed[0])/2], 1) }, lookPause, first, 1},
		{"still half of it", func() {}, lookPause, first, 1},
		{"the certificate without its key", func() { r.put("cert.pem", renewed[0], 2) }, lookPause, first, 2},
		{"both, looked at a moment ago", func() { r.put("key.pem", renewed[1], 3) }, lookPause - time.Millisecond, first, 2},
		{"both", func() {}, time.Millisecond, second, 3},
		{"the key gone", func() { _ = os.Remove(filepath.Join(r.dir, "key.pem")) }, lookPause, second, 4},
		{"still gone", func() {}, lookPause, second, 4},
		{"back", func() { r.put("key.pem", renewed[1], 3) }, lookPause, second, 5},
		{"gone anew", func() { _ = os.Remove(filepath.Join(r.dir, "key.pem")) }, lookPause, second, 6},
	} {
		step.do()
		r.at = r.at.Add(step.after)
		if got := r.shows(); !got.Equal(step.want) {
			t.Errorf("%s: got one until %v, want until %v", step.what, got, step.want)
		}
		if got := r.lines(); got != step.lines {
			t.Errorf("%s: got %d log lines, want %d:\n%s", step.what, got, step.lines, r.log.String())
		}
	}
	if strings.Contains(r.log.String(), "PRIVATE") {
		t.Error("the log has something of the key")
	}
}

func TestWithoutACertificateThatFitsNothingIsServed(t *testing.T) {
	cert, _, _ := ownCertificate(t, t.TempDir())
	_, key, _ := ownCertificate(t, t.TempDir())
	if _, err := secured(config.Portal{TLSCertFile: cert, TLSKeyFile: key}, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a certificate with another's key was taken")
	}
	if speaks, err := secured(config.Portal{}, nil); speaks != nil || err != nil {
		t.Errorf("without one: got %v, %v, want no TLS", speaks, err)
	}
}

func TestDoctorSaysUntilWhenTheCertificateHolds(t *testing.T) {
	now := time.Now()
	home, elsewhere := &url.URL{Scheme: "https", Host: "localhost:8443"}, &url.URL{Scheme: "https", Host: "portal.example"}
	for name, tt := range map[string]struct {
		until time.Time
		base  *url.URL
		want  string
	}{
		"for long":           {now.AddDate(0, 0, 60), home, "ok     Certificate: it holds until " + now.AddDate(0, 0, 60).UTC().Format("2006-01-02")},
		"for fifteen days":   {now.AddDate(0, 0, 15), home, "ok     Certificate"},
		"for thirteen days":  {now.AddDate(0, 0, 13), home, "note   Certificate: it holds until"},
		"no longer":          {now.Add(-time.Minute), home, "wrong  Certificate: it ran out on"},
		"for somebody else":  {now.AddDate(0, 0, 60), elsewhere, "wrong  Certificate: x509: certificate is valid for localhost, not portal.example"},
		"where there's none": {now, nil, ""},
	} {
		cfg := config.Portal{BaseURL: tt.base}
		if tt.base != nil {
			cfg.TLSCertFile, cfg.TLSKeyFile, _ = certificateUntil(t, t.TempDir(), tt.until)
		}
		var out bytes.Buffer
		d := &diagnosis{s: streams{out: &out}}
		d.certificate(cfg, now)
		if got := out.String(); !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" || d.wrong != strings.HasPrefix(tt.want, "wrong") {
			t.Errorf("%s: got %q, wrong %v, want %q", name, got, d.wrong, tt.want)
		}
	}
}
