package web

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// directoryFaults is a lender whose directory changes.
type directoryFaults struct {
	mu      sync.Mutex
	moved   map[string]heloc.BrokerCompany // by email
	removed map[string]bool                // users who are no longer in it
}

func (d *directoryFaults) middleware(box http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/management/v1/loan-originator" {
			box.ServeHTTP(w, r)
			return
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		all := d.listed(box, r)
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		rows := all[min(offset, len(all)):min(offset+100, len(all))]
		writeTestJSON(w, map[string]any{"data": rows, "total": len(all), "count": len(rows)})
	})
}

// listed asks the sandbox for all pages of a query and changes the entries.
func (d *directoryFaults) listed(box http.Handler, r *http.Request) []heloc.Originator {
	all := []heloc.Originator{}
	for {
		ask := r.Clone(r.Context())
		query := r.URL.Query()
		query.Set("offset", strconv.Itoa(len(all)))
		ask.URL.RawQuery = query.Encode()
		got := httptest.NewRecorder()
		box.ServeHTTP(got, ask)
		var page struct {
			Data []heloc.Originator `json:"data"`
		}
		if err := json.Unmarshal(got.Body.Bytes(), &page); err != nil || len(page.Data) == 0 {
			break
		}
		all = append(all, page.Data...)
	}
	all = slices.DeleteFunc(all, func(o heloc.Originator) bool { return d.removed[o.Email] })
	for i, o := range all {
		if company, moves := d.moved[o.Email]; moves {
			all[i].Broker = &company
		}
	}
	return all
}

// moveUser moves a user to the company of another and makes the portal sync the directory.
func (d *directoryFaults) moveUser(h *harness, first, to string) {
	h.t.Helper()
	there, err := h.store.Originator(h.t.Context(), heloc.OriginatorID(h.people[to].OriginatorUUID))
	h.must(err)
	d.mu.Lock()
	d.moved = map[string]heloc.BrokerCompany{h.people[first].Email: {ID: there.BrokerID, Name: there.BrokerName, NMLS: there.BrokerNMLS}}
	d.mu.Unlock()
	h.must(h.lenderSync.SyncDirectory(h.t.Context()))
}

// eventRecorder records what an open event stream sends until it ends.
type eventRecorder struct {
	mu    sync.Mutex
	lines []string
	ended chan struct{}
}

func (v *testBrowser) openStream() *eventRecorder {
	v.h.t.Helper()
	ctx, leave := context.WithCancel(v.h.t.Context())
	v.h.t.Cleanup(leave)
	r := v.request(http.MethodGet, "/events", nil, nil).WithContext(ctx)
	res, err := v.client.Do(r)
	if err != nil {
		v.h.t.Fatal(err)
	}
	o := &eventRecorder{ended: make(chan struct{})}
	opened := make(chan struct{})
	var once sync.Once
	go func() {
		defer close(o.ended)
		defer func() { _ = res.Body.Close() }()
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			o.mu.Lock()
			o.lines = append(o.lines, lines.Text())
			o.mu.Unlock()
			once.Do(func() { close(opened) })
		}
	}()
	<-opened
	return o
}

func (o *eventRecorder) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.Join(o.lines, "\n")
}

// TestCompanyChange_LosesAllAccess moves an originator to another company in the lender's directory while they are
// signed in with everything open, and later moves them back.
func TestCompanyChange_LosesAllAccess(t *testing.T) {
	t.Parallel()
	lender := &directoryFaults{}
	h := newHarness(t, harnessOptions{lenderMiddleware: lender.middleware, estimate: testEstimateAccess(), borrowerLink: testBorrowerLink(t), demoControl: noDemoControl{}})
	h.addLakesideUsers()
	h.addCRM("hill", "olivia")
	summit := h.newCompanyFixture(summitUsers(), "Quill")
	olivia, maya := h.signedInBrowser("olivia"), h.signedInBrowser("maya")
	before := h.people["olivia"].Actor
	frame, stream := h.openFrame("hill", "olivia"), olivia.openStream()
	if got := frame.get("/leads?view=all"); !strings.Contains(got.body, string(summit.app)) {
		t.Fatalf("the frame: got %d: %s", got.status, got.text())
	}
	waiting := len(maya.get("/team/unassigned").Find("tbody tr").Nodes)

	lender.moveUser(h, "olivia", "piotr")

	h.probeAllRoutes("olivia", olivia, summit, summit.secrets)
	for _, app := range summit.apps {
		if got := olivia.get("/leads/" + string(app)); got.status != http.StatusNotFound {
			t.Errorf("the lead %s: got %d, want 404", app, got.status)
		}
	}
	for what, path := range map[string]string{
		"a draft": "/leads/new?draft=" + summit.draft, "a transferred draft": "/leads/new?draft=" + summit.receivedDraft,
		"a receipt": "/operations/" + summit.receipts[1], "a run": "/reassignments/" + summit.run,
	} {
		if got := olivia.get(path); got.status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", what, got.status)
		}
	}
	if got := frame.get("/leads?view=all"); got.status == http.StatusOK && strings.Contains(got.body, "/leads/") {
		t.Errorf("the frame of the old company's CRM still works: %s", got.text())
	}
	if n := len(olivia.notificationTitles()); n != 0 || olivia.get("/leads?view=all").Find("table.leads").Length() != 0 {
		t.Errorf("got %d notifications, and %s", n, olivia.get("/leads?view=all").text())
	}
	if page := olivia.get("/leads"); strings.Contains(page.text(), "draft") || page.Find("#handed").Length() != 0 || strings.Contains(page.text(), "Since ") {
		t.Errorf("the list still shows the old company: %s", page.text())
	}
	// The stream ends without an event for a lead, or for anything later.
	h.must(h.lenderSync.Refresh(t.Context(), summit.app))
	h.editLead(summit.app, func(l *lead.Row) { l.City = "Elsewhere" })
	select {
	case <-stream.ended:
	case <-time.After(time.Minute):
		t.Error("the stream stays open")
	}
	if strings.Contains(stream.text(), string(summit.app)) || strings.Contains(stream.text(), "event: lead") {
		t.Errorf("the stream has an event for a lead of the old company: %s", stream.text())
	}
	// Her leads are in her former manager's queue, once each.
	queue := maya.get("/team/unassigned")
	own := 0
	for _, app := range summit.apps {
		row := h.leadRow(app)
		if access.CompanyOf(row.BrokerID, row.Organization) != before.BrokerID {
			t.Errorf("%s moved with her to %s", app, row.BrokerID)
		}
		if row.Originator == "" {
			own++
			if !strings.Contains(queue.body, string(app)) {
				t.Errorf("%s is in no queue", app)
			}
		}
		if row.Originator == heloc.OriginatorID(before.OriginatorUUID) {
			t.Errorf("%s is still hers", app)
		}
	}
	if n := queue.Find("tbody tr").Length(); own != 3 || n != waiting+own {
		t.Errorf("got %d leads without an originator and %d in the queue, want three", own, n)
	}
	// What she does now belongs to her new company, and the old company sees none of it.
	fresh := olivia.startLead("Zanderlin")
	app := heloc.AppID(strings.TrimPrefix(fresh, "/leads/"))
	if got := h.leadRow(app).BrokerID; got != h.people["piotr"].BrokerID {
		t.Errorf("the new lead belongs to %s", got)
	}
	for _, path := range []string{"/leads?view=all", "/leads?q=Zanderlin", "/leads.csv?view=all", "/team/unassigned", "/notifications"} {
		if got := maya.get(path); strings.Contains(got.body, string(app)) || strings.Contains(got.body, "Elena Zanderlin") {
			t.Errorf("her former manager sees the new lead at %s", path)
		}
	}
	if got := maya.get("/originators?q=olivia"); strings.Contains(got.Find("table").Text(), "Olivia") {
		t.Error("her former manager sees her in the directory")
	}
	h.signedInBrowser("lars").get("/leads?q=Zanderlin").wantText("Zanderlin")
}

// TestCompanyChange_LostStart_StaysWithCompany: the response to a start was lost, the originator moved to another
// company, and then the inquiry was found.
func TestCompanyChange_LostStart_StaysWithCompany(t *testing.T) {
	t.Parallel()
	lender := &directoryFaults{}
	h := newHarness(t, harnessOptions{lenderMiddleware: lender.middleware})
	olivia := h.signInAs("olivia")
	olivia.send(olivia.intakeForm("Rivera-Lost"))
	found := h.inquiries("Rivera-Lost")
	if len(found) != 1 {
		t.Fatalf("got %d inquiries, want one", len(found))
	}
	app := found[0].AppUUID
	lender.moveUser(h, "olivia", "piotr")
	if got := olivia.post("/leads/adopt", url.Values{"appUuid": {string(app)}}); strings.HasPrefix(got.path, "/leads/") && got.status == http.StatusOK && got.path != "/leads/adopt" {
		t.Errorf("she adopts it by its id: %s", got.path)
	}
	h.must(h.sendWebhook(app))
	h.waitUntil("the lead is found", func() bool { _, err := h.store.AnyLead(t.Context(), app); return err == nil })
	row := h.leadRow(app)
	if row.BrokerID != h.people["olivia"].BrokerID || row.Originator != "" {
		t.Errorf("got a lead of %q at %s, want no originator and the company that sent it", row.Originator, row.BrokerID)
	}
	if got := olivia.get("/leads/" + string(app)); got.status != http.StatusNotFound {
		t.Errorf("she opens it: got %d, want 404", got.status)
	}
	maya := access.ScopeOf(access.Manager, "", h.people["olivia"].BrokerID, "")
	if queue, err := h.store.UnassignedLeads(t.Context(), maya, ""); err != nil || len(queue.Leads) != 1 {
		t.Errorf("got %d leads in the queue, %v, want it there", len(queue.Leads), err)
	}
}

// sendWebhook makes the lender send a webhook for an application.
func (h *harness) sendWebhook(app heloc.AppID) error {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, h.httpServer.URL+"/hooks/partner/"+webhookToken, strings.NewReader(`{"appUuid":"`+string(app)+`"}`))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	return res.Body.Close()
}
