package admin_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hearthline/internal/embed"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// TestCRMEvents_SetUpDeliverSendAgain sets the events of a CRM up, starts a lead from one of its records, and sends an
// event again that was given up.
func TestCRMEvents_SetUpDeliverSendAgain(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	crm := webtest.NewCRM(t, h)
	crm.ConnectUser("olivia")
	crm.Attest()
	status := atomic.Int64{}
	var events []embed.Event
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var e embed.Event
		if err := json.NewDecoder(r.Body).Decode(&e); err != nil || r.Header.Get("webhook-signature") == "" {
			t.Errorf("got %v, %v", err, r.Header)
		}
		events = append(events, e)
		w.WriteHeader(int(status.Load()))
	}))
	t.Cleanup(receiver.Close)
	admin := h.SignInAs("admin")
	link, _ := admin.Get("/admin/embed").Find(`#crm-acme a:contains("Events")`).Attr("href")
	page := admin.Get(link)
	if got := admin.Send(page.Form("#form-events").With("url", receiver.URL)); got.Status != http.StatusConflict ||
		!strings.Contains(got.MainText(), "Create a signing secret first") || len(events) != 0 {
		t.Errorf("without a secret: got %d: %s", got.Status, got.MainText())
	}
	made := admin.Send(page.Form("#secret form"))
	secret := regexp.MustCompile(`whsec_[A-Za-z0-9+/=]{44}`).FindString(made.Find("#secret input").AttrOr("value", ""))
	if secret == "" || strings.Contains(admin.Get(link).Body, secret) {
		t.Fatalf("the secret %q, want it shown once: %s", secret, made.MainText())
	}
	status.Store(http.StatusInternalServerError)
	form := admin.Get(link).Form("#form-events").With("url", receiver.URL+"/heloc").With("amounts", "true")
	if got := admin.Send(form); got.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(got.Find("#form-events .err").Text(), "returned 500 for the test event") ||
		got.Form("#form-events").Values.Get("url") != receiver.URL+"/heloc" || got.Find("#endpoint .dim").Text() != "" {
		t.Errorf("a rejected test: got %d: %s", got.Status, got.MainText())
	}
	status.Store(http.StatusOK)
	admin.Send(form).WantText("Enabled", "Sends to", "Accepted today", "No events yet")

	app := strings.TrimPrefix(crm.OpenFrame(webtest.LaunchFor("51")).StartLead("Rivera"), "/leads/")
	events = nil
	deliver := func() {
		t.Helper()
		for more := true; more; {
			var err error
			if more, err = h.EmbedService.DeliverEvent(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	deliver()
	if len(events) == 0 || events[0].Type != "lead.started" || string(events[0].Application) != app ||
		len(events[0].Records) != 1 || events[0].Records[0] != (embed.EventRecord{Type: "deal", ID: "51"}) ||
		events[0].Number == 0 || events[0].Amounts == nil {
		t.Fatalf("got %+v, want the start of record 51", events)
	}
	admin.Get(link).WantText("lead.started", "Delivered", "200")

	// One that was given up.
	err := h.Store.Write(t.Context(), func(tx *store.Tx) error {
		l, err := tx.AnyLead(t.Context(), events[0].Application)
		if err != nil {
			return err
		}
		l.OpenConditions++
		return tx.SaveLead(t.Context(), &l, time.Now(), true)
	})
	h.Must(err)
	e, ok, err := h.Store.LeaseCRMEvent(t.Context(), time.Now())
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	e.State, e.Answer, e.TriedAt = lead.CRMEventFailed, "410", store.Millis(time.Now())
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error { return tx.FinishCRMEvent(t.Context(), e) }))
	failed := admin.Get(link)
	failed.WantText("Not delivered", "410 Gone", "Send all again")
	id, _ := failed.Find(`#failed td button[name="again"]`).Attr("value")
	for _, again := range []string{"evt_none", id} {
		events = nil
		if got := admin.Post(link, url.Values{"again": {again}}); again == id {
			got.WantText("Waiting")
		}
		if deliver(); len(events) > 0 && events[0].ID != e.ID || len(events) > 0 != (again == id) {
			t.Errorf("sending %s again: got %+v", again, events)
		}
	}
	admin.Post(link, url.Values{"act": {"pause"}}).WantText("Paused")
	admin.Send(admin.Get(link).Form("#secret form")).WantText("Previous", "signs every event too until")
	admin.Post(link, url.Values{"act": {"end-secret"}})
	if got := admin.Get(link); strings.Contains(got.MainText(), "Previous") || len(got.Header.Get("Cache-Control")) == 0 {
		t.Errorf("got %s", got.MainText())
	}
	if got := admin.Get("/admin/embed/nobody/events"); got.Status != http.StatusNotFound {
		t.Errorf("an unknown CRM: got %d", got.Status)
	}
}
