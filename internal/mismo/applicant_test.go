package mismo_test

import (
	"strings"
	"testing"

	"hearthline/internal/mismo"
)

// party is a borrower with a first name.
func party(name, attributes, role, class string) string {
	return `<PARTY` + attributes + `><INDIVIDUAL><NAME><FirstName>` + name +
		`</FirstName></NAME></INDIVIDUAL><ROLES><ROLE` + role +
		`><BORROWER><BORROWER_DETAIL><BorrowerClassificationType>` + class +
		`</BorrowerClassificationType></BORROWER_DETAIL></BORROWER></ROLE></ROLES></PARTY>`
}

func TestRead_Borrowers_PrimaryThenSequence(t *testing.T) {
	t.Parallel()
	const one, two = ` SequenceNumber="1"`, ` SequenceNumber="2"`
	for name, parties := range map[string]string{
		"classified":      party("Ben", one, "", "Secondary") + party("Ada", two, "", "Primary"),
		"parties":         party("Ben", two, "", "") + party("Ada", one, "", ""),
		"roles":           party("Ben", "", two, "") + party("Ada", "", one, ""),
		"missing is last": party("Ben", "", "", "") + party("Ada", "", two, ""),
		"not secondary":   party("Ben", one, "", "Secondary") + party("Ada", two, "", ""),
		"alone":           party("Ada", "", "", "Secondary"),
		"another deal":    `</PARTIES></DEAL><DEAL><PARTIES>` + party("Ada", "", "", ""),
	} {
		f, err := mismo.Read(strings.NewReader(message("<PARTIES>" + parties + "</PARTIES>")))
		if err != nil || factsOf(f).Borrower.First != "Ada" {
			t.Errorf("%s: got %q, %v", name, factsOf(f).Borrower.First, err)
		}
	}
}

func TestRead_BorrowersInNoOrder_NoApplicant(t *testing.T) {
	t.Parallel()
	const one = ` SequenceNumber="1"`
	for name, parties := range map[string]string{
		"no number":     party("Ada", "", "", "") + party("Ben", "", "", ""),
		"one number":    party("Ada", "", one, "") + party("Ben", "", one, ""),
		"two primaries": party("Ada", "", "", "Primary") + party("Ben", "", "", "Primary"),
	} {
		f, err := mismo.Read(strings.NewReader(message("<PARTIES>" + parties + "</PARTIES>")))
		if err != nil || f.Applicant != -1 || f.ApplicantBy != "" || len(f.Borrowers) != 2 {
			t.Errorf("%s: got %d by %q of %d, %v", name, f.Applicant, f.ApplicantBy, len(f.Borrowers), err)
		}
	}
}

func TestRead_LabelsOfUTF8_BytesWin(t *testing.T) {
	t.Parallel()
	for _, label := range []string{"utf-16", "UTF8", "ISO-8859-1", "US-ASCII"} {
		file := `<?xml version="1.0" encoding="` + label + `"?>` +
			message("<PARTIES>"+party("Zoë", "", "", "")+"</PARTIES>")
		if f, err := mismo.Read(strings.NewReader(file)); err != nil || factsOf(f).Borrower.First != "Zoë" {
			t.Errorf("%s: got %q, %v", label, factsOf(f).Borrower.First, err)
		}
	}
}

func TestRead_Booleans_EveryForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"true": true, "True": true, "1": true, "false": false, "0": false, "": false} {
		f, err := mismo.Read(strings.NewReader(message(`<LOANS><LOAN><LOAN_DETAIL><HELOCIndicator>` + text +
			`</HELOCIndicator></LOAN_DETAIL><TERMS_OF_LOAN><NoteAmount>5</NoteAmount></TERMS_OF_LOAN></LOAN></LOANS>` +
			borrower)))
		if err != nil || (f.Requested != nil && f.Requested.Why == "") != want {
			t.Errorf("%q: got %v, %v", text, f.Requested, err)
		}
	}
}

func TestRead_DealOfDocument_AfterTheDealSets(t *testing.T) {
	t.Parallel()
	copied := "<DOCUMENT_SETS><DEAL><PARTIES>" + party("Old", "", "", "") + "</PARTIES></DEAL></DOCUMENT_SETS><DEAL_SETS>"
	file := strings.Replace(message("<PARTIES>"+party("Ada", "", "", "")+"</PARTIES>"), "<DEAL_SETS>", copied, 1)
	if f, err := mismo.Read(strings.NewReader(file)); err != nil || factsOf(f).Borrower.First != "Ada" {
		t.Errorf("got %q, %v", factsOf(f).Borrower.First, err)
	}
}

func TestRead_BirthDates_WithoutTimeAndOffset(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"1980-02-29": "1980-02-29", "1980-02-29Z": "1980-02-29",
		"1980-02-29-07:00": "1980-02-29", "1980-02-29T00:00:00": "1980-02-29", "February 29, 1980": "1980-02-29",
		"02/29/1980": "1980-02-29", "19800229": "1980-02-29", "1980-02-30": "", "2/29/80": "", "unknown": ""} {
		f, err := mismo.Read(strings.NewReader(message(strings.Replace(borrower, "<BORROWER/>",
			"<BORROWER><BORROWER_DETAIL><BorrowerBirthDate>"+text+
				"</BorrowerBirthDate></BORROWER_DETAIL></BORROWER>", 1))))
		if err != nil || factsOf(f).Borrower.BirthDate != want {
			t.Errorf("%s: got %q, %v", text, factsOf(f).Borrower.BirthDate, err)
		}
	}
}

func TestRead_Relationships_EitherDirection(t *testing.T) {
	t.Parallel()
	for _, link := range []string{
		`xlink:from="A" xlink:to="L" xlink:arcrole="urn:x/ASSET_IsAssociatedWith_LIABILITY"`,
		`xlink:from="L" xlink:to="A" xlink:arcrole="urn:x/LIABILITY_IsAssociatedWith_ASSET"`,
	} {
		f, err := mismo.Read(strings.NewReader(message(`<ASSETS><ASSET xlink:label="A"><OWNED_PROPERTY>` +
			`<OWNED_PROPERTY_DETAIL><OwnedPropertySubjectIndicator>true</OwnedPropertySubjectIndicator>` +
			`</OWNED_PROPERTY_DETAIL></OWNED_PROPERTY></ASSET></ASSETS><LIABILITIES><LIABILITY xlink:label="L">` +
			`<LIABILITY_DETAIL><LiabilityType>MortgageLoan</LiabilityType></LIABILITY_DETAIL></LIABILITY></LIABILITIES>` +
			borrower + `<RELATIONSHIPS><RELATIONSHIP ` + link + `/></RELATIONSHIPS>`)))
		if err != nil || len(f.Liens) != 1 {
			t.Errorf("%s: got %v, %v", link, f.Liens, err)
		}
	}
}
