package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestShowBorrower_EscapeCardAndNames: Escape goes back to the offers; one offer is a card, not a stripe; and on the
// page, on a phone and in print the names of the chart's lines cover each other nowhere.
func TestShowBorrower_EscapeCardAndNames(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit("/leads?view=offers")
	offers := evaluate[string](w, `new URL(document.querySelector("a.nm").href).pathname`) + "/offers"
	w.visit(offers)
	w.waitUntil("the quote",
		`document.querySelector('button[name="confirm.offer"]') && document.querySelector("#lead[data-htmx-powered]")`)
	const pinned = `document.querySelectorAll("td [name=pin]:checked").length === %d`
	for i, row := range []int{2, 3, 4} { // 10, 15 and 30 years
		w.click("pin", fmt.Sprintf(`#offers-grid tbody tr:nth-child(%d) td:nth-of-type(2) .pin`, row))
		w.waitUntil("it is pinned", fmt.Sprintf(
			pinned+` && document.querySelectorAll(".compare thead th.num").length === %[1]d`, i+1))
		w.waitUntil("the page for the borrower has it",
			fmt.Sprintf(`[...document.querySelectorAll('a[href*="/show?"]')].some(a => new `+
				`URL(a.href).searchParams.getAll("offer").length === %d)`, i+1))
		shown := evaluate[string](w,
			`(a => a.pathname + a.search)(new URL([...document.querySelectorAll('a[href*="/show?"]')].at(-1).href))`)
		back := w.newTab(t)
		back.visit(shown)
		for _, width := range []int64{1440, 390} {
			back.setSize(width, 900, width < 600)
			back.wantTrue(fmt.Sprintf("%d names beside lines at %d px are apart", i+1, width),
				`[...document.querySelectorAll(".bchart .w")].every((a, i, all) => all.slice(0, i).every(b => {
				const p = a.getBoundingClientRect(), q = b.getBoundingClientRect();
				return p.right <= q.left || q.right <= p.left || p.bottom <= q.top || q.bottom <= p.top;
			}))`)
			back.screenshot(fmt.Sprintf("show-%d-offers-%d", i+1, width))
		}
		back.setSize(1440, 900, false)
		if i == 0 {
			back.wantTrue("a single offer is a card", `document.querySelector(".opt2").getBoundingClientRect().width < 560`)
		}
		back.keys(kb.Escape)
		back.waitUntil("the offers", fmt.Sprintf(`location.pathname === %q`, offers))
	}
}
