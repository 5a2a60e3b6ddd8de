package e2e

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/lead"
	"hearthline/internal/store/storetest"
)

// maxDelay is the longest delay of a write on the way to the lender, and of its response on the way back: long enough
// that many portals are killed while a write is in flight.
const maxDelay = 60 * time.Millisecond

// countedWrites counts the writes that the lender has accepted, by path.
type countedWrites struct {
	mu       sync.Mutex
	accepted map[string]int
}

func (c *countedWrites) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || strings.HasPrefix(r.URL.Path, "/_sandbox/") {
			next.ServeHTTP(w, r)
			return
		}
		time.Sleep(rand.N(maxDelay))
		next.ServeHTTP(&acceptance{w, func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.accepted[r.URL.Path]++
		}}, r)
	})
}

// acceptance counts a write when its response accepts it, and then delays the response.
type acceptance struct {
	http.ResponseWriter
	note func()
}

func (a *acceptance) WriteHeader(status int) {
	if status == http.StatusOK {
		a.note()
	}
	time.Sleep(rand.N(maxDelay))
	a.ResponseWriter.WriteHeader(status)
}

// of returns how often the lender has accepted a kind of write to an application.
func (c *countedWrites) of(app, kind string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.accepted["/products/heloc/v1/inquiry/"+app+"/"+kind]
}

// TestPortal_KilledUnderLoad_NothingLostOrTwice repeatedly kills a portal that uses an SQLite file while users start
// inquiries and send other writes. Every write takes effect at most once, every inquiry becomes a lead, and every
// lead can be worked on afterwards. With PORTAL_TEST_SOAK, this test and the next one kill 200 times.
func TestPortal_KilledUnderLoad_NothingLostOrTwice(t *testing.T) {
	t.Parallel()
	testKilledPortal(t, true)
}

// TestPortal_KilledWithoutWebhooks_NothingLostOrTwice does the same without webhooks, where nothing tells the portal
// which application a lost start created, so the start stays on its sender's list.
func TestPortal_KilledWithoutWebhooks_NothingLostOrTwice(t *testing.T) {
	t.Parallel()
	testKilledPortal(t, false)
}

func testKilledPortal(t *testing.T, webhooks bool) {
	t.Helper()
	kills := 5
	if os.Getenv("PORTAL_TEST_SOAK") != "" {
		kills = 100
	}
	writes := &countedWrites{accepted: map[string]int{}}
	r := startOnFile(t, webhooks, writes.wrap)
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(120+5*kills)*time.Second)
	end, ended, progress := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		r.workUntil(ctx, end, progress)
	}()
	defer func() { cancel(); <-ended }()
	interrupted := r.killRepeatedly(ctx, kills, progress)
	close(end)
	<-ended
	r.restartLater()
	waitFor(t, stepTimeout, "no write is on its way", func() bool {
		return storetest.Count(t, r.database, `SELECT count(*) FROM operations WHERE state = 'sent'`) == 0
	})
	leads := r.checkInquiries(ctx, webhooks)
	r.checkWrites(leads, writes)
	r.checkNotStuck(ctx, leads)
	t.Logf("%d kills interrupted %d writes; %d leads", kills, interrupted, len(leads))
}

// killRepeatedly kills and restarts the portal n times, each time after progress has been made. It returns how many
// writes were interrupted.
func (r *replicas) killRepeatedly(ctx context.Context, n int, progress <-chan struct{}) int {
	interrupted := map[string]bool{}
	for range n {
		select {
		case <-progress:
		case <-ctx.Done():
			r.t.Fatal(context.Cause(ctx))
		}
		time.Sleep(rand.N(300 * time.Millisecond)) // not always at the same moment of a request
		r.kill(0)
		for _, id := range storetest.Texts(r.t, r.database, `SELECT id FROM operations WHERE state = 'sent'`) {
			interrupted[id] = true
		}
		r.start(0)
	}
	return len(interrupted)
}

// startOnFile runs one portal on a seeded folder with an SQLite database.
func startOnFile(t *testing.T, webhooks bool, wrap func(http.Handler) http.Handler) *replicas {
	t.Helper()
	program, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	d := startSeeded(t)
	r := &replicas{t: t, log: &outputBuffer{}, dir: d.dir, database: filepath.Join(d.dir, "portal.db"),
		programs: []string{program}, running: make([]*exec.Cmd, 1)}
	r.sample = d.signIn(t, "olivia@summit.test").get("/leads/new?sample=Rivera").
		form(`form[method="post"][action="/leads"]`).values
	d.stop()
	r.serve(webhooks, wrap)
	return r
}

// lastNameOfKilled is the prefix of the borrowers' last names in these tests.
const lastNameOfKilled = "Novak"

// workUntil lets users start inquiries and work on them until the end, and reports progress after each write.
func (r *replicas) workUntil(ctx context.Context, end <-chan struct{}, progress chan<- struct{}) {
	var users sync.WaitGroup
	var n atomic.Int64
	done := func() {
		select {
		case progress <- struct{}{}:
		default:
		}
	}
	for range 3 {
		users.Go(func() {
			u := r.newUser()
			if err := u.signIn(ctx); err != nil {
				r.t.Error(err)
				return
			}
			for i := 0; ; i++ {
				select {
				case <-end:
					return
				case <-ctx.Done():
					r.t.Error(context.Cause(ctx))
					return
				default:
				}
				path, err := u.startInquiry(ctx, lastNameOfKilled+letters(int(n.Add(1))))
				if err != nil {
					r.t.Error(err)
					return
				}
				done()
				if !strings.HasPrefix(path, "/leads/") {
					continue
				}
				u.setSource(ctx, path)
				done()
				if i%2 == 0 {
					u.cancelInquiry(ctx, path)
				} else {
					u.selectOffer(ctx, path)
				}
				done()
			}
		})
	}
	users.Wait()
}

// submit fills in a form and submits it until a portal responds. It does nothing if the page does not
// show the form in time.
func (u *patientUser) submit(ctx context.Context, path, selector string, fill func(*goquery.Document, url.Values)) {
	for range 20 {
		doc, _, err := u.ask(ctx, path, nil)
		if err != nil {
			return
		}
		if doc.Find(selector).Length() == 0 {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		f := (&page{Document: doc, t: u.t}).form(selector)
		fill(doc, f.values)
		_, _, _ = u.ask(ctx, f.action, f.values) // its outcome is checked at the lender
		return
	}
}

func (u *patientUser) setSource(ctx context.Context, path string) {
	u.submit(ctx, path+"/history", `form#form-attributions`, func(_ *goquery.Document, v url.Values) {
		v.Set("attributions.utmParameters.source", "radio")
	})
}

func (u *patientUser) cancelInquiry(ctx context.Context, path string) {
	u.submit(ctx, path, `form[action$="/cancel"]`, func(_ *goquery.Document, v url.Values) {
		v.Set("confirm.cancel", "true")
	})
}

func (u *patientUser) selectOffer(ctx context.Context, path string) {
	u.submit(ctx, path+"/offers", `form[action$="/select-offer"]:has(input[name="offer.offerUuid"]:not([disabled]))`,
		func(doc *goquery.Document, v url.Values) {
			v.Set("offer.offerUuid", doc.Find(`input[name="offer.offerUuid"]:not([disabled])`).First().AttrOr("value", ""))
			v.Set("offer.selectedOfferAmount", "50,000")
			v.Set("confirm.offer", "true")
		})
}

// restartLater kills the portal and restarts it with its clock past the longest time a write may take.
func (r *replicas) restartLater() {
	r.kill(0)
	storetest.Exec(r.t, r.database, `UPDATE operations SET lease_until = lease_until - 60000 WHERE state = 'sent'`)
	r.start(0)
}

// checkInquiries checks that every inquiry of these tests exists once, and is either a lead or on its sender's list;
// the latter is allowed only without webhooks. It returns the leads.
func (r *replicas) checkInquiries(ctx context.Context, webhooks bool) (leads []inquiry) {
	t := r.t
	t.Helper()
	var all []inquiry
	r.lender.callControl(http.MethodGet, "inquiries", nil, &all)
	names := map[string]int{}
	isLead := func(one inquiry) bool {
		return storetest.Count(t, r.database, `SELECT count(*) FROM leads WHERE app = ?`, one.AppUUID) == 1
	}
	u := r.newUser()
	if err := u.signIn(ctx); err != nil {
		t.Fatal(err)
	}
	listed, _, err := u.ask(ctx, "/leads", nil)
	if err != nil {
		t.Fatal(err)
	}
	newest := storetest.Texts(t, r.database, `SELECT id FROM operations WHERE kind = 'start' AND state = 'unknown'
		ORDER BY created_at DESC LIMIT `+strconv.Itoa(lead.UnsettledLimit)) // the list shows no more than this
	unconfirmed := 0
	for _, one := range all {
		if !strings.HasPrefix(one.LastName, lastNameOfKilled) {
			continue
		}
		if names[one.LastName]++; names[one.LastName] > 1 {
			t.Errorf("%s was started %d times", one.LastName, names[one.LastName])
		}
		if webhooks {
			waitFor(t, stepTimeout, one.LastName+" is a lead", func() bool { return isLead(one) })
		}
		if isLead(one) {
			leads = append(leads, one)
			continue
		}
		unconfirmed++
		if storetest.Count(t, r.database, `SELECT count(*) FROM operations WHERE id = ? AND state = 'unknown'`,
			one.ExternalAppID) != 1 {
			t.Errorf("%s is no lead, and its start is not unconfirmed", one.LastName)
		}
		link := `a[href$="/operations/` + one.ExternalAppID + `"]`
		if slices.Contains(newest, one.ExternalAppID) && listed.Find(link).Length() == 0 {
			t.Errorf("%s is no lead, and its start is not listed", one.LastName)
		}
	}
	if len(leads) == 0 {
		t.Error("no inquiry was started")
	}
	t.Logf("%d inquiries, %d of them unconfirmed", len(names), unconfirmed)
	return leads
}

// checkWrites checks that the lender accepted each write at most once: each user sends one of each
// kind.
func (r *replicas) checkWrites(leads []inquiry, writes *countedWrites) {
	r.t.Helper()
	for _, one := range leads {
		for _, kind := range []string{"attributions", "cancel", "select-offer"} {
			if n := writes.of(one.AppUUID, kind); n > 1 {
				r.t.Errorf("%s: the lender accepted %s %d times", one.LastName, kind, n)
			}
		}
	}
}

// checkNotStuck checks that users can work on the leads: on those with a write of unknown outcome once a user has
// marked it as not received, and some others.
func (r *replicas) checkNotStuck(ctx context.Context, leads []inquiry) {
	t := r.t
	t.Helper()
	u := r.newUser()
	if err := u.signIn(ctx); err != nil {
		t.Fatal(err)
	}
	others, given := 5, 0
	for _, one := range r.current(leads) {
		unknown := storetest.Texts(t, r.database, `SELECT id FROM operations
			WHERE state = 'unknown' AND kind <> 'start' AND app = '`+one.AppUUID+`'`)
		if one.NextInquiryStep == "INQUIRY_CLOSED" || len(unknown) == 0 && others == 0 {
			continue
		}
		if len(unknown) == 0 {
			others--
		}
		for _, id := range unknown {
			given++
			u.submit(ctx, "/operations/"+id, `form[action="/operations/`+id+`"]`, func(_ *goquery.Document, v url.Values) {
				v.Set("reason", "The lender has not received it")
				v.Set("confirm.abandon", "true")
			})
		}
		selections := func() int {
			return storetest.Count(t, r.database, `SELECT count(*) FROM operations WHERE kind = 'select-offer' AND app = ?`,
				one.AppUUID)
		}
		before := selections()
		waitFor(t, stepTimeout, "another offer can be selected for "+one.LastName, func() bool {
			u.selectOffer(ctx, "/leads/"+one.AppUUID)
			return selections() > before
		})
	}
	t.Logf("%d writes were marked as not received", given)
}

// current rereads inquiries and returns them.
func (r *replicas) current(of []inquiry) (now []inquiry) {
	for _, one := range of {
		now = append(now, r.lender.inquiriesByLastName(one.LastName)...)
	}
	return now
}
