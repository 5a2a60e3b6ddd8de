package embed

import (
	"crypto/ed25519"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/lead"
	"hearthline/internal/publicnet"
	"hearthline/internal/store"
)

const keysURL = "https://keys.crm.example/jwks.json"

// publisher is a harness whose CRM publishes its keys at keysURL.
type publisher struct {
	*harness
	answer func(w http.ResponseWriter) // to the next reads
	reads  atomic.Int32
}

func (p *publisher) RoundTrip(r *http.Request) (*http.Response, error) {
	p.reads.Add(1)
	if r.URL.String() != keysURL {
		p.t.Errorf("read %s", r.URL)
	}
	w := httptest.NewRecorder()
	if p.answer(w); w.Code == http.StatusGatewayTimeout {
		return nil, publicnet.ErrPrivate
	}
	return w.Result(), nil
}

func (p *publisher) publish(text string) {
	p.answer = func(w http.ResponseWriter) { _, _ = w.Write([]byte(text)) }
}

func (p *publisher) fail(status int) {
	p.answer = func(w http.ResponseWriter) { w.WriteHeader(status) }
}

func newPublisher(t *testing.T) *publisher {
	t.Helper()
	p := &publisher{harness: newHarness(t)}
	p.CRMClient = &http.Client{Transport: p, CheckRedirect: publicnet.Client(0, false).CheckRedirect}
	p.publish(p.keys)
	p.save(p.urlSetup())
	return p
}

// urlSetup is the setup of acme with a URL of its keys.
func (p *publisher) urlSetup() Setup {
	e := p.setup()
	e.Keys, e.KeysURL = "", keysURL
	return e
}

// signWith lets the CRM sign with another key from now on.
func (p *publisher) signWith(key ed25519.PrivateKey) { p.private = key }

func (p *publisher) source() KeySource {
	p.t.Helper()
	c, err := p.Client(p.t.Context(), "acme")
	p.must(err)
	return c.KeySource
}

func (p *publisher) asAdmin(e Setup) error {
	p.t.Helper()
	return p.Save(p.t.Context(), access.By{Actor: p.actor("ann"), Permission: access.ManageSettings}, e)
}

// TestKeysByURL_Rotated_NothingToDo: the CRM replaces its keys at the URL. The next launch is accepted, the old key no
// longer signs one, and nobody is signed out or disconnected.
func TestKeysByURL_Rotated_NothingToDo(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	p.connect("olivia")
	p.must(p.Attest(t.Context(), access.Operator(), "acme", "Quinn"))
	in := p.enter("olivia", "h1", "")
	old, next := p.private, newKey(t)
	p.at = p.at.Add(2 * time.Minute)
	p.publish(keySet(t, next))
	p.signWith(next)
	if l := p.mustLaunch("crm-olivia", ""); l.Person.UserID != "olivia" {
		t.Errorf("a launch with the next key: got %q, want olivia", l.Person.UserID)
	}
	if v := p.visit(in.ID, "h1"); !v.SignedIn() || !v.Client.Attested() {
		t.Errorf("after the rotation: got signed in %v, approved %v", v.SignedIn(), v.Client.Attested())
	}
	p.signWith(old)
	if _, err := p.launch("crm-olivia", ""); !fault.Is(err, fault.Denied) {
		t.Errorf("a launch with the removed key: got %v, want it denied", err)
	}
	if got := p.audit(store.ActionEmbedKeys); len(got) != 1 || got[0].ActorID != "system" {
		t.Errorf("got the audit %+v, want one change of keys", got)
	}
}

// TestKeysByURL_NextKeyID_Read: the CRM signs with a key whose ID the portal has not read yet.
func TestKeysByURL_NextKeyID_Read(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	p.connect("olivia")
	next := newKey(t)
	p.at = p.at.Add(2 * time.Minute)
	p.publish(keySet(t, p.private, next))
	p.signWith(next)
	p.keyID = "k2"
	if l := p.mustLaunch("crm-olivia", ""); l.Person.UserID != "olivia" {
		t.Errorf("got %q, want olivia", l.Person.UserID)
	}
}

// TestKeysByURL_UnknownKey_ReadOnceAMinute: forged launches do not make the portal call the CRM.
func TestKeysByURL_UnknownKey_ReadOnceAMinute(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	p.signWith(newKey(t))
	p.at = p.at.Add(2 * time.Minute)
	before := p.reads.Load()
	var all sync.WaitGroup
	c, err := p.Client(t.Context(), "acme")
	p.must(err)
	for range 8 {
		all.Go(func() {
			if _, err := p.verifyToken(t.Context(), c, "https://desk.example", p.token("crm-olivia", "x")); err == nil {
				t.Error("a forged launch was accepted")
			}
		})
	}
	all.Wait()
	if got := p.reads.Load() - before; got != 1 {
		t.Errorf("read the keys %d times, want once", got)
	}
	p.at = p.at.Add(time.Minute)
	if _, err := p.launch("crm-olivia", ""); err == nil || p.reads.Load()-before != 2 {
		t.Errorf("a minute later: got %v after %d reads, want a second one", err, p.reads.Load()-before)
	}
}

// TestKeysByURL_Fails_OldKeysForADay: while the URL fails, the keys that were read last are used for a day. The client
// says since when it fails.
func TestKeysByURL_Fails_OldKeysForADay(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	began := p.at
	p.fail(http.StatusServiceUnavailable)
	p.at = began.Add(30 * time.Minute)
	p.mustLaunch("crm-olivia", "")
	if got := p.source(); got.FailingAt != 0 || p.reads.Load() != 1 {
		t.Errorf("within the hour: got %+v after %d reads, want none but the first", got, p.reads.Load())
	}
	for _, after := range []time.Duration{2 * time.Hour, 23 * time.Hour} {
		p.at = began.Add(after)
		p.mustLaunch("crm-olivia", "")
	}
	if got := p.source(); !lead.Instant(got.FailingAt).Equal(began.Add(2*time.Hour)) || got.Failure != "503" {
		t.Errorf("got %+v, want it to fail since two hours after the start", got)
	}
	p.at = began.Add(25 * time.Hour)
	if _, err := p.launch("crm-olivia", ""); launch.CauseOf(err) != launch.CauseKeys {
		t.Errorf("after a day: got %v, want no usable keys", err)
	}
	p.at = p.at.Add(2 * time.Minute)
	p.publish(p.keys)
	p.mustLaunch("crm-olivia", "")
	if got := p.source(); got.FailingAt != 0 || got.Failure != "" || !lead.Instant(got.ReadAt).Equal(p.at) {
		t.Errorf("after it answers again: got %+v", got)
	}
}

// TestSave_KeysURL_ReadFirst: a URL is saved only if it returns keys, and only from a public address.
func TestSave_KeysURL_ReadFirst(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	for name, try := range map[string]struct {
		url    string
		answer func()
		want   string
	}{
		"http":     {"http://keys.crm.example/jwks.json", nil, "must begin with https"},
		"user":     {"https://a:b@keys.crm.example/", nil, "without a user name"},
		"redirect": {keysURL, func() { p.fail(http.StatusFound) }, "The URL returned 302"},
		"private":  {keysURL, func() { p.fail(http.StatusGatewayTimeout) }, "private network"},
		"no keys":  {keysURL, func() { p.publish(`{"keys":[]}`) }, "must return public keys"},
		"too long": {keysURL, func() { p.publish(p.keys + strings.Repeat(" ", maxPublishedIn)) }, "must return public keys"},
	} {
		e := p.urlSetup()
		e.Key, e.KeysURL = "other", try.url
		if try.answer != nil {
			try.answer()
		}
		err := p.Save(t.Context(), access.Operator(), e)
		if got := fault.FieldsOf(err); len(got) != 1 || got[0].Name != "keysUrl" ||
			!strings.Contains(got[0].Message, try.want) {
			t.Errorf("%s: got %v (%+v), want %q", name, err, got, try.want)
		}
	}
	p.fail(http.StatusNotFound)
	e := p.urlSetup()
	e.Name = "Acme, renamed"
	p.save(e) // the URL that it has may fail
	if p.mustLaunch("crm-olivia", ""); p.source().URL != keysURL {
		t.Errorf("after renaming: got %+v", p.source())
	}
	e.Keys = p.keys
	if got := fault.FieldsOf(p.Save(t.Context(), access.Operator(), e)); len(got) != 1 || got[0].Name != "keys" {
		t.Errorf("keys and a URL: got %+v", got)
	}
	e.Keys, e.KeysURL = "", ""
	if got := fault.FieldsOf(p.Save(t.Context(), access.Operator(), e)); len(got) != 1 || got[0].Name != "keys" {
		t.Errorf("neither keys nor a URL: got %+v, want keys that were read not to become pasted ones", got)
	}
}

// TestSave_KeysURL_IsTrust: the owner of the URL can sign in as any linked user. So naming it, changing it, or
// pasting keys instead ends the approval and the links; new keys at the same URL do not, and neither do they outdate a
// request for the approval.
func TestSave_KeysURL_IsTrust(t *testing.T) {
	t.Parallel()
	for name, try := range map[string]struct {
		change func(p *publisher, e *Setup)
		reset  bool
	}{
		"nothing":        {func(*publisher, *Setup) {}, false},
		"rotated at URL": {func(p *publisher, _ *Setup) { p.publish(keySet(t, newKey(t))) }, false},
		"other kind": {func(_ *publisher, e *Setup) {
			e.Kind, e.Organization, e.Secret = launch.KindCanvas, "00D", strings.Repeat("s", 24)
		}, true},
		"pasted": {func(p *publisher, e *Setup) { e.KeysURL, e.Keys = "", p.keys }, true},
	} {
		p := newPublisher(t)
		p.addAdmin()
		p.connect("olivia")
		signIn, err := p.SignIn(t.Context(), p.store, "acme", "Quinn")
		p.must(err)
		e := p.urlSetup()
		try.change(p, &e)
		p.must(p.asAdmin(e))
		links, err := p.Links(t.Context(), "olivia")
		p.must(err)
		c, err := p.Client(t.Context(), "acme")
		p.must(err)
		if name == "other kind" && (c.KeySource.URL != "" || len(c.Keys.Keys) > 0) {
			t.Errorf("%s: keys that were read from a URL became pasted ones", name)
		}
		outdated, err := p.SignInOutdated(t.Context(), p.store, signIn)
		p.must(err)
		if (len(links) == 0) != try.reset || (outdated != "") != try.reset {
			t.Errorf("%s: got %d links, request outdated %q, want reset %v", name, len(links), outdated, try.reset)
		}
	}
	p := newPublisher(t)
	p.addAdmin()
	p.must(p.asAdmin(p.setup()))
	p.connect("olivia")
	p.must(p.asAdmin(p.urlSetup()))
	if links, err := p.Links(t.Context(), "olivia"); err != nil || len(links) > 0 {
		t.Errorf("a URL instead of the same pasted keys: got %d links, %v, want none", len(links), err)
	}
}
