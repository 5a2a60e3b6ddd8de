package intake_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"hearthline/views/intake"
	"hearthline/views/page"
	"hearthline/views/ui"
	"hearthline/views/viewtest"
)

func sampleIntake() intake.IntakeView {
	p := viewtest.Page("New inquiry")
	typed := []ui.SubmittedValue{
		{Name: "property.address.street1", Value: "2216 Larkspur Ave"},
		{Name: "property.address.street2", Value: "Apt #4", Corrected: "Apt 4"},
		{Name: "property.address.state", Value: "ID"}, {Name: "property.liens.0.lenderName", Value: "Sawtooth Mortgage"},
		{Name: "applicant.name.firstName", Value: "Denise"}, {Name: "homeIsProperty", Value: "true"},
		{Name: "applicant.ssn", Value: "123-45-6789"}, {Name: "property.ownershipType", Value: "COOPERATIVE"},
	}
	return intake.IntakeView{Page: p, Draft: "d1",
		Form: ui.Form{OperationID: "ticket-start", Values: typed, FieldErrors: []ui.FieldError{
			{Name: "applicant.income.employmentType", Text: "Choose one"},
		}}, SavedText: "Saved 10:42 AM",
		Progress: intake.Progress{Missing: []string{"employment", "consent"}, Done: []string{"property", "liens"},
			Needs: []intake.Need{{"income", "1 missing"}}, MonthlyGross: "$7,050 a month"},
		CanSend: true, License: intake.LicenseView{Text: "Idaho: You’re licensed."}, Variants: []string{"A"},
		References: []string{"partnerDataRequest.externalReferenceId", "partnerDataRequest.externalCustomerId"},
		Consent:    sampleConsentText(), Duplicates: []intake.DuplicateRow{{Text: "Denise Kowalczyk, offers ready",
			Href: "/leads"},
			{Text: "A colleague’s lead"}}, Samples: []ui.Option{{Value: "match", Label: "Match: SSN needed"},
			{Value: "liens", Label: "Liens"}}}
}

func sampleReview() intake.ImportReviewView {
	return intake.ImportReviewView{
		Page: viewtest.Page("Review loan file"), ID: "r1", Meta: []string{"1003.xml", "MISMO 3.4, 48 KB, UTF-8"},
		LoanNumber: "LN-2026-4471", Until: "11:42 AM", SavedBefore: true,
		Form: ui.Form{FieldErrors: []ui.FieldError{{Name: "applicant", ID: "applicant", Label: "Applicant",
			Text: "Choose the applicant"}}},
		Applicant: intake.ImportChoiceView{Name: "applicant", Title: "Who is the applicant?", Count: "2 on this loan",
			Error: "Choose the applicant", Options: []ui.Option{{Value: "0", Label: "Ada Quill", Note: "sequence 1"},
				{Value: "1", Label: "Benjamin Quill"}}},
		Sections: []intake.ImportSectionView{{ID: "s-applicant", Label: "Applicant", Panels: []intake.ImportPanelView{
			{ID: "s-applicant-1", Title: "Applicant: Ada Quill", Fold: intake.ImportFold("applicant", 0),
				Rows: []intake.ImportRowView{
					{Key: "name.0", Label: "Name", Says: "Ada M. Quill", Place: "PARTY 1 / NAME", Draft: "Ada M. Quill",
						Why: "Sent as “M”", Usable: true, Checked: true}}},
			{ID: "s-applicant-2", Title: "Applicant: Benjamin Quill", Fold: intake.ImportFold("applicant", 1),
				Rows: []intake.ImportRowView{
					{Key: "name.1", Label: "Name", Says: "Benjamin Quill", Draft: "Benjamin Quill", Usable: true}}}}},
			{ID: "s-property", Label: "Property", Panels: []intake.ImportPanelView{{ID: "s-property-0", Title: "Property",
				Rows: []intake.ImportRowView{{Key: "title", Label: "Title", Says: "Ada Quill", ChoiceName: "choice.title",
					Options: ui.Choices("", [2]string{"", "Choose…"}, [2]string{"SOLE", "Sole"})}},
				Sums: []intake.ImportSumView{{"applicant.income.grossAnnualIncome", "Annual gross pay", "$116,000.04"}}}}}},
		Unusable: []intake.ImportUnusableView{{Label: "Email", Says: "a..b@", Reason: "Two periods", Place: "PARTY 1"}},
		Unused:   []ui.Fact{{Label: "Assets (4 accounts)", Value: "CheckingAccount 8214.10"}},
	}
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
		"intake": intake.Intake(sampleIntake()),
		"drafts": intake.Drafts(intake.DraftsView{Page: viewtest.Page("Drafts"), CanNew: true,
			Drafts: []intake.DraftRow{{ID: "d1", Name: "Denise Kowalczyk", TransferTo: []ui.Option{{Value: "u",
				Label: "Maya"}}},
				{ID: "d2"}}}),
		"empty intake": intake.Intake(intake.IntakeView{Page: viewtest.Page("New")}),
		"empty drafts": intake.Drafts(intake.DraftsView{Page: viewtest.Page("Drafts")}),
		"review":       intake.ImportReview(sampleReview()),
	}
	viewtest.CheckScreens(t, screens)
	viewtest.CheckLinksAndForms(t, screens)
}

func TestIntake_Redisplay_KeepsInput(t *testing.T) {
	doc := viewtest.Render(t, intake.Intake(sampleIntake()))
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
	if _, ok := viewtest.Render(t,
		intake.Intake(intake.IntakeView{Page: viewtest.Page("New")})).Find(`[name="homeIsProperty"]`).
		Attr("checked"); ok {
		t.Error("on a new form, the home address is the property before anybody chose the occupancy")
	}
	if strings.Contains(doc.Find(`[name]`).Text(), "externalAppId") {
		t.Error("the portal’s own number has a control")
	}
}

// TestImportReview_OtherBorrower_OnPageFolded finds the rows of every borrower: without the style sheet or a script,
// the choice still decides.
func TestImportReview_OtherBorrower_OnPageFolded(t *testing.T) {
	doc := viewtest.Render(t, intake.ImportReview(sampleReview()))
	if doc.Find(`section.of-applicant-1 input[name="use"][value="name.1"]`).Length() != 1 ||
		doc.Find(`input[name="applicant"][value="1"]#applicant-1`).Length() != 1 {
		t.Error("the other borrower’s rows are not on the page")
	}
	if doc.Find(`input[name="applicant"][checked], select[name="choice.title"] option[selected]:not([value=""])`).
		Length() != 0 {
		t.Error("something is chosen that the file leaves open")
	}
	if got := doc.Find("#complaints a").AttrOr("href", ""); got != "#applicant" {
		t.Errorf("the error links to %q", got)
	}
}
