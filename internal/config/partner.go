package config

import (
	"net/url"
	"time"
)

// minToken is the least length of a webhook token: 16 random bytes in hex.
const minToken = 32

func (j *judge) partner(raw partnerSettings, sandbox Sandbox) Partner {
	p := Partner{
		PublicKeyFile:  j.file("PARTNER_PUBLIC_KEY_FILE", raw.PartnerPublicKeyFile),
		PrivateKeyFile: j.file("PARTNER_PRIVATE_KEY_FILE", raw.PartnerPrivateKeyFile),
		APIKey:         j.secret("PARTNER_API_KEY", raw.PartnerAPIKey),
		APIKeyNext:     j.secret("PARTNER_API_KEY_NEXT", raw.PartnerAPIKeyNext),
		WebhookTokens:  j.secret("PARTNER_WEBHOOK_TOKENS", raw.PartnerWebhookTokens),
		Dialect:        j.dialect("PARTNER_DIALECT", raw.PartnerDialect),
		AffiliateID:    raw.PartnerAffiliateID,
		Prequalify:     j.choice("PARTNER_PREQUALIFY", raw.PartnerPrequalify, "v2", "v1", "off"),
		Timeout:        j.duration("PARTNER_TIMEOUT", raw.PartnerTimeout, time.Second, 5*time.Minute),
		Rate:           j.number("PARTNER_RATE", raw.PartnerRate, 1, 10_000),
		ReferenceField: j.choice("PARTNER_REFERENCE_FIELD", raw.PartnerReferenceField,
			"externalAppId", "externalReferenceId", "externalCustomerId"),
		TestVariants: list(raw.PartnerTestVariants),
		FeeMethod:    j.choice("PARTNER_FEE_METHOD", raw.PartnerFeeMethod, "added", "deducted"),
		TermUnit:     j.choice("PARTNER_TERM_UNIT", raw.PartnerTermUnit, "months", "years"),
	}
	if raw.PartnerApplyURL != "" {
		p.ApplyURL = j.link("PARTNER_APPLY_URL", raw.PartnerApplyURL)
	}
	if raw.PartnerBaseURL != "" {
		p.BaseURL = j.link("PARTNER_BASE_URL", raw.PartnerBaseURL)
	}
	j.tokens(p.WebhookTokens.Values())
	switch {
	case j.runs("demo"):
		if raw.PartnerBaseURL == "" {
			p.BaseURL = &url.URL{Scheme: "http", Host: sandbox.Addr}
		}
		if !p.APIKey.Set() {
			p.APIKey = sandbox.APIKey
		}
	case j.runs("serve", "doctor"):
		if raw.PartnerBaseURL == "" {
			j.fault("PARTNER_BASE_URL", "is missing")
		}
		if !p.APIKey.Set() {
			j.fault("PARTNER_API_KEY", "is missing; give it, or PARTNER_API_KEY_FILE")
		}
	}
	return p
}

// tokens checks the webhook tokens without ever quoting one.
func (j *judge) tokens(tokens []string) {
	if len(tokens) > 2 {
		j.fault("PARTNER_WEBHOOK_TOKENS", "holds %d tokens; at most two are live at once", len(tokens))
	}
	for i, token := range tokens {
		if len(token) < minToken || url.PathEscape(token) != token {
			j.fault("PARTNER_WEBHOOK_TOKENS", "has a token (number %d) that is not %d or more letters and digits", i+1, minToken)
		}
	}
}

func (j *judge) dialect(name, value string) Dialect {
	return Dialect(j.choice(name, value, string(Documented), string(Live)))
}
