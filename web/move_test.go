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
	"hearthline/internal/store"
)

// relocating is a lender whose directory changes.
type relocating struct {
	mu    sync.Mutex
	to    map[string]heloc.BrokerCompany // by e-mail
	loses map[string]bool                // who is no longer in it
}

func (d *relocating) around(box http.Handler) http.Handler {
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
		asJSON(w, map[string]any{"data": rows, "total": len(all), "count": len(rows)})
	})
}

// listed asks the sandbox for all pages of a question, and changes what they hold.
func (d *relocating) listed(box http.Handler, r *http.Request) []heloc.Originator {
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
	all = slices.DeleteFunc(all, func(o heloc.Originator) bool { return d.loses[o.Email] })
	for i, o := range all {
		if company, moves := d.to[o.Email]; moves {
			all[i].Broker = &company
		}
	}
	return all
}

// moves takes somebody to the company of another, and has the portal read the directory.
func (d *relocating) moves(h *house, first, to string) {
	h.t.Helper()
	there, err := h.store.Originator(h.t.Context(), heloc.OriginatorID(h.people[to].OriginatorUUID))
	h.must(err)
	d.mu.Lock()
	d.to = map[string]heloc.BrokerCompany{h.people[first].Email: {ID: there.BrokerID, Name: there.BrokerName, NMLS: there.BrokerNMLS}}
	d.mu.Unlock()
	h.must(h.watch.SyncDirectory(h.t.Context()))
}

// overhears keeps what an open event stream says until it ends.
type overhears struct {
	mu    sync.Mutex
	lines []string
	ended chan struct{}
}

func (v *visitor) listens() *overhears {
	v.h.t.Helper()
	ctx, leave := context.WithCancel(v.h.t.Context())
	v.h.t.Cleanup(leave)
	r := v.request(http.MethodGet, "/events", nil, nil).WithContext(ctx)
	res, err := v.client.Do(r)
	if err != nil {
		v.h.t.Fatal(err)
	}
	o := &overhears{ended: make(chan struct{})}
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

func (o *overhears) said() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.Join(o.lines, "\n")
}

// TestNothingGoesAlongToAnotherCompany moves an originator by the lender's directory while
// they are signed in and everything of theirs is open, and later back again.
func TestNothingGoesAlongToAnotherCompany(t *testing.T) {
	lender := &relocating{}
	h := newHouse(t, furnished{around: lender.around, estimate: someEstimate(), handOff: someHandOff(t), rehearsal: noRehearsal{}})
	h.lakesiders()
	h.framer("hill", "olivia")
	summit := h.belong(summitCrew(), "Quill")
	olivia, maya := h.sitting("olivia"), h.sitting("maya")
	before := h.people["olivia"].Actor
	frame, stream := h.framed("hill", "olivia"), olivia.listens()
	if got := frame.get("/leads?view=all"); !strings.Contains(got.body, string(summit.app)) {
		t.Fatalf("the frame: got %d: %s", got.status, got.text())
	}
	waiting := len(maya.get("/team/unassigned").Find("tbody tr").Nodes)

	lender.moves(h, "olivia", "piotr")

	h.walk("olivia", olivia, summit, summit.secrets)
	for _, app := range summit.apps {
		if got := olivia.get("/leads/" + string(app)); got.status != http.StatusNotFound {
			t.Errorf("the lead %s: got %d, want 404", app, got.status)
		}
	}
	for what, path := range map[string]string{
		"a draft": "/leads/new?draft=" + summit.draft, "a handed draft": "/leads/new?draft=" + summit.handed,
		"a receipt": "/operations/" + summit.receipts[1], "a run": "/reassignments/" + summit.run,
	} {
		if got := olivia.get(path); got.status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", what, got.status)
		}
	}
	if got := frame.get("/leads?view=all"); got.status == http.StatusOK && strings.Contains(got.body, "/leads/") {
		t.Errorf("the frame of the old company's CRM still works: %s", got.text())
	}
	if n := len(olivia.news()); n != 0 || olivia.get("/leads?view=all").Find("table.leads").Length() != 0 {
		t.Errorf("got %d notifications, and %s", n, olivia.get("/leads?view=all").text())
	}
	if page := olivia.get("/leads"); strings.Contains(page.text(), "draft") || page.Find("#handed").Length() != 0 || strings.Contains(page.text(), "Since ") {
		t.Errorf("the list still tells of the old company: %s", page.text())
	}
	// The stream ends without having told of a lead, or of what comes after.
	h.must(h.watch.Refresh(t.Context(), summit.app))
	h.edit(summit.app, func(l *store.Lead) { l.City = "Elsewhere" })
	select {
	case <-stream.ended:
	case <-time.After(time.Minute):
		t.Error("the stream stays open")
	}
	if strings.Contains(stream.said(), string(summit.app)) || strings.Contains(stream.said(), "event: lead") {
		t.Errorf("the stream told of a lead of the old company: %s", stream.said())
	}
	// Her leads wait for her former manager, each once.
	queue := maya.get("/team/unassigned")
	own := 0
	for _, app := range summit.apps {
		row := h.row(app)
		if store.CompanyOf(row.BrokerID, row.Organization) != before.BrokerID {
			t.Errorf("%s went along to %s", app, row.BrokerID)
		}
		if row.Originator == "" {
			own++
			if !strings.Contains(queue.body, string(app)) {
				t.Errorf("%s waits nowhere", app)
			}
		}
		if row.Originator == heloc.OriginatorID(before.OriginatorUUID) {
			t.Errorf("%s is still hers", app)
		}
	}
	if n := queue.Find("tbody tr").Length(); own != 3 || n != waiting+own {
		t.Errorf("got %d leads that are nobody's and %d in the queue, want three", own, n)
	}
	// What she does now is her new company's, and nothing of it shows to the old one.
	fresh := olivia.start("Zanderlin")
	app := heloc.AppID(strings.TrimPrefix(fresh, "/leads/"))
	if got := h.row(app).BrokerID; got != h.people["piotr"].BrokerID {
		t.Errorf("the new lead belongs to %s", got)
	}
	for _, path := range []string{"/leads?view=all", "/leads?q=Zanderlin", "/leads.csv?view=all", "/team/unassigned", "/notifications"} {
		if got := maya.get(path); strings.Contains(got.body, string(app)) || strings.Contains(got.body, "Elena Zanderlin") {
			t.Errorf("her former manager reads of the new lead at %s", path)
		}
	}
	if got := maya.get("/originators?q=olivia"); strings.Contains(got.Find("table").Text(), "Olivia") {
		t.Error("her former manager finds her in the directory")
	}
	h.sitting("lars").get("/leads?q=Zanderlin").says("Zanderlin")
}

// TestALostStartStaysWithItsCompany: the answer was lost, she went to another company, and
// then the inquiry was found.
func TestALostStartStaysWithItsCompany(t *testing.T) {
	lender := &relocating{}
	h := newHouse(t, furnished{around: lender.around})
	olivia := h.visit("olivia")
	olivia.send(olivia.rivera("Rivera-Lost"))
	found := h.inquiries("Rivera-Lost")
	if len(found) != 1 {
		t.Fatalf("got %d inquiries, want one", len(found))
	}
	app := found[0].AppUUID
	lender.moves(h, "olivia", "piotr")
	if got := olivia.post("/leads/adopt", url.Values{"appUuid": {string(app)}}); strings.HasPrefix(got.path, "/leads/") && got.status == http.StatusOK && got.path != "/leads/adopt" {
		t.Errorf("she takes it along by its id: %s", got.path)
	}
	h.must(h.inbox(app))
	h.until("the lead is found", func() bool { _, err := h.store.AnyLead(t.Context(), app); return err == nil })
	row := h.row(app)
	if row.BrokerID != h.people["olivia"].BrokerID || row.Originator != "" {
		t.Errorf("got a lead of %q at %s, want nobody's of the company where it was sent", row.Originator, row.BrokerID)
	}
	if got := olivia.get("/leads/" + string(app)); got.status != http.StatusNotFound {
		t.Errorf("she opens it: got %d, want 404", got.status)
	}
	maya := access.ScopeOf(access.Manager, "", h.people["olivia"].BrokerID, "")
	if queue, err := h.store.UnassignedLeads(t.Context(), maya, ""); err != nil || len(queue.Leads) != 1 {
		t.Errorf("got %d leads in the queue, %v, want it there", len(queue.Leads), err)
	}
}

// inbox has the lender tell of an application by a webhook.
func (h *house) inbox(app heloc.AppID) error {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, h.site.URL+"/hooks/partner/"+hookToken, strings.NewReader(`{"appUuid":"`+string(app)+`"}`))
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
