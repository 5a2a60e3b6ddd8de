package config

import (
	"regexp"
	"strings"
)

// providerName is what can stand in /login/sso/{provider}.
var providerName = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

// minRetentionMonths is how long records of an application must be kept.
const minRetentionMonths = 25

func (j *judge) portal(raw portalSettings) Portal {
	p := Portal{
		Addr:            j.address("PORTAL_ADDR", raw.PortalAddr),
		TLSCertFile:     j.file("PORTAL_TLS_CERT_FILE", raw.PortalTLSCertFile),
		TLSKeyFile:      j.file("PORTAL_TLS_KEY_FILE", raw.PortalTLSKeyFile),
		DatabaseURL:     j.secret("PORTAL_DATABASE_URL", raw.PortalDatabaseURL),
		KeysetFile:      raw.PortalKeysetFile,
		KEKFile:         raw.PortalKEKFile,
		OIDC:            j.oidc(raw),
		SMTPURL:         j.secret("PORTAL_SMTP_URL", raw.PortalSMTPURL),
		TrustedProxies:  j.networks("PORTAL_TRUSTED_PROXIES", raw.PortalTrustedProxies),
		ConsentFile:     j.file("PORTAL_CONSENT_FILE", raw.PortalConsentFile),
		RetentionMonths: j.number("PORTAL_RETENTION_MONTHS", raw.PortalRetentionMonths, minRetentionMonths, 1200),
	}
	if (p.TLSCertFile == "") != (p.TLSKeyFile == "") {
		j.fault("PORTAL_TLS_CERT_FILE", "and PORTAL_TLS_KEY_FILE go together")
	}
	if raw.PortalMetricsAddr != "" {
		p.MetricsAddr = j.address("PORTAL_METRICS_ADDR", raw.PortalMetricsAddr)
	}
	if strings.Contains(p.DatabaseURL.Value(), "://") {
		j.fault("PORTAL_DATABASE_URL", "must be a file path: SQLite is the only supported database")
	}
	if s := p.SMTPURL.Value(); s != "" && !strings.HasPrefix(s, "smtp://") && !strings.HasPrefix(s, "smtps://") {
		j.fault("PORTAL_SMTP_URL", "must begin with smtps:// or smtp://")
	}
	p.LogFormat = j.choice("PORTAL_LOG_FORMAT", j.orDemo(raw.PortalLogFormat, "json", "text"), "json", "text")
	p.MFA = MFA(j.choice("PORTAL_MFA", j.orDemo(raw.PortalMFA, string(MFARequired), string(MFAOptional)), string(MFARequired), string(MFAOptional)))
	j.reach(&p, raw.PortalBaseURL)
	return p
}

// orDemo gives the text, or else the default, which differs in the demo.
func (j *judge) orDemo(text, otherwise, demo string) string {
	switch {
	case text != "":
		return text
	case j.runs("demo"):
		return demo
	default:
		return otherwise
	}
}

// reach settles the base URL and refuses what would carry passwords in the clear
// or let them stand alone: plain http and optional second factors are for
// this machine only.
func (j *judge) reach(p *Portal, baseURL string) {
	if baseURL == "" && p.Addr != "" {
		scheme := "http://"
		if p.TLSCertFile != "" {
			scheme = "https://"
		}
		baseURL = scheme + p.Addr
	}
	if p.Addr == "" && baseURL == "" {
		return
	}
	if strings.HasPrefix(baseURL, "http://") && p.Addr != "" && !loopbackAddr(p.Addr) {
		j.fault("PORTAL_ADDR", "is %s, which others can reach, by plain http; give PORTAL_TLS_CERT_FILE and PORTAL_TLS_KEY_FILE, "+
			"or an https PORTAL_BASE_URL when a proxy speaks TLS, or listen on localhost", p.Addr)
		return
	}
	if p.BaseURL = j.link("PORTAL_BASE_URL", baseURL); p.BaseURL == nil {
		return
	}
	if p.BaseURL.Path != "" {
		j.fault("PORTAL_BASE_URL", "must not have a path")
	}
	local := loopbackAddr(p.Addr) && loopback(p.BaseURL.Hostname())
	if j.runs("demo") && !local {
		j.fault("PORTAL_ADDR", "or PORTAL_BASE_URL is one that others can reach (%s, %s): a demo shows its passwords and its mails to everybody, so it stays on this machine", p.Addr, p.BaseURL)
	}
	if p.MFA == MFAOptional && j.runs("serve") && !local {
		j.fault("PORTAL_MFA", "is optional, which only a portal on localhost may be")
	}
}

func (j *judge) oidc(raw portalSettings) OIDC {
	o := OIDC{Name: raw.PortalOIDCName, Strong: list(raw.PortalOIDCMFA), ClientID: raw.PortalOIDCClientID, ClientSecret: j.secret("PORTAL_OIDC_CLIENT_SECRET", raw.PortalOIDCSecret)}
	if raw.PortalOIDCIssuer == "" {
		if o.ClientID != "" || o.ClientSecret.Set() {
			j.fault("PORTAL_OIDC_ISSUER", "is missing beside the other PORTAL_OIDC settings")
		}
		return o
	}
	if !providerName.MatchString(o.Name) {
		j.fault("PORTAL_OIDC_NAME", "is %q; it stands in addresses and must be small letters, digits and dashes", o.Name)
	}
	o.Issuer = j.link("PORTAL_OIDC_ISSUER", raw.PortalOIDCIssuer)
	if o.Issuer != nil && strings.HasSuffix(raw.PortalOIDCIssuer, "/") {
		o.Issuer.Path += "/" // an issuer is compared letter by letter
	}
	if o.ClientID == "" {
		j.fault("PORTAL_OIDC_CLIENT_ID", "is missing beside PORTAL_OIDC_ISSUER")
	}
	return o
}
