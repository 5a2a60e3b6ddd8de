package embed

import (
	"strings"
	"testing"
	"time"

	"hearthline/internal/launch"
)

// TestSave_LessTrust_EndsSessions: users who came from a CRM stay signed in unless a change removes
// something that their launch may have depended on.
func TestSave_LessTrust_EndsSessions(t *testing.T) {
	t.Parallel()
	second := newKey(t)
	for name, try := range map[string]struct {
		change func(o *harness, e *Setup)
		open   bool
	}{
		"nothing":               {func(*harness, *Setup) {}, true},
		"no keys typed":         {func(_ *harness, e *Setup) { e.Keys = "" }, true},
		"other name":            {func(_ *harness, e *Setup) { e.Name = "Acme, renamed" }, true},
		"one more origin":       {func(_ *harness, e *Setup) { e.Origins = append(e.Origins, "https://app.example") }, true},
		"one more key":          {func(o *harness, e *Setup) { e.Keys = keySet(t, o.private, second) }, true},
		"same keys, other JSON": {func(_ *harness, e *Setup) { e.Keys = strings.ReplaceAll(e.Keys, ":", ": ") }, true},
		"other origin":          {func(_ *harness, e *Setup) { e.Origins = []string{"https://app.example"} }, false},
		"other key":             {func(_ *harness, e *Setup) { e.Keys = keySet(t, second) }, false},
		"other issuer":          {func(_ *harness, e *Setup) { e.Issuer = "https://other.example" }, false},
		"other company":         {func(_ *harness, e *Setup) { e.BrokerID = "lakeside" }, false},
	} {
		o := newHarness(t)
		o.connect("olivia")
		in := o.enter("olivia", "h1", "")
		e := o.setup()
		try.change(o, &e)
		o.save(e)
		if v, err := o.Visit(t.Context(), "acme", in.ID, "h1"); (err == nil && v.SignedIn()) != try.open {
			t.Errorf("%s: got signed in %v (%v), want %v", name, v.SignedIn(), err, try.open)
		}
	}
}

// TestSave_NextSecret_KeepsSessions: a next secret ends no session, but the next secret that it
// replaces may have signed somebody's launch.
func TestSave_NextSecret_KeepsSessions(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	sf := Setup{Key: "sf", Name: "Salesforce", BrokerID: "summit", Kind: launch.KindCanvas,
		Origins: []string{"https://crm.example"}, Organization: "00D", Secret: strings.Repeat("a", 24)}
	o.save(sf)
	row, err := o.store.EmbedClient(t.Context(), "sf")
	o.must(err)
	c, err := o.decryptClient(row)
	o.must(err)
	for _, step := range []struct {
		secret string
		open   bool
	}{{"b", true}, {"b", true}, {"", true}, {"c", false}} {
		l := o.verifiedLaunch(c)
		sf.Secret = strings.Repeat(step.secret, 24)
		o.save(sf)
		if _, err := o.Find(t.Context(), "sf", l.ID); (err == nil) != step.open {
			t.Errorf("next secret %q: got %v, want open %v", step.secret, err, step.open)
		}
	}
}

// verifiedLaunch creates a verified launch.
func (h *harness) verifiedLaunch(c Client) VerifiedLaunch {
	h.t.Helper()
	h.jti++
	l, err := h.saveLaunch(h.t.Context(), c, launch.Assertion{Subject: "crm-olivia", Origin: "https://crm.example",
		ReplayKey: strings.Repeat("r", h.jti), Expires: h.at.Add(time.Minute)})
	h.must(err)
	return l
}
