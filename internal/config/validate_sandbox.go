package config

import "time"

// sandbox validates the settings of the simulated lender. partnerDialect is the dialect of the portal in the same
// process, or empty when the sandbox runs alone.
func (j *validator) sandbox(raw sandboxSettings, partnerDialect string) Sandbox {
	dialect := raw.SandboxDialect
	if dialect == "" {
		dialect = string(Documented)
		if j.isCommand("demo") {
			dialect = partnerDialect
		}
	}
	s := Sandbox{
		Addr:           j.address("SANDBOX_ADDR", raw.SandboxAddr),
		Data:           raw.SandboxData,
		Dialect:        j.dialect("SANDBOX_DIALECT", dialect),
		Processing:     j.duration("SANDBOX_PROCESSING", raw.SandboxProcessing, 0, time.Hour),
		APIKey:         j.secret("SANDBOX_API_KEY", raw.SandboxAPIKey),
		PrivateKeyFile: j.file("SANDBOX_PRIVATE_KEY_FILE", raw.SandboxPrivateKeyFile),
	}
	if raw.SandboxWebhookURL != "" {
		s.WebhookURL = j.httpURL("SANDBOX_WEBHOOK_URL", raw.SandboxWebhookURL)
	}
	if s.Addr != "" && !isLoopbackAddr(s.Addr) && j.isCommand("demo", "sandbox") {
		j.addError("SANDBOX_ADDR", "is %s, which others can reach; the sandbox speaks plain http and listens on localhost only", s.Addr)
	}
	return s
}
