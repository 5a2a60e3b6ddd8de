package partner

import (
	"errors"
	"io"
	"strings"
	"testing"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

func TestNew_InvalidConfig_ReportsAllErrors(t *testing.T) {
	t.Parallel()
	_, err := New(Config{BaseURL: "ftp://x", Dialect: "klingon", ReferenceField: "x"})
	if !fault.Is(err, fault.Invalid) {
		t.Fatalf("err = %v", err)
	}
	for _, want := range []string{"base address", "API keys", "klingon", "reference field"} {
		if !strings.Contains(fault.Public(err), want) {
			t.Errorf("%q is missing from %q", want, fault.Public(err))
		}
	}
	for _, base := range []string{"", "x", "http://", "https://a?b=c", "https://u:p@a", "https://a#b"} {
		if _, err := New(Config{BaseURL: base, APIKeys: func() []string { return nil }}); err == nil {
			t.Errorf("%q: got no error", base)
		}
	}
}

func TestReference_WrittenAndReadFromSameField(t *testing.T) {
	t.Parallel()
	given := &heloc.PartnerData{AppID: "a", ReferenceID: "r", CustomerID: "c"}
	for field, want := range map[ReferenceField]heloc.PartnerData{
		"":                {AppID: "hl-1", ReferenceID: "r", CustomerID: "c"},
		ReferenceApp:      {AppID: "hl-1", ReferenceID: "r", CustomerID: "c"},
		ReferenceID:       {AppID: "a", ReferenceID: "hl-1", CustomerID: "c"},
		ReferenceCustomer: {AppID: "a", ReferenceID: "r", CustomerID: "hl-1"},
	} {
		c := testClient(t, Config{ReferenceField: field})
		got := *c.partnerData(given, "hl-1")
		if got != want {
			t.Errorf("%s: got %+v, want %+v", field, got, want)
		}
		if echo := c.Reference(heloc.Integrations{ApplicationID: got.AppID, ReferenceID: got.ReferenceID,
			CustomerID: got.CustomerID}); echo != "hl-1" {
			t.Errorf("%s: echo = %q", field, echo)
		}
	}
	if given.AppID != "a" || testClient(t, Config{}).partnerData(given, "") != given {
		t.Error("the caller's PartnerData was changed")
	}
}

func TestWipingBody_Close_Wipes(t *testing.T) {
	t.Parallel()
	source := []byte("secret")
	b := newWipingBody(source)
	buffer := b.bytes
	if got, err := io.ReadAll(b); string(got) != "secret" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if err := b.Close(); err != nil || strings.Trim(string(buffer), "\x00") != "" {
		t.Errorf("got %q, %v, want zeros", buffer, err)
	}
	if n, err := b.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) || string(source) != "secret" {
		t.Errorf("after close: %d, %v", n, err)
	}
}

func TestRedact_SSN(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"":                                     "",
		"SSN 123-45-6789.":                     "SSN [withheld].",
		"123 45 6789":                          "[withheld]",
		"123456789":                            "[withheld]",
		"a123-45-6789 987-65-4321-111-22-3333": "a[withheld] [withheld]-[withheld]",
		"x1234567890123y":                      "x[withheld]y",
		"12345678":                             "12345678",
		"1123-45-6789":                         "1123-45-6789",
		"123-45-67890":                         "123-45-67890",
		"503-555-0142":                         "503-555-0142",
		"2026-01-05":                           "2026-01-05",
		"key k3y and\nnew\x00line":             "key [withheld] and new line",
	} {
		if got := redact(given, "k3y"); got != want {
			t.Errorf("%q: got %q, want %q", given, got, want)
		}
	}
	if got := redact(strings.Repeat("é", 400), ""); len(got) > maxMessageLen+3 || !strings.HasSuffix(got, "é…") {
		t.Errorf("%d bytes", len(got))
	}
}
