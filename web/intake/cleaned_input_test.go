package intake_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/web/webtest"
)

// pasted has entries as they come out of emails, PDFs and CRMs, and what the form shows beside each.
func pasted() map[string][2]string {
	const invisible = "Removed an invisible character"
	return map[string][2]string{
		"applicant.name.firstName":  {"El\u200bena", invisible},
		"applicant.name.lastName":   {"O\u2018Connor\u2014N\u00fan\u0303ez", "Sent as “O'Connor-Nunez”"},
		"applicant.name.middleName": {"Mary\u00a0Ann", "Changed a special space to a regular space"},
		"applicant.dob":             {"05/17/1979\u200e", invisible},
		"applicant.phone":           {"(208) 555-0142 ext. 7", "Removed the extension. Sent as “2085550142”"},
		"applicant.email": {"mailto:elena@exam\u00adple.com\u201d",
			"Removed an invisible character. Removed “mailto:”. Removed the quotation marks. Sent as “elena@example.com”"},
		"property.address.street1":                  {"123 1/2 Elm St", "Sent as “123.5 Elm St”"},
		"property.address.city":                     {"St. Louis", "Sent as “St Louis”"},
		"property.address.zip":                      {"\ufeff83702", invisible},
		"property.borrowerEstimatedValue":           {"560\u200b,000", invisible},
		"amountWanted":                              {"60,000\u200b", invisible},
		"property.liens.0.lenderName":               {"Smith\u2019s S&L", "Sent as “Smith's S and L”"},
		"applicant.income.grossAnnualIncome":        {"\u200e98,000", invisible},
		"partnerDataRequest.externalReferenceId":    {"CRM\u200b-51", invisible},
		"applicant.income.annualRetirementIncome":   {"0\u200b", invisible},
		"partnerDataRequest.utmParameters.campaign": {"fall\u00a0rates", "Changed a special space to a regular space"},
	}
}

func wantNotes(t *testing.T, got *webtest.Response, entries map[string][2]string) {
	t.Helper()
	for name, entry := range entries {
		if note := got.Find(`p.fixed[id="` + name + `-s"]`).Text(); note != entry[1] {
			t.Errorf("%s: got the note %q, want %q", name, note, entry[1])
		}
		if typed := got.Form("form#intake").Values.Get(name); typed != entry[0] {
			t.Errorf("%s: the form has %+q, want %+q as typed", name, typed, entry[0])
		}
	}
}

func TestIntake_PastedText_ChangesShownAndCleanTextSent(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		h := webtest.New(t, webtest.Options{Dialect: dialect})
		olivia := h.SignInAs("olivia")
		form := olivia.IntakeForm("Rivera", "consent.attested", "")
		for name, entry := range pasted() {
			form = form.With(name, entry[0])
		}
		got := olivia.Send(form)
		if got.Status != http.StatusUnprocessableEntity {
			t.Fatalf("got %d", got.Status)
		}
		wantNotes(t, got, pasted())
		if errors := got.Find("p.err").Text(); !strings.Contains(errors, "Confirm that the borrower agreed") ||
			got.Find("p.err").Length() != 1 {
			t.Errorf("got the errors %q", errors)
		}
		// An opened draft shows the same, no matter what filled it in.
		draft := form.Values.Get("draft")
		olivia.Post("/drafts/"+draft, form.Values)
		opened := olivia.Get("/leads/new?draft=" + draft)
		wantNotes(t, opened, pasted())
		if sent := olivia.Send(opened.Form("form#intake").With("consent.attested", "true",
			"consent.method", "in-person")); !strings.HasPrefix(sent.Path, "/leads/") {
			t.Fatalf("got %d: %s", sent.Status, sent.MainText())
		}
		inquiries := h.Inquiries("O'Connor-Nunez")
		if len(inquiries) != 1 {
			t.Fatalf("got %d inquiries", len(inquiries))
		}
	}
}

func TestIntake_UnusableCharacter_Named(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	for name, entries := range map[string]map[string]string{
		"applicant.name.lastName": {"Rivera #2": "“#” can’t be used. Use only letters", "Riv\aera": "A control character " +
			"(U+0007) can’t be used", "Иванов": "“И”, “в”, “а” and other characters can’t be used"},
		"applicant.email": {"el\aena@example.com": "A control character (U+0007) can’t be used",
			"ele\u00a0na@example.com": "A space can’t be used. Check the email address",
			"a..b@example.com":        "An email can’t have two periods in a row"},
		"property.address.street1": {"100% Elm St": "“%” can’t be used"},
		"property.address.city":    {"Boise 2": "“2” can’t be used"},
		"applicant.phone":          {"(208) 555-016 ext 0": "10-digit"},
		"applicant.dob": {"05/17\a/1979": "A control character (U+0007) can’t be used",
			"05*17*1979": "“*” can’t be used. Enter the date as mm/dd/yyyy"},
		"amountWanted": {"60,000€": "“€” can’t be used. Enter a dollar amount", "560.000": "Check the commas"},
		"applicant.ssn": {
			"666-12-3456": "An SSN can’t begin with 666", "000-12-3456": "An SSN can’t begin with 000",
			"912-34-5678": "An SSN can’t begin with 9", "123-00-4567": "The middle two digits of an SSN can’t be 00",
		},
	} {
		for value, want := range entries {
			got := olivia.Send(olivia.IntakeForm("Rivera", name, value))
			if text := got.Find(`[id="` + name + `-e"]`).Text(); got.Status != http.StatusUnprocessableEntity ||
				!strings.Contains(text, want) {
				t.Errorf("%s=%+q: got %d and %q, want %q", name, value, got.Status, text, want)
			}
			if name == "applicant.ssn" && (got.Form("form#intake").Values.Get(name) != "" || strings.Contains(got.Body, value)) {
				t.Errorf("the page has the SSN %s", value)
			}
		}
	}
}

func TestImport_PastedText_ShownOrNamed(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	file := loanFile(t, "encompass")
	for old, text := range map[string]string{
		"elena.rivera@borrower.test": "mailto:elena.rivera@borrower\u200b.test",
		"<FirstName>Elena":           "<FirstName>Elena 123-45-6789", "<MiddleName>Marie": "<MiddleName>Marie%",
	} {
		file = bytes.ReplaceAll(file, []byte(old), []byte(text))
	}
	got := importFile(t, olivia, url.Values{}, file)
	wantNotes(t, got, map[string][2]string{
		"applicant.email": {"mailto:elena.rivera@borrower\u200b.test",
			"Removed an invisible character. Removed “mailto:”. Sent as “elena.rivera@borrower.test”"},
	})
	if list := got.Find("#imported ul").First().
		Text(); !strings.Contains(list, "First name: It has a Social Security number, which was dropped") ||
		!strings.Contains(list, "Middle name: “%” can’t be used") || strings.Contains(got.Body, "123-45-6789") {
		t.Errorf("got the list %q", list)
	}
}
