package embed

import (
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/lead"
	"hearthline/internal/store"
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

// TestSave_ByAdministrator_NewTrustResets: whoever adds a key can sign in as any linked user. So another key, secret or
// system by an administrator ends the approval, the links and the sessions, and everyone concerned is told. The
// operator rotates keys without that.
func TestSave_ByAdministrator_NewTrustResets(t *testing.T) {
	t.Parallel()
	second, third := newKey(t), newKey(t)
	for name, try := range map[string]struct {
		change func(o *harness, e *Setup)
		reset  bool
	}{
		"nothing":            {func(*harness, *Setup) {}, false},
		"other name":         {func(_ *harness, e *Setup) { e.Name = "Acme, renamed" }, false},
		"one more origin":    {func(_ *harness, e *Setup) { e.Origins = append(e.Origins, "https://app.example") }, false},
		"one key less":       {func(o *harness, e *Setup) { e.Keys = keySet(t, o.private) }, false},
		"one key more":       {func(o *harness, e *Setup) { e.Keys = keySet(t, o.private, second, third) }, true},
		"other key":          {func(o *harness, e *Setup) { e.Keys = keySet(t, o.private, third) }, true},
		"a first secret":     {func(_ *harness, e *Setup) { e.Secret = strings.Repeat("s", 24) }, true},
		"other issuer":       {func(_ *harness, e *Setup) { e.Issuer = "https://other.example" }, true},
		"other organization": {func(_ *harness, e *Setup) { e.Organization = "00D" }, true},
		"other company":      {func(_ *harness, e *Setup) { e.BrokerID = "lakeside" }, true},
	} {
		o := newHarness(t)
		o.addAdmin()
		e := o.setup()
		e.Keys = keySet(t, o.private, second)
		o.save(e)
		o.connect("olivia")
		o.must(o.Attest(t.Context(), access.Operator(), "acme", "Quinn"))
		in := o.enter("olivia", "h1", "")
		o.notices = map[string][]string{}
		try.change(o, &e)
		o.must(o.Save(t.Context(), access.By{Actor: o.actor("ann"), Permission: access.ManageSettings}, e))
		c, err := o.Client(t.Context(), "acme")
		o.must(err)
		links, err := o.Links(t.Context(), "olivia")
		o.must(err)
		_, _, err = o.store.Session(t.Context(), in.Session.IDHash)
		stays := name != "one key less" && !try.reset // whoever launched with the removed key is signed out
		if c.Attested() == try.reset || (len(links) == 0) != try.reset || (err == nil) != stays {
			t.Errorf("%s: got attested %v, %d links, session %v, want reset %v", name, c.Attested(), len(links), err, try.reset)
		}
		for id, kind := range map[string]lead.NoticeKind{"ann": lead.NoticeCRMChanged,
			"olivia": lead.NoticeCRMDisconnected} {
			got, err := o.store.Notices(t.Context(), store.UserScopeOf(o.actor(id)), "")
			o.must(err)
			told := len(got.Notices) == 1 && got.Notices[0].Kind == kind && got.Notices[0].ByName == "Ann Quill"
			if told != try.reset || (len(o.notices[id]) == 1) != try.reset {
				t.Errorf("%s: %s has %+v and emails %q, want told %v", name, id, got.Notices, o.notices[id], try.reset)
			}
		}
		if len(o.notices["marcus"]) > 0 {
			t.Errorf("%s: a user who isn’t connected was told %q", name, o.notices["marcus"])
		}
	}
}

// TestAttest_ByAdministrator_Denied: only the operator approves a CRM's sign-in without a second person.
func TestAttest_ByAdministrator_Denied(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.addAdmin()
	err := o.Attest(t.Context(), access.By{Actor: o.actor("ann"), Permission: access.ManageSettings}, "acme", "Quinn")
	if c, readErr := o.Client(t.Context(), "acme"); !fault.Is(err, fault.Denied) || readErr != nil || c.Attested() {
		t.Errorf("got %v, attested %v, %v, want it denied", err, c.Attested(), readErr)
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
