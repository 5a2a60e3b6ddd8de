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
	keyID        string // of private
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
	o := &harness{t: t, store: s, rotatedVault: rotated, notices: map[string][]string{},
		at: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
	note := func(_ context.Context, _ *store.Tx, person access.User, what string) error {
		o.notices[person.UserID] = append(o.notices[person.UserID], what)
		return nil
	}
	o.Service = New(s, v, Options{Now: func() time.Time { return o.at },
		Base: &url.URL{Scheme: "https", Host: "desk.example"}, Notify: note, NotifyAdmin: note})
	o.private, o.keyID = newKey(t), "k1"
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
func (h *harness) setup() Setup {
	return Setup{Key: "acme", Name: "Acme CRM", BrokerID: "summit", Kind: launch.KindToken,
		Origins: []string{"https://crm.example"}, Issuer: "https://crm.example", Keys: h.keys}
}

func (h *harness) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// addToDirectory adds an originator without an account to the lender's directory.
func (h *harness) addToDirectory(id, broker string) {
	h.t.Helper()
	addOriginator(h.t, h.store, id, broker)
}

func addOriginator(t *testing.T, s *store.Store, id, broker string) {
	t.Helper()
	one := heloc.Originator{ID: heloc.OriginatorID("o-" + id), FirstName: id, Email: id + "@" + broker + ".test",
		Broker: &heloc.BrokerCompany{ID: broker}}
	if err := s.Write(t.Context(), func(tx *store.Tx) error {
		return tx.SaveOriginator(t.Context(), one, time.Unix(1795269600, 0))
	}); err != nil {
		t.Fatal(err)
	}
}

// invite adds an invitation to a company.
func (h *harness) invite(email, broker string) {
	h.t.Helper()
	i := store.Invitation{
		ID: "i-" + email, Kind: "invite", TokenHash: "t-" + email, Subject: h.vault.InvitationIndexes(email)[0],
		Company: access.CompanyOf(broker, ""), Sealed: []byte("x"), CreatedAt: store.Millis(h.at),
		ExpiresAt: store.Millis(h.at.Add(time.Hour)),
	}
	h.must(h.store.Write(h.t.Context(), func(tx *store.Tx) error { return tx.AddInvitation(h.t.Context(), i) }))
}

func (h *harness) save(e Setup) {
	h.t.Helper()
	if err := h.Save(h.t.Context(), access.Operator(), e); err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) person(id, broker string) access.Actor {
	h.t.Helper()
	a := access.Actor{UserID: id, Name: id, Email: id + "@" + broker + ".test", Role: access.Originator,
		OriginatorUUID: "o-" + id, BrokerID: broker}
	if err := h.store.AddUser(h.t.Context(), access.User{Actor: a}, ""); err != nil {
		h.t.Fatal(err)
	}
	return a
}

// addAdmin adds the administrator ann.
func (h *harness) addAdmin() {
	h.t.Helper()
	ann := access.Actor{UserID: "ann", Name: "Ann Quill", Email: "ann@desk.test", Role: access.Admin}
	h.must(h.store.AddUser(h.t.Context(), access.User{Actor: ann}, ""))
}

// launch posts a token for a CRM user.
func (h *harness) launch(subject, email string) (PendingLaunch, error) {
	h.t.Helper()
	h.jti++
	return h.LaunchByPost(h.t.Context(), launch.KindToken, "acme", h.token(subject, email))
}

// token is a token for a CRM user.
func (h *harness) token(subject, email string) string {
	h.t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: h.private},
		(&jose.SignerOptions{}).WithType(launch.TokenType).WithHeader("kid", h.keyID))
	if err != nil {
		h.t.Fatal(err)
	}
	raw, err := jwt.Signed(signer).Claims(map[string]any{
		"iss": "https://crm.example", "aud": "https://desk.example/launch/jwt/acme", "sub": subject,
		"jti": string(rune('a' + h.jti)),
		"iat": h.at.Unix(), "exp": h.at.Unix() + 60, "email": email, "record": map[string]any{"type": "contact", "id": "51"},
	}).Serialize()
	if err != nil {
		h.t.Fatal(err)
	}
	return raw
}

func (h *harness) mustLaunch(subject, email string) PendingLaunch {
	h.t.Helper()
	p, err := h.launch(subject, email)
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

func (h *harness) connect(userID string) {
	h.t.Helper()
	p := h.mustLaunch("crm-"+userID, "")
	if p.Connected() {
		return
	}
	if err := h.Connect(h.t.Context(), h.actor(userID), p.VerifiedLaunch, p.MatchCode); err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) actor(userID string) access.Actor {
	h.t.Helper()
	u, err := h.store.User(h.t.Context(), userID)
	if err != nil {
		h.t.Fatal(err)
	}
	return u.Actor
}

// audit returns the audit entries of an action, the newest first.
func (h *harness) audit(action store.AuditAction) []store.AuditEntry {
	h.t.Helper()
	rows, err := h.store.Audits(h.t.Context(), store.AuditQuery{Action: action, Limit: 100})
	if err != nil {
		h.t.Fatal(err)
	}
	return rows
}

func (h *harness) enter(userID, hash, before string) EnteredLaunch {
	h.t.Helper()
	p := h.mustLaunch("crm-"+userID, "")
	in, err := h.Enter(h.t.Context(), "acme", EnterRequest{Code: p.Code, Session: access.Session{IDHash: hash},
		PreviousHash: before})
	if err != nil {
		h.t.Fatal(err)
	}
	return in
}

func (h *harness) visit(launchID, hash string) Visit {
	h.t.Helper()
	v, err := h.Visit(h.t.Context(), "acme", launchID, hash)
	if err != nil {
		h.t.Fatal(err)
	}
	return v
}
