// Package samplecrm is a small CRM with the desk in its pages. Copy from it: it needs only the standard library, and
// knows the portal only by what the help page for CRMs says. It is for the demo and for tests; the portal does not
// depend on it.
//
//	crm.go             its settings and its contacts
//	launch.go          signs launches, and the calls of the portal's API
//	events.go          receives events: verifies them, changes the list, and makes a task when offers are ready
//	list.go            the list and the tasks, stored in one file; rebuilds the list from the status API
//	pages.go           the list, the page of a record with <hearthline-desk>, and the log of events
//	other_launches.go  launches as Salesforce Canvas and HubSpot sign them; a CRM of your own needs none of this
package samplecrm

import (
	"crypto/ed25519"
	"crypto/rand"
	"html/template"
	"net/http"
	"slices"
	"strings"
)

// Config is what the CRM is told at its start. Script and Integrity are on the help page for CRMs, as is the table of
// codes.
type Config struct {
	Portal    string            // the portal as browsers see it, "http://localhost:8080"
	Origin    string            // its own origin, on another site: "http://127.0.0.1:8082"
	File      string            // where it stores the list
	Script    string            // the URL of <hearthline-desk>
	Integrity string            // of that script
	Words     map[string]string // what a code means, by field and code: "step offers_available"

	SigningKey ed25519.PrivateKey // signs launches; nil for a new one
}

// CRM is the sample CRM. Create it with New.
type CRM struct {
	Config

	list        *list
	templates   *template.Template
	secret      string // is shared with the portal, for the other ways of launching
	eventSecret string // verifies events
}

// New returns a CRM.
func New(config Config) (*CRM, error) {
	c := &CRM{Config: config, list: &list{file: config.File}, secret: rand.Text() + rand.Text()}
	var err error
	if c.SigningKey == nil {
		if _, c.SigningKey, err = ed25519.GenerateKey(rand.Reader); err != nil {
			return nil, err
		}
	}
	c.templates, err = c.parsePages()
	return c, err
}

// Key is the CRM's key at the portal.
const Key = "sample-jwt"

// EventsURL returns where the portal sends events.
func (c *CRM) EventsURL() string { return c.Origin + "/events" }

// SetEventSecret sets the secret that verifies events, as the portal showed it.
func (c *CRM) SetEventSecret(secret string) { c.eventSecret = secret }

// Handler serves its pages.
func (c *CRM) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /events", c.receiveEvent)
	mux.HandleFunc("POST /launch-token", c.serveLaunchToken)
	mux.HandleFunc("GET /{$}", c.serveList)
	mux.HandleFunc("POST /rebuild", c.rebuildList)
	mux.HandleFunc("POST /tasks/{task}/done", c.finishTask)
	mux.HandleFunc("GET /record", c.serveRecord)
	mux.HandleFunc("GET /card", c.serveCard)
	mux.HandleFunc("GET /log", c.serveLog)
	for _, name := range []string{"crm.css", "crm.js", "icon.svg"} {
		mux.Handle("GET /"+name, http.FileServerFS(pageFiles()))
	}
	return http.NewCrossOriginProtection().Handler(c.withPolicy(mux)) // no page of another site posts here
}

// withPolicy allows its pages what <hearthline-desk> needs, and no more.
func (c *CRM) withPolicy(next http.Handler) http.Handler {
	policy := strings.ReplaceAll("default-src 'none'; style-src 'self'; script-src 'self' PORTAL; img-src 'self'; "+
		"connect-src 'self'; frame-src PORTAL; form-action 'self' PORTAL; base-uri 'none'; frame-ancestors 'none'",
		"PORTAL", c.Portal)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		next.ServeHTTP(w, r)
	})
}

// contact is one of the CRM's own records.
type contact struct {
	ID, Type, Name, City string
	Owner                string            // the user who works with them
	Prefill              map[string]string // the names of the new inquiry's fields → text
}

func contacts() []contact {
	return []contact{
		{"D-1001", "deal", "Elena Rivera", "Boise", "olivia",
			prefill("Elena", "Rivera", "1420 Harrison Blvd", "Boise", "83702")},
		{"D-1002", "deal", "Jonah Whitfield-Liens", "Meridian", "olivia",
			prefill("Jonah", "Whitfield-Liens", "88 Cedar Ave", "Meridian", "83642")},
		{"D-1003", "deal", "Amara Castellano", "Eagle", "marcus",
			prefill("Amara", "Castellano", "310 Sagebrush Dr", "Eagle", "83616")},
		{"C-51", "contact", "Priya Raman", "Nampa", "olivia", prefill("Priya", "Raman", "7 Orchard Ln", "Nampa", "83651")},
		{"C-52", "contact", "Noah Lindqvist", "Caldwell", "marcus",
			prefill("Noah", "Lindqvist", "52 Linden St", "Caldwell", "83605")},
	}
}

func prefill(first, last, street, city, zip string) map[string]string {
	values := map[string]string{
		"applicant.name.firstName": first, "applicant.name.lastName": last, "applicant.dob": "1979-05-14",
		"applicant.phone": "208-555-0142", "applicant.email": "borrower@example.com", "property.address.street1": street,
		"property.address.city": city, "property.address.state": "ID",
		"property.address.zip": zip, "amountWanted": "60,000",
	}
	if first == "Amara" {
		values["applicant.name.prefix"] = "Ms." // the portal ignores names that it does not know
	}
	return values
}

// findContact returns the contact with an ID; false if there is none.
func findContact(id string) (contact, bool) {
	all := contacts()
	i := slices.IndexFunc(all, func(c contact) bool { return c.ID == id })
	if i < 0 {
		return contact{}, false
	}
	return all[i], true
}
