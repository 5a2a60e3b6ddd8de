package web

import (
	"net/http"
	"strings"
	"testing"
)

// TestLicense_Missing_BlocksLinkEstimateAndTransfer: an originator who may not act in a state creates no link for its
// borrowers, requests no estimate there, and cannot receive a draft for a home there.
func TestLicense_Missing_BlocksLinkEstimateAndTransfer(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{borrowerLink: testBorrowerLink(t), estimate: testEstimateAccess(), noJobs: true})
	olivia, marcus, ada, admin := h.signInAs("olivia"), h.signInAs("marcus"), h.signInAs("ada"), h.signInAs("admin")
	typed := olivia.intakeForm("Rivera")
	id := typed.values.Get("draft")
	link := postedForm{"/drafts/" + id + "/link", typed.values}
	if got := olivia.send(link); got.status != http.StatusOK || got.Find("textarea[readonly]").Length() != 1 {
		t.Fatalf("with no known license: got %d, want the link", got.status)
	}
	olivia.waitFor(olivia.startLead("Known"), `input[name="offer.offerUuid"]`)
	form := admin.get("/admin/licences").form(`form[action="/admin/licences"]`)
	admin.send(form.with("holder", h.people["olivia"].OriginatorUUID, "state", "ID", "may", "false")).wantText("Entered by an administrator")

	got := olivia.send(link)
	if got.status != http.StatusUnprocessableEntity || strings.Contains(got.body, "apply.example") {
		t.Errorf("the link: got %d, want 422 and no link", got.status)
	}
	got.wantText("You aren’t licensed in this state")
	if got.form("form#intake").values.Get("applicant.name.lastName") != "Rivera" {
		t.Error("the redisplayed form lost its values")
	}
	ask := olivia.get("/prequalify").form(`form[action="/prequalify"]`).with(
		"firstName", "Elena", "lastName", "Rivera", "email", "elena@borrower.test", "address.state", "ID", "amountToBorrow", "60,000", "remarketingAllowed", "false")
	if got := olivia.send(ask); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "You aren’t licensed in this state") {
		t.Errorf("an estimate: got %d at %s: %s", got.status, got.path, got.text())
	}
	hers := ada.intakeForm("Rivera")
	hand := postedForm{"/drafts/" + hers.values.Get("draft") + "/hand", hers.with("draft.originator", h.people["olivia"].OriginatorUUID).values}
	refused := ada.send(hand)
	if refused.status != http.StatusUnprocessableEntity || !strings.Contains(refused.body, "isn’t licensed in the property’s state") {
		t.Errorf("transferred to her: got %d at %s, want 422: %s", refused.status, refused.path, refused.Find("#complaints").Text())
	}
	if got := ada.send(postedForm{hand.action, hers.with("draft.originator", h.people["marcus"].OriginatorUUID).values}); got.path != "/drafts" || got.status != http.StatusOK {
		t.Errorf("transferred to a colleague: got %d at %s", got.status, got.path)
	}
	marcus.get("/drafts").wantText("Elena Rivera")
}
