package embed_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"hearthline/internal/samplecrm"
	"hearthline/web/guard"
	"hearthline/web/webtest"
)

// jsonErrorText returns the sentence of a JSON error.
func jsonErrorText(t testing.TB, got *webtest.Response) string {
	t.Helper()
	var answer struct{ Error, Reference string }
	if err := json.Unmarshal([]byte(got.Body), &answer); err != nil || answer.Error == "" || answer.Reference == "" ||
		got.Header.Get("Content-Type") != "application/json" {
		t.Errorf("got %s %q, want an error and its reference as JSON", got.Header.Get("Content-Type"), got.Body)
	}
	return answer.Error
}

func TestMachinePaths_ErrorsAreJSON(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	for name, try := range map[string]struct {
		method, path, body string
		want               int
	}{
		"an unsigned card":            {"GET", "/api/embed/acme/records/51", "", 403},
		"a card of an unknown client": {"GET", "/api/embed/nobody/records/51", "", 403},
		"an unknown URL":              {"GET", "/api/nowhere", "", 404},
		"another method":              {"DELETE", "/api/embed/acme/records/51", "", 405},
		"an unsigned call":            {"POST", "/launch/hubspot/hs", "{}", 403},
		"a call of an unknown client": {"POST", "/launch/hubspot/nobody", "{}", 404},
		"a call of another client":    {"POST", "/launch/hubspot/acme", "{}", 404},
		"a huge call":                 {"POST", "/launch/hubspot/hs", strings.Repeat("x", 70_000), 413},
		"a call with GET":             {"GET", "/launch/hubspot/hs", "", 405},
	} {
		got := sendCall(a, try.method, try.path, try.body)
		if answer := jsonErrorText(t, got); got.Status != try.want || strings.Contains(answer, "hmac") ||
			strings.Contains(answer, "launch:") {
			t.Errorf("%s: got %d %q, want %d and no detail", name, got.Status, answer, try.want)
		}
	}
	if got := h.NewBrowser().Get("/launch/hubspot/hs/x",
		modalHeaders()...); !strings.Contains(got.Header.Get("Content-Type"), "text/html") {
		t.Errorf("a page for users: got %s", got.Header.Get("Content-Type"))
	}
}

// checkRateLimit repeats a request until it is rejected. The limit may allow a few more if a minute ends meanwhile.
func checkRateLimit(t *testing.T, what string, limit, allowed int, do func(n int) int) {
	t.Helper()
	n, got := 0, do(0)
	for ; got == allowed && n < 2*limit; got = do(n) {
		n++
	}
	if got != http.StatusTooManyRequests || n < limit {
		t.Errorf("%s: got %d after %d, want 429 after %d", what, got, n, limit)
	}
}

// Many users share one IP address: forged launches there block nobody else, and cards do not block launches.
func TestEmbedLimits_Unverified_DoNotBlockVerified(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	hers := hubUser(12, "olivia@summit.test")
	checkRateLimit(t, "forged cards", guard.RejectedPerMinute, http.StatusForbidden,
		func(int) int { return h.NewBrowser().Get("/api/embed/hs/records/51").Status })
	if got := sendCall(a, http.MethodPost, "/launch/hubspot/hs", "{}"); got.Status != http.StatusForbidden {
		t.Errorf("another endpoint has a separate count: got %d", got.Status)
	}
	if got := sendSignedCall(a, http.MethodGet, samplecrm.HubSpotURL("/api/embed/hs/records/51", hers),
		""); got.Status == http.StatusTooManyRequests {
		t.Error("a signed card is blocked")
	}
	launchURL(t, sendSignedCall(a, http.MethodPost, samplecrm.HubSpotURL("/launch/hubspot/hs", hers), "{}"))
}

func TestEmbedLimits_Verified_PerCRMUser(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	hers, his := hubUser(12, "olivia@summit.test"), hubUser(13, "marcus@summit.test")
	card := func(by samplecrm.HubSpotUser) int {
		return sendSignedCall(a, http.MethodGet, samplecrm.HubSpotURL("/api/embed/hs/records/51", by), "").Status
	}
	launch := func(by samplecrm.HubSpotUser, n int) int {
		return sendSignedCall(a, http.MethodPost, samplecrm.HubSpotURL("/launch/hubspot/hs", by),
			`{"record":{"id":`+strconv.Itoa(n)+`}}`).Status
	}
	checkRateLimit(t, "her cards", guard.CardsPerMinute, http.StatusNotFound, func(int) int { return card(hers) })
	if got := card(his); got != http.StatusNotFound {
		t.Errorf("a colleague's: got %d", got)
	}
	checkRateLimit(t, "her launches", 60, http.StatusOK, func(n int) int { return launch(hers, n) })
	if got := launch(his, 0); got != http.StatusOK {
		t.Errorf("a colleague's: got %d", got)
	}
}
