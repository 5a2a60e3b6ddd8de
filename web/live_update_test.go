package web

import (
	"bufio"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hearthline/internal/sandbox"
)

// TestLiveUpdate_WithinASecond subscribes as a page does and fetches the fragment that the event is about.
func TestLiveUpdate_WithinASecond(t *testing.T) {
	// Not in parallel: it measures real time.
	const processing = 700 * time.Millisecond
	h := newHarness(t, harnessOptions{webhooks: true, processing: processing})
	olivia := h.signInAs("olivia")
	res, err := olivia.client.Do(olivia.request(http.MethodGet, "/events", nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	lead := olivia.startLead("Rivera")
	over := time.Now().Add(processing)
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || !strings.HasPrefix(data, strings.TrimPrefix(lead, "/leads/")) {
			continue
		}
		received := time.Now()
		part := olivia.get(lead, "HX-Request", "true", "HX-Request-Type", "partial", "Session-Renew", "no")
		if part.Find(`input[name="offer.offerUuid"]`).Length() == 0 {
			continue
		}
		if late := received.Sub(over); late > time.Second {
			t.Errorf("the event came %s after the end of processing", late)
		}
		if strings.Contains(part.body, "<html") || part.Find("title").Text() != "Offers ready · Elena Rivera · Hearthline" {
			t.Errorf("the response is not a fragment with the new title: %q", part.Find("title").Text())
		}
		return
	}
	t.Fatalf("the stream ended: %v", lines.Err())
}

// TestPages_LenderSilent_AnswerAtOnce delays every lender call by ten seconds.
func TestPages_LenderSilent_AnswerAtOnce(t *testing.T) {
	// Not in parallel: it measures real time.
	h := newHarness(t, harnessOptions{timeout: 2 * time.Second})
	olivia := h.signInAs("olivia")
	lead := olivia.startLead("Rivera")
	olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
	if err := h.sandbox.SetFaults(sandbox.Faults{LatencyMs: 10_000}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/leads", "/leads?view=all", lead, lead + "/offers", lead + "/underwriting", lead + "/history", "/leads/new", "/drafts"} {
		began := time.Now()
		if got := olivia.get(path); got.status != http.StatusOK {
			t.Errorf("%s: got %d, want 200", path, got.status)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("%s took %s: it waits for the lender", path, took)
		}
	}
	if err := h.sandbox.SetFaults(sandbox.Faults{ErrorRate: 1}); err != nil {
		t.Fatal(err)
	}
	olivia.post(lead+"/refresh", nil)
	h.waitUntil("the page says that the lender is silent", func() bool {
		return strings.Contains(olivia.get(lead).Text(), "The lender has been unreachable since")
	})
	olivia.get("/leads?view=all").wantText("The lender has been unreachable since", "Elena Rivera")
}

// TestSSN_NeverStoredOrShown submits an SSN in every possible way and looks for it in every response, in the log and
// in the database.
func TestSSN_NeverStoredOrShown(t *testing.T) {
	t.Parallel()
	const testSSN = "912-84-7735"
	bare := strings.ReplaceAll(testSSN, "-", "")
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	form := olivia.intakeForm("Rivera-Match", "applicant.ssn", testSSN)
	olivia.send(form.with("applicant.email", "not an e-mail"))
	olivia.post("/drafts/"+form.values.Get("draft"), form.values)
	olivia.get("/leads/new?draft=" + form.values.Get("draft"))
	olivia.send(form.with("consent.method", ""))
	lead := olivia.send(form).path
	olivia.waitFor(lead, `.chip`)
	blocked := olivia.startLead("Lopez-Match", "property.address.street1", "7 Elm St")
	ssn := olivia.waitFor(blocked, `form[action$="/add-ssn"]`).form(`form[action$="/add-ssn"]`)
	olivia.send(ssn.with("applicant.ssn", testSSN+"1"))
	olivia.send(ssn.with("applicant.ssn", testSSN, "operation", "made up"))
	olivia.send(ssn.with("applicant.ssn", bare))
	olivia.send(ssn.with("applicant.ssn", bare))
	olivia.waitFor(blocked, `input[name="offer.offerUuid"]`)
	for _, tab := range []string{"", "/history", "/activity", "/underwriting"} {
		olivia.get(blocked + tab)
	}
	places := map[string]string{"an answer": olivia.bodies.String(), "the log": h.log.String()}
	files, err := filepath.Glob(filepath.Join(h.dir, "portal.db*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no database: %v", err)
	}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		places[filepath.Base(name)] = string(raw)
	}
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
