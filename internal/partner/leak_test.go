package partner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
)

// jwePattern is a compact JWE; its letters can contain any four digits by chance.
var jwePattern = regexp.MustCompile(`eyJ[\w-]+\.[\w.-]+`)

// dropTime omits the time from a log line: its nanoseconds can contain any four digits, too.
func dropTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// allErrorForms formats an error in every form in which it could reach a log or a screen.
func allErrorForms(err error) string {
	var out bytes.Buffer
	options := &slog.HandlerOptions{ReplaceAttr: dropTime}
	slog.New(slog.NewJSONHandler(&out, options)).Error("x", "err", err)
	slog.New(slog.NewTextHandler(&out, options)).Error("x", "err", err)
	fmt.Fprintf(&out, "%v %+v %#v %q %s", err, err, err, err, fault.Public(err))
	for ; err != nil; err = errors.Unwrap(err) {
		fmt.Fprintf(&out, "\n%v", err)
	}
	return jwePattern.ReplaceAllString(out.String(), "JWE")
}

func TestFailure_HasNoSecrets(t *testing.T) {
	t.Parallel()
	echo := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			sent, _ := io.ReadAll(r.Body)
			w.WriteHeader(code)
			text, _ := json.Marshal(fmt.Sprintf("bad: %s %s 987654321", r.Header.Get("apikey"), sent))
			fmt.Fprintf(w, `{"message":%s,"messages":[{"level":"ERROR","message":"SSN 123-45-6789 / 123 45 6789 / `+
				`1234567890"}],"demographics":{"tribeName":"DEMOGRAPHIC-SENTINEL"}}`, text)
		}
	}
	garbled := func(w http.ResponseWriter, r *http.Request) {
		sent, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, `{"demographics":{"tribeName":"DEMOGRAPHIC-SENTINEL"},%s %s`, r.Header.Get("apikey"), sent)
	}
	desynchronized := func(w http.ResponseWriter, r *http.Request) {
		sent, _ := io.ReadAll(r.Body)
		respondRaw(`{"ssn":"123-45-6789","x":"elena@`+string(sent), false)(w, r)
	}
	for name, handler := range map[string]http.HandlerFunc{
		"no header": desynchronized, "odd header": respondRaw("HTTP/1.1 200 OK\r\n"+
			"123-45-6789 elena@x SENTINEL\r\n\r\n", false),
		"200": echo(200), "400": echo(400), "401": echo(401), "404": echo(404), "500": echo(500), "garbled": garbled,
		"closed": respondRaw("", true),
	} {
		server, _ := startServer(t, handler)
		c := testClient(t, Config{BaseURL: server.URL})
		for call, err := range map[string]error{
			"start":   errorOf(c.Start(context.Background(), Start{Originator: originatorOlivia, Inquiry: testInquiry()})),
			"add-ssn": errorOf(c.AddSSN(context.Background(), appID, originatorOlivia, testSecret(testSSN))),
			"details": errorOf(c.Details(context.Background(), appID)),
			"income":  errorOf(c.AddIncome(context.Background(), appID, originatorOlivia, testInquiry().Applicant.Income)),
			"zip":     errorOf(c.DocumentsZip(context.Background(), appID)),
		} {
			if err == nil {
				if call == "details" || call == "zip" {
					continue // a 200 is a success here
				}
				t.Errorf("%s, %s: no error", name, call)
				continue
			}
			text := allErrorForms(err)
			for _, secret := range []string{testKey, "6789", "123456789", "987654321", "1234567890", "SENTINEL", "elena@",
				string(appID)} {
				if strings.Contains(text, secret) {
					t.Errorf("%s, %s: %q is in the error:\n%s", name, call, secret, text)
				}
			}
		}
	}
}

func errorOf[T any](_ T, err error) error { return err }

// The fixture has demographics in both spellings, and borrower details that were not requested.
func TestDetails_HasNoDemographics(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile("testdata/calls/details.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dialects := 0
	for _, file := range archive.Files {
		if !strings.HasPrefix(file.Name, "response.") {
			continue
		}
		dialects++
		response := string(file.Data)
		if !strings.Contains(response, "DEMOGRAPHIC-SENTINEL") || !strings.Contains(response, "BorrowerSentinel") {
			t.Fatalf("%s: the fixture has no sentinels", file.Name)
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			respond(t, w, response)
		}))
		c := testClient(t, Config{BaseURL: server.URL})
		got, err := c.Details(context.Background(), appID)
		if err != nil {
			t.Fatal(err)
		}
		signers, err := c.Signers(context.Background(), appID)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := c.Cancel(context.Background(), appID, originatorOlivia)
		if err != nil {
			t.Fatal(err)
		}
		server.Close()
		formatted := mustEncode(t, got) + fmt.Sprintf("%#v", got)
		for _, sentinel := range []string{"SENTINEL", "BorrowerSentinel", "borrower-sentinel", "5035550199", "1980-02-29"} {
			if strings.Contains(formatted, sentinel) {
				t.Errorf("%s: %q is in the details", file.Name, sentinel)
			}
		}
		rest := mustEncode(t, signers) + mustEncode(t, answer)
		if strings.Contains(rest, "SENTINEL") || !strings.Contains(rest, "BorrowerSentinel") {
			t.Errorf("%s: got something other than the signers: %s", file.Name, rest)
		}
		tree, err := readTree([]byte(response[strings.Index(response, "{"):]))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(fmt.Sprint(tree), "SENTINEL") {
			t.Errorf("%s: the tree has demographics", file.Name)
		}
	}
	if dialects != 2 {
		t.Errorf("got %d dialects, want 2", dialects)
	}
}

func TestReadTree_Demographics_Skipped(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"demographics":"SENTINEL"}`, `{"a":[{"Demographics":["SENTINEL",{"x":[]}]}],"b":1}`,
		`{"demographicInfo":{"a":{"b":"SENTINEL"}},"b":1}`,
		`{"data":{"appData":{"DEMOGRAPHICS":null,"b":{"demographics":{}}}}}`,
	} {
		tree, err := readTree([]byte(text))
		if err != nil || strings.Contains(fmt.Sprint(tree), "SENTINEL") ||
			strings.Contains(strings.ToLower(fmt.Sprint(tree)), "demo") {
			t.Errorf("%s: %v, %v", text, tree, err)
		}
	}
	for _, text := range []string{`{"demographics":`, `{"demographics":{"a"`, `{"demographics":]}`, `{"demographics"}`} {
		if tree, err := readTree([]byte(text)); err == nil {
			t.Errorf("%s: read as %v", text, tree)
		}
	}
}

func TestReadTree_DirectionAndControlCharacters_Removed(t *testing.T) {
	t.Parallel()
	tree, err := readTree([]byte(`{"a":["agreement\u202efdp.exe\u0085","Núñez\u0000\u200f","two\nlines"]}`))
	want := `map["a":["agreementfdp.exe" "Núñez" "two\nlines"]]`
	if got := fmt.Sprintf("%q", tree); err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

// With the encrypt endpoint as Sealer, the plaintext is sent only there.
func TestSeal_NoPublicKey_UsesEncryptEndpoint(t *testing.T) {
	t.Parallel()
	sealed := testCiphertext(t)
	var paths, bodies []string
	server, _ := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		sent, _ := io.ReadAll(r.Body)
		paths, bodies = append(paths, r.URL.Path), append(bodies, string(sent))
		if r.URL.Path == "/encryption/v1/encrypt" {
			fmt.Fprintf(w, `{"encrypted":%q}`, sealed)
			return
		}
		fmt.Fprintf(w, `{"data":{"appUuid":%q}}`, appID)
	})
	c, err := New(Config{BaseURL: server.URL + "/", APIKeys: func() []string { return []string{testKey} }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Start(context.Background(), Start{Originator: originatorOlivia, Inquiry: testInquiry()}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(paths, " "); got != "/encryption/v1/encrypt /products/heloc/v1/inquiry/start" {
		t.Fatalf("paths = %s", got)
	}
	if !strings.Contains(bodies[0], `"ssn":"123-45-6789"`) || bodies[1] != `{"encrypted":"`+sealed+`"}` {
		t.Errorf("bodies = %q", bodies)
	}

	down, requestCount := startServer(t, respondWithStatus(500))
	c, err = New(Config{BaseURL: down.URL, APIKeys: func() []string { return []string{testKey} }})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.AddSSN(context.Background(), appID, originatorOlivia, testSecret(testSSN))
	if verdictOf(err) != lead.OpNotSent || requestCount.Load() != maxTries ||
		strings.Contains(allErrorForms(err), "6789") {
		t.Errorf("encrypt endpoint down: got %v after %d requests", err, requestCount.Load())
	}
}

func testCiphertext(t *testing.T) string {
	t.Helper()
	ours, err := os.ReadFile("../jwe/testdata/ours.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(ours))
}
