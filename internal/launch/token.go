package launch

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/json"
	"github.com/go-jose/go-jose/v4/jwt"

	"hearthline/internal/pii"
)

// TokenType is the "typ" of a launch token, so that the CRM's other tokens are not accepted.
const TokenType = "launch+jwt"

// algorithms are the accepted signature algorithms.
var algorithms = []jose.SignatureAlgorithm{jose.EdDSA, jose.ES256, jose.RS256}

// claims of a launch token in addition to the registered ones.
type claims struct {
	jwt.Claims
	Name    string        `json:"name"`
	Email   string        `json:"email"`
	Origin  string        `json:"origin"`
	Record  recordClaim   `json:"record"`
	Prefill prefillFields `json:"prefill"`
}

// VerifyToken verifies a launch token: a JWT in compact serialization with the header "typ"
// TokenType, signed by one of the client's keys (EdDSA, ES256 or RS256). It must
// contain the client's issuer, this audience, sub, iat, jti, and an exp at most 120 seconds
// after iat. The claims email, name, origin, record {type, id} and prefill {control: text}
// are optional. Any error is fault.Denied.
func VerifyToken(c Client, audience, raw string, now time.Time) (Assertion, error) {
	return denied(verifyToken(c, audience, raw, now))
}

func verifyToken(c Client, audience, raw string, now time.Time) (Assertion, error) {
	body, err := verifiedClaims(c, audience, raw, now)
	if err != nil {
		return Assertion{}, err
	}
	a := Assertion{Subject: body.Subject, Name: body.Name, Email: body.Email, ReplayKey: replayKey(c.Key, "jti", body.ID),
		Expires: body.Expiry.Time()}
	a.fill(body.Prefill)
	if a.Record, err = body.Record.record(); err != nil {
		return Assertion{}, err
	}
	return a, a.finish(c, body.Origin)
}

// verifiedClaims returns a token's claims after verifying its signature, type and times. go-jose
// accepts a JWT without exp, iat or jti, so they are required here.
func verifiedClaims(c Client, audience, raw string, now time.Time) (claims, error) {
	var body claims
	if len(raw) > maxBytes {
		return body, errMalformed
	}
	parsed, err := jwt.ParseSigned(raw, algorithms)
	if err != nil {
		return body, fmt.Errorf("launch: parse token: %w", err)
	}
	if len(parsed.Headers) != 1 || parsed.Headers[0].ExtraHeaders[jose.HeaderType] != TokenType {
		return body, newRejection(CauseFormat, "not a launch token")
	}
	payload, err := verifySignature(c.Keys, parsed)
	if err != nil {
		return body, err
	}
	if err := json.Unmarshal(payload, &body); err != nil {
		return body, fmt.Errorf("launch: read claims: %w", err)
	}
	switch {
	case c.Issuer == "" || audience == "":
		return body, newRejection(CauseWrongKind, "the client is not set up for tokens")
	case body.Expiry == nil || body.IssuedAt == nil || body.ID == "":
		return body, newRejection(CauseClaims, "exp, iat or jti is missing")
	case body.Expiry.Time().Sub(body.IssuedAt.Time()) > maxTokenLifetime:
		return body, newRejection(CauseTime, "the token lives too long")
	case !body.Expiry.Time().After(now):
		return body, jwt.ErrExpired
	}
	return body, body.ValidateWithLeeway(jwt.Expected{Issuer: c.Issuer, AnyAudience: jwt.Audience{audience}, Time: now},
		clockSkew)
}

// verifySignature tries the key that the token names, or otherwise every key; only the client's keys
// count, never one that the token contains or refers to.
func verifySignature(keys jose.JSONWebKeySet, parsed *jwt.JSONWebToken) ([]byte, error) {
	if len(keys.Keys) == 0 {
		return nil, newRejection(CauseKeys, "the client has no keys that may be used")
	}
	candidates := keys.Keys
	if id := parsed.Headers[0].KeyID; id != "" {
		if candidates = keys.Key(id); len(candidates) == 0 {
			return nil, newRejection(CauseKeyID, "the client has no key with this ID")
		}
	}
	for _, key := range candidates {
		var body json.RawMessage
		if isStrongKey(key) && keyAllows(key, parsed.Headers[0].Algorithm) && parsed.Claims(key.Key, &body) == nil {
			return body, nil
		}
	}
	return nil, newRejection(CauseSignature, "no key of the client made this signature")
}

// isStrongKey reports whether a key may sign launches: public, of a type that one of our
// algorithms uses, and strong enough.
func isStrongKey(key jose.JSONWebKey) bool {
	if !key.IsPublic() || !key.Valid() {
		return false
	}
	switch k := key.Key.(type) {
	case *rsa.PublicKey:
		return k.N.BitLen() >= minRSABits
	case *ecdsa.PublicKey:
		return k.Curve == elliptic.P256()
	case ed25519.PublicKey:
		return true
	default:
		return false
	}
}

// minRSABits is the minimum size of an RSA key.
const minRSABits = 2048

// keyAllows reports whether a key may be used with an algorithm, if the key specifies one.
func keyAllows(key jose.JSONWebKey, algorithm string) bool {
	return key.Algorithm == "" || key.Algorithm == algorithm
}

// ParseKeys reads a client's public keys as a JSON Web Key Set. It rejects private and symmetric
// keys, which must not be stored here, and keys that cannot sign a launch.
func ParseKeys(text []byte) (jose.JSONWebKeySet, error) {
	var keys jose.JSONWebKeySet
	if err := json.Unmarshal(text, &keys); err != nil {
		return keys, fmt.Errorf("launch: read keys: %w", err)
	}
	if len(keys.Keys) == 0 || slices.ContainsFunc(keys.Keys, func(k jose.JSONWebKey) bool { return !isStrongKey(k) }) {
		return jose.JSONWebKeySet{}, errors.New("launch: the set must hold public keys and nothing else")
	}
	return keys, nil
}

// maxPublishedKeys is the maximum number of keys that a client's URL may return.
const maxPublishedKeys = 20

// ParsePublishedKeys reads the JSON Web Key Set that a client publishes at a URL. Such a set may have keys for other
// purposes, which are skipped. A private or symmetric key is an error: anyone who reads the URL could sign with it.
func ParsePublishedKeys(text []byte) (keys jose.JSONWebKeySet, err error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(text, &set); err != nil {
		return keys, fmt.Errorf("launch: read published keys: %w", err)
	}
	for _, raw := range set.Keys {
		var key jose.JSONWebKey
		if json.Unmarshal(raw, &key) != nil {
			continue
		}
		if !key.IsPublic() {
			return jose.JSONWebKeySet{}, errors.New("launch: a published key is not public")
		}
		if isStrongKey(key) && (key.Use == "" || key.Use == "sig") {
			keys.Keys = append(keys.Keys, jose.JSONWebKey{Key: key.Key, KeyID: key.KeyID, Algorithm: key.Algorithm})
		}
	}
	if len(keys.Keys) == 0 || len(set.Keys) > maxPublishedKeys {
		return jose.JSONWebKeySet{}, errors.New("launch: no published key can sign launches, or there are too many")
	}
	return keys, nil
}

// matchSecret compares in constant time, with the current secret and the next one, and returns
// the one that matches.
func matchSecret(c Client, signed, given []byte) (secret pii.Secret[[]byte], ok bool) {
	for _, one := range []pii.Secret[[]byte]{c.Secret, c.SecretNext} {
		if key := one.Reveal(); len(key) > 0 {
			mac := hmac.New(sha256.New, key)
			mac.Write(signed)
			if hmac.Equal(mac.Sum(nil), given) {
				secret, ok = one, true
			}
		}
	}
	return secret, ok
}

// anyBase64 decodes either alphabet, with or without padding.
func anyBase64(text string) ([]byte, error) {
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	body, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, errMalformed
	}
	return body, nil
}
