package push

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/publicnet"
)

// browser is a browser that has subscribed.
type browser struct {
	key  *ecdh.PrivateKey
	auth []byte
}

func newBrowser(t *testing.T) browser {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	b := browser{key, make([]byte, 16)}
	_, _ = rand.Read(b.auth)
	return b
}

func (b browser) subscription(endpoint string) Subscription {
	return Subscription{Endpoint: endpoint, P256dh: base64.RawURLEncoding.EncodeToString(b.key.PublicKey().Bytes()),
		Auth: base64.RawURLEncoding.EncodeToString(b.auth)}
}

// decrypt decrypts a body as RFC 8291 section 3.4 and RFC 8188 section 2 say.
func (b browser) decrypt(t *testing.T, body []byte) []byte {
	t.Helper()
	must := func(v []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	salt, recordSize, idLen := body[:16], binary.BigEndian.Uint32(body[16:20]), int(body[20])
	sender, ciphertext := body[21:21+idLen], body[21+idLen:]
	if len(ciphertext) > int(recordSize) {
		t.Fatalf("got %d bytes, want one record of at most %d", len(ciphertext), recordSize)
	}
	senderKey, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		t.Fatal(err)
	}
	secret := must(b.key.ECDH(senderKey))
	info := "WebPush: info\x00" + string(b.key.PublicKey().Bytes()) + string(sender)
	ikm := must(hkdf.Key(sha256.New, secret, b.auth, info, 32))
	prk := must(hkdf.Extract(sha256.New, ikm, salt))
	cek := must(hkdf.Expand(sha256.New, prk, "Content-Encoding: aes128gcm\x00", 16))
	nonce := must(hkdf.Expand(sha256.New, prk, "Content-Encoding: nonce\x00", 12))
	block, err := aes.NewCipher(cek)
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	padded := strings.TrimRight(string(must(gcm.Open(nil, nonce, ciphertext, nil))), "\x00")
	plain, last := strings.CutSuffix(padded, "\x02")
	if !last {
		t.Fatal("the last record has no delimiter")
	}
	return []byte(plain)
}

// checkVAPID checks the signature of a request as RFC 8292 says.
func checkVAPID(t *testing.T, r *http.Request, audience, publicKey string) {
	t.Helper()
	rest, ok := strings.CutPrefix(r.Header.Get("Authorization"), "vapid t=")
	token, key, _ := strings.Cut(rest, ", k=")
	parts := strings.Split(token, ".")
	if !ok || key != publicKey || len(parts) != 3 {
		t.Fatalf("got %q", r.Header.Get("Authorization"))
	}
	point, _ := base64.RawURLEncoding.DecodeString(key)
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	claims, _ := base64.RawURLEncoding.DecodeString(parts[1])
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if len(signature) != 64 || !ecdsa.Verify(public, digest[:], new(big.Int).SetBytes(signature[:32]),
		new(big.Int).SetBytes(signature[32:])) {
		t.Error("the signature is not the key's")
	}
	var got struct {
		Aud, Sub string
		Exp      int64
	}
	if err := json.Unmarshal(claims, &got); err != nil || got.Aud != audience || got.Sub != "https://portal.test" ||
		time.Until(time.Unix(got.Exp, 0)) > 24*time.Hour || time.Until(time.Unix(got.Exp, 0)) < time.Hour {
		t.Errorf("got claims %s, want audience %s", claims, audience)
	}
}

// newSender returns a sender that trusts the certificates of test servers and, unlike others, may connect to this
// machine.
func newSender(t *testing.T, s *httptest.Server) *Sender {
	t.Helper()
	key, err := NewKey()
	if err != nil {
		t.Fatal(err)
	}
	sender, err := New(key, &url.URL{Scheme: "https", Host: "portal.test"})
	if err != nil {
		t.Fatal(err)
	}
	transport := sender.client.Transport.(*http.Transport)
	transport.TLSClientConfig = &tls.Config{RootCAs: s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs,
		MinVersion: tls.VersionTLS12}
	// The check of the subscription refuses the address, so the endpoint has a name.
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, s.Listener.Addr().String())
	}
	return sender
}

const endpoint = "https://example.com/push/secret-of-the-browser"

// TestSend_BrowserDecrypts sends to a receiver that decrypts as the RFC says.
func TestSend_BrowserDecrypts(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	received := make(chan *http.Request, 1)
	bodies := make(chan []byte, 1)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		received <- r
		bodies <- body
		w.WriteHeader(http.StatusCreated)
	}))
	defer server.Close()
	sender := newSender(t, server)
	const payload = `{"title":"Offers ready"}`
	if err := sender.Send(t.Context(), b.subscription(endpoint), Message{Payload: []byte(payload), Topic: "topic",
		TTL: time.Hour, Urgent: true}); err != nil {
		t.Fatal(err)
	}
	r, body := <-received, <-bodies
	if got := string(b.decrypt(t, body)); got != payload {
		t.Errorf("got %s, want %s", got, payload)
	}
	if strings.Contains(string(body), "Offers") {
		t.Error("the payload is not encrypted")
	}
	checkVAPID(t, r, "https://example.com", sender.PublicKey())
	for name, want := range map[string]string{"TTL": "3600", "Urgency": "high", "Topic": "topic",
		"Content-Encoding": "aes128gcm"} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestSend_Answers(t *testing.T) {
	t.Parallel()
	var status int
	var reached bool
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/elsewhere" {
			reached = true
		}
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(status)
	}))
	defer server.Close()
	sender, to := newSender(t, server), newBrowser(t).subscription(endpoint)
	for _, tt := range []struct {
		status int
		want   error
	}{
		{201, nil}, {200, nil}, {404, ErrGone}, {410, ErrGone}, {429, ErrTemporary}, {500, ErrTemporary},
		{503, ErrTemporary}, {400, nil}, {413, nil}, {302, nil}, {307, nil},
	} {
		status = tt.status
		err := sender.Send(t.Context(), to, Message{Payload: []byte("x")})
		permanent := tt.want == nil && tt.status/100 != 2
		if permanent && (err == nil || errors.Is(err, ErrGone) || errors.Is(err, ErrTemporary)) ||
			!permanent && !errors.Is(err, tt.want) {
			t.Errorf("%d: got %v", tt.status, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret-of-the-browser") {
			t.Errorf("%d: the error has the endpoint: %v", tt.status, err)
		}
	}
	if reached {
		t.Error("the sender followed a redirect")
	}
	server.Close()
	if err := sender.Send(t.Context(), to, Message{Payload: []byte("x")}); !errors.Is(err, ErrTemporary) {
		t.Errorf("a closed port: got %v", err)
	}
}

// TestSend_PrivateAddress_Refused: neither an address nor a name leads into an internal network.
func TestSend_PrivateAddress_Refused(t *testing.T) {
	t.Parallel()
	reached := false
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer server.Close()
	key, err := NewKey()
	if err != nil {
		t.Fatal(err)
	}
	sender, err := New(key, &url.URL{Scheme: "https", Host: "portal.test"})
	if err != nil {
		t.Fatal(err)
	}
	// The sender's own dialer, and a certificate that counts for every name.
	trusting := server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	trusting.ServerName = "example.com"
	sender.client.Transport.(*http.Transport).TLSClientConfig = trusting
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	for _, address := range []string{
		server.URL, "https://localhost:" + port, "https://[::1]:" + port, "https://0.0.0.0:" + port, "https://[::]:" + port,
		"https://[::ffff:127.0.0.1]:" + port, "https://127.1:" + port, "https://2130706433:" + port,
		"http://example.com/push", "https://user@example.com/push", "ftp://example.com", "https://", "",
		"https://10.0.0.1", "https://169.254.169.254/latest/meta-data",
	} {
		if err := sender.Send(t.Context(), newBrowser(t).subscription(address), Message{Payload: []byte("x")}); err == nil {
			t.Errorf("%s: got no error", address)
		}
	}
	if err := sender.Send(t.Context(), newBrowser(t).subscription("https://localhost:"+port),
		Message{Payload: []byte("x")}); !errors.Is(err, publicnet.ErrPrivate) {
		t.Errorf("a name of this machine: got %v", err)
	}
	if reached {
		t.Error("the portal connected to this machine")
	}
	for _, address := range []string{"127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254",
		"100.64.0.1", "0.0.0.0", "0.1.2.3", "224.0.0.1", "255.255.255.255", "198.18.0.1", "240.0.0.1", "::", "::1",
		"fe80::1", "fc00::1",
		"ff02::1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1", "fec0::1"} {
		if publicnet.IsPublic(netip.MustParseAddr(address)) {
			t.Errorf("%s counts as public", address)
		}
	}
	for _, address := range []string{"142.250.1.1", "2607:f8b0::1", "17.0.0.1", "100.128.0.1", "172.32.0.1"} {
		if !publicnet.IsPublic(netip.MustParseAddr(address)) {
			t.Errorf("%s counts as private", address)
		}
	}
}

// TestSubscription_Check rejects what no browser sends.
func TestSubscription_Check(t *testing.T) {
	t.Parallel()
	good := newBrowser(t).subscription(endpoint)
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*Subscription){
		"no key":           func(s *Subscription) { s.P256dh = "" },
		"a short key":      func(s *Subscription) { s.P256dh = s.P256dh[:20] },
		"not on the curve": func(s *Subscription) { s.P256dh = "BA" + strings.Repeat("A", 85) },
		"no secret":        func(s *Subscription) { s.Auth = "" },
		"a long secret":    func(s *Subscription) { s.Auth += "AAAA" },
		"a long endpoint":  func(s *Subscription) { s.Endpoint += strings.Repeat("x", maxEndpointLen) },
	} {
		bad := good
		change(&bad)
		if bad.Check() == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

func TestNew_Key(t *testing.T) {
	t.Parallel()
	portal := &url.URL{Scheme: "http", Host: "localhost:8080"}
	p256, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	sec1, _ := x509.MarshalECPrivateKey(p256)
	p384, _ := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	other, _ := x509.MarshalPKCS8PrivateKey(p384)
	block := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	for name, tt := range map[string]struct {
		file string
		ok   bool
	}{
		"SEC 1, after parameters": {block("EC PARAMETERS", []byte{6, 1}) + block("EC PRIVATE KEY", sec1), true},
		"another curve":           {block("PRIVATE KEY", other), false},
		"no PEM":                  {"none", false},
		"empty":                   {"", false},
	} {
		if _, err := New([]byte(tt.file), portal); (err == nil) != tt.ok {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
