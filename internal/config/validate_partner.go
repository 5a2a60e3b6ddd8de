package config

import (
	"cmp"
	"net/url"
	"time"
)

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
