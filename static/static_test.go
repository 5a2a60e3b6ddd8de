package static

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

func fetch(t *testing.T, method, url, accept string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, url, nil)
	if accept != "" {
		r.Header.Set("Accept-Encoding", accept)
	}
	w := httptest.NewRecorder()
	Handler(nil).ServeHTTP(w, r)
	return w.Result()
}

func TestFiles_ServedImmutableUnderHash(t *testing.T) {
	kinds := map[string]string{
		"app.css": "text/css; charset=utf-8", "desk.css": "text/css; charset=utf-8", "lead.css": "text/css; charset=utf-8",
		"app.js": "text/javascript; charset=utf-8", "desk.js": "text/javascript; charset=utf-8",
		"icons.svg": "image/svg+xml", "mark.svg": "image/svg+xml", "caret.svg": "image/svg+xml", "inter.woff2": "font/woff2",
		"hearthline.webmanifest": "application/manifest+json", "icon-192.png": "image/png", "icon-512.png": "image/png",
		"icon-maskable.png": "image/png", "icon-touch.png": "image/png",
	}
	for name, kind := range kinds {
		url := URL(name)
		if !regexp.MustCompile(`^/static/[a-z0-9-]+\.[0-9a-f]{32}\.[a-z0-9]+$`).MatchString(url) {
			t.Errorf("%s: got URL %s, want a content hash in it", name, url)
		}
		res := fetch(t, http.MethodGet, url, "")
		body, _ := io.ReadAll(res.Body)
		sum := sha256.Sum256(body)
		if !strings.Contains(url, hex.EncodeToString(sum[:16])) {
			t.Errorf("%s: the hash in %s does not match the content", name, url)
		}
		for header, want := range map[string]string{
			"Content-Type": kind, "X-Content-Type-Options": "nosniff", "Cache-Control": "public, max-age=31536000, immutable",
		} {
			if got := res.Header.Get(header); got != want {
				t.Errorf("%s: got %s %q, want %q", name, header, got, want)
			}
		}
	}
}

// TestHandler_OtherRelease_ProvesItsContent requests files of another release: only a content that its URL proves is
// served.
func TestHandler_OtherRelease_ProvesItsContent(t *testing.T) {
	content := []byte("body{}")
	right, wrong := Prefix+"app."+hashOf(content)+".css", Prefix+"app."+hashOf([]byte("other"))+".css"
	asked := 0
	handler := Handler(func(_ context.Context, url string) ([]byte, error) {
		asked++
		if url != right && url != wrong {
			return nil, errors.New("there is none")
		}
		return content, nil
	})
	for url, want := range map[string]int{
		right: http.StatusOK,
		wrong: http.StatusNotFound, Prefix + "app." + hashOf([]byte("none")) + ".css": http.StatusNotFound,
		Prefix + "app." + hashOf(content) + ".html":     http.StatusNotFound,
		Prefix + "app." + hashOf(content)[:12] + ".css": http.StatusNotFound, Prefix + "../x": http.StatusNotFound,
	} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, url, nil))
		if w.Code != want {
			t.Errorf("%s: got %d, want %d", url, w.Code, want)
		}
		if cached := strings.Contains(w.Header().Get("Cache-Control"), "immutable"); cached != (want == http.StatusOK) {
			t.Errorf("%s: got Cache-Control %q", url, w.Header().Get("Cache-Control"))
		}
		if want == http.StatusOK && (w.Body.String() != string(content) ||
			w.Header().Get("Content-Type") != "text/css; charset=utf-8") {
			t.Errorf("%s: got %q as %q", url, w.Body, w.Header().Get("Content-Type"))
		}
	}
	if asked != 3 {
		t.Errorf("the database was asked %d times, want only for what can be one of our URLs", asked)
	}
}

// TestManifest_Installable checks what browsers require before they offer to install the portal.
func TestManifest_Installable(t *testing.T) {
	var m struct {
		Name     string `json:"name"`
		StartURL string `json:"start_url"`
		Scope    string `json:"scope"`
		Display  string `json:"display"`
		Icons    []struct{ Src, Sizes, Type, Purpose string }
	}
	if err := json.Unmarshal(loadBuild().byURL[URL("hearthline.webmanifest")].plain, &m); err != nil {
		t.Fatal(err)
	}
	if m.Name == "" || m.StartURL != "/" || m.Scope != "/" || m.Display != "standalone" {
		t.Errorf("got %+v", m)
	}
	sizes := map[string]bool{}
	for _, icon := range m.Icons {
		f, ok := loadBuild().byURL[icon.Src]
		if !ok || f.contentType != icon.Type {
			t.Errorf("the icon %s is not served as %s", icon.Src, icon.Type)
			continue
		}
		if icon.Type == "image/png" {
			size, err := png.DecodeConfig(bytes.NewReader(f.plain))
			if got := fmt.Sprintf("%dx%d", size.Width, size.Height); err != nil || got != icon.Sizes {
				t.Errorf("%s: got %s, %v, want %s", icon.Src, got, err, icon.Sizes)
			}
		}
		sizes[icon.Sizes+icon.Purpose] = true
	}
	if !sizes["192x192"] || !sizes["512x512"] || !sizes["512x512maskable"] {
		t.Errorf("got the icons %v", sizes)
	}
}

func TestGzip_SameContent(t *testing.T) {
	for _, name := range []string{"app.css", "app.js", "desk.js", "icons.svg"} {
		res := fetch(t, http.MethodGet, URL(name), "br;q=0, gzip;q=0.8")
		if got := res.Header.Get("Content-Encoding"); got != "gzip" {
			t.Errorf("%s: got encoding %q, want gzip", name, got)
			continue
		}
		if got := res.Header.Get("Vary"); got != "Accept-Encoding" {
			t.Errorf("%s: got Vary %q", name, got)
		}
		z, err := gzip.NewReader(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		packed, _ := io.ReadAll(z)
		plain, _ := io.ReadAll(fetch(t, http.MethodGet, URL(name), "").Body)
		if !bytes.Equal(packed, plain) {
			t.Errorf("%s: the gzip content differs", name)
		}
	}
}

func TestBrotli_SameContentAndSmaller(t *testing.T) {
	for _, name := range []string{"app.css", "app.js", "desk.js", "icons.svg"} {
		res := fetch(t, http.MethodGet, URL(name), "gzip, deflate, br, zstd")
		if got := res.Header.Get("Content-Encoding"); got != "br" || res.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: got encoding %q, Vary %q", name, got, res.Header.Get("Vary"))
			continue
		}
		packed, _ := io.ReadAll(res.Body)
		got, err := io.ReadAll(brotli.NewReader(bytes.NewReader(packed)))
		f := loadBuild().byURL[URL(name)]
		if err != nil || !bytes.Equal(got, f.plain) || len(packed) >= len(f.gzipped) {
			t.Errorf("%s: %v, %d bytes against %d with gzip", name, err, len(packed), len(f.gzipped))
		}
	}
}

func TestPacked_EveryFileAndNoOther(t *testing.T) {
	entries, err := packed.ReadDir("packed")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, e := range entries {
		have[strings.TrimSuffix(e.Name(), ".br")] = true
	}
	for hash, content := range Compressible() {
		if !have[hash] {
			t.Errorf("a file of %d bytes is not packed: run go generate ./static", len(content))
			continue
		}
		delete(have, hash)
		body, _ := packed.ReadFile("packed/" + hash + ".br")
		if got, err := io.ReadAll(brotli.NewReader(bytes.NewReader(body))); err != nil || !bytes.Equal(got, content) {
			t.Errorf("%s: the packed content differs: %v", hash, err)
		}
	}
	for hash := range have {
		t.Errorf("%s.br belongs to no file: run go generate ./static", hash)
	}
}

func TestAcceptsGzip(t *testing.T) {
	for accept, want := range map[string]bool{"": false, "gzip": true, "br": false, "gzip;q=0": false,
		"gzip; q=0.0": false, "gzip;q=0.001": true, "deflate, GZIP": true, "xgzip": false} {
		if got := accepts(accept, "gzip"); got != want {
			t.Errorf("accepts(%q, gzip): got %v, want %v", accept, got, want)
		}
	}
	if got := fetch(t, http.MethodGet, URL("inter.woff2"), "gzip").Header.Get("Content-Encoding"); got != "" {
		t.Errorf("font: got encoding %q, want none: it is already compressed", got)
	}
}

func TestHandler_OtherPaths_NotFound(t *testing.T) {
	for _, path := range []string{"/static/", "/static/app.css", "/static/app.000000000000.css",
		"/static/vendor/README.md", "/static/../go.mod"} {
		if got := fetch(t, http.MethodGet, path, "").StatusCode; got != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", path, got)
		}
	}
	if got := fetch(t, http.MethodPost, URL("app.js"), "").StatusCode; got != http.StatusMethodNotAllowed {
		t.Errorf("POST: got %d, want 405", got)
	}
	res := fetch(t, http.MethodHead, URL("app.js"), "")
	if body, _ := io.ReadAll(res.Body); len(body) > 0 || res.Header.Get("Content-Length") == "0" {
		t.Errorf("HEAD: got %d bytes, length %s", len(body), res.Header.Get("Content-Length"))
	}
}

func TestStylesheet_LayersAndHashedURLs(t *testing.T) {
	var css string
	for _, s := range stylesheets {
		one := string(loadBuild().byURL[URL(s.name)].plain)
		for _, name := range s.layers {
			if !strings.Contains(one, "@layer "+name+"{") {
				t.Errorf("%s: layer %s is missing", s.name, name)
			}
		}
		css += one
	}
	if !strings.HasPrefix(css,
		"@layer tokens,base,layout,parts,shared_pages,signin,pages,palette,parts_lead,lead,frame,borrower;") {
		t.Errorf("got %.60s, want the layers in order", css)
	}
	for _, m := range regexp.MustCompile(`url\(([^)]*)\)`).FindAllStringSubmatch(css, -1) {
		if _, ok := loadBuild().byURL[m[1]]; !ok {
			t.Errorf("the CSS refers to %s, which is not served", m[1])
		}
	}
	if strings.Count(css, "{") != strings.Count(css, "}") {
		t.Error("braces do not balance")
	}
	if strings.Contains(css, "/*") {
		t.Error("the served file contains a comment")
	}
}

func TestMinifyCSS_SpaceOfStrings_Stays(t *testing.T) {
	got := string(minifyCSS([]byte("/* why */\n.a, .b > c {\n  margin: 0 auto;\n  content: \"Last: \";\n}\n" +
		"@media (width < 5px) { a:hover :is(b, c) { inset: calc(1px + 2px); } }\n")))
	if want := `.a,.b > c{margin:0 auto;content:"Last: "}@media (width < 5px){a:hover :is(b,c){inset:calc(1px + ` +
		`2px)}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Literal colors are in tokens.css only, so that both color schemes are complete. The top bar is dark in both
// and may use white.
func TestCSS_ColorsAreTokens(t *testing.T) {
	raw := regexp.MustCompile(`#[0-9a-fA-F]{3,8}\b`)
	for _, name := range []string{"base", "layout", "parts", "shared_pages", "signin", "pages", "parts_lead", "lead"} {
		css := cssComment.ReplaceAllString(string(mustRead("css/"+name+".css")), "")
		for _, c := range raw.FindAllString(css, -1) {
			if c != "#fff" && c != "#2c5875" && c != "#0008" {
				t.Errorf("%s.css: %s is not a token", name, c)
			}
		}
	}
}

func TestVendoredFiles_MatchReadme(t *testing.T) {
	readme, err := os.ReadFile("vendor/README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` .*\\| ([0-9a-f]{64}) \\|$").FindAllStringSubmatch(string(readme), -1)
	if len(rows) != 3 {
		t.Fatalf("got %d rows with a checksum, want 3", len(rows))
	}
	for _, row := range rows {
		content, err := os.ReadFile(row[1])
		if err != nil {
			t.Error(err)
			continue
		}
		if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != row[2] {
			t.Errorf("%s: got checksum %x, want %s", row[1], sum, row[2])
		}
	}
}

// Budgets for a first visit: 70 KB for sign-in, 90 KB for the pipeline, including the page.
func TestWeight(t *testing.T) {
	weigh := func(names ...string) (n int) {
		for _, name := range names {
			f := loadBuild().byURL[URL(name)]
			if f.brotli != nil {
				n += len(f.brotli)
			} else {
				n += len(f.plain)
			}
			n += 320 // headers
		}
		return n
	}
	signIn := weigh("app.css", "signin.css", "app.js", "passkey.js", "icons.svg", "mark.svg", "inter.woff2")
	if signIn > 68_000 {
		t.Errorf("sign-in: got %d bytes of files, want at most 68000, for 2000 of page", signIn)
	}
	if list := signIn - weigh("signin.css", "passkey.js") +
		weigh("desk.css", "desk.js"); list > 83_200 {
		t.Errorf("pipeline: got %d bytes of files, want at most 83200, for 6800 of page", list)
	}
}

func TestScript_MeetsContentSecurityPolicy(t *testing.T) {
	js := string(loadBuild().byURL[URL("app.js")].plain) + string(loadBuild().byURL[URL("passkey.js")].plain) +
		string(loadBuild().byURL[URL("forms.js")].plain) +
		string(jsComment.ReplaceAll(slices.Concat(mustRead("keys.js"), mustRead("palette.js")), nil))
	for _, bad := range []string{"innerHTML", "eval(", "new Function", "document.write", ".style.", "insertAdjacentHTML",
		"setAttribute('style'"} {
		if strings.Contains(js, bad) {
			t.Errorf("app.js uses %s", bad)
		}
	}
	if strings.Contains(js, "\n//") {
		t.Error("the served file contains a comment")
	}
}

// TestScripts_HearOnlyTheHost reads the scripts: each message listener must first drop messages from other windows.
func TestScripts_HearOnlyTheHost(t *testing.T) {
	listeners := 0
	for url, f := range loadBuild().byURL {
		if !strings.HasSuffix(url, ".js") {
			continue
		}
		if f.shared { // the other side: it hears its own frame only
			if guard := "origin !== this.#portal || source !== this.#frame.contentWindow"; !strings.Contains(string(f.plain),
				guard) {
				t.Errorf("%s lacks %s", url, guard)
			}
			continue
		}
		for _, after := range strings.Split(string(f.plain), "'message', ")[1:] {
			listeners++
			if first := "if (!host || e.origin !== host || e.source !== parent || "; !strings.HasPrefix(
				strings.Join(strings.Fields(after), " "), "e => { "+first) {
				t.Errorf("%s hears other windows: %.80s", url, after)
			}
		}
	}
	if listeners != 1 {
		t.Errorf("got %d listeners, want one: the test may miss some", listeners)
	}
}

func TestIcon(t *testing.T) {
	if got, want := Icon("house"), URL("icons.svg")+"#house"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := Icon("no-such-icon"), URL("icons.svg")+"#circle-help"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	defer func() {
		if recover() == nil {
			t.Error("URL of an unknown name did not panic")
		}
	}()
	URL("nothing.css")
}
