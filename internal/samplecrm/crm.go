// Package samplecrm is a CRM for trying the embedded desk: it signs launches in each way that the portal verifies,
// and its pages embed the portal from another site. It is for the demo and for tests; the portal does not depend on
// it.
//
//	launch.go       the three ways of signing
//	crm.go          its records and its configuration; page.html is the page of a record
//	record_page.go  what it loads into the frame, and the card that it shows without one
package samplecrm

import (
	"crypto/ed25519"
	"crypto/rand"
	_ "embed" // the page
	"encoding/json"
	"html/template"
	"net/http"
	"slices"

	"github.com/go-jose/go-jose/v4"
)

// CRM is the sample CRM. Create it with New.
type CRM struct {
	Portal string // the portal as browsers see it, "http://localhost:8080"
	Origin string // its own origin, on another site: "http://127.0.0.1:8082"

	key    ed25519.PrivateKey
	secret string
	page   *template.Template
}

//go:embed page.html
var pageHTML string

// The CRM's own names at the portal and at itself.
const (
	Organization  = "00D-SAMPLE" // as Salesforce would name the company
	HubSpotPortal = 4242         // as HubSpot would
)

// New returns a CRM with newly generated keys.
func New(portal, origin string) (*CRM, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	t, err := template.New("page").Parse(pageHTML)
	return &CRM{Portal: portal, Origin: origin, key: key, secret: rand.Text() + rand.Text(), page: t}, err
}

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

// Secret returns the secret that the CRM shares with the portal, for two of the kinds.
func (c *CRM) Secret() string { return c.secret }

// Keys returns its public keys as a JSON Web Key Set, for the third kind.
func (c *CRM) Keys() (string, error) {
	public, _ := c.key.Public().(ed25519.PublicKey)
	text, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: public, KeyID: "k1", Algorithm: "EdDSA"}}})
	return string(text), err
}

// record is one of the CRM's own records.
type record struct {
	ID, Type, Name, City string
	Prefill              map[string]string
}

func prefill(first, last, street, city, zip string) map[string]string {
	return map[string]string{
		"applicant.name.firstName": first, "applicant.name.lastName": last, "applicant.dob": "1979-05-14",
		"applicant.phone": "208-555-0142", "applicant.email": "borrower@example.com", "property.address.street1": street,
		"property.address.city": city, "property.address.state": "ID",
		"property.address.zip": zip, "amountWanted": "60,000",
	}
}

func withPrefix(prefix string, values map[string]string) map[string]string {
	values["applicant.name.prefix"] = prefix
	return values
}

func records() []record {
	return []record{
		{"D-1001", "deal", "Elena Rivera", "Boise", prefill("Elena", "Rivera", "1420 Harrison Blvd", "Boise", "83702")},
		{"D-1002", "deal", "Jonah Whitfield-Liens", "Meridian",
			prefill("Jonah", "Whitfield-Liens", "88 Cedar Ave", "Meridian", "83642")},
		{"D-1003", "deal", "Amara Castellano", "Eagle",
			withPrefix("Ms.", prefill("Amara", "Castellano", "310 Sagebrush Dr", "Eagle", "83616"))},
		{"C-51", "contact", "Priya Raman", "Nampa", prefill("Priya", "Raman", "7 Orchard Ln", "Nampa", "83651")},
		{"C-52", "contact", "Noah Lindqvist", "Caldwell", prefill("Noah", "Lindqvist", "52 Linden St", "Caldwell", "83605")},
	}
}

func findRecord(id string) record {
	all := records()
	if i := slices.IndexFunc(all, func(r record) bool { return r.ID == id }); i >= 0 {
		return all[i]
	}
	return all[0]
}

// Handler serves its pages.
func (c *CRM) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", c.serveRecordPage)
	mux.HandleFunc("GET /card", c.serveCard)
	return mux
}
