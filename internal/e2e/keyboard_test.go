package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// ready waits until the scripts of a page listen.
func (w *window) ready() {
	w.t.Helper()
	w.waitUntil("the page listens",
		`document.readyState === "complete" && document.querySelector("#palette form[data-htmx-powered]")`)
}

// press presses keys one after another. Unlike keys, it types a character only if the page leaves the key to the
// browser, as a keyboard does.
func (w *window) press(keys string) {
	w.t.Helper()
	w.run("press", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, r := range keys {
			events := kb.Encode(r)
			for i, e := range events {
				if e.Type == kb.KeyChar {
					continue
				}
				if next := i + 1; next < len(events) && events[next].Type == kb.KeyChar {
					e.Text, e.UnmodifiedText = events[next].Text, events[next].UnmodifiedText
				}
				if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, *e); err != nil {
					return err
				}
			}
		}
		return nil
	}))
}

// openPalette presses Ctrl and K.
func (w *window) openPalette() {
	w.t.Helper()
	w.run("Ctrl K", chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	w.waitUntil("the palette",
		`document.querySelector("#palette").open && document.querySelector('#palette [aria-selected="true"]')`)
}

// TestPalette_FindsAndOpens uses the search by the keyboard alone.
func TestPalette_FindsAndOpens(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit("/leads?view=offers")
	w.ready()
	name := evaluate[string](w, `document.querySelector("a.nm").textContent`)
	last := name[strings.LastIndex(name, " ")+1:]
	w.press("j")
	w.wantTrue("j moves the focus to a link", `document.activeElement.matches("a.nm")`)

	w.openPalette()
	w.wantTrue("the actions are those of the focused lead",
		`document.querySelector("#found-lead").textContent.startsWith("On this lead: ")`)
	w.wantTrue("the focus is in the field", `document.activeElement.name === "q"`)
	first := evaluate[string](w, `document.activeElement.getAttribute("aria-activedescendant")`)
	w.press(kb.ArrowDown)
	w.wantTrue("the arrow moves the selection, not the focus", fmt.Sprintf(`document.activeElement.name === "q" &&
		document.activeElement.getAttribute("aria-activedescendant") !== %q
		&& document.querySelector('#palette [aria-selected="true"]').id ===
			document.activeElement.getAttribute("aria-activedescendant")`, first))
	w.press(kb.Escape)
	w.waitUntil("Esc closes it", `!document.querySelector("#palette").open`)
	w.wantTrue("the focus is back on the link", `document.activeElement.matches("a.nm")`)
	w.waitUntil("nothing of the search stays on the page",
		`!document.querySelector("#palette .hit") && !document.querySelector("#palette-q").value`)

	// Enter right after the last letter waits for the answer to what was typed.
	w.openPalette()
	w.press(strings.ToLower(last[:3]) + kb.Enter)
	w.waitUntil("the lead", `/^\/leads\/[0-9a-f-]{36}$/.test(location.pathname)`)
	w.wantTrue("what was typed is in no URL",
		`!location.search && !performance.getEntriesByType("resource").some(e => e.name.includes("q="))`)
	w.waitForText(name)

	w.ready()
	w.openPalette()
	w.press("offers")
	w.waitUntil("the action is first",
		`document.querySelector('#palette [aria-selected="true"]')?.textContent.includes("Go to offers")`)
	w.press(kb.Enter)
	w.waitUntil("the offers", `location.pathname.endsWith("/offers")`)

	// An action moves the focus to what it names, even the second time on the same page. Ctrl+Enter presses the focused
	// button, or else submits the form.
	w.visit(strings.TrimSuffix(evaluate[string](w, `location.pathname`), "/offers"))
	w.ready()
	for range 2 {
		w.openPalette()
		w.press("log call")
		w.waitUntil("the action is first",
			`document.querySelector('#palette [aria-selected="true"]')?.textContent.trim() === "Log call"`)
		w.press(kb.Enter)
		w.waitUntil("the focus is on the contact",
			`document.activeElement === document.querySelector("#form-log-contact button")`)
		w.wantTrue("the focus leaves", `(document.activeElement.blur(), true)`)
	}
	w.wantTrue("the second button is focused",
		`(document.querySelectorAll("#form-log-contact button")[1].focus(), true)`)
	w.run("Ctrl Enter", chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	w.waitForText("Last contact: Text")

	w.visit(evaluate[string](w, `location.pathname`) + "/activity")
	w.ready()
	w.wantTrue("a note is focused", `(document.querySelector('textarea[name="note"]').focus(), true)`)
	w.press("First line" + kb.Enter + "second")
	w.run("Ctrl Enter", chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	w.waitUntil("the note is saved", `[...document.querySelectorAll("li, p, article")].some(`+
		`el => /First line\s+second/.test(el.textContent)) && !document.querySelector('textarea[name="note"]').value`)
	d.checkLogHasNoPII(t)
}

// TestPalette_EarlierResultsArriveLate_NotOpened presses Enter after typing, and only then do the results of the
// empty field arrive: none of them is opened.
func TestPalette_EarlierResultsArriveLate_NotOpened(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit("/drafts")
	w.ready()
	w.openPalette()
	opened := evaluate[bool](w, `(() => {
		const form = document.querySelector("#palette form"), earlier = {sourceElement: form};
		const tell = (event, ctx) => form.dispatchEvent(new CustomEvent(event, {bubbles: true, detail: {ctx}}));
		let opened = false;
		document.querySelector("#palette-results").addEventListener("click", e => { opened = true;
			e.preventDefault(); }, true);
		window.fetch = () => new Promise(() => {}); // what is typed is never answered
		tell("htmx:before:request", earlier);
		form.elements.q.value = "tol";
		tell("htmx:before:request", {sourceElement: form});
		form.requestSubmit();
		tell("htmx:after:swap", earlier);
		return opened;
	})()`)
	if opened {
		t.Error("Enter opens a result of an earlier text")
	}
}

// TestListToSelectedOffer_ByKeyboard counts the keys from the list to the selected offer.
func TestListToSelectedOffer_ByKeyboard(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit("/leads?view=offers")
	w.ready()
	pressed := 0
	count := func(keys string) {
		pressed += utf8.RuneCountInString(keys)
		w.press(keys)
	}
	count("jj" + kb.Enter)
	w.waitUntil("the lead", `/^\/leads\/[0-9a-f-]{36}$/.test(location.pathname)`)
	w.ready()
	count("go")
	w.waitUntil("the focus is in the grid", `document.activeElement.matches("#offers-grid input")`)
	w.ready()
	w.wantTrue("no offer is chosen", `!document.querySelector("#offers-grid [type=radio]:checked")`)
	w.waitUntil("the quote",
		`document.querySelector('button[name="confirm.offer"]') && document.activeElement.matches("#offers-grid input")`)
	count(kb.ArrowDown)
	w.waitUntil("an arrow moves and chooses",
		`document.activeElement.matches("#offers-grid tr:nth-child(2) input:checked")`)
	w.wantTrue("one offer is in the tab order",
		`document.querySelectorAll('#offers-grid [type=radio][tabindex="0"]').length === 1`)
	w.wantTrue("the sentence is in the bar", `document.querySelector(".sentence").innerText.endsWith(" a month")`)
	w.waitUntil("the figures of the offer",
		`document.querySelector("#strip h3") && document.activeElement.matches("#offers-grid :checked")`)
	count(kb.Enter)
	w.waitUntil("the borrower's move", `document.title.startsWith("Borrower sign-in")`)
	if t.Logf("%d keys", pressed); pressed > 12 {
		t.Errorf("got %d keys, want at most 12", pressed)
	}
	w.waitUntil("the sheet opens by itself", `document.querySelector('#step .ways a[href^="sms:?&body="]')`)
	w.wantTrue("the message is in one language", `[...document.querySelectorAll(".ways a")].filter(a => `+
		`a.checkVisibility()).length === 2`)
	w.screenshot("handoff")
	w.wantTrue("yes is reached by keyboard", `(document.querySelector("#form-sent button").focus(), true)`)
	w.press(kb.Enter)
	w.waitForText("logged today")
	w.wantTrue("the link is hidden again", `!document.querySelector('[name="borrower.link"]')`)
}

func TestShortcuts_OffWhileTypingAndWhenTurnedOff(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("maya@summit.test")
	w.visit("/leads?view=all")
	w.ready()
	w.press("/")
	w.wantTrue("/ goes to the search of the list", `document.activeElement.id === "q"`)
	w.press("jn?gl")
	w.wantTrue("letters go into the field", `document.activeElement.value === "jn?gl" && `+
		`location.pathname === "/leads" && !document.querySelector("dialog[open]")`)
	w.visit("/leads?view=all")
	w.ready()
	w.press("jx")
	w.wantTrue("x selects the lead", `document.activeElement.closest("tr").querySelector("input").checked && `+
		`document.querySelectorAll(".pick:checked").length === 1`)
	w.press("jjk")
	w.wantTrue("j and k move by one", `[...document.querySelectorAll("a.nm")].indexOf(document.activeElement) === 1`)
	w.press("X")
	w.wantTrue("X selects all", `!document.querySelector(".pick:not(:checked)")`)
	w.press("?")
	w.waitUntil("the list of shortcuts", `document.querySelector("#shortcut-dialog[open] .kc")`)
	w.press("n")
	w.wantTrue("keys do nothing in a dialog", `location.pathname === "/leads"`)
	w.press(kb.Escape)
	w.waitUntil("it is closed", `!document.querySelector("dialog[open]")`)
	w.press("gu")
	w.waitUntil("g u", `location.pathname === "/team/unassigned"`)
	w.ready()
	w.press("n")
	w.waitUntil("n", `location.pathname === "/leads/new"`)

	w.visit("/account")
	w.click("uncheck", `#shortcuts-on`)
	w.click("save", `form[action="/account/shortcuts"] button`)
	w.waitUntil("saved", `document.readyState === "complete" && document.documentElement.dataset.keys === undefined`)
	w.visit("/leads?view=all")
	w.ready()
	w.press("j?n")
	w.wantTrue("the keys are off", `location.pathname === "/leads" && !document.querySelector("dialog[open]") && `+
		`!document.activeElement.matches("a.nm")`)
	w.openPalette()
}

// TestPalette_Accessible runs axe over the open dialogs.
func TestPalette_Accessible(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	for _, size := range []struct {
		width int64
		dark  bool
	}{{1440, false}, {390, true}, {768, true}, {390, false}} {
		name := fmt.Sprintf("-%d-dark-%v", size.width, size.dark)
		w.setSize(size.width, 900, size.width == 390)
		w.setDark(size.dark)
		w.visit("/leads?view=all")
		w.ready()
		w.openPalette()
		w.press("ma")
		w.waitUntil("people", `document.querySelector("#found-people")`)
		w.checkAccessible("palette" + name)
		w.checkNoOverflow("palette" + name)
		w.screenshot("palette" + name)
		w.press(kb.Escape)
		w.waitUntil("the palette is closed", `!document.querySelector("dialog[open]")`)
		w.press("?")
		w.waitUntil("the shortcuts", `document.querySelector("#shortcut-dialog[open] .kc")`)
		w.checkAccessible("shortcuts" + name)
		w.screenshot("shortcuts" + name)
		w.visit("/search")
		w.checkAccessible("search" + name)
		w.checkNoOverflow("search" + name)
		w.screenshot("search" + name)
	}
}

// TestSearch_WithoutScripts: the bar has an ordinary form for leads, and no button that does nothing.
func TestSearch_WithoutScripts(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.enableScripts(false)
	w.signInWithoutScripts("olivia@summit.test")
	if got := w.text(); strings.Contains(got, "Search or jump to") {
		t.Error("the button for the dialog is displayed")
	}
	w.typeInto(`#find`, "zzzz\r")
	waitFor(t, stepTimeout, "the list", func() bool { return strings.Contains(w.text(), "No leads match.") })
}
