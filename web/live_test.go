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

// TestAChangeIsToldWithinASecond listens as a page does and fetches the part that the
// event is about, as that page would.
func TestAChangeIsToldWithinASecond(t *testing.T) {
	const processing = 700 * time.Millisecond
	h := newHouse(t, furnished{webhooks: true, processing: processing})
	olivia := h.visit("olivia")
	res, err := olivia.client.Do(olivia.request(http.MethodGet, "/events", nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	lead := olivia.start("Rivera")
	over := time.Now().Add(processing)
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || !strings.HasPrefix(data, strings.TrimPrefix(lead, "/leads/")) {
			continue
		}
		heard := time.Now()
		part := olivia.get(lead, "HX-Request", "true", "HX-Request-Type", "partial", "Session-Renew", "no")
		if part.Find(`input[name="offer.offerUuid"]`).Length() == 0 {
			continue
		}
		if late := heard.Sub(over); late > time.Second {
			t.Errorf("the change was told %s after the end of processing", late)
		}
		if strings.Contains(part.body, "<html") || part.Find("title").Text() != "Offers ready · Elena Rivera · Hearthline" {
			t.Errorf("the part is not a part with the new title: %q", part.Find("title").Text())
		}
		return
	}
	t.Fatalf("the stream ended: %v", lines.Err())
}

// TestWithTheLenderSilentEveryPageAnswersAtOnce slows every call down to ten seconds.
func TestWithTheLenderSilentEveryPageAnswersAtOnce(t *testing.T) {
	h := newHouse(t, furnished{timeout: 2 * time.Second})
	olivia := h.visit("olivia")
	lead := olivia.start("Rivera")
	olivia.awaits(lead, `input[name="offer.offerUuid"]`)
	if err := h.box.SetFaults(sandbox.Faults{LatencyMs: 10_000}); err != nil {
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
	if err := h.box.SetFaults(sandbox.Faults{ErrorRate: 1}); err != nil {
		t.Fatal(err)
	}
	olivia.post(lead+"/refresh", nil)
	h.until("the page says that the lender is silent", func() bool {
		return strings.Contains(olivia.get(lead).Text(), "The lender does not answer since")
	})
	olivia.get("/leads?view=all").says("The lender does not answer since", "Elena Rivera")
}

// TestAnSSNIsNowhere sends a number down every road there is and looks for it in every
// answer, in the log and in the database.
func TestAnSSNIsNowhere(t *testing.T) {
	const canary = "912-84-7735"
	bare := strings.ReplaceAll(canary, "-", "")
	h := newHouse(t, furnished{})
	olivia := h.visit("olivia")
	form := olivia.rivera("Rivera-Match", "applicant.ssn", canary)
	olivia.send(form.with("applicant.email", "not an e-mail"))
	olivia.post("/drafts/"+form.values.Get("draft"), form.values)
	olivia.get("/leads/new?draft=" + form.values.Get("draft"))
	olivia.send(form.with("consent.method", ""))
	lead := olivia.send(form).path
	olivia.awaits(lead, `.chip`)
	blocked := olivia.start("Lopez-Match", "property.address.street1", "7 Elm St")
	ssn := olivia.awaits(blocked, `form[action$="/add-ssn"]`).form(`form[action$="/add-ssn"]`)
	olivia.send(ssn.with("applicant.ssn", canary+"1"))
	olivia.send(ssn.with("applicant.ssn", canary, "operation", "made up"))
	olivia.send(ssn.with("applicant.ssn", bare))
	olivia.send(ssn.with("applicant.ssn", bare))
	olivia.awaits(blocked, `input[name="offer.offerUuid"]`)
	for _, tab := range []string{"", "/history", "/activity", "/underwriting"} {
		olivia.get(blocked + tab)
	}
	places := map[string]string{"an answer": olivia.seen.String(), "the log": h.log.String()}
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
		if strings.Contains(text, canary) || strings.Contains(text, bare) {
			t.Errorf("the SSN stands in %s", place)
		}
	}
	for _, leak := range []string{"elena@borrower.test", "5550147", "Larkspur"} {
		for place, text := range places {
			if place != "an answer" && strings.Contains(text, leak) {
				t.Errorf("%q stands open in %s", leak, place)
			}
		}
	}
}
