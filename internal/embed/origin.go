package embed

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// hostPattern is a name as browsers write it: small, without the letters of other alphabets,
// which they spell out (xn--…), and nothing that a policy would read as a pattern.
var hostPattern = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$`)

// parseOrigin is an origin as browsers write it, so that it compares letter by letter with
// what they say: a small host, no port that the scheme has anyway. False for what is none.
// It is https; http on this machine alone, and where the portal itself is only there.
func parseOrigin(text string, local bool) (string, bool) {
	u, err := url.Parse(text)
	if err != nil || !strings.EqualFold(text, u.Scheme+"://"+u.Host) {
		return "", false
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if !hostPattern.MatchString(host) || isNumericHost(host) && !isIPv4(host) || !isPort(port) || strings.HasSuffix(u.Host, ":") {
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

// parseOrigins are those of a setup, each once.
func parseOrigins(given []string, local bool) []string {
	var all []string
	for _, text := range given {
		if o, ok := parseOrigin(text, local); ok && !slices.Contains(all, o) {
			all = append(all, o)
		}
	}
	return all
}

// isNumericHost says whether browsers would read a host as an address, in whatever form.
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

// isLocal says whether the portal itself is reached on this machine alone, without TLS.
func (s *Service) isLocal() bool {
	return s.Base != nil && s.Base.Scheme == "http" && isLoopback(s.Base.Hostname())
}
