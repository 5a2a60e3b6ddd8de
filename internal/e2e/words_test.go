package e2e

import (
	"cmp"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/wordtest"
)

// How many pages of a kind a crawl reads: pages of the same kind are alike, except those of leads.
func onePerKind(string) int { return 1 }
func fewPerKind(string) int { return 5 }
func allOfLeads(kind string) int {
	if strings.HasPrefix(kind, "/leads/{id}") {
		return 1000
	}
	return fewPerKind(kind)
}

var (
	idInPath = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|[0-9A-HJKMNP-TV-Z]{26}|hl-[^/]+`)
	// forDevelopers are pages that show names of the interface on purpose, the help for CRMs, and the emails of the demo
	// with their links.
	forDevelopers = regexp.MustCompile(`^/(?:ui|outbox|help/crm[-a-z]*)(?:$|[/?])`)
	notCrawled    = regexp.MustCompile(`^/(?:logout|events|static|calendar/)|\.(?:ics|csv|zip)$|/(?:offer-sheet|` +
		`documents/)`)
)

// crawl reads every page that links lead to from the first ones, and checks its words, its text and its markup.
func (h *httpUser) crawl(who string, perKind func(kind string) int, first ...string) (pages int) {
	h.t.Helper()
	return h.follow(who, perKind, first, func(path string, got *page) {
		wordtest.Check(h.t, who+" "+path, wordtest.TextOf(got.Selection))
		if shown := got.technicalText(); len(shown) > 0 && !forDevelopers.MatchString(path) {
			h.t.Errorf("%s %s: shows technical text:\n%s", who, path, strings.Join(shown, "\n"))
		}
		checkMarkup(h.t, who+" "+path, got.body)
		if dir := os.Getenv("HEARTHLINE_TEXTS"); dir != "" {
			name := who + strings.NewReplacer("/", "_", "?", "_", "&", "_").Replace(path)
			_ = os.WriteFile(dir+"/"+name[:min(len(name), 120)]+".txt",
				[]byte(strings.ReplaceAll(wordtest.TextOf(got.Find("body")), " ¶ ", "\n")), 0o600)
		}
	})
}

// follow reads every page that links lead to from the first ones, at most some of each kind, and returns how many.
func (h *httpUser) follow(who string, perKind func(kind string) int, first []string,
	read func(path string, got *page)) (pages int) {
	h.t.Helper()
	seen, kinds, queue := map[string]bool{}, map[string]int{}, slices.Clone(first)
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		at, err := url.Parse(path)
		if err != nil || at.Host != "" || at.Path == "" || seen[path] || notCrawled.MatchString(at.Path) {
			continue
		}
		seen[path] = true
		kind := idInPath.ReplaceAllString(at.Path, "{id}")
		if kinds[kind]++; kinds[kind] > perKind(kind) {
			continue
		}
		got := h.get(path)
		if got.status != 200 || !strings.HasPrefix(got.header.Get("Content-Type"), "text/html") {
			if got.status >= 400 {
				h.t.Errorf("%s: %s links to nothing: %d", who, path, got.status)
			}
			continue
		}
		pages++
		read(path, got)
		got.Find("a[href^='/']").Each(func(_ int, s *goquery.Selection) {
			href, _, _ := strings.Cut(s.AttrOr("href", ""), "#")
			queue = append(queue, href)
		})
	}
	return pages
}

// TestText_EveryPageOfDemo_PlainWords crawls the demo as every role, reads the sandbox's control page, and the help
// of the command line.
func TestText_EveryPageOfDemo_PlainWords(t *testing.T) {
	t.Parallel()
	d := startSeeded(t)
	broker := regexp.MustCompile(`sample-jwt\s+Sample CRM \(token\)\s+jwt\s+(\S+)`).
		FindStringSubmatch(d.runCommand(t, "embed", "list"))
	if broker == nil {
		t.Fatal("the list of CRMs names no company")
	}
	added := d.runCommand(t, "user", "add", "ada@summit.test", "--name", "Ada Quist", "--role", "assistant",
		"--broker", broker[1])
	wordtest.Check(t, "user add", added)
	passwords := map[string]string{}
	if shown := regexp.MustCompile(`Password \(shown once\): (\S+)`).FindStringSubmatch(added); shown != nil {
		passwords["ada@summit.test"] = shown[1]
	}
	for email, role := range map[string]struct {
		pages   int // at least
		perKind func(kind string) int
		first   []string
	}{
		"olivia@summit.test": {250, allOfLeads, []string{"/leads", "/leads?view=all", "/leads/new",
			"/leads/new?sample=Rivera", "/prequalify", "/ui", "/help/start", "/account", "/calendar"}},
		"maya@summit.test": {400, allOfLeads,
			[]string{"/leads?view=all", "/team/unassigned", "/reports?period=12-months", "/views", "/invite", "/notifications"}},
		"ada@summit.test": {70, fewPerKind, []string{"/leads?view=all", "/notifications", "/drafts"}},
		"admin@hearthline.test": {35, fewPerKind, []string{"/", "/admin/users", "/admin/requests", "/admin/originators",
			"/admin/licenses", "/admin/texts", "/admin/audit", "/admin/health", "/admin/embed", "/admin/policy",
			"/admin/interface", "/admin/asvs",
			"/account"}},
	} {
		t.Run(email, func(t *testing.T) {
			t.Parallel()
			user := d.signInWith(t, email, cmp.Or(passwords[email], password))
			if n := user.crawl(email, role.perKind, role.first...); n < role.pages {
				t.Errorf("read %d pages, want at least %d", n, role.pages)
			}
		})
	}
	wordtest.Check(t, "not found", wordtest.TextOf(d.signIn(t, "olivia@summit.test").get("/nowhere").Selection))
	public := &httpUser{t, d, &http.Client{}}
	for _, path := range []string{"/login", "/activate", "/reset", "/outbox", "/help/crm"} {
		wordtest.Check(t, path, wordtest.TextOf(public.get(path).Selection))
	}
	control := *public
	box := *d
	box.url = d.sandbox
	control.demo = &box
	wordtest.Check(t, "control page", wordtest.TextOf(control.get("/_sandbox/").Selection))
	for _, args := range [][]string{{"--help"}, {"demo", "--help"}, {"serve", "--help"}, {"user", "--help"},
		{"user", "add", "--help"}, {"keys", "--help"}, {"audit", "--help"}, {"embed", "--help"}} {
		wordtest.Check(t, strings.Join(args, " "), d.runCommand(t, args...))
	}
}
