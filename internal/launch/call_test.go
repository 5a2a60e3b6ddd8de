package launch

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/pii"
)

// What HubSpot sends, written out by hand; the signatures were made independently with
// openssl dgst -hmac over the method, the URI, the body and the time.
const (
	callQuery = "userId=12&portalId=777&userEmail=olivia%40summit.test&appId=31337"
	callBody  = `{"record":{"type":"contact","id":"51"},"prefill":{"property.address.zip":"83702"}}`
	// with userEmail=olivia@summit.test, as in the documentation
	signedDecoded = "qM/jUvjrGdXsQ9i+3zHnlsiQLGJdqVIGjqIb0PFEW78="
	// with userEmail=olivia%40summit.test, as received
	signedReceived = "dMv3WWw2Kg6D7ka6p9G5LPNX/1LSpzLJIO50O0SGm8Q="
)

func hubspot() (Client, Call) {
	c := Client{Key: "acme", Kind: KindCall, Origins: []string{"https://app.hubspot.com"}, Organization: "777",
		Secret: pii.Wrap([]byte(secret))}
	return c, Call{
		Method: "POST", URI: "https://desk.example/launch/hubspot/acme", Query: callQuery, Body: callBody,
		Timestamp: "1795269600000", Signature: signedDecoded,
	}
}

// signed returns the call with our own signature, where there is no independent vector.
func (call Call) signed() Call {
	call.Signature = signatureOf(call.Method + call.signedAddresses()[1] + call.Body + call.Timestamp)
	return call
}

func TestVerifyCall(t *testing.T) {
	for _, signature := range []string{signedDecoded, signedReceived} {
		c, call := hubspot()
		call.Signature = signature
		got, err := VerifyLaunchCall(c, call, now.Add(time.Minute))
		if err != nil || got.Subject != "777/12" || got.Email != "olivia@summit.test" || got.Record.ID != "51" ||
			got.Prefill.Get("property.address.zip") != "83702" {
			t.Fatalf("got %+v, %v", got, err)
		}
	}
	for name, change := range map[string]func(*Client, *Call){
		"other method": func(_ *Client, k *Call) { k.Method = "PUT" }, "other URI": func(_ *Client, k *Call) { k.URI += "x" },
		"other user":  func(_ *Client, k *Call) { k.Query = strings.Replace(k.Query, "userId=12", "userId=13", 1) },
		"second user": func(_ *Client, k *Call) { k.Query += "&userId=13" },
		"other order": func(_ *Client, k *Call) {
			k.Query = "portalId=777&userId=12&userEmail=olivia%40summit.test&appId=31337"
		},
		"no query":      func(_ *Client, k *Call) { k.Query = "" },
		"other escapes": func(_ *Client, k *Call) { k.Query = strings.Replace(k.Query, "userId", "%75serId", 1) },
		"other body":    func(_ *Client, k *Call) { k.Body = strings.Replace(k.Body, "51", "52", 1) },
		"other time":    func(_ *Client, k *Call) { k.Timestamp = "1795269600001" },
		"no signature":  func(_ *Client, k *Call) { k.Signature = "" },
		"other portal":  func(c *Client, _ *Call) { c.Organization = "778" }, "no secret": func(c *Client, _ *Call) {
			c.Secret = pii.Wrap([]byte{})
		},
	} {
		c, call := hubspot()
		change(&c, &call)
		if _, err := VerifyLaunchCall(c, call, now); !fault.Is(err, fault.Denied) {
			t.Errorf("%s: got %v, want it denied", name, err)
		}
	}
	c, call := hubspot()
	for _, at := range []time.Time{now.Add(maxCallAge + time.Second), now.Add(-maxCallAge - time.Second)} {
		if err := VerifyCall(c, call, at); err == nil {
			t.Errorf("call of %v at %v: got no error", now, at)
		}
	}
}

// TestVerifyCaller_OnlySignedQuery: the code of a card writes the body and may write a query. Only
// what HubSpot adds names the user, and an ambiguous query is rejected.
func TestVerifyCaller_OnlySignedQuery(t *testing.T) {
	c, call := hubspot()
	call.Body = `{"portalId":777,"userId":99,"userEmail":"piotr@lakeside.test","userName":"Piotr","record":{"id":"51"}}`
	got, err := VerifyLaunchCall(c, call.signed(), now)
	if err != nil || got.Subject != "777/12" || got.Email != "olivia@summit.test" || got.Name != "" {
		t.Errorf("body with another user: got %+v, %v; want the caller of the query", got, err)
	}
	for name, query := range map[string]string{
		"user twice":        "userId=99&" + callQuery,
		"user twice, alike": "userId=12&" + callQuery,
		"user escaped":      "user%49d=99&" + callQuery,
		"portal twice":      "portalId=777&" + callQuery,
		"email twice":       "userEmail=piotr%40lakeside.test&" + callQuery,
		"no user":           "portalId=777&userEmail=olivia%40summit.test",
		"empty user":        "userId=&portalId=777&userEmail=olivia%40summit.test",
		"no portal":         "userId=12&userEmail=olivia%40summit.test",
		"no email":          "userId=12&portalId=777",
		"user zero":         "userId=0&portalId=777&userEmail=olivia%40summit.test",
		"leading zero":      "userId=012&portalId=777&userEmail=olivia%40summit.test",
		"plus sign":         "userId=%2B12&portalId=777&userEmail=olivia%40summit.test",
		"semicolon":         "a;userId=99&" + callQuery,
		"bad escape":        "a=%zz&" + callQuery,
	} {
		_, call := hubspot()
		call.Query = query
		if got, err := VerifyLaunchCall(c, call.signed(), now); !fault.Is(err, fault.Denied) {
			t.Errorf("%s: got %+v, %v; want it denied", name, got, err)
		}
	}
	_, call = hubspot()
	call.Query = "tab=a%2Fb%26userId%3D99%3BportalId&" + callQuery
	if got, err := VerifyLaunchCall(c, call.signed(), now); err != nil || got.Subject != "777/12" {
		t.Errorf("card's own parameter: got %+v, %v", got, err)
	}
}

// TestVerifyCall_AmbiguousPieces_Refused: the signed text has no separators, so no piece may be moved
// into its neighbor.
func TestVerifyCall_AmbiguousPieces_Refused(t *testing.T) {
	c, call := hubspot()
	call.Query = "portalId=777&userEmail=olivia%40summit.test&userId=120"
	call.Body = ""
	call = call.signed()
	if _, err := VerifyCaller(c, call, now); err != nil {
		t.Fatal(err)
	}
	moved := call
	moved.Query, moved.Timestamp = strings.TrimSuffix(call.Query, "0"), "0"+call.Timestamp
	if _, err := VerifyCaller(c, moved, now); err == nil {
		t.Error("a digit of the user id was moved into the timestamp")
	}
	for name, change := range map[string]func(*Call){
		"body in the query": func(k *Call) { k.Query, k.Body = k.Query+k.Body, "" },
		"query in the body": func(k *Call) {
			k.Body, k.Query = "&appId=31337"+k.Body,
				strings.TrimSuffix(k.Query, "&appId=31337")
		},
		"query in the path":  func(k *Call) { k.URI, k.Query = k.URI+"?"+k.Query, "" },
		"space in the query": func(k *Call) { k.Query += "&a= b" },
		"non-ASCII letter":   func(k *Call) { k.Query += "&a=é" },
	} {
		_, call := hubspot()
		change(&call)
		if err := VerifyCall(c, call.signed(), now); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

func TestVerifyLaunchCall_EitherEscape_SameReplayKey(t *testing.T) {
	c, call := hubspot()
	was, err := VerifyLaunchCall(c, call, now)
	if err != nil {
		t.Fatal(err)
	}
	call.Query = decodeQuery(call.Query)
	if got, err := VerifyLaunchCall(c, call, now); err != nil || got.ReplayKey != was.ReplayKey {
		t.Errorf("got another replay key: %v", err)
	}
}

// TestVerifyCall_Card verifies the request for a card, which has no body.
func TestVerifyCall_Card(t *testing.T) {
	c, call := hubspot()
	call.Method, call.URI, call.Body = "GET", "https://desk.example/api/embed/acme/records/51", ""
	call.Signature = "Uf4oaJnoETwElMrzdfddzWYB8hLvrh97sYE4cKtnx8U="
	if got, err := VerifyCaller(c, call, now); err != nil || got != (Caller{"777", "12", "olivia@summit.test"}) {
		t.Errorf("got %+v, %v", got, err)
	}
	call.Query, call.Signature = "", "lzEI0dyQ7+A8GnEW3d1p2w+hwydlrA26wk8Vv1vYLAc="
	if err := VerifyCall(c, call, now); err != nil {
		t.Errorf("call without a user: got %v", err)
	}
	if _, err := VerifyCaller(c, call, now); !fault.Is(err, fault.Denied) {
		t.Errorf("VerifyCaller without a user: got %v, want it denied", err)
	}
}

// TestVerifyCall_CardEscapes: a record's id may need escapes. They are signed as received, or decoded as
// the documentation describes, but only where the URI stays unambiguous.
func TestVerifyCall_CardEscapes(t *testing.T) {
	c, call := hubspot()
	call.Method, call.Body = "GET", ""
	const at = "https://desk.example/api/embed/acme/records/"
	for signed, valid := range map[string]bool{
		at + "a%3Ab%2520%3Fc?" + callQuery:                         true,
		at + "a%3Ab%2520%3Fc?" + decodeQuery(callQuery):            true,
		at + "a:b%2520%3Fc?" + decodeQuery(callQuery):              true,
		at + "a:b%2520?c?" + decodeQuery(callQuery):                false,
		at + "a%3Ab%20%3Fc?" + callQuery:                           false,
		at + "a%3Ab%2520%3Fc" + callQuery:                          false,
		strings.ToLower(at) + "a%3ab%2520%3fc?" + callQuery:        false,
		"https://desk.example/api/embed/acme/records?" + callQuery: false,
	} {
		call.URI, call.Signature = at+"a%3Ab%2520%3Fc", signatureOf("GET"+signed+call.Timestamp)
		if _, err := VerifyCaller(c, call, now); (err == nil) != valid {
			t.Errorf("signed %s: got %v, want valid %v", signed, err, valid)
		}
	}
}

func TestRecordType(t *testing.T) {
	for _, try := range []struct {
		kind     Kind
		in, want string
	}{
		{KindToken, " Contact ", "contact"}, {KindToken, "0-1", "0-1"}, {KindCanvas, "Loan_File__c", "loan_file__c"},
		{KindCanvas, "", ""}, {KindCall, "0-1", "contact"}, {KindCall, "0-2", "company"}, {KindCall, "0-3", "deal"},
		{KindCall, "0-5", "ticket"}, {KindCall, "2-4711", "2-4711"}, {KindCall, "DEAL", "deal"},
	} {
		if got := RecordType(try.kind, try.in); got != try.want {
			t.Errorf("%s, %q: got %q, want %q", try.kind, try.in, got, try.want)
		}
	}
}

func signatureOf(text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
