package web

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// selection is an element of a page.
type selection = goquery.Selection

// testBrowser is a user of a harness, with plain HTTP and no scripts.
type testBrowser struct {
	h      *harness
	client *http.Client
	mu     sync.Mutex
	bodies bytes.Buffer // every response body, to search for leaks
}

// response is the final response, after redirects.
type response struct {
	*goquery.Document
	t      *testing.T
	status int
	path   string
	body   string
	header http.Header
}

// postedForm is a form of a page with its current values.
type postedForm struct {
	action string
	values url.Values
}

// signInAs signs a user in with the form on the page.
func (h *harness) signInAs(first string) *testBrowser {
	h.t.Helper()
	v := h.newBrowser()
	in := v.get("/login").form(`form#login`)
	in.values.Set("email", h.people[first].Email)
	in.values.Set("password", "right")
	if got := v.send(in); got.path == "/login" {
		h.t.Fatalf("%s cannot sign in: %d %s", first, got.status, got.text())
	}
	return v
}

// signedInBrowser returns the browser in which a user is already signed in, or signs them in now, because sign-ins
// from one network are rate limited.
func (h *harness) signedInBrowser(first string) *testBrowser {
	h.t.Helper()
	if h.signedInBrowsers[first] == nil {
		h.signedInBrowsers[first] = h.signInAs(first)
	}
	return h.signedInBrowsers[first]
}

// newBrowser returns a browser in which nobody is signed in.
func (h *harness) newBrowser() *testBrowser {
	jar, _ := cookiejar.New(nil) // fails only for a bad public suffix list
	return &testBrowser{h: h, client: &http.Client{Jar: jar}}
}

// The content security policies of documents. Nobody may frame them. A download may do nothing at all; a document
// that a browser displays has what WebKit needs for that, and no script source.
const (
	downloadCSP = "sandbox; default-src 'none'; frame-ancestors 'none'"
	pdfCSP      = "sandbox allow-scripts allow-same-origin; script-src 'none'; object-src 'none'; connect-src 'none'; img-src 'none'; font-src 'none'; " +
		"media-src 'none'; frame-src 'none'; worker-src 'none'; manifest-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// cookie returns the value of a cookie in the browser.
func (v *testBrowser) cookie(name string) string {
	site, _ := url.Parse(v.h.httpServer.URL)
	for _, c := range v.client.Jar.Cookies(site) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

func (v *testBrowser) do(r *http.Request) *response {
	v.h.t.Helper()
	res, err := v.client.Do(r)
	if err != nil {
		v.h.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		v.h.t.Fatal(err)
	}
	if !strings.Contains(res.Header.Get("Content-Security-Policy"), "frame-ancestors ") {
		v.h.t.Errorf("%s %s has no frame-ancestors policy", r.Method, res.Request.URL.Path)
	}
	v.mu.Lock()
	v.bodies.Write(body)
	v.mu.Unlock()
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(body))
	if err != nil {
		v.h.t.Fatal(err)
	}
	page := &response{doc, v.h.t, res.StatusCode, res.Request.URL.Path, string(body), res.Header}
	if page.status == http.StatusUnprocessableEntity {
		page.checkFieldErrors()
	}
	return page
}

func (v *testBrowser) get(path string, headers ...string) *response {
	v.h.t.Helper()
	return v.do(v.request(http.MethodGet, path, nil, headers))
}

func (v *testBrowser) request(method, path string, form url.Values, headers []string) *http.Request {
	v.h.t.Helper()
	r, err := http.NewRequestWithContext(v.h.t.Context(), method, v.h.httpServer.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		v.h.t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

func (v *testBrowser) post(path string, values url.Values, headers ...string) *response {
	v.h.t.Helper()
	return v.do(v.request(http.MethodPost, path, values, headers))
}

func (v *testBrowser) send(f postedForm) *response {
	v.h.t.Helper()
	return v.post(f.action, f.values)
}

func (p *response) text() string {
	s := strings.Join(strings.Fields(p.Find("main").Text()), " ")
	return s[:min(len(s), 600)]
}

// wantText fails unless the page contains every text.
func (p *response) wantText(wanted ...string) {
	p.t.Helper()
	text := strings.Join(strings.Fields(p.Text()), " ")
	for _, w := range wanted {
		if !strings.Contains(text, w) {
			p.t.Errorf("%s (%d) does not contain %q: %s", p.path, p.status, w, p.text())
		}
	}
}

// form returns the form that a selector finds, as a browser would send it.
func (p *response) form(selector string) postedForm {
	p.t.Helper()
	found := p.Find(selector).First()
	if found.Length() == 0 {
		p.t.Fatalf("%s (%d) has no form %s: %s", p.path, p.status, selector, p.text())
	}
	f := postedForm{action: found.AttrOr("action", ""), values: url.Values{}}
	found.Find("input[name], select[name], textarea[name]").Each(func(_ int, s *goquery.Selection) {
		name := s.AttrOr("name", "")
		_, on := s.Attr("checked")
		_, off := s.Attr("disabled")
		kind := s.AttrOr("type", "")
		switch {
		case off || kind == "submit":
		case goquery.NodeName(s) == "select":
			chosen := s.Find("option[selected]").First()
			if chosen.Length() == 0 {
				chosen = s.Find("option").First()
			}
			f.values.Add(name, chosen.AttrOr("value", ""))
		case goquery.NodeName(s) == "textarea":
			f.values.Add(name, s.Text())
		case kind != "checkbox" && kind != "radio" || on:
			f.values.Add(name, s.AttrOr("value", ""))
		}
	})
	return f
}

// with returns the form with other values.
func (f postedForm) with(pairs ...string) postedForm {
	f.values = maps.Clone(f.values)
	for i := 0; i+1 < len(pairs); i += 2 {
		f.values.Set(pairs[i], pairs[i+1])
	}
	return f
}

// intakeForm fills in the intake for a borrower whose last name has the sandbox's triggers.
func (v *testBrowser) intakeForm(lastName string, more ...string) postedForm {
	v.h.t.Helper()
	f := v.get("/leads/new").form(`form#intake`)
	return f.with(append([]string{
		"applicant.name.firstName", "Elena", "applicant.name.lastName", lastName, "applicant.dob", "05/17/1979", "applicant.phone", "(303) 555-0147",
		"applicant.email", "elena@borrower.test", "homeIsProperty", "true", "property.address.street1", "2216 Larkspur Ave", "property.address.city", "Boise",
		"property.address.state", "ID", "property.address.zip", "83702", "property.propertyType", "PRIMARY", "property.isListedForSale", "false",
		"property.borrowerEstimatedValue", "560,000", "amountWanted", "60,000", "applicant.income.employmentType", "FULL_TIME",
		"applicant.income.grossAnnualIncome", "124,600", "property.liens.0.lenderName", "Sawtooth Mortgage", "property.liens.0.originationDate", "08/30/2019",
		"property.liens.0.originalBalance", "241,000", "property.liens.0.currentBalance", "203,900", "property.liens.0.monthlyPayment", "1,318",
		"consent.attested", "true", "consent.method", "recorded-call",
	}, more...)...)
}

// startLead submits the intake and returns the new lead's path.
func (v *testBrowser) startLead(lastName string, more ...string) string {
	v.h.t.Helper()
	got := v.send(v.intakeForm(lastName, more...))
	if !strings.HasPrefix(got.path, "/leads/") {
		v.h.t.Fatalf("the start led to %s (%d): %s", got.path, got.status, got.text())
	}
	return got.path
}

// waitFor fetches a page until a selector matches.
func (v *testBrowser) waitFor(path, selector string) *response {
	v.h.t.Helper()
	var page *response
	v.h.waitUntil(selector+" on "+path, func() bool {
		page = v.get(path)
		return page.Find(selector).Length() > 0
	})
	return page
}
