package e2e

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// blockStorage makes a frame's storage inaccessible, as a browser does that blocks the data of other sites.
const blockStorage = `if (parent !== self) {
	for (const name of ["sessionStorage", "localStorage"]) {
		Object.defineProperty(self, name, {get() { throw new DOMException("Access is denied for this document.",
			"SecurityError") }});
	}
	addEventListener("DOMContentLoaded", () => {
		try { sessionStorage } catch { document.documentElement.dataset.noStorage = "" }
	});
}`

// TestEmbed_StorageBlocked_HostLearnsOfChanges works on a record in a browser that stores nothing for frames except
// partitioned cookies. The host learns of a change on the page that shows it, and of one that happened while the
// frame showed another page.
func TestEmbed_StorageBlocked_HostLearnsOfChanges(t *testing.T) {
	d, crm := startWithCRM(t, "jwt")
	f := d.openFrameBrowser(t, cookiesBlocked)
	f.run("no storage in frames", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdppage.AddScriptToEvaluateOnNewDocument,
			cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: blockStorage})
		return err
	}))
	f.run("the record", chromedp.Navigate(crm+"/record?mfa=yes&kind=jwt&record=D-1001"))
	f.waitForText("Continue as Olivia Bennett")
	f.frameUntil("no storage, or the test proves nothing", `"noStorage" in document.documentElement.dataset`)
	changes := func() int { return strings.Count(f.hostMessages(), "portal.changed") }
	f.mouseClick("Continue as", `#continue button`)
	f.frameUntil("the intake",
		`/\/leads\/new$/.test(location.pathname) && document.querySelector('[name="applicant.name.lastName"]').value`)
	f.fillMissing(sampleInquiry(t, d))
	f.clickUntilDone("send", sendInquiry, `/\/leads\/[0-9a-f-]{36}$/.test(location.pathname)`)
	f.frameUntil("offers", `document.querySelector('[name="offer.offerUuid"]')`)
	waitFor(t, stepTimeout, "the CRM is notified of the offers", func() bool { return changes() > 0 })

	app := mustEvaluate[string](f, `location.pathname.split("/").pop()`)
	f.mouseClick("all leads", `.framebar nav a[href$="/leads"]`)
	f.frameUntil("the list", `/\/leads$/.test(location.pathname)`)
	before := changes()
	olivia := d.signIn(t, "olivia@summit.test")
	olivia.send(olivia.get("/leads/"+app).form("#form-cancel").with("confirm.cancel", "true"))
	f.mouseClick("this record", `.framebar nav a`)
	f.waitForText("Canceled")
	waitFor(t, stepTimeout, "the CRM is notified of what happened meanwhile", func() bool { return changes() > before })
	before = changes()
	f.mouseClick("the documents", `#lead .tabs a[href$="/documents"]`)
	f.frameUntil("the documents", `/\/documents$/.test(location.pathname)`)
	if got := changes(); got != before {
		t.Errorf("got %d messages, want %d: nothing has changed", got, before)
	}
	// The lender processes a selection.
	for _, step := range []string{"offers_available", "in_progress", "borrower_auth_required"} {
		f.frameUntil(step, `(() => { document.querySelector("[data-stand]").dataset.stand = "1 `+step+`"; return true })()`)
	}
	waitFor(t, stepTimeout, "the CRM is notified of the selection", func() bool {
		return strings.Count(f.hostMessages(), "portal.selected") == 1
	})
}
