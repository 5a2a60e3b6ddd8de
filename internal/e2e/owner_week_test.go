package e2e

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// mailServer takes the mail of a portal.
type mailServer struct {
	listener net.Listener
	mu       sync.Mutex
	taken    []string
}

func newMailServer(t *testing.T) *mailServer {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m := &mailServer{listener: listener}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go m.take(c)
		}
	}()
	return m
}

// take answers one connection (RFC 5321).
func (m *mailServer) take(c net.Conn) {
	defer func() { _ = c.Close() }()
	say := func(line string) { _, _ = io.WriteString(c, line+"\r\n") }
	say("220 here")
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		switch word, _, _ := strings.Cut(strings.ToUpper(lines.Text()), " "); word {
		case "DATA":
			say("354 go on")
			var text strings.Builder
			for lines.Scan() && lines.Text() != "." {
				text.WriteString(lines.Text() + "\r\n")
			}
			m.mu.Lock()
			m.taken = append(m.taken, text.String())
			m.mu.Unlock()
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 well")
		}
	}
}

// link waits for a mail to somebody, and returns the path of the link in it.
func (m *mailServer) link(t *testing.T, to string) (path string) {
	t.Helper()
	find := regexp.MustCompile(`https?://[^/\s]+(/activate#\S+)`)
	waitFor(t, stepTimeout, "the mail to "+to, func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		for _, one := range m.taken {
			head, body, _ := strings.Cut(one, "\r\n\r\n")
			text, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(body)))
			if found := find.FindStringSubmatch(string(text)); err == nil && found != nil && strings.Contains(head, to) {
				path = found[1]
			}
		}
		return path != ""
	})
	return path
}

// owner is the manager of a new company, whose presses are counted.
type owner struct {
	*window
	jobs []string
}

func (o *owner) presses() int { return evaluate[int](o.window, "Number(sessionStorage.presses || 0)") }

// job does one thing of the week, and notes how many presses and seconds it took. Filling in a field counts as none.
func (o *owner) job(name string, do func()) {
	o.t.Helper()
	before, began := o.presses(), time.Now()
	do()
	o.jobs = append(o.jobs, fmt.Sprintf("%s: %d presses, %.1f s", name, o.presses()-before, time.Since(began).Seconds()))
}

// httpUser is the user of a browser with plain HTTP.
func (w *window) httpUser(d *demo) *httpUser {
	w.t.Helper()
	jar := &fixedCookies{}
	w.run("cookies", chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		c := chromedp.FromContext(ctx)
		got, err := cdp.Call(ctx, c.Browser, storage.GetCookies,
			storage.GetCookiesParams{BrowserContextID: c.BrowserContextID})
		for _, one := range got.Cookies {
			jar.all = append(jar.all, &http.Cookie{Name: one.Name, Value: one.Value})
		}
		return err
	}))
	return &httpUser{w.t, d, &http.Client{Jar: jar}}
}

// fixedCookies sends the same cookies with every request.
type fixedCookies struct{ all []*http.Cookie }

func (*fixedCookies) SetCookies(*url.URL, []*http.Cookie) {}
func (f *fixedCookies) Cookies(*url.URL) []*http.Cookie   { return f.all }

// activate sets an account up with a passkey, by the mailed link.
func (w *window) activate(link string) {
	w.t.Helper()
	w.withAuthenticator()
	w.visit(link)
	w.createPasskey()
}

// TestOwner_FirstWeek is the first week of the owner of a company, on an installation made from nothing.
func TestOwner_FirstWeek(t *testing.T) {
	chromium(t)
	t.Parallel()
	s, err := seeded["documented"]() // for a sample inquiry only
	if err != nil {
		t.Fatal(err)
	}
	mail := newMailServer(t)
	d, _, printed := newInstallation(t, "PORTAL_SMTP_URL=smtp://"+mail.listener.Addr().String())
	o := &owner{window: d.openBrowser(t)}
	o.countPresses()
	o.withAuthenticator()
	o.signInFirst("maya@summit.test", printed)
	o.createPasskey()
	o.visit("/leads")
	o.waitForText("First steps")
	o.screenshot("owner-1-first-steps")

	o.job("invite two originators", func() {
		o.visit("/team/settings")
		o.click("invite", `.head .acts a[href$="/invite"]`)
		for _, name := range []string{"Olivia Bennett", "Marcus Reyes"} {
			o.waitUntil(name, fmt.Sprintf(`[...document.querySelectorAll("#originators li")].some(l => `+
				`l.innerText.includes(%q))`, name))
			n := evaluate[int](o.window, fmt.Sprintf(`[...document.querySelectorAll("#originators li")].findIndex(l => `+
				`l.innerText.includes(%q)) + 1`, name))
			o.click("invite "+name, fmt.Sprintf("#originators li:nth-child(%d) button", n))
			o.waitUntil("invited", fmt.Sprintf(`document.querySelector("#invited").innerText.includes(%q)`, name))
		}
	})
	o.screenshot("owner-2-invite")
	olivia, marcus := d.openBrowser(t), d.openBrowser(t)
	olivia.activate(mail.link(t, "olivia@summit.test"))
	marcus.activate(mail.link(t, "marcus@summit.test"))

	o.job("invite an assistant for one of them", func() {
		o.visit("/invite")
		o.wantTrue("for whom an assistant works is not asked yet", `!document.querySelector(".assists").checkVisibility()`)
		o.insert(`#form-invite [name="name"]`, "Nina Alvarez")
		o.insert(`#form-invite [name="email"]`, "nina@summit.test")
		o.choose("role", "assistant")
		o.waitUntil("it is asked", `document.querySelector(".assists").checkVisibility()`)
		o.screenshot("owner-3-assistant")
		id := evaluate[string](o.window, `[...document.querySelectorAll('[name="worksFor"]')].find(e => `+
			`e.closest("label").innerText.includes("Olivia Bennett")).value`)
		o.click("Olivia", fmt.Sprintf(`[name="worksFor"][value=%q]`, id))
		o.click("send", `#form-invite .btn.pri`)
		o.waitUntil("invited", `document.querySelector("#invited").innerText.includes("Nina Alvarez")`)
	})
	nina := d.openBrowser(t)
	nina.activate(mail.link(t, "nina@summit.test"))

	o.job("licenses of three people from a list", func() {
		o.visit("/team/settings#paste")
		o.screenshot("owner-4-settings")
		o.insert(`#paste textarea`, "NMLS ID,State,Number,Expires\n1622871,ID,MLO-1,12/31/2027\n"+
			"1847220,ID,MLO-2,12/31/2027\n1847220,CO,MLO-3,12/31/2027\n1902214,ID,MLO-4,12/31/2027\n")
		o.click("preview", `#paste .btn`)
		o.waitForText("4 new")
		o.screenshot("owner-5-licenses")
		o.click("save", `#license-preview .btn.pri`)
		o.waitUntil("they are saved", `document.querySelector("#licenses").innerText.includes("CO") && `+
			`!document.querySelector("#license-preview")`)
	})
	o.job("branding", func() {
		o.insert(`#form-brand [name="color"]`, "#1d5b4f")
		o.click("save", `#form-brand .btn.pri`)
		o.waitUntil("the preview has it", `document.querySelector('#brand-preview [fill="#1d5b4f"]')`)
	})
	o.screenshot("owner-6-branding")
	o.job("a rule for Idaho with two people", func() {
		o.visit("/team/settings#automation")
		o.click("rules", `#automation a[href$="/team/rules"]`)
		o.waitUntil("the rules", `document.querySelector("#form-rules")`)
		o.click("active", `#form-rules [name="active"]`)
		o.insert(`#form-rules [name="rule.0.states"]`, "ID")
		evaluate[bool](o.window, `[...document.querySelectorAll('[name="rule.0.person"]')].filter(e => `+
			`/Olivia|Marcus/.test(e.closest(".f, .field").innerText)).map(e => e.selectedIndex = 1).length === 2`)
		o.click("save", `#form-rules .btn.pri`)
		o.waitForText("are assigned automatically, in your name")
	})
	o.screenshot("owner-7-rules")

	var leads []string // two of Olivia's
	for _, last := range []string{"Alpha", "Bravo"} {
		h := olivia.httpUser(d)
		f := h.get("/leads/new").form(`form[method="post"][action="/leads"]`)
		for name, values := range s.sample {
			if f.values.Get(name) == "" {
				f.values[name] = values
			}
		}
		f.values.Set("consent.attested", "true")
		f.values.Set("consent.method", "recorded-call")
		f.values.Set("applicant.name.lastName", last)
		got := h.send(f)
		if !strings.HasPrefix(got.path, "/leads/") {
			t.Fatalf("the inquiry of %s: at %s\n%s", last, got.path, excerpt(got.Text()))
		}
		leads = append(leads, got.path)
	}
	leadsOf := func(w *window) (n int) {
		h := w.httpUser(d)
		for _, path := range leads {
			if h.get(path).status == http.StatusOK {
				n++
			}
		}
		return n
	}
	if n, m := leadsOf(nina), leadsOf(marcus); n != 2 || m != 0 {
		t.Errorf("the assistant sees %d leads, and Marcus %d; want 2 and 0", n, m)
	}

	for _, path := range leads { // a lead that changes after the proposal is checked again first
		waitFor(t, stepTimeout, "the offers of "+path, func() bool {
			return strings.Contains(nina.httpUser(d).get(path).Text(), "Offers ready")
		})
	}
	run := ""
	o.job("a sick day", func() {
		o.visit("/team")
		o.waitForText("Olivia Bennett")
		o.click("Olivia is out", `a.btn[href^="/team/out/"]`)
		o.waitUntil("the proposal", `document.querySelector("#form-out .proposal select")`)
		o.screenshot("owner-8-out")
		o.click("split", `.split-bar .btn.pri`)
		o.waitForText("2 of 2 reassigned")
		run = o.path()
	})
	if n := leadsOf(olivia); n != 0 {
		t.Errorf("Olivia sees %d leads while she is out, want none", n)
	}
	o.visit("/team")
	o.waitForText("leads reassigned until then")
	o.visit("/team/people")
	o.waitForText("Out through")
	o.visit("/team/rules")
	o.waitUntil("the rules skip her", `document.querySelector("#form-rules").innerText.includes("skipped until then")`)
	o.job("she is back a day early", func() {
		o.visit(run)
		o.waitUntil("she can be back", `document.querySelector("#form-return-now")`)
		o.screenshot("owner-9-run")
		o.visit("/team")
		o.click("out", `.avail a[href^="/team/out/"]`)
		o.waitForText("Leads that others have go back")
		o.screenshot("owner-9-out")
		o.click("return", `#form-return-now button`)
		o.waitForText("Leads to return to Olivia Bennett")
		o.screenshot("owner-9-returned")
		waitFor(t, stepTimeout, "the leads are back", func() bool { return leadsOf(olivia) == 2 })
	})
	o.job("a scorecard", func() {
		o.visit("/reports")
		o.click("scorecard", `a[href*="/reports/scorecard"]`)
		o.waitForText("Olivia Bennett")
	})
	o.waitUntil("the page", `document.readyState === "complete"`)
	o.screenshot("owner-10-scorecard")
	t.Log(strings.Join(o.jobs, "; "))
}
