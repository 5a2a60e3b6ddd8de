package sandbox

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestProcessing: the step does not change until processing ends, and until then only a
// cancellation is accepted.
func TestProcessing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newHarness(t, Config{Processing: DefaultProcessing})
		id := g.start(g.payload("Rivera-Liens"))
		wait := func(d time.Duration, want string) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if got := g.step(id); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
		wait(DefaultProcessing-time.Millisecond, "UNKNOWN")
		wait(time.Millisecond, "LIEN_MATCHING_REQUIRED")
		if got := g.submitAnswer(id, "liens"); got != http.StatusOK {
			t.Fatalf("verify-liens: got %d, want 200", got)
		}
		if got := g.submitAnswer(id, "liens"); got != http.StatusConflict {
			t.Errorf("second verify-liens: got %d, want 409", got)
		}
		wait(time.Second, "LIEN_MATCHING_REQUIRED")
		wait(time.Second, "OFFERS_AVAILABLE")
		g.submitAnswer(id, "offer")
		g.submitAnswer(id, "cancel") // replaces the selection
		wait(time.Minute, "INQUIRY_CLOSED")

		slow := g.start(g.payload("Rivera-Slow-Match"))
		id = slow
		wait(29*time.Second, "UNKNOWN")
		wait(2*time.Second, "CREDIT_MATCH_REQUIRED")
	})
}

// TestRestart: all data is preserved, processing continues, and short ids keep counting.
func TestRestart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cfg := Config{Dir: t.TempDir(), Processing: DefaultProcessing}
		first := newHarness(t, cfg)
		done := first.start(first.payload("Rivera"))
		time.Sleep(2 * time.Second)
		synctest.Wait()
		before := first.rawCall("GET", "/products/heloc/v1/details/"+done+"?include=BORROWER_DETAILS", nil, nil).Body.String()
		pending := first.start(first.payload("Rivera-Slow"))
		time.Sleep(10 * time.Second)
		if err := first.s.Close(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		second := newHarness(t, cfg)
		after := second.rawCall("GET", "/products/heloc/v1/details/"+done+"?include=BORROWER_DETAILS", nil, nil).Body.String()
		if after != before {
			t.Errorf("details after a restart:\n got %s\nwant %s", after, before)
		}
		time.Sleep(9 * time.Second)
		synctest.Wait()
		if got := second.step(pending); got != "UNKNOWN" {
			t.Errorf("29 s after the start: got %s, want UNKNOWN", got)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if got := second.step(pending); got != "OFFERS_AVAILABLE" {
			t.Errorf("31 s after the start: got %s, want OFFERS_AVAILABLE", got)
		}
		second.start(second.payload("Rivera"))
		list := second.s.Inquiries()
		if got := list[2].AppShortID; !strings.HasSuffix(got, "-003") {
			t.Errorf("the third short id: got %s, want it to end in -003", got)
		}
	})
}

// TestStateFile_TornLine_Recovered: a crash during a write loses only what was never acknowledged.
func TestStateFile_TornLine_Recovered(t *testing.T) {
	t.Parallel()
	cfg := Config{Dir: t.TempDir()}
	g := newHarness(t, cfg)
	id := g.start(g.payload("Rivera"))
	path := filepath.Join(cfg.Dir, stateFileName)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Dir = t.TempDir() // a copy of what the crash left; the first sandbox still has its own folder
	path = filepath.Join(cfg.Dir, stateFileName)
	if err := os.WriteFile(path, append(content, `99999999-2222 {"ID":"99`...), 0o600); err != nil {
		t.Fatal(err)
	}
	restarted := newHarness(t, cfg)
	if got := restarted.step(id); got != "OFFERS_AVAILABLE" {
		t.Errorf("after a torn line: got %s, want OFFERS_AVAILABLE", got)
	}
	another := restarted.start(restarted.payload("Okafor"))
	if err := restarted.s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := newHarness(t, cfg).step(another); got != "OFFERS_AVAILABLE" {
		t.Errorf("inquiry after the torn line: got %s, want OFFERS_AVAILABLE", got)
	}
}

// TestOpen_FolderInUse_Refused: two sandboxes would overwrite each other's lines.
func TestOpen_FolderInUse_Refused(t *testing.T) {
	t.Parallel()
	cfg := Config{Dir: t.TempDir(), PrivateKeyFile: "testdata/service.pem"}
	first, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("(process %d) uses it", os.Getpid())
	if _, err := Open(cfg); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want it refused with the process that uses it", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := Open(cfg)
	if err != nil {
		t.Fatalf("after its end: got %v", err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestStateFile_HasNoSSN: the state file contains only a verdict on an SSN.
func TestStateFile_HasNoSSN(t *testing.T) {
	t.Parallel()
	cfg := Config{Dir: t.TempDir()}
	g := newHarness(t, cfg)
	payload := g.payload("Rivera-Match")
	withField("applicant", "ssn", "512-44-0000")(payload)
	g.submitAnswer(g.start(payload), "ssn")
	content, err := os.ReadFile(filepath.Join(cfg.Dir, stateFileName))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"512-44", "51244", "9981"} {
		if strings.Contains(string(content), part) {
			t.Errorf("the state file contains %s of an SSN", part)
		}
	}
}

// TestStart_LostOrDown tests the two ways in which a start fails for the caller.
func TestStart_LostOrDown(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	server := httptest.NewServer(g.s.Handler())
	defer server.Close()
	if _, err := postStart(t, g, server.URL, g.payload("Rivera-Lost")); err == nil {
		t.Error("Lost: got a response, want a closed connection")
	}
	if got := len(g.s.Inquiries()); got != 1 {
		t.Errorf("Lost: got %d inquiries, want 1", got)
	}
	if status, err := postStart(t, g, server.URL, g.payload("Rivera-Down")); err != nil ||
		status != http.StatusServiceUnavailable {
		t.Errorf("Down: got %d %v, want 503", status, err)
	}
	if got := len(g.s.Inquiries()); got != 1 {
		t.Errorf("Down: got %d inquiries, want still 1", got)
	}
}

// TestFaults_DroppedResponses: the write is done but its response is lost, and reads do not
// use up the loss.
func TestFaults_DroppedResponses(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	server := httptest.NewServer(g.s.Handler())
	defer server.Close()
	g.call("PUT", "/_sandbox/faults", object{"dropResponses": 1})
	if status, _ := g.call("GET", "/management/v1/loan-originator", nil); status != 200 {
		t.Errorf("read: got %d, want 200", status)
	}
	if _, err := postStart(t, g, server.URL, g.payload("Rivera")); err == nil {
		t.Error("first start: got a response, want none")
	}
	if status, err := postStart(t, g, server.URL, g.payload("Okafor")); err != nil || status != 200 {
		t.Errorf("second start: got %d %v, want 200", status, err)
	}
	g.call("PUT", "/_sandbox/faults", object{"dropResponses": true})
	for range 3 {
		if _, err := postStart(t, g, server.URL, g.payload("Rivera")); err == nil {
			t.Error("dropResponses true: got a response, want none")
		}
	}
	_, faults := g.call("PUT", "/_sandbox/faults", object{"dropResponses": false})
	if faults["dropResponses"] != 0.0 || faults["webhooks"] != "on" {
		t.Errorf("faults: got %v, want none", faults)
	}
	if got := len(g.s.Inquiries()); got != 5 {
		t.Errorf("inquiries: got %d, want 5: each write was done", got)
	}
}

func postStart(t *testing.T, g *harness, url string, payload object) (int, error) {
	t.Helper()
	body := g.encrypted(payload)["encrypted"].(string)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/products/heloc/v1/inquiry/start",
		strings.NewReader(`{"encrypted":"`+body+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("apikey", g.s.cfg.APIKey)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

// TestFaults_LatencyAndErrors: faults affect only the interface.
func TestFaults_LatencyAndErrors(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newHarness(t, Config{})
		if status, _ := g.call("PUT", "/_sandbox/faults", object{"latencyMs": 4000, "errorRate": 1}); status != 200 {
			t.Fatalf("faults: got %d, want 200", status)
		}
		begin := time.Now()
		if status, _ := g.call("GET", "/management/v1/loan-originator", nil); status != 503 ||
			time.Since(begin) != 4*time.Second {
			t.Errorf("interface: got %d after %v, want 503 after 4s", status, time.Since(begin))
		}
		begin = time.Now()
		if w := g.rawCall("GET", "/_sandbox/inquiries", nil, nil); w.Code != 200 || time.Since(begin) != 0 {
			t.Errorf("control: got %d after %v, want 200 immediately", w.Code, time.Since(begin))
		}
		for _, bad := range []object{{"latencyMs": -1}, {"errorRate": 2}, {"webhooks": "never"}, {"dropResponses": -2},
			{"dropResponses": "x"}} {
			if status, _ := g.call("PUT", "/_sandbox/faults", bad); status != 400 {
				t.Errorf("faults %v: got %d, want 400", bad, status)
			}
		}
	})
}
