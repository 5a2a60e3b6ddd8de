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

// TestImport_DropOnPage_FillsANewDraft drops loan files on a new inquiry: two at once, one that cannot be read, and one
// that fills in the form. Closing the report keeps what was typed since.
func TestImport_DropOnPage_FillsANewDraft(t *testing.T) {
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
	w.drop("a loan file", string(file))
	w.waitUntil("the form is filled", `location.search.startsWith("?draft=") && `+
		`document.getElementById("applicant.name.lastName")?.value === "Rivera" && `+
		`document.querySelectorAll("#imported").length === 1`)
	for _, width := range []int64{1440, 390, 320} {
		w.setSize(width, 900, width < 600)
		w.run("what was not imported",
			chromedp.Evaluate[chromedp.Void](`document.querySelector("#imported details").open = true; scrollTo(0, 0)`))
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
	w.run("the SSN", chromedp.Evaluate[chromedp.Void](`document.getElementById("applicant.ssn").focus()`))
	w.keys("123456789")
	w.click("close the report", `#imported button[name="import.close"]`)
	w.waitUntil("it is closed and saved",
		`!document.getElementById("imported") && document.getElementById("said").textContent === "Draft saved"`)
	w.waitUntil("the SSN is still there", `document.getElementById("applicant.ssn").value.replaceAll("-", `+
		`"") === "123456789" && document.activeElement.matches("#import summary")`)
	w.keys(kb.Tab)
	w.run("open the draft again", chromedp.Evaluate[chromedp.Void](`location.reload()`))
	w.waitUntil("the report stays closed", `performance.getEntriesByType("navigation")[0].type === "reload" && `+
		`document.getElementById("applicant.name.lastName")?.value === "Rivera" && !document.getElementById("imported")`)
	w.visit("/drafts")
	if n := evaluate[int](w, `document.querySelectorAll('tr[id^="draft-"]').length`); n != 1 {
		t.Errorf("got %d drafts, want only the imported one", n)
	}
}
