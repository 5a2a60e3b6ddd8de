package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// cutTexts is a JavaScript expression: the texts of the elements which a selector finds that are cut by their own
// box, by one around them, or by the window.
func cutTexts(selector string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%q)].flatMap(e => {
		if (!e.checkVisibility() || e.closest(".converted ol:first-of-type li + li")) return [];
		const range = document.createRange(), all = document.createTreeWalker(e, NodeFilter.SHOW_TEXT),
			r = {left: Infinity, right: -Infinity};
		for (let text; (text = all.nextNode());) {
			if (!text.nodeValue.trim() || text.parentElement.closest(".vh")) continue;
			range.selectNodeContents(text);
			r.left = Math.min(r.left, range.getBoundingClientRect().left);
			r.right = Math.max(r.right, range.getBoundingClientRect().right);
		}
		let left = 0, right = document.documentElement.clientWidth;
		for (let box = e; box && box !== document.body; box = box.parentElement) {
			if (getComputedStyle(box).overflowX !== "visible") {
				const b = box.getBoundingClientRect();
				left = Math.max(left, b.left);
				right = Math.min(right, b.right);
			}
		}
		return r.right > r.left && (r.left < left - 1 || r.right > right + 1) ?
			[e.innerText.trim() + " (" + Math.round(r.left) + " to " + Math.round(r.right) + ", seen from " + Math.round(left) +
				" to " + Math.round(right) + ")"] : [];
	})`, selector)
}

// checkNotCut fails for texts that are cut, and if there is no such text.
func (w *window) checkNotCut(name, selector string) {
	w.t.Helper()
	if !w.isTrue(fmt.Sprintf(`document.querySelector(%q)`, selector)) {
		w.t.Errorf("%s: there is no %s", name, selector)
	}
	for _, text := range evaluate[[]string](w, cutTexts(selector)) {
		w.t.Errorf("%s: cut: %s", name, text)
	}
}

// height returns the height of the first element that a selector finds.
func (w *window) height(selector string) float64 {
	w.t.Helper()
	at := w.placeOf(selector)
	return at.Bottom - at.Top
}

// leadWith returns the path of a lead whose chips begin with a status, from the result of screens.
func leadWith(t *testing.T, pages map[string]string, status string) string {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		if strings.HasPrefix(name, "lead-"+status) {
			return pages[name]
		}
	}
	t.Fatalf("no lead has the status %s", status)
	return ""
}

// showWidestDates replaces the dates and times of elements by the widest that there are, so that what a test measures
// does not depend on the day.
func (w *window) showWidestDates(selector string) {
	w.t.Helper()
	if n := evaluate[int](w, fmt.Sprintf(`(() => {
		const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
		let n = 0;
		for (const el of document.querySelectorAll(%q)) {
			const ink = document.createElement("canvas").getContext("2d");
			ink.font = getComputedStyle(el).font;
			const widest = texts => texts.reduce((a, b) => ink.measureText(b).width > ink.measureText(a).width ? b : a);
			const wide = el.textContent
				.replace(/[A-Z][a-z]{2} \d{1,2}\b/, widest(months.flatMap(m => ["20", "24", "26", "28",
					"30"].map(d => m + " " + d))))
				.replace(/\d{1,2}:\d\d [AP]M/, widest(["10:38 AM", "12:48 AM", "12:48 PM", "10:26 PM"]));
			if (wide !== el.textContent || /\d/.test(wide)) n++;
			el.textContent = wide;
		}
		return n;
	})()`, selector)); n == 0 {
		w.t.Errorf("no date in %s", selector)
	}
}

// TestGeometry_NarrowAndWide_NothingCut checks what a loan officer reads at a glance: the figures of the comparison
// on a phone, the borrower's name and the age of the data, the stages of a converted lead, the rows of the compact
// list, and the distance of the administration's content from its tabs.
func TestGeometry_NarrowAndWide_NothingCut(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	var pages map[string]string
	waitFor(t, stepTimeout, "statuses that follow the time", func() bool { // they change a moment after the start
		pages = screens(t, d)
		has := func(status string) bool {
			return slices.ContainsFunc(slices.Collect(maps.Keys(pages)), func(name string) bool {
				return strings.HasPrefix(name, "lead-"+status)
			})
		}
		return has("follow-up") && has("awaiting-funding")
	})
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")

	for _, status := range []string{"verify-liens", "offers-ready", "credit-frozen", "follow-up", "awaiting-funding"} {
		w.setSize(360, 844, true)
		w.visit(leadWith(t, pages, status))
		for _, width := range []int64{360, 390, 720, 768, 860, 1024, 1366} {
			w.setSize(width, 844, width < 600)
			name := fmt.Sprintf("%s at %d px", status, width)
			w.checkNotCut(name, ".lead-id h1")
			w.checkNotCut(name, ".lead-id .age")
			w.wantTrue(name+": no fact beside the name is cut within a word",
				`[...document.querySelectorAll(".lead-id .id-line > *")].every(e => {
				const r = e.getBoundingClientRect(), line = e.parentElement.getBoundingClientRect();
				return !r.width || r.top >= line.bottom - 1 || r.right <= line.right + 1;
			})`)
			if head := w.placeOf(".tabs").Bottom - w.placeOf(".lead-id").Top; width >= 720 && head > 120 {
				t.Errorf("%s: the head is %.0f px high, want at most 120", name, head)
			}
			if head := w.placeOf(".tabs").Top - w.placeOf(".lead-id").Top; width < 600 && head > 112 {
				t.Errorf("%s: the tabs begin %.0f px below the head, want at most 112", name, head)
			}
		}
	}

	for _, status := range []string{"offers-ready", "borrower-sign-in", "verify-liens", "awaiting-funding",
		"rescission", "funded"} {
		w.setSize(1200, 900, false)
		w.visit(leadWith(t, pages, status))
		w.showWidestDates(".progress li > span")
		for _, width := range []int64{1200, 1280, 1366, 1440, 1920} {
			w.setSize(width, 900, false)
			w.checkNotCut(fmt.Sprintf("progress of %s at %d px", status, width), ".progress li :is(b, span)")
		}
	}

	offers := leadWith(t, pages, "offers-ready") + "/offers"
	w.setSize(390, 844, true)
	w.visit(offers)
	w.waitUntil("the quote", `document.querySelector('button[name="confirm.offer"]')`)
	w.click("an offer", `.offers-grid tbody tr:nth-child(2) td:nth-of-type(2) .cell`)
	w.waitUntil("it is compared", `document.querySelectorAll(".compare .chosen").length > 5`)
	w.checkNotCut("one offer compared on a phone", `.compare :is(th, td):not(.slot)`)
	for n := range 2 {
		w.click("a pin", fmt.Sprintf(`.offers-grid tbody tr:nth-child(%d) td:nth-of-type(1) .pin`, n+1))
		w.waitUntil("it is compared too", fmt.Sprintf(`document.querySelectorAll(".compare thead th").length === %d`, n+2))
		w.checkNotCut(fmt.Sprintf("%d offers compared on a phone", n+2), `.compare :is(th, td):not(.slot)`)
	}
	w.screenshot("compare-phone")

	w.setSize(1440, 900, false)
	w.visit("/leads?view=all")
	evaluate[bool](w, `document.documentElement.dataset.density = "compact", true`)
	for row := range 5 {
		if got := w.height(fmt.Sprintf(".leads tbody tr:nth-child(%d)", row+1)); got > 42 {
			t.Errorf("row %d of the compact list is %.1f px high, want at most 42", row+1, got)
		}
	}

	admin := d.openBrowser(t)
	admin.signIn("admin@hearthline.test")
	for _, path := range []string{"/admin/users", "/admin/embed", "/admin/health"} {
		admin.setSize(390, 900, true)
		admin.visit(path)
		for _, width := range []int64{390, 768, 1440} {
			admin.setSize(width, 900, width < 600)
			if gap := admin.placeOf(".admin").Top - admin.placeOf(".tabs").Bottom; gap < 12 {
				t.Errorf("%s at %d px: the content begins %.0f px below the tabs, want 12 or more", path, width, gap)
			}
			if left := evaluate[float64](admin, `Math.abs(document.querySelector("h1").getBoundingClientRect().left - `+
				`document.querySelector(".tabs a").getBoundingClientRect().left - document.querySelector(".tabs").scrollLeft - `+
				`parseFloat(getComputedStyle(document.querySelector(".tabs a")).paddingLeft))`); left > 1 {
				t.Errorf("%s at %d px: the first tab's name is %.0f px off the title", path, width, left)
			}
		}
	}
	admin.setSize(1440, 900, false)
	admin.visit("/admin/users")
	admin.visit(evaluate[string](admin, `document.querySelector('.admin table a[href^="/admin/users/"]').pathname`))
	admin.wantTrue("the page of a user marks the tab of users",
		`document.querySelector('.tabs [aria-current]')?.innerText.trim() === "Users"`)
}

// TestList_OnAPhone_RowsInTheFirstThird opens the list on a phone: below the bar of the demo, the first row begins in
// the first third of the window, as all filters are behind one disclosure, which works without JavaScript.
func TestList_OnAPhone_RowsInTheFirstThird(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("maya@summit.test")
	w.setSize(390, 844, true)
	for _, script := range []bool{true, false} {
		w.enableScripts(script)
		w.visit("/leads?view=all")
		if top := w.placeOf(".leads tbody tr").Top - w.height(".demobar"); top > 844/3 {
			t.Errorf("script %v: the first row begins at %.0f px, want at most 281", script, top)
		}
		w.wantTrue("the search field stays", `document.querySelector("#q").checkVisibility()`)
		w.wantTrue("the selects are behind the disclosure",
			`![...document.querySelectorAll(".filters select")].some(e => e.checkVisibility())`)
		w.click("the disclosure", "#more-filters summary")
		w.wantTrue("it shows every select",
			`[...document.querySelectorAll(".filters select")].every(e => e.checkVisibility())`)
	}
	w.enableScripts(true)
	w.visit("/leads?view=all&state=AZ&sort=amount")
	w.wantTrue("the disclosure counts what narrows the list",
		`document.querySelector("#more-filters").innerText.trim() === "Filter (1)"`)
	w.setSize(1366, 768, false)
	w.wantTrue("a wide list shows the selects", `!document.querySelector("#more-filters").checkVisibility() && `+
		`[...document.querySelectorAll(".filters select")].every(e => e.checkVisibility())`)
}

// TestNewInquiry_EveryWidth_FieldsInRows checks that the first field is in view with what precedes it, and that the
// controls beside each other begin at one height, also where a label takes two lines or a hint follows.
func TestNewInquiry_EveryWidth_FieldsInRows(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	for _, path := range []string{"/leads/new?sample=Rivera", "/prequalify"} {
		w.visit(path)
		for _, width := range []int64{600, 768, 900, 1024, 1366, 1440} {
			w.setSize(width, 900, false)
			for _, ragged := range evaluate[[]string](w, `(() => {
				const rows = new Map();
				for (const f of document.querySelectorAll(".fields > .f:has(> label:not(.ck))")) {
					const control = f.querySelector(".ctl"), r = control.getBoundingClientRect();
					if (!r.height) continue;
					const row = [...rows.keys()].find(y => Math.abs(y - r.top) < 24 &&
						rows.get(y)[0].parentElement === f.parentElement);
					if (row === undefined) rows.set(r.top, [f]); else if (Math.abs(row - r.top) > 1) rows.get(row).push(f,
						f.innerText + " begins at " + r.top + ", its neighbor at " + row);
				}
				return [...rows.values()].flat().filter(x => typeof x === "string");
			})()`) {
				w.t.Errorf("%s at %d px: %s", path, width, ragged)
			}
		}
	}
	w.visit("/leads/new") // at 1440 px
	if top := w.placeOf(`[name="property.address.zip"]`).Top - w.height(".demobar"); top > 300 {
		t.Errorf("the first field begins at %.0f px, want at most 300", top)
	}
}

// TestOffers_OneIsChosen_NothingMoves checks that the comparison below the grid begins where it began before an offer
// was chosen, also once the lender's costs have arrived.
func TestOffers_OneIsChosen_NothingMoves(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	offers := leadWith(t, screens(t, d), "offers-ready") + "/offers"
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	for _, width := range []int64{390, 1024, 1366, 1440} {
		w.setSize(width, 900, width < 600)
		w.visit(offers)
		w.waitUntil("the quote", `document.querySelector('button[name="confirm.offer"]')`)
		before := w.placeOf("#pins").Top - w.placeOf("#terms").Top
		w.click("an offer", `.offers-grid tbody tr:nth-child(2) td:nth-of-type(2) .cell`)
		w.waitUntil("it is compared", `document.querySelectorAll(".compare .chosen").length > 5`)
		w.waitUntil("the costs have been asked for", `!document.querySelector("#costs a")`)
		if after := w.placeOf("#pins").Top - w.placeOf("#terms").Top; max(after-before, before-after) > 4 {
			t.Errorf("at %d px: the comparison moves from %.0f to %.0f px", width, before, after)
		}
	}
}

// TestOffers_OnAPhone_FourTermsInView opens the offers on a phone: the payments of four terms are in view above the
// bar of the chosen offer, and every pin can be pressed without choosing the offer.
func TestOffers_OnAPhone_FourTermsInView(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	offers := leadWith(t, screens(t, d), "offers-ready") + "/offers"
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.setSize(390, 844, true)
	w.visit(offers)
	w.waitUntil("the quote", `document.querySelector('button[name="confirm.offer"]')`)
	if rate, bar := w.placeOf(`.offers-grid tbody tr:nth-child(4) td span`).Bottom,
		w.placeOf(".selection-bar").Top; rate > bar {
		t.Errorf("the fourth term ends at %.0f px, and the bar begins at %.0f", rate, bar)
	}
	for _, rates := range []string{"", "?rateType=FLOATING"} {
		w.visit(offers + rates)
		for _, width := range []int64{320, 390} {
			w.setSize(width, 844, true)
			for _, covered := range evaluate[[]string](w, `[...document.querySelectorAll(".offers-grid .pin")].flatMap(pin => {
				const r = pin.getBoundingClientRect();
				return [...pin.closest("td").querySelectorAll(".cell b, .cell span, .cell i")].flatMap(e => {
					const range = document.createRange();
					range.selectNodeContents(e);
					const text = range.getBoundingClientRect();
					return text.left < r.right - 7 && text.right > r.left && text.top < r.bottom - 7 &&
						text.bottom > r.top + 7 ? [e.innerText] : [];
				});
			})`) {
				t.Errorf("at %d px%s: a pin covers %s", width, rates, covered)
			}
		}
	}
}

// TestNewInquiry_Summary_FollowsTyping types an amount and reads it in the summary beside the form, without a reload.
func TestNewInquiry_Summary_FollowsTyping(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit("/leads/new?sample=Rivera")
	entered := func(section string) string {
		return fmt.Sprintf(`document.querySelector('.sections a[href="#%s"] .entered').innerText`, section)
	}
	w.wantTrue("the summary has the sample", entered("borrower")+` === "Elena Rivera"`)
	w.run("the amount", chromedp.Evaluate[chromedp.Void](`document.getElementById("amountWanted").select()`))
	w.keys("145000")
	w.waitUntil("the summary follows while the field has the focus",
		entered("property")+`.includes("$145,000") && document.activeElement.id === "amountWanted"`)
	w.run("the SSN", chromedp.Evaluate[chromedp.Void](`document.getElementById("applicant.ssn").focus()`))
	w.keys("666456789" + kb.Tab)
	w.run("the name", chromedp.Evaluate[chromedp.Void](`document.getElementById("applicant.name.firstName").select()`))
	w.keys("Ana" + kb.Tab)
	w.waitUntil("the name", entered("borrower")+` === "Ana Rivera"`)
	w.wantTrue("no SSN", `!/666|6789/.test(document.querySelector(".sections").innerText)`)
	w.wantTrue("the first address line is not broken before the ZIP",
		`document.querySelector(".sections .entered").textContent.includes("ID\u00a083702")`)
}

// TestOffers_LendersCosts_OneLineEach opens the costs that a lender reports for the chosen offer: each is one line in
// view, and what opens moves nothing.
func TestOffers_LendersCosts_OneLineEach(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeededDialect(t, "live")
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit("/leads?view=offers")
	offers := evaluate[string](w, `document.querySelector("a.nm").pathname`) + "/offers"
	for _, width := range []int64{390, 768, 1024, 1440} {
		w.setSize(width, 900, width < 600)
		w.visit(offers)
		w.waitUntil("the offers", `document.querySelector(".offers-grid .cell input")`)
		w.click("an offer", `.offers-grid tbody tr:nth-child(2) td:nth-of-type(2) .cell`)
		w.waitUntil("the costs", `document.querySelector("#costs summary")`)
		before := w.placeOf("#pins").Top - w.placeOf("#terms").Top
		w.click("open the costs", "#costs summary")
		w.wantTrue("the costs are open", `document.querySelector("#costs dd").checkVisibility()`)
		w.updateLead()
		w.wantTrue("the costs are open after an update", `document.querySelector("#costs dd").checkVisibility()`)
		w.wantTrue(fmt.Sprintf("at %d px each figure is on one line", width),
			`[...document.querySelectorAll("#costs dd")].every(e => e.getBoundingClientRect().height < 32)`)
		w.checkNotCut(fmt.Sprintf("costs at %d px", width), "#costs :is(dt, dd)")
		if after := w.placeOf("#pins").Top - w.placeOf("#terms").Top; after != before {
			t.Errorf("at %d px: the comparison moves from %.0f to %.0f px", width, before, after)
		}
	}
}

// TestTabs_OnAPhone_CurrentOneInView opens pages whose tab is far to the right: it is in view, with the one before it.
func TestTabs_OnAPhone_CurrentOneInView(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	lead := leadWith(t, screens(t, d), "rescission")
	w.setSize(390, 844, true)
	for _, tab := range []string{"", "/offers", "/property", "/documents", "/activity"} {
		w.visit(lead + tab)
		w.wantTrue("the tab of "+tab, `(([left, right]) => left >= 0 && right <= innerWidth)((r => [r.left, `+
			`r.right])(document.querySelector(".tabs [aria-current]").getBoundingClientRect()))`)
		w.wantTrue("the page begins at its top at "+tab, "scrollY === 0")
	}
	w.visit("/help/words")
	w.wantTrue("the section of the help",
		`document.querySelector(".sections [aria-current]").getBoundingClientRect().right <= innerWidth`)
	for _, width := range []int64{390, 768, 899, 900, 1080, 1366} {
		w.setSize(width, 768, width < 600)
		for _, path := range []string{"/help/words", "/help/start", lead + "/activity"} {
			w.visit(path)
			w.wantTrue(fmt.Sprintf("%s begins at its top at %d px", path, width), "scrollY === 0")
		}
	}
}
