package embed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/launch"
	"hearthline/internal/lead"
	"hearthline/internal/publicnet"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// TestEventSignature_PublishedVector compares a signature with the example of the Standard Webhooks specification.
func TestEventSignature_PublishedVector(t *testing.T) {
	t.Parallel()
	const want = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	secret := eventSecretOf(t, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if got := eventSignature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0),
		[]byte(`{"test": 2432232314}`)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// eventCRM receives the events of the harness's CRM, as a CRM does.
type eventCRM struct {
	*harness
	secrets  []string // that it knows
	answer   func(e Event) int
	tried    []Event
	accepted []Event
	bodies   bytes.Buffer // everything that it received
}

func newEventCRM(t *testing.T) *eventCRM {
	t.Helper()
	c := &eventCRM{harness: newHarness(t), answer: func(Event) int { return http.StatusNoContent }}
	c.store.Now = func() time.Time { return c.at }
	c.CRMClient = &http.Client{Transport: c, CheckRedirect: publicnet.Client(0, false).CheckRedirect}
	c.rotate()
	c.must(c.EnableEvents(t.Context(), access.Operator(), "acme", "https://hooks.crm.example/heloc", false))
	if len(c.accepted) != 1 || c.accepted[0].Type != "test" || c.accepted[0].Application != "" {
		t.Fatalf("got %+v, want a test event", c.accepted)
	}
	c.accepted, c.tried = nil, nil
	return c
}

func (c *eventCRM) rotate() {
	c.t.Helper()
	secret, err := c.NewEventSecret(c.t.Context(), access.Operator(), "acme")
	c.must(err)
	c.secrets = append(c.secrets, secret)
}

func eventSecretOf(t *testing.T, text string) []byte {
	t.Helper()
	var secret []byte
	raw, ok := strings.CutPrefix(text, "whsec_")
	if err := json.Unmarshal([]byte(`"`+raw+`"`), &secret); !ok || err != nil {
		t.Fatalf("the secret %q: %v", text, err)
	}
	return secret
}

// RoundTrip verifies an event and answers it.
func (c *eventCRM) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	c.must(err)
	_ = r.Header.Write(&c.bodies)
	c.bodies.Write(body)
	var e Event
	c.must(json.Unmarshal(body, &e))
	if r.Header.Get("webhook-id") != e.ID || e.ID == "" {
		c.t.Errorf("got the id %q for %+v", r.Header.Get("webhook-id"), e)
	}
	var known []string
	for _, secret := range c.secrets {
		known = append(known, eventSignature(eventSecretOf(c.t, secret), e.ID, c.at, body))
	}
	signed := strings.Fields(r.Header.Get("webhook-signature"))
	if len(signed) == 0 || !slices.ContainsFunc(signed, func(one string) bool { return slices.Contains(known, one) }) ||
		r.Header.Get("webhook-timestamp") != fmt.Sprint(c.at.Unix()) {
		c.t.Errorf("not signed: %v", r.Header)
	}
	c.tried = append(c.tried, e)
	status := c.answer(e)
	if status/100 == 2 {
		c.accepted = append(c.accepted, e)
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader("<h1>answer</h1>")), Request: r,
		Header: http.Header{"Location": {"https://elsewhere.example"}}}, nil
}

// deliver sends what is due.
func (c *eventCRM) deliver() {
	c.t.Helper()
	for more := true; more; {
		var err error
		more, err = c.DeliverEvent(c.t.Context())
		c.must(err)
	}
}

// lead adds a lead of a company that is linked to a record of a client, and whose reference the lender returns.
func (c *eventCRM) lead(n int, company, client, record string) heloc.AppID {
	c.t.Helper()
	app := heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n))
	name, err := c.vault.SealName(app, heloc.Name{First: "Canaryfirst", Last: "Canarylast"})
	c.must(err)
	sealed, err := vault.SealJSON(c.vault, vault.PartAAD(app, lead.PartReferences),
		heloc.Integrations{ReferenceID: record})
	c.must(err)
	c.write(func(tx *store.Tx) error {
		l := lead.Row{App: app, ShortID: fmt.Sprint("1-", n), Company: access.CompanyOf(company, ""),
			Originator: "o-olivia", Borrower: name, StepSince: lead.Millis(c.at), RequestedAmount: heloc.Dollars(105_000)}
		if err := tx.AddLead(c.t.Context(), &l, c.at); err != nil {
			return err
		}
		if err := tx.SavePart(c.t.Context(), store.SealedPart{App: app, Part: lead.PartReferences,
			Version: journal.PartVersion, Sealed: sealed, FetchedAt: 1}); err != nil {
			return err
		}
		of := Client{Client: launch.Client{Key: client, BrokerID: company, Kind: launch.KindToken}}
		return tx.LinkRecord(c.t.Context(), app, c.RecordIndex(of, launch.Record{Type: "Contact", ID: record}))
	})
	return app
}

func (c *eventCRM) write(f func(tx *store.Tx) error) {
	c.t.Helper()
	c.must(c.store.Write(c.t.Context(), f))
}

// change changes a lead.
func (c *eventCRM) change(app heloc.AppID, change func(l *lead.Row)) {
	c.t.Helper()
	c.write(func(tx *store.Tx) error {
		l, err := tx.AnyLead(c.t.Context(), app)
		if err != nil {
			return err
		}
		change(&l)
		return tx.SaveLead(c.t.Context(), &l, c.at, true)
	})
}

func offers(l *lead.Row) { l.Step = heloc.StepOffersAvailable }

// TestDeliverEvent_FailsHalfOfTheTime_InOrderPerLead changes some leads while the CRM rejects half of the tries.
// Each event arrives once, in the order of its lead, and contains nothing about the borrower.
func TestDeliverEvent_FailsHalfOfTheTime_InOrderPerLead(t *testing.T) {
	t.Parallel()
	c := newEventCRM(t)
	random := rand.New(rand.NewPCG(1, 2))
	rejected := map[string]int{}
	c.answer = func(e Event) int {
		if random.IntN(2) == 0 || rejected[e.ID] == 5 { // none for days
			return http.StatusOK
		}
		rejected[e.ID]++
		return http.StatusServiceUnavailable
	}
	var apps []heloc.AppID
	for n := range 4 {
		apps = append(apps, c.lead(n, "summit", "acme", fmt.Sprint("003-", n)))
	}
	for range 30 {
		app := apps[random.IntN(len(apps))]
		c.change(app, func(l *lead.Row) { l.OpenConditions++ })
		c.deliver()
		c.at = c.at.Add(time.Duration(random.IntN(40)) * time.Second)
	}
	for range 100 { // longer than the events of any lead need
		c.at = c.at.Add(30 * time.Minute)
		c.deliver()
	}
	last, first := map[heloc.AppID]int64{}, map[string]Event{}
	for _, e := range c.tried {
		if was, again := first[e.ID]; again && (was.Number != e.Number || was.Time != e.Time || was.Type != e.Type) {
			t.Errorf("tried again: got %+v, want %+v", e, was)
		}
		first[e.ID] = e
	}
	for _, e := range c.accepted {
		if e.Number <= last[e.Application] || len(e.Records) != 1 || e.Records[0].Type != "contact" ||
			!strings.HasPrefix(e.Records[0].ID, "003-") || e.Client != "acme" || e.Amounts != nil || e.Outcome != "open" ||
			e.URL != "https://desk.example/leads/"+string(e.Application) {
			t.Errorf("got %+v after number %d", e, last[e.Application])
		}
		last[e.Application] = e.Number
	}
	if len(c.accepted) != 34 || len(first) != 34 || len(c.tried) < 50 {
		t.Errorf("%d accepted of %d tried, want 34 of about twice as many", len(c.accepted), len(c.tried))
	}
	for _, text := range []string{"canary", "amounts", "dollars"} {
		if strings.Contains(strings.ToLower(c.bodies.String()), text) {
			t.Errorf("the CRM received %q", text)
		}
	}
}

// TestDeliverEvent_ThreeDays_GivenUp_SentAgain has a CRM that is down for longer than events are tried. Later events of
// the lead wait for the first, and are given up soon after it. Sending them again changes neither ids nor numbers.
func TestDeliverEvent_ThreeDays_GivenUp_SentAgain(t *testing.T) {
	t.Parallel()
	c := newEventCRM(t)
	c.answer = func(Event) int { return http.StatusFound } // redirects are not followed
	c.at = c.at.Add(14 * time.Hour)                        // all are given up on one day: between 8 AM and 11 PM
	c.addAdmin()
	app := c.lead(1, "summit", "acme", "51")
	c.change(app, offers)
	began := c.at
	for c.at.Before(began.Add(73 * time.Hour)) {
		c.deliver()
		if c.at.Sub(began) < 60*time.Hour && c.tried[len(c.tried)-1].ID != c.tried[0].ID {
			t.Fatalf("after %s: got %+v before the first was accepted", c.at.Sub(began), c.tried[len(c.tried)-1])
		}
		c.at = c.at.Add(time.Minute)
	}
	setup, err := c.Events(t.Context(), "acme")
	c.must(err)
	if setup.Failed != 3 || setup.Waiting != 0 || setup.FailedEvents[0].Answer != "302" ||
		setup.FailedEvents[0].ShortID != "1-1" {
		t.Fatalf("got %+v, want started, step and offers given up", setup)
	}
	if tries := setup.FailedEvents[2].Tries; tries != 11 || len(c.tried) < 13 || len(c.tried) > 25 {
		t.Errorf("got %d tries of the first, %d of all", tries, len(c.tried))
	}
	for id, want := range map[string]int{"ann": 1, "olivia": 0} { // one for all three events
		got, err := c.store.Notices(t.Context(), store.UserScopeOf(c.actor(id)), "")
		c.must(err)
		if len(got.Notices) != want || want > 0 && (got.Notices[0].Kind != lead.NoticeCRMEventsFailed ||
			got.Notices[0].About != "acme Acme CRM") {
			t.Errorf("%s has the notices %+v, want %d", id, got.Notices, want)
		}
	}
	failed := setup.FailedEvents
	slices.Reverse(failed)
	c.answer = func(Event) int { return http.StatusOK }
	c.must(c.RepeatEvents(t.Context(), access.Operator(), "other", failed[0].ID))
	c.deliver()
	c.must(c.RepeatEvents(t.Context(), access.Operator(), "acme", failed[1].ID))
	c.deliver()
	if len(c.accepted) != 1 || c.accepted[0].ID != failed[1].ID {
		t.Fatalf("got %+v, want the second again", c.accepted)
	}
	c.must(c.RepeatEvents(t.Context(), access.Operator(), "acme", ""))
	c.deliver()
	for i, want := range []int{1, 0, 2} {
		if got := c.accepted[i]; got.ID != failed[want].ID || got.Number != failed[want].Number {
			t.Errorf("got %+v, want %+v again", got, failed[want])
		}
	}
}

// TestDeliverEvent_CrashBeforeRecorded_SameIDAgain ends a process between the CRM's answer and the record of it.
func TestDeliverEvent_CrashBeforeRecorded_SameIDAgain(t *testing.T) {
	t.Parallel()
	c := newEventCRM(t)
	c.lead(1, "summit", "acme", "51")
	e, ok, err := c.store.LeaseCRMEvent(t.Context(), c.at)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if answer, err := c.sendEvent(t.Context(), e); err != nil || answer != "204" {
		t.Fatal(answer, err)
	}
	if c.deliver(); len(c.tried) != 1 {
		t.Fatalf("got %d tries while another process has the event", len(c.tried))
	}
	if storetest.OnPostgres() {
		return // its own clock decides when a lease ends, and that cannot be moved here
	}
	c.at = c.at.Add(2 * store.CRMEventLease)
	if c.deliver(); len(c.tried) != 2 || c.tried[0].ID != c.tried[1].ID {
		t.Fatalf("got %+v, want the same event twice", c.tried)
	}
	c.at = c.at.Add(time.Hour)
	if c.deliver(); len(c.tried) != 2 {
		t.Errorf("got %d tries after it was recorded", len(c.tried))
	}
}

// TestQueueCRMEvents_OthersLeads_Never checks whose leads a CRM hears about.
func TestQueueCRMEvents_OthersLeads_Never(t *testing.T) {
	t.Parallel()
	c := newEventCRM(t)
	other := c.setup()
	other.Key, other.Issuer = "other", "https://other.example"
	c.save(other) // a CRM of the same company, without an endpoint
	for n, of := range [][2]string{{"lakeside", "acme"}, {"summit", "other"}, {"summit", ""}} {
		c.change(c.lead(n, of[0], of[1], "51"), offers)
	}
	if setup, err := c.Events(t.Context(), "acme"); err != nil || setup.Waiting != 0 {
		t.Errorf("%d events wait, %v, want none", setup.Waiting, err)
	}
	own := c.lead(8, "summit", "acme", "52")
	c.change(own, offers)
	c.write(func(tx *store.Tx) error {
		refs, err := tx.ReferencesOf(t.Context(), own)
		if err == nil {
			_, err = tx.UnlinkRecord(t.Context(), own, refs[0].BlindIndex)
		}
		return err
	})
	if c.deliver(); len(c.tried) != 0 {
		t.Errorf("unlinked: got %+v", c.tried)
	}
	own = c.lead(9, "summit", "acme", "53")
	c.must(c.PauseEvents(t.Context(), access.Operator(), "acme"))
	c.change(own, offers)
	c.deliver()
	c.must(c.EnableEvents(t.Context(), access.Operator(), "acme", "https://hooks.crm.example/new", true))
	c.deliver()
	if n := len(c.accepted); n != 2 || c.accepted[1].Type != "lead.started" || c.accepted[1].Amounts == nil {
		t.Errorf("got %+v, want what waited before the pause, with amounts", c.accepted)
	}
	// Another system under the same key: the former one hears nothing more.
	another := c.setup()
	another.Issuer = "https://another.example"
	c.save(another)
	c.change(own, func(l *lead.Row) { l.OpenConditions = 7 })
	c.deliver()
	if setup, err := c.Events(t.Context(), "acme"); err != nil || setup.On || setup.URL != "" || len(c.tried) != 2 {
		t.Errorf("got %+v, %v after %d events, want no endpoint", setup, err, len(c.tried))
	}
}

// TestEnableEvents_RejectedTest_NothingChanges tries endpoints that must not be used.
func TestEnableEvents_RejectedTest_NothingChanges(t *testing.T) {
	t.Parallel()
	c := newEventCRM(t)
	enable := func(to string) string {
		t.Helper()
		err := c.EnableEvents(t.Context(), access.Operator(), "acme", to, true)
		setup, readErr := c.Events(t.Context(), "acme")
		if readErr != nil || setup.URL != "https://hooks.crm.example/heloc" || setup.Amounts {
			t.Errorf("%s: got %+v, %v", to, setup, readErr)
		}
		if !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: got %v, want a message", to, err)
			return ""
		}
		return fault.FieldsOf(err)[0].Message
	}
	for _, to := range []string{"", "hooks.example", "http://hooks.example", "https://a:b@hooks.example", "ftp://x.test",
		"https://x.test/#a", "https://x.test/" + strings.Repeat("a", 500)} {
		enable(to)
	}
	c.answer = func(Event) int { return http.StatusUnauthorized }
	if got := enable("https://hooks.example"); !strings.Contains(got, "401") {
		t.Errorf("got %q", got)
	}
	reached := false
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(server.Close)
	c.CRMClient = publicnet.Client(eventTimeout, c.isLocal())
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "https://"), ":")
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "10.0.0.1", "169.254.169.254"} {
		// localhost is a name that resolves to a private address, as one does that was changed after a check
		if got := enable("https://" + host + ":" + port); !strings.Contains(got, "private network") {
			t.Errorf("%s: got %q", host, got)
		}
	}
	if reached {
		t.Error("the portal connected to this machine")
	}
}

// TestNewEventSecret_OldOneValidForADay verifies events with the old secret alone.
func TestNewEventSecret_OldOneValidForADay(t *testing.T) {
	t.Parallel()
	c := newEventCRM(t)
	c.rotate()
	c.secrets = c.secrets[:1]
	c.lead(1, "summit", "acme", "51")
	c.deliver()
	if setup, err := c.Events(t.Context(), "acme"); err != nil || setup.FormerEnds == "" ||
		!strings.HasSuffix(strings.TrimRight(c.secrets[0], "="), setup.FormerEnds) || setup.Sent != 1 {
		t.Errorf("got %+v, %v", setup, err)
	}
	c.at = c.at.Add(formerSecretTime)
	if setup, err := c.Events(t.Context(), "acme"); err != nil || setup.FormerEnds != "" {
		t.Errorf("a day later: got %q, %v", setup.FormerEnds, err)
	}
	keys, err := c.store.EmbedClient(t.Context(), "acme")
	c.must(err)
	if bytes.Contains(keys.Sealed, eventSecretOf(t, c.secrets[0])) {
		t.Error("the secret is stored in plain text")
	}
}
