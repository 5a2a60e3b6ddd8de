package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"hearthline/static"
	"hearthline/views/help"
)

// TestHelpSample_PageTalksToFrame serves the help's page as a CRM, with a stand-in for the portal that serves the
// element, and checks how it handles each message.
func TestHelpSample_PageTalksToFrame(t *testing.T) {
	t.Parallel()
	chromium(t)
	var posted tokens
	mux := http.NewServeMux()
	mux.Handle(static.Prefix, static.Handler(nil))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		posted.add(r.Method + " " + r.URL.Path + " " + r.FormValue("launch_token"))
		_, _ = w.Write([]byte("<!doctype html><p>Continue as Olivia"))
	})
	portal := httptest.NewServer(mux)
	t.Cleanup(portal.Close)
	var refused atomic.Bool
	asked, late := make(chan struct{}, 1), make(chan struct{})
	mux = http.NewServeMux()
	mux.HandleFunc("GET /page.html", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, strings.ReplaceAll(help.Sample("page.html").Text, "https://desk.example", portal.URL))
	})
	mux.HandleFunc("POST /hearthline/token", func(w http.ResponseWriter, r *http.Request) {
		if refused.Load() {
			w.WriteHeader(http.StatusForbidden)
		}
		if r.URL.Query().Get("id") == "slow" {
			asked <- struct{}{}
			<-late
		}
		_, _ = io.WriteString(w, "another token for "+r.URL.RawQuery)
	})
	crm := httptest.NewServer(mux)
	t.Cleanup(crm.Close)

	f := embedFrame{(&demo{t: t, url: crm.URL}).openBrowser(t)}
	f.visit("/page.html")
	f.waitForText("Continue as Olivia")
	const first = "POST /launch/jwt/acme another token for type=contact&id=51"
	posted.waitForTokens(t, first)
	evaluate[bool](f.window, `(() => { globalThis.heights = []; globalThis.heard = [];
		const desk = document.querySelector("hearthline-desk"), frame = desk.querySelector("iframe");
		addEventListener("message", () => heights.push(frame.style.height));
		addEventListener("record-changed", () => heard.push("record"));
		for (const type of ["change", "select", "expired", "error"])
			desk.addEventListener(type, e => heard.push(type + (e.detail?.step ?? "")));
		return true })()`)
	mustEvaluate[bool](f, `(() => { globalThis.told = [];
		addEventListener("message", e => told.push(e.data)); return true })()`)
	postMessage := func(message string) {
		mustEvaluate[bool](f, `(() => { parent.postMessage(`+message+`, "*"); return true })()`)
	}
	postMessage(`{v: 1, type: "portal.resize", h: 1511}`)
	postMessage(`{v: 2, type: "portal.resize", h: 9}`)
	// from the page itself
	evaluate[bool](f.window, `(() => { postMessage({v: 1, type: "portal.resize", h: 9}, "*"); return true })()`)
	postMessage(`{v: 1, type: "portal.changed", step: "funded"}`)
	postMessage(`{v: 1, type: "portal.selected"}`)
	f.waitUntil("five messages have arrived", `heights.length === 5`)
	if got := evaluate[string](f.window, `[...new Set(heights)].join()`); got != "1511px" {
		t.Errorf("the heights: got %s, want 1511 pixels and messages of other pages ignored", got)
	}
	if got := evaluate[string](f.window, `heard.join()`); got != "record,changefunded,select" {
		t.Errorf("the events: got %s, want one each", got)
	}
	f.frameUntil("it knows what is in sight",
		`told.some(m => m.type === "host.viewport" && m.top === 0 && m.bottom > 0 && m.bottom < 1511)`)
	postMessage(`{v: 1, type: "portal.expired"}`)
	posted.waitForTokens(t, first, first)

	// Each record is a launch in a new frame, which adds no entry to the host's history. A refused token raises an event.
	entries := evaluate[int](f.window, `history.length`)
	const desk = `document.querySelector("hearthline-desk")`
	evaluate[bool](f.window, desk+`.setAttribute("token", "of 52") ?? true`)
	posted.waitForTokens(t, first, first, "POST /launch/jwt/acme of 52")
	visible := `document.querySelector("iframe").style.visibility === ""`
	f.waitUntil("the record", visible)
	evaluate[bool](f.window, desk+`.removeAttribute("token") ?? true`)
	evaluate[bool](f.window, desk+`.setAttribute("token-url", "/hearthline/token?id=slow") ?? true`)
	<-asked
	f.waitUntil("the record before is hidden", "!("+visible+")")
	evaluate[bool](f.window, desk+`.setAttribute("token-url", "/hearthline/token?id=54") ?? true`)
	after := []string{first, first, "POST /launch/jwt/acme of 52", "POST /launch/jwt/acme another token for id=54"}
	posted.waitForTokens(t, after...)
	close(late)
	f.waitUntil("the late token", `performance.getEntriesByType("resource").some(e => e.name.endsWith("id=slow"))`)
	f.waitUntil("the last record", visible)
	if got := evaluate[int](f.window, `history.length`); got != entries {
		t.Errorf("%d records added entries to the host's history", got-entries)
	}
	refused.Store(true)
	evaluate[bool](f.window, desk+`.setAttribute("token-url", "/hearthline/token?type=contact&id=53") ?? true`)
	f.waitUntil("the event", `heard.includes("error") && !document.querySelector("iframe")`)
	posted.waitForTokens(t, after...)
}

// tokens are the tokens that were posted to the stand-in for the portal.
type tokens struct {
	mu  sync.Mutex
	all []string
}

func (k *tokens) add(post string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !strings.Contains(post, "favicon") {
		k.all = append(k.all, post)
	}
}

// waitForTokens waits until exactly these were posted.
func (k *tokens) waitForTokens(t *testing.T, want ...string) {
	t.Helper()
	waitFor(t, stepTimeout, "the posts "+strings.Join(want, ", "), func() bool {
		k.mu.Lock()
		defer k.mu.Unlock()
		return slices.Equal(k.all, want)
	})
}
