package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// choose selects an option as a user does.
func (w *window) choose(id, value string) {
	w.t.Helper()
	w.run("choose "+value, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
		const select = document.getElementById(%q);
		select.value = %q;
		for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, {bubbles: true}));
	}`, id, value)))
}

// TestIntake_HomeIsProperty_FollowsOccupancyUntilChanged: the box is checked for a primary residence only, and stays as
// the user left it. A typed home address is never hidden.
func TestIntake_HomeIsProperty_FollowsOccupancyUntilChanged(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	const problem = `document.getElementById("homeIsProperty-e")?.textContent`
	const occupancy, street = "property.propertyType", `document.getElementById("applicant.homeAddress.street1")`
	want := func(what string, checked, home bool) {
		t.Helper()
		const state = `document.getElementById("homeIsProperty").checked === %v && %s.checkVisibility() === %v`
		w.waitUntil(what, fmt.Sprintf(state, checked, street, home))
	}
	w.visit("/leads/new")
	want("a new form", false, true)
	for _, step := range []struct {
		value         string
		checked, home bool
	}{{"PRIMARY", true, false}, {"INVESTMENT", false, true}, {"SECONDARY", false, true}, {"PRIMARY", true, false}} {
		w.choose(occupancy, step.value)
		want(step.value, step.checked, step.home)
	}
	w.clickInPlace("the borrower lives elsewhere", "#homeIsProperty")
	w.choose(occupancy, "SECONDARY")
	w.choose(occupancy, "PRIMARY")
	want("after the user changed it", false, true)
	w.insert(`[id="applicant.homeAddress.street1"]`, "9 Mill Ln")
	w.keys(kb.Tab)
	w.clickInPlace("the borrower lives at the property", "#homeIsProperty")
	want("both", true, true)
	w.waitUntil("the contradiction is beside the box", problem+`.includes("or clear that address")`)
	const section = `document.querySelector('.sections a[href="#borrower"]').textContent`
	w.waitUntil("the section counts it", section+`.includes("1 to correct")`)
	w.checkIntake("home-both")
	w.click("the borrower lives elsewhere", "#homeIsProperty")
	w.waitUntil("it is resolved", `!document.getElementById("homeIsProperty-e")`)

	w.visit("/leads/new")
	w.clickInPlace("the borrower lives at the property", "#homeIsProperty")
	w.choose(occupancy, "INVESTMENT")
	want("the user's box stays", true, true)
	w.waitUntil("the contradiction is beside the box", problem+`.startsWith("An investment property")`)
	w.waitUntil("it is saved", `document.getElementById("said").textContent === "Draft saved"`)
	w.visit("/leads/new?draft=" + evaluate[string](w, `document.querySelector('#intake [name="draft"]').value`))
	w.waitUntil("the draft shows it",
		`location.search.startsWith("?draft=") && `+problem+`.startsWith("An investment property")`)
	want("the draft", true, true)
	w.checkIntake("home-investment")
}

// checkIntake checks the borrower's section on wide and narrow screens, light and dark.
func (w *window) checkIntake(name string) {
	w.t.Helper()
	for _, width := range []int64{1440, 390} {
		w.setSize(width, 900, width < 600)
		for _, dark := range []bool{false, true} {
			w.setDark(dark)
			w.run("show the borrower", chromedp.Evaluate[chromedp.Void](`document.getElementById("borrower").scrollIntoView()`))
			w.checkNoOverflow(name)
			w.checkAccessible(name)
			w.screenshot(fmt.Sprintf("%s-%d-%v", name, width, dark))
		}
	}
	w.setDark(false)
	w.setSize(1440, 1000, false)
}
