package e2e

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// weekly reports whether the slow weekly tests run too: PORTAL_TEST_WEEKLY=1.
func weekly() bool { return os.Getenv("PORTAL_TEST_WEEKLY") != "" }

// widths are those of common windows and phones, in CSS pixels. The first is that of the phone on which pages are
// opened.
func widths() []int64 {
	if weekly() {
		return []int64{390, 360, 320, 600, 768, 1024, 1366, 1920}
	}
	return []int64{390, 320, 1366}
}

// crawled are the pages from which every page of a role is found, and its screens: those that axe checks, by their
// names.
var crawled = map[string]struct {
	first   []string
	screens map[string]string
}{
	"olivia@summit.test": {first: []string{"/leads", "/leads/new", "/leads/new?sample=Rivera", "/prequalify", "/ui",
		"/help/start", "/account", "/calendar", "/outbox"}},
	"maya@summit.test": {
		[]string{"/leads?view=all", "/team", "/team/rules", "/team/people", "/team/absences", "/team/settings",
			"/team/stuck",
			"/team/unassigned", "/reassignments?view=all", "/demo/missions", "/reports?period=12-months", "/views", "/invite",
			"/notifications"},
		map[string]string{
			"team-unassigned": "/team/unassigned", "team-settings": "/team/settings?state=UT", "team-invite": "/invite",
			"manager-leads": "/leads?view=all",
			"manager-inbox": "/notifications", "manager-outbox": "/outbox",
			"reports": "/reports?period=12-months", "report-fallout": "/reports/fallout?period=12-months&by=month",
			"report-time-in-step": "/reports/time-in-step?period=12-months&by=source", "views": "/views",
		},
	},
	"admin@hearthline.test": {
		[]string{"/", "/admin/users", "/admin/requests", "/admin/originators", "/admin/licenses", "/admin/texts",
			"/admin/audit",
			"/admin/health", "/admin/embed", "/admin/policy", "/admin/interface", "/admin/asvs"},
		map[string]string{
			"admin-users": "/admin/users", "admin-requests": "/admin/requests", "admin-audit": "/admin/audit",
			"admin-policy": "/admin/policy", "admin-texts": "/admin/texts",
			"admin-licenses": "/admin/licenses", "admin-interface": "/admin/interface", "admin-health": "/admin/health",
			"admin-originators": "/admin/originators", "admin-asvs": "/admin/asvs", "admin-account": "/account",
			"invite": "/invite",
		},
	},
}

// The tests of every page open the screens of one role and, each week, one page of each other kind that is linked
// from them. No page scrolls sideways at any width, and on a phone every control is large enough; axe finds nothing
// on the screens, wide and narrow, light and dark. They are no subtests of one test, because parallel subtests begin
// when all other tests have.

func TestEveryPage_OfOriginator_FitsAccessibleEasyToPress(t *testing.T) {
	checkEveryPage(t, "olivia@summit.test", func(path string) bool { return !ofLead(path) })
}

func TestEveryPage_OfOriginatorsLeads_FitsAccessibleEasyToPress(t *testing.T) {
	checkEveryPage(t, "olivia@summit.test", ofLead)
}

func TestEveryPage_OfManager_FitsAccessibleEasyToPress(t *testing.T) {
	checkEveryPage(t, "maya@summit.test", func(string) bool { return true })
}

func TestEveryPage_OfAdministrator_FitsAccessibleEasyToPress(t *testing.T) {
	checkEveryPage(t, "admin@hearthline.test", func(string) bool { return true })
}

func ofLead(path string) bool { return regexp.MustCompile(`^/leads/[0-9a-f-]{36}`).MatchString(path) }

// opened are the paths of pages that a test has opened, each with its content. A page whose content is the same for
// several roles, such as the help, is opened as one of them: what surrounds it is the same on the role's other pages.
var opened sync.Map

// checkEveryPage checks those pages of a role that are wanted.
func checkEveryPage(t *testing.T, email string, wanted func(path string) bool) {
	t.Helper()
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	c := crawled[email]
	names := map[string]string{} // of screens, by path
	for name, path := range c.screens {
		names[path] = name
	}
	w := d.openBrowser(t)
	if email == "olivia@summit.test" {
		for name, path := range screens(t, d) {
			names[path] = name
		}
	}
	paths := slices.Sorted(maps.Keys(names))
	if !weekly() {
		c.first = nil
	}
	if n := d.signIn(t, email).follow(email, onePerKind, c.first, func(path string, got *page) {
		if !wanted(path) || names[path] != "" {
			return
		}
		if _, before := opened.LoadOrStore(path+"\n"+got.Find("main").Text(), true); before {
			return
		}
		if strings.HasPrefix(path, "/admin/users/") {
			names[path] = "admin-person"
		}
		paths = append(paths, path)
	}); n < len(c.first) {
		t.Fatalf("found %d pages, want at least %d", n, len(c.first))
	}
	if email == "olivia@summit.test" && wanted("/login") { // the same for everybody
		w.checkPage("login", "/login")
	}
	w.signIn(email)
	for _, path := range paths {
		if wanted(path) {
			w.checkPage(names[path], path)
		}
	}
}

// checkPage loads a page on a phone and changes the window around it: no script of the portal reads the window's
// width. A page with a name is a screen, which axe checks. While the width changes the page is invisible, which
// changes no box, because painting it at every width costs a quarter of the time.
func (w *window) checkPage(name, path string) {
	w.t.Helper()
	phone := widths()[0]
	w.setSize(phone, 844, true)
	w.visit(path)
	w.checkTargets(path)
	if name != "" {
		w.checkAccessibleAt(name, phone)
	}
	evaluate[bool](w, `document.documentElement.style.visibility = "hidden", true`)
	for _, width := range widths() {
		w.setSize(width, 844, width < 600)
		w.checkNoOverflow(fmt.Sprintf("%s at %d px", path, width))
	}
	if name != "" {
		evaluate[bool](w, `document.documentElement.style.visibility = "", true`)
		w.checkAccessibleAt(name, 1440)
	}
}
