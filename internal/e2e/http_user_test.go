package e2e

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// httpUser is a user with plain HTTP and no scripts.
type httpUser struct {
	t      *testing.T
	demo   *demo
	client *http.Client
}

// page is a response.
type page struct {
	*goquery.Document
	t      *testing.T
	status int
	path   string // final path, after redirects
	body   []byte
	header http.Header
}

// signInWith signs a user in by the sign-in form.
func (d *demo) signInWith(t *testing.T, email, password string) *httpUser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &httpUser{t, d, &http.Client{Jar: jar}}
	in := p.get("/login").form("#login")
	in.values.Set("email", email)
	in.values.Set("password", password)
	if got := p.send(in); got.path != "/leads" && got.path != "/" && got.status != http.StatusOK &&
		got.status != http.StatusForbidden {
		t.Fatalf("sign in as %s: %d at %s", email, got.status, got.path)
	}
	return p
}

func (h *httpUser) get(path string) *page {
	h.t.Helper()
	res, err := h.client.Get(h.demo.url + path)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.read(res)
}

func (h *httpUser) read(res *http.Response) *page {
	h.t.Helper()
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	return &page{doc, h.t, res.StatusCode, res.Request.URL.Path, body, res.Header}
}

// form is a form of a page with its current values.
type form struct {
	action string
	values url.Values
}

// form returns the form that a selector finds, with hidden fields and defaults.
func (p *page) form(selector string) form {
	p.t.Helper()
	found := p.Find(selector).First()
	if found.Length() == 0 {
		p.t.Fatalf("%s has no form %s; its forms: %v\n%s", p.path, selector, p.actions(), excerpt(p.Text()))
	}
	return formOf(found)
}

func formOf(found *goquery.Selection) form {
	f := form{values: url.Values{}}
	f.action, _ = found.Attr("action")
	found.Find("input[name], select[name], textarea[name]").Each(func(_ int, s *goquery.Selection) {
		name, _ := s.Attr("name")
		kind, _ := s.Attr("type")
		value, ok := s.Attr("value")
		_, off := s.Attr("disabled")
		switch {
		case off:
		case goquery.NodeName(s) == "select":
			chosen := s.Find("option[selected]").First()
			if chosen.Length() == 0 {
				chosen = s.Find("option").First()
			}
			v, _ := chosen.Attr("value")
			f.values.Add(name, v)
		case goquery.NodeName(s) == "textarea":
			f.values.Add(name, s.Text())
		case kind == "checkbox" || kind == "radio":
			if _, on := s.Attr("checked"); on {
				if !ok {
					value = "on"
				}
				f.values.Add(name, value)
			}
		case kind == "submit" || kind == "button":
		default:
			f.values.Add(name, value)
		}
	})
	return f
}

func (p *page) actions() []string {
	var all []string
	p.Find("form").Each(func(_ int, s *goquery.Selection) { a, _ := s.Attr("action"); all = append(all, a) })
	return all
}

// send posts a form and follows the redirects.
func (h *httpUser) send(f form) *page {
	h.t.Helper()
	action, err := url.Parse(h.demo.url)
	if err == nil {
		action, err = action.Parse(f.action)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	res, err := h.client.PostForm(action.String(), f.values)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.read(res)
}

// checkText fails unless the page contains every text.
func (p *page) checkText(t *testing.T, wanted ...string) {
	t.Helper()
	text := strings.Join(strings.Fields(p.Text()), " ")
	for _, w := range wanted {
		if !strings.Contains(text, w) {
			t.Errorf("%s (%d) does not contain %q: %s", p.path, p.status, w, excerpt(text))
		}
	}
}

func excerpt(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 900 {
		s = s[:900] + "…"
	}
	return s
}

// startSample fills in the intake with a sample, submits it and returns the resulting page.
func (h *httpUser) startSample(sample string) *page {
	h.t.Helper()
	f := h.get("/leads/new?sample=" + url.QueryEscape(sample)).form(`form[method="post"][action="/leads"]`)
	f.values.Set("consent.attested", "true")
	f.values.Set("consent.method", "recorded-call")
	return h.send(f)
}
