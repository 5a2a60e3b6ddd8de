// Package partner is the typed client of the lender's interface: one method per
// endpoint, one road for every request. It reads both spellings of the interface
// (interface.md and interface-live.md) into the same values of heloc, with no
// setting, and writes what both accept; where they conflict Config.Dialect decides.
//
//	client.go       Config and Client; result.go, what comes back
//	start.go, details.go, resolve_step.go, offer.go, property.go, lead.go, document.go,
//	prequalify.go, originator.go, encrypt.go: the endpoints, each with its "heloc:" line
//	call.go           the road: tries, breaker; attempt.go, one try; receive.go, its answer
//	resource.go     whether an answer holds what it was asked for
//	write.go        the road of a write; payload.go, request blocks; ssn.go, where an SSN is
//	failure.go      what went wrong and whether it reached the lender; error_cause.go, why;
//	messages.go, how it is said
//	retry.go, breaker.go, user_rate.go, transport.go, wiping_body.go, idle_timeout.go: limits
//	tree.go, dialect.go, decode.go: from JSON of either dialect to heloc
//	endpoint.go     every endpoint, as a table; stats.go, what each was asked
//	webhook.go         the application a webhook speaks of
//
// A write is sent once, ever. Demographics are skipped while the JSON is read and
// reach nothing. Keys, bodies and borrowers' data are in no error.
package partner

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/jwe"
)

// Dialect says which of two forms is written where no form pleases both.
type Dialect string

// The dialects: interface.md to the letter, and the service of interface-live.md.
const (
	Documented Dialect = "documented"
	Live       Dialect = "live"
)

// ReferenceField names the partner's id that carries a start's operation id.
type ReferenceField string

// The ids of partnerDataRequest (section 2.2).
const (
	ReferenceApp      ReferenceField = "externalAppId"
	ReferenceID       ReferenceField = "externalReferenceId"
	ReferenceCustomer ReferenceField = "externalCustomerId"
)

// Config is what a Client needs; only BaseURL and APIKeys have no default.
type Config struct {
	// BaseURL is {base_url} of the interface, http or https, without a query.
	BaseURL string
	// APIKeys gives the keys in the order to try them: the current one, then the
	// next, which is tried after a 401. Asked before every request, so that a
	// rotated file takes effect at once.
	APIKeys func() []string
	// Sealer encrypts payloads; nil asks the lender's encrypt endpoint (4.22).
	Sealer jwe.Sealer
	// Opener opens encrypted responses and webhooks. With one, details are asked
	// for encrypted; without one, an encrypted body is unreadable.
	Opener *jwe.Opener
	// Dialect is Documented unless set.
	Dialect Dialect
	// ReferenceField is ReferenceApp unless set.
	ReferenceField ReferenceField
	// Timeout bounds one call with all its tries; 15 s unless set.
	Timeout time.Duration
	// Idle bounds the wait for the next byte of a download; 15 s unless set.
	Idle time.Duration
	// Rate is how many requests a second may leave, with bursts of as many: the key is
	// shared by everybody, and one person's hundred leads must not starve the rest.
	// Zero does not limit.
	Rate int
	// UserRate is each person's share of it, for those whom WithUser names. Zero does
	// not limit.
	UserRate int
	// Transport carries the requests; nil makes one with limits. Another one must
	// report to net/http/httptrace, or errors read as if nothing had been sent,
	// and must not resend by itself.
	Transport http.RoundTripper
	// Version ends the User-Agent, "Hearthline/<version>".
	Version string
	// Observe is told of every try, for metrics. It must not block.
	Observe func(Call)
}

// Call is one try of one request, without anything that was said in it.
type Call struct {
	Endpoint string // the interface's own word, such as "select-offer"
	Method   string
	Status   int // 0 when no answer came
	Duration time.Duration
	At       time.Time
}

// Client speaks to the lender. It is safe for use by many goroutines.
//
// The context of a write should not end with the browser's request: a write that is
// cancelled half-way is one whose outcome nobody knows.
type Client struct {
	base        string
	keys        func() []string
	acceptedKey atomic.Pointer[string] // the key that the lender took last
	sealer      jwe.Sealer
	opener      *jwe.Opener
	dialect     Dialect
	reference   ReferenceField
	timeout     time.Duration
	idle        time.Duration
	agent       string
	http        *http.Client
	breakers    breakers
	rate        *rate.Limiter
	userLimits  userLimits
	observe     func(Call)
	stats       callStats
}

// Sealer is what payloads are encrypted with here: the lender's public key, or without
// one the lender's encrypt endpoint.
func (c *Client) Sealer() jwe.Sealer { return c.sealer }

// Client is the Sealer of those who cannot encrypt themselves.
var _ jwe.Sealer = (*Client)(nil)

// New makes a client and sends nothing. The error is fault.Invalid and joins all
// that is wrong with the configuration.
func New(cfg Config) (*Client, error) {
	if err := cfg.complete(); err != nil {
		return nil, fault.Wrap(fault.Invalid, "The lender's interface is not configured rightly: "+err.Error(), err)
	}
	c := &Client{
		base: strings.TrimRight(cfg.BaseURL, "/"), keys: cfg.APIKeys, sealer: cfg.Sealer, opener: cfg.Opener,
		dialect: cfg.Dialect, reference: cfg.ReferenceField, timeout: cfg.Timeout, idle: cfg.Idle,
		agent: "Hearthline/" + cfg.Version, breakers: newBreakers(), rate: limiter(cfg.Rate), userLimits: userLimits{perSecond: cfg.UserRate}, observe: cfg.Observe,
		http: &http.Client{
			Transport: cfg.Transport,
			// A redirect is handed back as the answer: followed, it would carry the
			// key to wherever it points, and might turn a PUT into a GET.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	if c.sealer == nil {
		c.sealer = c
	}
	return c, nil
}

func limiter(perSecond int) *rate.Limiter {
	if perSecond <= 0 {
		return rate.NewLimiter(rate.Inf, 0)
	}
	return rate.NewLimiter(rate.Limit(perSecond), perSecond)
}

// complete fills the defaults and reports every fault at once.
func (cfg *Config) complete() error {
	var faults []error
	if u, err := url.Parse(cfg.BaseURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		faults = append(faults, errors.New("the base address must be an http or https address"))
	} else if u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		faults = append(faults, errors.New("the base address must have no query, fragment or user"))
	}
	if cfg.APIKeys == nil {
		faults = append(faults, errors.New("there is no source of API keys"))
	}
	if cfg.Dialect == "" {
		cfg.Dialect = Documented
	}
	if cfg.Dialect != Documented && cfg.Dialect != Live {
		faults = append(faults, fmt.Errorf("the dialect %q is neither documented nor live", cfg.Dialect))
	}
	switch cfg.ReferenceField {
	case "":
		cfg.ReferenceField = ReferenceApp
	case ReferenceApp, ReferenceID, ReferenceCustomer:
	default:
		faults = append(faults, fmt.Errorf("there is no reference field %q", cfg.ReferenceField))
	}
	const patience = 15 * time.Second
	if cfg.Timeout <= 0 {
		cfg.Timeout = patience
	}
	if cfg.Idle <= 0 {
		cfg.Idle = patience
	}
	if cfg.Version == "" {
		cfg.Version = "dev"
	}
	if cfg.Transport == nil {
		cfg.Transport = newTransport()
	}
	if cfg.Observe == nil {
		cfg.Observe = func(Call) {}
	}
	return errors.Join(faults...)
}

// Dialect says which form is written.
func (c *Client) Dialect() Dialect { return c.dialect }

// ReferenceField is the id that carries this portal's application number.
func (c *Client) ReferenceField() ReferenceField { return c.reference }

// Reference is the operation id that the lender echoes of a start, from the field
// that Config.ReferenceField chose; empty when it does not echo.
func (c *Client) Reference(echo heloc.Integrations) string {
	switch c.reference {
	case ReferenceID:
		return echo.ReferenceID
	case ReferenceCustomer:
		return echo.CustomerID
	default:
		return echo.ApplicationID
	}
}
