package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hearthline/internal/seal"
)

// rig is a sandbox under test, spoken to as a partner would: by HTTP, with its public key.
type rig struct {
	t     *testing.T
	s     *Sandbox
	actor string // the acting originator
}

func open(t *testing.T, cfg Config) *rig {
	t.Helper()
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	if cfg.PrivateKeyFile == "" {
		cfg.PrivateKeyFile = "testdata/service.pem" // making a key takes longer than a test
	}
	s, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &rig{t: t, s: s, actor: idOf(s, "olivia@summit.test")}
}

func idOf(s *Sandbox, email string) string {
	for _, o := range s.Originators() {
		if o.Email == email {
			return string(o.ID)
		}
	}
	return ""
}

// ask sends a request as a partner and answers status and decoded body.
func (g *rig) ask(method, path string, body any) (int, map[string]any) {
	g.t.Helper()
	w := g.raw(method, path, body, nil)
	var decoded map[string]any
	if w.Body.Len() > 0 && strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(w.Body.Bytes(), &decoded); err != nil {
			decoded = nil // the list answers of the control half
		}
	}
	return w.Code, decoded
}

func (g *rig) raw(method, path string, body any, header map[string]string) *httptest.ResponseRecorder {
	g.t.Helper()
	var text []byte
	switch b := body.(type) {
	case nil:
	case string:
		text = []byte(b)
	default:
		var err error
		if text, err = json.Marshal(b); err != nil {
			g.t.Fatal(err)
		}
	}
	r := httptest.NewRequestWithContext(g.t.Context(), method, "http://localhost"+path, bytes.NewReader(text))
	r.RemoteAddr = "127.0.0.1:40000"
	r.Header.Set("apikey", g.s.cfg.APIKey)
	r.Header.Set("User-Agent", "rig")
	for name, value := range header {
		if value == "" {
			r.Header.Del(name)
			continue
		}
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	g.s.Handler().ServeHTTP(w, r)
	return w
}

// sealed dresses a payload as the interface wants it.
func (g *rig) sealed(v any) obj {
	g.t.Helper()
	local, err := seal.NewLocal(g.s.PublicKeyPEM())
	if err != nil {
		g.t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		g.t.Fatal(err)
	}
	compact, err := local.Seal(context.Background(), text)
	if err != nil {
		g.t.Fatal(err)
	}
	return obj{"encrypted": compact}
}

// request is the request block, right for both dialects.
func (g *rig) request() obj { return obj{"loanOriginatorUuid": g.actor, "async": true} }

// payload is a complete start payload that passes both dialects; change by path.
func (g *rig) payload(lastName string) obj {
	home := obj{"street1": "418 Alder Way", "city": "Golden", "state": "CO", "zip": "80401"}
	return obj{
		"request": g.request(),
		"applicant": obj{
			"name": obj{"firstName": "Elena", "lastName": lastName}, "dob": "1984-03-09", "phone": "3035550142",
			"email": "elena@borrower.test", "homeAddress": home,
			"income": obj{"employmentType": "FULL_TIME", "grossAnnualIncome": 128000},
		},
		"property": obj{
			"address": home, "propertyType": "PRIMARY", "isListedForSale": false, "ownershipType": "SOLE",
			"borrowerEstimatedValue": 640000,
			"liens": []obj{{
				"originationDate": "2019-05-01", "lenderName": "Meridian Home Loans", "originalBalance": 310000,
				"currentBalance": 262000, "monthlyPayment": 1640,
			}},
		},
		"partnerDataRequest": obj{"externalAppId": "hl-01J", "externalReferenceId": "R-7", "externalCustomerId": "C-9"},
	}
}

// start begins an inquiry and answers its id.
func (g *rig) start(payload obj) string {
	g.t.Helper()
	status, answer := g.ask("POST", "/products/heloc/v1/inquiry/start", g.sealed(payload))
	if status != http.StatusOK {
		g.t.Fatalf("start: got %d %v, want 200", status, answer)
	}
	return answer["data"].(obj)["appUuid"].(string)
}

// app is appData of the details.
func (g *rig) app(id string) obj {
	g.t.Helper()
	status, answer := g.ask("GET", "/products/heloc/v1/details/"+id, nil)
	if status != http.StatusOK {
		g.t.Fatalf("details: got %d, want 200", status)
	}
	return answer["data"].(obj)["appData"].(obj)
}

func (g *rig) step(id string) string { return g.app(id)["nextInquiryStep"].(string) }

// act runs an operation of an inquiry and answers its status.
func (g *rig) act(method, id, operation string, body obj) int {
	g.t.Helper()
	if _, given := body["request"]; !given && body["encrypted"] == nil {
		body["request"] = g.request()
	}
	status, _ := g.ask(method, "/products/heloc/v1/inquiry/"+id+"/"+operation, body)
	return status
}

func (g *rig) event(id, name string) int {
	g.t.Helper()
	status, _ := g.ask("POST", "/_sandbox/inquiries/"+id+"/events", obj{"event": name})
	return status
}

// set changes one field of a start payload.
func set(path, field string, value any) func(obj) {
	return func(payload obj) { branch(payload, path)[field] = value }
}

// drop removes one field of a start payload.
func drop(path, field string) func(obj) {
	return func(payload obj) { delete(branch(payload, path), field) }
}

// branch finds an object by its dotted path. The two addresses of the payload are one
// map, so it is copied before it is changed.
func branch(payload obj, path string) obj {
	at := payload
	for name := range strings.SplitSeq(path, ".") {
		next := maps.Clone(at[name].(obj))
		at[name] = next
		at = next
	}
	return at
}

// rich is a home that has carried large loans and that nobody has put a value to.
func rich(payload obj) {
	drop("property", "borrowerEstimatedValue")(payload)
	branch(payload, "property")["liens"] = []obj{{
		"originationDate": "2012-05-01", "lenderName": "Meridian Home Loans", "originalBalance": 900000,
		"currentBalance": 120000, "monthlyPayment": 1640,
	}}
}

// secondLien leaves no room for a line unless the second lien is paid off.
func secondLien(payload obj) {
	set("property", "borrowerEstimatedValue", 400000)(payload)
	home := branch(payload, "property")
	home["liens"] = append(home["liens"].([]obj), obj{
		"originationDate": "2021-05-01", "lenderName": "Tidewater Credit Union", "originalBalance": 80000,
		"currentBalance": 74000, "monthlyPayment": 480,
	})
}
