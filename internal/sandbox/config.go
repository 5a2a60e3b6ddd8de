package sandbox

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"time"

	"hearthline/internal/heloc"
)

// Dialect is the form of the interface that the sandbox implements (interface-live.md).
type Dialect string

// The dialects. The empty dialect means Documented.
const (
	Documented Dialect = "documented"
	Live       Dialect = "live"
)

// DefaultProcessing is the usual value of Config.Processing.
const DefaultProcessing = 1500 * time.Millisecond

// DefaultDrawYears is the usual draw period of variable lines in years, by the term in months (interface-live.md
// section 6).
func DefaultDrawYears() map[int]int { return map[int]int{60: 2, 120: 3, 180: 4, 360: 5} }

// Config configures a sandbox. Only Dir is required.
type Config struct {
	Dir        string        // where the state and the keys are stored; every file name begins with "sandbox"
	Dialect    Dialect       // empty means Documented
	Processing time.Duration // not defaulted: zero finishes processing before the request returns
	APIKey     string        // the key that partners must send; empty means DefaultAPIKey
	WebhookURL string        // empty sends no webhooks
	FeeMethod  string        // "added" to the draw or "deducted" from it; empty means added
	DrawYears  map[int]int   // draw period of variable lines in years, by the term in months; nil means DefaultDrawYears

	PrivateKeyFile   string // PEM; if empty, a key is created and stored as sandbox-key.pem in Dir
	PartnerPublicKey []byte // PEM; if set, webhooks and, on request, responses are encrypted for it
	ApplyURL         string // the borrower-facing site; empty means DefaultApplyURL
	AffiliateID      string // if set, pre-qualification rejects every other affiliate
	BigDocument      int64  // bytes of the document that the trigger Huge adds; zero means 256 MiB

	Now            func() time.Time  // the clock; nil means time.Now
	Transport      http.RoundTripper // sends webhooks; nil means the default transport
	WebhookBackoff time.Duration     // the first delay between webhook attempts; zero means 500 ms
	Log            *slog.Logger      // nil discards
}

// Defaults of the configuration.
const (
	DefaultAPIKey      = "sandbox-partner-key"
	DefaultApplyURL    = "https://apply.sandbox.test"
	defaultBigDocument = 256 << 20
	defaultBackoff     = 500 * time.Millisecond
)

func withDefaults(cfg Config) (Config, error) {
	var faults []error
	if cfg.Dir == "" {
		faults = append(faults, errors.New("sandbox: no directory for the state"))
	}
	switch cfg.Dialect {
	case "":
		cfg.Dialect = Documented
	case Documented, Live:
	default:
		faults = append(faults, fmt.Errorf("sandbox: dialect %q is neither documented nor live", cfg.Dialect))
	}
	if cfg.WebhookURL != "" {
		if u, err := url.Parse(cfg.WebhookURL); err != nil || u.Host == "" {
			// The URL contains a secret in its path, so the error does not repeat it.
			faults = append(faults, errors.New("sandbox: the webhook URL is not an absolute address"))
		}
	}
	switch cfg.FeeMethod {
	case "", string(heloc.FeeAdded), string(heloc.FeeDeducted):
	default:
		faults = append(faults, fmt.Errorf("sandbox: fee method %q is neither added nor deducted", cfg.FeeMethod))
	}
	if cfg.DrawYears == nil {
		cfg.DrawYears = DefaultDrawYears()
	}
	if cfg.APIKey == "" {
		cfg.APIKey = DefaultAPIKey
	}
	if cfg.ApplyURL == "" {
		cfg.ApplyURL = DefaultApplyURL
	}
	if cfg.BigDocument <= 0 {
		cfg.BigDocument = defaultBigDocument
	}
	if cfg.WebhookBackoff <= 0 {
		cfg.WebhookBackoff = defaultBackoff
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if len(faults) == 0 {
		if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
			faults = append(faults, err)
		}
	}
	return cfg, errors.Join(faults...)
}
