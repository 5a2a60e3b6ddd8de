package intake

import (
	"fmt"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"hearthline/views/page"
	"hearthline/views/ui"
	"hearthline/views/viewtest"
)

func sampleIntake() IntakeView {
	p := viewtest.Page("New inquiry")
	typed := []ui.SubmittedValue{
		{Name: "property.address.street1", Value: "2216 Larkspur Ave"},
		{Name: "property.address.street2", Value: "Apt #4", Corrected: "Apt 4"},
		{Name: "property.address.state", Value: "ID"}, {Name: "property.liens.0.lenderName", Value: "Sawtooth Mortgage"},
		{Name: "applicant.name.firstName", Value: "Denise"}, {Name: "homeIsProperty", Value: "true"},
		{Name: "applicant.ssn", Value: "123-45-6789"}, {Name: "property.ownershipType", Value: "COOPERATIVE"},
	}
	return IntakeView{Page: p, Draft: "d1",
		Form: ui.Form{OperationID: "ticket-start", Values: typed, FieldErrors: []ui.FieldError{
			{Name: "applicant.income.employmentType", Text: "Choose one"},
		}}, SavedText: "Saved 10:42 AM",
		Progress: Progress{Missing: []string{"employment", "consent"}, Done: []string{"property", "liens"},
			Needs: []Need{{"income", "1 missing"}}, MonthlyGross: "$7,050 a month"},
		CanSend: true, License: LicenseView{Text: "Idaho: You’re licensed."}, Variants: []string{"A"},
		References: []string{"partnerDataRequest.externalReferenceId", "partnerDataRequest.externalCustomerId"},
		Consent:    sampleConsentText(), Duplicates: []DuplicateRow{{Text: "Denise Kowalczyk, offers ready", Href: "/leads"},
			{Text: "A colleague’s lead"}}, Samples: []ui.Option{{Value: "match", Label: "Match: SSN needed"},
			{Value: "liens", Label: "Liens"}},
		Import: ImportReportView{Shown: true, Filled: []string{"property", "liens"}, Liens: 2, Unusable: []string{"Phone"},
			Unused: []string{"Assets (4 accounts)"}, SavedBefore: true}}
}

func sampleConsentText() page.ConsentText {
	return page.ConsentText{Version: "2026-10-01", EffectiveDate: "Oct 1, 2026", Borrower: "Priya Raghunathan",
		ReadBy: "Olivia Bennett, NMLS 1847220",
		Text: "You authorize the lender to obtain your credit report from one or more credit bureaus, " +
			"for prequalification only. This is a soft inquiry: " +
			"it is not seen by other lenders and does not affect your score. Do you agree?"}
}

func TestScreens_MeetPageRules(t *testing.T) {
	screens := map[string]templ.Component{
		"intake": Intake(sampleIntake()),
		"drafts": Drafts(DraftsView{Page: viewtest.Page("Drafts"), CanNew: true,
			Drafts: []DraftRow{{ID: "d1", Name: "Denise Kowalczyk", TransferTo: []ui.Option{{Value: "u", Label: "Maya"}}},
				{ID: "d2"}}}),
		"empty intake": Intake(IntakeView{Page: viewtest.Page("New")}),
		"empty drafts": Drafts(DraftsView{Page: viewtest.Page("Drafts")}),
	}
	viewtest.CheckScreens(t, screens)
	viewtest.CheckLinksAndForms(t, screens)
}

func TestIntake_Redisplay_KeepsInput(t *testing.T) {
	doc := viewtest.Render(t, Intake(sampleIntake()))
	if got := doc.Find(`[name="property.address.street2"]`).AttrOr("value", ""); got != "Apt #4" {
		t.Errorf("got %q", got)
	}
	if got := doc.Find(".fixed").Text(); !strings.Contains(got, "Apt 4") {
		t.Errorf("correction: got %q", got)
	}
	if got := doc.Find(`[name="property.ownershipType"] option[selected]`).AttrOr("value", ""); got != "COOPERATIVE" {
		t.Errorf("an unknown value is lost: got %q", got)
	}
	if got := doc.Find("#complaints a").AttrOr("href", ""); got != "#applicant.income.employmentType" {
		t.Errorf("the error links to %q", got)
	}
	for _, name := range []string{"consent.method", "applicant.income.employmentType", "property.isListedForSale"} {
		if n := doc.Find(fmt.Sprintf("input[name=%q][checked]", name)).Length(); n != 0 {
			t.Errorf("%s is preselected", name)
		}
	}
	if _, ok := viewtest.Render(t, Intake(IntakeView{Page: viewtest.Page("New")})).Find(`[name="homeIsProperty"]`).
		Attr("checked"); ok {
		t.Error("on a new form, the home address is the property before anybody chose the occupancy")
	}
	if strings.Contains(doc.Find(`[name]`).Text(), "externalAppId") {
		t.Error("the portal’s own number has a control")
	}
}

func TestImportReport_Filled_NamesSections(t *testing.T) {
	for want, v := range map[string]ImportReportView{
		"The file has nothing that this form asks for.": {},
		"Filled in: borrower.":                          {Filled: []string{"borrower"}},
		"Filled in: property and 1 lien.":               {Filled: []string{"property", "liens"}, Liens: 1},
		"Filled in: property, borrower, income and 3 liens.": {
			Filled: []string{"property", "borrower", "income", "liens"}, Liens: 3,
		},
	} {
		if got := v.filledText(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if viewtest.Render(t, Intake(IntakeView{Page: viewtest.Page("New")})).Find("#imported").Length() != 0 {
		t.Error("a form without an import has a report")
	}
}
