package embed

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// hostPattern is a host as browsers write it: lower case, with international names in their
// xn-- form, and without characters that a content security policy would read as a pattern.
var hostPattern = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$`)

// parseOrigin normalizes an origin to the form that browsers use, so that it can be compared
// as text: a lower-case host and no default port. False if it is not a valid origin. It
// must be https; http is allowed only on loopback, and only if the portal is local too.
func parseOrigin(text string, local bool) (string, bool) {
	u, err := url.Parse(text)
	if err != nil || !strings.EqualFold(text, u.Scheme+"://"+u.Host) {
		return "", false
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if !hostPattern.MatchString(host) || isNumericHost(host) && !isIPv4(host) || !isPort(port) ||
		strings.HasSuffix(u.Host, ":") {
		return "", false
	}
	switch {
	case u.Scheme == "https":
	case u.Scheme == "http" && local && isLoopback(host):
	default:
		return "", false
	}
	if port == "" || port == map[string]string{"https": "443", "http": "80"}[u.Scheme] {
		return u.Scheme + "://" + host, true
	}
	return u.Scheme + "://" + host + ":" + port, true
}

// parseOrigins returns the valid origins of a setup without duplicates.
func parseOrigins(given []string, local bool) []string {
	var all []string
	for _, text := range given {
		if o, ok := parseOrigin(text, local); ok && !slices.Contains(all, o) {
			all = append(all, o)
		}
	}
	return all
}

// isNumericHost reports whether browsers would interpret a host as an IPv4 address, in any form.
func isNumericHost(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	_, err := strconv.ParseUint(last, 0, 64)
	return err == nil
}

func isIPv4(host string) bool {
	a, err := netip.ParseAddr(host)
	return err == nil && a.Is4() && a.String() == host
}

func isPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0 && strconv.FormatUint(n, 10) == port
}

func isLoopback(host string) bool { return host == "localhost" || host == "127.0.0.1" }

// isLocal reports whether the portal is reachable only on this machine, without TLS.
func (s *Service) isLocal() bool {
	return s.Base != nil && s.Base.Scheme == "http" && isLoopback(s.Base.Hostname())
}
