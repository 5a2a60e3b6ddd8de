package e2e

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hearthline/internal/launch"
	"hearthline/static"
	"hearthline/views/help"
)

func encodePEM(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// runKeysSample runs the sample that prints the public half of a key or certificate.
func runKeysSample(t *testing.T, file string, check func(t *testing.T, printed string)) {
	t.Helper()
	script{files: map[string]string{"keys.mjs": help.Sample("keys.mjs").Text, "launch-key.pem": file}, main: "keys.mjs",
		args: []string{"launch-key.pem", "k1"}}.runInChromiumAndNode(t, check)
}

// TestHelpSample_NodeSignsLaunch registers a key as the help describes, and signs with it.
func TestHelpSample_NodeSignsLaunch(t *testing.T) {
	t.Parallel()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file := encodePEM("PRIVATE KEY", der)
	signing := script{
		files: map[string]string{"launch.mjs": help.Sample("launch.mjs").Text, "launch-key.pem": file,
			"run.mjs": `import { launchToken } from './launch.mjs';
console.log(launchToken({ keyId: 'k1', issuer: 'https://crm.example', address: 'https://desk.example/launch/jwt/own' },
  { id: 'u-7', name: 'Olivia Béñat', email: 'olivia@summit.test' },
  { type: 'deal', id: '51', pageOrigin: 'https://crm.example', prefill: { 'applicant.name.lastName': 'Rivera' } }));`},
		main: "run.mjs", env: map[string]string{"LAUNCH_KEY_FILE": "launch-key.pem"},
	}
	c := launch.Client{Key: "own", Origins: []string{"https://crm.example"}, Kind: launch.KindToken,
		Issuer: "https://crm.example"}
	runKeysSample(t, file, func(t *testing.T, printed string) {
		if strings.Contains(printed, `"d"`) {
			t.Fatalf("it prints the private half: %s", printed)
		}
		var err error
		if c.Keys, err = launch.ParseKeys([]byte(printed)); err != nil {
			t.Fatal(err)
		}
	})
	signing.runInChromiumAndNode(t, func(t *testing.T, token string) {
		a, err := launch.VerifyToken(c, "https://desk.example/launch/jwt/own", token, time.Now())
		if err != nil || a.Subject != "u-7" || a.Name != "Olivia Béñat" ||
			a.Record != (launch.Record{Type: "deal", ID: "51"}) || a.Prefill.Get("applicant.name.lastName") != "Rivera" {
			t.Errorf("got %+v, %v", a, err)
		}
		if _, err := launch.VerifyToken(c, "https://desk.example/launch/jwt/other", token, time.Now()); err == nil {
			t.Error("it is accepted at another address")
		}
	})
}

// TestHelpSample_KeysReadsCertificate reads a certificate as Salesforce provides one.
func TestHelpSample_KeysReadsCertificate(t *testing.T) {
	t.Parallel()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	runKeysSample(t, encodePEM("CERTIFICATE", der), func(t *testing.T, printed string) {
		keys, err := launch.ParseKeys([]byte(printed))
		if err != nil || len(keys.Keys) != 1 || !key.PublicKey.Equal(keys.Keys[0].Key) {
			t.Errorf("got %+v, %v, want the certificate's key", keys, err)
		}
	})
}

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
	mux = http.NewServeMux()
	mux.HandleFunc("GET /page.html", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, strings.ReplaceAll(help.Sample("page.html").Text, "https://desk.example", portal.URL))
	})
	mux.HandleFunc("POST /launch-token", func(w http.ResponseWriter, r *http.Request) {
		if refused.Load() {
			w.WriteHeader(http.StatusForbidden)
		}
		_, _ = io.WriteString(w, "another token for "+r.URL.RawQuery)
	})
	crm := httptest.NewServer(mux)
	t.Cleanup(crm.Close)

	f := embedFrame{(&demo{t: t, url: crm.URL}).openBrowser(t)}
	f.visit("/page.html")
	f.waitForText("Continue as Olivia")
	const first = "POST /launch/jwt/acme the token that your server has just signed"
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
	posted.waitForTokens(t, first, "POST /launch/jwt/acme another token for record=51")

	// Another record is another launch in the same frame. A token that is refused is an event.
	const desk = `document.querySelector("hearthline-desk")`
	evaluate[bool](f.window, desk+`.setAttribute("token", "of 52") ?? true`)
	posted.waitForTokens(t, first, "POST /launch/jwt/acme another token for record=51", "POST /launch/jwt/acme of 52")
	refused.Store(true)
	evaluate[bool](f.window, desk+`.removeAttribute("token") ?? true`)
	evaluate[bool](f.window, desk+`.setAttribute("token-url", "/launch-token?record=53") ?? true`)
	f.waitUntil("the event", `heard.includes("error") && document.querySelectorAll("iframe").length === 1`)
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
