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
	arrived chan struct{} // receives a value when a write has left the portal

	mu       sync.Mutex
	accepted map[string]int
}

func (c *countedWrites) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || strings.HasPrefix(r.URL.Path, "/_sandbox/") {
			next.ServeHTTP(w, r)
			return
		}
		select {
		case c.arrived <- struct{}{}:
		default:
		}
		time.Sleep(rand.N(maxDelay))
		if rand.N(8) == 0 { // lost on the way to the lender
			panic(http.ErrAbortHandler)
		}
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

// The following tests repeatedly kill a portal while users start inquiries and send other writes. Every write takes
// effect at most once, every inquiry that reached the lender is a lead or on its sender's list, and every lead can be
// worked on afterwards. Without webhooks, nothing tells the portal which application a lost start created, so the start
// stays on the list. With PORTAL_TEST_SOAK, each test kills 100 times.

func TestPortal_KilledOnSQLite_NothingLostOrTwice(t *testing.T) {
	t.Parallel()
	testKilledPortal(t, false, true)
}

func TestPortal_KilledOnSQLiteWithoutWebhooks_NothingLostOrTwice(t *testing.T) {
	t.Parallel()
	testKilledPortal(t, false, false)
}

func TestPortal_KilledOnPostgres_NothingLostOrTwice(t *testing.T) {
	t.Parallel()
	testKilledPortal(t, true, true)
}

func TestPortal_KilledOnPostgresWithoutWebhooks_NothingLostOrTwice(t *testing.T) {
	t.Parallel()
	testKilledPortal(t, true, false)
}

func testKilledPortal(t *testing.T, postgres, webhooks bool) {
	t.Helper()
	kills := 10
	if os.Getenv("PORTAL_TEST_SOAK") != "" {
		kills = 100
	}
	writes := &countedWrites{arrived: make(chan struct{}), accepted: map[string]int{}}
	r := startToKill(t, postgres, webhooks, writes.wrap)
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(120+5*kills)*time.Second)
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		r.workUntil(ctx, end)
	}()
	defer func() { cancel(); <-ended }()
	interrupted := r.killRepeatedly(ctx, kills, writes.arrived)
	close(end)
	<-ended
	r.restartLater()
	waitFor(t, stepTimeout, "no write is on its way", func() bool {
		return storetest.Count(t, r.database, `SELECT count(*) FROM operations WHERE state = 'sent'`) == 0
	})
	leads := r.checkInquiries(ctx, webhooks)
	r.checkWrites(leads, writes)
	r.checkNotStuck(ctx, leads)
	if interrupted == 0 {
		t.Error("no kill interrupted a write")
	}
	t.Logf("%d kills interrupted %d writes; %d leads", kills, interrupted, len(leads))
}

// killRepeatedly kills and restarts the portal n times, each time at a random moment after some writes have left it: on
// their way, at the lender, on their way back, or while they are stored. It returns how many writes were interrupted.
func (r *replicas) killRepeatedly(ctx context.Context, n int, arrived <-chan struct{}) int {
	interrupted := map[string]bool{}
	for range n {
		for range 1 + rand.N(4) {
			select {
			case <-arrived:
			case <-ctx.Done():
				r.t.Fatal(context.Cause(ctx))
			}
		}
		time.Sleep(rand.N(3 * maxDelay))
		r.kill(0)
		for _, id := range storetest.Texts(r.t, r.database, `SELECT id FROM operations WHERE state = 'sent'`) {
			interrupted[id] = true
		}
		r.start(0)
	}
	return len(interrupted)
}

// startToKill runs one portal on a seeded folder, with an SQLite database or one in PostgreSQL.
func startToKill(t *testing.T, postgres, webhooks bool, wrap func(http.Handler) http.Handler) *replicas {
	t.Helper()
	program, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	s, err := seeded["documented"]()
	if err != nil {
		t.Fatal(err)
	}
	dir := s.signedInFolder(t)
	r := &replicas{t: t, log: &outputBuffer{}, dir: dir, database: filepath.Join(dir, "portal.db"),
		programs: []string{program}, running: make([]*exec.Cmd, 1), sample: s.sample,
		session: s.sessions["olivia@summit.test"].plain}
	if postgres {
		r.database = storetest.EmptyPostgres(t)
		r.fillDatabase(program)
	}
	r.serve(webhooks, wrap)
	return r
}

// lastNameOfKilled is the prefix of the borrowers' last names in these tests.
const lastNameOfKilled = "Novak"

// workUntil has users start inquiries and work on them until the end.
func (r *replicas) workUntil(ctx context.Context, end <-chan struct{}) {
	var users sync.WaitGroup
	var n atomic.Int64
	for range 3 {
		users.Go(func() {
			u := r.newUser()
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
				if !strings.HasPrefix(path, "/leads/") {
					continue
				}
				u.setSource(ctx, path)
				if i%2 == 0 {
					u.cancelInquiry(ctx, path)
				} else {
					u.selectOffer(ctx, path)
				}
			}
		})
	}
	users.Wait()
}

// submit fills in a form and submits it until a portal responds. It does nothing if the page does not
// show the form in time.
func (u *patientUser) submit(ctx context.Context, path, selector string, fill func(*goquery.Document, url.Values)) {
	for range 20 {
		if u.submitIfShown(ctx, path, selector, fill) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// submitIfShown is submit without waiting for the form. It reports whether the page showed it.
func (u *patientUser) submitIfShown(ctx context.Context, path, selector string,
	fill func(*goquery.Document, url.Values)) bool {
	doc, _, err := u.ask(ctx, path, nil)
	if err != nil || doc.Find(selector).Length() == 0 {
		return false
	}
	f := (&page{Document: doc, t: u.t}).form(selector)
	fill(doc, f.values)
	_, _, _ = u.ask(ctx, f.action, f.values) // its outcome is checked at the lender
	return true
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

// selectableOffer is the form of an offer that can be selected.
const selectableOffer = `form[action$="/select-offer"]:has(input[name="offer.offerUuid"]:not([disabled]))`

func fillOffer(doc *goquery.Document, v url.Values) {
	v.Set("offer.offerUuid", doc.Find(`input[name="offer.offerUuid"]:not([disabled])`).First().AttrOr("value", ""))
	v.Set("offer.selectedOfferAmount", "50,000")
	v.Set("confirm.offer", "true")
	if doc.Find(`form#select input[name="confirm.repeat"]`).Length() > 0 { // one was marked as not received
		v.Set("confirm.repeat", "true")
	}
}

func (u *patientUser) selectOffer(ctx context.Context, path string) {
	u.submit(ctx, path+"/offers", selectableOffer, fillOffer)
}

// restartLater kills the portal and restarts it after all leases of the killed one have expired.
func (r *replicas) restartLater() {
	r.kill(0)
	storetest.Exec(r.t, r.database, `UPDATE operations SET lease_until = lease_until - 60000 WHERE state = 'sent'`)
	storetest.Exec(r.t, r.database, `UPDATE leases SET until = until - 60000`)
	r.start(0)
}

// checkInquiries checks that every inquiry of these tests exists once, and is either a lead or on its sender's list;
// the latter is allowed only without webhooks. It returns the leads.
func (r *replicas) checkInquiries(ctx context.Context, webhooks bool) (leads []inquiry) {
	t := r.t
	t.Helper()
	var all []inquiry
	r.lender.callControl(http.MethodGet, "inquiries", nil, &all)
	all = slices.DeleteFunc(all, func(one inquiry) bool { return !strings.HasPrefix(one.LastName, lastNameOfKilled) })
	known := func() []string { return storetest.Texts(t, r.database, `SELECT app FROM leads`) }
	if webhooks {
		waitFor(t, stepTimeout, "every inquiry is a lead", func() bool {
			apps := known()
			return !slices.ContainsFunc(all, func(one inquiry) bool { return !slices.Contains(apps, one.AppUUID) })
		})
	}
	listed, _, err := r.newUser().ask(ctx, "/leads", nil)
	if err != nil {
		t.Fatal(err)
	}
	unknown := storetest.Texts(t, r.database, `SELECT id FROM operations WHERE kind = 'start' AND state = 'unknown'
		ORDER BY created_at DESC`)
	names, apps, unconfirmed := map[string]int{}, known(), 0
	for _, one := range all {
		if names[one.LastName]++; names[one.LastName] > 1 {
			t.Errorf("%s was started %d times", one.LastName, names[one.LastName])
		}
		if slices.Contains(apps, one.AppUUID) {
			leads = append(leads, one)
			continue
		}
		unconfirmed++
		link := `a[href$="/operations/` + one.ExternalAppID + `"]`
		switch i := slices.Index(unknown, one.ExternalAppID); {
		case i < 0:
			t.Errorf("%s is no lead, and its start is not unconfirmed", one.LastName)
		case i < lead.UnsettledLimit && listed.Find(link).Length() == 0: // the list shows no more than this
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
	u, given := r.newUser(), 0
	unknown := map[string]bool{}
	for _, row := range storetest.Texts(t, r.database, `SELECT id || ' ' || app FROM operations
		WHERE state = 'unknown' AND kind <> 'start'`) {
		id, app, _ := strings.Cut(row, " ")
		if !slices.ContainsFunc(leads, func(one inquiry) bool { return one.AppUUID == app }) {
			continue // of the seed
		}
		unknown[app] = true
		u.submit(ctx, "/operations/"+id, `form[action="/operations/`+id+`"]`, func(_ *goquery.Document, v url.Values) {
			v.Set("reason", "The lender has not received it")
			v.Set("confirm.abandon", "true")
		})
		given++
	}
	selections := func() (n map[string]int) {
		n = map[string]int{}
		for _, app := range storetest.Texts(t, r.database, `SELECT app FROM operations WHERE kind = 'select-offer'`) {
			n[app]++
		}
		return n
	}
	before, others := selections(), 5
	var open []inquiry
	for _, one := range r.current(leads) {
		if one.NextInquiryStep == "INQUIRY_CLOSED" || !unknown[one.AppUUID] && others == 0 {
			continue
		}
		if !unknown[one.AppUUID] {
			others--
		}
		open = append(open, one)
	}
	t.Logf("%d writes were marked as not received; another offer is selected for %d leads", given, len(open))
	defer func() {
		for _, one := range open {
			doc, _, err := u.ask(ctx, "/leads/"+one.AppUUID+"/offers", nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Errorf("no other offer can be selected for %+v: %s", one,
				strings.Join(strings.Fields(doc.Find("main").Text()), " "))
		}
	}()
	waitFor(t, stepTimeout, "another offer can be selected for every lead", func() bool {
		for _, one := range open {
			u.submitIfShown(ctx, "/leads/"+one.AppUUID+"/offers", selectableOffer, fillOffer)
		}
		now := selections()
		open = slices.DeleteFunc(open, func(one inquiry) bool { return now[one.AppUUID] > before[one.AppUUID] })
		return len(open) == 0
	})
}

// current rereads inquiries and returns them.
func (r *replicas) current(of []inquiry) (now []inquiry) {
	var all []inquiry
	r.lender.callControl(http.MethodGet, "inquiries", nil, &all)
	return slices.DeleteFunc(all, func(one inquiry) bool {
		return !slices.ContainsFunc(of, func(wanted inquiry) bool { return wanted.AppUUID == one.AppUUID })
	})
}
