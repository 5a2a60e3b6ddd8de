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

// certificateHarness has a portal's certificate and its own clock.
type certificateHarness struct {
	*certificates
	t   *testing.T
	dir string
	now time.Time
	log bytes.Buffer
}

func newCertificateHarness(t *testing.T, until time.Time) *certificateHarness {
	t.Helper()
	r := &certificateHarness{t: t, dir: t.TempDir(), now: time.Now()}
	cert, key, _ := writeCertificateUntil(t, r.dir, until)
	c, err := openCertificates(cert, key, func() time.Time { return r.now }, slog.New(slog.NewTextHandler(&r.log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	r.certificates = c
	return r
}

// expiry returns the end of validity of the certificate that a browser gets.
func (c *certificateHarness) expiry() time.Time {
	c.t.Helper()
	pair, err := c.getCertificate(&tls.ClientHelloInfo{})
	if err != nil {
		c.t.Fatal(err)
	}
	return pair.Leaf.NotAfter
}

func (c *certificateHarness) logLines() int { return strings.Count(c.log.String(), "\n") }

// writeFile writes a file completely or in part, with a new modification time.
func (c *certificateHarness) writeFile(name string, content []byte, times int) {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		c.t.Fatal(err)
	}
	then := time.Now().Add(time.Duration(times) * time.Second)
	if err := os.Chtimes(path, then, then); err != nil {
		c.t.Fatal(err)
	}
}

func TestCertificates_Renewed_Reloaded(t *testing.T) {
	first, second := time.Now().AddDate(0, 0, 30).UTC().Truncate(time.Second),
		time.Now().AddDate(0, 0, 90).UTC().Truncate(time.Second)
	r, other := newCertificateHarness(t, first), t.TempDir()
	writeCertificateUntil(t, other, second)
	var renewed [2][]byte
	for i, name := range []string{"cert.pem", "key.pem"} {
		renewed[i], _ = os.ReadFile(filepath.Join(other, name))
	}
	for _, step := range []struct {
		what  string
		do    func()
		after time.Duration
		want  time.Time
		lines int
	}{
		{"nothing has changed", func() {}, time.Hour, first, 0},
		{"half a certificate", func() { r.writeFile("cert.pem", renewed[0][:len(renewed[0])/2], 1) },
			recheckInterval, first, 1},
		{"still half a certificate", func() {}, recheckInterval, first, 1},
		{"the certificate without its key", func() { r.writeFile("cert.pem", renewed[0], 2) }, recheckInterval, first, 2},
		{"both, just after a check", func() { r.writeFile("key.pem", renewed[1], 3) },
			recheckInterval - time.Millisecond, first, 2},
		{"both", func() {}, time.Millisecond, second, 3},
		{"the key missing", func() { _ = os.Remove(filepath.Join(r.dir, "key.pem")) }, recheckInterval, second, 4},
		{"still missing", func() {}, recheckInterval, second, 4},
		{"back", func() { r.writeFile("key.pem", renewed[1], 3) }, recheckInterval, second, 5},
		{"missing again", func() { _ = os.Remove(filepath.Join(r.dir, "key.pem")) }, recheckInterval, second, 6},
	} {
		step.do()
		r.now = r.now.Add(step.after)
		if got := r.expiry(); !got.Equal(step.want) {
			t.Errorf("%s: got one until %v, want until %v", step.what, got, step.want)
		}
		if got := r.logLines(); got != step.lines {
			t.Errorf("%s: got %d log lines, want %d:\n%s", step.what, got, step.lines, r.log.String())
		}
	}
	if strings.Contains(r.log.String(), "PRIVATE") {
		t.Error("the log contains a part of the key")
	}
}

func TestTLSConfig_MismatchedPair_Error(t *testing.T) {
	cert, _, _ := writeCertificate(t, t.TempDir())
	_, key, _ := writeCertificate(t, t.TempDir())
	if _, err := (&portal{cfg: config.Config{Portal: config.Portal{TLSCertFile: cert, TLSKeyFile: key}},
		log: slog.New(slog.DiscardHandler)}).tlsConfig(); err == nil {
		t.Error("a certificate with another certificate's key was accepted")
	}
	if tlsCfg, err := (&portal{}).tlsConfig(); tlsCfg != nil || err != nil {
		t.Errorf("without a certificate: got %v, %v, want no TLS", tlsCfg, err)
	}
}

func TestDoctor_ReportsCertificateExpiry(t *testing.T) {
	now := time.Now()
	home, elsewhere := &url.URL{Scheme: "https", Host: "localhost:8443"}, &url.URL{Scheme: "https", Host: "portal.example"}
	for name, tt := range map[string]struct {
		until time.Time
		base  *url.URL
		want  string
	}{
		"valid for long": {now.AddDate(0, 0, 60), home,
			"ok     Certificate: valid until " + now.AddDate(0, 0, 60).UTC().Format("2006-01-02")},
		"valid for fifteen days":  {now.AddDate(0, 0, 15), home, "ok     Certificate"},
		"valid for thirteen days": {now.AddDate(0, 0, 13), home, "note   Certificate: valid until"},
		"expired":                 {now.Add(-time.Minute), home, "wrong  Certificate: expired on"},
		"for another host": {now.AddDate(0, 0, 60), elsewhere,
			"wrong  Certificate: x509: certificate is valid for localhost, not portal.example"},
		"where there's none": {now, nil, ""},
	} {
		cfg := config.Portal{BaseURL: tt.base}
		if tt.base != nil {
			cfg.TLSCertFile, cfg.TLSKeyFile, _ = writeCertificateUntil(t, t.TempDir(), tt.until)
		}
		var out bytes.Buffer
		d := &diagnosis{streams: streams{out: &out}}
		d.certificate(cfg, now)
		if got := out.String(); !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" ||
			d.failed != strings.HasPrefix(tt.want, "wrong") {
			t.Errorf("%s: got %q, wrong %v, want %q", name, got, d.failed, tt.want)
		}
	}
}
