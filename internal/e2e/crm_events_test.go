package e2e

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/samplecrm"
	"hearthline/internal/store/storetest"
	"hearthline/views/text"
)

// unreliableCRM is the sample CRM behind a bad connection: half of the events that are sent to it fail, before or after
// the CRM has stored them, and all are slow. One event is refused until the portal gives it up.
type unreliableCRM struct {
	t        *testing.T
	server   *httptest.Server
	config   samplecrm.Config
	crm      *samplecrm.CRM
	received chan struct{} // receives a value when an event has arrived
	accepts  atomic.Bool   // every event

	mu      sync.Mutex
	bodies  map[string]string  // by webhook-id
	stored  map[string]bool    // by webhook-id
	numbers map[string][]int64 // of each lead, as the CRM stored their events first
	refused string             // the event that is given up
	tries   int
	repeats int // of stored events
}

// startUnreliableCRM lets portals send their events to the CRM, as an administrator does.
func startUnreliableCRM(r *replicas) *unreliableCRM {
	t := r.t
	t.Helper()
	c := &unreliableCRM{t: t, received: make(chan struct{}, 1), bodies: map[string]string{}, stored: map[string]bool{},
		numbers: map[string][]int64{}}
	c.server = httptest.NewServer(c)
	t.Cleanup(c.server.Close)
	words := map[string]string{}
	for _, row := range text.CRMCodes() {
		words[row[0]+" "+row[1]] = row[2]
	}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	c.config = samplecrm.Config{Portal: strings.Replace(r.proxy.URL, "127.0.0.1", "localhost", 1),
		Origin: c.server.URL, File: filepath.Join(t.TempDir(), "crm.json"), Words: words, SigningKey: key}
	if c.crm, err = samplecrm.New(c.config); err != nil {
		t.Fatal(err)
	}
	keys, err := c.crm.Keys()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(file, []byte(keys), 0o600); err != nil {
		t.Fatal(err)
	}
	broker := regexp.MustCompile(`sample-jwt\s+Sample CRM \(token\)\s+jwt\s+(\S+)`).
		FindStringSubmatch(r.runCommand("embed", "list"))
	r.runCommand("embed", "add", samplecrm.Key, "--replace", "--name", "Sample CRM", "--broker", broker[1],
		"--kind", "jwt", "--origin", c.server.URL, "--issuer", c.server.URL, "--keys-file", file)
	admin := r.openEvents()
	made := admin.send(admin.form("#secret form"))
	c.crm.SetEventSecret(made.Find("#secret input").AttrOr("value", ""))
	c.accepts.Store(true)
	admin.send(admin.form("#form-events").with("url", c.crm.EventsURL())).checkText(t, "Enabled")
	c.accepts.Store(false)
	c.tries = 0
	return c
}

// runCommand runs a command of the program on the portals' database.
func (r *replicas) runCommand(args ...string) string {
	r.t.Helper()
	cmd := exec.Command(r.programs[0], append(args, "--data", r.dir)...)
	cmd.Env = r.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// eventsAdmin is an administrator at the page of the CRM's events.
type eventsAdmin struct{ *patientUser }

func (r *replicas) openEvents() eventsAdmin {
	r.t.Helper()
	u := r.newUser()
	if err := u.signInAs(r.t.Context(), "admin@hearthline.test"); err != nil {
		r.t.Fatal(err)
	}
	return eventsAdmin{u}
}

func (u eventsAdmin) send(f form) *page {
	u.t.Helper()
	doc, _, err := u.ask(u.t.Context(), f.action, f.values)
	if err != nil {
		u.t.Fatal(err)
	}
	return &page{Document: doc, t: u.t}
}

const eventsPage = "/admin/embed/" + samplecrm.Key + "/events"

func (u eventsAdmin) form(selector string) form {
	u.t.Helper()
	return u.send(form{action: eventsPage}).form(selector)
}

func (c *unreliableCRM) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if q.URL.Path != "/events" {
		c.crm.Handler().ServeHTTP(w, q)
		return
	}
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return // the portal was killed
	}
	q.Body = io.NopCloser(bytes.NewReader(body))
	select {
	case c.received <- struct{}{}:
	default:
	}
	time.Sleep(rand.N(100 * time.Millisecond))
	id, chance := q.Header.Get("webhook-id"), rand.IntN(4)
	if c.accepts.Load() {
		chance = 3
	} else if c.refuses(id, body) {
		chance = 0
	}
	if chance == 0 { // lost on the way
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	stored := httptest.NewRecorder()
	c.crm.Handler().ServeHTTP(stored, q)
	if stored.Code == http.StatusNoContent {
		c.note(id, body)
	} else {
		c.t.Errorf("the CRM answered %d: %s", stored.Code, stored.Body)
	}
	if chance == 1 { // the answer is lost
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(stored.Code)
}

// refuses reports whether an event is the one that is given up: the first selection. It checks that an event is the
// same each time.
func (c *unreliableCRM) refuses(id string, body []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tries++
	if before, ok := c.bodies[id]; ok && before != string(body) {
		c.t.Errorf("%s is not the same as before:\n%s\n%s", id, before, body)
	}
	c.bodies[id] = string(body)
	if c.refused == "" && bytes.Contains(body, []byte(`"lead.offer_selected"`)) {
		c.refused = id
	}
	return c.refused == id
}

func (c *unreliableCRM) note(id string, body []byte) {
	var e struct {
		ID, Application string
		Number          int64
	}
	if err := json.Unmarshal(body, &e); err != nil || e.ID != id {
		c.t.Errorf("%s: %v: %s", id, err, body)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stored[id] {
		c.repeats++
		return
	}
	c.stored[id] = true
	if id != c.refused {
		c.numbers[e.Application] = append(c.numbers[e.Application], e.Number)
	}
}

// listOf returns the text of each lead on the CRM's list, by application.
func listOf(t *testing.T, crm *samplecrm.CRM) map[string]string {
	t.Helper()
	res := httptest.NewRecorder()
	crm.Handler().ServeHTTP(res, httptest.NewRequest(http.MethodGet, "/", nil))
	doc, err := goquery.NewDocumentFromReader(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	doc.Find("[data-lead]").Each(func(_ int, p *goquery.Selection) {
		shown[p.AttrOr("data-lead", "")] = strings.Join(strings.Fields(p.Text()), " ")
	})
	return shown
}

// waitForDesk waits until the list built from events matches one rebuilt from the status API. Leads that have not
// changed since they were linked are only in the rebuilt list.
func (c *unreliableCRM) waitForDesk(r *replicas) {
	t := c.t
	t.Helper()
	config := c.config
	config.File = filepath.Join(t.TempDir(), "rebuilt.json")
	rebuilt, err := samplecrm.New(config)
	if err != nil {
		t.Fatal(err)
	}
	var fromEvents, atDesk map[string]string
	defer func() {
		if t.Failed() {
			t.Logf("the list has %v, the desk %v", fromEvents, atDesk)
		}
	}()
	waitFor(t, 3*time.Minute, "the list is the desk's", func() bool { // a portal may still be reading lead updates
		if err := rebuilt.Rebuild(t.Context()); err != nil {
			t.Fatal(err)
		}
		fromEvents, atDesk = listOf(t, c.crm), listOf(t, rebuilt)
		told := storetest.Texts(t, r.database, `SELECT DISTINCT app FROM crm_events`)
		maps.DeleteFunc(atDesk, func(app, _ string) bool { return !slices.Contains(told, app) })
		return len(atDesk) > 0 && maps.Equal(fromEvents, atDesk)
	})
}

// TestCRMEvents_PortalsKilled_EveryEventArrivesInOrder changes leads while two portals are killed at random, and sends
// the events to a CRM that fails half of the time. Every event arrives, those of a lead in order, and the CRM's list is
// the desk's at the end. With PORTAL_TEST_SOAK there are 1,000 events and 50 kills.
func TestCRMEvents_PortalsKilled_EveryEventArrivesInOrder(t *testing.T) {
	t.Parallel()
	events, kills := 40, 5
	if os.Getenv("PORTAL_TEST_SOAK") != "" {
		events, kills = 1000, 50
	}
	program, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	r := startReplicas(t, program, 2)
	c := startUnreliableCRM(r)
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(180+2*events)*time.Second)
	defer cancel()
	began := time.Now()
	var background sync.WaitGroup
	background.Go(func() { r.shortenPauses(ctx) })
	killed, progress, end := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(killed)
		r.killer(ctx, kills, progress)
	}()
	background.Go(func() { c.progressEvery(ctx, max(events/kills, 1), progress) })
	var users sync.WaitGroup
	for user := range 3 {
		users.Go(func() { r.changeLeads(ctx, user, end) })
	}
	count := func(where string) int {
		return storetest.Count(t, r.database, `SELECT count(*) FROM crm_events WHERE `+where)
	}
	<-killed
	waitFor(t, time.Duration(2*events)*time.Second, "enough events", func() bool { return count("true") >= events })
	close(end)
	users.Wait()
	quiet := 0
	waitFor(t, 3*time.Minute, "nothing waits", func() bool {
		if n := count("state <> 'waiting'"); n != quiet || count("state = 'waiting'") > 0 ||
			storetest.Count(t, r.database, `SELECT count(*) FROM operations WHERE state = 'sent'`) > 0 {
			quiet = n
			time.Sleep(2 * time.Second) // a portal may still read what its leads have become
			return false
		}
		return true
	})
	c.accepts.Store(true)
	givenUp := count("state = 'failed'")
	if givenUp == 0 {
		t.Error("no event was given up")
	} else {
		r.openEvents().send(form{action: eventsPage, values: url.Values{"again": {"all"}}})
	}
	c.waitForDesk(r)
	waitFor(t, time.Minute, "every event is sent", func() bool { return count("state <> 'sent'") == 0 })
	cancel()
	background.Wait()
	c.check(r)
	t.Logf("%d events of %d leads in %s: %d tries, %d repetitions of events that the CRM had, "+
		"%d given up and sent again; %d kills", count("true"), len(c.numbers), time.Since(began).Round(time.Second),
		c.tries, c.repeats, givenUp, kills)
}

// check compares what arrived with what the portal sent.
func (c *unreliableCRM) check(r *replicas) {
	t := c.t
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range storetest.Texts(t, r.database, `SELECT id FROM crm_events`) {
		if !c.stored[id] {
			t.Errorf("%s never arrived", id)
		}
	}
	for app, numbers := range c.numbers {
		if !slices.IsSorted(numbers) {
			t.Errorf("the events of %s arrived in the order %v", app, numbers)
		}
	}
	if c.repeats == 0 {
		t.Error("no event arrived twice")
	}
}

// progressEvery reports progress after every n events that have arrived.
func (c *unreliableCRM) progressEvery(ctx context.Context, n int, progress chan<- struct{}) {
	for i := 1; ; i++ {
		select {
		case <-c.received:
		case <-ctx.Done():
			return
		}
		if i%n == 0 {
			select {
			case progress <- struct{}{}:
			default:
			}
		}
	}
}

// shortenPauses makes the pauses after failures short, and lets the lease of a try end after two seconds.
func (r *replicas) shortenPauses(ctx context.Context) {
	for ctx.Err() == nil {
		_ = storetest.TryExec(r.t, r.database, `UPDATE crm_events SET next_at = 0 WHERE state = 'waiting' AND next_at > 0`)
		_ = storetest.TryExec(r.t, r.database, `UPDATE crm_events SET leased_until = 1 WHERE leased_until > 1
			AND leased_until < (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 58000`)
		time.Sleep(200 * time.Millisecond)
	}
}

// changeLeads lets a user start inquiries until the end, links each lead to a record, and changes it in the desk and at
// the lender.
func (r *replicas) changeLeads(ctx context.Context, user int, end <-chan struct{}) {
	u := r.newUser()
	if err := u.signIn(ctx); err != nil {
		r.t.Error(err)
		return
	}
	for i := 0; ; i++ {
		path, err := u.startInquiry(ctx, "Kowalski"+letters(i*3+user+1))
		if err != nil {
			r.t.Error(err)
			return
		}
		app, ok := strings.CutPrefix(path, "/leads/")
		if !ok {
			continue
		}
		for storetest.TryExec(r.t, r.database, `INSERT INTO lead_references (blind_index, app, client, type)
			VALUES (?, ?, ?, 'deal')`, "index-"+app, app, samplecrm.Key) != nil && ctx.Err() == nil {
			time.Sleep(100 * time.Millisecond) // the killer also ends connections to the database
		}
		steps := []func(){
			func() { u.selectOffer(ctx, path) },
			func() { u.logContact(ctx, path) },
		}
		for _, event := range []string{"borrower-signs-in", "documents-signed", "convert", "condition", "condition",
			"condition", []string{"fund", "decline"}[i%2]} {
			steps = append(steps, func() { r.tryEvent(ctx, app, event) })
		}
		if i%4 == 3 {
			steps = []func(){func() { u.cancelInquiry(ctx, path) }}
		}
		for _, step := range steps {
			step()
			time.Sleep(rand.N(time.Second)) // often the next change comes after the event of this one, and sometimes before it
			select {
			case <-end:
				return
			case <-ctx.Done():
				r.t.Error(context.Cause(ctx))
				return
			default:
			}
		}
	}
}

func (u *patientUser) logContact(ctx context.Context, path string) {
	u.submit(ctx, path, `form#form-log-contact`, func(_ *goquery.Document, v url.Values) { v.Set("contact.how", "call") })
}

// tryEvent makes an event happen at the lender, unless it cannot.
func (r *replicas) tryEvent(ctx context.Context, app, event string) {
	q, err := http.NewRequestWithContext(ctx, http.MethodPost,
		fmt.Sprintf("%s/_sandbox/inquiries/%s/events", r.lender.sandbox, app), strings.NewReader(`{"event":"`+event+`"}`))
	if err != nil {
		r.t.Error(err)
		return
	}
	q.Header.Set("Content-Type", "application/json")
	if res, err := http.DefaultClient.Do(q); err == nil {
		_ = res.Body.Close()
	}
}
