package embed_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
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
	file, err := os.ReadFile("../../internal/mismo/testdata/arive.xml")
	if err != nil {
		t.Fatal(err)
	}
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	for name, values := range page.Form("form#intake").Values {
		_ = m.WriteField(name, values[0])
	}
	part, _ := m.CreateFormFile("file", "loan.xml")
	_, _ = part.Write(file)
	_ = m.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.HTTPServer.URL+f.Base+"/leads/import", &body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", m.FormDataContentType())
	got := f.Do(r)
	if got.Path != f.Base+"/leads/new" || got.Find("#imported").Length() != 1 ||
		strings.Contains(got.Text(), "earlier entries") {
		t.Fatalf("got %d at %s: %s", got.Status, got.Path, got.MainText())
	}
	for page, got := range map[string]*webtest.Response{"the import": got,
		"the record": a.OpenFrame(webtest.LaunchFor("51")).Get("/")} {
		form := got.Form("form#intake")
		if form.Values.Get("applicant.name.lastName") != "Okafor" ||
			form.Values.Get("partnerDataRequest.externalReferenceId") != "51" ||
			form.Values.Get("property.address.zip") != "80203" {
			t.Errorf("%s shows %v", page, form.Values)
		}
	}
	if n := h.SignInAs("olivia").Get("/drafts").Find(`tr[id^="draft-"]`).Length(); n != 1 {
		t.Errorf("got %d drafts, want one", n)
	}
}
