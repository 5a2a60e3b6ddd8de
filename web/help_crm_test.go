package web

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"hearthline/internal/embed"
	"hearthline/internal/launch"
	"hearthline/views"
	"hearthline/views/to"
)

// node runs a sample of the help, where Node is found.
func node(t *testing.T, env []string, args ...string) string {
	t.Helper()
	program, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not found")
	}
	command := exec.CommandContext(t.Context(), program, args...)
	command.Env = append(os.Environ(), env...)
	out, err := command.Output()
	if err != nil {
		t.Fatalf("node %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

func pemFile(t *testing.T, kind string, der []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTheSampleForNodeSignsALaunch sets a CRM up as the help says and comes by it.
func TestTheSampleForNodeSignsALaunch(t *testing.T) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file := pemFile(t, "PRIVATE KEY", der)
	keys := node(t, nil, "../views/samples/keys.mjs", file, "k1")
	if strings.Contains(keys, `"d"`) {
		t.Fatalf("it prints the private half: %s", keys)
	}
	h := newHouse(t, furnished{idle: true, still: true})
	setup := embed.Setup{Key: "own", Name: "Own CRM", BrokerID: h.people["olivia"].BrokerID, Kind: launch.KindToken, Origins: []string{crmOrigin}, Issuer: "https://crm.example", Keys: keys}
	if err := h.embeds.Save(t.Context(), "system", setup); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "run.mjs")
	sample, err := filepath.Abs("../views/samples/launch.mjs")
	if err != nil {
		t.Fatal(err)
	}
	driver := `import { launchToken } from ` + scriptText(sample) + `;
console.log(launchToken({ keyId: 'k1', issuer: 'https://crm.example', address: 'http://localhost/launch/jwt/own' },
  { id: 'u-7', name: 'Olivia B.', email: 'olivia@summit.test' },
  { type: 'deal', id: '51', pageOrigin: 'https://crm.example', prefill: { 'applicant.name.lastName': 'Rivera' } }));`
	if err := os.WriteFile(script, []byte(driver), 0o600); err != nil {
		t.Fatal(err)
	}
	token := node(t, []string{"LAUNCH_KEY_FILE=" + file}, script)
	p, err := h.embeds.Post(t.Context(), launch.KindToken, "own", token)
	if err != nil || p.Subject != "u-7" || p.Record != (launch.Record{Type: "deal", ID: "51"}) || p.Prefill.Get("applicant.name.lastName") != "Rivera" {
		t.Errorf("got %+v, %v", p.Launched, err)
	}
	got := h.stranger().post("/launch/jwt/own", url.Values{"launch_token": {token}}, crossSite()...)
	if got.status != http.StatusConflict {
		t.Errorf("the same token again: got %d", got.status)
	}
}

func scriptText(s string) string {
	quoted, _ := json.Marshal(s) // a string always marshals
	return string(quoted)
}

// TestTheSampleForKeysReadsACertificate, as Salesforce gives one.
func TestTheSampleForKeysReadsACertificate(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := launch.ParseKeys([]byte(node(t, nil, "../views/samples/keys.mjs", pemFile(t, "CERTIFICATE", der), "k1"))); err != nil {
		t.Error(err)
	}
}

// claimsOf are the names that a sample writes, by the way in which its language spells them.
func claimsOf(file, spelling string) []string {
	var names []string
	for _, m := range regexp.MustCompile(spelling).FindAllStringSubmatch(views.Sample(file).Text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestTheOtherSamplesSayTheSame holds the samples that are not run here to the names of the
// one that is, and a token of those names under RS256 to the verification.
func TestTheOtherSamplesSayTheSame(t *testing.T) {
	want := claimsOf("launch.mjs", `(?:^|[{ ])(alg|typ|kid|iss|aud|sub|jti|iat|exp|name|email|origin|record|type|prefill): `)
	if len(want) != 15 {
		t.Fatalf("the sample for Node names %v", want)
	}
	for file, spelling := range map[string]string{"LaunchToken.cs": `\["(\w+)"\] = `, "HearthlineLaunch.cls": `'([a-z]+)' => `} {
		got := slices.DeleteFunc(claimsOf(file, spelling), func(name string) bool { return name == "id" || name == "address" || name == "token" })
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", file, got, want)
		}
		for _, value := range []string{"RS256", "launch+jwt", "now + 60"} {
			if !strings.Contains(views.Sample(file).Text, value) {
				t.Errorf("%s lacks %s", file, value)
			}
		}
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: key}, (&jose.SignerOptions{}).WithType("launch+jwt").WithHeader("kid", "k1"))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	claims := map[string]any{"record": map[string]string{"type": "Lead", "id": "00Q"}, "prefill": map[string]string{}, "iat": now.Unix(), "exp": now.Unix() + 60, "origin": crmOrigin}
	for _, name := range want {
		if _, set := claims[name]; !set {
			claims[name] = name
		}
	}
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	c := launch.Client{Key: "own", Origins: []string{crmOrigin}, Kind: launch.KindToken, Issuer: "iss", Keys: jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: &key.PublicKey, KeyID: "k1"}}}}
	if a, err := launch.Token(c, "aud", token, now); err != nil || a.Subject != "sub" || a.Record.ID != "00Q" {
		t.Errorf("got %+v, %v", a, err)
	}
}

// TestTheHelpSpeaksAsTheFrameDoes compares the messages in the help, in its sample and in
// the script of the frame.
func TestTheHelpSpeaksAsTheFrameDoes(t *testing.T) {
	script, err := os.ReadFile("../static/frame.js")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, m := range regexp.MustCompile(`tell\('(\w+)'`).FindAllStringSubmatch(string(script), -1) {
		said[m[1]] = true
	}
	page, _ := views.HelpOf(to.Full, "crm")
	var explained strings.Builder
	for _, s := range page.Sections {
		for _, term := range s.Terms {
			explained.WriteString(term.Label)
		}
	}
	for kind := range said {
		if !strings.Contains(explained.String(), `"portal.`+kind+`"`) || !strings.Contains(views.Sample("desk.js").Text, `'portal.`+kind+`'`) {
			t.Errorf("the help or its sample says nothing of %s", kind)
		}
	}
	if len(said) < 3 {
		t.Errorf("got %v, want every message of the frame", said)
	}
	words := regexp.MustCompile(`sandbox="([^"]+)"`).FindStringSubmatch(views.Sample("page.html").Text)
	if words == nil || !strings.Contains(helpText(page), words[1]) {
		t.Errorf("the sample's sandbox %q is not the one that is explained", words)
	}
}

func helpText(page views.HelpView) string {
	var all strings.Builder
	for _, s := range page.Sections {
		all.WriteString(strings.Join(append(s.Text, s.Steps...), "\n"))
	}
	return all.String()
}

func TestEveryPageForACRMIsWhole(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	v := h.visit("olivia")
	for _, l := range v.get("/help/crm").Find("nav.sections a").EachIter() {
		href, _ := l.Attr("href")
		if !strings.HasPrefix(href, "/help/crm") {
			continue
		}
		page := v.get(href)
		if page.status != http.StatusOK || page.Find("h2").Length() == 0 {
			t.Errorf("%s: got %d", href, page.status)
		}
		for _, code := range page.Find("figure.code").EachIter() {
			if len(strings.TrimSpace(code.Find("pre").Text())) < 100 {
				t.Errorf("%s: the sample %s is empty", href, code.Find("figcaption").Text())
			}
		}
	}
	if got := v.get("/help/start").Find(`nav.sections a[href^="/help/crm-"]`).Length(); got != 0 {
		t.Errorf("pages of single CRMs crowd the help of everybody: %d", got)
	}
}
