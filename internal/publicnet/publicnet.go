// Package publicnet connects to addresses that users and administrators enter, and that must not lead into the network
// of the portal.
package publicnet

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// ErrPrivate is returned for an address of this machine or of an internal network.
var ErrPrivate = errors.New("publicnet: a private address")

// Client returns a client that follows no redirect and connects to public addresses only, or also to this machine. It
// checks each address after the name was resolved, so a name cannot lead elsewhere between a check and the connection.
func Client(timeout time.Duration, loopback bool) *http.Client {
	check := func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !IsPublic(at.Addr()) && (!loopback || !at.Addr().Unmap().IsLoopback()) {
			return ErrPrivate
		}
		return nil
	}
	dialer := &net.Dialer{Timeout: timeout, Control: check}
	return &http.Client{
		Timeout: timeout,
		// A proxy would connect to addresses that the dialer cannot check.
		Transport:     &http.Transport{DialContext: dialer.DialContext, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 2},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// notPublic are networks that netip does not name: shared addresses of providers (CGNAT), addresses for documentation
// and tests, and those of IPv6 that lead to an address of IPv4.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("::/96"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("100::/64"), netip.MustParsePrefix("2001::/32"), netip.MustParsePrefix("2001:db8::/32"),
	netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("fec0::/10"),
}

// IsPublic reports whether an address belongs to neither this machine nor an internal network.
func IsPublic(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if !ip.IsGlobalUnicast() || ip.IsPrivate() { // unspecified, loopback, link-local, multicast; internal networks
		return false
	}
	for _, network := range notPublic {
		if network.Contains(ip) {
			return false
		}
	}
	return true
}
