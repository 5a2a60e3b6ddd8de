package intake_test

import (
	"net/http"
	"strings"
	"testing"

	"hearthline/web/webtest"
)

// TestLicense_Missing_BlocksLinkEstimateAndTransfer: an originator who may not act in a state creates no link for its
// borrowers, requests no estimate there, and cannot receive a draft for a home there.
func TestLicense_Missing_BlocksLinkEstimateAndTransfer(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{BorrowerLink: webtest.BorrowerLink(t), Estimate: webtest.EstimateAccess(),
		NoJobs: true})
	olivia, marcus, ada, admin := h.SignInAs("olivia"), h.SignInAs("marcus"), h.SignInAs("ada"), h.SignInAs("admin")
	typed := olivia.IntakeForm("Rivera")
	id := typed.Values.Get("draft")
	link := webtest.Form{Action: "/drafts/" + id + "/link", Values: typed.With("applicant.dob", "").Values} // not complete
	if got := olivia.Send(link); got.Status != http.StatusOK || got.Find("textarea[readonly]").Length() != 1 {
		t.Fatalf("with no known license: got %d, want the link", got.Status)
	}
	olivia.WaitFor(olivia.StartLead("Known"), `input[name="offer.offerUuid"]`)
	form := admin.Get("/admin/licenses").Form(`form[action="/admin/licenses"]`)
	admin.Send(form.With("holder", h.People["olivia"].OriginatorUUID, "state", "ID", "may", "false")).
		WantText("Entered in Hearthline")

	got := olivia.Send(link)
	if got.Status != http.StatusUnprocessableEntity || strings.Contains(got.Body, "apply.example") {
		t.Errorf("the link: got %d, want 422 and no link", got.Status)
	}
	got.WantText("You aren’t licensed in this state")
	if n := got.Find("#complaints a").Length(); n != 1 {
		t.Errorf("got %d errors, want the license only: %s", n, got.Find("#complaints").Text())
	}
	if got.Form("form#intake").Values.Get("applicant.name.lastName") != "Rivera" {
		t.Error("the redisplayed form lost its values")
	}
	ask := olivia.Get("/prequalify").Form(`form[action="/prequalify"]`).With(
		"firstName", "Elena", "lastName", "Rivera", "email", "elena@borrower.test", "address.state", "ID",
		"amountToBorrow", "60,000", "remarketingAllowed", "false")
	if got := olivia.Send(ask); got.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(got.Body, "You aren’t licensed in this state") {
		t.Errorf("an estimate: got %d at %s: %s", got.Status, got.Path, got.MainText())
	}
	hers := ada.IntakeForm("Rivera")
	hand := webtest.Form{Action: "/drafts/" + hers.Values.Get("draft") + "/hand",
		Values: hers.With("draft.originator", h.People["olivia"].OriginatorUUID).Values}
	refused := ada.Send(hand)
	if refused.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(refused.Body, "isn’t licensed in the property’s state") {
		t.Errorf("transferred to her: got %d at %s, want 422: %s",
			refused.Status, refused.Path, refused.Find("#complaints").Text())
	}
	if got := ada.Send(webtest.Form{Action: hand.Action, Values: hers.With("draft.originator",
		h.People["marcus"].OriginatorUUID).Values}); got.Path != "/drafts" || got.Status != http.StatusOK {
		t.Errorf("transferred to a colleague: got %d at %s", got.Status, got.Path)
	}
	marcus.Get("/drafts").WantText("Elena Rivera")
}
