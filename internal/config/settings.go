package config

import "reflect"

// Setting is one line of README's table.
type Setting struct {
	Name    string // the environment variable
	Default string // what holds when it is unset, in words where it depends on another
	Meaning string
	Secret  bool // also read from the file that NAME_FILE names; never a flag
}

// settings is every setting as text, as kong reads it from flags and environment.
type settings struct {
	Portal  portalSettings  `embed:""`
	Partner partnerSettings `embed:""`
	Sandbox sandboxSettings `embed:""`
}

// The tags: env names the setting, default its literal default, derived a default
// that depends on others, secret one that must not stand on a command line.
type portalSettings struct {
	PortalAddr            string `env:"PORTAL_ADDR" default:"localhost:8080" group:"Portal" help:"address to listen on"`
	PortalBaseURL         string `env:"PORTAL_BASE_URL" derived:"http or https and PORTAL_ADDR" group:"Portal" help:"public address of the portal; https unless it is loopback"`
	PortalTLSCertFile     string `env:"PORTAL_TLS_CERT_FILE" name:"portal-tls-cert-file" group:"Portal" help:"certificate chain (PEM), when the portal itself speaks TLS"`
	PortalTLSKeyFile      string `env:"PORTAL_TLS_KEY_FILE" name:"portal-tls-key-file" group:"Portal" help:"its private key (PEM)"`
	PortalDatabaseURL     string `env:"PORTAL_DATABASE_URL" kong:"-" secret:"" default:"<data>/portal.db" help:"database: a file path for SQLite"`
	PortalKeysetFile      string `env:"PORTAL_KEYSET_FILE" default:"<data>/keyset.json" group:"Portal" help:"wrapped encryption keys"`
	PortalKEKFile         string `env:"PORTAL_KEK_FILE" name:"portal-kek-file" default:"<data>/kek" group:"Portal" help:"key that wraps them; keep it away from the database and its backups"`
	PortalMFA             string `env:"PORTAL_MFA" name:"portal-mfa" derived:"required; optional in the demo" group:"Portal" help:"second factor: required or optional (loopback only)"`
	PortalOIDCIssuer      string `env:"PORTAL_OIDC_ISSUER" name:"portal-oidc-issuer" group:"Portal" help:"single sign-on: the provider's issuer URL"`
	PortalOIDCClientID    string `env:"PORTAL_OIDC_CLIENT_ID" name:"portal-oidc-client-id" group:"Portal" help:"single sign-on: our client id there"`
	PortalOIDCSecret      string `env:"PORTAL_OIDC_CLIENT_SECRET" kong:"-" secret:"" help:"single sign-on: our client secret there"`
	PortalOIDCName        string `env:"PORTAL_OIDC_NAME" name:"portal-oidc-name" default:"sso" group:"Portal" help:"single sign-on: the provider's name in /login/sso/{provider}"`
	PortalOIDCMFA         string `env:"PORTAL_OIDC_MFA" name:"portal-oidc-mfa" default:"mfa" group:"Portal" help:"single sign-on: values of amr or acr that say that two factors were seen, comma separated; without one of them ours is asked for"`
	PortalSMTPURL         string `env:"PORTAL_SMTP_URL" kong:"-" secret:"" help:"mail: smtps://user:password@host:465 or smtp://…:587; without it mails wait in the outbox"`
	PortalMetricsAddr     string `env:"PORTAL_METRICS_ADDR" group:"Portal" help:"separate listener for /metrics; none when empty"`
	PortalTrustedProxies  string `env:"PORTAL_TRUSTED_PROXIES" group:"Portal" help:"proxies whose X-Forwarded-For is believed: addresses or CIDRs, comma separated"`
	PortalLogFormat       string `env:"PORTAL_LOG_FORMAT" derived:"json; text in the demo" group:"Portal" help:"log lines as json or text"`
	PortalConsentFile     string `env:"PORTAL_CONSENT_FILE" group:"Portal" help:"the organization's consent text, when it is not ours"`
	PortalRetentionMonths string `env:"PORTAL_RETENTION_MONTHS" default:"25" group:"Portal" help:"months a lead is kept after its end; 25 at least"`
	OTLPEndpoint          string `env:"OTEL_EXPORTER_OTLP_ENDPOINT" name:"otel-exporter-otlp-endpoint" group:"Portal" help:"taken for a later use: this portal sends no traces"`
}

type partnerSettings struct {
	PartnerBaseURL        string `env:"PARTNER_BASE_URL" derived:"the sandbox in the demo" group:"Partner" help:"the lender's service"`
	PartnerAPIKey         string `env:"PARTNER_API_KEY" kong:"-" secret:"" derived:"SANDBOX_API_KEY in the demo" help:"our key at the lender"`
	PartnerAPIKeyNext     string `env:"PARTNER_API_KEY_NEXT" kong:"-" secret:"" help:"the next key while keys change, tried after a 401"`
	PartnerPublicKeyFile  string `env:"PARTNER_PUBLIC_KEY_FILE" group:"Partner" help:"the lender's public key (PEM); without it the lender's encrypt endpoint is used"`
	PartnerPrivateKeyFile string `env:"PARTNER_PRIVATE_KEY_FILE" group:"Partner" help:"our private key (PEM), for encrypted responses and webhooks"`
	PartnerDialect        string `env:"PARTNER_DIALECT" default:"documented" group:"Partner" help:"what we write: documented or live"`
	PartnerApplyURL       string `env:"PARTNER_APPLY_URL" group:"Partner" help:"the borrower-facing application site"`
	PartnerAffiliateID    string `env:"PARTNER_AFFILIATE_ID" group:"Partner" help:"our affiliate id for pre-qualification; without one there is no quick estimate"`
	PartnerPrequalify     string `env:"PARTNER_PREQUALIFY" default:"v2" group:"Partner" help:"quick estimate: v2, v1 or off"`
	PartnerWebhookTokens  string `env:"PARTNER_WEBHOOK_TOKENS" kong:"-" secret:"" help:"one or two live tokens of /hooks/partner/{token}, comma separated"`
	PartnerTimeout        string `env:"PARTNER_TIMEOUT" default:"15s" group:"Partner" help:"longest wait for one call, and for a byte of a download"`
	PartnerRate           string `env:"PARTNER_RATE" default:"10" group:"Partner" help:"most calls a second"`
	PartnerReferenceField string `env:"PARTNER_REFERENCE_FIELD" default:"externalAppId" group:"Partner" help:"which reference carries our application number: externalAppId, externalReferenceId or externalCustomerId"`
	PartnerTestVariants   string `env:"PARTNER_TEST_VARIANTS" group:"Partner" help:"test variants sent with a start, comma separated"`
	PartnerFeeMethod      string `env:"PARTNER_FEE_METHOD" default:"added" group:"Partner" help:"the origination fee is added to or deducted from the draw"`
	PartnerTermUnit       string `env:"PARTNER_TERM_UNIT" default:"months" group:"Partner" help:"terms come in months or years"`
}

type sandboxSettings struct {
	SandboxAddr           string `env:"SANDBOX_ADDR" default:"localhost:8081" group:"Sandbox" help:"address to listen on; loopback"`
	SandboxData           string `env:"SANDBOX_DATA" default:"<data>" group:"Sandbox" help:"folder of its files, whose names begin with sandbox"`
	SandboxDialect        string `env:"SANDBOX_DIALECT" derived:"PARTNER_DIALECT in the demo, else documented" group:"Sandbox" help:"what it speaks: documented or live"`
	SandboxProcessing     string `env:"SANDBOX_PROCESSING" default:"1500ms" group:"Sandbox" help:"how long it works on an inquiry"`
	SandboxAPIKey         string `env:"SANDBOX_API_KEY" kong:"-" secret:"" default:"sandbox-partner-key" help:"the partner key it accepts"`
	SandboxWebhookURL     string `env:"SANDBOX_WEBHOOK_URL" derived:"the portal's own in the demo" group:"Sandbox" help:"where it sends webhooks; none when empty"`
	SandboxPrivateKeyFile string `env:"SANDBOX_PRIVATE_KEY_FILE" derived:"made in SANDBOX_DATA" group:"Sandbox" help:"its private key (PEM)"`
}

// Settings lists every setting in the order of README's table.
func Settings() []Setting {
	var list []Setting
	walk(reflect.ValueOf(&settings{}).Elem(), func(f reflect.StructField, _ reflect.Value) {
		_, secret := f.Tag.Lookup("secret")
		fallback := f.Tag.Get("default")
		if fallback == "" {
			fallback = f.Tag.Get("derived")
		}
		list = append(list, Setting{Name: f.Tag.Get("env"), Default: fallback, Meaning: f.Tag.Get("help"), Secret: secret})
	})
	return list
}

// walk visits every setting of a struct and of the structs in it.
func walk(v reflect.Value, visit func(reflect.StructField, reflect.Value)) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.Type.Kind() == reflect.Struct {
			walk(v.Field(i), visit)
			continue
		}
		visit(field, v.Field(i))
	}
}
