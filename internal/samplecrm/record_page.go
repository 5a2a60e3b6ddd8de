package samplecrm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// recordPage is the page of a record with the portal beside it.
type recordPage struct {
	Portal    string
	Kinds     []string
	Kind      string
	Attested  bool
	Person    string
	Records   []record
	Record    record
	Action    string // where the frame's form is posted; "" when a URL is framed
	Control   string
	Value     string
	LaunchURL string // one-time URL, framed directly
	Failed    string
}

// recordPageOf reads from the URL which record to show, how to launch it, and as which user.
func (c *CRM) recordPageOf(r *http.Request) recordPage {
	q := r.URL.Query()
	s := recordPage{Portal: c.Portal, Kinds: Kinds(), Kind: q.Get("kind"), Attested: q.Get("mfa") == "yes",
		Person: q.Get("person"), Records: records(), Record: findRecord(q.Get("record"))}
	if s.Kind == "" {
		s.Kind = "jwt"
	}
	if s.Person == "" {
		s.Person = "olivia"
	}
	return s
}

// KindLabel returns the display name of a launch kind.
func (s recordPage) KindLabel(kind string) string {
	return map[string]string{"jwt": "Token (JWT)", "canvas": "Salesforce Canvas", "hubspot": "HubSpot call"}[kind]
}

// RecordURL returns the URL of a record, launched in the same way by the same user.
func (s recordPage) RecordURL(record string) string {
	mfa := "no"
	if s.Attested {
		mfa = "yes"
	}
	return "?" + url.Values{"record": {record}, "kind": {s.Kind}, "mfa": {mfa}, "person": {s.Person}}.Encode()
}

func (c *CRM) serveRecordPage(w http.ResponseWriter, r *http.Request) {
	s := c.recordPageOf(r)
	if err := c.signLaunch(r.Context(), &s); err != nil {
		s.Failed = err.Error()
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	var page bytes.Buffer
	if err := c.page.Execute(&page, s); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(page.Bytes())
}

// claims returns what the CRM asserts about the user and the record.
func (c *CRM) claims(s *recordPage) LaunchClaims {
	name, _, _ := strings.Cut(s.Person, "@")
	return LaunchClaims{
		Subject: "crm-" + name, Name: strings.ToUpper(name[:1]) + name[1:], Email: name + "@summit.test", Origin: c.Origin,
		RecordType: s.Record.Type, RecordID: s.Record.ID, Prefill: s.Record.Prefill,
	}
}

// signLaunch signs a launch in the chosen way.
func (c *CRM) signLaunch(ctx context.Context, s *recordPage) (err error) {
	client, o := ClientKey(s.Kind, s.Attested), c.claims(s)
	switch s.Kind {
	case "canvas":
		s.Action, s.Control = c.Portal+"/launch/canvas/"+client, "signed_request"
		s.Value, err = CanvasRequest([]byte(c.secret), Organization, o)
	case "hubspot":
		s.LaunchURL, err = c.requestLaunchURL(ctx, client, s.Person, o)
	default:
		s.Action, s.Control = c.Portal+"/launch/jwt/"+client, "launch_token"
		s.Value, err = Token(c.key, c.Origin, s.Action, o)
	}
	return err
}

// newHubSpotUser returns a user as HubSpot knows them.
func newHubSpotUser(person, email string) HubSpotUser {
	user := int64(0)
	for _, char := range person {
		user = user*31 + int64(char)
	}
	return HubSpotUser{Portal: HubSpotPortal, User: user, Email: email}
}

// requestLaunchURL calls the portal as a card does through HubSpot, and returns the one-time URL.
func (c *CRM) requestLaunchURL(ctx context.Context, client, person string, o LaunchClaims) (string, error) {
	body, err := CallBody(o)
	if err != nil {
		return "", err
	}
	var answer struct{ URL string }
	err = c.callSigned(ctx, http.MethodPost,
		HubSpotURL(c.Portal+"/launch/hubspot/"+client, newHubSpotUser(person, o.Email)), body, &answer)
	return answer.URL, err
}

// serveCard shows the status of a record's inquiry without a frame. It asks the portal with a token, with HubSpot's
// signed call for the current user, or with a call that the CRM's server signs for itself.
func (c *CRM) serveCard(w http.ResponseWriter, r *http.Request) {
	s := c.recordPageOf(r)
	address := c.Portal + "/api/embed/" + ClientKey(s.Kind, s.Attested) + "/records/" + s.Record.ID + "?type=" +
		s.Record.Type
	o := c.claims(&s)
	var answer map[string]any
	var err error
	switch s.Kind {
	case "canvas":
		err = c.callSigned(r.Context(), http.MethodGet, address, nil, &answer)
	case "hubspot":
		err = c.callSigned(r.Context(), http.MethodGet, HubSpotURL(address, newHubSpotUser(s.Person, o.Email)), nil, &answer)
	default:
		err = c.callWithToken(r.Context(), address, o, &answer)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

// callWithToken sends a request with a token for the URL itself.
func (c *CRM) callWithToken(ctx context.Context, address string, o LaunchClaims, into any) error {
	token, err := Token(c.key, c.Origin, address, o)
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

func doJSON(r *http.Request, into any) error {
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	// 404 means that there is no inquiry yet, which is a valid answer
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusNotFound {
		return fmt.Errorf("the portal answered %s", res.Status)
	}
	return json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(into)
}
