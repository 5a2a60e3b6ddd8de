package e2e

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"
)

// checkAllSizes checks the current screen wide and narrow, light and dark, without reloading it, because a reload
// would lose its state.
func (w *window) checkAllSizes(name string) {
	w.t.Helper()
	for _, size := range []struct {
		width int64
		phone bool
	}{{1440, false}, {390, true}} {
		w.setSize(size.width, 1000, size.phone)
		w.checkNoOverflow(fmt.Sprintf("%s-%d", name, size.width))
		w.setDark(size.phone)
		w.checkAccessible(name)
		w.screenshot(fmt.Sprintf("%s-%d-%s", name, size.width, map[bool]string{false: "light", true: "dark"}[size.phone]))
		w.setDark(false)
	}
	w.setSize(1440, 1000, false)
}

// with returns the form with other values.
func (f form) with(pairs ...string) form {
	f.values = maps.Clone(f.values)
	for i := 0; i+1 < len(pairs); i += 2 {
		f.values.Set(pairs[i], pairs[i+1])
	}
	return f
}

// inThreeDays returns a date for a reminder.
func inThreeDays() string { return time.Now().AddDate(0, 0, 3).Format("2006-01-02") }

// check checks the box that a selector finds, as a click does.
func (w *window) check(selector string) {
	w.t.Helper()
	w.waitUntil(selector, fmt.Sprintf(`document.querySelector(%q)`, selector))
	evaluate[bool](w, fmt.Sprintf(`(e => { e.click(); return true })(document.querySelector(%q))`, selector))
}

// TestLiveUpdate_KeepsTypedText types a note and checks a box while a colleague changes the same lead: the page shows
// the update and leaves the user's input unchanged.
func TestLiveUpdate_KeepsTypedText(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t, "SANDBOX_PROCESSING=300ms")
	olivia, maya := d.signIn(t, "olivia@summit.test"), d.signIn(t, "maya@summit.test")
	lead := olivia.startSample("Rivera-Liens").path
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit(lead)
	w.waitUntil("liens are required", `document.querySelector('[name="liens.0.currentBalance"]')`)
	w.fill("liens.0.currentBalance", "123456")
	w.fill("note", "Half a thought")
	w.check("#set-aside > summary")
	w.check(`[name="confirm.set-aside"]`)

	maya.send(maya.get(lead).form("#form-note").with("note", "From your manager"))
	w.waitForText("From your manager")
	maya.send(maya.get(lead).form("#form-follow-up").with("followUp.on", inThreeDays()))
	maya.send(maya.get(lead).form("#form-note").with("note", "And once more"))
	w.waitForText("And once more")
	for what, expression := range map[string]string{
		"the note":         `document.querySelector('[name="note"]').value === "Half a thought"`,
		"the amount":       `document.querySelector('[name="liens.0.currentBalance"]').value.replace(",", "") === "123456"`,
		"the checkbox":     `document.querySelector('[name="confirm.set-aside"]').checked`,
		"the open section": `document.querySelector("#set-aside").open`,
	} {
		if !evaluate[bool](w, expression) {
			t.Errorf("%s did not survive the update", what)
		}
	}
	d.checkLogHasNoPII(t)
}

// TestSubmit_OtherFormStarted_TextKept submits two forms of a page, one of them with an error, beside a half-typed
// note.
func TestSubmit_OtherFormStarted_TextKept(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t, "SANDBOX_PROCESSING=300ms")
	olivia := d.signIn(t, "olivia@summit.test")
	lead := olivia.startSample("Rivera-Liens").path
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit(lead)
	w.waitUntil("liens are required", `document.querySelector('[name="liens.0.currentBalance"]')`)
	w.fill("note", "Half a thought")
	kept := `document.querySelector('[name="note"]').value === "Half a thought"`

	w.fill("liens.0.currentBalance", "lots")
	w.click("the button of the liens", `form[action$="/verify-liens"] .btn.pri`)
	w.waitUntil("the error is beside its field",
		`document.querySelector('[name="liens.0.currentBalance"][aria-invalid="true"]')`)
	if !evaluate[bool](w, kept) {
		t.Error("the note did not survive a form with an error")
	}
	w.fill("liens.0.currentBalance", "123456")
	w.click("the button of the liens", `form[action$="/verify-liens"] .btn.pri`)
	w.waitUntil("the liens are sent", `!document.querySelector('form[action$="/verify-liens"]')`)
	if !evaluate[bool](w, kept) {
		t.Error("the note did not survive a form that was sent")
	}
	w.click("add a reminder", "#reminder > summary")
	w.fill("followUp.note", "Call the borrower")
	evaluate[bool](w, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event("input", {bubbles: true})); `+
		`return true })(document.querySelector('[name="followUp.on"]'))`, inThreeDays()))
	// An update of the lead is under way, so the reminder waits for it.
	evaluate[bool](w, `(() => {
		const real = window.fetch;
		window.fetch = (address, o) => o?.method === "POST" ? real(address, o) : new Promise(go => setTimeout(go,
			700)).then(() => real(address, o));
		return document.querySelector("#lead").dispatchEvent(new CustomEvent("live"));
	})()`)
	w.click("the button of the reminder", "#form-follow-up .btn")
	w.waitForText("Call the borrower")
	if !evaluate[bool](w, kept) {
		t.Error("the note did not survive a reminder")
	}
	w.click("the button of the note", "#form-note .btn")
	w.waitForText("Half a thought")
	d.checkLogHasNoPII(t)
}

// TestReveal_HiddenAfterFiveMinutes reveals the borrower's details, after one rejected attempt, and lets the five
// minutes pass.
func TestReveal_HiddenAfterFiveMinutes(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t, "SANDBOX_PROCESSING=300ms")
	olivia := d.signIn(t, "olivia@summit.test")
	lead := olivia.startSample("Rivera").path
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit(lead)
	w.waitUntil("the offers are on the page", `document.querySelector('input[name="offer.offerUuid"]')`)
	w.check("#reveal > summary")
	// Without a reason, bypassing the browser's own validation.
	evaluate[bool](w, `(f => { f.noValidate = true; f.requestSubmit(); `+
		`return true })(document.querySelector("#form-reveal"))`)
	w.waitUntil("the error", `document.querySelector("#form-reveal #complaints")`)
	if strings.Contains(w.text(), "@borrower.test") {
		t.Error("a rejected reveal shows the borrower")
	}
	w.checkAllSizes("reveal-refused")
	w.visit(lead)
	w.check("#reveal > summary")
	evaluate[bool](w, `(s => { s.selectedIndex = 1; s.form.requestSubmit(); `+
		`return true })(document.querySelector('#form-reveal select'))`)
	w.waitUntil("the details", `document.querySelector("[data-hide-after]")`)
	shown := evaluate[string](w, `document.querySelector("#borrower-part").innerText`)
	if !strings.Contains(shown, "@") {
		t.Fatalf("nothing is shown: %s", shown)
	}
	maya := d.signIn(t, "maya@summit.test")
	maya.send(maya.get(lead).form("#form-note").with("note", "Something else has changed"))
	w.waitForText("Something else has changed")
	w.checkAllSizes("reveal")
	evaluate[bool](w, `(e => { e.hideAt = Date.now() - 1; document.dispatchEvent(new Event("visibilitychange")); `+
		`return true })(document.querySelector("[data-hide-after]"))`)
	w.waitUntil("it is hidden again",
		`document.querySelector("#form-reveal") && !document.querySelector("#borrower-part").innerText.includes("@")`)
	d.checkLogHasNoPII(t)
}

// TestReassignAndClosing_OnScreen reassigns leads, one and many, and follows an application to its conditions, while
// a colleague's bell updates without a reload.
func TestReassignAndClosing_OnScreen(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t, "SANDBOX_PROCESSING=300ms")
	olivia := d.signIn(t, "olivia@summit.test")
	lead := olivia.startSample("Rivera").path
	app := strings.TrimPrefix(lead, "/leads/")
	waitFor(t, stepTimeout, "offers", func() bool {
		return olivia.get(lead).Find(`input[name="offer.offerUuid"]`).Length() > 0
	})

	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit(lead)
	w.waitUntil("the page is subscribed", `document.querySelector("#bell")`)
	before := evaluate[string](w, `document.querySelector("#bell .count")?.textContent || ""`)
	d.playEvent(app, "convert")
	d.playEvent(app, "condition")
	w.waitUntil("the bell has updated", fmt.Sprintf(`(document.querySelector("#bell .count")?.textContent || "") !== %q`,
		before))
	w.visit("/leads?view=closing")
	w.waitForText("New condition")
	w.screenshot("list-news")
	w.visit("/notifications")
	w.waitForText("New condition")
	w.checkAllSizes("notifications")
	d.playEvent(app, "fund")
	w.visit(lead + "/funding")
	w.waitForText("Conditions")
	w.checkAllSizes("funding")
	w.visit(lead)
	w.checkAllSizes("application")

	w.visit(lead + "/reassign")
	w.checkAllSizes("hand-over")
	w.check(`input[name="newLoanOriginatorUuid"]`)
	w.visit("/originators")
	w.checkAllSizes("directory")
	w.visit(lead + "/history")
	w.checkAllSizes("attributions")

	w.visit("/leads?view=blocked")
	for n := 1; n <= 3; n++ {
		w.check(fmt.Sprintf(`table.leads tbody tr:nth-child(%d) input.pick`, n))
	}
	w.check(`#many [type="submit"]`)
	w.waitUntil("the form for several leads", `document.querySelector("#form-many")`)
	w.check(`input[name="newLoanOriginatorUuid"]`)
	evaluate[bool](w, `window.unchecked = true`) // the page before has a table too
	w.check(`button[name="dry"]`)
	w.waitUntil("the check", `!window.unchecked && document.querySelector("#form-many table")`)
	w.checkAllSizes("dry-run")
	w.check(`input[name="confirm.reassign"]`)
	w.check(`#form-many button.pri`)
	w.waitUntil("the run", `location.pathname.startsWith("/reassignments/")`)
	w.waitUntil("the run has ended", `!document.body.innerText.includes("Waiting")`)
	w.checkAllSizes("run")

	marcus := d.signIn(t, "marcus@summit.test")
	other := marcus.startSample("Rivera-Match").path
	marcus.send(marcus.get(other).form("#form-note").with("note", "Her sister signs too"))
	marcus.send(marcus.get(other).form("#form-follow-up").with("followUp.on", inThreeDays(),
		"followUp.note", "Send the letter"))
	form := marcus.get(other + "/reassign?q=olivia").form("#form-reassign")
	found := marcus.get(other+"/reassign?q=olivia").Find(`input[name="newLoanOriginatorUuid"]`).AttrOr("value", "")
	marcus.send(form.with("newLoanOriginatorUuid", found, "confirm.reassign", "true",
		"handOver.line", "She prefers mornings"))
	w.visit(other)
	w.waitForText("She prefers mornings")
	w.checkAllSizes("brief")
	d.checkLogHasNoPII(t)
}

// TestPayoffStep_DebtsAddUp chooses debts and reads their total, which stays right after an update of the page.
func TestPayoffStep_DebtsAddUp(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	maya := d.signIn(t, "maya@summit.test")
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	lead := w.leadOf("Rivera-Payoff", `.debts [name="liabilityPayoff.selectedAccountsToPayoff"]`)
	w.visit(lead)
	w.ready()
	w.wantTrue("updates are counted", countUpdates)
	const total, boxes = `document.querySelector(".debts-total").innerText`,
		`[...document.querySelectorAll(".debts input:enabled")]`
	want := func(what, words string) {
		t.Helper()
		sum := boxes + `.filter(box => box.checked).map(box => box.closest("tr").querySelector(".num").textContent)` +
			`.reduce((all, text) => all + Number(text.replace(/[$,]/g, "")), 0).toLocaleString("en-US")`
		w.waitUntil(what, fmt.Sprintf("%s === `Total to pay off: %s`.replace('SUM', '$' + %s)", total, words, sum))
	}
	want("nothing is chosen", "no debts chosen")
	w.wantTrue("the first is chosen", boxes+`[0].click() ?? true`)
	want("the total of one", "1 debt, SUM")
	w.wantTrue("the second is chosen", boxes+`[1].click() ?? true`)
	want("the total of both", "2 debts, SUM")
	w.addNoteElsewhere(maya, lead, "call back")
	want("the total after an update", "2 debts, SUM")
	w.wantTrue("the first is left out", boxes+`[0].click() ?? true`)
	want("the total of the other", "1 debt, SUM")
}
