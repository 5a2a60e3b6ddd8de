package config

import (
	"cmp"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"
)

// providerNamePattern matches a valid {provider} in /login/sso/{provider}.
var providerNamePattern = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

// minRetentionMonths is how long the law requires an application's records to be retained.
const minRetentionMonths = 25

func (v *validator) portal(raw portalSettings) Portal {
	p := Portal{
		Addr:            v.address("PORTAL_ADDR", raw.PortalAddr),
		TLSCertFile:     v.file("PORTAL_TLS_CERT_FILE", raw.PortalTLSCertFile),
		TLSKeyFile:      v.file("PORTAL_TLS_KEY_FILE", raw.PortalTLSKeyFile),
		DatabaseURL:     v.secret("PORTAL_DATABASE_URL", raw.PortalDatabaseURL),
		KeysetFile:      raw.PortalKeysetFile,
		KEK:             KEK{File: raw.PortalKEKFile},
		OIDC:            v.oidc(raw),
		SMTPURL:         v.secret("PORTAL_SMTP_URL", raw.PortalSMTPURL),
		PushKeyFile:     v.file("PORTAL_PUSH_KEY_FILE", raw.PortalPushKeyFile),
		AuditHeads:      v.secret("PORTAL_AUDIT_HEADS", raw.PortalAuditHeads),
		TrustedProxies:  v.networks("PORTAL_TRUSTED_PROXIES", raw.PortalTrustedProxies),
		ConsentFile:     v.file("PORTAL_CONSENT_FILE", raw.PortalConsentFile),
		RetentionMonths: v.number("PORTAL_RETENTION_MONTHS", raw.PortalRetentionMonths, minRetentionMonths, 1200),
		JournalFile:     raw.PortalJournalFile,
		MinFree:         v.size("PORTAL_MIN_FREE", raw.PortalMinFree),
		CompanyExports:  v.number("PORTAL_COMPANY_EXPORTS", raw.PortalCompanyExports, 0, 1_000_000),
		CompanyReveals:  v.number("PORTAL_COMPANY_REVEALS", raw.PortalCompanyReveals, 0, 1_000_000),
	}
	if raw.PortalPKCS11Key != "" {
		p.KEK = v.tokenKEK("PORTAL_PKCS11_KEY", raw.PortalPKCS11Key, raw)
	} else if raw.PortalPKCS11Module != "" && !v.isCommand("keys rewrap") { // where only the old key may be in a token
		v.addError("PORTAL_PKCS11_KEY", "is required with PORTAL_PKCS11_MODULE")
	}
	if (p.TLSCertFile == "") != (p.TLSKeyFile == "") {
		v.addError("PORTAL_TLS_CERT_FILE", "and PORTAL_TLS_KEY_FILE go together")
	}
	if raw.PortalMetricsAddr != "" {
		p.MetricsAddr = v.address("PORTAL_METRICS_ADDR", raw.PortalMetricsAddr)
	}
	v.databaseAddress("PORTAL_DATABASE_URL", p.DatabaseURL)
	v.auditHeads("PORTAL_AUDIT_HEADS", p.AuditHeads.Value())
	if s := p.SMTPURL.Value(); s != "" && !strings.HasPrefix(s, "smtp://") && !strings.HasPrefix(s, "smtps://") {
		v.addError("PORTAL_SMTP_URL", "must begin with smtps:// or smtp://")
	}
	p.LogFormat = v.choice("PORTAL_LOG_FORMAT", v.defaultFor(raw.PortalLogFormat, "json", "text"), "json", "text")
	p.MFA = MFA(v.choice("PORTAL_MFA", v.defaultFor(raw.PortalMFA, string(MFARequired), string(MFAOptional)),
		string(MFARequired), string(MFAOptional)))
	v.checkExposure(&p, raw.PortalBaseURL)
	return p
}

// oldKEK parses the --from flag of keys rewrap.
func (v *validator) oldKEK(from string, raw portalSettings) KEK {
	if strings.HasPrefix(from, tokenScheme) {
		return v.tokenKEK("--from", from, raw)
	}
	return KEK{File: from}
}

// tokenScheme begins the address of a key in a token, a PKCS#11 URI (RFC 7512).
const tokenScheme = "pkcs11:"

// tokenKEK parses the address of a key in a token: the labels of both.
func (v *validator) tokenKEK(name, address string, raw portalSettings) KEK {
	k := KEK{Module: v.file("PORTAL_PKCS11_MODULE", raw.PortalPKCS11Module),
		PIN: v.secret("PORTAL_PKCS11_PIN", raw.PortalPKCS11PIN)}
	token, object, _ := strings.Cut(strings.TrimPrefix(address, tokenScheme+"token="), ";object=")
	var tokenErr, objectErr error
	k.Token, tokenErr = url.PathUnescape(token)
	k.Object, objectErr = url.PathUnescape(object)
	if tokenErr != nil || objectErr != nil || k.Token == "" || k.Object == "" ||
		!strings.HasPrefix(address, tokenScheme+"token=") || strings.ContainsAny(token+object, ";?") {
		// The address is not quoted, because a PKCS#11 URI may contain the PIN.
		v.addError(name, "must be pkcs11:token=LABEL;object=LABEL, without other attributes")
	}
	if k.Module == "" {
		v.addError("PORTAL_PKCS11_MODULE", "is missing beside %s", name)
	}
	if !k.PIN.Set() {
		v.addError("PORTAL_PKCS11_PIN", "or PORTAL_PKCS11_PIN_FILE is required with %s", name)
	}
	return k
}

// databaseAddress checks an address without quoting it, because it may contain a password.
func (v *validator) databaseAddress(name string, address Secret) {
	if scheme, _, isURL := strings.Cut(address.Value(), "://"); isURL && scheme != "postgres" && scheme != "postgresql" {
		v.addError(name, "must be the path of an SQLite file or a URL that begins with postgres://")
	}
}

// auditHeads checks a destination without quoting it, because it may contain a token.
func (v *validator) auditHeads(name, destination string) {
	u, err := url.Parse(destination)
	if err == nil && (destination == "" || u.Scheme == "file" && u.Host == "" && strings.HasPrefix(u.Path, "/") ||
		u.Scheme == "syslog" && u.Host+u.Path+u.Opaque == "" ||
		(u.Scheme == "https" || u.Scheme == "https+private") && u.Host != "" && u.User == nil) {
		return
	}
	v.addError(name, "must be file:///path, syslog:, https://host/path or https+private://host/path")
}

// migrateTo returns the database that migrate copies into. It may contain a password, although its help warns of that.
func (v *validator) migrateTo(flag *string) Secret {
	if flag == nil {
		return Secret{}
	}
	to := NewSecret(strings.TrimSpace(*flag))
	if !to.Set() {
		v.addError("--to", "is empty; give an address, or omit it")
	}
	v.databaseAddress("--to", to)
	return to
}

// defaultFor returns text or, if it is empty, the default, which differs in the demo.
func (v *validator) defaultFor(text, otherwise, demo string) string {
	switch {
	case text != "":
		return text
	case v.isCommand("demo"):
		return demo
	default:
		return otherwise
	}
}

// checkExposure sets the base URL. It allows plain http and an optional second factor on loopback only, because
// elsewhere they would send passwords unencrypted or make them the only factor.
func (v *validator) checkExposure(p *Portal, baseURL string) {
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
	if strings.HasPrefix(baseURL, "http://") && p.Addr != "" && !isLoopbackAddr(p.Addr) {
		v.addError("PORTAL_ADDR",
			"is %s, which others can reach, by plain http; give PORTAL_TLS_CERT_FILE and PORTAL_TLS_KEY_FILE, "+
				"or an https PORTAL_BASE_URL when a proxy speaks TLS, or listen on localhost", p.Addr)
		return
	}
	if p.BaseURL = v.httpURL("PORTAL_BASE_URL", baseURL); p.BaseURL == nil {
		return
	}
	if p.BaseURL.Path != "" {
		v.addError("PORTAL_BASE_URL", "must not have a path")
	}
	if v.isCommand("demo") && !p.Local() {
		v.addError("PORTAL_ADDR", "or PORTAL_BASE_URL is one that others can reach (%s, %s): "+
			"a demo shows its passwords and emails to everyone, so it must stay on this machine", p.Addr, p.BaseURL)
	}
	if p.MFA == MFAOptional && v.isCommand("serve") && !p.Local() {
		v.addError("PORTAL_MFA", "is optional, which only a portal on localhost may be")
	}
}

func (v *validator) oidc(raw portalSettings) OIDC {
	o := OIDC{Name: raw.PortalOIDCName, MFAValues: splitList(raw.PortalOIDCMFA), ClientID: raw.PortalOIDCClientID,
		ClientSecret: v.secret("PORTAL_OIDC_CLIENT_SECRET", raw.PortalOIDCSecret)}
	if raw.PortalOIDCIssuer == "" {
		if o.ClientID != "" || o.ClientSecret.Set() {
			v.addError("PORTAL_OIDC_ISSUER", "is missing beside the other PORTAL_OIDC settings")
		}
		return o
	}
	if !providerNamePattern.MatchString(o.Name) {
		v.addError("PORTAL_OIDC_NAME", "is %q; it is part of URLs and must be lowercase letters, digits and dashes", o.Name)
	}
	o.Issuer = v.httpURL("PORTAL_OIDC_ISSUER", raw.PortalOIDCIssuer)
	if o.Issuer != nil && strings.HasSuffix(raw.PortalOIDCIssuer, "/") {
		o.Issuer.Path += "/" // an issuer is compared letter by letter
	}
	if o.ClientID == "" {
		v.addError("PORTAL_OIDC_CLIENT_ID", "is missing beside PORTAL_OIDC_ISSUER")
	}
	return o
}

// tracing reports whether OpenTelemetry's variables ask for traces. A collector may be reached by plain http, because
// traces contain nothing about people.
func (v *validator) tracing() bool {
	asked := false
	for _, name := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"} {
		value := strings.TrimSpace(os.Getenv(name))
		if value == "" {
			continue
		}
		asked = true
		// The value is not quoted, because it may contain a password.
		if u, err := url.Parse(value); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			v.addError(name, "is not an http or https address, such as http://localhost:4318")
		}
	}
	return asked && !strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") &&
		os.Getenv("OTEL_TRACES_EXPORTER") != "none"
}

// minTokenLen is the minimum length of a webhook token: 16 random bytes in hex.
const minTokenLen = 32

func (v *validator) partner(raw partnerSettings, sandbox Sandbox) Partner {
	p := Partner{
		PublicKeyFile:  v.file("PARTNER_PUBLIC_KEY_FILE", raw.PartnerPublicKeyFile),
		PrivateKeyFile: v.file("PARTNER_PRIVATE_KEY_FILE", raw.PartnerPrivateKeyFile),
		APIKey:         v.secret("PARTNER_API_KEY", raw.PartnerAPIKey),
		APIKeyNext:     v.secret("PARTNER_API_KEY_NEXT", raw.PartnerAPIKeyNext),
		WebhookTokens:  v.secret("PARTNER_WEBHOOK_TOKENS", raw.PartnerWebhookTokens),
		Dialect:        v.dialect("PARTNER_DIALECT", raw.PartnerDialect),
		AffiliateID:    raw.PartnerAffiliateID,
		Prequalify:     v.choice("PARTNER_PREQUALIFY", raw.PartnerPrequalify, "v2", "v1", "off"),
		Timeout:        v.duration("PARTNER_TIMEOUT", raw.PartnerTimeout, time.Second, 5*time.Minute),
		Rate:           v.number("PARTNER_RATE", raw.PartnerRate, 1, 10_000),
		ReferenceField: v.choice("PARTNER_REFERENCE_FIELD", raw.PartnerReferenceField,
			"externalAppId", "externalReferenceId", "externalCustomerId"),
		TestVariants: splitList(raw.PartnerTestVariants),
		FeeMethod:    v.choice("PARTNER_FEE_METHOD", raw.PartnerFeeMethod, "added", "deducted"),
		TermUnit:     v.choice("PARTNER_TERM_UNIT", raw.PartnerTermUnit, "months", "years"),
		Variable:     v.choice("PARTNER_VARIABLE_PAYMENT", raw.PartnerVariable, "interest-only", "amortizing"),
	}
	if raw.PartnerApplyURL != "" {
		p.ApplyURL = v.httpURL("PARTNER_APPLY_URL", raw.PartnerApplyURL)
	}
	if raw.PartnerBaseURL != "" {
		p.BaseURL = v.httpURL("PARTNER_BASE_URL", raw.PartnerBaseURL)
	}
	if !v.isCommand("demo") {
		p.DrawYears = v.drawYears("PARTNER_DRAW_YEARS", raw.PartnerDrawYears)
	}
	v.tokens(p.WebhookTokens.Values())
	switch {
	case v.isCommand("demo"):
		if raw.PartnerBaseURL == "" {
			p.BaseURL = &url.URL{Scheme: "http", Host: sandbox.Addr}
		}
		if !p.APIKey.Set() {
			p.APIKey = sandbox.APIKey
		}
		p.DrawYears = sandbox.DrawYears
	case v.isCommand("serve", "doctor"):
		if raw.PartnerBaseURL == "" {
			v.addError("PARTNER_BASE_URL", "is missing")
		}
		if !p.APIKey.Set() {
			v.addError("PARTNER_API_KEY", "is missing; give it, or PARTNER_API_KEY_FILE")
		}
	}
	return p
}

// tokens validates the webhook tokens without quoting any of them.
func (v *validator) tokens(tokens []string) {
	if len(tokens) > 2 {
		v.addError("PARTNER_WEBHOOK_TOKENS", "holds %d tokens; at most two are live at once", len(tokens))
	}
	for i, token := range tokens {
		if len(token) < minTokenLen || url.PathEscape(token) != token {
			v.addError("PARTNER_WEBHOOK_TOKENS", "has a token (number %d) that is not %d or more letters and digits",
				i+1, minTokenLen)
		}
	}
}

func (v *validator) dialect(name, value string) Dialect {
	return Dialect(v.choice(name, value, string(Documented), string(Live)))
}

// defaultDrawYears is the draw period of the sandbox's variable lines (interface-live.md section 6).
const defaultDrawYears = "60:2,120:3,180:4,360:5"

// sandbox validates the settings of the simulated lender. In the demo, where the portal is in the same process, the
// sandbox follows the portal's settings unless it has its own.
func (v *validator) sandbox(raw sandboxSettings, portal partnerSettings) Sandbox {
	if !v.isCommand("demo") {
		portal = partnerSettings{}
	}
	dialect := cmp.Or(raw.SandboxDialect, portal.PartnerDialect, string(Documented))
	feeMethod := cmp.Or(raw.SandboxFeeMethod, portal.PartnerFeeMethod, "added")
	drawYears := cmp.Or(portal.PartnerDrawYears, defaultDrawYears)
	s := Sandbox{
		Addr:           v.address("SANDBOX_ADDR", raw.SandboxAddr),
		Data:           raw.SandboxData,
		Dialect:        v.dialect("SANDBOX_DIALECT", dialect),
		Processing:     v.duration("SANDBOX_PROCESSING", raw.SandboxProcessing, 0, time.Hour),
		APIKey:         v.secret("SANDBOX_API_KEY", raw.SandboxAPIKey),
		PrivateKeyFile: v.file("SANDBOX_PRIVATE_KEY_FILE", raw.SandboxPrivateKeyFile),
		FeeMethod:      v.choice("SANDBOX_FEE_METHOD", feeMethod, "added", "deducted"),
		DrawYears:      v.drawYears("PARTNER_DRAW_YEARS", drawYears),
	}
	if raw.SandboxWebhookURL != "" {
		s.WebhookURL = v.httpURL("SANDBOX_WEBHOOK_URL", raw.SandboxWebhookURL)
	}
	if s.Addr != "" && !isLoopbackAddr(s.Addr) && v.isCommand("demo", "sandbox") {
		v.addError("SANDBOX_ADDR",
			"is %s, which others can reach; the sandbox speaks plain http and listens on localhost only", s.Addr)
	}
	return s
}
