package intake_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"hearthline/web/webtest"
)

const loanFiles = "../../internal/mismo/testdata/"

func loanFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(loanFiles + name + ".xml")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// importFile sends an intake form with a file, as a browser without scripts does.
func importFile(t *testing.T, v *webtest.Browser, values url.Values, files ...[]byte) *webtest.Response {
	t.Helper()
	return importAt(t, v, "/leads/import", values, files...)
}

func importAt(t *testing.T, v *webtest.Browser, path string, values url.Values, files ...[]byte) *webtest.Response {
	t.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	for name, all := range values {
		for _, value := range all {
			_ = m.WriteField(name, value)
		}
	}
	for _, file := range files {
		part, err := m.CreateFormFile("file", "Rivera Elena 1003.xml")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = part.Write(file)
	}
	_ = m.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, v.H.HTTPServer.URL+path, &body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", m.FormDataContentType())
	return v.Do(r)
}

func draftCount(v *webtest.Browser) int { return v.Get("/drafts").Find(`tr[id^="draft-"]`).Length() }

func TestImport_LoanFile_FilledDraftAndReport(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		h := webtest.New(t, webtest.Options{Dialect: dialect})
		olivia := h.SignInAs("olivia")
		empty := olivia.Get("/leads/new").Form("form#intake")
		got := importFile(t, olivia, empty.Values, loanFile(t, "encompass"))
		if got.Status != http.StatusOK || got.Path != "/leads/new" {
			t.Fatalf("%s: got %d at %s: %s", dialect, got.Status, got.Path, got.MainText())
		}
		form := got.Form("form#intake")
		for name, want := range map[string]string{
			"applicant.name.firstName": "Elena", "applicant.name.middleName": "Marie", "applicant.name.lastName": "Rivera",
			"applicant.dob": "05/17/1979", "applicant.phone": "(208) 555-0147", "applicant.email": "elena.rivera@borrower.test",
			"homeIsProperty": "true", "applicant.homeAddress.street1": "", "applicant.ssn": "",
			"property.address.street1": "2216 Larkspur Ave", "property.address.city": "Boise", "property.address.state": "ID",
			"property.address.zip": "83702", "property.propertyType": "PRIMARY", "property.borrowerEstimatedValue": "560,000",
			"amountWanted": "", "applicant.income.employmentType": "", "applicant.income.grossAnnualIncome": "108,006",
			"applicant.income.otherAnnualIncome": "", "property.isListedForSale": "",
			"property.liens.0.lenderName": "Sawtooth Mortgage", "property.liens.0.currentBalance": "203,900",
			"property.liens.0.monthlyPayment": "1,318", "property.liens.0.originalBalance": "",
			"property.liens.1.lenderName": "Treasure Valley Bank", "property.liens.1.monthlyPayment": "96.50",
			"property.liens.2.lenderName": "",
			"consent.attested":            "",
		} {
			if got := form.Values.Get(name); got != want {
				t.Errorf("%s: %s: got %q, want %q", dialect, name, got, want)
			}
		}
		got.WantText("From your file", "Filled in: property, borrower, income and 2 liens.",
			"Nothing was sent, and the file wasn’t kept.",
			"Not imported (16)", "SSN: type it when you send", "Assets (2 accounts)", "Declarations", "Employer address")
		if strings.Contains(got.Find("#imported").Text(), "earlier entries") {
			t.Errorf("%s: an untouched form counts as entries", dialect)
		}
		if n := draftCount(olivia); n != 1 {
			t.Errorf("%s: got %d drafts, want one", dialect, n)
		}
		for _, secret := range []string{"900123456", "900-12-3456", "3456", "Boise Valley Schools", "4455-0091",
			"Tomas", "PO Box"} {
			if strings.Contains(got.Find("main").Text(), secret) {
				t.Errorf("%s: the page shows %q of the file", dialect, secret)
			}
		}
		if len(h.Inquiries("Rivera")) != 0 {
			t.Errorf("%s: the import sent an inquiry", dialect)
		}
		// Completed by hand, it can be sent in either dialect.
		sent := olivia.Send(form.With(
			"property.isListedForSale", "false", "applicant.income.employmentType", "FULL_TIME",
			"property.liens.0.originationDate", "08/30/2019", "property.liens.0.originalBalance", "241,000",
			"property.liens.1.originationDate", "08/30/2021", "property.liens.1.originalBalance", "40,000",
			"consent.attested", "true", "consent.method", "recorded-call"))
		if !strings.HasPrefix(sent.Path, "/leads/") || len(h.Inquiries("Rivera")) != 1 {
			t.Errorf("%s: completed: got %d at %s: %s", dialect, sent.Status, sent.Path, sent.MainText())
		}
	}
}

func TestImport_UnusableValues_ListedAndLeftEmpty(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	got := importFile(t, olivia, url.Values{}, loanFile(t, "calyx"))
	got.WantText("can’t be used. Enter them here:", "Filled in: property, borrower and income.")
	if list := got.Find("#imported ul").First().Text(); !strings.Contains(list, "Phone") ||
		!strings.Contains(list, "Suffix") || strings.Contains(list, "Esq") || strings.Contains(list, "0123") {
		t.Errorf("got the list %q", list)
	}
	form := got.Form("form#intake")
	for name, want := range map[string]string{
		"applicant.phone": "", "applicant.name.suffix": "", "applicant.name.prefix": "Mrs",
		"property.address.zip": "84770-1234", "property.address.street1": "61 Cañon Rd #3",
		"property.propertyType": "SECONDARY", "property.ownershipType": "JOINT", "homeIsProperty": "", "amountWanted": "",
		"property.borrowerEstimatedValue": "",
	} {
		if got := form.Values.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	business := importFile(t, olivia, url.Values{}, loanFile(t, "arive")).Form("form#intake")
	for name, want := range map[string]string{
		"applicant.name.suffix": "Jr", "applicant.income.employmentType": "SELF_EMPLOYED",
		"applicant.income.grossAnnualIncome": "", "property.address.street2": "Apt 12",
		"applicant.homeAddress.street1": "3050 Vine St", "homeIsProperty": "", "property.ownershipType": "SOLE",
		"property.liens.0.lenderName": "FRONT RANGE S&L",
	} {
		if got := business.Values.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestImport_OpenFormHasEntries_SavedAsItsOwnDraft(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	open := olivia.IntakeForm("Silva", "applicant.ssn", "123-45-6789")
	got := importFile(t, olivia, open.Values, loanFile(t, "arive"))
	got.WantText("Your earlier entries are saved as a separate draft.")
	if draftCount(olivia) != 2 {
		t.Errorf("got %d drafts, want two", draftCount(olivia))
	}
	if back := olivia.Get("/leads/new?draft=" + open.Values.Get("draft")).
		Form("form#intake"); back.Values.Get("applicant.name.lastName") != "Silva" || back.Values.Get("applicant.ssn") != "" {
		t.Errorf("the earlier entries: got %v", back.Values)
	}
	// Importing over a draft from a file makes a third; neither is overwritten.
	imported := got.Form("form#intake")
	importFile(t, olivia, imported.Values, loanFile(t, "encompass"))
	if back := olivia.Get("/leads/new?draft=" + imported.Values.Get("draft")).
		Form("form#intake"); draftCount(olivia) != 3 || back.Values.Get("applicant.name.lastName") != "Okafor" {
		t.Errorf("got %d drafts and %q", draftCount(olivia), back.Values.Get("applicant.name.lastName"))
	}
}

func TestImport_UnreadableFile_422KeepsEntries(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	open := olivia.IntakeForm("Silva", "property.address.street1", "2216-2218 Larkspur Ave")
	for name, c := range map[string]struct {
		files [][]byte
		want  string
	}{
		"no file":    {nil, "Choose a MISMO 3.4 file (.xml)."},
		"empty file": {[][]byte{{}}, "Choose a MISMO 3.4 file (.xml)."},
		"Fannie 3.2": {[][]byte{[]byte("EH                  20261112\n")}, "Fannie Mae 3.2"},
		"doctype":    {[][]byte{[]byte(`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>`)}, "DOCTYPE"},
		"UTF-16":     {[][]byte{[]byte("\xff\xfe<\x00")}, "damaged or incomplete"},
		"over 10 MB": {[][]byte{bytes.Repeat([]byte("x"), 10<<20+1)}, "larger than 10 MB"},
		"damaged":    {[][]byte{loanFile(t, "encompass")[:9000]}, "damaged or incomplete"},
	} {
		got := importFile(t, olivia, open.Values, c.files...)
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Find(".err").Text(), c.want) {
			t.Errorf("%s: got %d and %q, want 422 and %q", name, got.Status, got.Find(".err").Text(), c.want)
			continue
		}
		if _, isOpen := got.Find("details#import").Attr("open"); !isOpen ||
			got.Find("#complaints a").AttrOr("href", "") != "#file" || got.Find("#complaints a").Length() != 1 {
			t.Errorf("%s: the error is not beside the open field: %s", name, got.Find("#complaints").Text())
		}
		if back := got.Form("form#intake"); back.Values.Get("applicant.name.lastName") != "Silva" ||
			back.Values.Get("draft") != open.Values.Get("draft") ||
			back.Values.Get("operation") != open.Values.Get("operation") {
			t.Errorf("%s: the form lost entries: %v", name, back.Values)
		}
	}
	if n := draftCount(olivia); n != 0 {
		t.Errorf("got %d drafts, want none", n)
	}
	if got := importFile(t, olivia, open.Values, loanFile(t, "arive"),
		loanFile(t, "arive")); got.Status != http.StatusBadRequest {
		t.Errorf("two files: got %d, want 400", got.Status)
	}
	if got := importFile(t, olivia, open.Values,
		bytes.Repeat([]byte("x"), 81<<20)); got.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("81 MB: got %d, want 413", got.Status)
	}
}

func TestImportReport_SavedDraft_StaysUntilClosed(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	got := importFile(t, olivia, url.Values{}, loanFile(t, "encompass"))
	form := got.Form("form#intake")
	draft := form.Values.Get("draft")
	if got.Path != "/leads/new" || draft == "" {
		t.Fatalf("got %s", got.Path)
	}
	olivia.Post("/drafts/"+draft, form.With("applicant.name.firstName", "Ellen").Values, "HX-Request", "true")
	again := olivia.Get("/leads/new?draft=" + draft)
	if again.Find("#imported").Length() != 1 ||
		again.Form("form#intake").Values.Get("applicant.name.firstName") != "Ellen" {
		t.Errorf("saving the draft lost the report or the entry")
	}
	if got := olivia.Get("/drafts").Find("#draft-" + draft); !strings.Contains(got.Text(), "Ellen Rivera") {
		t.Errorf("got the row %q", got.Text())
	}
	button := again.Find(`#imported button[name="import.close"]`)
	if button.AttrOr("formaction", "") != "/drafts/"+draft {
		t.Fatalf("got the button %q", button.AttrOr("formaction", ""))
	}
	closed := olivia.Post(button.AttrOr("formaction", ""),
		again.Form("form#intake").With("import.close", "true", "applicant.name.middleName", "M").Values)
	if closed.Find("#imported").Length() != 0 ||
		closed.Form("form#intake").Values.Get("applicant.name.middleName") != "M" {
		t.Errorf("got %d, and the report is still there or an entry was lost", closed.Status)
	}
	// Nobody can write a report.
	olivia.Post("/drafts/"+draft, form.With("import.liens", "7", "import.unused", "<b>Fake</b>").Values)
	if olivia.Get("/leads/new?draft="+draft).Find("#imported").Length() != 0 {
		t.Error("a form set the report")
	}
}

func TestImport_TransferredDraft_ReportIsNoChange(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	ada, olivia := h.SignInAs("ada"), h.SignInAs("olivia")
	got := importFile(t, ada, url.Values{}, loanFile(t, "encompass"))
	draft := got.Form("form#intake").Values.Get("draft")
	ada.Post("/drafts/"+draft+"/hand", url.Values{"draft.originator": {h.People["olivia"].OriginatorUUID}})
	received := olivia.Get("/leads/new?draft=" + draft)
	received.WantText("No changes since it was prepared.", "From your file")
	if ada.Get("/leads/new?draft="+draft).Status != http.StatusNotFound {
		t.Error("the sender still has the draft")
	}
}

func TestImport_AuditAndDatabase_HaveNoBorrowerData(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	got := importFile(t, olivia, url.Values{}, loanFile(t, "encompass"))
	h.WantAudited("user-olivia draft.import draft:" + got.Form("form#intake").Values.Get("draft") + " done")
	h.SignInAs("admin").Get("/admin/audit").WantText("Imported a loan file into a draft")
	for _, text := range []string{"Larkspur", "elena.rivera", "900123456", "Rivera Elena 1003", "Sawtooth", "Assets (2"} {
		if strings.Contains(h.Log.String(), text) {
			t.Errorf("the log has %q", text)
		}
		for place, stored := range h.Stored() {
			if strings.Contains(stored, text) {
				t.Errorf("%q is in %s", text, place)
			}
		}
	}
}

func TestImport_OthersDraft_NeitherReadNorChanged(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, piotr := h.SignInAs("olivia"), h.SignInAs("piotr")
	hers := importFile(t, olivia, url.Values{}, loanFile(t, "encompass")).Form("form#intake").Values.Get("draft")
	for _, values := range []url.Values{{"draft": {hers}}, {"draft": {hers}, "applicant.name.lastName": {"Overwritten"}}} {
		for _, files := range [][][]byte{nil, {loanFile(t, "arive")}} {
			if got := importFile(t, piotr, values, files...); strings.Contains(got.Body, "Larkspur") ||
				strings.Contains(got.Body, "Assets (2") {
				t.Errorf("piotr sees her draft: %s", got.MainText())
			}
		}
	}
	if piotr.Get("/leads/new?draft="+hers).Status != http.StatusNotFound {
		t.Error("piotr can open her draft")
	}
	if back := olivia.Get("/leads/new?draft=" + hers).
		Form("form#intake"); back.Values.Get("applicant.name.lastName") != "Rivera" {
		t.Errorf("her draft was changed: %v", back.Values)
	}
	if got := importFile(t, h.SignInAs("admin"), url.Values{}, loanFile(t, "arive")); got.Status != http.StatusForbidden {
		t.Errorf("an administrator: got %d, want 403", got.Status)
	}
	if got := importFile(t, h.NewBrowser(), url.Values{}, loanFile(t, "arive")); got.Path != "/login" {
		t.Errorf("nobody: got %s, want the sign-in page", got.Path)
	}
	if got := importFile(t, h.SignInAs("ada"), url.Values{}, loanFile(t, "arive")); got.Find("#imported").Length() != 1 {
		t.Errorf("an assistant: got %d: %s", got.Status, got.MainText())
	}
}
