package partner

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// newTransport is the only pool of connections to the lender.
//
// It uses only HTTP/1.1: over HTTP/2 the standard transport resends a request after some
// stream errors, and a write must never be sent again unless a user decides so.
func newTransport() *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 3 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    5 * time.Second,
		MaxIdleConns:           32,
		MaxIdleConnsPerHost:    32,
		MaxConnsPerHost:        64,
		IdleConnTimeout:        60 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		Protocols:              protocols,
	}
}
