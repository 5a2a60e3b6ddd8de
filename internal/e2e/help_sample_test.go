package e2e

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hearthline/internal/launch"
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

// TestHelpSample_PageTalksToFrame serves the help's page and script as a CRM, with a stand-in for the portal, and
// checks how it handles each message.
func TestHelpSample_PageTalksToFrame(t *testing.T) {
	t.Parallel()
	chromium(t)
	var posted tokens
	portal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		posted.add(r.Method + " " + r.URL.Path + " " + r.FormValue("launch_token"))
		_, _ = w.Write([]byte("<!doctype html><p>Continue as Olivia"))
	}))
	t.Cleanup(portal.Close)
	sample := func(name, kind string) http.HandlerFunc {
		text := strings.ReplaceAll(help.Sample(name).Text, "https://desk.example", portal.URL)
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write([]byte(text))
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /page.html", sample("page.html", "text/html"))
	mux.HandleFunc("GET /desk.js", sample("desk.js", "text/javascript"))
	mux.HandleFunc("POST /launch-token", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("another token for " + r.URL.RawQuery))
	})
	crm := httptest.NewServer(mux)
	t.Cleanup(crm.Close)

	f := embedFrame{(&demo{t: t, url: crm.URL}).openBrowser(t)}
	f.visit("/page.html?record=51")
	f.waitForText("Continue as Olivia")
	const first = "POST /launch/jwt/acme the token that your server has just signed"
	posted.waitForTokens(t, first)
	evaluate[bool](f.window, `(() => { globalThis.heights = []; globalThis.moved = 0;
		addEventListener("message", () => heights.push(document.querySelector("iframe").style.height));
		addEventListener("record-changed", () => moved++); return true })()`)
	postMessage := func(message string) {
		mustEvaluate[bool](f, `(() => { parent.postMessage(`+message+`, "*"); return true })()`)
	}
	postMessage(`{v: 1, type: "portal.resize", h: 511}`)
	postMessage(`{v: 2, type: "portal.resize", h: 9}`)
	// from the page itself
	evaluate[bool](f.window, `(() => { postMessage({v: 1, type: "portal.resize", h: 9}, "*"); return true })()`)
	postMessage(`{v: 1, type: "portal.changed"}`)
	f.waitUntil("four messages have arrived", `heights.length === 4`)
	if got := evaluate[string](f.window, `heights.join()`); got != "511px,511px,511px,511px" {
		t.Errorf("the heights: got %s, want 511 pixels and messages of other pages ignored", got)
	}
	if got := evaluate[int](f.window, `moved`); got != 1 {
		t.Errorf("the record changed: got %d messages, want one", got)
	}
	postMessage(`{v: 1, type: "portal.expired"}`)
	posted.waitForTokens(t, first, "POST /launch/jwt/acme another token for record=51")
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
