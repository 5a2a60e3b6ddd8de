package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// startProbed runs a server that answers as the portal's probes do, and sets the settings of the portal that runs
// there.
func startProbed(t *testing.T, withTLS bool) (ready *atomic.Bool, stop func()) {
	t.Helper()
	ready = &atomic.Bool{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "portal.test" {
			w.WriteHeader(http.StatusMisdirectedRequest)
		}
		_, _ = w.Write([]byte("ok\n"))
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !ready.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("ready\n"))
	})
	server := httptest.NewUnstartedServer(mux)
	t.Cleanup(server.Close)
	if withTLS {
		cert, key, _ := writeCertificate(t, t.TempDir())
		t.Setenv("PORTAL_TLS_CERT_FILE", cert)
		t.Setenv("PORTAL_TLS_KEY_FILE", key)
		server.StartTLS() // with a certificate that no machine trusts
	} else {
		server.Start()
	}
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PORTAL_ADDR", "0.0.0.0:"+port)
	t.Setenv("PORTAL_BASE_URL", "https://portal.test")
	return ready, server.Close
}

func TestHealth_AnswersAsThePortalDoes(t *testing.T) {
	for name, withTLS := range map[string]bool{"plain": false, "TLS": true} {
		t.Run(name, func(t *testing.T) {
			ready, stop := startProbed(t, withTLS)
			check := func(wantCode int, want string, args ...string) {
				t.Helper()
				output, code := runCommand(t, append([]string{"health", "--data", t.TempDir()}, args...)...)
				if code != wantCode || !strings.Contains(output, want) {
					t.Errorf("%q: got %d %s, want %d %s", args, code, output, wantCode, want)
				}
			}
			check(0, "ok\n")
			check(1, "answered /readyz with 503", "--ready")
			ready.Store(true)
			check(0, "ready\n", "--ready")
			stop()
			check(1, "no response from 127.0.0.1:")
		})
	}
}

func TestOwnAddress_AllAddresses_Loopback(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		"0.0.0.0:8443": "127.0.0.1:8443", "[::]:8443": "[::1]:8443", ":8443": "127.0.0.1:8443",
		"localhost:8080": "localhost:8080", "10.1.2.3:80": "10.1.2.3:80",
		"localhost:0": "", "": "",
	} {
		got, err := ownAddress(addr)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", addr, got, err, want)
		}
	}
}
