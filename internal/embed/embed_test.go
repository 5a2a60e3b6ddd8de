package embed

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// office is a service with one CRM, "acme", of the company summit.
type office struct {
	*Service
	t       *testing.T
	store   *store.Store
	private ed25519.PrivateKey
	at      time.Time
	jti     int
}

func newOffice(t *testing.T) *office {
	t.Helper()
	v, err := vault.InMemory()
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "portal.db"), store.Options{MAC: v.MAC})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	o := &office{t: t, store: s, at: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
	o.Service = New(s, v, Options{Now: func() time.Time { return o.at }, Base: &url.URL{Scheme: "https", Host: "desk.example"}})
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	o.private = private
	keys, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: public, KeyID: "k1"}}})
	if err != nil {
		t.Fatal(err)
	}
	o.save(Setup{Key: "acme", Name: "Acme CRM", BrokerID: "summit", Kind: launch.KindToken, Origins: []string{"https://crm.example"}, Issuer: "https://crm.example", Keys: string(keys)})
	for _, who := range []string{"olivia", "marcus"} {
		o.person(who, "summit")
	}
	o.person("piotr", "lakeside")
	return o
}

func (o *office) save(e Setup) {
	o.t.Helper()
	if err := o.Save(o.t.Context(), "system", e); err != nil {
		o.t.Fatal(err)
	}
}

func (o *office) person(id, broker string) access.Actor {
	o.t.Helper()
	a := access.Actor{UserID: id, Name: id, Email: id + "@" + broker + ".test", Role: access.Originator, OriginatorUUID: "o-" + id, BrokerID: broker}
	if err := o.store.AddUser(o.t.Context(), access.User{Actor: a}, ""); err != nil {
		o.t.Fatal(err)
	}
	return a
}

// launch posts a token of a log-in in the CRM.
func (o *office) launch(subject, email string) (Pressable, error) {
	o.t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: o.private}, (&jose.SignerOptions{}).WithType(launch.TokenType).WithHeader("kid", "k1"))
	if err != nil {
		o.t.Fatal(err)
	}
	o.jti++
	raw, err := jwt.Signed(signer).Claims(map[string]any{
		"iss": "https://crm.example", "aud": "https://desk.example/launch/jwt/acme", "sub": subject, "jti": string(rune('a' + o.jti)),
		"iat": o.at.Unix(), "exp": o.at.Unix() + 60, "email": email, "record": map[string]any{"type": "contact", "id": "51"},
	}).Serialize()
	if err != nil {
		o.t.Fatal(err)
	}
	return o.Post(o.t.Context(), launch.KindToken, "acme", raw)
}

func (o *office) launched(subject, email string) Pressable {
	o.t.Helper()
	p, err := o.launch(subject, email)
	if err != nil {
		o.t.Fatal(err)
	}
	return p
}

func (o *office) connected(who string) {
	o.t.Helper()
	p := o.launched("crm-"+who, "")
	if p.Known() {
		return
	}
	if err := o.Connect(o.t.Context(), o.actor(who), p.Launched, p.Match); err != nil {
		o.t.Fatal(err)
	}
}

func (o *office) actor(who string) access.Actor {
	o.t.Helper()
	u, err := o.store.User(o.t.Context(), who)
	if err != nil {
		o.t.Fatal(err)
	}
	return u.Actor
}

// audit is what was written down of an act, the newest first.
func (o *office) audit(act store.Act) []store.Audited {
	o.t.Helper()
	rows, err := o.store.Audits(o.t.Context(), store.AuditQuery{Action: act, Limit: 100})
	if err != nil {
		o.t.Fatal(err)
	}
	return rows
}

func (o *office) enters(who, hash, before string) Entered {
	o.t.Helper()
	p := o.launched("crm-"+who, "")
	in, err := o.Enter(o.t.Context(), "acme", Entering{Code: p.Code, Session: access.Session{IDHash: hash}, Before: before})
	if err != nil {
		o.t.Fatal(err)
	}
	return in
}

func (o *office) visit(launchID, hash string) Visit {
	o.t.Helper()
	v, err := o.Visit(o.t.Context(), "acme", launchID, hash)
	if err != nil {
		o.t.Fatal(err)
	}
	return v
}

func TestALaunchThatNobodyIsConnectedToEntersNobody(t *testing.T) {
	o := newOffice(t)
	p := o.launched("crm-olivia", "")
	if p.Known() {
		t.Fatalf("got %q, want nobody", p.Person.UserID)
	}
	if _, err := o.Enter(t.Context(), "acme", Entering{Code: p.Code, Session: access.Session{IDHash: "h"}}); fault.KindOf(err) != fault.Denied {
		t.Errorf("got %v, want it refused", err)
	}
	if err := o.Connect(t.Context(), o.actor("olivia"), p.Launched, strings.ToLower(p.Match)); err != nil {
		t.Fatal(err)
	}
	// The code was not used up: the same press goes on now.
	in, err := o.Enter(t.Context(), "acme", Entering{Code: p.Code, Session: access.Session{IDHash: "h"}})
	if err != nil || in.Person.UserID != "olivia" || in.Session.Proof != access.ByConfirmed {
		t.Fatalf("got %+v, %v", in.Session, err)
	}
	if _, err := o.Enter(t.Context(), "acme", Entering{Code: p.Code, Session: access.Session{IDHash: "h2"}}); fault.KindOf(err) != fault.Conflict {
		t.Errorf("the code again: got %v", err)
	}
}

func TestWhoseLogInItIs(t *testing.T) {
	o := newOffice(t)
	for name, try := range map[string]struct {
		who, email, typed string
		want              fault.Kind
	}{
		"of another company": {"piotr", "", "", fault.Denied}, "with a colleague's e-mail": {"marcus", "olivia@summit.test", "", fault.Denied},
		"with other letters": {"olivia", "", "NOPE1", fault.Invalid},
	} {
		p := o.launched("crm-"+name, try.email)
		typed := p.Match
		if try.typed != "" {
			typed = try.typed
		}
		if err := o.Connect(t.Context(), o.actor(try.who), p.Launched, typed); fault.KindOf(err) != try.want {
			t.Errorf("%s: got %v, want %v", name, err, try.want)
		}
	}
	o.connected("olivia")
	p := o.launched("crm-olivia", "")
	if err := o.Connect(t.Context(), o.actor("marcus"), p.Launched, p.Match); fault.KindOf(err) != fault.Conflict {
		t.Errorf("somebody else's: got %v, want a conflict", err)
	}
	if err := o.Confirm(t.Context(), o.actor("marcus"), p.Launched, p.Match); fault.KindOf(err) != fault.Denied {
		t.Errorf("confirmed by another person: got %v", err)
	}
}

func TestLettersAreTriedAFewTimes(t *testing.T) {
	o := newOffice(t)
	connect := func(l Launched, typed string) error { return o.Connect(t.Context(), o.actor("olivia"), l, typed) }
	confirm := func(l Launched, typed string) error { return o.Confirm(t.Context(), o.actor("olivia"), l, typed) }
	for i, step := range []struct {
		name  string
		prove func(Launched, string) error
	}{{"connecting", connect}, {"confirming", confirm}} {
		p := o.launched("crm-olivia", "")
		for try := range mostTries {
			// What the page was shown with is old by then: the count is the store's.
			if err := step.prove(p.Launched, "-"); fault.KindOf(err) != fault.Invalid {
				t.Fatalf("%s, try %d: got %v", step.name, try+1, err)
			}
		}
		for _, typed := range []string{"-", p.Match} {
			if err := step.prove(p.Launched, typed); fault.KindOf(err) != fault.Conflict {
				t.Errorf("%s, too late: got %v", step.name, err)
			}
		}
		if got, want := len(o.audit("embed.mismatch")), (i+1)*mostTries; got != want {
			t.Errorf("%s: got %d rows of the audit, want %d", step.name, got, want)
		}
		o.connected("olivia")
	}
}

func TestAFrameIsTrustedAsFarAsItIsProved(t *testing.T) {
	o := newOffice(t)
	o.connected("olivia")
	in := o.enters("olivia", "h1", "")
	if v := o.visit(in.ID, "h1"); !v.Signed() || !v.User.Unconfirmed || v.User.Can(access.StartInquiry) || !v.User.Can(access.SeePipeline) {
		t.Fatalf("got %+v", v.User)
	}
	if ok, err := o.Confirmed(t.Context(), o.visit(in.ID, "h1"), "h2"); ok || err != nil {
		t.Fatalf("before: got %v, %v", ok, err)
	}
	if err := o.Confirm(t.Context(), o.actor("olivia"), in.Launched, in.Match); err != nil {
		t.Fatal(err)
	}
	if ok, err := o.Confirmed(t.Context(), o.visit(in.ID, "h1"), "h2"); !ok || err != nil {
		t.Fatalf("after: got %v, %v", ok, err)
	}
	if o.visit(in.ID, "h1").Signed() {
		t.Error("the old token lives on")
	}
	if v := o.visit(in.ID, "h2"); v.User.Unconfirmed {
		t.Error("still unconfirmed")
	}
	// A second record in the same browser, hours later, though the session has idled out.
	o.at = o.at.Add(11 * time.Hour)
	next := o.enters("olivia", "h3", "h2")
	if v := o.visit(next.ID, "h3"); v.User.Unconfirmed {
		t.Error("asked twice in twelve hours")
	}
	o.at = o.at.Add(time.Hour)
	if v := o.enters("olivia", "h4", "h3"); v.Session.Level != 1 {
		t.Error("twelve hours later it still counts")
	}
}

func TestAttestationCountsAsASecondFactor(t *testing.T) {
	o := newOffice(t)
	o.connected("olivia")
	if err := o.Attest(t.Context(), "admin", "acme", "Quinn Individual"); err != nil {
		t.Fatal(err)
	}
	if v := o.visit(o.enters("olivia", "h1", "").ID, "h1"); v.User.Unconfirmed {
		t.Error("an attested log-in is asked again")
	}
	if err := o.Attest(t.Context(), "admin", "acme", ""); err != nil {
		t.Fatal(err)
	}
	if in := o.enters("olivia", "h2", ""); in.Session.Level != 1 {
		t.Error("what was taken back still counts")
	}
}

func TestAFrameIsItsOwn(t *testing.T) {
	o := newOffice(t)
	o.connected("olivia")
	o.connected("marcus")
	hers, his := o.enters("olivia", "h-olivia", ""), o.enters("marcus", "h-marcus", "")
	if o.visit(hers.ID, "h-marcus").Signed() || o.visit(his.ID, "h-olivia").Signed() {
		t.Error("a launch opens with another person's session")
	}
	if v, err := o.Visit(t.Context(), "other", hers.ID, "h-olivia"); err == nil && v.Signed() {
		t.Error("a launch opens under another client")
	}
	if !o.visit(hers.ID, "h-olivia").Signed() {
		t.Error("her own does not open")
	}
	o.at = o.at.Add(Idle)
	if o.visit(hers.ID, "h-olivia").Signed() {
		t.Error("an idle frame lives on")
	}
}

func TestAClosedClientShutsEveryFrame(t *testing.T) {
	o := newOffice(t)
	o.connected("olivia")
	in := o.enters("olivia", "h1", "")
	if got := o.Origins(t.Context(), "acme"); len(got) != 1 {
		t.Errorf("got %v", got)
	}
	if err := o.Close(t.Context(), "admin", "acme"); err != nil {
		t.Fatal(err)
	}
	if got := o.Origins(t.Context(), "acme"); got != nil {
		t.Errorf("got %v, want nobody", got)
	}
	if _, err := o.Visit(t.Context(), "acme", in.ID, "h1"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("got %v", err)
	}
	if _, err := o.launch("crm-olivia", ""); fault.KindOf(err) != fault.NotFound {
		t.Errorf("got %v", err)
	}
}

func TestAClientOfAnotherSystemIsKnownToNobody(t *testing.T) {
	o := newOffice(t)
	setup := func() Setup {
		return Setup{Key: "acme", Name: "Acme", BrokerID: "summit", Kind: launch.KindToken, Origins: []string{"https://crm.example"}, Issuer: "https://crm.example"}
	}
	for name, try := range map[string]struct {
		change func(*Setup)
		known  bool
	}{
		"another name":    {func(e *Setup) { e.Name = "Acme CRM" }, true},
		"another origin":  {func(e *Setup) { e.Origins = []string{"https://crm.example", "https://app.example"} }, true},
		"another issuer":  {func(e *Setup) { e.Issuer = "https://other.example" }, false},
		"another company": {func(e *Setup) { e.BrokerID = "lakeside" }, false},
	} {
		o.save(setup())
		o.connected("olivia")
		if err := o.Attest(t.Context(), "system", "acme", "Quinn"); err != nil {
			t.Fatal(err)
		}
		e := setup()
		try.change(&e)
		o.save(e)
		o.save(setup())
		p := o.launched("crm-olivia", "")
		if p.Known() != try.known || p.Client.Attested() != try.known {
			t.Errorf("%s: got known %v, attested %v, want %v", name, p.Known(), p.Client.Attested(), try.known)
		}
	}
}

func TestATokenIsPostedOnce(t *testing.T) {
	o := newOffice(t)
	o.launched("crm-olivia", "")
	o.jti--
	if _, err := o.launch("crm-olivia", ""); fault.KindOf(err) != fault.Conflict {
		t.Errorf("got %v, want a conflict", err)
	}
}

func TestWhatASetupMustSay(t *testing.T) {
	o := newOffice(t)
	fine := Setup{Key: "sf", Name: "Salesforce", BrokerID: "summit", Kind: launch.KindCanvas, Origins: []string{"https://a.my.salesforce.com"}, Organization: "00D", Secret: strings.Repeat("x", 24)}
	o.save(fine)
	for name, change := range map[string]func(*Setup){
		"key": func(e *Setup) { e.Key = "A/b" }, "origins": func(e *Setup) { e.Origins = []string{"https://*.salesforce.com"} }, "name": func(e *Setup) { e.Name = "" },
		"secret": func(e *Setup) { e.Key, e.Secret = "sf2", "short" }, "organization": func(e *Setup) { e.Organization = "" }, "kind": func(e *Setup) { e.Kind = "x" },
		"brokerId": func(e *Setup) { e.BrokerID = "" }, "issuer": func(e *Setup) { e.Kind = launch.KindToken },
	} {
		e := fine
		change(&e)
		err := o.Save(t.Context(), "system", e)
		found := false
		for _, f := range fault.FieldsOf(err) {
			found = found || f.Name == name
		}
		if !found {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for _, origin := range []string{"http://crm.example", "https://crm.example/", "https://crm.example/path", "https://*", "null", "https://a b", "https://u@crm.example", "https://crm.example;"} {
		if exactOrigin(origin) {
			t.Errorf("%q was taken for an origin", origin)
		}
	}
	// Both secrets hold until the former is retired.
	fine.Secret = strings.Repeat("y", 24)
	o.save(fine)
	c, err := o.Client(t.Context(), "sf")
	if err != nil || string(c.Secret.Reveal()) != strings.Repeat("x", 24) || string(c.SecretNext.Reveal()) != fine.Secret {
		t.Errorf("got %q and %q, %v", c.Secret.Reveal(), c.SecretNext.Reveal(), err)
	}
	if err := o.Retire(t.Context(), "system", "sf"); err != nil {
		t.Fatal(err)
	}
	if c, err = o.Client(t.Context(), "sf"); err != nil || string(c.Secret.Reveal()) != fine.Secret || len(c.SecretNext.Reveal()) != 0 {
		t.Errorf("got %v", err)
	}
}

func TestWhichReferenceCarriesARecord(t *testing.T) {
	for _, tt := range []struct{ taken, kind, want string }{
		{"externalAppId", "contact", "externalCustomerId"}, {"externalAppId", "Opportunity", "externalReferenceId"},
		{"externalCustomerId", "Contact", "externalReferenceId"}, {"externalReferenceId", "deal", "externalCustomerId"},
	} {
		s := &Service{Options: Options{Taken: tt.taken}}
		if got := s.ReferenceControl(launch.Record{Type: tt.kind, ID: "1"}); got != "partnerDataRequest."+tt.want {
			t.Errorf("%+v: got %s", tt, got)
		}
	}
}
