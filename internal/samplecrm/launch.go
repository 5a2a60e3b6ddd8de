package samplecrm

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
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
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: key},
		(&jose.SignerOptions{}).WithType("launch+jwt").WithHeader("kid", "k1"))
	if err != nil {
		return "", err
	}
	now := time.Now()
	return jwt.Signed(signer).Claims(map[string]any{
		"iss": issuer, "aud": audience, "sub": o.Subject, "jti": rand.Text(), "iat": now.Unix(),
		"exp": now.Add(time.Minute).Unix(), "name": o.Name, "email": o.Email, "origin": o.Origin,
		"record": map[string]string{"type": o.RecordType, "id": o.RecordID}, "prefill": o.Prefill,
	}).Serialize()
}

// CanvasRequest signs claims as Salesforce Canvas posts them (signed_request).
func CanvasRequest(secret []byte, organization string, o LaunchClaims) (string, error) {
	body, err := json.Marshal(map[string]any{
		"algorithm": "HMACSHA256", "userId": o.Subject, "issuedAt": time.Now().Unix(),
		"client": map[string]any{"targetOrigin": o.Origin, "instanceId": rand.Text()},
		"context": map[string]any{
			"user":         map[string]any{"userId": o.Subject, "fullName": o.Name, "email": o.Email},
			"organization": map[string]any{"organizationId": organization},
			"environment": map[string]any{"parameters": map[string]any{"recordType": o.RecordType, "recordId": o.RecordID,
				"prefill": o.Prefill}},
		},
	})
	encoded := base64.StdEncoding.EncodeToString(body)
	return hmacSum(secret, encoded) + "." + encoded, err
}

// HubSpotUser is the user who is signed in at HubSpot. HubSpot adds them to every URL that a card calls, whatever the
// card's code sends.
type HubSpotUser struct {
	Portal, User int64
	Email        string
}

// HubSpotURL returns a URL as HubSpot calls it for a user.
func HubSpotURL(address string, by HubSpotUser) string {
	mark := "?"
	if strings.Contains(address, mark) {
		mark = "&"
	}
	return fmt.Sprintf("%s%suserId=%d&portalId=%d&userEmail=%s&appId=31337",
		address, mark, by.User, by.Portal, url.QueryEscape(by.Email))
}

// CallBody returns claims as a card's code sends them. It does not include the user.
func CallBody(o LaunchClaims) ([]byte, error) {
	return json.Marshal(map[string]any{"record": map[string]string{"type": o.RecordType, "id": o.RecordID},
		"prefill": o.Prefill})
}

// CallHeaders signs a call as HubSpot does (version 3): method, URL, body and time. HubSpot undoes some escapes
// before signing; a URL made by HubSpotURL contains only one of them.
func CallHeaders(secret []byte, method, address string, body []byte) (timestamp, signature string) {
	timestamp = strconv.FormatInt(time.Now().UnixMilli(), 10)
	return timestamp, hmacSum(secret, method+strings.ReplaceAll(address, "%40", "@")+string(body)+timestamp)
}

func hmacSum(secret []byte, text string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
