package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// wantOpened fails unless what a button has opened is in the window and has the focus. What is no dialog, which is in
// the middle of the window, is also at its button. The selector finds nothing before it is opened: a pressed link has
// the focus until the page that it opens replaces it.
func (w *window) wantOpened(name, opened, button string) {
	w.t.Helper()
	w.waitUntil(name+" has the focus", fmt.Sprintf(`document.querySelector(%q)?.contains(document.activeElement)`, opened))
	at := "null"
	if button != "" {
		at = fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect()`, button)
	}
	got := evaluate[string](w, fmt.Sprintf(`(() => {
		const r = document.activeElement.getBoundingClientRect(), o = document.querySelector(%q),
			p = o.getBoundingClientRect(), b = %s;
		if (r.top < 0 || r.bottom > innerHeight || r.left < 0 || r.right > innerWidth) return "outside the window: " +
			JSON.stringify(r);
		const gap = b && !o.matches(".dialog") ? Math.max(p.top - b.bottom, b.top - p.bottom, p.left - b.right,
			b.left - p.right) : 0;
		return gap > 12 ? "is " + Math.round(gap) + " px from its button" : "";
	})()`, opened, at))
	if got != "" {
		w.t.Errorf("%s: %s", name, got)
	}
}

// TestOpened_ByButton_AtItWithFocus presses every button that opens something, on a phone and in a wide window.
func TestOpened_ByButton_AtItWithFocus(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	pages := screens(t, d)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	lead := leadWith(t, pages, "borrower-sign-in")
	const buttons = `[...document.querySelectorAll("button[popovertarget]:not([popovertargetaction])")].filter(b => ` +
		`b.checkVisibility() && !b.closest("[popover]")).map(b => b.getAttribute("popovertarget"))`
	for _, width := range []int64{390, 1440} {
		w.setSize(width, 844, width < 600)
		for _, path := range []string{"/leads?view=all", lead, leadWith(t, pages, "offers-ready") + "/offers",
			"/leads/new?sample=Rivera", "/ui"} {
			w.visit(path)
			for _, id := range slices.Compact(evaluate[[]string](w, buttons)) {
				name, button, opened := fmt.Sprintf("%s: %s at %d px", path, id, width),
					fmt.Sprintf(`button[popovertarget=%q]`, id), "#"+id
				w.click(name, button)
				w.wantOpened(name, opened, button)
				w.keys(kb.Escape)
				w.waitUntil(name+" is closed", fmt.Sprintf(`!document.querySelector(%q).matches(":popover-open")`, opened))
			}
		}
		w.visit(lead)
		w.click("the sign-in link", `#step a[href$="/borrower-link"]`)
		w.wantOpened(fmt.Sprintf("the sign-in link at %d px", width), "#step #sign-in-link [readonly]", "")
		w.screenshot(fmt.Sprintf("sign-in-link-%d", width))
		w.visit(lead)
		for _, how := range []string{"call", "email"} {
			w.click("show "+how, fmt.Sprintf(`#form-reach button[value=%q]`, how))
			w.wantOpened(fmt.Sprintf("what to %s at %d px", how, width), "#borrower-part[data-hide-after]", "")
			w.click("hide", `#borrower-part a[href$="`+lead+`"]`)
			w.waitUntil("hidden", `document.querySelector("#form-reach")`)
		}
	}
}
