package signin_test

import (
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/access"
	"hearthline/web"
	"hearthline/web/signin"
	"hearthline/web/webtest"
)

func TestSignInPage_IsForm(t *testing.T) {
	t.Parallel()
	res := webtest.NewFakedServer(t, "http://localhost:8080").NewBrowser(t).Get("/login?next=/leads/new")
	doc, err := goquery.NewDocumentFromReader(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`form[method=post][action="/login"] input[name=email][type=email]`, `form input[name=password][type=password]`,
		`form input[name=next][value="/leads/new"]`, `form button[type=submit]`,
	} {
		if doc.Find(want).Length() == 0 {
			t.Errorf("the page has no %s", want)
		}
	}
	if doc.Find(".people").Length() != 0 {
		t.Error("users are listed outside the demo")
	}
}

func TestSignInPage_Demo_ListsPeople(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080")
	p.Rebuild(func(d *web.Deps) {
		d.DemoPeople = []signin.DemoPerson{{Name: "Olivia Bennett", Subtitle: "Originator", Email: "olivia@summit.test",
			Password: "kettle"}}
	})
	doc, err := goquery.NewDocumentFromReader(p.NewBrowser(t).Get("/login?as=olivia@summit.test").Body)
	if err != nil {
		t.Fatal(err)
	}
	if got := doc.Find(`.people button[value="olivia@summit.test"] .av`).Text(); got != "OB" {
		t.Errorf("the list shows %q, want her initials", got)
	}
	if got, _ := doc.Find(`input[name=password]`).Attr("value"); got != "kettle" {
		t.Errorf("without scripts the password is %q, want it filled in", got)
	}
}

func TestSignIn_WrongPassword_KeepsEmailOnly(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080")
	answers := map[string]string{}
	for _, email := range []string{"originator@summit.test", "nobody@summit.test"} {
		res := p.NewBrowser(t).Post("/login", url.Values{"email": {email}, "password": {"hunter2-hunter2"},
			"next": {"/leads/new"}})
		if res.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: got %d, want 422", email, res.Code)
		}
		body := res.Body.String()
		if !strings.Contains(body, `value="`+email+`"`) || !strings.Contains(body, `value="/leads/new"`) {
			t.Errorf("%s: the email or the next page is lost", email)
		}
		if strings.Contains(body, "hunter2") || len(res.Result().Cookies()) != 0 {
			t.Errorf("%s: the password is redisplayed, or a cookie is set", email)
		}
		answers[strings.NewReplacer(email, "", webtest.CSPNonce(t, res.Header()), "").Replace(body)] = email
	}
	if len(answers) != 1 {
		t.Error("the response to an unknown address differs from the one to a wrong password")
	}
}

// TestSignIn_Incomplete_SaidAtTheControlAndNotCounted: what was not typed is no attempt, however often it is sent.
func TestSignIn_Incomplete_SaidAtTheControlAndNotCounted(t *testing.T) {
	t.Parallel()
	b := webtest.NewFakedServer(t, "http://localhost:8080").NewBrowser(t)
	for range 30 {
		for name, typed := range map[string]url.Values{"password": {"email": {"olivia@summit.test"}, "password": {""}},
			"email": {"email": {" "}, "password": {"kettle"}}} {
			res := b.Post("/login", typed)
			doc, err := goquery.NewDocumentFromReader(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			wrong := doc.Find("[aria-invalid=true]")
			if res.Code != http.StatusUnprocessableEntity || wrong.Length() != 1 || wrong.AttrOr("name", "") != name ||
				doc.Find("#"+name+"-e").Text() != "Enter your "+name {
				t.Fatalf("without %s: got %d with %d messages: %q", name, res.Code, wrong.Length(), doc.Find(".err").Text())
			}
		}
	}
}

func TestSignInPage_SignedIn_Redirects(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080")
	if res := p.SignedIn(t, access.Originator).Get("/login?next=/leads/new"); res.Code != 303 ||
		res.Header().Get("Location") != "/leads/new" {
		t.Errorf("got %d to %q, want 303 to /leads/new", res.Code, res.Header().Get("Location"))
	}
}

func TestSignIn_TooManyFailures_429(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	wrong := func(i int) *webtest.Response {
		v := h.NewBrowser()
		return v.Send(v.Get("/login").Form("form#login").With("email", "x"+strconv.Itoa(i)+"@y.test", "password", "wrong"))
	}
	for i := range 20 {
		if got := wrong(i); got.Status != http.StatusUnprocessableEntity {
			t.Fatalf("attempt %d: got %d, want 422", i+1, got.Status)
		}
	}
	late := wrong(20)
	if late.Status != http.StatusTooManyRequests || late.Header.Get("Retry-After") == "" ||
		late.Find("form#login").Length() != 1 {
		t.Errorf("attempt 21: got %d with Retry-After %q, want 429 with a time and the form",
			late.Status, late.Header.Get("Retry-After"))
	}
	// Only password attempts are limited: a link may still be requested from there.
	v := h.NewBrowser()
	v.Send(v.Get("/reset").Form("form#ask").With("email", h.People["olivia"].Email)).WantText("Check your email")
}

func TestClientIP_TrustedProxiesOnly(t *testing.T) {
	t.Parallel()
	for proxy, want := range map[string]string{"10.0.0.0/8": `"from":"198.51.100.0/24"`,
		"172.16.0.0/12": `"from":"10.1.2.0/24"`, "": `"from":"10.1.2.0/24"`} {
		p := webtest.NewFakedServer(t, "https://portal.example")
		if proxy != "" {
			p.Rebuild(func(d *web.Deps) { d.TrustedProxies = []netip.Prefix{netip.MustParsePrefix(proxy)} })
		}
		r, _ := http.NewRequest(http.MethodGet, "/login", nil)
		r.RemoteAddr = "10.1.2.3:1"
		p.NewBrowser(t).Do(r, "X-Forwarded-For", "203.0.113.7, 198.51.100.4")
		if !strings.Contains(p.Log.String(), want) {
			t.Errorf("with proxy %s: got %s, want %s", proxy, p.Log, want)
		}
	}
}

func TestHome_ByRole(t *testing.T) {
	t.Parallel()
	for role, want := range map[access.Role]string{
		access.Originator: "/leads", access.Assistant: "/leads", access.Manager: "/leads", access.Admin: "/admin/users",
	} {
		p := webtest.NewFakedServer(t, "http://localhost:8080")
		if got := p.SignedIn(t, role).Get("/").Header().Get("Location"); got != want {
			t.Errorf("%s goes to %q, want %q", role, got, want)
		}
	}
}
