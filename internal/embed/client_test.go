package embed

import (
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
)

func TestAttest_CountsAsSecondFactor(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.connect("olivia")
	if err := o.Attest(t.Context(), access.Operator(), "acme", "Quinn Individual"); err != nil {
		t.Fatal(err)
	}
	if v := o.visit(o.enter("olivia", "h1", "").ID, "h1"); v.User.VouchedByCRM {
		t.Error("an attested sign-in needs a step-up")
	}
	if err := o.RevokeAttestation(t.Context(), access.Operator(), "acme"); err != nil {
		t.Fatal(err)
	}
	if in := o.enter("olivia", "h2", ""); in.Session.Level != 1 {
		t.Error("a revoked attestation still counts")
	}
}

func TestDisable_EndsEveryFrame(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.connect("olivia")
	in := o.enter("olivia", "h1", "")
	if got := o.Origins(t.Context(), "acme"); len(got) != 1 {
		t.Errorf("got %v", got)
	}
	if err := o.Disable(t.Context(), access.Operator(), "acme"); err != nil {
		t.Fatal(err)
	}
	if got := o.Origins(t.Context(), "acme"); got != nil {
		t.Errorf("got %v, want none", got)
	}
	if _, err := o.Visit(t.Context(), "acme", in.ID, "h1"); !fault.Is(err, fault.NotFound) {
		t.Errorf("got %v", err)
	}
	if _, err := o.launch("crm-olivia", ""); !fault.Is(err, fault.NotFound) {
		t.Errorf("got %v", err)
	}
}

func TestSave_OtherSystem_ResetsTrust(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	setup := func() Setup {
		return Setup{Key: "acme", Name: "Acme", BrokerID: "summit", Kind: launch.KindToken,
			Origins: []string{"https://crm.example"}, Issuer: "https://crm.example"}
	}
	for name, try := range map[string]struct {
		change    func(*Setup)
		connected bool
	}{
		"other name":    {func(e *Setup) { e.Name = "Acme CRM" }, true},
		"more origins":  {func(e *Setup) { e.Origins = []string{"https://crm.example", "https://app.example"} }, true},
		"other issuer":  {func(e *Setup) { e.Issuer = "https://other.example" }, false},
		"other company": {func(e *Setup) { e.BrokerID = "lakeside" }, false},
	} {
		o.save(setup())
		o.connect("olivia")
		if err := o.Attest(t.Context(), access.Operator(), "acme", "Quinn"); err != nil {
			t.Fatal(err)
		}
		e := setup()
		try.change(&e)
		o.save(e)
		o.save(setup())
		p := o.mustLaunch("crm-olivia", "")
		if p.Connected() != try.connected || p.Client.Attested() != try.connected {
			t.Errorf("%s: got connected %v, attested %v, want %v", name, p.Connected(), p.Client.Attested(), try.connected)
		}
	}
}

func TestSave_MissingField_Invalid(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	valid := Setup{Key: "sf", Name: "Salesforce", BrokerID: "summit", Kind: launch.KindCanvas,
		Origins: []string{"https://a.my.salesforce.com"}, Organization: "00D", Secret: strings.Repeat("x", 24)}
	o.save(valid)
	for name, change := range map[string]func(*Setup){
		"key":     func(e *Setup) { e.Key = "A/b" },
		"origins": func(e *Setup) { e.Origins = []string{"https://*.salesforce.com"} }, "name": func(e *Setup) {
			e.Name = ""
		},
		"secret": func(e *Setup) { e.Key, e.Secret = "sf2", "short" }, "organization": func(e *Setup) { e.Organization = "" },
		"kind":     func(e *Setup) { e.Kind = "x" },
		"brokerId": func(e *Setup) { e.BrokerID = "" }, "issuer": func(e *Setup) { e.Kind = launch.KindToken },
	} {
		e := valid
		change(&e)
		err := o.Save(t.Context(), access.Operator(), e)
		found := false
		for _, f := range fault.FieldsOf(err) {
			found = found || f.Name == name
		}
		if !found {
			t.Errorf("%s: got %v", name, err)
		}
	}
	// Both secrets are valid until the former is retired.
	valid.Secret = strings.Repeat("y", 24)
	o.save(valid)
	c, err := o.Client(t.Context(), "sf")
	if err != nil || string(c.Secret.Reveal()) != strings.Repeat("x", 24) ||
		string(c.SecretNext.Reveal()) != valid.Secret {
		t.Errorf("got %q and %q, %v", c.Secret.Reveal(), c.SecretNext.Reveal(), err)
	}
	if err := o.RetireSecret(t.Context(), access.Operator(), "sf"); err != nil {
		t.Fatal(err)
	}
	if c, err = o.Client(t.Context(), "sf"); err != nil || string(c.Secret.Reveal()) != valid.Secret ||
		len(c.SecretNext.Reveal()) != 0 {
		t.Errorf("got %v", err)
	}
}
