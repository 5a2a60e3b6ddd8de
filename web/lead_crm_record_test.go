package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
)

// linkLead links a lead that was started outside the frame, with the record's number, to the record.
func (f *embedFrame) linkLead(app string) {
	f.h.t.Helper()
	taken := f.send(postedForm{action: f.base + "/record", values: url.Values{"record.lead": {strings.TrimPrefix(app, "/leads/")}}})
	if !strings.HasSuffix(taken.path, app) {
		f.h.t.Fatalf("linking led to %s (%d): %s", taken.path, taken.status, taken.text())
	}
}

// TestUnlinkRecord_InFrame_Confirmed unlinks a lead that was linked by mistake.
func TestUnlinkRecord_InFrame_Confirmed(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	olivia := h.signInAs("olivia")
	app := olivia.startLead("Rivera", "partnerDataRequest.externalCustomerId", "51")
	olivia.waitFor(app, `input[name="offer.offerUuid"]`)
	f := a.openFrame(launchFor("51"))
	f.linkLead(app)
	page := f.get(app)
	status, _ := page.Find("#lead").Attr("data-stand")
	if !strings.Contains(status, strings.TrimPrefix(app, "/leads/")) {
		t.Errorf("the status of the record's lead: got %q", status)
	}
	page.wantText("Record 51 (deal) in CRM acme", "customer number", "cannot be called back")
	form := page.form("#form-take-off")
	before := h.leadRow(heloc.AppID(strings.TrimPrefix(app, "/leads/")))

	if got := f.send(form.with("frame.seen", "true")); got.status != http.StatusUnprocessableEntity || got.Find(`#records[open] [name="confirm.take-off"][aria-invalid="true"]`).Length() != 1 {
		t.Errorf("without the checkbox: got %d: %s", got.status, got.Find("#records").Text())
	}
	form = form.with("confirm.take-off", "true")
	for _, word := range []string{"", "unjudged"} {
		if got := f.send(form.with("frame.seen", word)); got.status != http.StatusForbidden || !strings.Contains(got.text(), "Continue in a new tab") {
			t.Errorf("visibility %q: got %d: %s", word, got.status, got.text())
		}
	}
	if got := f.get("/"); !strings.HasSuffix(got.path, app) {
		t.Fatalf("an attack unlinked the lead: the record opens %s", got.path)
	}
	got := f.send(form.with("frame.seen", "true"))
	if !strings.HasSuffix(got.path, "/leads/new") || got.Find(`#elsewhere button[value="`+strings.TrimPrefix(app, "/leads/")+`"]`).Length() != 1 {
		t.Fatalf("unlinking led to %s (%d): %s", got.path, got.status, got.text())
	}
	if status, there := got.Find("[data-stand]").Attr("data-stand"); !there || status != "" {
		t.Errorf("the page around the frame gets %q, want an empty status", status)
	}
	h.wantAudited(h.people["olivia"].UserID + " embed.take-lead-off lead:" + strings.TrimPrefix(app, "/leads/") + " done")
	after := h.leadRow(before.App)
	if after.Revision <= before.Revision {
		t.Error("open pages are not notified")
	}
	after.Revision, after.Borrower, before.Borrower = before.Revision, nil, nil
	if fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("the lead itself: got %+v, want %+v", after, before)
	}
	if got := f.get(app); got.Find("#records").Length() != 0 {
		t.Error("the lead still has the record")
	}
	if got := f.send(form.with("frame.seen", "true")); got.status != http.StatusConflict {
		t.Errorf("again: got %d, want 409", got.status)
	}
}

// TestUnlinkRecord_MergedRecord_LeadMoves follows the help's instructions: the lender gets the surviving record's
// number, and that record then offers the lead.
func TestUnlinkRecord_MergedRecord_LeadMoves(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	app := a.openFrame(launchFor("51")).startLead("Rivera")
	olivia := h.signInAs("olivia")
	olivia.waitFor(app, `input[name="offer.offerUuid"]`)
	renamed := olivia.get(app+"/history").form("#form-attributions").with("attributions.externalReferenceData.externalReferenceId", "52")
	if got := olivia.send(renamed); got.status != http.StatusOK {
		t.Fatalf("the reference: got %d: %s", got.status, got.text())
	}
	surviving := a.openFrame(launchFor("52"))
	h.waitUntil("the surviving record offers the lead", func() bool {
		return surviving.get("/leads/new").Find(`#elsewhere button[value="`+strings.TrimPrefix(app, "/leads/")+`"]`).Length() == 1
	})
	surviving.linkLead(app)
	page := surviving.get(app)
	gone, _ := page.Find(`#form-take-off option:contains("A record (deal)")`).Attr("value")
	surviving.send(page.form("#form-take-off").with("frame.seen", "true", "confirm.take-off", "true", "record.mark", gone))
	if got := surviving.get("/"); !strings.HasSuffix(got.path, app) {
		t.Errorf("the surviving record opens %s, want %s", got.path, app)
	}
	if got := a.openFrame(launchFor("51")).get("/"); !strings.HasSuffix(got.path, "/leads/new") {
		t.Errorf("the deleted record opens %s, want an intake", got.path)
	}
}

// TestUnlinkRecord_ResumedInFullDesk unlinks in the full desk, which shows the form that was refused in the frame.
func TestUnlinkRecord_ResumedInFullDesk(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	olivia := h.signInAs("olivia")
	app := olivia.startLead("Rivera", "partnerDataRequest.externalReferenceId", "51")
	first, second := a.openFrame(launchFor("51")), h.openFrameAt("sf", "olivia", "51")
	first.linkLead(app)
	second.linkLead(app)
	mine, _ := first.get(app).Find(`#form-take-off option:contains("CRM acme")`).Attr("value")
	asked := first.send(first.get(app).form("#form-take-off").with("confirm.take-off", "true", "record.mark", mine))
	address, _ := asked.Find(`a[target="_blank"].pri`).Attr("href")
	resumed := olivia.get(address)
	resumed.wantText("Nothing has been sent yet")
	form := resumed.form("#form-take-off")
	if form.values.Get("confirm.take-off") != "" || resumed.Find("#records[open]").Length() != 1 {
		t.Errorf("resumed: got %v", form.values)
	}
	choice := resumed.Find(`#form-take-off select[name="record.mark"] option`)
	if choice.Length() != 3 || choice.Filter("[selected]").Text() != "Record 51 (deal) in CRM acme" {
		t.Errorf("the record to unlink: got %q", choice.Text())
	}
	// The index of another lead's record, or none at all, matches no record of this lead.
	for wrong, want := range map[string]int{"": http.StatusUnprocessableEntity, "nothing": http.StatusConflict} {
		if got := olivia.send(form.with("confirm.take-off", "true", "record.mark", wrong)); got.status != want {
			t.Errorf("the index %q: got %d, want %d", wrong, got.status, want)
		}
	}
	got := olivia.send(form.with("confirm.take-off", "true"))
	if got.path != app || got.Find("#form-take-off select").Length() != 0 {
		t.Errorf("unlinking led to %s (%d)", got.path, got.status)
	}
	if got := first.get("/"); !strings.HasSuffix(got.path, "/leads/new") {
		t.Errorf("the record opens %s, want its intake", got.path)
	}
	if got := second.get("/"); !strings.HasSuffix(got.path, app) {
		t.Errorf("the other CRM's record opens %s, want the lead", got.path)
	}
	// Beside another record's lead, the page must not report that lead to the CRM.
	if status, _ := first.get(app).Find("#lead").Attr("data-stand"); status != "" {
		t.Errorf("beside a record without a lead the page has %q", status)
	}
}
