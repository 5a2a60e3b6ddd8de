package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writeCertificate writes a certificate for localhost and its key, and returns a pool that trusts it.
func writeCertificate(t *testing.T, dir string) (certFile, keyFile string, roots *x509.CertPool) {
	t.Helper()
	return writeCertificateUntil(t, dir, time.Now().Add(time.Hour))
}

// writeCertificateUntil does so with an end of validity.
func writeCertificateUntil(t *testing.T, dir string, until time.Time) (certFile, keyFile string, roots *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotBefore: time.Now().AddDate(-1, 0, 0), NotAfter: until,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		IsCA:     true, BasicConstraintsValid: true,
	}
	raw, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	rawKey, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: raw},
		"key.pem": {Type: "PRIVATE KEY", Bytes: rawKey}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	roots = x509.NewCertPool()
	made, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	roots.AddCert(made)
	return filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), roots
}

// freePort returns a port on which nothing listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// tryRequest sends a request with the client and returns the response or the error.
func tryRequest(t *testing.T, client *http.Client, r *http.Request) (*http.Response, error) {
	t.Helper()
	res, err := client.Do(r)
	if err == nil {
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
	}
	return res, err
}

func tlsClient(roots *x509.CertPool, minVersion, maxVersion uint16) *http.Client {
	return &http.Client{
		Timeout: 10 * time.Second,
		//nolint:gosec // old versions are what is refused
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: minVersion,
			MaxVersion: maxVersion}, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// TestServe_TLS runs the portal with its own certificate.
func TestServe_TLS(t *testing.T) {
	dir, port := t.TempDir(), freePort(t)
	cert, key, roots := writeCertificate(t, t.TempDir())
	base := "https://localhost:" + port
	if output, code := runCommand(t, "user", "add", "rea@summit.test", "--name", "Rea L", "--role", "admin",
		"--password-stdin", "--data", dir); code != 0 {
		t.Fatalf("got %d %s", code, output)
	}
	for name, value := range map[string]string{
		"PORTAL_ADDR": "127.0.0.1:" + port, "PORTAL_BASE_URL": base, "PORTAL_TLS_CERT_FILE": cert, "PORTAL_TLS_KEY_FILE": key,
		"PORTAL_MFA": "optional", "PARTNER_BASE_URL": "https://127.0.0.1:1", "PARTNER_API_KEY": "key",
	} {
		t.Setenv(name, value)
	}
	ctx, stop := context.WithCancel(t.Context())
	var out, complaints bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"serve", "--data", dir}, streams{strings.NewReader(""), &out, &complaints})
	}()
	defer func() {
		stop()
		<-ended
	}()
	ask := func(method, address string, form url.Values) *http.Request {
		r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		if form != nil {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		return r
	}
	latest := tlsClient(roots, 0, 0)
	for deadline := time.Now().Add(time.Minute); ; {
		if _, err := tryRequest(t, latest, ask(http.MethodGet, base+"/healthz", nil)); err == nil {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("no response: %v", err)
		}
		select {
		case code := <-ended:
			ended <- code
			t.Fatalf("it exited with %d", code)
		case <-time.After(50 * time.Millisecond):
		}
	}
	page, err := tryRequest(t, latest, ask(http.MethodGet, base+"/login", nil))
	if err != nil || page.StatusCode != http.StatusOK || page.TLS.Version != tls.VersionTLS13 {
		t.Fatalf("got %v, %v, want the sign-in page over TLS 1.3", page, err)
	}
	if got := page.Header.Get("Strict-Transport-Security"); !strings.HasPrefix(got, "max-age=63072000") {
		t.Errorf("got Strict-Transport-Security %q, want two years", got)
	}
	if res, err := tryRequest(t, tlsClient(roots, tls.VersionTLS12, tls.VersionTLS12),
		ask(http.MethodGet, base+"/login", nil)); err != nil || res.TLS.Version != tls.VersionTLS12 {
		t.Errorf("TLS 1.2: got %v, want a response", err)
	}
	if _, err := tryRequest(t, tlsClient(roots, tls.VersionTLS10, tls.VersionTLS11),
		ask(http.MethodGet, base+"/login", nil)); err == nil || !strings.Contains(err.Error(), "protocol version") {
		t.Errorf("TLS 1.1: got %v, want it rejected", err)
	}
	if res, err := tryRequest(t, latest, ask(http.MethodGet, strings.Replace(base, "https", "http", 1)+"/login",
		nil)); err == nil && (res.StatusCode != http.StatusBadRequest || len(res.Cookies()) != 0) {
		t.Errorf("plain http: got %d with cookies %v, want it rejected", res.StatusCode, res.Cookies())
	}
	in, err := tryRequest(t, latest, ask(http.MethodPost, base+"/login",
		url.Values{"email": {"rea@summit.test"}, "password": {"kettle-lantern-orchard"}}))
	if err != nil || in.StatusCode != http.StatusSeeOther || len(in.Cookies()) != 2 {
		t.Fatalf("sign-in: got %v, %v, want the session cookie and the device cookie", in, err)
	}
	for i, name := range []string{"__Host-sid", "__Host-device"} {
		if c := in.Cookies()[i]; c.Name != name || !c.Secure || !c.HttpOnly || c.Path != "/" || c.Domain != "" {
			t.Errorf("got cookie %s, want %s, for this host and TLS only", c, name)
		}
	}
}
