package e2e

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// widths are those of common windows and phones, in CSS pixels. The first is that of the phone on which pages are opened.
var widths = []int64{390, 360, 320, 600, 768, 1024, 1366, 1920}

// TestEveryPage_EveryWidth_FitsAndIsEasyToPress opens one page of each kind as each role. No page scrolls sideways at any
// width, and on a phone every control is large enough. A page whose content is the same for several roles, such as the
// help, is opened as one of them: what surrounds it is the same on the role's other pages.
func TestEveryPage_EveryWidth_FitsAndIsEasyToPress(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	var opened sync.Map // paths of pages, each with its content
	for email, first := range map[string][]string{
		"olivia@summit.test":    {"/leads", "/leads/new", "/leads/new?sample=Rivera", "/prequalify", "/ui", "/help/start", "/account", "/calendar", "/outbox"},
		"maya@summit.test":      {"/leads?view=all", "/team", "/team/rules", "/team/people", "/team/absences", "/team/stuck", "/team/unassigned", "/reassignments?view=all", "/demo/missions", "/reports?period=12-months", "/views", "/invite", "/notifications"},
		"admin@hearthline.test": {"/", "/admin/users", "/admin/originators", "/admin/licences", "/admin/texts", "/admin/audit", "/admin/health", "/admin/embed", "/admin/policy", "/admin/interface", "/admin/asvs"},
	} {
		t.Run(email, func(t *testing.T) {
			t.Parallel()
			var paths []string
			if n := d.signIn(t, email).follow(email, 1, first, func(path string, got *page) {
				if _, before := opened.LoadOrStore(path+"\n"+got.Find("main").Text(), true); !before {
					paths = append(paths, path)
				}
			}); n < len(first) {
				t.Fatalf("found %d pages, want at least %d", n, len(first))
			}
			if email == "olivia@summit.test" { // a page for each status of a lead
				for name, path := range screens(t, d) {
					if len(name) > 5 && name[:5] == "lead-" {
						paths = append(paths, path)
					}
				}
			}
			for half := range 2 { // two windows share the work
				t.Run(fmt.Sprint(half), func(t *testing.T) {
					t.Parallel()
					w := d.openBrowser(t)
					w.signIn(email)
					for i, path := range paths {
						if i%2 == half {
							w.checkEveryWidth(path)
						}
					}
				})
			}
		})
	}
}

// checkEveryWidth loads a page on a phone and changes the window around it. Meanwhile the page is invisible, which changes no
// box, because painting it at every width costs a quarter of the time.
func (w *window) checkEveryWidth(path string) {
	w.t.Helper()
	w.setSize(widths[0], 844, true)
	w.visit(path)
	w.checkTargets(path)
	evaluate[bool](w, `document.documentElement.style.visibility = "hidden", true`)
	for _, width := range widths {
		w.setSize(width, 844, width < 600)
		w.checkNoOverflow(fmt.Sprintf("%s at %d px", path, width))
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
