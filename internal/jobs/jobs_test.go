package jobs

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	deskreassign "hearthline/internal/desk/reassign"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/lendersync"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

const (
	olivia = "0f0e0d0c-0000-4000-8000-0000000000a1"
	marcus = "0f0e0d0c-0000-4000-8000-0000000000a2"
)

// fakeLender is a lender that only reassigns leads: it stores who has which lead, and counts the calls.
type fakeLender struct {
	mu    sync.Mutex
	owner map[string]string
	calls map[string]int
	lost  bool // responses to reassignments are lost

	refuse string // why reassignments are refused; "" for not
}

func (l *fakeLender) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	pieces := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	w.Header().Set("Content-Type", "application/json")
	if strings.HasSuffix(r.URL.Path, "/reassign") {
		var request struct {
			To string `json:"newLoanOriginatorUuid"`
		}
		_ = json.NewDecoder(r.Body).Decode(&request)
		app := pieces[len(pieces)-2]
		l.calls[app]++
		if l.refuse != "" {
			w.WriteHeader(http.StatusBadRequest)
			_ = json.NewEncoder(w).Encode(map[string]any{"messages": []map[string]any{{"level": "ERROR", "message": l.refuse}}})
			return
		}
		l.owner[app] = request.To
		if l.lost {
			panic(http.ErrAbortHandler)
		}
		_, _ = w.Write([]byte(`{"data":{}}`))
		return
	}
	app := pieces[4]
	_ = json.NewEncoder(w).Encode(map[string]any{"data": map[string]any{
		"appUuid": app, "loanOriginatorData": map[string]any{"loanOriginatorUuid": l.owner[app]},
		"appData": map[string]any{"isInquiry": true, "nextInquiryStep": "OFFERS_AVAILABLE"},
	}})
}

// lose says whether responses to reassignments are lost from now on.
func (l *fakeLender) lose(responses bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lost = responses
}

// sent counts the reassignments of a lead that arrived. A lost response says nothing about when its handler ended, so
// tests read the count here.
func (l *fakeLender) sent(app string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.calls[app]
}

// callers records for whom requests are made.
type callers struct {
	mu  sync.Mutex
	all []partner.Caller
}

func (c *callers) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	c.all = append(c.all, partner.CallerOf(r.Context()))
	c.mu.Unlock()
	return http.DefaultTransport.RoundTrip(r)
}

// harness is a portal without its web server.
type harness struct {
	t        *testing.T
	lender   *fakeLender
	callers  *callers
	store    *store.Store
	database string // its address
	service  *desk.Service
	deskDeps desk.Deps // what the service was built from
	now      time.Time
	apps     []string
}

func newHarness(t *testing.T, leads int) *harness {
	t.Helper()
	g := &harness{t: t, lender: &fakeLender{owner: map[string]string{}, calls: map[string]int{}}, callers: &callers{},
		now: time.Now()}
	site := httptest.NewServer(g.lender)
	t.Cleanup(site.Close)
	v, err := vault.InMemory()
	if err != nil {
		t.Fatal(err)
	}
	g.database = storetest.NewDatabase(t)
	clock := func() time.Time { return g.now }
	g.store, err = store.Open(t.Context(), g.database, store.Options{MAC: v.MAC, Hub: &pubsub.Hub{}, LeaseClock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.store.Close() })
	client, err := partner.New(partner.Config{BaseURL: site.URL, APIKeys: func() []string { return []string{"key"} },
		Transport: g.callers})
	if err != nil {
		t.Fatal(err)
	}
	j, lenderHealth, live := journal.New(g.store, v, clock, "test"), &lendersync.LenderHealth{}, g.store.Hub
	g.deskDeps = desk.Deps{Store: g.store, Vault: v, Lender: client, Journal: j, Hub: live,
		LenderHealth: lenderHealth, Now: clock}
	g.service = desk.New(g.deskDeps)
	g.deskDeps.Refresher = lendersync.New(lendersync.Deps{Store: g.store, Vault: v, Lender: client, Journal: j, Hub: live,
		LenderHealth: lenderHealth, Now: clock, Log: slog.New(slog.DiscardHandler)})
	g.rebuildDesks()
	g.people()
	for i := range leads {
		app := heloc.AppID("0f0e0d0c-0000-4000-8000-0000000001" + string(rune('0'+i/10)) + string(rune('0'+i%10)))
		g.lender.owner[string(app)] = olivia
		g.write(func(tx *store.Tx) error {
			return tx.AddLead(t.Context(), &lead.Row{App: app, Originator: olivia, Company: "summit", Organization: "Evergreen",
				Step: heloc.StepOffersAvailable, StepSince: store.Millis(g.now)}, g.now)
		})
		g.apps = append(g.apps, string(app))
	}
	return g
}

func (h *harness) write(f func(tx *store.Tx) error) {
	h.t.Helper()
	if err := h.store.Write(h.t.Context(), f); err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) people() {
	summit := &heloc.BrokerCompany{ID: "summit", Name: "Summit", NMLS: "1"}
	h.write(func(tx *store.Tx) error {
		for id, name := range map[heloc.OriginatorID]string{olivia: "Olivia", marcus: "Marcus"} {
			if err := tx.SaveOriginator(h.t.Context(), heloc.Originator{ID: id, Email: name + "@summit.test", FirstName: name,
				LastName: "X", Organization: "Evergreen", Broker: summit}, h.now); err != nil {
				return err
			}
		}
		return nil
	})
	maya := access.Actor{UserID: "maya", Name: "Maya", Email: "maya@summit.test", Role: access.Manager, BrokerID: "summit",
		Organization: "Evergreen"}
	if err := h.store.AddUser(h.t.Context(), access.User{Actor: maya}, "hash"); err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) bulkReassignments() *deskreassign.Bulk {
	h.t.Helper()
	who, err := h.store.User(h.t.Context(), "maya")
	if err != nil {
		h.t.Fatal(err)
	}
	bulk, err := h.service.For(who.Actor).BulkReassignments()
	if err != nil {
		h.t.Fatal(err)
	}
	return bulk
}

func (h *harness) beginRun() string {
	h.t.Helper()
	id, err := h.bulkReassignments().Begin(h.t.Context(),
		deskreassign.BulkReassignRequest{Apps: h.apps, Assignees: []string{marcus}, Note: "on leave"})
	if err != nil {
		h.t.Fatal(err)
	}
	return id
}

func (h *harness) worker(owner string) (*Runner, *bytes.Buffer) {
	var log bytes.Buffer
	return New(Deps{Store: h.store, Desks: h.service, Now: func() time.Time { return h.now },
		Log: slog.New(slog.NewTextHandler(&log, nil)), Owner: owner}), &log
}

// results counts the rows of a run by their result.
func (h *harness) results(id string) map[lead.RowResult]int {
	h.t.Helper()
	run, err := h.bulkReassignments().FindRun(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	n := map[lead.RowResult]int{}
	for _, row := range run.Rows {
		n[row.Result]++
	}
	return n
}

func TestRunJob_AllRows_Done(t *testing.T) {
	t.Parallel()
	g := newHarness(t, 3)
	id := g.beginRun()
	w, log := g.worker("one")
	if !w.runNext(t.Context()) || log.Len() > 0 {
		t.Fatalf("the job was not run: %s", log)
	}
	if got := g.results(id); got[lead.RowMoved] != 3 {
		t.Errorf("got %v, want three moved", got)
	}
	if w.runNext(t.Context()) {
		t.Error("a finished run is leased again")
	}
}

// TestRunJob_Calls_CompanyInBackground: a run has its company's turn at the lender, behind the calls that users wait
// for, and does not use up the rate of the user who started it.
func TestRunJob_Calls_CompanyInBackground(t *testing.T) {
	t.Parallel()
	g := newHarness(t, 2)
	g.beginRun()
	g.callers.all = nil
	worker, _ := g.worker("one")
	worker.runNext(t.Context())
	if len(g.callers.all) < 2 {
		t.Fatalf("got %d calls, want one for each lead at least", len(g.callers.all))
	}
	for _, c := range g.callers.all {
		if want := (partner.Caller{Company: "summit", Background: true}); c != want {
			t.Errorf("got a call for %+v, want %+v", c, want)
		}
	}
}

// TestRunNext_TwoLongJobs_TakeTurns starts a second job behind a first one that has more rows than a turn.
func TestRunNext_TwoLongJobs_TakeTurns(t *testing.T) {
	t.Parallel()
	g := newHarness(t, 2*rowsPerTurn+2)
	all := g.apps
	g.apps = all[:rowsPerTurn+1]
	first := g.beginRun()
	g.now = g.now.Add(time.Second)
	g.apps = all[rowsPerTurn+1:]
	second := g.beginRun()
	w, log := g.worker("one")
	for turn, want := range [][2]int{{rowsPerTurn, 0}, {rowsPerTurn, rowsPerTurn}, {rowsPerTurn + 1, rowsPerTurn},
		{rowsPerTurn + 1, rowsPerTurn + 1}} {
		g.now = g.now.Add(time.Second)
		if !w.runNext(t.Context()) || log.Len() > 0 {
			t.Fatalf("turn %d: no job was run: %s", turn+1, log)
		}
		if got := [2]int{g.results(first)[lead.RowMoved], g.results(second)[lead.RowMoved]}; got != want {
			t.Errorf("turn %d: got %v leads moved, want %v", turn+1, got, want)
		}
	}
	if w.runNext(t.Context()) {
		t.Error("a finished job is leased again")
	}
}

// TestRunJob_ProcessDies_SendsOnce stops the process after it has sent a row and before it begins the next one.
func TestRunJob_ProcessDies_SendsOnce(t *testing.T) {
	t.Parallel()
	g := newHarness(t, 2)
	id := g.beginRun()
	// The first process executed the first row and died before it released the job.
	job, ok, err := g.store.LeaseJob(t.Context(), "dead")
	if err != nil || !ok {
		t.Fatalf("the job cannot be leased: %v", err)
	}
	rows, err := g.store.JobRows(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.bulkReassignments().ExecuteRow(t.Context(), job, rows[0]); err != nil {
		t.Fatal(err)
	}

	w, log := g.worker("next")
	if w.runNext(t.Context()) {
		t.Error("a job was leased while another process has its lease")
	}
	g.now = g.now.Add(lead.JobLease)
	if !w.runNext(t.Context()) || log.Len() > 0 {
		t.Fatalf("the job was not continued: %s", log)
	}
	if got := g.results(id); got[lead.RowMoved] != 2 {
		t.Errorf("got %v, want two moved", got)
	}
	for _, app := range g.apps {
		if n := g.lender.sent(app); n != 1 {
			t.Errorf("%s was sent %d times, want once", app, n)
		}
	}
}

// TestRunJob_LostAnswer_UnknownThenSettled loses every response; a retry skips such rows.
func TestRunJob_LostAnswer_UnknownThenSettled(t *testing.T) {
	t.Parallel()
	g := newHarness(t, 2)
	g.lender.lose(true)
	id := g.beginRun()
	w, _ := g.worker("one")
	w.runNext(t.Context())
	if got := g.results(id); got[lead.RowUnknown] != 2 {
		t.Fatalf("got %v, want two unknown", got)
	}
	if err := g.bulkReassignments().Retry(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	w.runNext(t.Context())
	g.now = g.now.Add(time.Second)
	for _, app := range g.apps {
		if n := g.lender.sent(app); n != 1 {
			t.Errorf("%s was sent %d times, want once", app, n)
		}
		if err := g.deskDeps.Refresher.Refresh(t.Context(), heloc.AppID(app)); err != nil {
			t.Fatal(err)
		}
	}
	if got := g.results(id); got[lead.RowMoved] != 2 {
		t.Errorf("got %v, want two moved, by the details", got)
	}
}

// TestRunJob_PermissionLost_Stopped removes the manager's role after the run began.
func TestRunJob_PermissionLost_Stopped(t *testing.T) {
	t.Parallel()
	g := newHarness(t, 2)
	id := g.beginRun()
	if err := g.store.SetUserRole(t.Context(), "maya", access.Admin); err != nil {
		t.Fatal(err)
	}
	w, _ := g.worker("one")
	w.runNext(t.Context())
	rows, err := g.store.JobRows(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if row.State != lead.JobRowStopped || !strings.Contains(row.Reason, "role") {
			t.Errorf("row %d: got %s %q, want stopped", row.N, row.State, row.Reason)
		}
	}
	if n := len(g.lender.calls); n != 0 {
		t.Errorf("%d leads were reassigned without permission", n)
	}
	if w.runNext(t.Context()) {
		t.Error("the run did not end")
	}
}

// TestRunJob_ToAbsentOriginator_DeputyNotifiedOnce reassigns leads to somebody for whom a colleague covers.
func TestRunJob_ToAbsentOriginator_DeputyNotifiedOnce(t *testing.T) {
	t.Parallel()
	g := newRulesHarness(t, 3)
	g.write(func(tx *store.Tx) error {
		return tx.AddAbsence(t.Context(), lead.Absence{ID: "a", Company: "summit", UserID: "marcus", Originator: marcus,
			DeputyID: "olivia", FirstDay: "2026-01-01", LastDay: "2026-01-02",
			StartsAt: store.Millis(g.now) - 1, EndsAt: store.Millis(g.now.Add(time.Hour)),
			CoverEndsAt: store.Millis(g.now.Add(time.Hour)), CreatedBy: "maya"})
	})
	g.beginRun()
	w, log := g.worker("one")
	if !w.runNext(t.Context()) || log.Len() > 0 {
		t.Fatalf("the job was not run: %s", log)
	}
	page, err := g.store.Notices(t.Context(), store.UserScope{UserID: "olivia", Company: "summit"}, "")
	if err != nil || len(page.Notices) != 1 || page.Notices[0].Kind != lead.NoticeLeadsCovered || page.Notices[0].N != 3 ||
		page.Notices[0].About != marcus || page.Notices[0].ByName != "Maya" {
		t.Errorf("the deputy: got %+v, %v, want one notification of three leads", page.Notices, err)
	}
	if page, err = g.store.Notices(t.Context(), store.UserScope{UserID: "marcus", Company: "summit"}, ""); err != nil ||
		len(page.Notices) != 1 || page.Notices[0].Kind != lead.NoticeLeadsReceived || page.Notices[0].N != 3 {
		t.Errorf("the originator: got %+v, %v, want one notification of three leads", page.Notices, err)
	}
	g.write(func(tx *store.Tx) error {
		return tx.ReadCoveredNotices(t.Context(), lead.Absence{DeputyID: "olivia", Company: "summit", Originator: marcus})
	})
	if unread, err := g.store.Unread(t.Context(), store.UserScope{UserID: "olivia", Company: "summit"}); err != nil ||
		unread != 0 {
		t.Errorf("after the cover ended: got %d unread, %v, want none", unread, err)
	}
}

// rebuildDesks applies what a test has changed in deskDeps to every holder of the service.
func (h *harness) rebuildDesks() { *h.service = *desk.New(h.deskDeps) }

// TestRunJob_LeaseLost_SendsNothing takes the job away from a process that is about to begin a row.
func TestRunJob_LeaseLost_SendsNothing(t *testing.T) {
	t.Parallel()
	g := newHarness(t, 1)
	id := g.beginRun()
	job, _, err := g.store.LeaseJob(t.Context(), "slow")
	if err != nil {
		t.Fatal(err)
	}
	g.now = g.now.Add(lead.JobLease)
	if _, ok, err := g.store.LeaseJob(t.Context(), "next"); err != nil || !ok {
		t.Fatalf("the job cannot be leased: %v", err)
	}
	rows, err := g.store.JobRows(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.bulkReassignments().ExecuteRow(t.Context(), job, rows[0]); !errors.Is(err, deskreassign.ErrJobTaken) {
		t.Errorf("got %v, want that the job is taken", err)
	}
	if got := g.results(id); got[lead.RowWaiting] != 1 || g.lender.sent(g.apps[0]) != 0 {
		t.Errorf("got %v and %d sent, want one waiting and none sent", got, g.lender.sent(g.apps[0]))
	}
}
