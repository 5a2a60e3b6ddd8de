package help_test

import (
	"archive/zip"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"hearthline/internal/embed"
	"hearthline/internal/heloc"
	"hearthline/internal/launch"
	"hearthline/internal/lead"
	helpview "hearthline/views/help"
	"hearthline/views/to"
	"hearthline/web/webtest"
)

// sampleClaims returns the claim names that a sample writes, in the spelling of its language.
func sampleClaims(file, spelling string) []string {
	var names []string
	for _, m := range regexp.MustCompile(spelling).FindAllStringSubmatch(helpview.Sample(file).Text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

const apexClass = "salesforce/force-app/main/default/classes/HearthlineLaunch.cls"

// TestHelpCRM_SamplesUseSameClaims checks that the samples that these tests do not run use the same claim names as
// the one that they run, and that a token with these names under RS256 is accepted.
func TestHelpCRM_SamplesUseSameClaims(t *testing.T) {
	t.Parallel()
	want := sampleClaims("hearthline.mjs",
		`(?:^|[{ ])(alg|typ|kid|iss|aud|sub|jti|iat|exp|name|email|origin|record|type|prefill): `)
	if len(want) != 15 {
		t.Fatalf("the Node sample names %v", want)
	}
	for file, spelling := range map[string]string{"LaunchToken.cs": `\["(\w+)"\] = `,
		apexClass: `'([a-z]+)' => `} {
		got := slices.DeleteFunc(sampleClaims(file, spelling), func(name string) bool {
			return name == "id" || name == "address" || name == "token"
		})
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", file, got, want)
		}
		for _, value := range []string{"RS256", "launch+jwt", "now + 60"} {
			if !strings.Contains(helpview.Sample(file).Text, value) {
				t.Errorf("%s lacks %s", file, value)
			}
		}
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: key},
		(&jose.SignerOptions{}).WithType("launch+jwt").WithHeader("kid", "k1"))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	claims := map[string]any{"record": map[string]string{"type": "Lead", "id": "00Q"}, "prefill": map[string]string{},
		"iat": now.Unix(), "exp": now.Unix() + 60, "origin": webtest.CRMOrigin}
	for _, name := range want {
		if _, set := claims[name]; !set {
			claims[name] = name
		}
	}
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	c := launch.Client{Key: "own", Origins: []string{webtest.CRMOrigin}, Kind: launch.KindToken, Issuer: "iss",
		Keys: jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: &key.PublicKey, KeyID: "k1"}}}}
	if a, err := launch.VerifyToken(c, "aud", token, now); err != nil || a.Subject != "sub" || a.Record.ID != "00Q" {
		t.Errorf("got %+v, %v", a, err)
	}
}

// TestHelpCRM_MessagesMatchScript compares the messages in the help, in its sample and in the frame's script.
func TestHelpCRM_MessagesMatchScript(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../../static/frame.js")
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]bool{}
	for _, m := range regexp.MustCompile(`tell\('(\w+)'`).FindAllStringSubmatch(string(script), -1) {
		types[m[1]] = true
	}
	element, err := os.ReadFile("../../static/embed/hearthline-desk-2.js")
	if err != nil {
		t.Fatal(err)
	}
	page, _ := helpview.Page(to.Full, "crm")
	var explained strings.Builder
	for _, s := range page.Sections {
		for _, term := range s.Terms {
			explained.WriteString(term.Label)
		}
	}
	for kind := range types {
		if !strings.Contains(explained.String(), `"portal.`+kind+`"`) ||
			!strings.Contains(string(element), `'portal.`+kind+`'`) {
			t.Errorf("the help or the element does not mention %s", kind)
		}
	}
	if len(types) < 3 {
		t.Errorf("got %v, want every message of the frame", types)
	}
	list := regexp.MustCompile(`for \(const may of \[([^\]]+)\]`).FindStringSubmatch(string(element))
	if list == nil {
		t.Fatal("the element sets no sandbox")
	}
	words := "allow-" + strings.NewReplacer("'", "", ", ", " allow-").Replace(list[1])
	if !strings.Contains(helpText(page), words) {
		t.Errorf("the element's sandbox attribute %q is not the one in the explanation", words)
	}
}

func helpText(page helpview.View) string {
	var all strings.Builder
	for _, s := range page.Sections {
		all.WriteString(strings.Join(append(s.Text, s.Steps...), "\n"))
	}
	return all.String()
}

func TestHelpCRM_PagesAreComplete(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	v := h.SignInAs("olivia")
	for _, l := range v.Get("/help/crm").Find("nav.sections a").EachIter() {
		href, _ := l.Attr("href")
		if !strings.HasPrefix(href, "/help/crm") {
			continue
		}
		page := v.Get(href)
		if page.Status != http.StatusOK || page.Find("h2").Length() == 0 {
			t.Errorf("%s: got %d", href, page.Status)
		}
		for _, code := range page.Find("figure.code").EachIter() {
			if len(strings.TrimSpace(code.Find("pre").Text())) < 50 {
				t.Errorf("%s: the sample %s is empty", href, code.Find("figcaption").Text())
			}
		}
	}
	if got := v.Get("/help/start").Find(`nav.sections a[href^="/help/crm-"]`).Length(); got != 0 {
		t.Errorf("pages for single CRMs are in the general help list: %d", got)
	}
}

// TestHelpCRM_EventExample_IsWhatIsSent compares the example with the type that is sent, and the list of types with the
// table of codes.
func TestHelpCRM_EventExample_IsWhatIsSent(t *testing.T) {
	t.Parallel()
	const app = "0b7c1f9e-5a1d-4c57-9f0e-2f1a5c3d7e21"
	example, err := json.MarshalIndent(embed.Event{
		ID: "evt_01KAH5G8V3Q1TZ6M2X9C4B7D0E", Type: "lead.offers_ready", Time: "2026-11-20T17:58:37.214Z", Client: "acme",
		Records: []embed.EventRecord{{Type: "deal", ID: "003-88097"}}, Application: app, Lead: "1-26324-021",
		Number: 1795197517214, Step: lead.CodeOf(lead.CodeStep, string(heloc.StatusOffers)),
		Lane: lead.CodeOf(lead.CodeLane, string(heloc.LaneOffers)), Move: lead.CodeOf(lead.CodeMove, string(heloc.MoverYou)),
		Outcome: lead.CodeOf(lead.CodeOutcome, string(lead.OutcomeOpen)), Due: "2026-11-21T06:59:59Z",
		URL: "https://desk.example/leads/" + app, Amounts: &embed.EventAmounts{Requested: heloc.Dollars(105_000)},
	}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if got := helpview.Sample("event.json").Text; got != string(example)+"\n" {
		t.Errorf("views/help/samples/event.json is %s, want %s", got, example)
	}
	p, _ := helpview.Page(to.Full, "crm")
	at := slices.IndexFunc(p.Sections, func(s helpview.Section) bool { return s.ID == "events" })
	var types []lead.Code
	for _, term := range p.Sections[at].Terms {
		types = append(types, lead.Code(term.Label))
	}
	if want := lead.CodesIn(lead.CodeEvent); !slices.Equal(slices.Sorted(slices.Values(types)),
		slices.Sorted(slices.Values(want))) {
		t.Errorf("got %v, want %v", types, want)
	}
}

// TestHelpCRM_Downloads compares downloads with the files that the tests and .ci/kits run, and with what the pages
// show. Each has the URL of this portal, so that it works as it is.
func TestHelpCRM_Downloads(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	v := h.NewBrowser()
	const samples = "../../views/help/samples/"
	own := func(text string) string { return strings.ReplaceAll(text, "https://desk.example", "http://localhost") }
	shown, downloads := map[string]string{}, map[string]string{}
	for _, key := range helpview.PublicPages() {
		page := v.Get("/help/" + key)
		if strings.Contains(page.Body, "https://desk.example") {
			t.Errorf("%s: its texts or samples have the example’s URL", key)
		}
		for _, code := range page.Find("figure.code").EachIter() {
			name, _ := code.Find("pre").Attr("aria-label")
			shown[name] = code.Find("pre").Text()
		}
		for _, l := range page.Find(`a[href^="/help/crm/files/"]`).EachIter() {
			href, _ := l.Attr("href")
			name := strings.TrimPrefix(href, "/help/crm/files/")
			got := v.Get(href)
			if got.Status != http.StatusOK || !strings.Contains(got.Header.Get("Content-Disposition"), `"`+name+`"`) {
				t.Errorf("%s: got %d %v", href, got.Status, got.Header)
			}
			folder, zipped := strings.CutSuffix(name, ".zip")
			if !zipped {
				downloads[name] = got.Body
				continue
			}
			z, err := zip.NewReader(strings.NewReader(got.Body), int64(len(got.Body)))
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			for _, f := range z.File {
				content, err := fs.ReadFile(z, f.Name)
				if err != nil {
					t.Fatal(err)
				}
				files[f.Name] = string(content)
			}
			err = filepath.WalkDir(samples+folder, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				content, err := os.ReadFile(path)
				name := strings.TrimPrefix(path, samples)
				page, isShown := shown[filepath.Base(name)]
				if files[name] != own(string(content)) || isShown && page != files[name] {
					t.Errorf("%s: %s is not the file of the project", href, name)
				}
				delete(files, name)
				return err
			})
			if err != nil || len(files) > 0 {
				t.Errorf("%s: %v, and more files: %v", href, err, files)
			}
		}
	}
	for name, body := range downloads {
		if body != shown[name] || body == "" {
			t.Errorf("%s is not what the page shows", name)
		}
	}
	if len(shown) < 15 {
		t.Errorf("got the samples %v", shown)
	}
	for _, unknown := range []string{"nothing.mjs", "nothing.zip", ".zip", "hubspot", "..%2Ftext.go",
		"hubspot%2Fhsproject.json"} {
		if got := v.Get("/help/crm/files/" + unknown); got.Status != http.StatusNotFound {
			t.Errorf("%s: got %d", unknown, got.Status)
		}
	}
}
