package e2e

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// checkTargets fails for controls that a finger misses: less than 24 px in a direction, or 44 px high for the primary
// action and the bar's controls. A link inside a sentence is as high as its line. A primary action is one line.
func (w *window) checkTargets(name string) {
	w.t.Helper()
	small := evaluate[[]string](w,
		`[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')].flatMap(e => {
		if (!e.checkVisibility({visibilityProperty: true}) ||
			e.closest(".vh, .skip, [popover]:not(:popover-open)")) return [];
		const label = e.matches("[type=checkbox], [type=radio]") && e.closest("label"),
			r = (label || e).getBoundingClientRect();
		if (!r.width || e.matches("a") && getComputedStyle(e).display === "inline") return [];
		const high = e.matches(".btn.pri, .who, .bell, .menu-btn") ? 44 : 24;
		const text = e.matches(".btn.pri") && e.querySelector("[data-label]");
		if (text && text.getClientRects()[0].height > 30) return [e.innerText + ": in two lines"];
		return r.height < high || r.width < 24 ? [e.outerHTML.slice(0, 90) + ": " + Math.round(r.width) + " × " +
			Math.round(r.height)] : [];
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
			const seen = [...bar.querySelectorAll(".btn, .state, .ck, b")].filter(e => e.checkVisibility() &&
				!e.closest("[popover]")).map(e => e.getBoundingClientRect());
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
const serverNow = `(Date.now() - performance.timeOrigin - ` +
	`performance.getEntriesByType("navigation")[0].responseStart + Number(document.documentElement.dataset.now))`

// TestList_TimePasses_TextsFollow checks that the browser describes instants exactly as the server does, also when
// its scripts run a second after the response, and that the bar of the selected rows counts them.
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
		{"ago", "just now", 0}, {"ago", "20 sec ago", 20.8}, {"ago", "1 min ago", 70},
		{"for", "89 min", 89*60 + 30}, {"for", "2 hr", 91 * 60}, {"ago", "35 hr ago", 35 * 3600},
		{"ago", "2 days ago", 37 * 3600}, {"due", "due in 10 min", -10*60 - 20}, {"due", "due 10 min ago", 10*60 + 10},
	} {
		got := evaluate[string](w, fmt.Sprintf(`(() => {
			const el = document.querySelector("#aged") ||
				document.querySelector("main").appendChild(Object.assign(document.createElement("time"), {id: "aged"}));
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
	w.waitUntil("the bar counts",
		`document.querySelector("#many").checkVisibility() && document.querySelector("#said").textContent === "3 selected"`)

	w.click("select all", `[data-pick-all]`)
	w.waitUntil("all are selected",
		`document.querySelectorAll(".pick:checked").length === document.querySelectorAll(".pick").length`)
	w.click("clear", `#many [type="reset"]`)
	w.waitUntil("the bar is gone", `!document.querySelector("#many").checkVisibility()`)
}
