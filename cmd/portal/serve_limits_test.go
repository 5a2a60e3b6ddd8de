package main

import (
	"crypto/tls"
	"net"
	"net/http"
	"testing"
	"time"

	"golang.org/x/net/http2"
)

// TestServe_HTTP2Streams_Limited reads the limit that the server announces, and enforces, on each connection.
func TestServe_HTTP2Streams_Limited(t *testing.T) {
	t.Parallel()
	r := newCertificateHarness(t, time.Now().Add(time.Hour))
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := newHTTPServer(http.NotFoundHandler(), &tls.Config{GetCertificate: r.getCertificate,
		MinVersion: tls.VersionTLS12})
	served := make(chan error, 1)
	go func() { served <- server.ServeTLS(l, "", "") }()
	t.Cleanup(func() { _ = server.Close(); <-served })
	dialer := tls.Dialer{Config: &tls.Config{NextProtos: []string{"h2"},
		InsecureSkipVerify: true}} //nolint:gosec // a test
	c, err := dialer.DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	framer := http2.NewFramer(c, c)
	if _, err := c.Write([]byte(http2.ClientPreface)); err != nil {
		t.Fatal(err)
	}
	if err := framer.WriteSettings(); err != nil {
		t.Fatal(err)
	}
	frame, err := framer.ReadFrame()
	if err != nil {
		t.Fatal(err)
	}
	settings, ok := frame.(*http2.SettingsFrame)
	if !ok {
		t.Fatalf("got %T, want the settings", frame)
	}
	if got, _ := settings.Value(http2.SettingMaxConcurrentStreams); got != maxStreams {
		t.Errorf("got %d streams a connection, want %d", got, maxStreams)
	}
}
