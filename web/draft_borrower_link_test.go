package web

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/desk"
)

// recordingSealer lets a test read the plaintext.
type recordingSealer struct{ plain *string }

func (o recordingSealer) Seal(_ context.Context, plaintext []byte) (string, error) {
	*o.plain = string(plaintext)
	return "eyJ.a.b.c-_.d", nil
}

func testBorrowerLink(t *testing.T) desk.BorrowerLink {
	t.Helper()
	at, err := url.Parse("https://apply.example")
	if err != nil {
		t.Fatal(err)
	}
	return desk.BorrowerLink{ApplyURL: at, Sealer: recordingSealer{new(string)}}
}

func TestBorrowerLink_PrefillsWithoutSSN(t *testing.T) {
	t.Parallel()
	sealed := ""
	to := testBorrowerLink(t)
	to.Sealer = recordingSealer{&sealed}
	h := newHarness(t, harnessOptions{borrowerLink: to})
	olivia := h.signInAs("olivia")
	page := olivia.get("/leads/new")
	form := page.form("form#intake")
	form.action = page.Find(`button[formaction$="/link"]`).AttrOr("formaction", "")
	form = form.with("applicant.name.firstName", "Elena", "applicant.name.lastName", "Núñez", "applicant.ssn", "123-45-6789", "property.address.state", "ID", "property.borrowerEstimatedValue", "so so")
	got := olivia.send(form)
	if got.status != http.StatusOK {
		t.Fatalf("got %d: %s", got.status, got.text())
	}
	if link := got.Find("textarea[readonly]").Text(); link != "https://apply.example/heloc?inquiry=eyJ.a.b.c-_.d" {
		t.Errorf("got the link %q", link)
	}
	if got.Find("svg.qr path").AttrOr("d", "") == "" || got.Find(`[data-copy^="https://apply.example/heloc"]`).Length() != 1 {
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
	if payload.Request.LoanOriginatorUUID != h.people["olivia"].OriginatorUUID || payload.Applicant.Name.FirstName != "Elena" || payload.Property.Address.State != "ID" {
		t.Errorf("the payload is %+v", payload)
	}
	if strings.Contains(sealed, "6789") || strings.Contains(sealed, "ssn") || strings.Contains(got.body, "6789") {
		t.Error("the link contains the SSN")
	}
	if strings.Contains(h.log.String(), "eyJ.a.b") || strings.Contains(h.log.String(), "Elena") {
		t.Error("the log contains the link or the name")
	}
	id := strings.Split(form.action, "/")[2]
	rows, err := h.store.AuditOf(t.Context(), "draft:"+id, 5)
	if err != nil || len(rows) != 1 || rows[0].Action != "draft.link" || rows[0].ActorID != "user-olivia" {
		t.Errorf("the audit has %+v, %v", rows, err)
	}
	if got := h.signInAs("marcus").post("/drafts/"+id+"/link", nil); got.status != http.StatusNotFound {
		t.Errorf("another user's draft: got %d, want 404", got.status)
	}
}

func TestBorrowerLink_NoApplySite_NotOffered(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	if n := olivia.get("/leads/new").Find(`[formaction$="/link"]`).Length(); n != 0 {
		t.Error("the page offers a link although there is no borrower site")
	}
}
