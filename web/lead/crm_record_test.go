package lead_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// TestUnlinkRecord_InFrame_Confirmed unlinks a lead that was linked by mistake.
func TestUnlinkRecord_InFrame_Confirmed(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	olivia := h.SignInAs("olivia")
	app := olivia.StartLead("Rivera", "partnerDataRequest.externalCustomerId", "51")
	olivia.WaitFor(app, `input[name="offer.offerUuid"]`)
	f := a.OpenFrame(webtest.LaunchFor("51"))
	f.LinkLead(app)
	page := f.Get(app)
	status, _ := page.Find("#lead").Attr("data-stand")
	if !strings.Contains(status, strings.TrimPrefix(app, "/leads/")) {
		t.Errorf("the status of the record's lead: got %q", status)
	}
	page.WantText("Record 51 (deal) in CRM acme", "customer number", "Unlinking doesn’t change that")
	form := page.Form("#form-take-off")
	before := h.LeadRow(heloc.AppID(strings.TrimPrefix(app, "/leads/")))

	if got := f.Send(form.With("frame.seen", "true")); got.Status != http.StatusUnprocessableEntity ||
		got.Find(`#records[open] [name="confirm.take-off"][aria-invalid="true"]`).Length() != 1 {
		t.Errorf("without the checkbox: got %d: %s", got.Status, got.Find("#records").Text())
	}
	form = form.With("confirm.take-off", "true")
	for _, word := range []string{"", "unjudged"} {
		if got := f.Send(form.With("frame.seen", word)); got.Status != http.StatusForbidden ||
			!strings.Contains(got.MainText(), "Continue in a new tab") {
			t.Errorf("visibility %q: got %d: %s", word, got.Status, got.MainText())
		}
	}
	if got := f.Get("/"); !strings.HasSuffix(got.Path, app) {
		t.Fatalf("an attack unlinked the lead: the record opens %s", got.Path)
	}
	got := f.Send(form.With("frame.seen", "true"))
	if !strings.HasSuffix(got.Path, "/leads/new") ||
		got.Find(`#elsewhere button[value="`+strings.TrimPrefix(app, "/leads/")+`"]`).Length() != 1 {
		t.Fatalf("unlinking led to %s (%d): %s", got.Path, got.Status, got.MainText())
	}
	if status, there := got.Find("[data-stand]").Attr("data-stand"); !there || status != "" {
		t.Errorf("the page around the frame gets %q, want an empty status", status)
	}
	h.WantAudited(h.People["olivia"].UserID + " embed.take-lead-off lead:" + strings.TrimPrefix(app, "/leads/") + " done")
	after := h.LeadRow(before.App)
	if after.Revision <= before.Revision {
		t.Error("open pages are not notified")
	}
	after.Revision, after.Borrower, before.Borrower = before.Revision, nil, nil
	if fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("the lead itself: got %+v, want %+v", after, before)
	}
	if got := f.Get(app); got.Find("#records").Length() != 0 {
		t.Error("the lead still has the record")
	}
	if got := f.Send(form.With("frame.seen", "true")); got.Status != http.StatusConflict {
		t.Errorf("again: got %d, want 409", got.Status)
	}
}

// TestUnlinkRecord_MergedRecord_LeadMoves follows the help's instructions: the lender gets the surviving record's
// number, and that record then offers the lead.
func TestUnlinkRecord_MergedRecord_LeadMoves(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	app := a.OpenFrame(webtest.LaunchFor("51")).StartLead("Rivera")
	olivia := h.SignInAs("olivia")
	olivia.WaitFor(app, `input[name="offer.offerUuid"]`)
	renamed := olivia.Get(app+"/history").Form("#form-attributions").
		With("attributions.externalReferenceData.externalReferenceId", "52")
	if got := olivia.Send(renamed); got.Status != http.StatusOK {
		t.Fatalf("the reference: got %d: %s", got.Status, got.MainText())
	}
	surviving := a.OpenFrame(webtest.LaunchFor("52"))
	h.WaitUntil("the surviving record offers the lead", func() bool {
		return surviving.Get("/leads/new").Find(`#elsewhere button[value="`+strings.TrimPrefix(app, "/leads/")+`"]`).
			Length() == 1
	})
	surviving.LinkLead(app)
	page := surviving.Get(app)
	gone, _ := page.Find(`#form-take-off option:contains("A record (deal)")`).Attr("value")
	surviving.Send(page.Form("#form-take-off").With("frame.seen", "true", "confirm.take-off", "true", "record.mark", gone))
	if got := surviving.Get("/"); !strings.HasSuffix(got.Path, app) {
		t.Errorf("the surviving record opens %s, want %s", got.Path, app)
	}
	if got := a.OpenFrame(webtest.LaunchFor("51")).Get("/"); !strings.HasSuffix(got.Path, "/leads/new") {
		t.Errorf("the deleted record opens %s, want an intake", got.Path)
	}
}

// TestUnlinkRecord_ResumedInFullDesk unlinks in the full desk, which shows the form that was refused in the frame.
func TestUnlinkRecord_ResumedInFullDesk(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	olivia := h.SignInAs("olivia")
	app := olivia.StartLead("Rivera", "partnerDataRequest.externalReferenceId", "51")
	first, second := a.OpenFrame(webtest.LaunchFor("51")), h.OpenFrameAt("sf", "olivia", "51")
	first.LinkLead(app)
	second.LinkLead(app)
	mine, _ := first.Get(app).Find(`#form-take-off option:contains("CRM acme")`).Attr("value")
	asked := first.Send(first.Get(app).Form("#form-take-off").With("confirm.take-off", "true", "record.mark", mine))
	address, _ := asked.Find(`a[target="_blank"].pri`).Attr("href")
	resumed := olivia.Get(address)
	resumed.WantText("Nothing has been sent yet")
	form := resumed.Form("#form-take-off")
	if form.Values.Get("confirm.take-off") != "" || resumed.Find("#records[open]").Length() != 1 {
		t.Errorf("resumed: got %v", form.Values)
	}
	choice := resumed.Find(`#form-take-off select[name="record.mark"] option`)
	if choice.Length() != 3 || choice.Filter("[selected]").Text() != "Record 51 (deal) in CRM acme" {
		t.Errorf("the record to unlink: got %q", choice.Text())
	}
	// The index of another lead's record, or none at all, matches no record of this lead.
	for wrong, want := range map[string]int{"": http.StatusUnprocessableEntity, "nothing": http.StatusConflict} {
		if got := olivia.Send(form.With("confirm.take-off", "true", "record.mark", wrong)); got.Status != want {
			t.Errorf("the index %q: got %d, want %d", wrong, got.Status, want)
		}
	}
	got := olivia.Send(form.With("confirm.take-off", "true"))
	if got.Path != app || got.Find("#form-take-off select").Length() != 0 {
		t.Errorf("unlinking led to %s (%d)", got.Path, got.Status)
	}
	if got := first.Get("/"); !strings.HasSuffix(got.Path, "/leads/new") {
		t.Errorf("the record opens %s, want its intake", got.Path)
	}
	if got := second.Get("/"); !strings.HasSuffix(got.Path, app) {
		t.Errorf("the other CRM's record opens %s, want the lead", got.Path)
	}
	// Beside another record's lead, the page must not report that lead to the CRM.
	if status, _ := first.Get(app).Find("#lead").Attr("data-stand"); status != "" {
		t.Errorf("beside a record without a lead the page has %q", status)
	}
}

// TestLeadPage_RecordURL: the lead links to its record in the CRM, in a new tab that gets nothing of the page, unless
// the record's company is no longer the lead's.
func TestLeadPage_RecordURL(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	form := h.SignInAs("admin").Get("/admin/embed?client=acme").Form("#form-embed")
	h.SignInAs("admin").Send(form.With("recordUrl", "javascript:{record}")).
		WantText("Begin with one of the origins of its pages and a slash")
	h.SignInAs("admin").Send(form.With("recordUrl", webtest.CRMOrigin+"/{type}/{record}")).WantText("URL of a record")
	olivia := h.SignInAs("olivia")
	app := olivia.StartLead("Rivera", "partnerDataRequest.externalCustomerId", "5 1")
	olivia.WaitFor(app, `input[name="offer.offerUuid"]`)
	f := a.OpenFrame(webtest.LaunchFor("5 1"))
	f.LinkLead(app)
	const to = webtest.CRMOrigin + "/deal/5%201"
	for where, link := range map[string]*goquery.Selection{
		"panel": olivia.Get(app).Find("#records a"), "panel in the frame": f.Get(app).Find("#records a"),
		"menu in the frame": f.Get(app).Find("#lead-menu a[target]"),
	} {
		if link.AttrOr("href", "") != to || link.AttrOr("target", "") != "_blank" ||
			link.AttrOr("rel", "") != "noopener noreferrer" ||
			!strings.Contains(link.Text(), "Open ") {
			t.Errorf("%s: got %s to %q", where, link.Text(), link.AttrOr("href", ""))
		}
	}
	olivia.Get(app).WantText("Open record 5 1 (deal) in CRM acme")
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		c, err := tx.EmbedClient(t.Context(), "acme")
		h.Must(err)
		c.BrokerID = h.People["piotr"].BrokerID
		return tx.ChangeEmbedClient(t.Context(), c)
	}))
	if got := olivia.Get(app).Find("#records a"); got.Length() > 0 {
		t.Errorf("a CRM of another company: got a link to %s", got.AttrOr("href", ""))
	}
}
