package sandbox

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"os"
	"strings"
	"testing"
)

// TestIndependentJWE starts inquiries with payloads that another implementation encrypted.
func TestIndependentJWE(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/jwe.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Name, Compact string
		Want          int
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		id := ""
		for _, v := range vectors {
			path, method := "start", "POST"
			if v.Name == "add-ssn" {
				path, method = id+"/add-ssn", "PUT"
			}
			status, answer := g.call(method, "/products/heloc/v1/inquiry/"+path, object{"encrypted": v.Compact})
			if status != v.Want {
				t.Errorf("%s, %s: got %d %v, want %d", dialect, v.Name, status, answer, v.Want)
			}
			if started, ok := answer["data"].(object); ok {
				id = started["appUuid"].(string)
			}
		}
		if got := g.step(id); got != "OFFERS_AVAILABLE" {
			t.Errorf("%s: after add-ssn: got %s, want OFFERS_AVAILABLE", dialect, got)
		}
	}
}

// decryptIndependently decrypts RSA-OAEP-256 with A256GCM by RFC 7516, using only the standard
// library, so that it checks our encryption with other code.
func decryptIndependently(t *testing.T, keyFile, compact string) (header map[string]any, plain []byte) {
	t.Helper()
	text, err := os.ReadFile(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	segments := strings.Split(compact, ".")
	if len(segments) != 5 {
		t.Fatalf("segments: got %d, want 5", len(segments))
	}
	part := make([][]byte, 5)
	for i, s := range segments {
		if part[i], err = base64.RawURLEncoding.DecodeString(s); err != nil {
			t.Fatal(err)
		}
	}
	content, err := rsa.DecryptOAEP(sha256.New(), nil, key.(*rsa.PrivateKey), part[1], nil)
	if err != nil {
		t.Fatal(err)
	}
	cipherBlock, err := aes.NewCipher(content)
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(cipherBlock)
	if err != nil {
		t.Fatal(err)
	}
	if plain, err = gcm.Open(nil, part[2], append(part[3], part[4]...), []byte(segments[0])); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(part[0], &header); err != nil {
		t.Fatal(err)
	}
	return header, plain
}

func partnerPublic(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/partner.pem")
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&key.(*rsa.PrivateKey).PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

// TestEncrypt: section 4.22 and its errors in section 7.
func TestEncrypt(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	_, answer := g.call("POST", "/encryption/v1/encrypt", `{"b":1,"a":[2]}`)
	header, plain := decryptIndependently(t, "testdata/service.pem", answer["encrypted"].(string))
	if string(plain) != `{"b":1,"a":[2]}` || len(header) != 2 || header["alg"] != "RSA-OAEP-256" ||
		header["enc"] != "A256GCM" {
		t.Errorf("got header %v and %s, want only alg and enc, and the bytes as sent", header, plain)
	}
	for body, want := range map[string]int{`{`: 400, `[1]`: 400, `"text"`: 400, ``: 400, `{} {}`: 400, `null`: 400,
		`{}`: 200} {
		if w := g.rawCall("POST", "/encryption/v1/encrypt", body, nil); w.Code != want {
			t.Errorf("encrypt %q: got %d, want %d", body, w.Code, want)
		}
	}
	if w := g.rawCall("POST", "/encryption/v1/encrypt", `{}`, map[string]string{"apikey": ""}); w.Code != 401 {
		t.Errorf("encrypt without key: got %d, want 401", w.Code)
	}
	if err := g.s.SetFaults(Faults{ErrorRate: 1}); err != nil {
		t.Fatal(err)
	}
	if w := g.rawCall("POST", "/encryption/v1/encrypt", `{}`, nil); w.Code != 500 {
		t.Errorf("encrypt while failing: got %d, want 500", w.Code)
	}
}

// TestEncryptedResponses: responses are encrypted only on request, in the form of the dialect.
func TestEncryptedResponses(t *testing.T) {
	t.Parallel()
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect, PartnerPublicKey: partnerPublic(t)})
		id := g.start(g.payload("Rivera"))
		path := "/products/heloc/v1/details/" + id + "?include=BORROWER_DETAILS"
		w := g.rawCall("GET", path, nil, map[string]string{"X-Encrypt-Response": "true"})
		compact := w.Body.String()
		if dialect == Documented {
			var wrapped struct{ Encrypted string }
			if err := json.Unmarshal(w.Body.Bytes(), &wrapped); err != nil {
				t.Fatal(err)
			}
			compact = wrapped.Encrypted
		}
		_, plain := decryptIndependently(t, "testdata/partner.pem", compact)
		if !strings.Contains(string(plain), id) {
			t.Errorf("%s: the decrypted details do not contain the application id", dialect)
		}
		if plain := g.rawCall("GET", path, nil, nil).Body.String(); !strings.Contains(plain, "Elena") {
			t.Errorf("%s: not requested: got %.60s, want plain JSON", dialect, plain)
		}
		unknownPath := "/products/heloc/v1/details/99999999-2222-4333-8444-555555555555"
		if w := g.rawCall("GET", unknownPath, nil,
			map[string]string{"X-Encrypt-Response": "true"}); !strings.Contains(w.Body.String(), "messages") {
			t.Errorf("%s: error response: got %.60s, want plain JSON", dialect, w.Body)
		}
	}
}
