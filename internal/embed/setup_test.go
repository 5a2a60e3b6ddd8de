package embed

import (
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
)

// fieldErrorsOf are what a setup is refused for, by field.
func fieldErrorsOf(t *testing.T, err error) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, f := range fault.FieldsOf(err) {
		if all[f.Name] != "" {
			t.Errorf("%s has two complaints: %q and %q, want one that says all", f.Name, all[f.Name], f.Message)
		}
		all[f.Name] = f.Message
	}
	return all
}

// A setup that cannot be is refused in full, each field by one sentence, and changes nothing.
func TestSave_InvalidSetup_AllFieldErrors(t *testing.T) {
	o := newHarness(t)
	for what, tt := range map[string]struct {
		change func(*Setup)
		want   map[string]string // what each complaint holds; other fields have none
	}{
		"a company that is not": {func(e *Setup) { e.BrokerID = "nosuchbroker" }, map[string]string{"brokerId": "no company"}},
		"a blank company":       {func(e *Setup) { e.BrokerID = " \t" }, map[string]string{"brokerId": "Name the broker company"}},
		"three bad origins": {func(e *Setup) {
			e.Origins = []string{"https://*.crm.example", "crm.example", "https://a/b", "https://crm.example"}
		}, map[string]string{"origins": "https://*.crm.example, crm.example and https://a/b are not origins"}},
		"one bad origin":            {func(e *Setup) { e.Origins = []string{"https://*.crm.example"} }, map[string]string{"origins": "https://*.crm.example is not an origin"}},
		"an unknown kind":           {func(e *Setup) { e.Kind, e.Issuer, e.Keys = "saml", "", "" }, map[string]string{"kind": "Choose"}},
		"a blank name":              {func(e *Setup) { e.Name = "\u00a0 " }, map[string]string{"name": "Give it the name"}},
		"a name of two lines":       {func(e *Setup) { e.Name = "Acme\nCRM" }, map[string]string{"name": "one line"}},
		"a name that runs backward": {func(e *Setup) { e.Name = "Acme \u202eMRC" }, map[string]string{"name": "one line"}},
		"a name too long":           {func(e *Setup) { e.Name = strings.Repeat("a", 81) }, map[string]string{"name": "80 characters"}},
		"a blank issuer":            {func(e *Setup) { e.Issuer = "  " }, map[string]string{"issuer": "Name the issuer"}},
		"an issuer with a bell":     {func(e *Setup) { e.Issuer = "https://crm\a.example" }, map[string]string{"issuer": "one line"}},
		"a blank secret": {func(e *Setup) { e.Kind, e.Organization, e.Secret = launch.KindCanvas, "00DA", strings.Repeat(" ", 40) },
			map[string]string{"secret": "24 characters"}},
		"a key that is taken":       {func(e *Setup) { e.Mode = Add }, map[string]string{"key": "This key is taken"}},
		"a key that nothing has":    {func(e *Setup) { e.Key, e.Mode = "acne", Change }, map[string]string{"key": "No CRM has this key"}},
		"a key of another spelling": {func(e *Setup) { e.Key, e.Mode = "Acme!", Add }, map[string]string{"key": "Use small letters"}},
	} {
		e := o.setup()
		tt.change(&e)
		got := fieldErrorsOf(t, o.Save(t.Context(), access.Operator(), e))
		if len(got) != len(tt.want) {
			t.Errorf("%s: got %v, want %v", what, got, tt.want)
		}
		for name, want := range tt.want {
			if !strings.Contains(got[name], want) {
				t.Errorf("%s: %s says %q, want %q", what, name, got[name], want)
			}
		}
	}
	all, err := o.Clients(t.Context())
	if err != nil || len(all) != 1 || all[0].Name != "Acme CRM" || all[0].BrokerID != "summit" {
		t.Errorf("got %+v, %v, want acme as it was and nothing beside it", all, err)
	}
}

// A company that has left the directory keeps its CRM, which can be changed still, but is
// given no other.
func TestSave_CompanyUnlisted_KeepsClient(t *testing.T) {
	o := newHarness(t)
	o.addToDirectory("summit", "")
	e := o.setup()
	e.Name = "Acme CRM, renamed"
	o.save(e)
	e.Key, e.Mode = "second", Add
	if got := fieldErrorsOf(t, o.Save(t.Context(), access.Operator(), e)); !strings.Contains(got["brokerId"], "no company with this id") {
		t.Errorf("another of that company: got %v", got)
	}
	o.addToDirectory("lakeside", "")
	o.save(e) // a directory that was not read yet judges nobody
}

// An approval has a name, which a person can read; it is taken back by its own word alone.
func TestAttest_NeedsName(t *testing.T) {
	o := newHarness(t)
	o.must(o.Attest(t.Context(), access.Operator(), "acme", "  Quinn   Reed "))
	for what, approver := range map[string]string{
		"nothing": "", "blanks": " \t", "a hard blank": "\u00a0", "two lines": "Quinn\nReed", "a bell": "Quinn\a", "turned round": "\u202edeeR nniuQ", "a zero-width name": "\u200b", "too long": strings.Repeat("q", 121),
	} {
		if got := fieldErrorsOf(t, o.Attest(t.Context(), access.Operator(), "acme", approver)); got["approver"] == "" {
			t.Errorf("approved by %s: got no complaint", what)
		}
		if c, err := o.Client(t.Context(), "acme"); err != nil || c.AttestedBy != "Quinn Reed" {
			t.Errorf("approved by %s: got %q, %v, want Quinn Reed's approval as it stood", what, c.AttestedBy, err)
		}
	}
	o.must(o.RevokeAttestation(t.Context(), access.Operator(), "acme"))
	if c, err := o.Client(t.Context(), "acme"); err != nil || c.Attested() || c.AttestedBy != "" {
		t.Errorf("taken back: got %q, %v", c.AttestedBy, err)
	}
	o.must(o.RevokeAttestation(t.Context(), access.Operator(), "acme")) // pressed twice
}

// Whatever is done to a CRM that is not says just that.
func TestClient_Unknown_NotFound(t *testing.T) {
	o := newHarness(t)
	for what, deed := range map[string]func() error{
		"retire":     func() error { return o.RetireSecret(t.Context(), access.Operator(), "acne") },
		"attest":     func() error { return o.Attest(t.Context(), access.Operator(), "acne", "Quinn") },
		"unattest":   func() error { return o.RevokeAttestation(t.Context(), access.Operator(), "acne") },
		"close":      func() error { return o.Disable(t.Context(), access.Operator(), "acne") },
		"open":       func() error { return o.Enable(t.Context(), access.Operator(), "acne") },
		"disconnect": func() error { return o.DisconnectAll(t.Context(), access.Operator(), "olivia", "acne") },
	} {
		if err := deed(); fault.KindOf(err) != fault.NotFound || fault.Public(err) != "There is no such CRM." {
			t.Errorf("%s: got %v, want that there is no such CRM", what, err)
		}
	}
}
