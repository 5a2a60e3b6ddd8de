package intake_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"hearthline/web/webtest"
)

func TestBorrowerLink_PrefillsWithoutSSN(t *testing.T) {
	t.Parallel()
	sealed := ""
	to := webtest.BorrowerLink(t)
	to.Sealer = webtest.RecordingSealer{Plain: &sealed}
	h := webtest.New(t, webtest.Options{BorrowerLink: to})
	olivia := h.SignInAs("olivia")
	page := olivia.Get("/leads/new")
	form := page.Form("form#intake")
	form.Action = page.Find(`button[formaction$="/link"]`).AttrOr("formaction", "")
	form = form.With("applicant.name.firstName", "Elena", "applicant.name.lastName", "Núñez",
		"applicant.ssn", "123-45-6789", "property.address.state", "ID", "property.borrowerEstimatedValue", "so so")
	got := olivia.Send(form)
	if got.Status != http.StatusOK {
		t.Fatalf("got %d: %s", got.Status, got.MainText())
	}
	if link := got.Find("textarea[readonly]").Text(); link != "https://apply.example/heloc?inquiry=eyJ.a.b.c-_.d" {
		t.Errorf("got the link %q", link)
	}
	if got.Find("svg.qr path").AttrOr("d", "") == "" ||
		got.Find(`[data-copy^="https://apply.example/heloc"]`).Length() != 1 {
		t.Error("there is no QR code, or nothing to copy")
	}
	var payload struct {
		Request   struct{ LoanOriginatorUUID string }
		Applicant struct {
			Name struct{ FirstName, LastName string }
		}
		Property struct{ Address struct{ State string } }
	}
	if err := json.Unmarshal([]byte(sealed), &payload); err != nil {
		t.Fatal(err)
	}
	if payload.Request.LoanOriginatorUUID != h.People["olivia"].OriginatorUUID ||
		payload.Applicant.Name.FirstName != "Elena" || payload.Property.Address.State != "ID" {
		t.Errorf("the payload is %+v", payload)
	}
	if webtest.HasDigits(sealed+" "+got.Body, "6789") || strings.Contains(sealed, "ssn") {
		t.Error("the link contains the SSN")
	}
	if strings.Contains(h.Log.String(), "eyJ.a.b") || strings.Contains(h.Log.String(), "Elena") {
		t.Error("the log contains the link or the name")
	}
	id := strings.Split(form.Action, "/")[2]
	rows, err := h.Store.AuditOf(t.Context(), "draft:"+id, 5)
	if err != nil || len(rows) != 2 || rows[0].Action != "draft.link" || rows[1].Action != "draft.open" ||
		rows[0].ActorID != "user-olivia" {
		t.Errorf("the audit has %+v, %v", rows, err)
	}
	if got := h.SignInAs("marcus").Post("/drafts/"+id+"/link", nil); got.Status != http.StatusNotFound {
		t.Errorf("another user's draft: got %d, want 404", got.Status)
	}
}

func TestBorrowerLink_NoApplySite_NotOffered(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	if n := olivia.Get("/leads/new").Find(`[formaction$="/link"]`).Length(); n != 0 {
		t.Error("the page offers a link although there is no borrower site")
	}
}
