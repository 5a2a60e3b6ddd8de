package e2e

import (
	"context"
	"errors"
	"io"
	"log"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/sandbox"
	"hearthline/internal/store/storetest"
)

// replicas are portals on one database behind a proxy, which sends each request to any of them.
type replicas struct {
	t        *testing.T
	env      []string
	log      *outputBuffer
	addrs    []string
	programs []string // of each portal
	dir      string
	database string
	proxy    *httptest.Server
	crashes  bool       // the database may crash
	lender   *demo      // only its sandbox
	sample   url.Values // what the demo enters for a sample
	session  string     // of users who are signed in already; empty for none

	mu      sync.Mutex
	running []*exec.Cmd
}

// startReplicas seeds a demo's database in PostgreSQL with a program and serves it with n portals of that program.
func startReplicas(t *testing.T, program string, n int) *replicas {
	t.Helper()
	return startReplicasOn(t, program, n, storetest.EmptyPostgres(t))
}

// startReplicasOn is startReplicas with a database, which is empty.
func startReplicasOn(t *testing.T, program string, n int, database string) *replicas {
	t.Helper()
	s, err := seeded["documented"]()
	if err != nil {
		t.Fatal(err)
	}
	r := &replicas{t: t, log: &outputBuffer{}, database: database, dir: writeFiles(t, s.files), sample: s.sample,
		programs: slices.Repeat([]string{program}, n), running: make([]*exec.Cmd, n)}
	r.fillDatabase(program)
	r.serve(true, nil)
	return r
}

// serve runs the sandbox lender and the portals. If wrap is not nil, it wraps the lender's handler.
func (r *replicas) serve(webhooks bool, wrap func(http.Handler) http.Handler) {
	t, n := r.t, len(r.programs)
	t.Helper()
	r.proxy = httptest.NewServer(&httputil.ReverseProxy{Rewrite: r.rewrite, Transport: r,
		ErrorLog: log.New(io.Discard, "", 0), ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.WriteHeader(http.StatusBadGateway)
		}})
	t.Cleanup(r.proxy.Close)
	config := sandbox.Config{Dir: r.dir, Processing: 200 * time.Millisecond, APIKey: sandbox.DefaultAPIKey,
		PrivateKeyFile: filepath.Join(r.dir, "sandbox-key.pem"), Log: slog.New(slog.DiscardHandler)}
	if webhooks {
		config.WebhookURL = r.proxy.URL + "/hooks/partner/" + webhookToken
	}
	box, err := sandbox.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	handler := box.Handler()
	if wrap != nil {
		handler = wrap(handler)
	}
	lender := httptest.NewServer(handler)
	r.lender = &demo{t: t, sandbox: lender.URL}
	t.Cleanup(func() {
		lender.Close()
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	r.env = append(os.Environ(),
		"PORTAL_DATABASE_URL="+r.database, "PORTAL_BASE_URL="+strings.Replace(r.proxy.URL, "127.0.0.1", "localhost", 1),
		"PORTAL_MFA=optional", "PARTNER_BASE_URL="+lender.URL, "PARTNER_API_KEY="+sandbox.DefaultAPIKey,
		"PARTNER_WEBHOOK_TOKENS="+webhookToken, "PARTNER_PUBLIC_KEY_FILE="+filepath.Join(r.dir, "sandbox-public.pem"),
		"PARTNER_RATE=500", "PORTAL_TRUSTED_PROXIES=127.0.0.1/32")
	for i := range n {
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "localhost:0")
		if err != nil {
			t.Fatal(err)
		}
		r.addrs = append(r.addrs, listener.Addr().String())
		if err := listener.Close(); err != nil {
			t.Fatal(err)
		}
		r.start(i)
	}
	t.Cleanup(func() {
		for i := range n {
			r.kill(i)
		}
		if t.Failed() {
			t.Log(excerpt(r.log.String()))
		}
	})
}

// fillDatabase copies the demo's database. Another release than this one writes a new demo instead, in its own schema.
func (r *replicas) fillDatabase(program string) {
	r.t.Helper()
	if this, err := buildProgram(); err != nil {
		r.t.Fatal(err)
	} else if program == this {
		c := exec.CommandContext(r.t.Context(), program, "migrate", "--data", r.dir, "--to", r.database)
		if out, err := c.CombinedOutput(); err != nil {
			r.t.Fatalf("migrate: %v\n%s", err, out)
		}
		return
	}
	r.dir = r.t.TempDir()
	seeding, err := runDemoOf(program, r.dir, []string{"PORTAL_DATABASE_URL=" + r.database})
	if err != nil {
		r.t.Fatal(err)
	}
	seeding.t = r.t
	seeding.stop()
}

// RoundTrip sends a request to any portal, and to another one when that does not listen, as proxies do.
func (r *replicas) RoundTrip(q *http.Request) (res *http.Response, err error) {
	for _, i := range rand.Perm(len(r.addrs)) {
		q.URL.Host = r.addrs[i]
		if res, err = http.DefaultTransport.RoundTrip(q); !errors.Is(err, syscall.ECONNREFUSED) {
			return res, err
		}
	}
	return nil, err
}

func (r *replicas) rewrite(p *httputil.ProxyRequest) {
	p.SetURL(&url.URL{Scheme: "http", Host: "a portal"})
	p.Out.Host = p.In.Host
	p.SetXForwarded()
}

func (r *replicas) start(i int) {
	c := exec.Command(r.programs[i], "serve", "--data", r.dir)
	c.Env = append(r.env[:len(r.env):len(r.env)], "PORTAL_ADDR="+r.addrs[i])
	c.Stdout, c.Stderr = r.log, r.log
	if err := c.Start(); err != nil {
		r.t.Error(err)
		return
	}
	r.mu.Lock()
	r.running[i] = c
	r.mu.Unlock()
}

// update ends a portal as an operator does and starts another program in its place.
func (r *replicas) update(i int, program string) {
	r.mu.Lock()
	c := r.running[i]
	r.mu.Unlock()
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		r.t.Error(err)
	}
	_ = c.Wait()
	r.programs[i] = program
	r.start(i)
}

// kill ends a portal without any warning.
func (r *replicas) kill(i int) {
	r.mu.Lock()
	c := r.running[i]
	r.mu.Unlock()
	if c == nil {
		return
	}
	_ = c.Process.Kill()
	_ = c.Wait()
}

// killer kills and restarts portals at random n times, each time after progress has been made. Now and then the
// database drops all of its connections, or crashes.
func (r *replicas) killer(ctx context.Context, n int, progress <-chan struct{}) {
	for k := range n {
		select {
		case <-progress:
		case <-ctx.Done():
			return
		case <-time.After(30 * time.Second): // nobody got an answer: kill another one all the same
		}
		time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond) // not always at the same moment of a request
		i := rand.IntN(len(r.addrs))
		r.kill(i)
		r.start(i)
		switch {
		case r.crashes && k%20 == 9:
			storetest.CrashPostgres(r.t)
		case k%5 == 4:
			storetest.Exec(r.t, r.database, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		}
	}
}

const webhookToken = "token-of-this-test-0123456789abcdef"

// patientUser sends again what got no answer, as people do.
type patientUser struct {
	sample url.Values
	t      *testing.T
	base   *url.URL
	client *http.Client
}

func (r *replicas) newUser() *patientUser {
	base, err := url.Parse(strings.Replace(r.proxy.URL, "127.0.0.1", "localhost", 1))
	if err != nil {
		r.t.Fatal(err)
	}
	jar, _ := cookiejar.New(nil) // fails only for a bad public suffix list
	if r.session != "" {
		jar.SetCookies(base, []*http.Cookie{{Name: sessionCookie, Value: r.session, Path: "/"}})
	}
	return &patientUser{r.sample, r.t, base, &http.Client{Jar: jar, Timeout: 30 * time.Second}}
}

var errNoAnswer = errors.New("no answer")

// ask requests a page until a portal answers.
func (u *patientUser) ask(ctx context.Context, path string, values url.Values) (*goquery.Document, string, error) {
	for ; ; time.Sleep(100 * time.Millisecond) {
		if ctx.Err() != nil {
			return nil, "", errors.Join(errNoAnswer, context.Cause(ctx))
		}
		method, body := http.MethodGet, io.Reader(http.NoBody)
		if values != nil {
			method, body = http.MethodPost, strings.NewReader(values.Encode())
		}
		q, err := http.NewRequestWithContext(ctx, method, u.base.String()+path, body)
		if err != nil {
			return nil, "", err
		}
		if values != nil {
			q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		res, err := u.client.Do(q)
		if err != nil {
			continue
		}
		doc, err := goquery.NewDocumentFromReader(res.Body)
		_ = res.Body.Close()
		if err != nil || res.StatusCode >= 500 {
			continue
		}
		return doc, res.Request.URL.Path, nil
	}
}

// loadFiles requests the style sheets and scripts of a page, as a browser does.
func (u *patientUser) loadFiles(ctx context.Context, doc *goquery.Document) error {
	urls := doc.Find(`link[rel="stylesheet"], script[src]`).Map(func(_ int, e *goquery.Selection) string {
		return e.AttrOr("href", "") + e.AttrOr("src", "")
	})
	if len(urls) == 0 {
		return errors.New("a page without style sheets")
	}
	for _, url := range urls {
		if found, _, err := u.ask(ctx, url, nil); err != nil {
			return err
		} else if strings.HasPrefix(found.Text(), "404") {
			return errors.New("not found: " + url)
		}
	}
	return nil
}

// signIn signs Olivia in.
func (u *patientUser) signIn(ctx context.Context) error { return u.signInAs(ctx, "olivia@summit.test") }

func (u *patientUser) signInAs(ctx context.Context, email string) error {
	for {
		doc, _, err := u.ask(ctx, "/login", nil)
		if err != nil {
			return err
		}
		f := (&page{Document: doc, t: u.t}).form("#login")
		f.values.Set("email", email)
		f.values.Set("password", password)
		if _, path, err := u.ask(ctx, "/login", f.values); err != nil || path != "/login" {
			return err
		}
	}
}

// startInquiry starts an inquiry for a borrower with this last name, and presses again until a page says what became of
// it.
func (u *patientUser) startInquiry(ctx context.Context, lastName string) (path string, err error) {
	doc, _, err := u.ask(ctx, "/leads/new", nil)
	if err != nil {
		return "", err
	}
	if err := u.loadFiles(ctx, doc); err != nil {
		return "", err
	}
	f := (&page{Document: doc, t: u.t}).form(`form[method="post"][action="/leads"]`)
	for name, values := range u.sample {
		if f.values.Get(name) == "" {
			f.values[name] = values
		}
	}
	f.values.Set("consent.attested", "true")
	f.values.Set("consent.method", "recorded-call")
	f.values.Set("applicant.name.lastName", lastName)
	for ; ; time.Sleep(100 * time.Millisecond) {
		_, path, err := u.ask(ctx, "/leads", f.values)
		if err != nil || strings.HasPrefix(path, "/leads/") || strings.HasPrefix(path, "/operations/") {
			return path, err
		}
	}
}

// numberFrom returns the number in an environment variable, or another one.
func numberFrom(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return otherwise
}

// killsWanted is how often portals are killed: PORTAL_TEST_KILLS, or a few times.
func killsWanted() int { return numberFrom("PORTAL_TEST_KILLS", 6) }

// TestReplicas_KilledUnderLoad_NothingLostOrTwice starts inquiries while portals are killed at random: every inquiry
// that a user started exists once at the lender and once in the portal, and none stays without an outcome.
// PORTAL_TEST_REPLICAS is the number of portals. With PORTAL_TEST_CRASHES the database crashes too, so no other test
// may run.
func TestReplicas_KilledUnderLoad_NothingLostOrTwice(t *testing.T) {
	crashes := os.Getenv("PORTAL_TEST_CRASHES") != ""
	if !crashes {
		t.Parallel()
	}
	program, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	r := startReplicas(t, program, numberFrom("PORTAL_TEST_REPLICAS", 2))
	if r.crashes = crashes; crashes {
		// The server of tests may lose what it has confirmed, which this test must not.
		storetest.Exec(t, r.database,
			`DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET synchronous_commit = on'; END $$`)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(120+5*killsWanted())*time.Second)
	defer cancel()
	killed, progress := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(killed)
		r.killer(ctx, killsWanted(), progress)
	}()
	pages := r.openLivePages(ctx, 6)
	started := r.startInquiriesUntil(ctx, cancel, killed, progress)
	r.checkStarts(started)
	checkLivePages(t, pages, started)
}

// openLivePages opens live pages of the user who starts the inquiries.
func (r *replicas) openLivePages(ctx context.Context, n int) (pages []*livePage) {
	u := r.newUser()
	if err := u.signIn(ctx); err != nil {
		r.t.Fatal(err)
	}
	for range n {
		p := newLivePage(u)
		pages = append(pages, p)
		go p.open(r.t.Context())
	}
	return pages
}

// checkLivePages waits until each page has shown each lead, and prints how long that took.
func checkLivePages(t *testing.T, pages []*livePage, started *sync.Map) {
	t.Helper()
	var delays []time.Duration
	started.Range(func(_, one any) bool {
		s := one.(start)
		for _, p := range pages {
			if !strings.HasPrefix(s.path, "/leads/") {
				break // an operation without a lead
			}
			waitFor(t, stepTimeout, "a live page shows a lead", func() bool { _, shown := p.delay(s.path, s.at); return shown })
			delay, _ := p.delay(s.path, s.at)
			delays = append(delays, delay)
		}
		return true
	})
	if len(delays) == 0 {
		t.Fatal("no page showed a lead")
	}
	slices.Sort(delays)
	t.Logf("%d live pages showed a lead %s (median), %s (99 of 100) and %s (longest) after its user had started it",
		len(pages), delays[len(delays)/2], delays[len(delays)*99/100], delays[len(delays)-1])
}

// start is where the start of an inquiry led to, and when the user knew.
type start struct {
	path string
	at   time.Time
}

// startInquiriesUntil lets users start inquiries until the end, and reports progress after each. It returns where
// each start led to, by last name. When a user cannot go on, it calls giveUp.
func (r *replicas) startInquiriesUntil(ctx context.Context, giveUp context.CancelFunc, end <-chan struct{},
	progress chan<- struct{}) *sync.Map {
	var started sync.Map
	var n atomic.Int64
	var users sync.WaitGroup
	for range 3 {
		users.Go(func() {
			u := r.newUser()
			if err := u.signIn(ctx); err != nil {
				r.t.Error(err)
				giveUp()
				return
			}
			for {
				select {
				case <-end:
					return
				default:
				}
				lastName := "Kowalski" + letters(int(n.Add(1)))
				path, err := u.startInquiry(ctx, lastName)
				if err != nil {
					r.t.Error(err)
					giveUp()
					return
				}
				started.Store(lastName, start{path, time.Now()})
				select {
				case progress <- struct{}{}:
				default:
				}
			}
		})
	}
	users.Wait()
	<-end
	return &started
}

// checkStarts checks what became of the inquiries that users started, by last name with the page that their start led
// to.
func (r *replicas) checkStarts(started *sync.Map) {
	t := r.t
	t.Helper()
	// A call that was under way when its portal was killed is unknown after its lease, never forgotten.
	open := func() []string {
		return storetest.Texts(t, r.database, `SELECT kind || ' ' || state FROM operations WHERE state = 'sent'`)
	}
	waitFor(t, 2*time.Minute, "no operation is on its way", func() bool { return len(open()) == 0 })
	total, unknown := 0, 0
	started.Range(func(name, one any) bool {
		total++
		path := one.(start).path
		at := len(r.lender.inquiriesByLastName(name.(string)))
		switch {
		case strings.HasPrefix(path, "/operations/") && at == 0:
			unknown++ // the receipt says that nobody knows, and what to do
		case at != 1:
			t.Errorf("%s, whose start led to %s: the lender has %d inquiries, want 1", name, path, at)
		}
		return true
	})
	if total == 0 {
		t.Error("no inquiry was started")
	}
	var all []inquiry
	r.lender.callControl(http.MethodGet, "inquiries", nil, &all)
	waitFor(t, time.Minute, "every inquiry at the lender is a lead", func() bool {
		for _, one := range all {
			if storetest.Count(t, r.database, `SELECT count(*) FROM leads WHERE app = ?`, one.AppUUID) != 1 {
				return false
			}
		}
		return true
	})
	t.Logf("%d inquiries were started, and %d calls did not reach the lender", total, unknown)
}

// letters writes a number in letters, because names have no digits.
func letters(n int) string {
	text := ""
	for ; n > 0; n /= 26 {
		text += string(rune('a' + n%26))
	}
	return text
}
