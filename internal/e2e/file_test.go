package e2e

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"
)

// each shows what stands on the screen now wide and narrow, light and dark, without
// loading it again: it holds what was pressed or typed.
func (w *window) each(name string) {
	w.t.Helper()
	for _, size := range []struct {
		width int64
		phone bool
	}{{1440, false}, {390, true}} {
		w.size(size.width, 1000, size.phone)
		w.fits(fmt.Sprintf("%s-%d", name, size.width))
		w.dark(size.phone)
		w.accessible(name)
		w.shot(fmt.Sprintf("%s-%d-%s", name, size.width, map[bool]string{false: "light", true: "dark"}[size.phone]))
		w.dark(false)
	}
	w.size(1440, 1000, false)
}

// with is the form with other values.
func (f form) with(pairs ...string) form {
	f.values = maps.Clone(f.values)
	for i := 0; i+1 < len(pairs); i += 2 {
		f.values.Set(pairs[i], pairs[i+1])
	}
	return f
}

// soon is a day to remember something on.
func soon() string { return time.Now().AddDate(0, 0, 3).Format("2006-01-02") }

// choose ticks what a selector finds, as a press does.
func (w *window) choose(selector string) {
	w.t.Helper()
	w.until(selector, fmt.Sprintf(`document.querySelector(%q)`, selector))
	eval[bool](w, fmt.Sprintf(`(e => { e.click(); return true })(document.querySelector(%q))`, selector))
}

// TestWhatIsTypedSurvivesTheNews types a note and ticks a box while a colleague writes to
// the same lead: the page takes in the news and leaves the person's own words alone.
func TestWhatIsTypedSurvivesTheNews(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir(), "SANDBOX_PROCESSING=300ms")
	olivia, maya := d.signIn(t, "olivia@summit.test"), d.signIn(t, "maya@summit.test")
	lead := olivia.startRivera("Rivera-Liens").path
	w := d.open(t)
	w.signIn("olivia@summit.test")
	w.visit(lead)
	w.until("liens are asked for", `document.querySelector('[name="liens.0.currentBalance"]')`)
	w.fill("liens.0.currentBalance", "123456")
	w.fill("note", "Half a thought")
	w.choose("#set-aside > summary")
	w.choose(`[name="confirm.set-aside"]`)

	maya.send(maya.get(lead).form("#form-note").with("note", "From your manager"))
	w.says("From your manager")
	maya.send(maya.get(lead).form("#form-follow-up").with("followUp.on", soon()))
	maya.send(maya.get(lead).form("#form-note").with("note", "And once more"))
	w.says("And once more")
	for what, expression := range map[string]string{
		"the note":      `document.querySelector('[name="note"]').value === "Half a thought"`,
		"the amount":    `document.querySelector('[name="liens.0.currentBalance"]').value.replace(",", "") === "123456"`,
		"the tick":      `document.querySelector('[name="confirm.set-aside"]').checked`,
		"the open fold": `document.querySelector("#set-aside").open`,
	} {
		if !eval[bool](w, expression) {
			t.Errorf("%s did not survive the news", what)
		}
	}
	d.quiet(t)
}

// TestALookEndsByItself opens the borrower's details, is refused once, and lets the five
// minutes pass.
func TestALookEndsByItself(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir(), "SANDBOX_PROCESSING=300ms")
	olivia := d.signIn(t, "olivia@summit.test")
	lead := olivia.startRivera("Rivera").path
	w := d.open(t)
	w.signIn("olivia@summit.test")
	w.visit(lead)
	w.until("the offers stand here", `document.querySelector('input[name="offer.offerUuid"]')`)
	w.choose("#reveal > summary")
	// Without a reason, past the browser's own check.
	eval[bool](w, `(f => { f.noValidate = true; f.requestSubmit(); return true })(document.querySelector("#form-reveal"))`)
	w.until("the refusal", `document.querySelector("#form-reveal #complaints")`)
	if strings.Contains(w.text(), "@borrower.test") {
		t.Error("a refused look shows the borrower")
	}
	w.each("reveal-refused")
	w.visit(lead)
	w.choose("#reveal > summary")
	eval[bool](w, `(s => { s.selectedIndex = 1; s.form.requestSubmit(); return true })(document.querySelector('#form-reveal select'))`)
	w.until("the details", `document.querySelector("[data-hide-after]")`)
	shown := eval[string](w, `document.querySelector("#borrower-part").innerText`)
	if !strings.Contains(shown, "@") {
		t.Fatalf("nothing is shown: %s", shown)
	}
	maya := d.signIn(t, "maya@summit.test")
	maya.send(maya.get(lead).form("#form-note").with("note", "Something else has changed"))
	w.says("Something else has changed")
	w.each("reveal")
	eval[bool](w, `(e => { e.hideAt = Date.now() - 1; document.dispatchEvent(new Event("visibilitychange")); return true })(document.querySelector("[data-hide-after]"))`)
	w.until("it is withheld again", `document.querySelector("#form-reveal") && !document.querySelector("#borrower-part").innerText.includes("@")`)
	d.quiet(t)
}

// TestTheSecondHalfOnTheScreen hands leads over, one and many, and follows an application
// to its conditions, with a colleague's bell ringing by itself.
func TestTheSecondHalfOnTheScreen(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir(), "SANDBOX_PROCESSING=300ms")
	olivia := d.signIn(t, "olivia@summit.test")
	lead := olivia.startRivera("Rivera").path
	app := strings.TrimPrefix(lead, "/leads/")
	within(t, step, "offers", func() bool { return olivia.get(lead).Find(`input[name="offer.offerUuid"]`).Length() > 0 })

	w := d.open(t)
	w.signIn("olivia@summit.test")
	w.visit(lead)
	w.until("the page listens", `document.querySelector("#bell")`)
	before := eval[string](w, `document.querySelector("#bell .count")?.textContent || ""`)
	d.play(app, "convert")
	d.play(app, "condition")
	w.until("the bell has rung", fmt.Sprintf(`(document.querySelector("#bell .count")?.textContent || "") !== %q`, before))
	w.visit("/leads?view=closing")
	w.says("New condition")
	w.shot("list-news")
	w.visit("/notifications")
	w.says("New condition")
	w.each("notifications")
	d.play(app, "fund")
	w.visit(lead + "/funding")
	w.says("Conditions")
	w.each("funding")
	w.visit(lead)
	w.each("application")

	w.visit(lead + "/reassign")
	w.each("hand-over")
	w.choose(`input[name="newLoanOriginatorUuid"]`)
	w.visit("/originators")
	w.each("directory")
	w.visit(lead + "/history")
	w.each("attributions")

	w.visit("/leads?view=today")
	for n := 1; n <= 3; n++ {
		w.choose(fmt.Sprintf(`table.leads tbody tr:nth-child(%d) input.pick`, n))
	}
	w.choose(`#many button`)
	w.until("the form for many", `document.querySelector("#form-many")`)
	w.choose(`input[name="newLoanOriginatorUuid"]`)
	w.choose(`button[name="dry"]`)
	w.until("the dry run", `document.querySelector("#form-many table")`)
	w.each("dry-run")
	w.choose(`input[name="confirm.reassign"]`)
	w.choose(`#form-many button.pri`)
	w.until("the run", `location.pathname.startsWith("/reassignments/")`)
	w.until("it has ended", `!document.body.innerText.includes("Waiting")`)
	w.each("run")

	marcus := d.signIn(t, "marcus@summit.test")
	other := marcus.startRivera("Rivera-Match").path
	marcus.send(marcus.get(other).form("#form-note").with("note", "Her sister signs too"))
	marcus.send(marcus.get(other).form("#form-follow-up").with("followUp.on", soon(), "followUp.note", "Send the letter"))
	form := marcus.get(other + "/reassign?q=olivia").form("#form-reassign")
	found := marcus.get(other+"/reassign?q=olivia").Find(`input[name="newLoanOriginatorUuid"]`).AttrOr("value", "")
	marcus.send(form.with("newLoanOriginatorUuid", found, "confirm.reassign", "true", "handOver.line", "She prefers mornings"))
	w.visit(other)
	w.says("She prefers mornings")
	w.each("brief")
	d.quiet(t)
}
