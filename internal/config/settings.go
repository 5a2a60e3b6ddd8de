package config

import "reflect"

// Setting is one row of the table in SETTINGS.md.
type Setting struct {
	Name    string // the environment variable
	Default string // the value when the variable is unset, or a description if it depends on another setting
	Meaning string
	Secret  bool // can also be read from the file that NAME_FILE names; never a flag
}

// settings holds every setting as text, as kong reads it from flags and environment.
type settings struct {
	Portal  portalSettings  `embed:""`
	Partner partnerSettings `embed:""`
	Sandbox sandboxSettings `embed:""`
	Tracing tracingSettings `embed:""`
}

// The tags: env names the setting, default is its literal default, derived describes a default that depends on other
// settings, and secret marks one that must not appear on a command line.
type portalSettings struct {
	PortalAddr            string `env:"PORTAL_ADDR" default:"localhost:8080" group:"Portal" help:"address to listen on"`
	PortalBaseURL         string `env:"PORTAL_BASE_URL" derived:"http or https and PORTAL_ADDR" group:"Portal" help:"public address of the portal; https unless it is loopback"`
	PortalTLSCertFile     string `env:"PORTAL_TLS_CERT_FILE" name:"portal-tls-cert-file" group:"Portal" help:"certificate chain (PEM) when the portal itself serves TLS"`
	PortalTLSKeyFile      string `env:"PORTAL_TLS_KEY_FILE" name:"portal-tls-key-file" group:"Portal" help:"private key of the certificate (PEM)"`
	PortalDatabaseURL     string `env:"PORTAL_DATABASE_URL" kong:"-" secret:"" default:"<data>/portal.db" help:"database: the path of an SQLite file, or postgres://user:password@host/name"`
	PortalKeysetFile      string `env:"PORTAL_KEYSET_FILE" default:"<data>/keyset.json" group:"Portal" help:"encryption keys, wrapped"`
	PortalKEKFile         string `env:"PORTAL_KEK_FILE" name:"portal-kek-file" default:"<data>/kek" group:"Portal" help:"key that wraps the encryption keys; store it apart from the database and its backups"`
	PortalPKCS11Module    string `env:"PORTAL_PKCS11_MODULE" name:"portal-pkcs11-module" group:"Portal" help:"library (.so) of the PKCS#11 token that has the key-encryption key"`
	PortalPKCS11Key       string `env:"PORTAL_PKCS11_KEY" name:"portal-pkcs11-key" group:"Portal" help:"key-encryption key in a PKCS#11 token, instead of PORTAL_KEK_FILE: pkcs11:token=LABEL;object=LABEL, a non-extractable AES-256 key"`
	PortalPKCS11PIN       string `env:"PORTAL_PKCS11_PIN" kong:"-" secret:"" help:"PIN of the token"`
	PortalMFA             string `env:"PORTAL_MFA" name:"portal-mfa" derived:"required; optional in the demo" group:"Portal" help:"second factor: required, or optional (loopback only)"`
	PortalOIDCIssuer      string `env:"PORTAL_OIDC_ISSUER" name:"portal-oidc-issuer" group:"Portal" help:"single sign-on: issuer URL of the provider"`
	PortalOIDCClientID    string `env:"PORTAL_OIDC_CLIENT_ID" name:"portal-oidc-client-id" group:"Portal" help:"single sign-on: the portal's client id"`
	PortalOIDCSecret      string `env:"PORTAL_OIDC_CLIENT_SECRET" kong:"-" secret:"" help:"single sign-on: the portal's client secret"`
	PortalOIDCName        string `env:"PORTAL_OIDC_NAME" name:"portal-oidc-name" default:"sso" group:"Portal" help:"single sign-on: name of the provider in /login/sso/{provider}"`
	PortalOIDCMFA         string `env:"PORTAL_OIDC_MFA" name:"portal-oidc-mfa" default:"mfa" group:"Portal" help:"single sign-on: comma-separated values of amr or acr that prove two factors once two administrators approve them; without one of them, the portal asks for its own second factor"`
	PortalSMTPURL         string `env:"PORTAL_SMTP_URL" kong:"-" secret:"" help:"email: smtps://user:password@host:465 or smtp://…:587 (?from= sets the sender); when unset, emails stay in the outbox"`
	PortalPushKeyFile     string `env:"PORTAL_PUSH_KEY_FILE" derived:"none; generated in <data> in the demo" group:"Portal" help:"P-256 private key (PEM) that signs browser notifications, as openssl ecparam -name prime256v1 -genkey writes it; only its owner may read it. With another key, users turn notifications on again"`
	PortalAuditHeads      string `env:"PORTAL_AUDIT_HEADS" kong:"-" secret:"" help:"where the signed head of the audit chain is sent, hourly and at shutdown: file:///path, syslog: (the machine's own) or https://host/path; https+private:// allows a host with a private address"`
	PortalMetricsAddr     string `env:"PORTAL_METRICS_ADDR" group:"Portal" help:"address of a separate listener for /metrics; none when unset"`
	PortalTrustedProxies  string `env:"PORTAL_TRUSTED_PROXIES" group:"Portal" help:"proxies whose X-Forwarded-For is trusted: addresses or CIDRs, comma separated"`
	PortalLogFormat       string `env:"PORTAL_LOG_FORMAT" derived:"json; text in the demo" group:"Portal" help:"format of log lines: json or text"`
	PortalConsentFile     string `env:"PORTAL_CONSENT_FILE" group:"Portal" help:"file with the lender's consent text, replacing the built-in one"`
	PortalRetentionMonths string `env:"PORTAL_RETENTION_MONTHS" default:"25" group:"Portal" help:"months that a lead is kept after it ends; at least 25"`
	PortalJournalFile     string `env:"PORTAL_JOURNAL_FILE" default:"<data>/portal.journal" group:"Portal" help:"file that keeps the lender's answers which the database could not store yet; more processes on one machine add .2, .3 …"`
	PortalMinFree         string `env:"PORTAL_MIN_FREE" default:"200MB" group:"Portal" help:"free space of the data folder below which /readyz fails, in KB, MB or GB"`
	PortalCompanyExports  string `env:"PORTAL_COMPANY_EXPORTS" default:"60" group:"Portal" help:"how many lists of leads the users of one company may export per hour, and one user at most half of that; 0 for no limit. Raise it for a company with hundreds of users"`
	PortalCompanyReveals  string `env:"PORTAL_COMPANY_REVEALS" default:"1000" group:"Portal" help:"how often the users of one company may view borrower details within an hour, all together; one user may 60 times; 0 for no limit. A company with hundreds of users needs more"`
}

type partnerSettings struct {
	PartnerBaseURL        string `env:"PARTNER_BASE_URL" derived:"the sandbox in the demo" group:"Partner" help:"base URL of the lender's service"`
	PartnerAPIKey         string `env:"PARTNER_API_KEY" kong:"-" secret:"" derived:"SANDBOX_API_KEY in the demo" help:"the partner key"`
	PartnerAPIKeyNext     string `env:"PARTNER_API_KEY_NEXT" kong:"-" secret:"" help:"the next partner key during a key change, tried after a 401"`
	PartnerPublicKeyFile  string `env:"PARTNER_PUBLIC_KEY_FILE" group:"Partner" help:"the lender's public key (PEM); when unset, the lender's encrypt endpoint is used"`
	PartnerPrivateKeyFile string `env:"PARTNER_PRIVATE_KEY_FILE" group:"Partner" help:"the portal's private key (PEM) for encrypted responses and webhooks"`
	PartnerDialect        string `env:"PARTNER_DIALECT" default:"documented" group:"Partner" help:"dialect of requests: documented or live"`
	PartnerApplyURL       string `env:"PARTNER_APPLY_URL" group:"Partner" help:"address of the borrower-facing application site"`
	PartnerAffiliateID    string `env:"PARTNER_AFFILIATE_ID" group:"Partner" help:"affiliate id for pre-qualification; when unset, there is no quick estimate"`
	PartnerPrequalify     string `env:"PARTNER_PREQUALIFY" default:"v2" group:"Partner" help:"version of the quick estimate: v2, v1 or off"`
	PartnerWebhookTokens  string `env:"PARTNER_WEBHOOK_TOKENS" kong:"-" secret:"" help:"one or two valid tokens of /hooks/partner/{token}, comma separated"`
	PartnerTimeout        string `env:"PARTNER_TIMEOUT" default:"15s" group:"Partner" help:"timeout of a call, and of a stalled download"`
	PartnerRate           string `env:"PARTNER_RATE" default:"10" group:"Partner" help:"maximum number of calls per second"`
	PartnerReferenceField string `env:"PARTNER_REFERENCE_FIELD" default:"externalAppId" group:"Partner" help:"reference field that carries the portal's application number: externalAppId, externalReferenceId or externalCustomerId"`
	PartnerTestVariants   string `env:"PARTNER_TEST_VARIANTS" group:"Partner" help:"the lender’s A/B test variants that New inquiry offers, comma separated; the lender applies the ones chosen to that inquiry. Empty hides the choice"`
	PartnerFeeMethod      string `env:"PARTNER_FEE_METHOD" default:"added" group:"Partner" help:"whether the origination fee is added to or deducted from the draw"`
	PartnerTermUnit       string `env:"PARTNER_TERM_UNIT" default:"months" group:"Partner" help:"unit of an offer's term: months or years"`
	PartnerVariable       string `env:"PARTNER_VARIABLE_PAYMENT" name:"partner-variable-payment" default:"interest-only" group:"Partner" help:"payment of a variable offer during the draw period: interest-only or amortizing"`
	PartnerDrawYears      string `env:"PARTNER_DRAW_YEARS" derived:"the sandbox's in the demo: 60:2,120:3,180:4,360:5" group:"Partner" help:"draw period of a variable line in years, by its term in months, such as 60:2,120:3; if unset, the payment after the draw period and the totals are not shown"`
}

type sandboxSettings struct {
	SandboxAddr           string `env:"SANDBOX_ADDR" default:"localhost:8081" group:"Sandbox" help:"address to listen on; loopback only"`
	SandboxData           string `env:"SANDBOX_DATA" default:"<data>" group:"Sandbox" help:"folder of the sandbox's files, whose names begin with sandbox"`
	SandboxDialect        string `env:"SANDBOX_DIALECT" derived:"PARTNER_DIALECT in the demo, else documented" group:"Sandbox" help:"dialect of the sandbox: documented or live"`
	SandboxProcessing     string `env:"SANDBOX_PROCESSING" default:"1500ms" group:"Sandbox" help:"processing time of an inquiry"`
	SandboxAPIKey         string `env:"SANDBOX_API_KEY" kong:"-" secret:"" default:"sandbox-partner-key" help:"partner key that the sandbox accepts"`
	SandboxFeeMethod      string `env:"SANDBOX_FEE_METHOD" derived:"PARTNER_FEE_METHOD in the demo, else added" group:"Sandbox" help:"whether the sandbox adds the origination fee to the draw or deducts it: added or deducted"`
	SandboxWebhookURL     string `env:"SANDBOX_WEBHOOK_URL" derived:"the portal's webhook address in the demo" group:"Sandbox" help:"address that receives webhooks; none when unset"`
	SandboxPrivateKeyFile string `env:"SANDBOX_PRIVATE_KEY_FILE" derived:"generated in SANDBOX_DATA" group:"Sandbox" help:"private key of the sandbox (PEM)"`
}

// tracingSettings has only what turns tracing on. OpenTelemetry reads this and its other variables from the
// environment, so there is no flag.
type tracingSettings struct {
	OTLPEndpoint string `env:"OTEL_EXPORTER_OTLP_ENDPOINT" kong:"-" help:"OpenTelemetry collector that receives traces (OTLP over HTTP), such as http://localhost:4318; no traces when unset. OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER and OpenTelemetry's other standard variables apply"`
}

// Settings lists every setting in the order of the table in SETTINGS.md.
func Settings() []Setting {
	var list []Setting
	walkSettings(reflect.ValueOf(&settings{}).Elem(), func(f reflect.StructField, _ reflect.Value) {
		_, secret := f.Tag.Lookup("secret")
		fallback := f.Tag.Get("default")
		if fallback == "" {
			fallback = f.Tag.Get("derived")
		}
		list = append(list, Setting{Name: f.Tag.Get("env"), Default: fallback, Meaning: f.Tag.Get("help"), Secret: secret})
	})
	return list
}

// walkSettings visits every setting of a struct and of the structs in it.
func walkSettings(v reflect.Value, visit func(reflect.StructField, reflect.Value)) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.Type.Kind() == reflect.Struct {
			walkSettings(v.Field(i), visit)
			continue
		}
		visit(field, v.Field(i))
	}
}
