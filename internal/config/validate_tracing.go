package config

import (
	"net/url"
	"os"
	"strings"
)

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
