package embed_test

import (
	"os"
	"strings"
	"testing"

	"hearthline/web/webtest"
)

// TestEmbedImport_LoanFile_DraftOfRecord imports a loan file in a frame: the draft belongs to the record, has its
// number, and is what the record opens next time. What only the CRM filled in is not saved as another draft.
func TestEmbedImport_LoanFile_DraftOfRecord(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	f := a.OpenFrame(webtest.LaunchFor("51"))
	page := f.Get("/")
	button := page.Find(`#import button[formenctype="multipart/form-data"]`)
	if button.AttrOr("formaction", "") != f.Base+"/leads/import" {
		t.Fatalf("got the button %q", button.AttrOr("formaction", ""))
	}
	file, err := os.ReadFile("../../internal/mismo/testdata/encompass.xml")
	if err != nil {
		t.Fatal(err)
	}
	review := f.PostLoanFile(f.Base+"/leads/import", page.Form("form#intake").Values, file)
	if !strings.HasPrefix(review.Path, f.Base+"/leads/import/") || strings.Contains(review.Text(), "earlier entries") {
		t.Fatalf("got %d at %s: %s", review.Status, review.Path, review.MainText())
	}
	if review.Find(`input[value="reference"]`).Length() != 0 {
		t.Error("the LOS’s number would replace the record’s")
	}
	form := review.Form("form#review")
	if !strings.HasPrefix(form.Action, f.Base+"/leads/import/") ||
		!strings.HasPrefix(review.Find(`button[formaction$="/discard"]`).AttrOr("formaction", ""), f.Base+"/") {
		t.Errorf("the review leaves the frame: %q", form.Action)
	}
	got := f.Send(form)
	if got.Path != f.Base+"/leads/new" {
		t.Fatalf("got %d at %s: %s", got.Status, got.Path, got.MainText())
	}
	for page, got := range map[string]*webtest.Response{"the import": got,
		"the record": a.OpenFrame(webtest.LaunchFor("51")).Get("/")} {
		form := got.Form("form#intake")
		if form.Values.Get("applicant.name.lastName") != "Rivera" ||
			form.Values.Get("partnerDataRequest.externalReferenceId") != "51" ||
			form.Values.Get("property.address.zip") != "83702" {
			t.Errorf("%s shows %v", page, form.Values)
		}
	}
	if n := h.SignInAs("olivia").Get("/drafts").Find(`tr[id^="draft-"]`).Length(); n != 1 {
		t.Errorf("got %d drafts, want one", n)
	}
}
