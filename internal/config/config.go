// Package config turns flags and environment variables into values that the program can use, and reports all errors
// at once.
//
//	command.go    the command lines of portal and sandbox, as kong reads them
//	settings.go   every setting as text, with its default and meaning: the table in SETTINGS.md
//	validate.go   parses texts and collects errors
//	validate_settings.go   the rules of each group of settings
//	secret.go     secrets, also from files that may change
//
// This package opens no database and no port.
package config

import (
	"net/netip"
	"net/url"
	"time"
)

// Config is the complete configuration of the program.
type Config struct {
	Data    string // folder of the demo, and of files without a configured path
	Portal  Portal
	Partner Partner
	Sandbox Sandbox
	Tracing bool // whether traces are sent, to the collector that the OTEL_ variables name
}

// Portal configures the portal itself.
type Portal struct {
	Addr            string
	BaseURL         *url.URL // without a trailing slash
	TLSCertFile     string   // set both or neither
	TLSKeyFile      string
	DatabaseURL     Secret // a path, or a URL with a password in it
	KeysetFile      string
	KEK             KEK
	MFA             MFA
	OIDC            OIDC
	SMTPURL         Secret
	PushKeyFile     string // empty: no notifications in browsers, or in the demo a generated key
	AuditHeads      Secret // a URL: file, syslog, https or https+private
	MetricsAddr     string
	TrustedProxies  []netip.Prefix
	LogFormat       string // json or text
	ConsentFile     string
	RetentionMonths int
	JournalFile     string
	MinFree         uint64 // bytes
	CompanyExports  int    // an hour; 0 for no limit
	CompanyReveals  int
	DemoPassword    string // of every demo user; demo only
}

// Local reports whether the portal can be reached from this machine only.
func (p Portal) Local() bool {
	return isLoopbackAddr(p.Addr) && p.BaseURL != nil && IsLoopback(p.BaseURL.Hostname())
}

// KEK is where the key-encryption key is: in a file or, if Token is set, in a PKCS#11 token.
type KEK struct {
	File          string
	Module        string // the library of the token's vendor
	Token, Object string // the labels of the token and of the key
	PIN           Secret
}

// MFA says whether every user needs a second factor.
type MFA string

// The values of PORTAL_MFA.
const (
	MFARequired MFA = "required"
	MFAOptional MFA = "optional"
)

// OIDC configures the organization's single sign-on; there is none when Issuer is nil.
type OIDC struct {
	Name         string
	Issuer       *url.URL
	ClientID     string
	ClientSecret Secret
	MFAValues    []string // values of amr or acr that mean two factors
}

// Dialect is the variant of the lender's interface.
type Dialect string

// The values of PARTNER_DIALECT and SANDBOX_DIALECT.
const (
	Documented Dialect = "documented"
	Live       Dialect = "live"
)

// Partner configures the connection to the lender.
type Partner struct {
	BaseURL        *url.URL
	APIKey         Secret
	APIKeyNext     Secret
	PublicKeyFile  string
	PrivateKeyFile string
	Dialect        Dialect
	ApplyURL       *url.URL // nil when unknown
	AffiliateID    string
	Prequalify     string // v2, v1 or off
	WebhookTokens  Secret // read it with Values
	Timeout        time.Duration
	Rate           int    // calls per second
	ReferenceField string // externalAppId, externalReferenceId or externalCustomerId
	TestVariants   []string
	FeeMethod      string      // added or deducted
	TermUnit       string      // months or years
	Variable       string      // interest-only or amortizing: the payment of a variable offer during the draw period
	DrawYears      map[int]int // the draw period in years by the term in months; empty if unknown
}

// Sandbox configures the simulated lender.
type Sandbox struct {
	Addr           string
	Data           string // folder
	Dialect        Dialect
	Processing     time.Duration
	APIKey         Secret
	WebhookURL     *url.URL    // nil: no webhooks, or in the demo the portal's own URL
	PrivateKeyFile string      // empty: generated in Data
	FeeMethod      string      // added or deducted
	DrawYears      map[int]int // the draw period of variable lines in years, by the term in months
}
