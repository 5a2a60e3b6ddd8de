package partner

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"hearthline/internal/fault"
	"hearthline/internal/journal"
	"hearthline/internal/jwe"
	"hearthline/internal/lead"
)

const testKey = "k3y-of-the-partner"

// Each fixture is one call in a txtar file: the expected request, the response, and the
// expected result. A file whose name ends in .documented or .live is for that dialect; one
// without is for both.
//
//	request    method, path with query, "keyless" if there must be no key; then the decrypted body
//	response   the status, then "Header: value" lines, a blank line, the body
//	want       the result as JSON, or "error: kind, verdict: public message"
func TestCalls_Fixtures(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/calls/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	calls := fixtureCalls()
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		word, _, _ := strings.Cut(name, "_")
		call, ok := calls[word]
		if !ok {
			t.Errorf("%s: no such call", name)
			continue
		}
		for _, dialect := range []Dialect{Documented, Live} {
			t.Run(name+"/"+string(dialect), func(t *testing.T) { runFixture(t, archive, dialect, call) })
		}
	}
}

func runFixture(t *testing.T, archive *txtar.Archive, dialect Dialect,
	call func(context.Context, *Client) (any, error)) {
	part := func(name string) string {
		for _, try := range []string{name + "." + string(dialect), name} {
			for _, file := range archive.Files {
				if file.Name == try {
					return strings.TrimSpace(string(file.Data))
				}
			}
		}
		t.Fatalf("no part %s", name)
		return ""
	}
	opener := testOpener(t)
	seen := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen++
		checkRequest(t, r, part("request"), opener)
		respond(t, w, part("response"))
	}))
	defer server.Close()
	client := testClient(t, Config{BaseURL: server.URL, Dialect: dialect})
	got, err := call(context.Background(), client)
	if seen != 1 {
		t.Errorf("the lender received %d requests, want 1", seen)
	}
	want := part("want")
	if strings.HasPrefix(want, "error:") {
		if line := errorLine(err); line != want {
			t.Errorf("got  %s\nwant %s", line, want)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(mustParse(t, want), mustParse(t, mustEncode(t, got))); diff != "" {
		t.Errorf("result (-want +got):\n%s\ngot %s", diff, mustEncode(t, got))
	}
}

// verdictOf returns the journal's verdict on a write with this error.
func verdictOf(err error) lead.OpState {
	return journal.VerdictOf(ResultOf(WriteResult{Status: http.StatusOK}, err))
}

func errorLine(err error) string {
	failure, ok := errors.AsType[*Failure](err)
	if !ok {
		return "not a Failure"
	}
	return "error: " + fault.KindOf(failure).String() + ", " + string(verdictOf(err)) + ": " + fault.Public(failure)
}

func checkRequest(t *testing.T, r *http.Request, want string, opener *jwe.Opener) {
	t.Helper()
	head, wantBody, _ := strings.Cut(want, "\n")
	head, keyless := strings.CutSuffix(head, " keyless")
	if got := r.Method + " " + r.URL.RequestURI(); got != head {
		t.Errorf("request = %s, want %s", got, head)
	}
	if got := r.Header.Get("apikey"); keyless != (got == "") || !keyless && got != testKey {
		t.Errorf("apikey = %q, keyless %v", got, keyless)
	}
	if got := r.Header.Get("User-Agent"); got != "Hearthline/test" {
		t.Errorf("User-Agent = %q", got)
	}
	if _, set := r.Header["Idempotency-Key"]; set {
		t.Error("got an Idempotency-Key, want none")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	if wantBody == "" {
		if len(body) != 0 || r.Header.Get("Content-Type") != "" {
			t.Errorf("got a body of %d bytes, want none", len(body))
		}
		return
	}
	if got := r.Header.Get("Content-Type"); got != "application/json" {
		t.Errorf("Content-Type = %q", got)
	}
	if plaintext, ok := strings.CutPrefix(wantBody, "encrypted "); ok {
		wantBody = plaintext
		if body, err = opener.Open(body); err != nil {
			t.Error(err)
			return
		}
	}
	gotTree, wantTree := mustParse(t, string(body)), mustParse(t, wantBody)
	if diff := cmp.Diff(wantTree, gotTree, cmp.FilterValues(isWildcard, cmp.Comparer(bothNonEmptyStrings))); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
}

// isWildcard matches "*" in an expected body, which is any non-empty text, such as a new UUID.
func isWildcard(a, b any) bool { return a == "*" || b == "*" }
func bothNonEmptyStrings(a, b any) bool {
	x, okX := a.(string)
	y, okY := b.(string)
	return okX && okY && x != "" && y != ""
}

func respond(t *testing.T, w http.ResponseWriter, text string) {
	t.Helper()
	head, body, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	status, err := strconv.Atoi(lines[0])
	if err != nil {
		t.Fatalf("status %q", lines[0])
	}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		w.Header().Set(name, value)
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

func mustParse(t *testing.T, text string) any {
	t.Helper()
	var tree any
	if err := json.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return tree
}

func mustEncode(t *testing.T, value any) string {
	t.Helper()
	text, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func testOpener(t testing.TB) *jwe.Opener {
	t.Helper()
	pem, err := os.ReadFile("../jwe/testdata/private.pem")
	if err != nil {
		t.Fatal(err)
	}
	opener, err := jwe.NewOpener(pem)
	if err != nil {
		t.Fatal(err)
	}
	return opener
}

// testClient encrypts with the key that testOpener decrypts, unless cfg has a Sealer.
func testClient(t testing.TB, cfg Config) *Client {
	t.Helper()
	if cfg.Sealer == nil {
		local, err := jwe.NewLocalSealer(testOpener(t).PublicPEM())
		if err != nil {
			t.Fatal(err)
		}
		cfg.Sealer = local
	}
	if cfg.APIKeys == nil {
		cfg.APIKeys = func() []string { return []string{testKey} }
	}
	if cfg.BaseURL == "" {
		cfg.BaseURL = "http://lender.test"
	}
	cfg.Version = "test"
	client, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return client
}
