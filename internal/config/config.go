// Package config turns flags and environment into values the program can use,
// and says everything that is wrong with them at once.
//
//	command.go    the command lines of portal and sandbox, as kong reads them
//	settings.go   every setting as text, with its default and meaning: the table in SETTINGS.md
//	validate.go      texts read as values, faults collected
//	validate_portal.go, validate_partner.go, validate_sandbox.go    what the values are
//	secret.go     secrets, also from files that may change
//
// Nothing here opens a database or a port.
package config

import (
	"net/netip"
	"net/url"
	"time"
)

// Config is everything the program is told.
type Config struct {
	Data    string // folder of the demo, and of what has no place of its own
	Portal  Portal
	Partner Partner
	Sandbox Sandbox
}

// Portal is how the portal itself runs.
type Portal struct {
	Addr            string
	BaseURL         *url.URL // without a slash at its end
	TLSCertFile     string   // both or neither
	TLSKeyFile      string
	DatabaseURL     Secret // a path, or an address with a password in it
	KeysetFile      string
	KEKFile         string
	MFA             MFA
	OIDC            OIDC
	SMTPURL         Secret
	MetricsAddr     string
	TrustedProxies  []netip.Prefix
	LogFormat       string // json or text
	ConsentFile     string
	RetentionMonths int
	DemoPassword    string // of every demo person; demo only
}

// MFA says whether a second factor is asked of everyone.
type MFA string

// The values of PORTAL_MFA.
const (
	MFARequired MFA = "required"
	MFAOptional MFA = "optional"
)

// OIDC is the organization's single sign-on; none when Issuer is nil.
type OIDC struct {
	Name         string
	Issuer       *url.URL
	ClientID     string
	ClientSecret Secret
	MFAValues    []string // values of amr or acr that say that two factors were seen
}

// Dialect is how the lender's interface is spelled.
type Dialect string

// The values of PARTNER_DIALECT and SANDBOX_DIALECT.
const (
	Documented Dialect = "documented"
	Live       Dialect = "live"
)

// Partner is the way to the lender.
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
	WebhookTokens  Secret // read with Values
	Timeout        time.Duration
	Rate           int    // calls a second
	ReferenceField string // externalAppId, externalReferenceId or externalCustomerId
	TestVariants   []string
	FeeMethod      string // added or deducted
	TermUnit       string // months or years
}

// Sandbox is the simulated lender.
type Sandbox struct {
	Addr           string
	Data           string // folder
	Dialect        Dialect
	Processing     time.Duration
	APIKey         Secret
	WebhookURL     *url.URL // nil: none, or in the demo the portal's own
	PrivateKeyFile string   // empty: made in Data
}
