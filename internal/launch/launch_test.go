package launch

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"hearthline/internal/fault"
	"hearthline/internal/pii"
)

const (
	audience = "https://desk.example/acme"
	secret   = "a secret of thirty-two bytes ...."
)

var now = time.Unix(1795269600, 0)

// testCRM is a client and the private key behind its pinned one.
type testCRM struct {
	Client
	private any
	alg     jose.SignatureAlgorithm
}

func newTestCRM(t testing.TB, alg jose.SignatureAlgorithm) testCRM {
	t.Helper()
	var private, public any
	switch alg {
	case jose.EdDSA:
		pub, key, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		private, public = key, pub
	case jose.ES256:
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		private, public = key, key.Public()
	default:
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			t.Fatal(err)
		}
		private, public = key, key.Public()
	}
	return testCRM{
		Client: Client{
			Key: "acme", Name: "Acme CRM", Origins: []string{"https://crm.example"}, Kind: KindToken, Issuer: "https://crm.example/",
			Keys: jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: public, KeyID: "k1"}}},
		},
		private: private, alg: alg,
	}
}

func (c testCRM) sign(t testing.TB, header map[jose.HeaderKey]any, body map[string]any) string {
	t.Helper()
	options := &jose.SignerOptions{ExtraHeaders: header}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: c.alg, Key: c.private}, options)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := jwt.Signed(signer).Claims(body).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func tokenHeader() map[jose.HeaderKey]any {
	return map[jose.HeaderKey]any{"typ": TokenType, "kid": "k1"}
}

func validClaims() map[string]any {
	return map[string]any{
		"iss": "https://crm.example/", "aud": audience, "sub": "u-7", "jti": "j-1", "iat": now.Unix() - 10, "exp": now.Unix() + 60,
		"email": "Olivia@Summit.test", "record": map[string]any{"type": "contact", "id": "51"},
		"prefill": map[string]string{"applicant.name.firstName": "Elena", "applicant.ssn": "123-45-6789", "consent.attested": "true", "confirm.duplicate": "true", "operation": "hl-1"},
	}
}

func TestVerifyToken_EachAlgorithm(t *testing.T) {
	for _, alg := range algorithms {
		c := newTestCRM(t, alg)
		got, err := VerifyToken(c.Client, audience, c.sign(t, tokenHeader(), validClaims()), now)
		if err != nil {
			t.Fatalf("%s: %v", alg, err)
		}
		if got.Subject != "u-7" || got.Email != "olivia@summit.test" || got.Record != (Record{"contact", "51"}) || got.Origin != "https://crm.example" || got.Client != "acme" {
			t.Errorf("%s: got %+v", alg, got)
		}
		if len(got.Prefill) != 1 || got.Prefill.Get("applicant.name.firstName") != "Elena" {
			t.Errorf("%s: filled with %v, want the name alone", alg, got.Prefill)
		}
		if got.ReplayKey == "" || strings.Contains(got.ReplayKey, "j-1") {
			t.Errorf("%s: got the replay key %q", alg, got.ReplayKey)
		}
	}
}

func TestVerifyToken_Invalid_Refused(t *testing.T) {
	c, other := newTestCRM(t, jose.EdDSA), newTestCRM(t, jose.EdDSA)
	with := func(name string, value any) string {
		body := validClaims()
		if value == nil {
			delete(body, name)
		} else {
			body[name] = value
		}
		return c.sign(t, tokenHeader(), body)
	}
	whole := c.sign(t, tokenHeader(), validClaims())
	parts := strings.Split(whole, ".")
	unsigned := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"launch+jwt"}`)) + "." + parts[1] + "."
	brought := maps.Clone(tokenHeader())
	delete(brought, "kid")
	brought["jwk"] = jose.JSONWebKey{Key: other.private.(ed25519.PrivateKey).Public()}
	for name, raw := range map[string]string{
		"empty": "", "garbage": "a.b.c", "unsigned": unsigned, "altered": parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"x"}`)) + "." + parts[2],
		"another key": other.sign(t, tokenHeader(), validClaims()), "a key it brings": other.sign(t, brought, validClaims()),
		"an unknown key id": c.sign(t, map[jose.HeaderKey]any{"typ": TokenType, "kid": "k9"}, validClaims()),
		"another type":      c.sign(t, map[jose.HeaderKey]any{"typ": "JWT", "kid": "k1"}, validClaims()), "no type": c.sign(t, nil, validClaims()),
		"another issuer": with("iss", "https://evil.example/"), "no issuer": with("iss", nil),
		"another audience": with("aud", "https://desk.example/other"), "no audience": with("aud", nil),
		"no end": with("exp", nil), "no beginning": with("iat", nil), "no jti": with("jti", nil), "nobody": with("sub", nil),
		"expired": with("exp", now.Unix()), "too long": with("exp", now.Unix()+111), "from the future": with("iat", now.Unix()+59),
		"not yet": with("nbf", now.Unix()+50), "another origin": with("origin", "https://crm.example.evil"), "a long name": with("name", strings.Repeat("x", 201)),
	} {
		got, err := VerifyToken(c.Client, audience, raw, now)
		if fault.KindOf(err) != fault.Denied || got.Subject != "" {
			t.Errorf("%s: got %+v, %v; want it refused", name, got, err)
		}
	}
	if _, err := VerifyToken(Client{Key: "acme", Origins: c.Origins, Keys: c.Keys}, "", with("iss", ""), now); err == nil {
		t.Error("a client without an issuer took a token")
	}
	shared := c.Client
	shared.Keys = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: []byte(secret), KeyID: "k1"}}}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: []byte(secret)}, &jose.SignerOptions{ExtraHeaders: tokenHeader()})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := jwt.Signed(signer).Claims(validClaims()).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := VerifyToken(shared, audience, raw, now); err == nil {
		t.Error("a token under a shared secret was taken")
	}
}

func TestParseKeys_PrivateOrWeak_Refused(t *testing.T) {
	c := newTestCRM(t, jose.ES256)
	public, err := json.Marshal(c.Keys)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ParseKeys(public); err != nil || len(got.Keys) != 1 {
		t.Errorf("got %v, %v", got, err)
	}
	private, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: c.private}}})
	if err != nil {
		t.Fatal(err)
	}
	for what, key := range weakKeys(t) {
		text, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{c.Keys.Keys[0], {Key: key}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseKeys(text); err == nil {
			t.Errorf("%s was taken", what)
		}
	}
	for _, text := range []string{string(private), `{"keys":[]}`, `{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}`, `[]`, ``} {
		if _, err := ParseKeys([]byte(text)); err == nil {
			t.Errorf("%.60s was taken", text)
		}
	}
}

func weakKeys(t *testing.T) map[string]any {
	t.Helper()
	t.Setenv("GODEBUG", "rsa1024min=0")
	small, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	other, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{"RSA of 1024 bits": small.Public(), "a curve of no algorithm": other.Public()}
}

// A key that was pinned before it was asked to be strong signs nothing either.
func TestVerifyToken_WeakKey_Refused(t *testing.T) {
	t.Setenv("GODEBUG", "rsa1024min=0")
	small, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	c := newTestCRM(t, jose.EdDSA)
	c.private, c.alg, c.Keys = small, jose.RS256, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: small.Public(), KeyID: "k1"}}}
	if _, err := VerifyToken(c.Client, audience, c.sign(t, tokenHeader(), validClaims()), now); fault.KindOf(err) != fault.Denied {
		t.Errorf("got %v, want it refused", err)
	}
}

func canvas() Client {
	return Client{Key: "sf", Kind: KindCanvas, Origins: []string{"https://summit.my.salesforce.com"}, Organization: "00DA", Secret: pii.Wrap([]byte(secret))}
}

// The vector was made by another hand: openssl dgst -hmac over base64.
func vector(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/canvas.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

func TestVerifyCanvasRequest(t *testing.T) {
	url := strings.NewReplacer("+", "-", "/", "_", "=", "")
	code, body, _ := strings.Cut(vector(t), ".")
	next := canvas()
	next.Secret, next.SecretNext = pii.Wrap([]byte("the former one")), next.Secret
	for name, try := range map[string]struct {
		c   Client
		raw string
	}{"as posted": {canvas(), vector(t)}, "the other alphabet": {canvas(), url.Replace(code) + "." + body}, "the secret to come": {next, vector(t)}} {
		got, err := VerifyCanvasRequest(try.c, try.raw)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got.Subject != "00DA/005A" || got.Name != "Olivia Bennett" || got.Email != "olivia@summit.test" || got.Record != (Record{"Lead", "00QA"}) || len(got.Prefill) != 1 {
			t.Errorf("%s: got %+v", name, got)
		}
		if want := canvas().Secret.Reveal(); !got.Expires.IsZero() || string(got.Secret.Reveal()) != string(want) {
			t.Errorf("%s: ends %v, signed under %q, want no end, under the secret that fits", name, got.Expires, got.Secret.Reveal())
		}
	}
}

// One code can be written in many ways; whoever writes a used one anew has no new launch.
func TestReplayKey_ReencodedLaunch_Same(t *testing.T) {
	code, body, _ := strings.Cut(vector(t), ".")
	first, err := VerifyCanvasRequest(canvas(), vector(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, written := range []string{code + "=", strings.TrimRight(code, "="), code[:4] + "\n" + code[4:], strings.NewReplacer("+", "-", "/", "_").Replace(code) + "=="} {
		if got, err := VerifyCanvasRequest(canvas(), written+"."+body); err == nil && got.ReplayKey != first.ReplayKey {
			t.Errorf("%q is another launch", written)
		}
	}
	c, call := hubspot()
	was, err := VerifyLaunchCall(c, call, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, written := range []string{strings.TrimRight(call.Signature, "="), call.Signature + "=", strings.ReplaceAll(call.Signature, "+", "-")} {
		again := call
		again.Signature = written
		if got, err := VerifyLaunchCall(c, again, now); err != nil || got.ReplayKey != was.ReplayKey {
			t.Errorf("%q is another call: %v", written, err)
		}
	}
}

func TestVerifyCanvasRequest_Invalid_Refused(t *testing.T) {
	code, body, _ := strings.Cut(vector(t), ".")
	elsewhere, keyless := canvas(), canvas()
	elsewhere.Organization, keyless.Secret = "00DB", pii.Wrap([]byte(nil))
	unpinned := canvas()
	unpinned.Organization = ""
	for name, try := range map[string]struct {
		c   Client
		raw string
	}{
		"empty": {canvas(), ""}, "no dot": {canvas(), code + body}, "another code": {canvas(), strings.ToLower(code) + "." + body},
		"altered": {canvas(), code + "." + body[:len(body)-4] + "AAAA"}, "no secret": {keyless, vector(t)}, "no code": {keyless, "." + body},
		"another organization": {elsewhere, vector(t)}, "no organization pinned": {unpinned, vector(t)},
	} {
		if got, err := VerifyCanvasRequest(try.c, try.raw); fault.KindOf(err) != fault.Denied || got.Subject != "" {
			t.Errorf("%s: got %+v, %v; want it refused", name, got, err)
		}
	}
}

func FuzzLaunches(f *testing.F) {
	c := newTestCRM(f, jose.EdDSA)
	f.Add(vector(f))
	f.Add(c.sign(f, tokenHeader(), validClaims()))
	f.Add("eyJhbGciOiJub25lIn0.e30.")
	f.Fuzz(func(t *testing.T, raw string) {
		if a, err := VerifyToken(c.Client, audience, raw, now); err == nil && a.Subject != "u-7" {
			t.Errorf("got %+v of %q", a, raw)
		}
		if a, err := VerifyCanvasRequest(canvas(), raw); err == nil && a.Subject != "00DA/005A" {
			t.Errorf("got %+v of %q", a, raw)
		}
	})
}
