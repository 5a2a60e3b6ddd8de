package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// drop drops files with these contents on the page.
func (w *window) drop(what string, contents ...string) {
	w.t.Helper()
	files, err := json.Marshal(contents)
	if err != nil {
		w.t.Fatal(err)
	}
	w.run(what, chromedp.Evaluate[chromedp.Void](`{
		const dataTransfer = new DataTransfer();
		for (const text of `+string(files)+`) dataTransfer.items.add(new File([text], "1003.xml"));
		for (const type of ["dragover", "drop"]) document.querySelector("h1").dispatchEvent(new DragEvent(type,
			{dataTransfer, bubbles: true, cancelable: true}));
	}`))
}

// TestImport_DropOnPage_ReviewedThenDraft drops loan files on a new inquiry and on the list: two at once, one that
// cannot be read, and one that is reviewed. Choosing the other borrower folds the first one's rows.
func TestImport_DropOnPage_ReviewedThenDraft(t *testing.T) {
	chromium(t)
	t.Parallel()
	file, err := os.ReadFile("../mismo/testdata/encompass.xml")
	if err != nil {
		t.Fatal(err)
	}
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit("/leads/new")
	w.drop("two files", string(file), string(file))
	w.waitUntil("one file is asked for",
		`document.getElementById("said").textContent === "Drop one file" && document.querySelector("details#import").open`)
	w.drop("another format", "EH 3.2")
	w.waitUntil("the reason is beside the field", `document.getElementById("file")?.getAttribute("aria-invalid") === `+
		`"true" && document.getElementById("file-e").textContent.includes("Fannie Mae 3.2")`)
	w.checkAccessible("import-error")
	w.visit("/leads")
	w.drop("a loan file", string(file))
	w.waitUntil("the review is open", `location.pathname.startsWith("/leads/import/") && `+
		`document.querySelector('[name="applicant"]:checked')?.closest("label").textContent.includes("Elena")`)
	for _, width := range []int64{1440, 390, 320} {
		w.setSize(width, 900, width < 600)
		w.run("every place in the file", chromedp.Evaluate[chromedp.Void](
			`for (const d of document.querySelectorAll("#review details")) d.open = true; scrollTo(0, 0)`))
		w.checkNoOverflow("import")
		if width < 600 {
			w.checkTargets("import")
		}
		w.setDark(width == 390)
		if width != 320 {
			w.checkAccessible("import")
		}
		w.screenshot(fmt.Sprint("import-", width))
	}
	w.setDark(false)
	w.setSize(1440, 1000, false)
	const sum = `document.querySelector('.of-applicant-1 [data-sum$="grossAnnualIncome"]')`
	w.run("uncheck an income",
		chromedp.Evaluate[chromedp.Void](`document.querySelector(".of-applicant-1 [data-adds]").focus()`))
	w.keys(" ")
	w.waitUntil("the sum follows", sum+`.textContent === "$0"`)
	w.run("the applicant",
		chromedp.Evaluate[chromedp.Void](`document.querySelector('[name="applicant"]:checked').focus()`))
	w.keys(kb.ArrowUp)
	w.waitUntil("the other borrower’s rows are shown",
		`!`+sum+`.checkVisibility() && document.querySelector(".of-applicant-0").checkVisibility()`)
	w.keys(kb.ArrowDown)
	w.keys(kb.Enter)
	w.waitUntil("the draft is open", `location.search.startsWith("?draft=") && `+
		`document.getElementById("applicant.name.lastName")?.value === "Rivera" && `+
		`document.getElementById("applicant.income.grossAnnualIncome").value === ""`)
	w.visit("/drafts")
	if n := evaluate[int](w, `document.querySelectorAll('tr[id^="draft-"]').length`); n != 1 {
		t.Errorf("got %d drafts, want only the imported one", n)
	}
}
