// Package partner is the typed client of the lender's interface, with one method per
// endpoint. It reads both dialects of the interface (interface.md and interface-live.md)
// into the same heloc types, without configuration, and writes what both accept; where they
// conflict Config.Dialect decides.
//
//	client.go       Config and Client
//	inquiry.go      and the other endpoint files (details, resolve_step, offer, …); each method
//	                has a "heloc:" line
//	call.go         a call: tries and results; attempt.go, one try; receive.go, its response
//	write.go        a write and its request block; ssn.go, how an SSN is added
//	failure.go      errors and how far the request got; messages.go, their text
//	limiter.go      for whom a call is made, and how callers share the rate; breaker.go, when calls are retried;
//	                download_limit.go, how many downloads run at once
//	download.go     streamed documents
//	decode.go       and tree.go, resource.go, dialect.go: from JSON of either dialect to heloc
//	endpoint.go     every endpoint, as a table, with call counts of each
//
// A write is never sent twice. Demographics are skipped while the JSON is parsed. Errors
// never contain keys, bodies or borrower data.
package partner

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/jwe"
)

// Dialect selects the form to write where no single form works for both services.
type Dialect string

// The dialects: interface.md as written, and the service of interface-live.md.
const (
	Documented Dialect = "documented"
	Live       Dialect = "live"
)

// ReferenceField names the partner id in which a start sends its operation id.
type ReferenceField string

// The ids of partnerDataRequest (section 2.2).
const (
	ReferenceApp      ReferenceField = "externalAppId"
	ReferenceID       ReferenceField = "externalReferenceId"
	ReferenceCustomer ReferenceField = "externalCustomerId"
)

// Config configures a Client; only BaseURL and APIKeys have no default.
type Config struct {
	// BaseURL is {base_url} of the interface, http or https, without a query.
	BaseURL string
	// APIKeys returns the keys in the order to try them: the current one, then the
	// next, which is tried after a 401. It is called before every request, so that a
	// rotated file takes effect at once.
	APIKeys func() []string
	// Sealer encrypts payloads; if nil, the lender's encrypt endpoint does (4.22).
	Sealer jwe.Sealer
	// Opener decrypts encrypted responses and webhooks. With one, the client requests
	// encrypted details; without one, it cannot read an encrypted body.
	Opener *jwe.Opener
	// Dialect defaults to Documented.
	Dialect Dialect
	// ReferenceField defaults to ReferenceApp.
	ReferenceField ReferenceField
	// Timeout limits one call including all its tries, and the wait for the next byte of a download; the default is 15 s.
	Timeout time.Duration
	// Rate is the maximum number of requests per second, with bursts of the same size. All
	// companies share the key: those that wait are served in turn (see Caller). Zero means no limit.
	Rate int
	// Transport sends the requests; nil creates one with limits. Any other must support
	// net/http/httptrace, or failures look as if nothing had been sent, and must not
	// resend requests.
	Transport http.RoundTripper
	// Version ends the User-Agent, "Hearthline/<version>".
	Version string
	// Observe is called after every try, for metrics. It must not block.
	Observe func(Call)
	// ObserveWait is called when a call no longer waits for Rate, for metrics. It must not block.
	ObserveWait func(Wait)
}

// Call describes one try of one request, without its content.
type Call struct {
	Endpoint string // the interface's name for it, such as "select-offer"
	Method   string
	Status   int  // 0 when there was no response
	Canceled bool // the caller gave up before there was one
	WithKey  bool // sent with the portal's key
	Duration time.Duration
	At       time.Time
}

// RefusesKey reports whether a status refuses the key that a request was sent with.
func RefusesKey(status int) bool {
	return status == http.StatusUnauthorized || status == http.StatusForbidden
}

// KeyRefusal is how the lender last refused the portal's key.
type KeyRefusal struct {
	Status int
	Since  time.Time // the first refusal after the key was last accepted; zero if it was accepted since
	Last   time.Time // zero if the key was never refused
}

// Client calls the lender's interface. It is safe for use by multiple goroutines.
//
// The context of a write should not end with the browser's request: if a write is canceled
// in progress, nobody knows its outcome.
type Client struct {
	cfg         Config
	acceptedKey atomic.Pointer[string] // the key that the lender accepted last
	http        *http.Client
	breakers    breakers
	limiter     *limiter
	downloads   downloadLimit
	stats       callStats
}

// Sealer returns what encrypts payloads: the lender's public key, or, without one, the
// lender's encrypt endpoint.
func (c *Client) Sealer() jwe.Sealer { return c.cfg.Sealer }

// Client implements Sealer with the encrypt endpoint, for installations without the lender's public key.
var _ jwe.Sealer = (*Client)(nil)

// New creates a client without sending anything. Its error is fault.Invalid and joins all
// configuration errors.
func New(cfg Config) (*Client, error) {
	if err := cfg.complete(); err != nil {
		return nil, fault.Wrap(fault.Invalid, "The connection to the lender isn’t configured correctly: "+err.Error(), err)
	}
	c := &Client{
		cfg: cfg, breakers: newBreakers(), limiter: newLimiter(cfg.Rate, cfg.ObserveWait),
		http: &http.Client{
			Transport: cfg.Transport,
			// Return a redirect as the response: following it would send the key to
			// another address, and might turn a PUT into a GET.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	if c.cfg.Sealer == nil {
		c.cfg.Sealer = c
	}
	return c, nil
}

// complete sets the defaults and returns all configuration errors.
func (c *Config) complete() error {
	var faults []error
	if u, err := url.Parse(c.BaseURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		faults = append(faults, errors.New("the base address must be an http or https address"))
	} else if u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		faults = append(faults, errors.New("the base address must have no query, fragment or user"))
	}
	if c.APIKeys == nil {
		faults = append(faults, errors.New("there is no source of API keys"))
	}
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	c.Dialect = cmp.Or(c.Dialect, Documented)
	if c.Dialect != Documented && c.Dialect != Live {
		faults = append(faults, fmt.Errorf("the dialect %q is neither documented nor live", c.Dialect))
	}
	c.ReferenceField = cmp.Or(c.ReferenceField, ReferenceApp)
	if !slices.Contains([]ReferenceField{ReferenceApp, ReferenceID, ReferenceCustomer}, c.ReferenceField) {
		faults = append(faults, fmt.Errorf("there is no reference field %q", c.ReferenceField))
	}
	c.Timeout = cmp.Or(max(c.Timeout, 0), 15*time.Second)
	c.Version = cmp.Or(c.Version, "dev")
	if c.Transport == nil {
		c.Transport = newTransport()
	}
	if c.Observe == nil {
		c.Observe = func(Call) {}
	}
	if c.ObserveWait == nil {
		c.ObserveWait = func(Wait) {}
	}
	return errors.Join(faults...)
}

// Dialect is the dialect that the client writes.
func (c *Client) Dialect() Dialect { return c.cfg.Dialect }

// ReferenceField is the partner id that contains this portal's application number.
func (c *Client) ReferenceField() ReferenceField { return c.cfg.ReferenceField }

// Reference is the operation id of a start that the lender echoes, from the field
// that Config.ReferenceField selects; empty when the lender does not echo it.
func (c *Client) Reference(echo heloc.Integrations) string {
	switch c.cfg.ReferenceField {
	case ReferenceID:
		return echo.ReferenceID
	case ReferenceCustomer:
		return echo.CustomerID
	default:
		return echo.ApplicationID
	}
}
