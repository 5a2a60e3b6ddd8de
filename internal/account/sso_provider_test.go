package account

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// fakeProvider is a sign-on provider in this process. One user is always signed in there and always agrees;
// alterToken changes the tokens that it issues.
type fakeProvider struct {
	t          *testing.T
	site       *httptest.Server
	key        *rsa.PrivateKey
	signer     *rsa.PrivateKey // a key other than the published one forges tokens
	at         func() time.Time
	codes      map[string]url.Values // the authorization requests, by code
	alterToken func(claims map[string]any)
	more       string         // members to put at the start of its tokens
	info       map[string]any // the userinfo response; nil for none
}

// providerKey is generated once, because that takes a while.
var providerKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

func newProvider(t *testing.T, at func() time.Time) *fakeProvider {
	t.Helper()
	key := providerKey()
	p := &fakeProvider{t: t, key: key, signer: key, at: at, codes: map[string]url.Values{},
		alterToken: func(map[string]any) {}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		p.writeJSON(w, map[string]any{
			"issuer": p.site.URL, "authorization_endpoint": p.site.URL + "/auth", "token_endpoint": p.site.URL + "/token",
			"jwks_uri": p.site.URL + "/keys", "userinfo_endpoint": p.site.URL + "/me",
			"id_token_signing_alg_values_supported": []string{"RS256"},
		})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		p.writeJSON(w, jose.JSONWebKeySet{
			Keys: []jose.JSONWebKey{{Key: p.key.Public(), KeyID: "k1", Algorithm: "RS256", Use: "sig"}},
		})
	})
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /me", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer x" || p.info == nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		p.writeJSON(w, p.info)
	})
	p.site = httptest.NewServer(mux)
	t.Cleanup(p.site.Close)
	return p
}

func (p *fakeProvider) writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		p.t.Error(err)
	}
}

// authorize acts as the user at the provider: they agree, and return with a code.
func (p *fakeProvider) authorize(address string) Callback {
	p.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		p.t.Fatal(err)
	}
	q := u.Query()
	if q.Get("code_challenge_method") != "S256" || q.Get("nonce") == "" || q.Get("response_type") != "code" ||
		q.Get("client_id") != "hearthline" {
		p.t.Fatalf("authorization request with %v", q)
	}
	code, _ := NewToken()
	p.codes[code] = q
	return Callback{State: q.Get("state"), Code: code}
}

func (p *fakeProvider) token(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		p.t.Error(err)
	}
	asked, known := p.codes[r.PostForm.Get("code")]
	delete(p.codes, r.PostForm.Get("code"))
	sum := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
	if !known || base64.RawURLEncoding.EncodeToString(sum[:]) != asked.Get("code_challenge") ||
		r.PostForm.Get("redirect_uri") != asked.Get("redirect_uri") {
		w.WriteHeader(http.StatusBadRequest)
		p.writeJSON(w, map[string]string{"error": "invalid_grant"})
		return
	}
	now := p.at()
	claims := map[string]any{
		"iss": p.site.URL, "sub": "subject-1", "aud": "hearthline",
		"nonce": asked.Get("nonce"), "email": "Olivia@Summit.test", "email_verified": true,
		"iat": now.Unix(), "exp": now.Add(time.Minute).Unix(), "auth_time": now.Unix(),
	}
	p.alterToken(claims)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: p.signer, KeyID: "k1"}},
		nil)
	if err != nil {
		p.t.Error(err)
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		p.t.Error(err)
	}
	signed, err := signer.Sign([]byte(strings.Replace(string(payload), "{", "{"+p.more, 1)))
	if err != nil {
		p.t.Error(err)
	}
	raw, err := signed.CompactSerialize()
	if err != nil {
		p.t.Error(err)
	}
	p.writeJSON(w, map[string]any{"access_token": "x", "token_type": "Bearer", "id_token": raw})
}
