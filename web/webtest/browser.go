package webtest

import (
	"bytes"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// Selection is an element of a page.
type Selection = goquery.Selection

// Browser is a user of a harness, with plain HTTP and no scripts.
type Browser struct {
	H      *Harness
	Client *http.Client
	mu     sync.Mutex
	Bodies bytes.Buffer // every response body, to search for leaks
}

// Response is the final response, after redirects.
type Response struct {
	page   func() *goquery.Document // parses the body once: most responses are only searched
	T      testing.TB
	Status int
	Path   string
	Body   string
	Header http.Header
}

// Form is a form of a page with its current values.
type Form struct {
	Action string
	Values url.Values
}

// SignInAs signs a user in with the form on the page.
func (h *Harness) SignInAs(first string) *Browser {
	h.T.Helper()
	v := h.NewBrowser()
	in := v.Get("/login").Form(`form#login`)
	in.Values.Set("email", h.People[first].Email)
	in.Values.Set("password", "right")
	if got := v.Send(in); got.Path == "/login" {
		h.T.Fatalf("%s cannot sign in: %d %s", first, got.Status, got.MainText())
	}
	return v
}

// SignedInBrowser returns the browser in which a user is already signed in, or signs them in now, because sign-ins
// from one network are rate limited.
func (h *Harness) SignedInBrowser(first string) *Browser {
	h.T.Helper()
	if h.signedInBrowsers[first] == nil {
		h.signedInBrowsers[first] = h.SignInAs(first)
	}
	return h.signedInBrowsers[first]
}

// NewBrowser returns a browser in which nobody is signed in.
func (h *Harness) NewBrowser() *Browser {
	jar, _ := cookiejar.New(nil) // fails only for a bad public suffix list
	return &Browser{H: h, Client: &http.Client{Jar: jar, Transport: uncompressed}}
}

// The content security policies of documents. Nobody may frame them. A download may do nothing at all; a document
// that a browser displays has what WebKit needs for that, and no script source.
const (
	DownloadCSP = "sandbox; default-src 'none'; frame-ancestors 'none'"
	PDFCSP      = "sandbox allow-scripts allow-same-origin; script-src 'none'; object-src 'none'; connect-src 'none'; " +
		"img-src 'none'; font-src 'none'; " +
		"media-src 'none'; frame-src 'none'; worker-src 'none'; manifest-src 'none'; base-uri 'none'; form-action 'none'; " +
		"frame-ancestors 'none'"
)

// Cookies returns the cookies that the browser sends to the portal.
func (b *Browser) Cookies() []*http.Cookie {
	site, _ := url.Parse(b.H.HTTPServer.URL)
	return b.Client.Jar.Cookies(site)
}

// Cookie returns the value of a cookie in the browser.
func (b *Browser) Cookie(name string) string {
	for _, c := range b.Cookies() {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// Do sends a request and reads the response. It checks what every response must have.
func (b *Browser) Do(r *http.Request) *Response {
	b.H.T.Helper()
	res, err := b.Client.Do(r)
	if err != nil {
		b.H.T.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.H.T.Fatal(err)
	}
	if !strings.Contains(res.Header.Get("Content-Security-Policy"), "frame-ancestors ") {
		b.H.T.Errorf("%s %s has no frame-ancestors policy", r.Method, res.Request.URL.Path)
	}
	b.mu.Lock()
	b.Bodies.Write(body)
	b.mu.Unlock()
	parse := sync.OnceValue(func() *goquery.Document {
		doc, err := goquery.NewDocumentFromReader(bytes.NewReader(body))
		if err != nil {
			b.H.T.Fatal(err)
		}
		return doc
	})
	page := &Response{parse, b.H.T, res.StatusCode, res.Request.URL.Path, string(body), res.Header}
	if page.Status == http.StatusUnprocessableEntity {
		page.checkFieldErrors()
	}
	return page
}

// Get fetches a page. Headers are names and values in turn.
func (b *Browser) Get(path string, headers ...string) *Response {
	b.H.T.Helper()
	return b.Do(b.Request(http.MethodGet, path, nil, headers))
}

// Request returns a request to the portal without sending it.
func (b *Browser) Request(method, path string, form url.Values, headers []string) *http.Request {
	b.H.T.Helper()
	r, err := http.NewRequestWithContext(b.H.T.Context(), method, b.H.HTTPServer.URL+path,
		strings.NewReader(form.Encode()))
	if err != nil {
		b.H.T.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

// Post sends a form with these values.
func (b *Browser) Post(path string, values url.Values, headers ...string) *Response {
	b.H.T.Helper()
	return b.Do(b.Request(http.MethodPost, path, values, headers))
}

// PostLoanFile sends a form with loan files, as a browser without scripts does.
func (b *Browser) PostLoanFile(path string, values url.Values, files ...[]byte) *Response {
	b.H.T.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	for name, all := range values {
		for _, value := range all {
			_ = m.WriteField(name, value)
		}
	}
	for _, file := range files {
		part, err := m.CreateFormFile("file", "Rivera Elena 1003.xml")
		if err != nil {
			b.H.T.Fatal(err)
		}
		_, _ = part.Write(file)
	}
	_ = m.Close()
	r, err := http.NewRequestWithContext(b.H.T.Context(), http.MethodPost, b.H.HTTPServer.URL+path, &body)
	if err != nil {
		b.H.T.Fatal(err)
	}
	r.Header.Set("Content-Type", m.FormDataContentType())
	return b.Do(r)
}

// Send submits a form of a page.
func (b *Browser) Send(f Form) *Response {
	b.H.T.Helper()
	return b.Post(f.Action, f.Values)
}

// Find returns the elements of the page that a selector finds.
func (r *Response) Find(selector string) *Selection { return r.page().Find(selector) }

// Text returns the text of the whole page.
func (r *Response) Text() string { return r.page().Text() }

// MainText returns what the page shows, with single spaces.
func (r *Response) MainText() string { return strings.Join(strings.Fields(r.Find("main").Text()), " ") }

// WantText fails unless the page contains every text.
func (r *Response) WantText(wanted ...string) {
	r.T.Helper()
	text := strings.Join(strings.Fields(r.Text()), " ")
	for _, w := range wanted {
		if !strings.Contains(text, w) {
			r.T.Errorf("%s (%d) does not contain %q: %s", r.Path, r.Status, w, r.MainText())
		}
	}
}

// Form returns the form that a selector finds, as a browser would send it.
func (r *Response) Form(selector string) Form {
	r.T.Helper()
	found := r.Find(selector).First()
	if found.Length() == 0 {
		r.T.Fatalf("%s (%d) has no form %s: %s", r.Path, r.Status, selector, r.MainText())
	}
	f := Form{Action: found.AttrOr("action", ""), Values: url.Values{}}
	const controls = "input[name], select[name], textarea[name]"
	inside := found.Find(controls).FilterFunction(func(_ int, s *goquery.Selection) bool {
		return s.AttrOr("form", found.AttrOr("id", "")) == found.AttrOr("id", "")
	})
	elsewhere := r.Find(controls).FilterFunction(func(_ int, s *goquery.Selection) bool {
		return s.AttrOr("form", "") != "" && s.AttrOr("form", "") == found.AttrOr("id", "") && s.Closest("form").Length() == 0
	})
	inside.AddSelection(elsewhere).Each(func(_ int, s *goquery.Selection) {
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
			f.Values.Add(name, chosen.AttrOr("value", ""))
		case goquery.NodeName(s) == "textarea":
			f.Values.Add(name, s.Text())
		case kind != "checkbox" && kind != "radio" || on:
			f.Values.Add(name, s.AttrOr("value", ""))
		}
	})
	return f
}

// With returns the form with other values.
func (f Form) With(pairs ...string) Form {
	f.Values = maps.Clone(f.Values)
	for i := 0; i+1 < len(pairs); i += 2 {
		f.Values.Set(pairs[i], pairs[i+1])
	}
	return f
}

// IntakeForm fills in the intake for a borrower whose last name has the sandbox's triggers.
func (b *Browser) IntakeForm(lastName string, more ...string) Form {
	b.H.T.Helper()
	f, street := b.Get("/leads/new").Form(`form#intake`), "2216 Larkspur Ave"
	if strings.HasSuffix(lastName, "-Unit") {
		street = "2220 Larkspur Ave" // its lender's units would be asked for in every later inquiry at the address
	}
	return f.With(append([]string{
		"applicant.name.firstName", "Elena", "applicant.name.lastName", lastName, "applicant.dob", "05/17/1979",
		"applicant.phone", "(303) 555-0147", "applicant.email", "elena@borrower.test", "homeIsProperty", "true",
		"property.address.street1", street, "property.address.city", "Boise",
		"property.address.state", "ID", "property.address.zip", "83702", "property.propertyType", "PRIMARY",
		"property.isListedForSale", "false", "property.borrowerEstimatedValue", "560,000", "amountWanted", "60,000",
		"applicant.income.employmentType", "FULL_TIME", "applicant.income.grossAnnualIncome", "124,600",
		"property.liens.0.lenderName", "Sawtooth Mortgage", "property.liens.0.originationDate", "08/30/2019",
		"property.liens.0.originalBalance", "241,000", "property.liens.0.currentBalance", "203,900",
		"property.liens.0.monthlyPayment", "1,318", "consent.attested", "true", "consent.method", "recorded-call",
	}, more...)...)
}

// OtherHome returns the controls of the intake for a borrower who does not live at the property.
func OtherHome(more ...string) []string {
	return append([]string{
		"homeIsProperty", "", "applicant.homeAddress.street1", "9 Mill Ln", "applicant.homeAddress.street2", "",
		"applicant.homeAddress.city", "Nampa", "applicant.homeAddress.state", "ID", "applicant.homeAddress.zip", "83651",
	}, more...)
}

// StartLead submits the intake and returns the new lead's path.
func (b *Browser) StartLead(lastName string, more ...string) string {
	b.H.T.Helper()
	got := b.Send(b.IntakeForm(lastName, more...))
	if !strings.HasPrefix(got.Path, "/leads/") {
		b.H.T.Fatalf("the start led to %s (%d): %s", got.Path, got.Status, got.MainText())
	}
	return got.Path
}

// WaitFor fetches a page until a selector matches.
func (b *Browser) WaitFor(path, selector string) *Response {
	b.H.T.Helper()
	var page *Response
	b.H.WaitUntil(selector+" on "+path, func() bool {
		page = b.Get(path)
		return page.Find(selector).Length() > 0
	})
	return page
}
