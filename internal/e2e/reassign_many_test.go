package e2e

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// maxPresses and maxReassignTime are how many presses and how long it may take to reassign the leads of a colleague to
// three people.
const (
	maxPresses      = 6
	maxReassignTime = 30 * time.Second
)

// countPresses counts what the user presses on every page of the window from now on. A click, a tap, and Enter or Space
// on a control are one click event each for the browser.
func (w *window) countPresses() {
	w.t.Helper()
	const count = `addEventListener("click", e => { if (e.isTrusted) ` +
		`sessionStorage.presses = Number(sessionStorage.presses || 0) + 1 }, true)`
	w.run("count presses", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdppage.AddScriptToEvaluateOnNewDocument,
			cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: count})
		return err
	}))
}

// twelveLeads leaves Marcus with twelve open leads, and returns the ids of the originators that the page of the manager
// lists first.
func twelveLeads(t *testing.T, d *demo) (people []string) {
	t.Helper()
	maya := d.signIn(t, "maya@summit.test")
	team := maya.get("/team")
	marcus := team.Find(`tr:contains("Marcus Reyes") .c-act a`).AttrOr("href", "")
	review := maya.get(marcus)
	form := review.form("#form-many")
	apps := form.values["app"]
	for _, s := range review.Find(".target input").EachIter() {
		people = append(people, s.AttrOr("value", ""))
	}
	if len(apps) < 12 || len(people) < 4 {
		t.Fatalf("Marcus has %d open leads and there are %d colleagues, want at least 12 and 4", len(apps), len(people))
	}
	if len(apps) > 12 {
		form.values["app"] = apps[12:]
		form.values["newLoanOriginatorUuid"] = people[3:4]
		form.values.Set("confirm.reassign", "true")
		run := maya.send(form).path
		waitFor(t, stepTimeout, "twelve leads are left", func() bool {
			return strings.Contains(maya.get(run).Find(".note").Text(), "Done.")
		})
	}
	return people[:3]
}

// TestReassignTwelveLeads_AtMostSixPresses is the manager whose colleague is sick: twelve leads go to three people, by
// mouse, by keyboard, and by touch on a phone.
func TestReassignTwelveLeads_AtMostSixPresses(t *testing.T) {
	chromium(t)
	t.Parallel()
	const row = `tr:has(.c-act a[href*="/reassignments"]):has(a[href*="originator="])`
	for name, how := range map[string]struct {
		phone bool
		press func(w *window, selector string)
	}{
		"mouse": {false, func(w *window, selector string) { w.click(selector, selector) }},
		"keyboard": {false, func(w *window, selector string) {
			w.tabTo(selector)
			if evaluate[bool](w, `document.activeElement.matches("input")`) {
				w.keys(" ")
			} else {
				w.keys(kb.Enter)
			}
		}},
		"phone": {true, func(w *window, selector string) {
			evaluate[bool](w, fmt.Sprintf(`(document.querySelector(%q).scrollIntoView({block: "center"}), true)`, selector))
			w.run("tap "+selector, chromedp.Tap(chromedp.CSS(selector)))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := startSeeded(t, "SANDBOX_PROCESSING=300ms")
			people := twelveLeads(t, d)
			w := d.openBrowser(t)
			w.signIn("maya@summit.test")
			if how.phone {
				w.setSize(390, 844, true)
			}
			w.countPresses()
			w.visit("/team")
			w.ready()
			began := time.Now()
			press := func(selector string) { how.press(w, selector) }
			id := evaluate[string](w, fmt.Sprintf(`[...document.querySelectorAll(%q)].find(r => `+
				`r.innerText.includes("Marcus Reyes")).id`, row))
			press("#" + id + " .c-act a")
			w.waitUntil("the review", `document.querySelector("#form-many")`)
			w.ready()
			for i, who := range people {
				press("#to-" + who)
				w.waitUntil("the preview", fmt.Sprintf(`document.querySelectorAll(".target .n").length && `+
					`[...document.querySelectorAll(".target .n")].filter(e => e.innerText.startsWith("+")).length === %d`, i+1))
			}
			w.wantTrue("the plan adds up",
				`document.querySelector(".selection-bar .sentence").innerText.startsWith("12 selected: 4 to ")`)
			press(`[name="confirm.reassign"]`)
			press(".selection-bar .btn.pri")
			w.waitForText("12 of 12 reassigned")
			presses := evaluate[int](w, "Number(sessionStorage.presses)")
			took := time.Since(began)
			t.Logf("%s: %d presses, %.1f s with everything", name, presses, took.Seconds())
			if took > maxReassignTime {
				t.Errorf("it took %.1f s, want at most %v", took.Seconds(), maxReassignTime)
			}
			if presses == 0 || presses > maxPresses {
				t.Errorf("got %d presses, want 1 to %d", presses, maxPresses)
			}
			w.waitForText("Done.")
			w.screenshot("reassigned-" + name)
			olivia := d.signIn(t, "olivia@summit.test").get("/notifications")
			if got := strings.Count(olivia.Text(), "leads assigned to you"); got != 1 {
				t.Errorf("Olivia has %d notifications of the run, want one", got)
			}
			d.checkLogHasNoPII(t)
		})
	}
}

// TestReassignMany_WithoutScripts_AndEverySize takes the same way without JavaScript, and looks at the pages in both
// schemes, wide and narrow.
func TestReassignMany_WithoutScripts_AndEverySize(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t, "SANDBOX_PROCESSING=300ms")
	people := twelveLeads(t, d)
	maya := d.signIn(t, "maya@summit.test")
	link := maya.get("/team").Find(`tr:contains("Marcus Reyes") .c-act a`).AttrOr("href", "")
	review := maya.get(link)
	form := review.form("#form-many")
	form.values["newLoanOriginatorUuid"] = people
	preview := maya.send(form.with("dry", "true"))
	if got := strings.TrimSpace(preview.Find(".selection-bar .sentence").Text()); !strings.HasPrefix(got,
		"12 selected: 4 to ") {
		t.Errorf("the preview says %q", got)
	}
	w := d.openBrowser(t)
	w.signIn("maya@summit.test")
	w.visit(link)
	w.ready()
	w.checkAllSizes("reassign-review")
	w.check("#to-" + people[0])
	w.waitUntil("the preview", `document.querySelector(".target .n").innerText.startsWith("+")`)
	w.check("#to-" + people[1])
	w.waitUntil("the choices", `document.querySelector(".c-to select")`)
	w.checkAllSizes("reassign-plan")
	w.setSize(390, 844, true)
	w.checkTargets("reassign-plan")
	if got := w.height(".selection-bar"); got > 110 { // two lines name three people
		t.Errorf("on a phone the bar is %.0f px high, want at most 110", got)
	}
	w.wantTrue("what else happens is in the page instead",
		`[...document.querySelectorAll("#review p")].some(e => e.checkVisibility() && e.innerText.includes("You can undo"))`)
	for _, width := range widths() {
		w.setSize(width, 844, width < 600)
		w.checkNoOverflow(fmt.Sprintf("the plan at %d px", width))
	}
	w.setSize(1440, 1000, false)
	run := maya.send(preview.form("#form-many").with("confirm.reassign", "true"))
	waitFor(t, stepTimeout, "the run", func() bool {
		return strings.Contains(maya.get(run.path).Text(), "12 of 12 reassigned")
	})
	w.visit(run.path)
	w.checkAllSizes("reassign-run")
	undo := maya.send(maya.get(run.path).form("#form-undo-all"))
	waitFor(t, stepTimeout, "the undo", func() bool {
		return strings.Contains(maya.get(undo.path).Text(), "12 of 12 returned")
	})
	w.visit(undo.path)
	w.checkAllSizes("reassign-undone")
	elsewhere, err := url.Parse(run.path)
	if err != nil || d.signIn(t, "piotr@lakeside.test").get(elsewhere.Path).status != 404 {
		t.Errorf("another company sees the run: %v", err)
	}
	d.checkLogHasNoPII(t)
}
