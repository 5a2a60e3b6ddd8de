package intake_test

import (
	"bytes"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
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

// importFile sends an intake form with a file.
func importFile(t *testing.T, v *webtest.Browser, values url.Values, files ...[]byte) *webtest.Response {
	t.Helper()
	return v.PostLoanFile("/leads/import", values, files...)
}

// use sends a review as it is, and returns the form of the draft.
func use(t *testing.T, v *webtest.Browser, review *webtest.Response, more ...string) webtest.Form {
	t.Helper()
	got := v.Send(review.Form("form#review").With(more...))
	if got.Status != http.StatusOK || !strings.HasSuffix(got.Path, "/leads/new") {
		t.Fatalf("got %d at %s: %s", got.Status, got.Path, got.MainText())
	}
	return got.Form("form#intake")
}

// without returns the checked rows of a review except some.
func without(review *webtest.Response, keys ...string) webtest.Form {
	f := review.Form("form#review").With()
	f.Values["use"] = slices.DeleteFunc(slices.Clone(f.Values["use"]), func(key string) bool {
		return slices.Contains(keys, key)
	})
	return f
}

func wantValues(t *testing.T, form webtest.Form, want map[string]string) {
	t.Helper()
	for name, want := range want {
		if got := form.Values.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func draftCount(v *webtest.Browser) int { return v.Get("/drafts").Find(`tr[id^="draft-"]`).Length() }

// TestImport_LoanFile_ReviewedThenDraft follows a file to its draft and the draft to the lender.
func TestImport_LoanFile_ReviewedThenDraft(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		h := webtest.New(t, webtest.Options{Dialect: dialect})
		olivia := h.SignInAs("olivia")
		empty := olivia.Get("/leads/new").Form("form#intake")
		review := importFile(t, olivia, empty.Values, loanFile(t, "encompass"))
		if review.Status != http.StatusOK || !strings.HasPrefix(review.Path, "/leads/import/") {
			t.Fatalf("%s: got %d at %s: %s", dialect, review.Status, review.Path, review.MainText())
		}
		review.WantText("Review loan file", "Rivera Elena 1003.xml", "LOS number", "2 on this loan",
			"Elena Marie Rivera", "Tomas Rivera", "Lives at the property", "Tied to this property by a link in the file",
			"It’s on another property", "The lender takes no mailing address", "$108,006 per year", "Nothing is sent.",
			"Not used")
		if strings.Contains(review.Find("main").Text(), "earlier entries") {
			t.Errorf("%s: an untouched form counts as entries", dialect)
		}
		if n := draftCount(olivia); n != 0 {
			t.Errorf("%s: got %d drafts before the review was used", dialect, n)
		}
		for _, secret := range []string{"900123456", "900-12-3456", "3456", "4455-0091"} {
			if strings.Contains(review.Body, secret) {
				t.Errorf("%s: the review shows %q", dialect, secret)
			}
		}
		if again := olivia.Get(review.Path); again.Find("form#review").Length() != 1 {
			t.Errorf("%s: a reload lost the review: %s", dialect, again.MainText())
		}
		form := use(t, olivia, review)
		wantValues(t, form, map[string]string{
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
			"property.liens.2.lenderName": "", "consent.attested": "",
			"partnerDataRequest.externalReferenceId": "2611-00417",
		})
		if n := draftCount(olivia); n != 1 || len(h.Inquiries("Rivera")) != 0 {
			t.Errorf("%s: got %d drafts and %d inquiries, want one and none", dialect, n, len(h.Inquiries("Rivera")))
		}
		// The review is gone: its address and its form lead to the draft, and neither makes another one.
		again, back := olivia.Get(review.Path), olivia.Send(review.Form("form#review"))
		if again.Path != "/leads/new" || back.Path != "/leads/new" || draftCount(olivia) != 1 {
			t.Errorf("%s: got %s and %s, and %d drafts", dialect, again.Path, back.Path, draftCount(olivia))
		}
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

func TestImportReview_Selection_DecidesWhatArrives(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	review := importFile(t, olivia, url.Values{}, loanFile(t, "encompass"))
	key := func(label string) string {
		return review.Find(`input[name="use"][aria-label^="Use `+label+`"]`).First().AttrOr("value", "none")
	}
	mortgage := key("Sawtooth Mortgage")
	draft := olivia.Send(without(review, mortgage)).Form("form#intake")
	wantValues(t, draft, map[string]string{"property.liens.0.lenderName": "Treasure Valley Bank",
		"property.liens.1.lenderName": ""})
	for name, values := range draft.Values {
		if strings.Contains(strings.Join(values, " "), "Sawtooth") || strings.Contains(strings.Join(values, " "), "203,900") {
			t.Errorf("%s has %q of a lien that was not checked", name, values)
		}
	}

	review = importFile(t, olivia, url.Values{}, loanFile(t, "encompass"))
	form := review.Form("form#review")
	form.Values["use"] = append(form.Values["use"], key("Payette Savings"))
	wantValues(t, olivia.Send(form).Form("form#intake"), map[string]string{
		"property.liens.2.lenderName": "Payette Savings", "property.liens.2.currentBalance": "121,000"})

	review = importFile(t, olivia, url.Values{}, loanFile(t, "encompass"))
	tomas := review.Find(`label.option:contains("Tomas") input`).AttrOr("value", "")
	wantValues(t, use(t, olivia, review, "applicant", tomas), map[string]string{
		"applicant.name.firstName": "Tomas", "applicant.name.middleName": "", "applicant.dob": "02/03/1977",
		"applicant.phone": "", "applicant.email": "", "homeIsProperty": "",
		"applicant.income.grossAnnualIncome": "61,200", "property.address.street1": "2216 Larkspur Ave",
	})

	review = importFile(t, olivia, url.Values{}, loanFile(t, "encompass"))
	form = review.Form("form#review")
	form.Values = url.Values{"applicant": {"1"}, "use": {"no such row"}, "choice.title": {"CASTLE"}}
	for name, values := range olivia.Send(form).Form("form#intake").Values {
		if strings.HasPrefix(name, "applicant.") && strings.Join(values, "") != "" {
			t.Errorf("nothing was checked, and %s has %q", name, values)
		}
	}
}

// TestImportReview_FileLeavesOpen_Asked reads a file that names no applicant and two properties.
func TestImportReview_FileLeavesOpen_Asked(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	file := string(loanFile(t, "encompass"))
	file = strings.NewReplacer(`<PARTY SequenceNumber="1">`, "<PARTY>", `<PARTY SequenceNumber="2">`, "<PARTY>",
		"</COLLATERALS>", "<COLLATERAL><SUBJECT_PROPERTY><ADDRESS><AddressLineText>9 Mill Ln</AddressLineText>"+
			"<CityName>Nampa</CityName><PostalCode>83651</PostalCode><StateCode>ID</StateCode></ADDRESS>"+
			"</SUBJECT_PROPERTY></COLLATERAL></COLLATERALS>",
		`<ROLE SequenceNumber="1" xlink:label="BORROWER_1">`, `<ROLE xlink:label="BORROWER_1">`,
		`<ROLE SequenceNumber="1" xlink:label="BORROWER_2">`, `<ROLE xlink:label="BORROWER_2">`).Replace(file)
	review := importFile(t, olivia, url.Values{}, []byte(file))
	if n := review.Find(`input[type="radio"][checked]`).Length(); n != 0 {
		t.Fatalf("%d choices are made that the file leaves open: %s", n, review.MainText())
	}
	missing := olivia.Send(without(review, "requested"))
	if missing.Status != http.StatusUnprocessableEntity || missing.Find("#complaints a").Length() != 2 {
		t.Fatalf("got %d: %s", missing.Status, missing.MainText())
	}
	missing.WantText("Choose the applicant", "Choose the property, or none of them")
	chosen := missing.Form("form#review").With("applicant", "1", "property", "1")
	wantValues(t, olivia.Send(chosen).Form("form#intake"), map[string]string{
		"applicant.name.firstName": "Elena", "property.address.street1": "9 Mill Ln", "homeIsProperty": "",
		"applicant.homeAddress.street1": "2216 Larkspur Ave", "property.propertyType": "",
	})
	review = importFile(t, olivia, url.Values{}, []byte(file))
	wantValues(t, use(t, olivia, review, "applicant", "1", "property", "none"), map[string]string{
		"applicant.name.firstName": "Elena", "property.address.street1": "", "property.propertyType": ""})
}

func TestImportReview_UnusableValues_NamedAndLeftEmpty(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	review := importFile(t, olivia, url.Values{}, loanFile(t, "calyx"))
	if list := review.Find("#unusable").Text(); !strings.Contains(list, "Phone") || !strings.Contains(list, "Suffix") {
		t.Errorf("got the list %q", list)
	}
	wantValues(t, use(t, olivia, review), map[string]string{
		"applicant.phone": "", "applicant.name.suffix": "", "applicant.name.prefix": "Mrs",
		"property.address.zip": "84770-1234", "property.address.street1": "61 Cañon Rd #3",
		"property.propertyType": "SECONDARY", "homeIsProperty": "", "amountWanted": "", "property.borrowerEstimatedValue": "",
	})
	wantValues(t, use(t, olivia, importFile(t, olivia, url.Values{}, loanFile(t, "arive"))), map[string]string{
		"applicant.name.suffix": "Jr", "applicant.income.employmentType": "SELF_EMPLOYED",
		"applicant.income.grossAnnualIncome": "", "property.address.street2": "Apt 12",
		"applicant.homeAddress.street1": "3050 Vine St", "homeIsProperty": "",
		"property.liens.0.lenderName": "FRONT RANGE S&L", "amountWanted": "75,000",
	})
}

// TestImportReview_Doubtful_ShownUnchecked: a guarantor is not made the applicant, another loan's amount is not
// requested, and a line's limit is requested and not its first draw.
func TestImportReview_Doubtful_ShownUnchecked(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	olivia := h.SignInAs("olivia")
	review := importFile(t, olivia, url.Values{}, loanFile(t, "corpus/company-and-guarantors"))
	review.WantText("guarantor", "company", "The applicant can’t be a company.",
		"The file doesn’t call the loan a home equity line. Check it only if the borrower wants this amount.")
	if review.Find(`input[name="applicant"][checked], input[value="requested"][checked]`).Length() > 0 ||
		review.Find(`input[value="requested"]`).Length() != 1 {
		t.Errorf("an applicant or an amount is preselected: %s", review.MainText())
	}
	cost := bytes.NewBuffer(nil)
	for kept := range bytes.Lines(loanFile(t, "corpus/company-and-guarantors")) {
		if !bytes.Contains(kept, []byte("PropertyValuationAmount")) &&
			!bytes.Contains(kept, []byte("PropertyEstimatedValueAmount")) {
			cost.Write(kept)
		}
	}
	paid := importFile(t, olivia, url.Values{}, cost.Bytes())
	paid.WantText("$300,000", "What the owner paid. Check it only if the home is worth that now.")
	if paid.Find(`input[value="value.p0"]`).Length() != 1 || paid.Find(`input[value="value.p0"][checked]`).Length() > 0 {
		t.Error("what the owner paid is preselected")
	}
	line := importFile(t, olivia, url.Values{}, loanFile(t, "corpus/line-and-related-loans"))
	line.WantText("First draw: 40000.00", "Full appraisal, 03/02/2022",
		"other valuation 655000.00 (Automated valuation model, 09/18/2026)", "It’s an ITIN, not a Social Security number",
		"The file calls it a related loan but doesn’t say on which property. Check it only if this home secures it.")
	wantValues(t, use(t, olivia, line), map[string]string{"amountWanted": "150,000",
		"property.liens.0.lenderName": "Tidewater Home Loans", "property.liens.1.lenderName": ""})
	if strings.Contains(line.MainText(), "We couldn’t read any") {
		t.Error("the review says that it found nothing")
	}
	elsewhere := importFile(t, olivia, url.Values{}, loanFile(t, "corpus/incomes-in-loan"))
	elsewhere.WantText("We couldn’t read any income from this file.", "Erie Clinic Group 7750 · Lakewood Drugs 4900")
}

func TestImport_OpenFormHasEntries_SavedAsItsOwnDraft(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	open := olivia.IntakeForm("Silva", "applicant.ssn", "123-45-6789")
	review := importFile(t, olivia, open.Values, loanFile(t, "arive"))
	review.WantText("Your earlier entries are saved as a separate draft.")
	imported := use(t, olivia, review)
	if draftCount(olivia) != 2 {
		t.Errorf("got %d drafts, want two", draftCount(olivia))
	}
	if back := olivia.Get("/leads/new?draft=" + open.Values.Get("draft")).
		Form("form#intake"); back.Values.Get("applicant.name.lastName") != "Silva" || back.Values.Get("applicant.ssn") != "" {
		t.Errorf("the earlier entries: got %v", back.Values)
	}
	// Importing over a draft from a file makes a third; neither is overwritten.
	use(t, olivia, importFile(t, olivia, imported.Values, loanFile(t, "encompass")))
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
		"over 10 MB": {[][]byte{bytes.Repeat([]byte("x"), 10<<20+1)}, "larger than 10 MB"},
		"40 MB":      {[][]byte{bytes.Repeat([]byte("x"), 40<<20)}, "larger than 10 MB"},
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
		bytes.Repeat([]byte("x"), 43<<20)); got.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("43 MB: got %d, want 413", got.Status)
	}
}

// TestImportReview_Gone_SaysSo opens reviews that were discarded, have expired, or are somebody else's.
func TestImportReview_Gone_SaysSo(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, piotr := h.SignInAs("olivia"), h.SignInAs("piotr")
	gone := func(v *webtest.Browser, what string, review *webtest.Response) {
		t.Helper()
		for _, got := range []*webtest.Response{v.Get(review.Path), v.Send(review.Form("form#review"))} {
			if got.Status != http.StatusNotFound || strings.Contains(got.Body, "Larkspur") {
				t.Errorf("%s: got %d: %s", what, got.Status, got.MainText())
			}
			got.WantText("This review is no longer available.", "Choose the file again")
		}
	}
	hers := importFile(t, olivia, url.Values{}, loanFile(t, "encompass"))
	gone(piotr, "another user's", hers)
	if got := piotr.Post(hers.Path+"/discard", nil); got.Status != http.StatusNotFound {
		t.Errorf("piotr discards her review: got %d, want 404", got.Status)
	}
	if olivia.Get(hers.Path).Status != http.StatusOK {
		t.Error("piotr discarded her review")
	}
	if got := olivia.Post(hers.Path+"/discard", hers.Form("form#review").Values); got.Path != "/leads/new" {
		t.Errorf("discard: got %d at %s", got.Status, got.Path)
	}
	gone(olivia, "discarded", hers)
	expired := importFile(t, olivia, url.Values{}, loanFile(t, "encompass"))
	h.ExecSQL(`UPDATE ceremonies SET expires_at = 1 WHERE kind = 'loan-file'`)
	gone(olivia, "expired", expired)
	first := importFile(t, olivia, url.Values{}, loanFile(t, "arive"))
	for range 10 {
		importFile(t, olivia, url.Values{}, loanFile(t, "arive"))
	}
	gone(olivia, "the eleventh oldest", first)
	if draftCount(olivia) != 0 || draftCount(piotr) != 0 {
		t.Error("a review that is gone made a draft")
	}
}

func TestImportReview_TransferredDraft_NoChanges(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	ada, olivia := h.SignInAs("ada"), h.SignInAs("olivia")
	draft := use(t, ada, importFile(t, ada, url.Values{}, loanFile(t, "encompass"))).Values.Get("draft")
	ada.Post("/drafts/"+draft+"/hand", url.Values{"draft.originator": {h.People["olivia"].OriginatorUUID}})
	olivia.Get("/leads/new?draft=" + draft).WantText("No changes since it was prepared.")
	if ada.Get("/leads/new?draft="+draft).Status != http.StatusNotFound {
		t.Error("the sender still has the draft")
	}
}

func TestImport_AuditAndDatabase_HaveNoBorrowerData(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	file := bytes.Replace(loanFile(t, "encompass"), []byte("<LastName>Rivera<"),
		[]byte("<LastName>Rivera 529-12-3456<"), 1)
	hidden := func() {
		t.Helper()
		for _, text := range []string{"Larkspur", "elena.rivera", "900123456", "529-12-3456", "Rivera Elena 1003", "Sawtooth",
			"2611-00417"} {
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
	review := importFile(t, olivia, url.Values{}, file)
	everywhere := importFile(t, olivia, url.Values{}, regexp.MustCompile(`([^>\s])</`).ReplaceAll(file,
		[]byte("$1 529-12-3456</")))
	if everywhere.Find("form#review").Length() != 1 {
		t.Fatalf("a file with an SSN in every value: got %d: %s", everywhere.Status, everywhere.MainText())
	}
	hidden()
	form := use(t, olivia, review)
	hidden()
	draft := olivia.Get("/leads/new?draft=" + form.Values.Get("draft"))
	for _, page := range []string{review.Body, everywhere.Body, draft.Body} {
		for _, ssn := range []string{"900123456", "900-12-3456", "529-12-3456", "529123456"} {
			if strings.Contains(page, ssn) {
				t.Errorf("a page has the SSN %s", ssn)
			}
		}
	}
	h.WantAudited("user-olivia draft.import draft:" + form.Values.Get("draft") + " done")
	h.SignInAs("admin").Get("/admin/audit").WantText("Imported a loan file into a draft")
}

func TestImport_OthersDraft_NeitherReadNorChanged(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, piotr := h.SignInAs("olivia"), h.SignInAs("piotr")
	hers := use(t, olivia, importFile(t, olivia, url.Values{}, loanFile(t, "encompass"))).Values.Get("draft")
	for _, values := range []url.Values{{"draft": {hers}}, {"draft": {hers}, "applicant.name.lastName": {"Overwritten"}}} {
		for _, files := range [][][]byte{nil, {loanFile(t, "arive")}} {
			if got := importFile(t, piotr, values, files...); strings.Contains(got.Body, "Larkspur") {
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
	use(t, h.SignInAs("ada"), importFile(t, h.SignInAs("ada"), url.Values{}, loanFile(t, "arive"))) // an assistant may
}
