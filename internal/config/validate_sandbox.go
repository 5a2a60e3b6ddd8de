package config

import (
	"cmp"
	"time"
)

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
