package e2e

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"html/template"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// hostileCRM is a CRM whose keys the test has, so that it can sign what no CRM would. Every path is a page that posts
// one launch into its frame, or over itself.
type hostileCRM struct {
	demo    *demo
	key     ed25519.PrivateKey
	server  *httptest.Server // listed as its origin
	foreign *httptest.Server // the same pages from an unlisted origin
	pages   sync.Map         // path → launch
	host    sync.Map         // path → the help's own page around a frame, or its script
}

// launchPost is what a page of the hostile CRM posts.
type launchPost struct {
	Action string
	Name   string // name of the form control
	Value  string
	Target string // "desk" for the frame, or "_top"
}

var hostilePage = template.Must(template.New("hostile").
	Parse(`<!DOCTYPE html><title>Hostile CRM</title><h1>Hostile CRM</h1><pre id="events"></pre>
<iframe name="desk" id="desk" width="900" height="900" sandbox="allow-scripts allow-forms allow-same-origin
allow-popups allow-popups-to-escape-sandbox allow-downloads"></iframe>
<form id="launch" method="post" action="{{.Action}}" target="{{.Target}}">
<input type="hidden" name="{{.Name}}" value="{{.Value}}"></form>
<script>addEventListener("message", e => {
document.getElementById("events").textContent += JSON.stringify(e.data) + "\n" });
document.getElementById("launch").submit()</script>`))

// newHostileCRM registers the CRM for olivia's company, with the operator's command.
func newHostileCRM(t *testing.T, d *demo) *hostileCRM {
	t.Helper()
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &hostileCRM{demo: d, key: key}
	pages := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if page, ok := a.host.Load(r.URL.Path); ok {
			if strings.HasSuffix(r.URL.Path, ".js") {
				w.Header().Set("Content-Type", "text/javascript")
			}
			_, _ = io.WriteString(w, page.(string))
			return
		}
		post, _ := a.pages.Load(r.URL.Path)
		_ = hostilePage.Execute(w, post)
	})
	a.server, a.foreign = httptest.NewServer(pages), httptest.NewServer(pages)
	t.Cleanup(a.server.Close)
	t.Cleanup(a.foreign.Close)
	keys, _ := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: public, KeyID: "k1"}}})
	file := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(file, keys, 0o600); err != nil {
		t.Fatal(err)
	}
	broker := regexp.MustCompile(`sample-jwt\s+Sample CRM \(token\)\s+jwt\s+(\S+)`).
		FindStringSubmatch(d.runCommand(t, "embed", "list"))
	if broker == nil {
		t.Fatal("the list of CRMs names no company")
	}
	d.runCommand(t, "embed", "add", "hostile", "--name", "Hostile CRM", "--broker", broker[1], "--kind", "jwt", "--origin",
		a.server.URL, "--issuer", a.server.URL, "--keys-file", file)
	d.runCommand(t, "embed", "attest", "hostile", "--by", "The test")
	return a
}

// runCommand runs a command of the program while the demo runs.
func (d *demo) runCommand(t *testing.T, args ...string) string {
	t.Helper()
	path, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, append(args, "--data", d.dir)...)
	cmd.Env = append(os.Environ(), "PORTAL_BASE_URL="+d.url)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// token signs a launch by one of its users, with other claims overriding the usual ones.
func (h *hostileCRM) token(t *testing.T, person, record string, other map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: h.key},
		(&jose.SignerOptions{}).WithType("launch+jwt").WithHeader("kid", "k1"))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	claims := map[string]any{
		"iss": h.server.URL, "aud": h.demo.url + "/launch/jwt/hostile", "sub": "hostile-" + person, "jti": rand.Text(),
		"iat": now.Unix(), "exp": now.Add(time.Minute).Unix(), "name": person, "email": person + "@summit.test",
		"origin": h.server.URL, "record": map[string]string{"type": "deal", "id": record},
		"prefill": map[string]string{"applicant.name.firstName": "Record", "applicant.name.lastName": "Of-" + record},
	}
	maps.Copy(claims, other)
	raw, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// launchPage adds a page that launches with a token, and returns its path.
func (h *hostileCRM) launchPage(token, target string) string {
	return h.addPage(launchPost{Action: h.demo.url + "/launch/jwt/hostile", Name: "launch_token", Value: token,
		Target: target})
}

func (h *hostileCRM) addPage(post launchPost) string {
	path := "/" + rand.Text()
	h.pages.Store(path, post)
	return path
}
