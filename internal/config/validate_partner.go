package config

import (
	"net/url"
	"time"
)

// minTokenLen is the minimum length of a webhook token: 16 random bytes in hex.
const minTokenLen = 32

func (j *validator) partner(raw partnerSettings, sandbox Sandbox) Partner {
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
		TestVariants: splitList(raw.PartnerTestVariants),
		FeeMethod:    j.choice("PARTNER_FEE_METHOD", raw.PartnerFeeMethod, "added", "deducted"),
		TermUnit:     j.choice("PARTNER_TERM_UNIT", raw.PartnerTermUnit, "months", "years"),
		Variable:     j.choice("PARTNER_VARIABLE_PAYMENT", raw.PartnerVariable, "interest-only", "amortizing"),
	}
	if raw.PartnerApplyURL != "" {
		p.ApplyURL = j.httpURL("PARTNER_APPLY_URL", raw.PartnerApplyURL)
	}
	if raw.PartnerBaseURL != "" {
		p.BaseURL = j.httpURL("PARTNER_BASE_URL", raw.PartnerBaseURL)
	}
	if !j.isCommand("demo") {
		p.DrawYears = j.drawYears("PARTNER_DRAW_YEARS", raw.PartnerDrawYears)
	}
	j.tokens(p.WebhookTokens.Values())
	switch {
	case j.isCommand("demo"):
		if raw.PartnerBaseURL == "" {
			p.BaseURL = &url.URL{Scheme: "http", Host: sandbox.Addr}
		}
		if !p.APIKey.Set() {
			p.APIKey = sandbox.APIKey
		}
		p.DrawYears = sandbox.DrawYears
	case j.isCommand("serve", "doctor"):
		if raw.PartnerBaseURL == "" {
			j.addError("PARTNER_BASE_URL", "is missing")
		}
		if !p.APIKey.Set() {
			j.addError("PARTNER_API_KEY", "is missing; give it, or PARTNER_API_KEY_FILE")
		}
	}
	return p
}

// tokens validates the webhook tokens without quoting any of them.
func (j *validator) tokens(tokens []string) {
	if len(tokens) > 2 {
		j.addError("PARTNER_WEBHOOK_TOKENS", "holds %d tokens; at most two are live at once", len(tokens))
	}
	for i, token := range tokens {
		if len(token) < minTokenLen || url.PathEscape(token) != token {
			j.addError("PARTNER_WEBHOOK_TOKENS", "has a token (number %d) that is not %d or more letters and digits", i+1, minTokenLen)
		}
	}
}

func (j *validator) dialect(name, value string) Dialect {
	return Dialect(j.choice(name, value, string(Documented), string(Live)))
}
