package e2e

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// widths are those of common windows and phones, in CSS pixels. The first is that of the phone on which pages are opened.
var widths = []int64{390, 360, 320, 600, 768, 1024, 1366, 1920}

// crawled are the pages from which every page of a role is found, and its screens: those that axe checks, by their names.
var crawled = map[string]struct {
	first   []string
	screens map[string]string
}{
	"olivia@summit.test": {first: []string{"/leads", "/leads/new", "/leads/new?sample=Rivera", "/prequalify", "/ui", "/help/start", "/account", "/calendar", "/outbox"}},
	"maya@summit.test": {
		[]string{"/leads?view=all", "/team", "/team/rules", "/team/people", "/team/absences", "/team/stuck", "/team/unassigned", "/reassignments?view=all", "/demo/missions", "/reports?period=12-months", "/views", "/invite", "/notifications"},
		map[string]string{
			"team-unassigned": "/team/unassigned", "manager-leads": "/leads?view=all", "manager-inbox": "/notifications", "manager-outbox": "/outbox",
			"reports": "/reports?period=12-months", "report-fallout": "/reports/fallout?period=12-months&by=month", "report-time-in-step": "/reports/time-in-step?period=12-months&by=source", "views": "/views",
		},
	},
	"admin@hearthline.test": {
		[]string{"/", "/admin/users", "/admin/originators", "/admin/licences", "/admin/texts", "/admin/audit", "/admin/health", "/admin/embed", "/admin/policy", "/admin/interface", "/admin/asvs"},
		map[string]string{
			"admin-users": "/admin/users", "admin-audit": "/admin/audit", "admin-policy": "/admin/policy", "admin-texts": "/admin/texts",
			"admin-licences": "/admin/licences", "admin-interface": "/admin/interface", "admin-health": "/admin/health",
			"admin-originators": "/admin/originators", "admin-asvs": "/admin/asvs", "admin-account": "/account", "invite": "/invite",
		},
	},
}

// TestEveryPage_EveryWidth_FitsAccessibleEasyToPress opens one page of each kind as each role. No page scrolls sideways at
// any width, and on a phone every control is large enough; axe finds nothing on the screens, wide and narrow, light and dark. A
// page whose content is the same for several roles, such as the help, is opened as one of them: what surrounds it is the same on
// the role's other pages.
func TestEveryPage_EveryWidth_FitsAccessibleEasyToPress(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	var opened sync.Map // paths of pages, each with its content
	for email, c := range crawled {
		t.Run(email, func(t *testing.T) {
			t.Parallel()
			if email == "olivia@summit.test" {
				c.screens = screens(t, d)
			}
			names := map[string]string{} // of screens, by path
			for name, path := range c.screens {
				names[path] = name
			}
			paths := slices.Sorted(maps.Keys(names))
			if n := d.signIn(t, email).follow(email, 1, c.first, func(path string, got *page) {
				if _, before := opened.LoadOrStore(path+"\n"+got.Find("main").Text(), true); before || names[path] != "" {
					return
				}
				if strings.HasPrefix(path, "/admin/users/") {
					names[path] = "admin-person"
				}
				paths = append(paths, path)
			}); n < len(c.first) {
				t.Fatalf("found %d pages, want at least %d", n, len(c.first))
			}
			for half := range 2 { // two windows share the work
				t.Run(fmt.Sprint(half), func(t *testing.T) {
					t.Parallel()
					w := d.openBrowser(t)
					if email == "olivia@summit.test" && half == 0 {
						w.checkPage("login", "/login")
					}
					w.signIn(email)
					for i, path := range paths {
						if i%2 == half {
							w.checkPage(names[path], path)
						}
					}
				})
			}
		})
	}
}

// checkPage loads a page on a phone and changes the window around it: no script of the portal reads the window's width. A page
// with a name is a screen, which axe checks. While the width changes the page is invisible, which changes no box, because
// painting it at every width costs a quarter of the time.
func (w *window) checkPage(name, path string) {
	w.t.Helper()
	w.setSize(widths[0], 844, true)
	w.visit(path)
	w.checkTargets(path)
	if name != "" {
		w.checkAccessibleAt(name, widths[0])
	}
	evaluate[bool](w, `document.documentElement.style.visibility = "hidden", true`)
	for _, width := range widths {
		w.setSize(width, 844, width < 600)
		w.checkNoOverflow(fmt.Sprintf("%s at %d px", path, width))
	}
	if name != "" {
		evaluate[bool](w, `document.documentElement.style.visibility = "", true`)
		w.checkAccessibleAt(name, 1440)
	}
}

// checkTargets fails for controls that a finger misses: less than 24 px in a direction, or 44 px high for the primary
// action and the bar's controls. A link inside a sentence is as high as its line. A primary action is one line.
func (w *window) checkTargets(name string) {
	w.t.Helper()
	small := evaluate[[]string](w, `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')].flatMap(e => {
		if (!e.checkVisibility({visibilityProperty: true}) || e.closest(".vh, .skip, [popover]:not(:popover-open)")) return [];
		const label = e.matches("[type=checkbox], [type=radio]") && e.closest("label"), r = (label || e).getBoundingClientRect();
		if (!r.width || e.matches("a") && getComputedStyle(e).display === "inline") return [];
		const high = e.matches(".btn.pri, .who, .bell, .menu-btn") ? 44 : 24;
		const text = e.matches(".btn.pri") && e.querySelector("[data-label]");
		if (text && text.getClientRects()[0].height > 30) return [e.innerText + ": in two lines"];
		return r.height < high || r.width < 24 ? [e.outerHTML.slice(0, 90) + ": " + Math.round(r.width) + " × " + Math.round(r.height)] : [];
	})`)
	for _, control := range small {
		w.t.Errorf("%s: too small to press: %s", name, control)
	}
}

// TestSendBars_OnPhones_OneRow checks the bars that stay visible over a phone's keyboard, and the row of a next step's
// send button: each is one row.
func TestSendBars_OnPhones_OneRow(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("maya@summit.test")
	check := func(name, bar string) {
		t.Helper()
		if n := evaluate[int](w, fmt.Sprintf(`document.querySelectorAll(%q).length`, bar)); n == 0 {
			t.Fatalf("%s: there is no %s", name, bar)
		}
		if got := evaluate[string](w, fmt.Sprintf(`[...document.querySelectorAll(%q)].map(bar => {
			const seen = [...bar.querySelectorAll(".btn, .state, .ck, b")].filter(e => e.checkVisibility() && !e.closest("[popover]")).map(e => e.getBoundingClientRect());
			const middles = seen.map(r => (r.top + r.bottom) / 2), right = Math.max(...seen.map(r => r.right));
			return Math.max(...middles) - Math.min(...middles) > 4 || right > innerWidth ? bar.innerText : "";
		}).join("")`, bar)); got != "" {
			t.Errorf("%s: not one row: %q", name, got)
		}
	}
	phones := []int64{320, 360, 390, 430}
	everyPhone := func(name, bar string) {
		t.Helper()
		for _, width := range phones {
			w.setSize(width, 844, true)
			check(fmt.Sprintf("%s at %d px", name, width), bar)
		}
	}
	w.setSize(phones[0], 844, true)
	w.visit("/leads/new?sample=Rivera")
	everyPhone("intake", ".dock")
	w.visit("/leads?view=all")
	blocked := evaluate[string](w, `document.querySelector('tr:has(use[href$="#triangle-alert"]) .nm').pathname`)
	evaluate[bool](w, `document.querySelector(".pick").click(), true`)
	everyPhone("selected leads", "#many")
	w.visit(blocked)
	everyPhone("next step", "#step .row:has(> [data-sends])")
}

// serverNow is a JavaScript expression: the server's time, from what it stated when it responded.
const serverNow = `(Date.now() - performance.timeOrigin - performance.getEntriesByType("navigation")[0].responseStart + Number(document.documentElement.dataset.now))`

// TestList_TimePasses_TextsFollow checks that the browser describes instants exactly as the server does, also when its scripts
// run a second after the response, and that the bar of the selected rows counts them.
func TestList_TimePasses_TextsFollow(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("maya@summit.test")
	w.run("scripts run late", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{
			Source: `const now = Date.now; Date.now = () => now() + 1000`,
		})
		return err
	}))
	w.visit("/leads?view=all")
	for i, c := range []struct {
		kind, want string
		ago        float64 // seconds
	}{
		{"ago", "just now", 0}, {"ago", "20 sec ago", 20.8}, {"ago", "1 min ago", 70}, {"for", "89 min", 89*60 + 30}, {"for", "2 hr", 91 * 60}, {"ago", "35 hr ago", 35 * 3600},
		{"ago", "2 days ago", 37 * 3600}, {"due", "due in 10 min", -10*60 - 20}, {"due", "due 10 min ago", 10*60 + 10},
	} {
		got := evaluate[string](w, fmt.Sprintf(`(() => {
			const el = document.querySelector("#aged") || document.querySelector("main").appendChild(Object.assign(document.createElement("time"), {id: "aged"}));
			el.dataset.relative = %q;
			el.dateTime = new Date(%s - %g * 1000).toISOString();
			document.dispatchEvent(new Event("visibilitychange"));
			return el.textContent;
		})()`, c.kind, serverNow, c.ago))
		if got != c.want {
			t.Errorf("%d: got %q, want %q", i, got, c.want)
		}
	}
	if w.isTrue(`document.querySelector("#many").checkVisibility()`) {
		t.Error("the bar is visible while nothing is selected")
	}
	for n := range 3 {
		evaluate[bool](w, fmt.Sprintf(`document.querySelectorAll(".pick")[%d].click(), true`, n))
	}
	w.waitUntil("the bar counts", `document.querySelector("#many").checkVisibility() && document.querySelector("#said").textContent === "3 selected"`)

	w.click("select all", `[data-pick-all]`)
	w.waitUntil("all are selected", `document.querySelectorAll(".pick:checked").length === document.querySelectorAll(".pick").length`)
	w.click("clear", `#many [type="reset"]`)
	w.waitUntil("the bar is gone", `!document.querySelector("#many").checkVisibility()`)
}
