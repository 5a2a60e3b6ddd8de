package web_test

import (
	"bufio"
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/web/webtest"
)

// moveUser moves a user to the company of another and makes the portal sync the directory.
func moveUser(d *webtest.DirectoryFaults, h *webtest.Harness, first, to string) {
	h.T.Helper()
	there, err := h.Store.Originator(h.T.Context(), heloc.OriginatorID(h.People[to].OriginatorUUID))
	h.Must(err)
	d.Mu.Lock()
	d.Moved = map[string]heloc.BrokerCompany{h.People[first].Email: {ID: there.BrokerID, Name: there.BrokerName,
		NMLS: there.BrokerNMLS}}
	d.Mu.Unlock()
	h.Must(h.LenderSync.SyncDirectory(h.T.Context()))
}

// eventRecorder records what an open event stream sends until it ends.
type eventRecorder struct {
	mu    sync.Mutex
	lines []string
	ended chan struct{}
}

func openStream(v *webtest.Browser) *eventRecorder {
	v.H.T.Helper()
	ctx, leave := context.WithCancel(v.H.T.Context())
	v.H.T.Cleanup(leave)
	r := v.Request(http.MethodGet, "/events", nil, nil).WithContext(ctx)
	res, err := v.Client.Do(r)
	if err != nil {
		v.H.T.Fatal(err)
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

func (e *eventRecorder) text() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Join(e.lines, "\n")
}

// TestCompanyChange_LosesAllAccess moves an originator to another company in the lender's directory while they are
// signed in with everything open, and later moves them back.
func TestCompanyChange_LosesAllAccess(t *testing.T) {
	t.Parallel()
	lender := &webtest.DirectoryFaults{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: lender.Middleware, Estimate: webtest.EstimateAccess(),
		BorrowerLink: webtest.BorrowerLink(t), DemoControl: noDemoControl{}})
	addLakesideUsers(h)
	h.AddCRM("hill", "olivia")
	summit := newCompanyFixture(h, summitUsers(), "Quill")
	olivia, maya := h.SignedInBrowser("olivia"), h.SignedInBrowser("maya")
	before := h.People["olivia"].Actor
	frame, stream := openFrame(h, "hill", "olivia"), openStream(olivia)
	if got := frame.Get("/leads?view=all"); !strings.Contains(got.Body, string(summit.app)) {
		t.Fatalf("the frame: got %d: %s", got.Status, got.MainText())
	}
	waiting := len(maya.Get("/team/unassigned").Find("tbody tr").Nodes)

	moveUser(lender, h, "olivia", "piotr")

	probeAllRoutes(h, "olivia", olivia, summit, summit.secrets)
	for _, app := range summit.apps {
		if got := olivia.Get("/leads/" + string(app)); got.Status != http.StatusNotFound {
			t.Errorf("the lead %s: got %d, want 404", app, got.Status)
		}
	}
	for what, path := range map[string]string{
		"a draft": "/leads/new?draft=" + summit.draft, "a transferred draft": "/leads/new?draft=" + summit.receivedDraft,
		"a receipt": "/operations/" + summit.receipts[1], "a run": "/reassignments/" + summit.run,
	} {
		if got := olivia.Get(path); got.Status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", what, got.Status)
		}
	}
	if got := frame.Get("/leads?view=all"); got.Status == http.StatusOK && strings.Contains(got.Body, "/leads/") {
		t.Errorf("the frame of the old company's CRM still works: %s", got.MainText())
	}
	if n := len(olivia.NotificationTitles()); n != 0 || olivia.Get("/leads?view=all").Find("table.leads").Length() != 0 {
		t.Errorf("got %d notifications, and %s", n, olivia.Get("/leads?view=all").MainText())
	}
	if page := olivia.Get("/leads"); strings.Contains(page.MainText(), "draft") || page.Find("#handed").Length() != 0 ||
		strings.Contains(page.MainText(), "Since ") {
		t.Errorf("the list still shows the old company: %s", page.MainText())
	}
	// The stream ends without an event for a lead, or for anything later.
	h.Must(h.LenderSync.Refresh(t.Context(), summit.app))
	h.EditLead(summit.app, func(l *lead.Row) { l.City = "Elsewhere" })
	select {
	case <-stream.ended:
	case <-time.After(time.Minute):
		t.Error("the stream stays open")
	}
	if strings.Contains(stream.text(), string(summit.app)) || strings.Contains(stream.text(), "event: lead") {
		t.Errorf("the stream has an event for a lead of the old company: %s", stream.text())
	}
	// Her leads are in her former manager's queue, once each.
	queue := maya.Get("/team/unassigned")
	own := 0
	for _, app := range summit.apps {
		row := h.LeadRow(app)
		if row.Company != before.BrokerID {
			t.Errorf("%s moved with her to %s", app, row.Company)
		}
		if row.Originator == "" {
			own++
			if !strings.Contains(queue.Body, string(app)) {
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
	fresh := olivia.StartLead("Zanderlin")
	app := heloc.AppID(strings.TrimPrefix(fresh, "/leads/"))
	if got := h.LeadRow(app).Company; got != h.People["piotr"].BrokerID {
		t.Errorf("the new lead belongs to %s", got)
	}
	for _, path := range []string{"/leads?view=all", "/leads?q=Zanderlin", "/leads.csv?view=all", "/team/unassigned",
		"/notifications"} {
		if got := maya.Get(path); strings.Contains(got.Body, string(app)) || strings.Contains(got.Body, "Elena Zanderlin") {
			t.Errorf("her former manager sees the new lead at %s", path)
		}
	}
	if got := maya.Get("/originators?q=olivia"); strings.Contains(got.Find("table").Text(), "Olivia") {
		t.Error("her former manager sees her in the directory")
	}
	h.SignedInBrowser("lars").Get("/leads?q=Zanderlin").WantText("Zanderlin")
}

// TestCompanyChange_LostStart_StaysWithCompany: the response to a start was lost, the originator moved to another
// company, and then the inquiry was found.
func TestCompanyChange_LostStart_StaysWithCompany(t *testing.T) {
	t.Parallel()
	lender := &webtest.DirectoryFaults{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: lender.Middleware})
	olivia := h.SignInAs("olivia")
	olivia.Send(olivia.IntakeForm("Rivera-Lost"))
	found := h.Inquiries("Rivera-Lost")
	if len(found) != 1 {
		t.Fatalf("got %d inquiries, want one", len(found))
	}
	app := found[0].AppUUID
	moveUser(lender, h, "olivia", "piotr")
	if got := olivia.Post("/leads/adopt", url.Values{"appUuid": {string(app)}}); strings.HasPrefix(got.Path, "/leads/") &&
		got.Status == http.StatusOK && got.Path != "/leads/adopt" {
		t.Errorf("she adopts it by its id: %s", got.Path)
	}
	h.Must(sendWebhook(h, app))
	h.WaitUntil("the lead is found", func() bool { _, err := h.Store.AnyLead(t.Context(), app); return err == nil })
	row := h.LeadRow(app)
	if row.Company != h.People["olivia"].BrokerID || row.Originator != "" {
		t.Errorf("got a lead of %q at %s, want no originator and the company that sent it", row.Originator, row.Company)
	}
	if got := olivia.Get("/leads/" + string(app)); got.Status != http.StatusNotFound {
		t.Errorf("she opens it: got %d, want 404", got.Status)
	}
	maya := access.ScopeOf(access.Manager, "", h.People["olivia"].BrokerID, "")
	if queue, err := h.Store.UnassignedLeads(t.Context(), maya, ""); err != nil || len(queue.Leads) != 1 {
		t.Errorf("got %d leads in the queue, %v, want it there", len(queue.Leads), err)
	}
}

// sendWebhook makes the lender send a webhook for an application.
func sendWebhook(h *webtest.Harness, app heloc.AppID) error {
	h.T.Helper()
	r, err := http.NewRequestWithContext(h.T.Context(), http.MethodPost,
		h.HTTPServer.URL+"/hooks/partner/"+webtest.WebhookToken, strings.NewReader(`{"appUuid":"`+string(app)+`"}`))
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
