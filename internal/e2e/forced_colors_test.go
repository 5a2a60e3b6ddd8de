package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// chosenAlike is a JavaScript expression: what is chosen or current on the page and looks like what is not. Text in
// another weight does not count, because forced colors are for people who would not see it.
const chosenAlike = `(() => {
	const canvas = getComputedStyle(document.documentElement).backgroundColor;
	const look = (e, pseudo) => {
		const s = getComputedStyle(e, pseudo), back = s.backgroundColor;
		if (pseudo && (s.content === "none" || s.content === "normal")) return "";
		const edge = side => s["border" + side + "Style"] === "none" || s["border" + side + "Width"] === "0px" ? "" :
			[s["border" + side + "Width"], s["border" + side + "Style"], s["border" + side + "Color"]].join(" ");
		return [/, 0\)$/.test(back) ? canvas : back, s.outlineStyle === "none" ? "" : s.outlineWidth + s.outlineColor,
			...["Top", "Right", "Bottom", "Left"].map(edge)].join("; ");
	};
	const looks = e => [look(e), look(e, "::before"), look(e, "::after")].join(" | ");
	const hidden = i => getComputedStyle(i).opacity === "0" || i.closest(".vh");
	const pairs = [];
	const compare = (chosen, others) => pairs.push(...others.map(o => [chosen, o]));
	for (const e of document.querySelectorAll('[aria-current]:not([aria-current="false"])')) {
		const all = [...e.closest("nav, ol, ul, .lanes, .menu, .langs").querySelectorAll(e.localName)];
		compare(e, all.filter(o => !o.matches('[aria-current]:not([aria-current="false"])')));
	}
	for (const e of document.querySelectorAll('[aria-pressed="true"]')) compare(e,
		[...e.parentElement.querySelectorAll('[aria-pressed="false"]')]);
	for (const e of document.querySelectorAll('[aria-selected="true"]')) compare(e,
		[...e.closest("[role=listbox]").querySelectorAll('[aria-selected="false"]')]);
	for (const i of document.querySelectorAll("label > :is([type=radio], [type=checkbox]):checked")) {
		if (hidden(i)) compare(i.parentElement, [...document.querySelectorAll("label > input:not(:checked)")].filter(o =>
			o.name === i.name && o.form === i.form).map(o => o.parentElement));
	}
	for (const e of document.querySelectorAll(".progress .done, .progress .now")) compare(e,
		[...e.parentElement.children].filter(o => o.className !== e.className));
	for (const e of document.querySelectorAll(".compare .chosen")) compare(e,
		[...e.parentElement.querySelectorAll("td:not(.chosen, .slot)")]);
	for (const e of document.querySelectorAll(".grid tr.cur > :first-child")) compare(e,
		[...e.closest("tbody").querySelectorAll("tr:not(.cur) > :first-child")]);
	for (const e of document.querySelectorAll(".btn.pri:enabled")) compare(e,
		[...document.querySelectorAll("button.btn:enabled:not(.pri, .ghost)")]);
	const said = new Set();
	for (const [chosen, other] of pairs) {
		if (chosen.checkVisibility() && other.checkVisibility() &&
			looks(chosen) === looks(other)) said.add(chosen.outerHTML.replace(/\s+/g, " ").slice(0, 130) + " is like " +
				other.outerHTML.replace(/\s+/g, " ").slice(0, 130));
	}
	return [...said].slice(0, 4);
})()`

// checkForcedColors fails where forced colors, which take away backgrounds and shadows, do not show what is chosen.
func (w *window) checkForcedColors(name string) {
	w.t.Helper()
	w.setForcedColors(true)
	defer w.setForcedColors(false)
	for _, alike := range evaluate[[]string](w, chosenAlike) {
		w.t.Errorf("%s, forced colors: %s", name, alike)
	}
	w.screenshot(name + "-forced")
}

// TestForcedColors_ChosenAndCurrent_LookSo looks at what is chosen by pressing: an offer and its rate type, pins, the
// color scheme, a result of the search, and the language of the borrower's page. What a page shows when it opens is
// checked where axe checks the page.
func TestForcedColors_ChosenAndCurrent_LookSo(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	for _, width := range []int64{1440, 390} {
		w.setSize(width, 1000, width < 600)
		name := fmt.Sprintf("-%d", width)
		w.visit("/leads?view=offers")
		w.checkForcedColors("pipeline" + name)
		lead := evaluate[string](w, `new URL(document.querySelector("a.nm").href).pathname`)
		w.visit(lead + "/offers?plan=shown") // without the scenario of the other width
		w.waitUntil("the quote",
			`document.querySelector('button[name="confirm.offer"]') && document.querySelector("#lead[data-htmx-powered]")`)
		w.click("pin", `tbody tr:nth-child(2) td:nth-of-type(2) .pin`)
		w.waitUntil("the comparison", `document.querySelectorAll(".compare thead th.num").length === 1`)
		w.click("pin another", `tbody tr:nth-child(3) td:nth-of-type(1) .pin`)
		w.waitUntil("two offers are side by side", `document.querySelectorAll(".compare thead th.num").length === 2`)
		w.click("choose", `tbody tr:nth-child(2) td:nth-of-type(2) .cell`)
		w.waitUntil("the offer is chosen", `document.querySelector(".compare .chosen")`)
		w.checkForcedColors("offers-chosen" + name)
		w.visit(lead + "/show")
		w.checkForcedColors("show" + name)
		w.visit("/leads/new?sample=Rivera")
		w.checkForcedColors("intake" + name)
	}
	w.setSize(1440, 1000, false)
	w.visit("/leads")
	w.click("the menu", `.who`)
	w.click("dark", `[data-theme-set="dark"]`)
	w.checkForcedColors("menu")
	w.click("as the system", `[data-theme-set="system"]`)
	w.press(kb.Escape)
	w.ready()
	w.openPalette()
	w.press("ma")
	w.waitUntil("results",
		`document.querySelectorAll('[role="option"]').length > 1 && document.querySelector('[aria-selected="true"]')`)
	w.checkForcedColors("search")
	maya := w.incognito(t)
	maya.signIn("maya@summit.test")
	for name, path := range map[string]string{"reports": "/reports?period=12-months", "stuck": "/team/stuck",
		"team": "/team"} {
		maya.visit(path)
		maya.checkForcedColors(name)
	}
}
