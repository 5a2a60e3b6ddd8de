package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"hearthline/internal/store/storetest"
)

// screens returns the URLs of an originator's most important screens by their names, with a lead of each status.
func screens(t *testing.T, d *demo) map[string]string {
	t.Helper()
	olivia := d.signIn(t, "olivia@summit.test")
	all := map[string]string{
		"pipeline": "/leads?view=all", "today": "/leads", "empty": "/leads?q=nobody-at-all",
		"intake": "/leads/new?sample=Rivera", "drafts": "/drafts", "sheet": "/ui", "account": "/account",
		"authenticator": "/account/authenticator", "account-email": "/account/email", "activate": "/activate",
		"reset": "/reset?asked=1", "outbox": "/outbox", "missions": "/demo/missions",
		"error": "/leads/00000000-0000-4000-8000-000000000000",
	}
	// One lead with each status, found by its chip in the list.
	for _, view := range []string{"today", "offers", "borrower", "closing", "ended"} {
		list := olivia.get("/leads?view=" + view)
		list.Find("table.leads tbody tr").Each(func(_ int, s *selection) {
			href, ok := s.Find("a.nm").Attr("href")
			name := "lead-" + strings.ReplaceAll(strings.ToLower(strings.TrimSpace(s.Find(".chip").Text())), " ", "-")
			if _, known := all[name]; ok && !known {
				all[name] = href
			}
		})
	}
	offers, closing := all["lead-offers-ready"], all["lead-rescission"]
	if offers == "" || closing == "" {
		t.Fatalf("the lists lack a status: %v", all)
	}
	for _, tab := range []string{"offers", "property", "underwriting", "documents", "funding", "history", "activity"} {
		all["tab-"+tab] = closing + "/" + tab
	}
	return all
}

// checkScreen loads a page once and changes the window around it, because no script of the portal reads the window's
// width: wide and narrow, axe finds nothing and the page does not scroll sideways.
func checkScreen(w *window, name, path string) {
	w.t.Helper()
	w.setSize(1440, 1000, false)
	w.visit(path)
	w.checkAccessibleAt(name, 1440)
	w.checkAccessibleAt(name, 390)
	w.setSize(320, 800, true)
	w.checkNoOverflow(name + "-320")
}

// checkAccessibleAt runs axe at a width: in a wide window in the light color scheme, on a phone in the dark one.
// Screenshots to review are saved of both schemes.
func (w *window) checkAccessibleAt(name string, width int64) {
	w.t.Helper()
	phone := width < 600
	w.setSize(width, 1000, phone)
	w.checkNoOverflow(fmt.Sprintf("%s-%d", name, width))
	for _, dark := range []bool{false, true} {
		if dark != phone && !wantScreenshots() {
			continue
		}
		w.setDark(dark)
		what := fmt.Sprintf("%s-%d-%s", name, width, map[bool]string{false: "light", true: "dark"}[dark])
		if dark == phone {
			w.checkAccessible(what)
		}
		w.screenshot(what)
	}
	w.setDark(false)
}

// TestMainJob_ByKeyboard does the main job without a mouse.
func TestMainJob_ByKeyboard(t *testing.T) {
	chromium(t)
	t.Parallel()
	checkMainJobByKeyboard(t, startSeeded(t, "SANDBOX_PROCESSING=1500ms"))
}

// TestMainJob_PostgreSQL_ByKeyboard also seeds a demo on PostgreSQL.
func TestMainJob_PostgreSQL_ByKeyboard(t *testing.T) {
	chromium(t)
	t.Parallel()
	checkMainJobByKeyboard(t, startDemo(t, storetest.TempDir(t), "PORTAL_DATABASE_URL="+storetest.EmptyPostgres(t),
		"SANDBOX_PROCESSING=1500ms"))
}

func checkMainJobByKeyboard(t *testing.T, d *demo) {
	t.Helper()
	w := d.openBrowser(t)
	w.visit("/login")
	w.tabTo(`input[name="email"]`)
	w.keys("olivia@summit.test")
	w.tabTo(`input[name="password"]`)
	w.keys(password + kb.Enter)
	w.waitUntil("the pipeline", `location.pathname === "/leads"`)

	w.visit("/leads/new?sample=Rivera")
	w.tabTo(`input[name="consent.method"][value="recorded-call"]`)
	w.keys(" ")
	w.tabTo(`input[name="consent.attested"]`)
	w.keys(" ")
	w.tabTo(`form[method="post"][action="/leads"] button.pri`)
	w.keys(kb.Enter)
	w.waitUntil("the lead", `/^\/leads\/[0-9a-f-]{36}$/.test(location.pathname)`)
	w.waitUntil("the title shows that offers are ready", `document.title.startsWith("Offers ready")`)
	w.openOffers()
	w.waitUntil("an offer can be selected", `document.querySelector('button[name="confirm.offer"]')`)

	w.tabTo(`.cell input[name="offer.offerUuid"]`)
	w.keys(" ")
	w.tabTo(`form[action$="/select-offer"] button.pri`)
	w.keys(kb.Enter)
	w.waitUntil("the borrower's move", `document.title.startsWith("Borrower sign-in")`)
	d.checkLogHasNoPII(t)
}

// tabTo presses Tab until the focus is on the selector, as a user without a mouse does. A radio group is one stop, so
// any radio button of the same name counts.
func (w *window) tabTo(selector string) {
	w.t.Helper()
	for range 160 {
		if evaluate[bool](w, fmt.Sprintf(`(() => { const a = document.activeElement, s = %q; return !!a && (a.matches(s) ||
			(a.type === "radio" && !!document.querySelector(s) && document.querySelector(s).name === a.name));
					})()`, selector)) {
			if !evaluate[bool](w, fmt.Sprintf(`document.activeElement.matches(%q)`, selector)) {
				// Inside the group the arrow keys move the focus.
				w.keys(kb.ArrowRight)
				continue
			}
			return
		}
		w.keys(kb.Tab)
	}
	w.t.Fatalf("Tab does not reach %s on %s", selector, w.path())
}

func TestMainJob_WithoutScripts(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.enableScripts(false)
	w.signInWithoutScripts("olivia@summit.test")
	w.visit("/leads/new?sample=Rivera")
	// Without scripts a click takes time here, so each one is a separate step.
	w.click("how they agreed", `input[name="consent.method"][value="in-person"]`)
	w.click("attest", `input[name="consent.attested"]`)
	w.click("send", `form[method="post"][action="/leads"] button.pri`)
	lead := ""
	waitFor(t, stepTimeout, "the lead", func() bool {
		lead = w.path()
		return len(lead) == len("/leads/")+36
	})
	waitFor(t, stepTimeout, "offers, after reloading", func() bool { return w.reloadHas(lead, "Choose an offer") })
	w.screenshot("no-script-offers")
	w.click("open the offers", `#step a.btn.pri`)
	waitFor(t, stepTimeout, "the offers", func() bool { return strings.Contains(w.text(), "without a draw amount") })
	w.click("get a quote", `#quote button`)
	waitFor(t, stepTimeout, "the quote", func() bool {
		return strings.Contains(w.text(), "The lender quoted these rates for a net draw of $60,000.")
	})
	w.click("choose", `.cell:has(input[name="offer.offerUuid"])`)
	w.click("review", `form[action$="/select-offer"] .acts [data-plain] button`)
	waitFor(t, stepTimeout, "the sentence", func() bool { return strings.Contains(w.text(), "$60,000 to the borrower") })
	w.screenshot("no-script-review")
	w.click("select", `form[action$="/select-offer"] button.pri`)
	// Navigating before the form's response arrives would abort it.
	waitFor(t, stepTimeout, "the selection is accepted", func() bool {
		return !strings.Contains(w.text(), "Select offer")
	})
	waitFor(t, stepTimeout, "the borrower's move", func() bool { return w.reloadHas(lead, "With the borrower") })
}

// reloadHas reloads a page and reports whether it contains a text.
func (w *window) reloadHas(path, text string) bool {
	ctx, cancel := context.WithTimeout(w.ctx, stepTimeout)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(w.demo.url+path)); err != nil {
		return false
	}
	return strings.Contains(w.text(), text)
}

func (w *window) signInWithoutScripts(email string) {
	w.t.Helper()
	w.visit("/login")
	w.typeInto(`input[name="email"]`, email)
	w.typeInto(`input[name="password"]`, password+"\r")
	waitFor(w.t, stepTimeout, "the pipeline", func() bool { return w.path() == "/leads" })
}

// TestLiveUpdate_ProcessingEnds expects the update within a second, plus a margin for a busy machine.
func TestLiveUpdate_ProcessingEnds(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t, "SANDBOX_PROCESSING=1500ms")
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit("/leads/new?sample=Rivera")
	w.click("how they agreed", `input[name="consent.method"][value="in-person"]`)
	w.click("attest", `input[name="consent.attested"]`)
	w.click("send", `form[method="post"][action="/leads"] button.pri`)
	w.waitUntil("in progress", `document.title.startsWith("In progress")`)
	w.screenshot("in-progress")
	waitFor(t, stepTimeout, "the lender has finished", func() bool {
		found := d.inquiriesByLastName("Rivera")
		return len(found) == 1 && found[0].NextInquiryStep == "OFFERS_AVAILABLE"
	})
	began := time.Now()
	w.waitUntil("the title", `document.title.startsWith("Offers ready")`)
	t.Logf("the title changed %s after the lender had finished", time.Since(began).Round(time.Millisecond))
	w.waitForText("Choose an offer")
}

// TestOffers_CompareOnPage pins, chooses, checks boxes and drags: the figures update without a reload, the choice and
// the pins survive each quote, and the sentence to confirm follows it.
func TestOffers_CompareOnPage(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit("/leads?view=offers")
	w.click("the first lead", `a.nm`)
	w.openOffers()
	const chosen = `tbody tr:nth-child(2) td:nth-of-type(2)`
	w.waitUntil("the page listens",
		`document.readyState === "complete" && document.querySelector("#lead[data-htmx-powered]")`)
	// The lead is updated between the press and its request: the late update must not change what follows.
	w.click("pin", chosen+` .pin`)
	evaluate[bool](w, `document.querySelector("#lead").dispatchEvent(new CustomEvent("live"))`)
	w.waitUntil("the comparison is below", `document.querySelectorAll(".compare thead th.num").length === 1`)
	w.click("pin another", `tbody tr:nth-child(3) td:nth-of-type(1) .pin`)
	w.waitUntil("two offers are side by side", `document.querySelectorAll(".compare thead th.num").length === 2`)
	w.click("choose", chosen+` .cell`)
	w.waitUntil("the details of an offer", `document.querySelector("#strip h3")`)
	w.click("the debts", `[popovertarget="payoffs"]`)
	w.click("a debt", `#payoffs input[type="checkbox"]:not([disabled])`)
	w.waitUntil("what it pays off", `document.querySelector("#strip").innerText.includes("Pays off")`)
	w.waitUntil("the totals", `document.querySelector("#payoff-sums")`)
	w.click("done with the debts", `#payoffs [popovertargetaction]`)
	const payment = `document.querySelector(".compare .main-figure td")?.innerText`
	before := evaluate[string](w, payment)

	w.click("autopay", `#autoPayDiscountEnabled`)
	w.waitUntil("different figures", fmt.Sprintf(payment+` !== %q`, before))
	for what, holds := range map[string]string{
		"the choice follows the quote": fmt.Sprintf(`document.querySelector(%q).checked && `+
			`document.querySelector("#strip h3")`, chosen+` input`),
		"two pins remain": `document.querySelectorAll(".compare thead th.num").length === 2 && ` +
			`document.querySelectorAll("td [name=pin]:checked").length === 2`,
		"the discount is selected too": `document.querySelector('[name="offer.selectedDiscounts"]').value === "AUTOPAY"`,
		"the debt stays selected":      `document.querySelector('#payoffs input[type="checkbox"]:not([disabled])').checked`,
		"the sentence has the new " +
			"payment": `document.querySelector(".sentence").innerText.includes(document.querySelector(".compare .main-figure ` +
			`td").innerText + " a month")`,
		"the form has the sentence": `document.querySelector('[name="confirm.sentence"]').value === ` +
			`document.querySelector(".sentence").innerText`,
		"the chart of the terms":      `document.querySelectorAll(".by-term rect").length > 2`,
		"the chart of the balances":   `document.querySelectorAll(".by-year .in > svg polyline").length === 2`,
		"the chart of the prime rate": `document.querySelectorAll(".if-prime rect").length === 3`,
	} {
		if !evaluate[bool](w, "!!("+holds+")") {
			t.Errorf("not so: %s", what)
		}
	}
	w.checkAccessible("offers compared")
	w.screenshot("offers-compared")

	w.click("variable", `[name="rateType"][value="FLOATING"]`)
	w.waitUntil("the other grid", `document.querySelector(".offers-grid caption").innerText.includes("variable")`)
	if evaluate[bool](w, `!!document.querySelector(".cell :checked")`) {
		t.Error("an offer of the other rate type is selected")
	}
}

// TestIntakeActionBar_CoversNoFocus moves through a new inquiry with Tab, on a wide screen and on a small phone.
func TestIntakeActionBar_CoversNoFocus(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	for _, phone := range []bool{false, true} {
		w.setSize(map[bool]int64{false: 1440, true: 390}[phone], 700, phone)
		w.visit("/leads/new?sample=Rivera")
		for range 60 {
			w.keys(kb.Tab)
			covered := evaluate[string](w, `(() => {
				const at = document.activeElement, seen = at.getBoundingClientRect(),
					dock = document.querySelector(".dock").getBoundingClientRect();
				return at === document.body || at.closest(".dock") || seen.bottom <= dock.top ||
					seen.top >= dock.bottom ? "" : at.outerHTML.slice(0, 120);
			})()`)
			if covered != "" {
				t.Errorf("phone %v: the action bar covers %s", phone, covered)
			}
		}
	}
}

// TestIntake_ZIP_FillsInThePlace types a ZIP: the city, the state and the license follow it until the user types
// another city, and the question about the unit appears and disappears with the street.
func TestIntake_ZIP_FillsInThePlace(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit("/leads/new")
	place := func(what, city, state, license string) {
		t.Helper()
		w.waitUntil(what, `document.getElementById("property.address.city").value === "`+city+
			`" && document.getElementById("property.address.state").value === "`+state+
			`" && document.getElementById("license").textContent.includes("`+license+`")`)
	}
	zip := func(typed string) {
		w.run("the ZIP", chromedp.Evaluate[chromedp.Void](`document.getElementById("property.address.zip").select()`))
		w.keys(typed + kb.Tab)
	}
	w.waitUntil("the first field has the focus", `document.activeElement.id === "property.address.zip"`)
	w.keys("80202" + kb.Tab + "12-18 Elm St" + kb.Tab)
	place("the ZIP is known", "Denver", "CO", "Colorado")
	w.waitUntil("a range of numbers asks for the unit",
		`!document.querySelector('[data-question="confirm.noUnit"]').hidden`)
	zip("83702-1234")
	place("what was filled in follows the ZIP", "Boise", "ID", "Idaho")
	w.run("the city", chromedp.Evaluate[chromedp.Void](`document.getElementById("property.address.city").select()`))
	w.keys("Garden City" + kb.Tab)
	zip("80202")
	place("a typed city remains", "Garden City", "CO", "Colorado")
	w.run("the street", chromedp.Evaluate[chromedp.Void](`document.getElementById("property.address.street1").select()`))
	w.keys("12 Elm St" + kb.Tab)
	w.waitUntil("nothing asks for a unit", `document.querySelector('[data-question="confirm.noUnit"]').hidden`)
}

// TestIntake_FollowsTyping fills in a new inquiry: what is still needed, the save and the check of each field follow.
func TestIntake_FollowsTyping(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit("/leads/new?sample=Rivera")
	saved := func(what, pattern string) {
		t.Helper()
		w.waitUntil(what, pattern+`.test(document.querySelector("[data-saved]").textContent)`)
	}
	saved("a sample is not saved", `/^Not saved yet$/`)
	dob := `document.getElementById("applicant.dob")`
	w.run("type a birth date", chromedp.Evaluate[chromedp.Void](dob+`.select()`))
	w.keys("5/7/15")
	saved("nothing is saved yet", `/^Unsaved changes$/`)
	w.keys(kb.Tab)
	w.waitUntil("the year is unclear", dob+`.getAttribute("aria-invalid") === "true" && `+
		`document.getElementById("applicant.dob-e").textContent.includes("four digits")`)
	w.waitUntil("the borrower is incomplete",
		`document.querySelector("[data-needed]").textContent === "Still needed: borrower, consent"`)
	saved("the draft is saved", `/^Saved /`)
	w.run("correct it", chromedp.Evaluate[chromedp.Void](dob+`.select()`))
	w.keys("5/7/79" + kb.Tab)
	w.waitUntil("the year is understood", `!`+dob+`.hasAttribute("aria-invalid") && `+
		`document.getElementById("applicant.dob-s").textContent.includes("05/07/1979")`)
	w.run("paste an email", chromedp.Evaluate[chromedp.Void](`document.getElementById("applicant.email").select(); `+
		`document.execCommand("insertText", false, "mailto:elena@exam\u200bple.com")`))
	w.keys(kb.Tab)
	w.waitUntil("what was removed is shown before sending",
		`document.getElementById("applicant.email-s")?.textContent === "Removed an invisible character. Removed “mailto:”. `+
			`Sent as “elena@example.com”"`)
	w.click("the consent", `[name="consent.attested"]`)
	w.click("its method", `[name="consent.method"]`)
	w.waitUntil("nothing is needed", `document.querySelector("[data-needed]").textContent === "" && `+
		`document.querySelector('.sections a[href="#consent"]').classList.contains("ok")`)
}
