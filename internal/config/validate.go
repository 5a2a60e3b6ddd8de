package config

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// validator parses texts and collects the errors. Its methods return a zero value for an invalid text, so that
// validation continues to the end.
type validator struct {
	command string // "serve", "demo", "user add", …
	data    string
	errors  []error
}

func (v *validator) addError(name, format string, args ...any) {
	v.errors = append(v.errors, fmt.Errorf("%s %s", name, fmt.Sprintf(format, args...)))
}

func (v *validator) joined() error { return errors.Join(v.errors...) }

// isCommand reports whether the command is one of these.
func (v *validator) isCommand(commands ...string) bool { return slices.Contains(commands, v.command) }

// applyDefaults sets defaults for empty settings and trims the others. A variable with an empty value counts as
// unset, because compose files and systemd units often contain such variables.
func (v *validator) applyDefaults(raw any) {
	walkSettings(reflect.ValueOf(raw).Elem(), func(f reflect.StructField, value reflect.Value) {
		text := strings.TrimSpace(value.String())
		if text == "" {
			text = f.Tag.Get("default")
		}
		value.SetString(strings.ReplaceAll(text, "<data>", v.data))
	})
}

// secret reads NAME, or the file that NAME_FILE names, or uses the default; setting both is an error. Secrets are
// never flags, because every user of a machine can see its command lines.
func (v *validator) secret(name, fallback string) Secret {
	value, path := strings.TrimSpace(os.Getenv(name)), strings.TrimSpace(os.Getenv(name+"_FILE"))
	switch {
	case value != "" && path != "":
		v.addError(name, "is set twice, directly and by %s_FILE", name)
	case path != "":
		s, err := newSecretFile(path)
		if err != nil {
			v.addError(name+"_FILE", "cannot be read: %v", err)
		}
		return s
	case value == "":
		value = fallback
	}
	return NewSecret(value)
}

func (v *validator) choice(name, value string, allowed ...string) string {
	if slices.Contains(allowed, value) {
		return value
	}
	v.addError(name, "is %q; it must be %s", value, strings.Join(allowed, " or "))
	return ""
}

func (v *validator) number(name, value string, least, most int) int {
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > most {
		v.addError(name, "is %q; it must be a number from %d to %d", value, least, most)
		return 0
	}
	return n
}

// size parses a number of bytes, such as 200MB.
func (v *validator) size(name, value string) uint64 {
	for unit, bytes := range map[string]uint64{"KB": 1e3, "MB": 1e6, "GB": 1e9} {
		digits, found := strings.CutSuffix(strings.ToUpper(value), unit)
		if n, err := strconv.ParseUint(strings.TrimSpace(digits), 10, 32); found && err == nil {
			return n * bytes
		}
	}
	v.addError(name, "is %q; it must be a size such as 200MB", value)
	return 0
}

// drawYears parses terms in months with their draw periods in years, "60:2,120:3". A draw period is shorter than its
// term.
func (v *validator) drawYears(name, value string) map[int]int {
	var years map[int]int
	for _, part := range splitList(value) {
		term, period, _ := strings.Cut(part, ":")
		months, err := strconv.Atoi(term)
		drawn, err2 := strconv.Atoi(period)
		if err != nil || err2 != nil || drawn < 1 || months <= drawn*12 {
			v.addError(name, "holds %q; it must be a term in months and its draw period in years, such as 120:3", part)
			continue
		}
		if _, twice := years[months]; twice {
			v.addError(name, "holds the term %d twice", months)
		}
		if years == nil {
			years = map[int]int{}
		}
		years[months] = drawn
	}
	return years
}

func (v *validator) duration(name, value string, least, most time.Duration) time.Duration {
	d, err := time.ParseDuration(value)
	if err != nil || d < least || d > most {
		v.addError(name, "is %q; it must be a duration such as 15s, from %v to %v", value, least, most)
		return 0
	}
	return d
}

// address parses host:port.
func (v *validator) address(name, value string) string {
	_, port, err := net.SplitHostPort(value)
	if err == nil {
		_, err = net.DefaultResolver.LookupPort(context.Background(), "tcp", port)
	}
	if err != nil {
		v.addError(name, "is %q; it must be host:port, such as localhost:8080", value)
		return ""
	}
	return value
}

// httpURL parses an absolute http or https URL and drops a trailing slash. It accepts plain http on loopback only.
func (v *validator) httpURL(name, value string) *url.URL {
	u, err := url.Parse(strings.TrimSuffix(value, "/"))
	switch {
	case err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https"):
		// The cause is dropped, because it would quote a URL that may contain a password.
		v.addError(name, "is not an http or https address")
		return nil
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		v.addError(name, "must not hold a user, a query or a fragment")
		return nil
	case u.Scheme == "http" && !IsLoopback(u.Hostname()):
		v.addError(name, "is plain http to %s; https is needed anywhere but on this machine", u.Hostname())
		return nil
	}
	return u
}

// file checks that a named file can be read. An empty name means no file.
func (v *validator) file(name, path string) string {
	if path == "" {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		v.addError(name, "cannot be read: %v", err)
		return path
	}
	_ = f.Close()
	return path
}

// networks parses addresses and CIDRs.
func (v *validator) networks(name, value string) []netip.Prefix {
	var out []netip.Prefix
	for _, part := range splitList(value) {
		if addr, err := netip.ParseAddr(part); err == nil {
			out = append(out, netip.PrefixFrom(addr, addr.BitLen()))
			continue
		}
		prefix, err := netip.ParsePrefix(part)
		if err != nil {
			v.addError(name, "holds %q; it must be an address or a CIDR such as 10.0.0.0/8", part)
			continue
		}
		out = append(out, prefix)
	}
	return out
}

// IsLoopback reports whether a host name refers to this machine only. An empty host means every address of the
// machine.
func IsLoopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

func isLoopbackAddr(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && IsLoopback(host)
}
