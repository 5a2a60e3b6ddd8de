package crm

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

// shown is the page of a record with the portal beside it.
type shown struct {
	Portal   string
	Kinds    []string
	Kind     string
	Attested bool
	Person   string
	Records  []record
	Record   record
	Action   string // where the frame's form goes; "" where an address is framed
	Control  string
	Value    string
	Door     string // one-time address; framed as it is
	Failed   string
}

// chosen is what the address says: which record, launched how, and by whom.
func (c *CRM) chosen(r *http.Request) shown {
	q := r.URL.Query()
	s := shown{Portal: c.Portal, Kinds: Kinds(), Kind: q.Get("kind"), Attested: q.Get("mfa") == "yes", Person: q.Get("person"), Records: records(), Record: find(q.Get("record"))}
	if s.Kind == "" {
		s.Kind = "jwt"
	}
	if s.Person == "" {
		s.Person = "olivia"
	}
	return s
}

// Says is what a way of launching is called.
func (s shown) Says(kind string) string {
	return map[string]string{"jwt": "Token (JWT)", "canvas": "Salesforce Canvas", "hubspot": "HubSpot call"}[kind]
}

// Address is that of a record, opened in the same way by the same person.
func (s shown) Address(record string) string {
	mfa := "no"
	if s.Attested {
		mfa = "yes"
	}
	return "?" + url.Values{"record": {record}, "kind": {s.Kind}, "mfa": {mfa}, "person": {s.Person}}.Encode()
}

func (c *CRM) show(w http.ResponseWriter, r *http.Request) {
	s := c.chosen(r)
	if err := c.fill(r.Context(), &s); err != nil {
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

// opening is what the CRM says of who looks at what.
func (c *CRM) opening(s *shown) Opening {
	name, _, _ := strings.Cut(s.Person, "@")
	return Opening{
		Subject: "crm-" + name, Name: strings.ToUpper(name[:1]) + name[1:], Email: name + "@summit.test", Origin: c.Origin,
		RecordType: s.Record.Type, RecordID: s.Record.ID, Prefill: s.Record.Prefill,
	}
}

// fill signs a launch in the way that was chosen.
func (c *CRM) fill(ctx context.Context, s *shown) (err error) {
	client, o := ClientKey(s.Kind, s.Attested), c.opening(s)
	switch s.Kind {
	case "canvas":
		s.Action, s.Control = c.Portal+"/launch/canvas/"+client, "signed_request"
		s.Value, err = Envelope([]byte(c.secret), Organization, o)
	case "hubspot":
		s.Door, err = c.ask(ctx, client, s.Person, o)
	default:
		s.Action, s.Control = c.Portal+"/launch/jwt/"+client, "launch_token"
		s.Value, err = Token(c.key, c.Origin, s.Action, o)
	}
	return err
}

// hubUser is a person as HubSpot knows them.
func hubUser(person, email string) HubUser {
	user := int64(0)
	for _, letter := range person {
		user = user*31 + int64(letter)
	}
	return HubUser{Portal: HubPortal, User: user, Email: email}
}

// ask calls the portal as a card does through HubSpot, and gives the one-time address.
func (c *CRM) ask(ctx context.Context, client, person string, o Opening) (string, error) {
	body, err := CallBody(o)
	if err != nil {
		return "", err
	}
	var said struct{ URL string }
	err = c.call(ctx, http.MethodPost, Asked(c.Portal+"/launch/hubspot/"+client, hubUser(person, o.Email)), body, &said)
	return said.URL, err
}

// card shows where a record's inquiry stands, without a frame: by a token, by HubSpot's
// call for whoever looks, or by a call that the CRM's server signs for itself.
func (c *CRM) card(w http.ResponseWriter, r *http.Request) {
	s := c.chosen(r)
	address := c.Portal + "/api/embed/" + ClientKey(s.Kind, s.Attested) + "/records/" + s.Record.ID + "?type=" + s.Record.Type
	o := c.opening(&s)
	var said map[string]any
	var err error
	switch s.Kind {
	case "canvas":
		err = c.call(r.Context(), http.MethodGet, address, nil, &said)
	case "hubspot":
		err = c.call(r.Context(), http.MethodGet, Asked(address, hubUser(s.Person, o.Email)), nil, &said)
	default:
		err = c.bear(r.Context(), address, o, &said)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(said)
}

// bear asks with a token for the address itself.
func (c *CRM) bear(ctx context.Context, address string, o Opening, into any) error {
	token, err := Token(c.key, c.Origin, address, o)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	return answered(r, into)
}

// call asks with a signature over the whole call.
func (c *CRM) call(ctx context.Context, method, address string, body []byte, into any) error {
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	at, signature := CallHeaders([]byte(c.secret), method, address, body)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-HubSpot-Request-Timestamp", at)
	r.Header.Set("X-HubSpot-Signature-v3", signature)
	return answered(r, into)
}

func answered(r *http.Request, into any) error {
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusNotFound { // no inquiry yet is an answer
		return fmt.Errorf("the portal answered %s", res.Status)
	}
	return json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(into)
}
