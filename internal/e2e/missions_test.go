package e2e

import (
	"net/url"
	"testing"
)

// TestMissions_StepResolvedElsewhere_CheckedOffWithoutReload resolves a step in another tab, and expects the open
// page to check it off. It reads the page on a phone, in the dark and without a script too.
func TestMissions_StepResolvedElsewhere_CheckedOffWithoutReload(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.setSize(1280, 900, false)
	w.signIn("olivia@summit.test")
	w.visit("/leads")
	w.click("the link in the bar", `.demobar a[href="/demo/missions"]`)
	w.waitUntil("the page is subscribed",
		`document.readyState === "complete" && document.querySelector("#missions[data-htmx-powered]")`)
	w.waitForText("0 of 8 done") // what the demo itself sent in olivia's name does not count
	leads := evaluate[[]string](w, `[...document.querySelectorAll(".missions a")].map(a => a.getAttribute("href"))`)
	seen := map[string]bool{}
	for _, lead := range leads {
		if seen[lead] {
			t.Errorf("two missions are on %s", lead)
		}
		seen[lead] = true
	}
	if len(leads) != 8 {
		t.Errorf("got %d links, want one for each mission: %v", len(leads), leads)
	}
	evaluate[bool](w, `(window.sameDocument = true)`)
	ssn := `document.querySelector("#mission-ssn-needed a").getAttribute("href")`
	lead := evaluate[string](w, ssn)

	elsewhere := d.signIn(t, "olivia@summit.test")
	elsewhere.send(elsewhere.get(lead).form(`form[action$="/add-ssn"]`).with("applicant.ssn", "123-45-6789"))
	w.waitUntil("the mission is checked off", `document.querySelector("#mission-ssn-needed.done") && `+
		`document.querySelector("#missions .meta").innerText.includes("1 of 8 done")`)
	w.wantTrue("the page was never loaded again", "window.sameDocument")
	w.wantTrue("it says when it was done",
		`document.querySelector("#mission-ssn-needed").innerText.includes("Done today ")`)

	given := evaluate[string](w, `document.querySelector("#mission-reassign a").getAttribute("href")`)
	reassign := elsewhere.get(given + "/reassign").form("form#form-reassign")
	marcus := elsewhere.get(given+"/reassign?q=marcus").Find(`input[name="newLoanOriginatorUuid"]`).AttrOr("value", "")
	elsewhere.send(reassign.with("newLoanOriginatorUuid", marcus, "confirm.reassign", "true"))
	w.waitUntil("the reassignment is checked off", `document.querySelector("#mission-reassign.done") && `+
		`document.querySelector("#missions .meta").innerText.includes("2 of 8 done")`)
	w.wantTrue("the page was never loaded again", "window.sameDocument")
	w.checkAccessible("missions")
	w.screenshot("missions")
	w.setDark(true)
	w.checkAccessible("missions, dark")
	w.screenshot("missions-dark")
	w.setSize(320, 844, true)
	w.checkNoOverflow("missions at 320 px")
	w.checkTargets("missions")
	w.screenshot("missions-narrow")

	// Without a script: the same page, and the button that starts over.
	page := elsewhere.get("/demo/missions")
	if n := page.Find(".missions > .done").Length(); n != 2 {
		t.Errorf("without a script: got %d done, want 2", n)
	}
	elsewhere.send(form{action: "/demo/missions", values: url.Values{}})
	w.visit("/demo/missions")
	w.waitForText("0 of 8 done")
	d.checkLogHasNoPII(t)
}
