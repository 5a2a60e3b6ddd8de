package embed

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"net/url"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/heloc"
	"hearthline/internal/launch"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// office is a service with one CRM, "acme", of the company summit.
type office struct {
	*Service
	t       *testing.T
	store   *store.Store
	renewed *vault.Vault // the same after a rotation of keys
	private ed25519.PrivateKey
	at      time.Time
	jti     int
	keys    string
	told    map[string][]string // notices, by person
}

func newOffice(t *testing.T) *office {
	t.Helper()
	v, renewed, err := vault.InMemoryRotated()
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "portal.db"), store.Options{MAC: v.MAC})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	o := &office{t: t, store: s, renewed: renewed, told: map[string][]string{}, at: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
	o.Service = New(s, v, Options{Now: func() time.Time { return o.at }, Base: &url.URL{Scheme: "https", Host: "desk.example"}, Tell: func(_ context.Context, _ *store.Tx, person access.User, what string) error {
		o.told[person.UserID] = append(o.told[person.UserID], what)
		return nil
	}})
	o.private = newKey(t)
	o.keys = keySet(t, o.private)
	for _, company := range []string{"summit", "lakeside"} {
		o.directory(company, company)
	}
	o.save(o.setup())
	for _, who := range []string{"olivia", "marcus"} {
		o.person(who, "summit")
	}
	o.person("piotr", "lakeside")
	return o
}

func newKey(t *testing.T) ed25519.PrivateKey {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return private
}

// keySet are the public halves, as an administrator pastes them.
func keySet(t *testing.T, all ...ed25519.PrivateKey) string {
	t.Helper()
	var keys jose.JSONWebKeySet
	for i, key := range all {
		keys.Keys = append(keys.Keys, jose.JSONWebKey{Key: key.Public(), KeyID: "k" + strconv.Itoa(i+1)})
	}
	text, err := json.Marshal(keys)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// setup is acme's.
func (o *office) setup() Setup {
	return Setup{Key: "acme", Name: "Acme CRM", BrokerID: "summit", Kind: launch.KindToken, Origins: []string{"https://crm.example"}, Issuer: "https://crm.example", Keys: o.keys}
}

func (o *office) must(err error) {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
}

// directory lets the lender know an originator who has no account here.
func (o *office) directory(id, broker string) {
	o.t.Helper()
	inDirectory(o.t, o.store, id, broker)
}

func inDirectory(t *testing.T, s *store.Store, id, broker string) {
	t.Helper()
	one := heloc.Originator{ID: heloc.OriginatorID("o-" + id), FirstName: id, Email: id + "@" + broker + ".test", Broker: &heloc.BrokerCompany{ID: broker}}
	if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.SaveOriginator(t.Context(), one, time.Unix(1795269600, 0)) }); err != nil {
		t.Fatal(err)
	}
}

// invited is somebody whom a company expects.
func (o *office) invited(email, broker string) {
	o.t.Helper()
	i := store.Invitation{
		ID: "i-" + email, Kind: "invite", TokenHash: "t-" + email, Subject: account.InvitationMarks(o.vault, email)[0], Company: store.CompanyOf(broker, ""),
		Sealed: []byte("x"), CreatedAt: store.Millis(o.at), ExpiresAt: store.Millis(o.at.Add(time.Hour)),
	}
	o.must(o.store.Write(o.t.Context(), func(tx *store.Tx) error { return tx.AddInvitation(o.t.Context(), i) }))
}

func (o *office) save(e Setup) {
	o.t.Helper()
	if err := o.Save(o.t.Context(), access.Operator(), e); err != nil {
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
