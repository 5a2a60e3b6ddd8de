package embed

import (
	"net/url"
	"slices"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

func TestParseOrigin(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://crm.example": "https://crm.example", "https://CRM.Example": "https://crm.example",
		"HTTPS://crm.example":     "https://crm.example",
		"https://crm.example:443": "https://crm.example", "https://crm.example:8443": "https://crm.example:8443",
		"https://10.0.0.7":               "https://10.0.0.7",
		"https://summit--c.vf.force.com": "https://summit--c.vf.force.com",
		"https://xn--bcher-kva.example":  "https://xn--bcher-kva.example",
		"http://localhost:8082":          "http://localhost:8082", "http://127.0.0.1": "http://127.0.0.1",
		"http://localhost:80": "http://localhost",
	} {
		if got, ok := parseOrigin(text, true); !ok || got != want {
			t.Errorf("%s: got %q, %v; want %q", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"", "null", "http://crm.example", "https://crm.example/", "https://crm.example/path", "https://crm.example?x",
		"https://crm.example#x", "https://*", "https://*.example",
		"https://a b", "https://u@crm.example", "https://crm.example;", "https://crm.example,https://b.example",
		"https://crm.example:", "https://crm.example:0", "https://crm.example:0443",
		"https://crm.example:65536", "https://bücher.example", "https://127.1", "https://0x7f.0.0.1", "https://010.0.0.1",
		"https://[::1]", "https://crm_x.example", "https://'self'",
		"https://-crm.example", "https://crm..example", "ftp://crm.example", "http://localhost.example", "//crm.example",
		"crm.example",
	} {
		if got, ok := parseOrigin(text, true); ok {
			t.Errorf("%q: got origin %q, want none", text, got)
		}
	}
}

// TestSave_LocalOrigin_DemoOnly: an http page on loopback may frame only a portal that is itself
// reachable only on this machine.
func TestSave_LocalOrigin_DemoOnly(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	e := Setup{Key: "acme", Name: "Acme", BrokerID: "summit", Kind: "jwt", Origins: []string{"http://localhost:8082"},
		Issuer: "https://crm.example"}
	if err := o.Save(t.Context(), access.Operator(), e); !fault.Is(err, fault.Invalid) {
		t.Errorf("got %v, want it rejected", err)
	}
	o.Base = &url.URL{Scheme: "http", Host: "localhost:8080"}
	e.Origins = []string{"http://localhost:8082", "https://CRM.example:443", "https://crm.example"}
	if err := o.Save(t.Context(), access.Operator(), e); err != nil {
		t.Fatal(err)
	}
	if got, want := o.Origins(t.Context(), "acme"),
		[]string{"http://localhost:8082", "https://crm.example"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
