package samplecrm

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// The CRM's names at itself, for the other ways of launching.
const (
	Organization  = "00D-SAMPLE" // as Salesforce would name the company
	HubSpotPortal = 4242         // as HubSpot would
)

// Kinds lists the ways in which it launches, as the portal's URLs name them.
func Kinds() []string { return []string{"jwt", "canvas", "hubspot"} }

// ClientKey returns its key at the portal. Each kind has two clients; the sign-in of the second is approved as a
// second factor.
func ClientKey(kind string, attested bool) string {
	if attested {
		return "sample-" + kind + "-mfa"
	}
	return "sample-" + kind
}

// ClientName returns the client's name at the portal.
func ClientName(kind string, attested bool) string {
	name := map[string]string{"jwt": "token", "canvas": "Canvas", "hubspot": "HubSpot"}[kind]
	if attested {
		name += ", approved"
	}
	return "Sample CRM (" + name + ")"
}

// Secret returns the secret that the CRM shares with the portal, for Canvas and HubSpot.
func (c *CRM) Secret() string { return c.secret }

// otherLaunch is a launch without <hearthline-desk>: a form that is posted into the frame, or the frame's URL.
type otherLaunch struct{ Action, Control, Value, URL string }

// signOther signs a launch as Canvas or HubSpot do.
func (c *CRM) signOther(ctx context.Context, v visit) (o otherLaunch, err error) {
	if v.Kind == "canvas" {
		o.Action, o.Control = c.launchURL(v), "signed_request"
		o.Value, err = CanvasRequest([]byte(c.secret), Organization, c.claims(v))
		return o, err
	}
	body, err := CallBody(c.claims(v))
	if err != nil {
		return o, err
	}
	err = c.callSigned(ctx, http.MethodPost, HubSpotURL(c.launchURL(v), hubSpotUserOf(v)), body, &o)
	return o, err
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

func hubSpotUserOf(v visit) HubSpotUser {
	user := int64(0)
	for _, char := range v.Person {
		user = user*31 + int64(char)
	}
	return HubSpotUser{Portal: HubSpotPortal, User: user, Email: v.email()}
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

// callSigned sends a request with a signature over the whole call.
func (c *CRM) callSigned(ctx context.Context, method, address string, body []byte, into any) error {
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	at, signature := CallHeaders([]byte(c.secret), method, address, body)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-HubSpot-Request-Timestamp", at)
	r.Header.Set("X-HubSpot-Signature-v3", signature)
	return doJSON(r, into)
}

func hmacSum(secret []byte, text string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
