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

	"hearthline/internal/jwe"
)

// harness is a sandbox under test, called as a partner would: over HTTP, with its public key.
type harness struct {
	t     *testing.T
	s     *Sandbox
	actor string // the acting originator
}

func newHarness(t *testing.T, cfg Config) *harness {
	t.Helper()
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	if cfg.PrivateKeyFile == "" {
		cfg.PrivateKeyFile = "testdata/service.pem" // generating a key takes longer than a test
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
	return &harness{t: t, s: s, actor: originatorID(s, "olivia@summit.test")}
}

func originatorID(s *Sandbox, email string) string {
	for _, o := range s.Originators() {
		if o.Email == email {
			return string(o.ID)
		}
	}
	return ""
}

// call sends a request as a partner and returns the status and the decoded body.
func (g *harness) call(method, path string, body any) (int, map[string]any) {
	g.t.Helper()
	w := g.rawCall(method, path, body, nil)
	var decoded map[string]any
	if w.Body.Len() > 0 && strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(w.Body.Bytes(), &decoded); err != nil {
			decoded = nil // /_sandbox/ endpoints that return a list
		}
	}
	return w.Code, decoded
}

func (g *harness) rawCall(method, path string, body any, header map[string]string) *httptest.ResponseRecorder {
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
	r.Header.Set("User-Agent", "harness")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
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

// encrypted wraps a payload in the form that the interface requires.
func (g *harness) encrypted(v any) object {
	g.t.Helper()
	local, err := jwe.NewLocalSealer(g.s.PublicKeyPEM())
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
	return object{"encrypted": compact}
}

// request is a request block that is valid in both dialects.
func (g *harness) request() object { return object{"loanOriginatorUuid": g.actor, "async": true} }

// payload is a complete start payload that is valid in both dialects; tests change it by path.
func (g *harness) payload(lastName string) object {
	home := object{"street1": "418 Alder Way", "city": "Golden", "state": "CO", "zip": "80401"}
	return object{
		"request": g.request(),
		"applicant": object{
			"name": object{"firstName": "Elena", "lastName": lastName}, "dob": "1984-03-09", "phone": "3035550142",
			"email": "elena@borrower.test", "homeAddress": home,
			"income": object{"employmentType": "FULL_TIME", "grossAnnualIncome": 128000},
		},
		"property": object{
			"address": home, "propertyType": "PRIMARY", "isListedForSale": false, "ownershipType": "SOLE",
			"borrowerEstimatedValue": 640000,
			"liens": []object{{
				"originationDate": "2019-05-01", "lenderName": "Meridian Home Loans", "originalBalance": 310000,
				"currentBalance": 262000, "monthlyPayment": 1640,
			}},
		},
		"partnerDataRequest": object{"externalAppId": "hl-01J", "externalReferenceId": "R-7", "externalCustomerId": "C-9"},
	}
}

// start starts an inquiry and returns its id.
func (g *harness) start(payload object) string {
	g.t.Helper()
	status, answer := g.call("POST", "/products/heloc/v1/inquiry/start", g.encrypted(payload))
	if status != http.StatusOK {
		g.t.Fatalf("start: got %d %v, want 200", status, answer)
	}
	return answer["data"].(object)["appUuid"].(string)
}

// appData returns appData of the details.
func (g *harness) appData(id string) object {
	g.t.Helper()
	status, answer := g.call("GET", "/products/heloc/v1/details/"+id, nil)
	if status != http.StatusOK {
		g.t.Fatalf("details: got %d, want 200", status)
	}
	return answer["data"].(object)["appData"].(object)
}

func (g *harness) step(id string) string { return g.appData(id)["nextInquiryStep"].(string) }

// operate executes an operation on an inquiry and returns the status.
func (g *harness) operate(method, id, operation string, body object) int {
	g.t.Helper()
	if _, given := body["request"]; !given && body["encrypted"] == nil {
		body["request"] = g.request()
	}
	status, _ := g.call(method, "/products/heloc/v1/inquiry/"+id+"/"+operation, body)
	return status
}

func (g *harness) playEvent(id, name string) int {
	g.t.Helper()
	status, _ := g.call("POST", "/_sandbox/inquiries/"+id+"/events", object{"event": name})
	return status
}

// withField changes one field of a start payload.
func withField(path, field string, value any) func(object) {
	return func(payload object) { subObject(payload, path)[field] = value }
}

// withoutField removes one field of a start payload.
func withoutField(path, field string) func(object) {
	return func(payload object) { delete(subObject(payload, path), field) }
}

// subObject finds an object by its dotted path. Both addresses of the payload are the same
// map, so subObject copies every object on the path.
func subObject(payload object, path string) object {
	at := payload
	for name := range strings.SplitSeq(path, ".") {
		next := maps.Clone(at[name].(object))
		at[name] = next
		at = next
	}
	return at
}

// homeWithLargeLoans is a home with large original loans and without an estimated value.
func homeWithLargeLoans(payload object) {
	withoutField("property", "borrowerEstimatedValue")(payload)
	subObject(payload, "property")["liens"] = []object{{
		"originationDate": "2012-05-01", "lenderName": "Meridian Home Loans", "originalBalance": 900000,
		"currentBalance": 120000, "monthlyPayment": 1640,
	}}
}

// secondLien makes a line impossible unless the second lien is paid off.
func secondLien(payload object) {
	withField("property", "borrowerEstimatedValue", 400000)(payload)
	home := subObject(payload, "property")
	home["liens"] = append(home["liens"].([]object), object{
		"originationDate": "2021-05-01", "lenderName": "Tidewater Credit Union", "originalBalance": 80000,
		"currentBalance": 74000, "monthlyPayment": 480,
	})
}
