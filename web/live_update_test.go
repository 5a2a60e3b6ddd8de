package web_test

import (
	"bufio"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"hearthline/internal/sandbox"
	"hearthline/web/webtest"
)

// TestLiveUpdate_WithinASecond subscribes as a page does and fetches the fragment that the event is about.
func TestLiveUpdate_WithinASecond(t *testing.T) {
	// Not in parallel: it measures real time.
	const processing = 700 * time.Millisecond
	h := webtest.New(t, webtest.Options{Webhooks: true, Processing: processing})
	olivia := h.SignInAs("olivia")
	res, err := olivia.Client.Do(olivia.Request(http.MethodGet, "/events", nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	lead := olivia.StartLead("Rivera")
	over := time.Now().Add(processing)
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || !strings.HasPrefix(data, strings.TrimPrefix(lead, "/leads/")) {
			continue
		}
		received := time.Now()
		part := olivia.Get(lead, "HX-Request", "true", "HX-Request-Type", "partial", "Session-Renew", "no")
		if part.Find(`input[name="offer.offerUuid"]`).Length() == 0 {
			continue
		}
		if late := received.Sub(over); late > time.Second {
			t.Errorf("the event came %s after the end of processing", late)
		}
		if strings.Contains(part.Body, "<html") || part.Find("title").Text() != "Offers ready · Elena Rivera · Hearthline" {
			t.Errorf("the response is not a fragment with the new title: %q", part.Find("title").Text())
		}
		return
	}
	t.Fatalf("the stream ended: %v", lines.Err())
}

// TestPages_LenderSilent_AnswerAtOnce delays every lender call by ten seconds.
func TestPages_LenderSilent_AnswerAtOnce(t *testing.T) {
	// Not in parallel: it measures real time.
	h := webtest.New(t, webtest.Options{Timeout: 2 * time.Second})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	olivia.WaitFor(lead, `input[name="offer.offerUuid"]`)
	if err := h.Sandbox.SetFaults(sandbox.Faults{LatencyMs: 10_000}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/leads", "/leads?view=all", lead, lead + "/offers", lead + "/underwriting",
		lead + "/history", "/leads/new", "/drafts"} {
		began := time.Now()
		if got := olivia.Get(path); got.Status != http.StatusOK {
			t.Errorf("%s: got %d, want 200", path, got.Status)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("%s took %s: it waits for the lender", path, took)
		}
	}
	if err := h.Sandbox.SetFaults(sandbox.Faults{ErrorRate: 1}); err != nil {
		t.Fatal(err)
	}
	olivia.Post(lead+"/refresh", nil)
	h.WaitUntil("the page says that the lender is silent", func() bool {
		return strings.Contains(olivia.Get(lead).Text(), "The lender has been unreachable since")
	})
	olivia.Get("/leads?view=all").WantText("The lender has been unreachable since", "Elena Rivera")
}

// TestSSN_NeverStoredOrShown submits an SSN in every possible way and looks for it in every response, in the log and
// in the database.
func TestSSN_NeverStoredOrShown(t *testing.T) {
	t.Parallel()
	const testSSN = "612-84-7735"
	bare := strings.ReplaceAll(testSSN, "-", "")
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	form := olivia.IntakeForm("Rivera-Match", "applicant.ssn", testSSN)
	olivia.Send(form.With("applicant.email", "not an e-mail"))
	olivia.Post("/drafts/"+form.Values.Get("draft"), form.Values)
	olivia.Get("/leads/new?draft=" + form.Values.Get("draft"))
	olivia.Send(form.With("consent.method", ""))
	lead := olivia.Send(form).Path
	olivia.WaitFor(lead, `.chip`)
	blocked := olivia.StartLead("Lopez-Match", "property.address.street1", "7 Elm St")
	ssn := olivia.WaitFor(blocked, `form[action$="/add-ssn"]`).Form(`form[action$="/add-ssn"]`)
	olivia.Send(ssn.With("applicant.ssn", testSSN+"1"))
	olivia.Send(ssn.With("applicant.ssn", testSSN, "operation", "made up"))
	olivia.Send(ssn.With("applicant.ssn", bare))
	olivia.Send(ssn.With("applicant.ssn", bare))
	olivia.WaitFor(blocked, `input[name="offer.offerUuid"]`)
	for _, tab := range []string{"", "/history", "/activity", "/underwriting"} {
		olivia.Get(blocked + tab)
	}
	places := map[string]string{"an answer": olivia.Bodies.String(), "the log": h.Log.String()}
	maps.Copy(places, h.Stored())
	for place, text := range places {
		if strings.Contains(text, testSSN) || strings.Contains(text, bare) {
			t.Errorf("the SSN is in %s", place)
		}
	}
	for _, leak := range []string{"elena@borrower.test", "5550147", "Larkspur"} {
		for place, text := range places {
			if place != "an answer" && strings.Contains(text, leak) {
				t.Errorf("%q is unencrypted in %s", leak, place)
			}
		}
	}
}
