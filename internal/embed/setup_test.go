package embed

import (
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
)

// fieldErrorsOf returns the errors of a setup by field.
func fieldErrorsOf(t *testing.T, err error) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, f := range fault.FieldsOf(err) {
		if all[f.Name] != "" {
			t.Errorf("%s has two errors: %q and %q, want one", f.Name, all[f.Name], f.Message)
		}
		all[f.Name] = f.Message
	}
	return all
}

// TestSave_InvalidSetup_AllFieldErrors: an invalid setup is rejected with one error for each invalid
// field, and changes nothing.
func TestSave_InvalidSetup_AllFieldErrors(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	for name, tt := range map[string]struct {
		change func(*Setup)
		want   map[string]string // a part of each error; other fields have none
	}{
		"unknown company": {func(e *Setup) { e.BrokerID = "nosuchbroker" }, map[string]string{"brokerId": "no company"}},
		"blank company": {func(e *Setup) { e.BrokerID = " \t" },
			map[string]string{"brokerId": "Choose the broker company"}},
		"three bad origins": {func(e *Setup) {
			e.Origins = []string{"https://*.crm.example", "crm.example", "https://a/b", "https://crm.example"}
		}, map[string]string{"origins": "https://*.crm.example, crm.example and https://a/b are not origins"}},
		"one bad origin": {func(e *Setup) { e.Origins = []string{"https://*.crm.example"} },
			map[string]string{"origins": "https://*.crm.example is not an origin"}},
		"unknown kind": {func(e *Setup) { e.Kind, e.Issuer, e.Keys = "saml", "", "" },
			map[string]string{"kind": "Choose"}},
		"blank name":         {func(e *Setup) { e.Name = "\u00a0 " }, map[string]string{"name": "Enter a name"}},
		"name of two lines":  {func(e *Setup) { e.Name = "Acme\nCRM" }, map[string]string{"name": "one line"}},
		"right-to-left name": {func(e *Setup) { e.Name = "Acme \u202eMRC" }, map[string]string{"name": "one line"}},
		"name too long": {func(e *Setup) { e.Name = strings.Repeat("a", 81) },
			map[string]string{"name": "80 characters"}},
		"blank issuer": {func(e *Setup) { e.Issuer = "  " }, map[string]string{"issuer": "Enter the issuer"}},
		"issuer with a control character": {func(e *Setup) { e.Issuer = "https://crm\a.example" },
			map[string]string{"issuer": "one line"}},
		"blank secret": {func(e *Setup) {
			e.Kind, e.Organization, e.Secret = launch.KindCanvas, "00DA",
				strings.Repeat(" ", 40)
		},
			map[string]string{"secret": "24 characters"}},
		"taken key":     {func(e *Setup) { e.Mode = Add }, map[string]string{"key": "Another CRM uses this key"}},
		"unknown key":   {func(e *Setup) { e.Key, e.Mode = "acne", Change }, map[string]string{"key": "No CRM has this key"}},
		"malformed key": {func(e *Setup) { e.Key, e.Mode = "Acme!", Add }, map[string]string{"key": "Use lowercase letters"}},
	} {
		e := o.setup()
		tt.change(&e)
		got := fieldErrorsOf(t, o.Save(t.Context(), access.Operator(), e))
		if len(got) != len(tt.want) {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
		for field, want := range tt.want {
			if !strings.Contains(got[field], want) {
				t.Errorf("%s: %s: got %q, want %q", name, field, got[field], want)
			}
		}
	}
	all, err := o.Clients(t.Context())
	if err != nil || len(all) != 1 || all[0].Name != "Acme CRM" || all[0].BrokerID != "summit" {
		t.Errorf("got %+v, %v, want only acme, unchanged", all, err)
	}
}

// TestSave_CompanyUnlisted_KeepsClient: a client whose company has left the directory can still be
// changed, but the company cannot get another client.
func TestSave_CompanyUnlisted_KeepsClient(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.addToDirectory("summit", "")
	e := o.setup()
	e.Name = "Acme CRM, renamed"
	o.save(e)
	e.Key, e.Mode = "second", Add
	if got := fieldErrorsOf(t, o.Save(t.Context(), access.Operator(), e)); !strings.Contains(got["brokerId"],
		"no company with this ID") {
		t.Errorf("second client of that company: got %v, want an error", got)
	}
	o.addToDirectory("lakeside", "")
	o.save(e) // a directory that was never read rejects nobody
}

// TestAttest_NeedsName: an approval needs a readable name; only RevokeAttestation withdraws it.
func TestAttest_NeedsName(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.must(o.Attest(t.Context(), access.Operator(), "acme", "  Quinn   Reed "))
	for name, approver := range map[string]string{
		"empty": "", "spaces": " \t", "no-break space": "\u00a0", "two lines": "Quinn\nReed", "control character": "Quinn\a",
		"right-to-left text": "\u202edeeR nniuQ", "zero-width space": "\u200b", "too long": strings.Repeat("q", 121),
	} {
		if got := fieldErrorsOf(t, o.Attest(t.Context(), access.Operator(), "acme", approver)); got["approver"] == "" {
			t.Errorf("approver %s: got no error", name)
		}
		if c, err := o.Client(t.Context(), "acme"); err != nil || c.AttestedBy != "Quinn Reed" {
			t.Errorf("approver %s: got %q, %v, want Quinn Reed's approval unchanged", name, c.AttestedBy, err)
		}
	}
	o.must(o.RevokeAttestation(t.Context(), access.Operator(), "acme"))
	if c, err := o.Client(t.Context(), "acme"); err != nil || c.Attested() || c.AttestedBy != "" {
		t.Errorf("revoked: got %q, %v", c.AttestedBy, err)
	}
	o.must(o.RevokeAttestation(t.Context(), access.Operator(), "acme")) // a second time
}

// TestClient_Unknown_NotFound: every operation on an unknown CRM returns the same error.
func TestClient_Unknown_NotFound(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	for name, call := range map[string]func() error{
		"retire":     func() error { return o.RetireSecret(t.Context(), access.Operator(), "acne") },
		"attest":     func() error { return o.Attest(t.Context(), access.Operator(), "acne", "Quinn") },
		"revoke":     func() error { return o.RevokeAttestation(t.Context(), access.Operator(), "acne") },
		"disable":    func() error { return o.Disable(t.Context(), access.Operator(), "acne") },
		"enable":     func() error { return o.Enable(t.Context(), access.Operator(), "acne") },
		"disconnect": func() error { return o.DisconnectAll(t.Context(), access.Operator(), "olivia", "acne") },
	} {
		if err := call(); !fault.Is(err, fault.NotFound) || fault.Public(err) != "This CRM doesn’t exist." {
			t.Errorf("%s: got %v, want that there is no such CRM", name, err)
		}
	}
}
