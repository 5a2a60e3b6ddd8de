package samplecrm

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// LaunchClaims is what a CRM asserts when one of its users opens the desk beside a record.
type LaunchClaims struct {
	Subject    string // the user's sign-in in the CRM
	Name       string
	Email      string
	Origin     string // of the page with the frame
	RecordType string
	RecordID   string
	Prefill    map[string]string // intake control name → text
}

// Token signs claims as a launch token (typ launch+jwt, EdDSA) that is valid for a minute.
func Token(key ed25519.PrivateKey, issuer, audience string, o LaunchClaims) (string, error) {
	header, err := json.Marshal(map[string]string{"alg": "EdDSA", "typ": "launch+jwt", "kid": keyID})
	if err != nil {
		return "", err
	}
	now := time.Now()
	claims, err := json.Marshal(map[string]any{
		"iss": issuer, "aud": audience, "sub": o.Subject, "jti": rand.Text(), "iat": now.Unix(),
		"exp": now.Add(time.Minute).Unix(), "name": o.Name, "email": o.Email, "origin": o.Origin,
		"record": map[string]string{"type": o.RecordType, "id": o.RecordID}, "prefill": o.Prefill,
	})
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	signed := encode(header) + "." + encode(claims)
	return signed + "." + encode(ed25519.Sign(key, []byte(signed))), nil
}

// keyID names the key among the CRM's keys.
const keyID = "k1"

// Keys returns its public keys as a JSON Web Key Set, for the portal's administrator.
func (c *CRM) Keys() (string, error) {
	public, _ := c.SigningKey.Public().(ed25519.PublicKey)
	text, err := json.Marshal(map[string]any{"keys": []map[string]string{{"kty": "OKP", "crv": "Ed25519",
		"x": base64.RawURLEncoding.EncodeToString(public), "kid": keyID, "alg": "EdDSA", "use": "sig"}}})
	return string(text), err
}

// serveLaunchToken signs another launch of a record for <hearthline-desk>: each is good once, for a minute.
func (c *CRM) serveLaunchToken(w http.ResponseWriter, r *http.Request) {
	v, ok := readVisit(r)
	if !ok {
		http.NotFound(w, r)
		return
	}
	token, err := Token(c.SigningKey, c.Origin, c.launchURL(v), c.claims(v))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, token)
}

// callWithToken calls the portal's API with a token for the full URL of the call.
func (c *CRM) callWithToken(ctx context.Context, address string, into any) error {
	token, err := Token(c.SigningKey, c.Origin, address, LaunchClaims{Subject: "crm-server"})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	return doJSON(r, into)
}

func doJSON(r *http.Request, into any) error {
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	// 404 means that a record has no lead yet, which is a valid answer
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusNotFound {
		return fmt.Errorf("the portal answered %s", res.Status)
	}
	return json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(into)
}
