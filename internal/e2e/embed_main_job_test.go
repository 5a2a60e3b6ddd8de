package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// The tests of the main job work on records in the frame of another site's page: with third-party cookies, without
// them, and in a browser that stores none at all.

func TestEmbed_MainJob_CookiesAllowed(t *testing.T) {
	d, crm := startWithCRM(t, "jwt")
	d.openFrameBrowser(t, cookiesAllowed).workRecord(crm, "jwt", "D-1001", true)
}

func TestEmbed_MainJob_CookiesBlocked(t *testing.T) {
	d, crm := startWithCRM(t, "canvas")
	d.openFrameBrowser(t, cookiesBlocked).workRecord(crm, "canvas", "C-51", false)
}

func TestEmbed_MainJob_CookiesNowhere(t *testing.T) {
	d, crm := startWithCRM(t, "jwt")
	d.openFrameBrowser(t, cookiesUnavailable).checkTabFallback(crm)
}

// startWithCRM starts a demo in which Olivia has connected the sample CRM of a kind, and returns the CRM's URL.
func startWithCRM(t *testing.T, kind string) (d *demo, crm string) {
	t.Helper()
	chromium(t)
	t.Parallel()
	d = startSeeded(t, "SANDBOX_PROCESSING=500ms")
	crm = d.crmURL(t)
	d.connectCRM(t, crm, kind, "olivia")
	return d, crm
}

// workRecord works on one record, from the click in the CRM to signing out.
func (f embedFrame) workRecord(crm, kind, record string, stored bool) {
	t := f.t
	address := crm + "/record?mfa=yes&kind=" + kind + "&record=" + record
	began := time.Now()
	f.run("the record", chromedp.Navigate(address))
	f.waitForText("Continue as Olivia Bennett")
	if got := mustEvaluate[bool](f, `document.hasStorageAccess()`); got != stored {
		t.Fatalf("third-party cookies stored: got %v, want %v", got, stored)
	}
	entries := evaluate[int](f.window, `history.length`)
	f.mouseClick("Continue as", `#continue button`)
	f.frameUntil("the intake",
		`/\/leads\/new$/.test(location.pathname) && document.querySelector('[name="applicant.name.lastName"]').value`)
	t.Logf("from opening the record in the CRM to the prefilled form: one click, nothing typed, %s",
		time.Since(began).Round(10*time.Millisecond))
	f.frameUntil("the record's ID is in the intake",
		`[...document.querySelectorAll('[name^="partnerDataRequest."]')].some(el => el.value === "`+record+`")`)
	f.waitUntil("the frame is taller", `document.querySelector("iframe").offsetHeight > 1500`)

	f.fillMissing(sampleInquiry(t, f.demo))
	f.setValue(`[name="applicant.dob"]`, "13/45/1979")
	// The script marks the field, which moves what is below it; the summary of errors is only in the response.
	f.frameUntil("the field is marked",
		`document.querySelector('[name="applicant.dob"]').getAttribute("aria-invalid") === "true"`)
	f.clickUntilDone("send an invalid form", sendInquiry, `document.querySelector('#complaints')`)
	f.setValue(`[name="applicant.dob"]`, "05/14/1979")
	f.clickUntilDone("send", sendInquiry, `/\/leads\/[0-9a-f-]{36}$/.test(location.pathname)`)
	f.frameUntil("offers", `document.querySelector('[name="offer.offerUuid"]')`)
	f.waitUntil("the CRM is notified", `document.querySelector("#events").innerText.includes("portal.changed")`)
	f.waitUntil("the card", `document.querySelector("#card").innerText.includes("Offers ready")`)
	f.screenshot("embed-offers-" + kind)
	f.unlinkAndRelink()

	f.setValue(`[name="note"]`, "Calls back on Monday")
	f.mouseClick("save a note", `form[action$="/note"] button`)
	f.waitForText("Calls back on Monday")
	f.selectOfferUncovered()
	f.checkDownloads()
	f.reassign()
	if got := evaluate[int](f.window, `history.length`); got != entries {
		t.Errorf("the CRM's Back button: got %d entries, want %d as at the start", got, entries)
	}
	if messages := f.hostMessages(); strings.Contains(messages, "Rivera") || strings.Contains(messages, "Raman") ||
		regexp.MustCompile(`[0-9a-f]{8}-|http|@`).MatchString(messages) {
		t.Errorf("a message contains borrower data: %s", messages)
	}
	f.leaveFrame()
}

// unlinkAndRelink unlinks the lead from the record and links it again: the CRM is notified of both.
func (f embedFrame) unlinkAndRelink() {
	f.t.Helper()
	changes := func() int { return strings.Count(f.hostMessages(), "portal.changed") }
	before := changes()
	f.clickUntilDone("the record's details", `#records > summary`, `document.querySelector("#records[open]")`)
	f.screenshot("embed-take-off")
	f.clickUntilDone("unlink the lead", `#form-take-off button`, `/\/leads\/new$/.test(location.pathname)`,
		`(() => { const box = document.querySelector('[name="confirm.take-off"]'); if (!box.checked) box.click(); `+
			`return true })()`)
	f.screenshot("embed-taken-off")
	waitFor(f.t, stepTimeout, "the CRM is notified that the record has no lead", func() bool { return changes() > before })
	before = changes()
	f.mouseClick("link it again", `#elsewhere button`)
	f.frameUntil("the lead", `/\/leads\/[0-9a-f-]{36}$/.test(location.pathname) && document.querySelector("#records")`)
	waitFor(f.t, stepTimeout, "the CRM is notified of the lead", func() bool { return changes() > before })
}

const (
	sendInquiry = `form#intake .dock button.pri`
	selectOffer = `#select button.pri[type="submit"], button.pri[form="select"]`
)

// sampleInquiry returns what a user would type in addition to the CRM's data.
func sampleInquiry(t *testing.T, d *demo) form {
	t.Helper()
	return d.signIn(t, "olivia@summit.test").get("/leads/new?sample=Rivera").form(`form#intake`)
}

// fillMissing fills in what the CRM does not provide.
func (f embedFrame) fillMissing(sample form) {
	f.t.Helper()
	values, _ := json.Marshal(sample.values)
	mustEvaluate[bool](f, `(() => { const form = document.querySelector("form#intake"), given = `+string(values)+`;
		for (const [name, all] of Object.entries(given)) {
			if (["operation", "draft"].includes(name)) continue;
			const els = [...form.querySelectorAll('[name="' + name + '"]')];
			els.forEach((el, i) => { if (el.type === "checkbox" || el.type === "radio") {
				if (all.includes(el.value)) el.checked = true } else if (!el.value) el.value = all[i] ?? all[0] });
		}
		form.querySelector('[name="consent.method"][value="recorded-call"]').checked = true;
		form.querySelector('[name="consent.attested"]').checked = true;
		return true })()`)
}

// setValue sets the value of a control in the frame.
func (f embedFrame) setValue(selector, value string) {
	f.t.Helper()
	f.frameUntil(selector, fmt.Sprintf(`document.querySelector(%q)`, selector))
	mustEvaluate[bool](f, fmt.Sprintf(`(() => { const el = document.querySelector(%q); el.value = %q; `+
		`el.dispatchEvent(new Event("input", {bubbles: true})); return true })()`, selector, value))
}

// openOffers follows the overview's link to the offers and waits until one of them can be selected.
func (f embedFrame) openOffers() {
	f.t.Helper()
	f.clickUntilDone("open the offers", `#step a.btn.pri`, `document.querySelector('button[name="confirm.offer"]')`)
}

// chooseOffer chooses an offer and waits for its figures, which replace what is on the page.
func (f embedFrame) chooseOffer(index int) {
	f.t.Helper()
	mustEvaluate[bool](f, fmt.Sprintf(`(document.querySelectorAll('[name="offer.offerUuid"]')[%d].click(), true)`, index))
	f.frameUntil("the figures of the offer",
		`document.querySelector("#strip h3") && document.querySelector('[name="confirm.sentence"]').value`)
}

// selectOfferUncovered checks that a click is refused while the page around the frame covers the button, and accepted
// when the browser saw it uncovered.
func (f embedFrame) selectOfferUncovered() {
	f.t.Helper()
	f.openOffers()
	f.chooseOffer(0)
	f.overlay(true)
	f.clickAfter("select while covered", selectOffer, 900)
	f.frameUntil("the selection is refused here",
		`document.querySelector(".beside")?.innerText.includes("Nothing was sent")`)
	f.screenshot("embed-window-of-its-own")
	f.overlay(false)
	// The update may come before the response: the response leads to another page.
	f.clickUntilDone("select uncovered", selectOffer,
		`document.title.startsWith("Borrower sign-in") && !document.documentElement.hasAttribute("data-before")`,
		`document.documentElement.setAttribute("data-before", "")`)
	f.screenshot("embed-selected")
}

// checkDownloads downloads a document and follows the tabs.
func (f embedFrame) checkDownloads() {
	f.t.Helper()
	dir := f.t.TempDir()
	f.run("downloads", chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		events := true
		_, err := cdp.Call(ctx, chromedp.FromContext(ctx).Browser, browser.SetDownloadBehavior,
			browser.SetDownloadBehaviorParams{
				Behavior: "allow", DownloadPath: dir, EventsEnabled: &events,
			})
		return err
	}))
	f.mouseClick("the documents", `.tabs a[href$="/documents"]`)
	// A request by a tab or by the browser's downloader would not have the frame's session.
	f.mouseClick("download", `#documents a[href*="/documents/"]`)
	waitFor(f.t, stepTimeout, "the file", func() bool {
		files, _ := filepath.Glob(filepath.Join(dir, "*.pdf"))
		if len(files) == 0 {
			return false
		}
		content, err := os.ReadFile(files[0])
		return err == nil && strings.HasPrefix(string(content), "%PDF") && strings.Contains(string(content), "%%EOF")
	})
	f.waitForText("Documents")
}

// reassign reassigns the lead to a colleague: the user loses access to it, and the frame shows their list.
func (f embedFrame) reassign() {
	f.t.Helper()
	f.mouseClick("this record", `.framebar nav a`)
	f.mouseClick("reassign", `a[href$="/reassign"]`)
	f.frameUntil("the assignee", `document.querySelector('[name="newLoanOriginatorUuid"]')`)
	f.screenshot("embed-hand-over")
	const marcus = `(() => { const el = [...document.querySelectorAll('[name="newLoanOriginatorUuid"]')].find(el =>
		el.closest("label, tr, li, .ck")?.innerText.includes("Marcus"));
		el.checked = true; document.querySelector('[name="confirm.reassign"]').checked = true; return true })()`
	f.clickUntilDone("submit the reassignment", `#form-reassign button.pri`, `/\/leads$/.test(location.pathname)`, marcus)
}

// leaveFrame signs out: the frame says so, and the browser no longer has the cookie.
func (f embedFrame) leaveFrame() {
	f.t.Helper()
	before := f.hostMessages()
	f.mouseClick("sign out", `.framebar form button`)
	f.waitForText("You’re signed out")
	for _, name := range f.cookies() {
		if strings.HasPrefix(name, "e-") || strings.HasPrefix(name, "t-") {
			f.t.Errorf("the browser still has the cookie %s", name)
		}
	}
	if more := strings.TrimSuffix(f.hostMessages(), before); regexp.MustCompile(`"type":"portal\.[^r]`).MatchString(more) {
		f.t.Errorf("the CRM was notified of the sign-out: %s", more)
	}
	_, _ = evaluateInFrame[bool](f, `location.replace(location.pathname + "leads") || true`)
	f.waitUntil("the CRM is notified of the sign-out",
		`document.querySelector("#events").innerText.includes("portal.expired")`)
	f.waitForText("Continue as Olivia Bennett")
}

// cookies returns the names of all cookies in the browser.
func (w *window) cookies() []string {
	w.t.Helper()
	var names []string
	w.run("cookies", chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		c := chromedp.FromContext(ctx)
		got, err := cdp.Call(ctx, c.Browser, storage.GetCookies,
			storage.GetCookiesParams{BrowserContextID: c.BrowserContextID})
		if err != nil {
			return err
		}
		for _, one := range got.Cookies {
			names = append(names, one.Name)
		}
		return nil
	}))
	return names
}

// checkTabFallback continues in a tab when the frame cannot store cookies: it takes one more click, and the frame
// remains a page without data.
func (f embedFrame) checkTabFallback(crm string) {
	f.run("the record", chromedp.Navigate(crm+"/record?kind=jwt&mfa=yes&record=D-1002"))
	f.mouseClick("Continue as", `#continue button`)
	f.frameUntil("the offer of a tab", `document.querySelector("[data-without-cookie]:not([hidden]) button")`)
	f.screenshot("embed-fallback")
	tab := f.waitForTab("a separate tab", func() { f.mouseClick("open it", `[data-without-cookie] button`) })
	tab.waitUntil("the intake in the tab", `/^\/e\/sample-jwt-mfa\/[0-9a-f]{32}\/leads\/new$/.test(location.pathname) `+
		`&& document.querySelector('[name="applicant.name.lastName"]')?.value === "Whitfield-Liens"`)
	tab.screenshot("embed-fallback-tab")
	if got := tab.cookies(); strings.Join(got, " ") != "t-sample-jwt-mfa" {
		f.t.Errorf("got the cookies %v, want only the tab's", got)
	}
	tab.visit("/leads")
	tab.waitUntil("the full desk asks for a sign-in", `location.pathname === "/login"`)
	if text := mustEvaluate[string](f, `document.body.innerText`); strings.Contains(text, "Whitfield") {
		f.t.Errorf("the frame shows borrower data: %s", text)
	}
}

// TestEmbed_UnlistedHost_Blocked reads the policy that browsers enforce.
func TestEmbed_UnlistedHost_Blocked(t *testing.T) {
	t.Parallel()
	d := startSeeded(t)
	res, err := http.Get(d.url + "/e/sample-jwt/x/leads")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if got := res.Header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors "+d.crmURL(t)+";") {
		t.Errorf("got %q", got)
	}
}
