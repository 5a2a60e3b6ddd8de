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

// testCRM is a client with the private key of its pinned one.
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
			Key: "acme", Name: "Acme CRM", Origins: []string{"https://crm.example"}, Kind: KindToken,
			Issuer: "https://crm.example/",
			Keys:   jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: public, KeyID: "k1"}}},
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
		"iss": "https://crm.example/", "aud": audience, "sub": "u-7", "jti": "j-1", "iat": now.Unix() - 10,
		"exp":   now.Unix() + 60,
		"email": "Olivia@Summit.test", "record": map[string]any{"type": "contact", "id": "51"},
		"prefill": map[string]string{"applicant.name.firstName": "Elena", "applicant.ssn": "123-45-6789",
			"consent.attested": "true", "confirm.duplicate": "true", "operation": "hl-1"},
	}
}

func TestVerifyToken_EachAlgorithm(t *testing.T) {
	for _, alg := range algorithms {
		c := newTestCRM(t, alg)
		got, err := VerifyToken(c.Client, audience, c.sign(t, tokenHeader(), validClaims()), now)
		if err != nil {
			t.Fatalf("%s: %v", alg, err)
		}
		if got.Subject != "u-7" || got.Email != "olivia@summit.test" || got.Record != (Record{"contact", "51"}) ||
			got.Origin != "https://crm.example" || got.Client != "acme" {
			t.Errorf("%s: got %+v", alg, got)
		}
		if len(got.Prefill) != 1 || got.Prefill.Get("applicant.name.firstName") != "Elena" {
			t.Errorf("%s: filled with %v, want only the name", alg, got.Prefill)
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
	valid := c.sign(t, tokenHeader(), validClaims())
	parts := strings.Split(valid, ".")
	unsigned := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"launch+jwt"}`)) + "." + parts[1] + "."
	ownKey := maps.Clone(tokenHeader())
	delete(ownKey, "kid")
	ownKey["jwk"] = jose.JSONWebKey{Key: other.private.(ed25519.PrivateKey).Public()}
	for name, raw := range map[string]string{
		"empty": "", "garbage": "a.b.c", "unsigned": unsigned,
		"altered":   parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"x"}`)) + "." + parts[2],
		"other key": other.sign(t, tokenHeader(), validClaims()), "key in the header": other.sign(t, ownKey, validClaims()),
		"unknown key id": c.sign(t, map[jose.HeaderKey]any{"typ": TokenType, "kid": "k9"}, validClaims()),
		"other type":     c.sign(t, map[jose.HeaderKey]any{"typ": "JWT", "kid": "k1"}, validClaims()),
		"no type":        c.sign(t, nil, validClaims()),
		"other issuer":   with("iss", "https://evil.example/"), "no issuer": with("iss", nil),
		"other audience": with("aud", "https://desk.example/other"), "no audience": with("aud", nil),
		"no exp": with("exp", nil), "no iat": with("iat", nil), "no jti": with("jti", nil), "no sub": with("sub", nil),
		"expired": with("exp", now.Unix()), "lifetime too long": with("exp", now.Unix()+111),
		"issued in the future": with("iat", now.Unix()+59),
		"not valid yet":        with("nbf", now.Unix()+50), "other origin": with("origin", "https://crm.example.evil"),
		"long name": with("name", strings.Repeat("x", 201)),
	} {
		got, err := VerifyToken(c.Client, audience, raw, now)
		if !fault.Is(err, fault.Denied) || got.Subject != "" {
			t.Errorf("%s: got %+v, %v; want it denied", name, got, err)
		}
	}
	if _, err := VerifyToken(Client{Key: "acme", Origins: c.Origins, Keys: c.Keys}, "", with("iss", ""), now); err == nil {
		t.Error("a client without an issuer accepted a token")
	}
	shared := c.Client
	shared.Keys = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: []byte(secret), KeyID: "k1"}}}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: []byte(secret)},
		&jose.SignerOptions{ExtraHeaders: tokenHeader()})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := jwt.Signed(signer).Claims(validClaims()).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := VerifyToken(shared, audience, raw, now); err == nil {
		t.Error("a token signed with a shared secret was accepted")
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
	for name, key := range weakKeys(t) {
		text, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{c.Keys.Keys[0], {Key: key}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseKeys(text); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
	for _, text := range []string{string(private), `{"keys":[]}`, `{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}`, `[]`, ``} {
		if _, err := ParseKeys([]byte(text)); err == nil {
			t.Errorf("%.60s: got no error", text)
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
	return map[string]any{"RSA of 1024 bits": small.Public(), "unsupported curve": other.Public()}
}

// TestVerifyToken_WeakKey_Refused: a weak key that was pinned earlier cannot sign either.
func TestVerifyToken_WeakKey_Refused(t *testing.T) {
	t.Setenv("GODEBUG", "rsa1024min=0")
	small, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	c := newTestCRM(t, jose.EdDSA)
	c.private, c.alg, c.Keys = small, jose.RS256,
		jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: small.Public(), KeyID: "k1"}}}
	if _, err := VerifyToken(c.Client, audience, c.sign(t, tokenHeader(), validClaims()), now); !fault.Is(err,
		fault.Denied) {
		t.Errorf("got %v, want it denied", err)
	}
}

func canvas() Client {
	return Client{Key: "sf", Kind: KindCanvas, Origins: []string{"https://summit.my.salesforce.com"}, Organization: "00DA",
		Secret: pii.Wrap([]byte(secret))}
}

// vectorTime is a time at which the envelope of vector, issued at second 1, is still accepted.
var vectorTime = time.Unix(100, 0)

// vector returns an envelope that was made independently: openssl dgst -hmac over base64.
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
	next.Secret, next.SecretNext = pii.Wrap([]byte("the current one")), next.Secret
	for name, try := range map[string]struct {
		c   Client
		raw string
	}{"as posted": {canvas(), vector(t)}, "other base64 alphabet": {canvas(), url.Replace(code) + "." + body},
		"next secret": {next, vector(t)}} {
		got, err := VerifyCanvasRequest(try.c, try.raw, vectorTime)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got.Subject != "00DA/005A" || got.Name != "Olivia Bennett" || got.Email != "olivia@summit.test" ||
			got.Record != (Record{"Lead", "00QA"}) || len(got.Prefill) != 1 {
			t.Errorf("%s: got %+v", name, got)
		}
		if want := canvas().Secret.Reveal(); !got.Expires.IsZero() || string(got.Secret.Reveal()) != string(want) {
			t.Errorf("%s: got expiration %v, secret %q, want no expiration and the matching secret",
				name, got.Expires, got.Secret.Reveal())
		}
	}
}

// TestReplayKey_ReencodedLaunch_Same: a signature has several encodings; another encoding of a used launch
// is not a new launch.
func TestReplayKey_ReencodedLaunch_Same(t *testing.T) {
	code, body, _ := strings.Cut(vector(t), ".")
	first, err := VerifyCanvasRequest(canvas(), vector(t), vectorTime)
	if err != nil {
		t.Fatal(err)
	}
	for _, encoded := range []string{code + "=", strings.TrimRight(code, "="), code[:4] + "\n" + code[4:],
		strings.NewReplacer("+", "-", "/", "_").Replace(code) + "=="} {
		if got, err := VerifyCanvasRequest(canvas(), encoded+"."+body, vectorTime); err == nil &&
			got.ReplayKey != first.ReplayKey {
			t.Errorf("%q: got another replay key", encoded)
		}
	}
	c, call := hubspot()
	was, err := VerifyLaunchCall(c, call, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, encoded := range []string{strings.TrimRight(call.Signature, "="), call.Signature + "=",
		strings.ReplaceAll(call.Signature, "+", "-")} {
		repeated := call
		repeated.Signature = encoded
		if got, err := VerifyLaunchCall(c, repeated, now); err != nil || got.ReplayKey != was.ReplayKey {
			t.Errorf("%q: got another replay key, %v", encoded, err)
		}
	}
}

func TestVerifyCanvasRequest_Invalid_Refused(t *testing.T) {
	code, body, _ := strings.Cut(vector(t), ".")
	otherOrganization, keyless := canvas(), canvas()
	otherOrganization.Organization, keyless.Secret = "00DB", pii.Wrap([]byte(nil))
	unpinned := canvas()
	unpinned.Organization = ""
	for name, try := range map[string]struct {
		c   Client
		raw string
	}{
		"empty":  {canvas(), ""},
		"no dot": {canvas(), code + body}, "other MAC": {canvas(), strings.ToLower(code) + "." + body},
		"altered":   {canvas(), code + "." + body[:len(body)-4] + "AAAA"},
		"no secret": {keyless, vector(t)}, "no MAC": {keyless, "." + body},
		"other organization": {otherOrganization, vector(t)}, "no organization pinned": {unpinned, vector(t)},
	} {
		if got, err := VerifyCanvasRequest(try.c, try.raw, vectorTime); !fault.Is(err, fault.Denied) || got.Subject != "" {
			t.Errorf("%s: got %+v, %v; want it denied", name, got, err)
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
		if a, err := VerifyCanvasRequest(canvas(), raw, vectorTime); err == nil && a.Subject != "00DA/005A" {
			t.Errorf("got %+v of %q", a, raw)
		}
	})
}

// TestParsePublishedKeys: a URL may publish keys for other purposes, but never a private or symmetric one.
func TestParsePublishedKeys(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	good := jose.JSONWebKey{Key: rsaKey.Public(), KeyID: "k1", Use: "sig"}
	many := make([]any, maxPublishedKeys+1)
	for i := range many {
		many[i] = good
	}
	unknown := map[string]any{"kty": "AKP", "kid": "pq"}
	for name, tt := range map[string]struct {
		keys []any
		want int // 0 is an error
	}{
		"one":                 {[]any{good}, 1},
		"for encryption":      {[]any{jose.JSONWebKey{Key: rsaKey.Public(), Use: "enc"}, good}, 1},
		"other curve":         {[]any{jose.JSONWebKey{Key: p384.Public()}, good}, 1},
		"unknown type":        {[]any{unknown, good}, 1},
		"none usable":         {[]any{unknown}, 0},
		"empty":               {nil, 0},
		"too many":            {many, 0},
		"private beside good": {[]any{good, jose.JSONWebKey{Key: rsaKey}}, 0},
		"secret beside good":  {[]any{good, jose.JSONWebKey{Key: []byte(secret)}}, 0},
	} {
		got, err := ParsePublishedKeys(encode(t, map[string]any{"keys": tt.keys}))
		if len(got.Keys) != tt.want || (err == nil) != (tt.want > 0) {
			t.Errorf("%s: got %d keys, %v, want %d", name, len(got.Keys), err, tt.want)
		}
	}
	if got, err := ParsePublishedKeys([]byte("<html>")); err == nil {
		t.Errorf("a page: got %v", got)
	}
}
