package embed

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/launch"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// harness is a service with one CRM, "acme", of the company summit.
type harness struct {
	*Service
	t            *testing.T
	store        *store.Store
	rotatedVault *vault.Vault // the same vault after a key rotation
	private      ed25519.PrivateKey
	at           time.Time
	jti          int
	keys         string
	notices      map[string][]string // by user id
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	v, rotated, err := vault.InMemoryRotated()
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), storetest.NewDatabase(t), store.Options{MAC: v.MAC})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	o := &harness{t: t, store: s, rotatedVault: rotated, notices: map[string][]string{}, at: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
	o.Service = New(s, v, Options{Now: func() time.Time { return o.at }, Base: &url.URL{Scheme: "https", Host: "desk.example"}, Notify: func(_ context.Context, _ *store.Tx, person access.User, what string) error {
		o.notices[person.UserID] = append(o.notices[person.UserID], what)
		return nil
	}})
	o.private = newKey(t)
	o.keys = keySet(t, o.private)
	for _, company := range []string{"summit", "lakeside"} {
		o.addToDirectory(company, company)
	}
	o.save(o.setup())
	for _, id := range []string{"olivia", "marcus"} {
		o.person(id, "summit")
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

// keySet returns the public keys as an administrator pastes them.
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

// setup is the setup of acme.
func (o *harness) setup() Setup {
	return Setup{Key: "acme", Name: "Acme CRM", BrokerID: "summit", Kind: launch.KindToken, Origins: []string{"https://crm.example"}, Issuer: "https://crm.example", Keys: o.keys}
}

func (o *harness) must(err error) {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
}

// addToDirectory adds an originator without an account to the lender's directory.
func (o *harness) addToDirectory(id, broker string) {
	o.t.Helper()
	addOriginator(o.t, o.store, id, broker)
}

func addOriginator(t *testing.T, s *store.Store, id, broker string) {
	t.Helper()
	one := heloc.Originator{ID: heloc.OriginatorID("o-" + id), FirstName: id, Email: id + "@" + broker + ".test", Broker: &heloc.BrokerCompany{ID: broker}}
	if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.SaveOriginator(t.Context(), one, time.Unix(1795269600, 0)) }); err != nil {
		t.Fatal(err)
	}
}

// invite adds an invitation to a company.
func (o *harness) invite(email, broker string) {
	o.t.Helper()
	i := store.Invitation{
		ID: "i-" + email, Kind: "invite", TokenHash: "t-" + email, Subject: o.vault.InvitationIndexes(email)[0], Company: access.CompanyOf(broker, ""),
		Sealed: []byte("x"), CreatedAt: store.Millis(o.at), ExpiresAt: store.Millis(o.at.Add(time.Hour)),
	}
	o.must(o.store.Write(o.t.Context(), func(tx *store.Tx) error { return tx.AddInvitation(o.t.Context(), i) }))
}

func (o *harness) save(e Setup) {
	o.t.Helper()
	if err := o.Save(o.t.Context(), access.Operator(), e); err != nil {
		o.t.Fatal(err)
	}
}

func (o *harness) person(id, broker string) access.Actor {
	o.t.Helper()
	a := access.Actor{UserID: id, Name: id, Email: id + "@" + broker + ".test", Role: access.Originator, OriginatorUUID: "o-" + id, BrokerID: broker}
	if err := o.store.AddUser(o.t.Context(), access.User{Actor: a}, ""); err != nil {
		o.t.Fatal(err)
	}
	return a
}

// launch posts a token for a CRM user.
func (o *harness) launch(subject, email string) (PendingLaunch, error) {
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
	return o.LaunchByPost(o.t.Context(), launch.KindToken, "acme", raw)
}

func (o *harness) mustLaunch(subject, email string) PendingLaunch {
	o.t.Helper()
	p, err := o.launch(subject, email)
	if err != nil {
		o.t.Fatal(err)
	}
	return p
}

func (o *harness) connect(userID string) {
	o.t.Helper()
	p := o.mustLaunch("crm-"+userID, "")
	if p.Connected() {
		return
	}
	if err := o.Connect(o.t.Context(), o.actor(userID), p.VerifiedLaunch, p.MatchCode); err != nil {
		o.t.Fatal(err)
	}
}

func (o *harness) actor(userID string) access.Actor {
	o.t.Helper()
	u, err := o.store.User(o.t.Context(), userID)
	if err != nil {
		o.t.Fatal(err)
	}
	return u.Actor
}

// audit returns the audit entries of an action, the newest first.
func (o *harness) audit(action store.AuditAction) []store.AuditEntry {
	o.t.Helper()
	rows, err := o.store.Audits(o.t.Context(), store.AuditQuery{Action: action, Limit: 100})
	if err != nil {
		o.t.Fatal(err)
	}
	return rows
}

func (o *harness) enter(userID, hash, before string) EnteredLaunch {
	o.t.Helper()
	p := o.mustLaunch("crm-"+userID, "")
	in, err := o.Enter(o.t.Context(), "acme", EnterRequest{Code: p.Code, Session: access.Session{IDHash: hash}, PreviousHash: before})
	if err != nil {
		o.t.Fatal(err)
	}
	return in
}

func (o *harness) visit(launchID, hash string) Visit {
	o.t.Helper()
	v, err := o.Visit(o.t.Context(), "acme", launchID, hash)
	if err != nil {
		o.t.Fatal(err)
	}
	return v
}
