package embed

import (
	"strings"
	"testing"
	"time"

	"hearthline/internal/launch"
)

// Who came by a CRM stays while nothing goes that their launch may have rested on.
func TestSave_LessTrust_EndsSessions(t *testing.T) {
	t.Parallel()
	more := newKey(t)
	for name, try := range map[string]struct {
		change func(o *harness, e *Setup)
		stays  bool
	}{
		"nothing":                          {func(*harness, *Setup) {}, true},
		"no keys typed":                    {func(_ *harness, e *Setup) { e.Keys = "" }, true},
		"another name":                     {func(_ *harness, e *Setup) { e.Name = "Acme, renamed" }, true},
		"one more origin":                  {func(_ *harness, e *Setup) { e.Origins = append(e.Origins, "https://app.example") }, true},
		"one more key":                     {func(o *harness, e *Setup) { e.Keys = keySet(t, o.private, more) }, true},
		"the same keys, spelled otherwise": {func(_ *harness, e *Setup) { e.Keys = strings.ReplaceAll(e.Keys, ":", ": ") }, true},
		"another origin":                   {func(_ *harness, e *Setup) { e.Origins = []string{"https://app.example"} }, false},
		"another key":                      {func(_ *harness, e *Setup) { e.Keys = keySet(t, more) }, false},
		"another issuer":                   {func(_ *harness, e *Setup) { e.Issuer = "https://other.example" }, false},
		"another company":                  {func(_ *harness, e *Setup) { e.BrokerID = "lakeside" }, false},
	} {
		o := newHarness(t)
		o.connect("olivia")
		in := o.enter("olivia", "h1", "")
		e := o.setup()
		try.change(o, &e)
		o.save(e)
		if v, err := o.Visit(t.Context(), "acme", in.ID, "h1"); (err == nil && v.SignedIn()) != try.stays {
			t.Errorf("%s: got signed in %v (%v), want %v", name, v.SignedIn(), err, try.stays)
		}
	}
}

// A next secret ends nobody; the one that it takes the place of may have signed somebody in.
func TestSave_NextSecret_KeepsSessions(t *testing.T) {
	o := newHarness(t)
	sf := Setup{Key: "sf", Name: "Salesforce", BrokerID: "summit", Kind: launch.KindCanvas, Origins: []string{"https://crm.example"}, Organization: "00D", Secret: strings.Repeat("a", 24)}
	o.save(sf)
	row, err := o.store.EmbedClient(t.Context(), "sf")
	o.must(err)
	c, err := o.decryptClient(row)
	o.must(err)
	for _, step := range []struct {
		secret string
		stays  bool
	}{{"b", true}, {"b", true}, {"", true}, {"c", false}} {
		l := o.verifiedLaunch(c)
		sf.Secret = strings.Repeat(step.secret, 24)
		o.save(sf)
		if _, err := o.Find(t.Context(), "sf", l.ID); (err == nil) != step.stays {
			t.Errorf("the next secret is %q: got %v, want it open %v", step.secret, err, step.stays)
		}
	}
}

// verifiedLaunch is a launch that was verified.
func (o *harness) verifiedLaunch(c Client) VerifiedLaunch {
	o.t.Helper()
	o.jti++
	l, err := o.saveLaunch(o.t.Context(), c, launch.Assertion{Subject: "crm-olivia", Origin: "https://crm.example", ReplayKey: strings.Repeat("r", o.jti), Expires: o.at.Add(time.Minute)})
	o.must(err)
	return l
}
