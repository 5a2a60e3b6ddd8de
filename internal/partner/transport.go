package partner

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// newTransport is the one pool of connections to the lender.
//
// HTTP/1.1 alone: over HTTP/2 the standard transport repeats a request by itself
// after some stream errors, and a write must never be repeated without a person.
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
