package embed_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/embed"
	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// eventsOf sends a client's events to a receiver and returns what that has received: every header and body.
func eventsOf(h *webtest.Harness, client string) *webtest.LockedBuffer {
	h.T.Helper()
	received := &webtest.LockedBuffer{}
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			h.T.Error(err)
		}
		_ = r.Header.Write(received)
		_, _ = received.Write(append([]byte(r.URL.String()+"\n"), append(body, '\n')...))
	}))
	h.T.Cleanup(receiver.Close)
	_, err := h.EmbedService.NewEventSecret(h.T.Context(), access.Operator(), client)
	h.Must(err)
	h.Must(h.EmbedService.EnableEvents(h.T.Context(), access.Operator(), client, receiver.URL+"/heloc", true))
	return received
}

// eventApps returns the applications and the records of the events in what a receiver has received.
func eventApps(t *testing.T, received *webtest.LockedBuffer) (apps, records []string) {
	t.Helper()
	for line := range strings.Lines(received.String()) {
		if !strings.HasPrefix(line, "{") {
			continue
		}
		var e embed.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Application != "" && !slices.Contains(apps, string(e.Application)) {
			apps = append(apps, string(e.Application))
		}
		for _, r := range e.Records {
			if !slices.Contains(records, r.ID) {
				records = append(records, r.ID)
			}
		}
	}
	slices.Sort(apps)
	slices.Sort(records)
	return apps, records
}

// TestCRM_Canaries_OwnLeadsWithoutPII enters canaries wherever users and CRMs can, for leads of two clients of one
// company and of one of another, and lets everything happen to them. No canary is in an event, a status, a card or the
// log, and each client learns of the leads of its records only.
func TestCRM_Canaries_OwnLeadsWithoutPII(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	h.AddLakesideCRM()
	canaries := map[string]string{
		"applicant.name.firstName": "Canaryfirst", "applicant.name.middleName": "Canarymiddle",
		"applicant.name.lastName": "Canarylast", "applicant.ssn": "612-84-7735", "applicant.dob": "03/29/1961",
		"applicant.phone": "208-555-0177", "applicant.email": "canary.aviary@borrower.test",
		"property.address.street1":    "77 Canary Street",
		"property.liens.0.lenderName": "Canary Bank",
	}
	clients := map[string]struct {
		record string
		open   func() *webtest.Frame
	}{
		"acme": {"51", func() *webtest.Frame {
			o := webtest.LaunchFor("51")
			o.Prefill = maps.Clone(canaries)
			return a.OpenFrame(o)
		}},
		"sf":   {"77", func() *webtest.Frame { return h.OpenFrameAt("sf", "olivia", "77") }},
		"lake": {"78", func() *webtest.Frame { return h.OpenFrameAt("lake", "piotr", "78") }},
	}
	received, apps := map[string]*webtest.LockedBuffer{}, map[string]string{}
	var answers strings.Builder
	soon := time.Now().AddDate(0, 0, 2).Format(time.DateOnly)
	for _, client := range slices.Sorted(maps.Keys(clients)) {
		received[client] = eventsOf(h, client)
		frame := clients[client].open()
		form := frame.FilledIntake("Canarylast")
		for name, value := range canaries {
			if !form.Values.Has(name) {
				t.Errorf("the intake has no %s", name)
			}
			form.Values.Set(name, value)
		}
		sent := frame.Send(form)
		path := strings.TrimPrefix(sent.Path, frame.Base)
		app, ok := strings.CutPrefix(path, "/leads/")
		if !ok {
			t.Fatalf("%s: the start led to %s: %s", client, sent.Path, sent.MainText())
		}
		apps[client] = app
		h.WaitUntil("offers", func() bool { return h.LeadRow(heloc.AppID(app)).Step == heloc.StepOffersAvailable })
		for selector, values := range map[string][]string{"#form-note": {"note", "Canarynote"},
			"#form-log-contact": {"contact.how", "call"},
			"#form-follow-up":   {"followUp.note", "Canaryabout", "followUp.on", soon}} {
			frame.Send(frame.Get(path).Form(selector).With(values...))
		}
		frame.Get(path).WantText("Canarynote", "Canaryabout")
		h.Must(h.Sandbox.Play(heloc.AppID(app), "condition"))
		h.Must(h.Sandbox.Play(heloc.AppID(app), "decline"))
		frame.Post(frame.Base+path+"/refresh", nil, webtest.FrameHeaders("Cookie", frame.Cookie)...)
		h.WaitUntil("the end", func() bool { return h.LeadRow(heloc.AppID(app)).StatusKey.Ended() })
	}
	h.WaitUntil("nothing to send", func() bool {
		more, err := h.EmbedService.DeliverEvent(t.Context())
		h.Must(err)
		return !more
	})
	call := func(client, query string) *webtest.Response {
		address := "/api/embed/" + client + query
		got := getCard(a, address)
		if client != "acme" {
			got = getSignedCard(a, address, time.Second)
		}
		answers.WriteString(got.Body)
		_ = got.Header.Write(&answers)
		return got
	}
	for client, want := range clients {
		apps, own := apps, apps[client]
		gotApps, records := eventApps(t, received[client])
		if !slices.Equal(gotApps, []string{own}) || !slices.Equal(records, []string{want.record}) {
			t.Errorf("%s was told of %v with the records %v, want %s with %s", client, gotApps, records, own, want.record)
		}
		var list leadsPage
		h.Must(json.Unmarshal([]byte(call(client, "/leads").Body), &list))
		if !slices.Equal(list.apps(), []string{own}) {
			t.Errorf("%s: the list has %v, want %s of %v", client, list.apps(), own, apps)
		}
		for other, of := range clients {
			var found leadsPage
			h.Must(json.Unmarshal([]byte(call(client, "/leads?record="+of.record).Body), &found))
			card := call(client, "/records/"+of.record)
			if own := other == client; len(found.Leads) == 1 != own || card.Status == http.StatusOK != own {
				t.Errorf("%s asks for the record of %s: %+v, %d %s", client, other, found, card.Status, card.Body)
			}
		}
	}
	for client := range clients { // a signature of one client does not open another
		if client != "acme" {
			if got := getCard(a, "/api/embed/"+client+"/leads"); got.Status != http.StatusForbidden {
				t.Errorf("%s with a token of acme: got %d %s", client, got.Status, got.Body)
			}
		}
	}
	places := map[string]string{"the log": h.Log.String(), "the answers": answers.String()}
	for client, of := range received {
		places["the events of "+client] = of.String()
		if !strings.Contains(of.String(), `"lead.ended"`) || !strings.Contains(of.String(), `"requested":`) {
			t.Errorf("%s was not told of the end and the amount: %s", client, of)
		}
	}
	for place, text := range places {
		text = strings.ToLower(text)
		for _, secret := range []string{"canary", "612-84", "612847735", "03/29/1961", "1961-03-29", "555-0177",
			"2085550177", "olivia@", "bennett"} {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("%s in %s: …%s…", secret, place, text[max(0, at-80):min(len(text), at+40)])
			}
		}
	}
}
