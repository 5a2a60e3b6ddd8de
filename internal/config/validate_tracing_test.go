package config

import (
	"io"
	"strings"
	"testing"
)

// TestTracing_Variables sets variables of the process, so it is not parallel.
func TestTracing_Variables(t *testing.T) {
	for _, c := range []struct {
		name   string
		env    map[string]string
		want   bool
		errors string // part of it
	}{
		{name: "nothing"},
		{name: "empty", env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": " "}},
		{name: "endpoint", env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, want: true},
		{
			name: "endpoint of traces",
			env:  map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://collector/v1/traces"}, want: true,
		},
		{name: "disabled", env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318",
			"OTEL_SDK_DISABLED": "True"}},
		{name: "other exporter", env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318",
			"OTEL_TRACES_EXPORTER": "none"}},
		{name: "no address", env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "canary:4318"}, want: true,
			errors: "OTEL_EXPORTER_OTLP_ENDPOINT is not an http"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, name := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
				"OTEL_SDK_DISABLED", "OTEL_TRACES_EXPORTER"} {
				t.Setenv(name, "")
			}
			for name, value := range c.env {
				t.Setenv(name, value)
			}
			inv, err := ParsePortal([]string{"--data", t.TempDir(), "demo"}, IO{Stdout: io.Discard, Stderr: io.Discard})
			text := ""
			if err != nil {
				text = err.Error()
			}
			if inv.Config.Tracing != c.want || (text == "") != (c.errors == "") || !strings.Contains(text, c.errors) ||
				strings.Contains(text, "canary") {
				t.Errorf("got %v and %q, want %v and %q", inv.Config.Tracing, text, c.want, c.errors)
			}
		})
	}
}
