package mismo_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"hearthline/internal/mismo"
)

// readParts reads a deal of some parts, and a borrower without a name if none of them is one.
func readParts(t *testing.T, parts string) mismo.File {
	t.Helper()
	if !strings.Contains(parts, "<PARTIES>") {
		parts += borrower
	}
	f, err := mismo.Read(strings.NewReader(message(parts)))
	if err != nil {
		t.Fatalf("%v\n%s", err, parts)
	}
	return f
}

// linesOf returns the lines of a file's description that begin with a word, without the places.
func linesOf(f mismo.File, word string) string {
	var found []string
	for line := range strings.Lines(describe(f)) {
		line = strings.TrimSuffix(strings.TrimLeft(line, " "), "\n")
		if parts := strings.Split(line, " | "); strings.HasPrefix(line, word) {
			found = append(found, parts[0]+" | "+parts[len(parts)-1])
		}
	}
	return strings.Join(found, "\n")
}

// inBorrower wraps what a borrower has.
func inBorrower(inside string) string {
	return `<PARTIES><PARTY><ROLES><ROLE><BORROWER>` + inside + `</BORROWER></ROLE></ROLES></PARTY></PARTIES>`
}

func TestRead_Amounts_AsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"210000": "210,000.00", "$210,000.00": "210,000.00", "210 000": "210,000.00", " 1,402.1700 ": "1,402.17",
		"1402.175": "1,402.18", "1402.": "1,402.00", ".5": "0.50", "2.1E5": "210,000.00", "210000 USD": "210,000.00",
		"$ 5": "5.00", "+5": "5.00", "５５": "55.00",
		"0": "", "0.00": "", "$0": "", "0.004": "", "": "", "(0.00)": "",
		"-5": "An amount can’t be below zero", "(1,200)": "An amount can’t be below zero",
		"210.000,00": "“210.000,00” isn’t an amount", "210,00": "“210,00” isn’t an amount",
		"1,2,3": "“1,2,3” isn’t an amount",
		"1 2":   "“1 2” isn’t an amount", "210k": "“210k” isn’t an amount", "N/A": "“N/A” isn’t an amount",
		".": "“.” isn’t an amount", "5-": "“5-” isn’t an amount", "NaN": "“NaN” isn’t an amount",
		"9999999999": "“9999999999” is more than any loan file has",
	} {
		f := readParts(t, `<LIABILITIES><LIABILITY><LIABILITY_DETAIL><LiabilityType>HELOC</LiabilityType>`+
			`<LiabilityUnpaidBalanceAmount>`+text+`</LiabilityUnpaidBalanceAmount></LIABILITY_DETAIL></LIABILITY></LIABILITIES>`)
		got := ""
		switch {
		case len(f.Unusable) == 1:
			if got = f.Unusable[0].Reason; f.Unusable[0].Field != "Balance" {
				t.Errorf("%q: got the field %q", text, f.Unusable[0].Field)
			}
		case f.Liens[0].Balance != nil:
			got = f.Liens[0].Balance.Value.String()
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestRead_PackedFiles_OneXML(t *testing.T) {
	t.Parallel()
	loan := message(borrower)
	zipped := func(files ...string) string {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for i := 0; i < len(files); i += 2 {
			f, err := w.Create(files[i])
			if err == nil {
				_, err = f.Write([]byte(files[i+1]))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for name, c := range map[string]struct{ file, want string }{
		"gzip":              {packed("", loan, true), ""},
		"ZIP":               {zipped("loan.xml", loan), ""},
		"folder":            {zipped("export/", "", "export/LOAN.XML", loan, "__MACOSX/export/._LOAN.XML", "x"), ""},
		"beside a document": {zipped("1003.pdf", "%PDF", "loan.xml", loan), ""},
		"other extension":   {zipped("loan.mismo", loan), ""},
		"two loans":         {zipped("a.xml", loan, "b.xml", loan), "exactly one XML file"},
		"Office":            {zipped("[Content_Types].xml", "<x/>", "word/document.xml", "<x/>"), "exactly one XML file"},
		"only documents":    {zipped("a.pdf", "%PDF", "b.pdf", "%PDF"), "exactly one XML file"},
		"nothing":           {zipped(), "isn’t an XML file"},
		"PDF":               {packed("", "%PDF-1.7", true), "PDF"},
		"FNM":               {zipped("loan.fnm", "EH  1\n"), "Fannie Mae 3.2"},
		"in another":        {packed("", packed("", loan, true), true), "another packed file"},
		"cut off":           {packed("", loan, true)[:100], "damaged, or has a password"},
		"no archive":        {"PK\x03\x04abc", "damaged, or has a password"},
		"far too much":      {packed("", loan+strings.Repeat(" ", 5<<20), true), "far more than a loan file"},
	} {
		_, err := mismo.Read(strings.NewReader(c.file))
		var refused *mismo.RefusedError
		if c.want == "" && err != nil ||
			c.want != "" && (!errors.As(err, &refused) || !strings.Contains(refused.Sentence, c.want)) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func TestRead_UnreadableCharacters_CostTheirValue(t *testing.T) {
	t.Parallel()
	named := func(first string) string {
		return message(strings.Replace(borrower, "<PARTY>", "<PARTY><INDIVIDUAL><NAME><FirstName>"+first+
			"</FirstName><LastName>Hill</LastName></NAME></INDIVIDUAL>", 1))
	}
	for name, c := range map[string]struct{ file, first, encoding, reason string }{
		"control character": {named("A\vda"), "", "UTF-8", "Character 2 is a control character (U+000B)"},
		"reference to one":  {named("Ad&#xB;a"), "", "UTF-8", "Character 3 is a control character (U+000B)"},
		"NUL":               {named("A\x00da"), "", "UTF-8", "Character 2 is a control character (U+0000)"},
		"no character":      {named("A&#xFFFF;"), "", "UTF-8", "Character 2 was lost before the file was written (U+FFFD)"},
		"lost before":       {named("A\uFFFD"), "", "UTF-8", "Character 2 was lost before the file was written (U+FFFD)"},
		"byte of another": {named("Zoë \x96"), "", "UTF-8",
			"Character 5 (byte 0x96) doesn’t exist in this file’s encoding, UTF-8"},
		"no byte of 1252": {named("Zo\xeb\x81"), "", "windows-1252",
			"Character 4 (byte 0x81) doesn’t exist in this file’s encoding, windows-1252"},
		"by name":        {named("Zo&euml;"), "Zoë", "UTF-8", ""},
		"by number":      {named("Zo&#235;"), "Zoë", "UTF-8", ""},
		"bare ampersand": {named("A & B&Co"), "A & B&Co", "UTF-8", ""},
		"in a section":   {named("<![CDATA[A & B &#11;]]>"), "A & B &#11;", "UTF-8", ""},
		"Latin 1":        {named("Zo\xeb"), "Zoë", "ISO-8859-1", ""},
		"blanks":         {"\r\n\n  " + named("Ada") + "\n\x00\x00", "Ada", "UTF-8", ""},
	} {
		f, err := mismo.Read(strings.NewReader(c.file))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		reason := ""
		if len(f.Unusable) > 0 {
			reason = f.Unusable[0].Reason
		}
		if b := f.Borrowers[0]; b.First.Value != c.first || b.Last.Value != "Hill" || f.Encoding != c.encoding ||
			reason != c.reason {
			t.Errorf("%s: got %q in %s, %q", name, b.First.Value, f.Encoding, reason)
		}
	}
}

func TestRead_Incomes_CountedOnce(t *testing.T) {
	t.Parallel()
	item := func(label, amount, kind string) string {
		return `<CURRENT_INCOME_ITEM xlink:label="` + label + `"><CURRENT_INCOME_ITEM_DETAIL><IncomeMonthlyTotalAmount>` +
			amount + `</IncomeMonthlyTotalAmount><IncomeType>` + kind +
			`</IncomeType></CURRENT_INCOME_ITEM_DETAIL></CURRENT_INCOME_ITEM>`
	}
	job := func(label, name, values string) string {
		return `<EMPLOYER xlink:label="` + label + `"><LEGAL_ENTITY><LEGAL_ENTITY_DETAIL><FullName>` + name +
			`</FullName></LEGAL_ENTITY_DETAIL></LEGAL_ENTITY><EMPLOYMENT>` + values + `</EMPLOYMENT></EMPLOYER>`
	}
	pays := func(amount string) string {
		return "<EmploymentMonthlyIncomeAmount>" + amount + "</EmploymentMonthlyIncomeAmount>"
	}
	const self = "<EmploymentBorrowerSelfEmployedIndicator>1</EmploymentBorrowerSelfEmployedIndicator>"
	const twice = "The same figure is in the file twice; it counts once"
	for name, c := range map[string]struct{ items, jobs, links, want string }{
		"two kinds, rounded after the sum": {item("", "100.004", "Base") + item("", "0.005", "Bonus"), "", "",
			"income gross:  1,200.11 a year | "},
		"employer repeats": {item("", "5000", "Base"), job("", "Mill", pays("5000.00")), "",
			"income gross: Mill 60,000.00 a year | " + twice},
		"employer repeats the sum": {item("", "5000", "Base") + item("", "200", "Overtime"),
			job("", "Mill", pays("5200")), "",
			"income gross: Mill 62,400.00 a year | " + twice},
		"employer differs": {item("", "5000", "Base"), job("", "Mill", pays("5100")), "", "income gross: Mill 60,000.00 " +
			"a year | The employer’s entry has another figure, 5100 a month; it doesn’t count"},
		"only the employer": {"", job("", "Mill", pays("5000")), "", "income gross: Mill 60,000.00 a year | "},
		"self-employed in both": {item("", "700", "SelfEmploymentIncome"), job("", "Shop", self+pays("700")), "",
			"income business: Shop 8,400.00 a year | " + twice},
		"self-employed beside a job": {item("", "5000", "Base"),
			job("", "Mill", "") + job("", "Shop", self+pays("700")), "",
			"income gross:  60,000.00 a year | \nincome business: Shop 8,400.00 a year | "},
		"the same pay in two jobs": {item("I1", "5000", "Base") + item("I2", "5000", "Base"),
			job("E1", "Mill", "") + job("E2", "Inn", ""), link("I1", "E1") + link("E2", "I2"),
			"income gross: Mill 60,000.00 a year | \nincome gross: Inn 60,000.00 a year | "},
		"the same pay in one job": {item("", "5000", "Base") + item("", "5000", "Base"), job("", "Mill", ""), "",
			"income gross: Mill 60,000.00 a year | " + twice},
		"untied pay and an employer's": {item("", "8500", "Base"),
			job("", "Mill", pays("8000")) + job("", "Inn", pays("500")), "", "income gross:  102,000.00 a year | \n" +
				"income gross: Mill 0.00 a year | It may be part of the income above, so it doesn’t count twice\n" +
				"income gross: Inn 0.00 a year | It may be part of the income above, so it doesn’t count twice"},
		"ended job": {item("I1", "5000", "Base"), job("E1", "Mill", "<EmploymentEndDate>2020-01-01</EmploymentEndDate>"),
			link("I1", "E1"), "income gross: Mill 0.00 a year | From a job that has ended"},
		"losses": {item("", "-120.25", "NetRentalIncome") + item("", "80", "SelfEmploymentLoss"),
			job("", "Shop", self+pays("(90)")), "", "income other:  0.00 a year | A loss isn’t income\n" +
				"income business: Shop 0.00 a year | A loss isn’t income\n" +
				"income business: Shop 0.00 a year | A loss isn’t income"},
		"support": {item("", "600", "Alimony"), "", "",
			"income support:  7,200.00 a year | It counts only if the borrower wants it considered"},
		"a kind that the form lacks": {item("", "600", "MortgageDifferential"), "", "",
			"income :  0.00 a year | It isn’t clear which income field this goes in"},
		"pay without a type": {strings.Replace(item("", "10", ""), "<IncomeType>",
			"<EmploymentIncomeIndicator>true</EmploymentIncomeIndicator><IncomeType>", 1), "", "",
			"income gross:  120.00 a year | "},
		"zero": {item("", "0.00", "Base"), job("", "Mill", pays("0")), "", ""},
	} {
		f := readParts(t, inBorrower("<CURRENT_INCOME><CURRENT_INCOME_ITEMS>"+c.items+
			"</CURRENT_INCOME_ITEMS></CURRENT_INCOME><EMPLOYERS>"+c.jobs+"</EMPLOYERS>")+
			"<RELATIONSHIPS>"+c.links+"</RELATIONSHIPS>")
		if got := linesOf(f, "income"); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
	f := readParts(t, inBorrower("<CURRENT_INCOME><CURRENT_INCOME_DETAIL><URLABorrowerTotalMonthlyIncomeAmount>900"+
		"</URLABorrowerTotalMonthlyIncomeAmount></CURRENT_INCOME_DETAIL></CURRENT_INCOME>"))
	const total = "income :  0.00 a year | A total; the file doesn’t say what kind of income it is"
	if got := linesOf(f, "income"); got != total {
		t.Errorf("a total alone: got %s", got)
	}
}

func link(from, to string) string {
	return `<RELATIONSHIP xlink:from="` + from + `" xlink:to="` + to + `"/>`
}

func TestRead_Liens_TiedByLinkAddressOrNothing(t *testing.T) {
	t.Parallel()
	at := func(street string) string {
		return "<ADDRESS><AddressLineText>" + street + "</AddressLineText><PostalCode>83702</PostalCode></ADDRESS>"
	}
	owned := func(street, values string) string {
		return `<ASSETS><ASSET xlink:label="A"><OWNED_PROPERTY xlink:label="O"><OWNED_PROPERTY_DETAIL>` + values +
			`</OWNED_PROPERTY_DETAIL><PROPERTY>` + at(street) + `</PROPERTY></OWNED_PROPERTY></ASSET></ASSETS>`
	}
	subject := func(is string) string {
		return "<OwnedPropertySubjectIndicator>" + is + "</OwnedPropertySubjectIndicator>"
	}
	debt := func(kind, values string) string {
		return `<LIABILITIES><LIABILITY xlink:label="L"><LIABILITY_DETAIL><LiabilityType>` + kind + `</LiabilityType>` +
			`<LiabilityUnpaidBalanceAmount>9</LiabilityUnpaidBalanceAmount>` + values +
			`</LIABILITY_DETAIL></LIABILITY></LIABILITIES>`
	}
	related := func(label, inside string) string {
		return `<LOANS><LOAN LoanRoleType="SubjectLoan" xlink:label="S"/><LOAN LoanRoleType="RelatedLoan" xlink:label="` +
			label + `">` + inside + `</LOAN></LOANS>`
	}
	const note = "<TERMS_OF_LOAN><NoteAmount>9</NoteAmount><LienPriorityType>FirstLien</LienPriorityType></TERMS_OF_LOAN>"
	const nothing = "We found nothing in the file that ties it to a property"
	const elsewhere = "lien mortgage:  elsewhere -1 | It’s on another property"
	const original = "The file gives only the original amount"
	mortgage := debt("MortgageLoan", "")
	const twice = `<LIABILITY xlink:label="L"><LIABILITY_DETAIL><LiabilityType>MortgageLoan</LiabilityType>` +
		`<LiabilityUnpaidBalanceAmount>9</LiabilityUnpaidBalanceAmount></LIABILITY_DETAIL><LIABILITY_HOLDER><NAME>` +
		`<FullName>Ash Bank</FullName></NAME></LIABILITY_HOLDER></LIABILITY>`
	for name, c := range map[string]struct{ parts, links, want string }{
		"link":         {owned("1 A St", subject("true")) + mortgage, link("A", "L"), "lien mortgage:  link 0 | "},
		"other way":    {owned("1 A St", subject("1")) + mortgage, link("L", "A"), "lien mortgage:  link 0 | "},
		"part labeled": {owned("1 A St", subject("True")) + mortgage, link("O", "L"), "lien mortgage:  link 0 | "},
		"spelling":     {owned("1 A Street", "") + mortgage, link("A", "L"), "lien mortgage:  address 0 | "},
		"elsewhere":    {owned("2 B St", "") + mortgage, link("A", "L"), elsewhere},
		"not subject":  {owned("2 B St", subject("false")) + mortgage, link("A", "L"), elsewhere},
		"contradiction": {strings.Replace(owned("1 A St", subject("false")), "</ASSETS>", `<ASSET><OWNED_PROPERTY>`+
			`<OWNED_PROPERTY_DETAIL>`+subject("true")+`</OWNED_PROPERTY_DETAIL></OWNED_PROPERTY></ASSET></ASSETS>`, 1) +
			mortgage, link("A", "L"),
			"lien mortgage:  address 0 | The file gives it this address, but says that it’s another property"},
		"never said": {owned("1 A St", subject("false")) + mortgage, link("A", "L"), "lien mortgage:  address 0 | "},
		"label of nothing": {mortgage, link("gone", "L"),
			"lien mortgage:   -1 | It’s linked to an entry missing from the file"},
		"other debt, tied": {owned("1 A St", subject("true")) + debt("Other",
			"<LiabilityTypeOtherDescription>Solar</LiabilityTypeOtherDescription>"), link("A", "L"),
			"lien other:  link 0 | The file ties it to this property but calls it “Solar”"},
		"other debt, elsewhere": {owned("2 B St", subject("false")) + debt("Installment", ""), link("A", "L"), ""},
		"twice": {owned("1 A St", subject("true")) + "<LIABILITIES>" + twice + strings.Replace(twice, `"L"`, `"M"`, 1) +
			"</LIABILITIES>", link("A", "L") + link("A", "M"),
			"lien mortgage: Ash Bank link 0 | \nlien mortgage: Ash Bank link 0 | The file lists this debt twice"},
		"another address": {owned("2 B St", subject("true")) + mortgage, link("A", "L"),
			"lien mortgage:  link 0 | The file calls it the subject property, but gives it another address"},
		"no link": {owned("1 A St", subject("true")) + mortgage, "", "lien mortgage:   -1 | " + nothing},
		"label of two": {strings.Replace(owned("1 A St", subject("true"))+mortgage, "</ASSETS>",
			`<ASSET xlink:label="A"/></ASSETS>`, 1), link("A", "L"), "lien mortgage:   -1 | " + nothing},
		"collateral": {mortgage, link("C", "L"), "lien mortgage:  link 0 | "},
		"secured": {debt("MortgageLoan",
			"<LiabilitySecuredBySubjectPropertyIndicator>true</LiabilitySecuredBySubjectPropertyIndicator>"), "",
			"lien mortgage:  link 0 | "},
		"not secured": {owned("1 A St", subject("true")) + debt("MortgageLoan",
			"<LiabilitySecuredBySubjectPropertyIndicator>false</LiabilitySecuredBySubjectPropertyIndicator>"), link("A", "L"),
			"lien mortgage:  link 0 | The file also says that the subject property doesn’t secure it"},
		"HELOC": {debt("HELOC", ""), link("C", "L"), "lien heloc:  link 0 | "},
		"other words": {debt("Other", "<LiabilityTypeOtherDescription>Home Equity Loan</LiabilityTypeOtherDescription>"),
			"", "lien heloc:   -1 | " + nothing},
		"limit": {debt("MortgageLoan", "<HELOCMaximumBalanceAmount>50</HELOCMaximumBalanceAmount>"),
			link("C", "L"), "lien heloc:  link 0 | "},
		"position":     {debt("SecondPositionMortgageLien", ""), link("C", "L"), "lien second:  link 0 | "},
		"tax":          {debt("TaxLien", ""), "", "lien other:   -1 | " + nothing},
		"card":         {owned("1 A St", subject("true")) + debt("Revolving", ""), link("A", "L"), ""},
		"related loan": {related("R", note), link("C", "R"), "lien first:  link 0 | " + original},
		"related, by address": {related("R", note+"<COLLATERALS><COLLATERAL><SUBJECT_PROPERTY>"+at("1 a street")+
			"</SUBJECT_PROPERTY></COLLATERAL></COLLATERALS>"), "", "lien first:  address 0 | " + original},
		"related, untied": {related("R", note), "",
			"lien first:   -1 | The file calls it a related loan but doesn’t say on which property"},
		"related and among the debts": {mortgage + related("R", note), link("C", "L") + link("L", "R"),
			"lien mortgage:  link 0 | "},
		"related with the same amount": {mortgage + related("R", note), link("C", "L") + link("C", "R"),
			"lien mortgage:  link 0 | \nlien first:   -1 | A debt with the same amount is in the file too"},
		"only a total": {owned("1 A St", subject("true")+"<OwnedPropertyLienUPBAmount>77</OwnedPropertyLienUPBAmount>"), "",
			"lien mortgage:  link 0 | A total of the real estate list; the file has no mortgage for it"},
	} {
		f := readParts(t, `<COLLATERALS><COLLATERAL xlink:label="C"><SUBJECT_PROPERTY>`+at("1 A St")+
			`</SUBJECT_PROPERTY></COLLATERAL></COLLATERALS>`+c.parts+"<RELATIONSHIPS>"+c.links+"</RELATIONSHIPS>")
		var got []string
		for _, l := range f.Liens {
			got = append(got, "lien "+string(l.Kind)+": "+l.Holder.Value+" "+string(l.Tie)+" "+strings.TrimSpace(
				map[int]string{-1: "-1", 0: "0"}[l.Property])+" | "+l.Why)
		}
		if text := strings.Join(got, "\n"); text != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, text, c.want)
		}
	}
}

// TestRead_OriginalCost_AfterEveryOtherValue: what the owner once paid hides no value of today.
func TestRead_OriginalCost_AfterEveryOtherValue(t *testing.T) {
	t.Parallel()
	const at = "<ADDRESS><AddressLineText>1 A St</AddressLineText><PostalCode>83702</PostalCode></ADDRESS>"
	const cost = "<PROPERTY_DETAIL><PropertyOriginalCostAmount>300</PropertyOriginalCostAmount></PROPERTY_DETAIL>"
	owned := "<ASSETS><ASSET><OWNED_PROPERTY><PROPERTY>" + at + "<PROPERTY_DETAIL><PropertyEstimatedValueAmount>500" +
		"</PropertyEstimatedValueAmount></PROPERTY_DETAIL></PROPERTY></OWNED_PROPERTY></ASSET></ASSETS>"
	for parts, want := range map[string]mismo.ValueKind{"": mismo.ValueCost, owned: mismo.ValueEstimated} {
		f := readParts(t, parts+"<COLLATERALS><COLLATERAL><SUBJECT_PROPERTY>"+at+cost+
			"</SUBJECT_PROPERTY></COLLATERAL></COLLATERALS>")
		if v := f.Properties[0].Value(); v == nil || v.Kind != want {
			t.Errorf("got %+v, want %s first", f.Properties[0].Values, want)
		}
	}
}

func TestRead_TitleTexts_OwnershipOnlyWhereItFollows(t *testing.T) {
	t.Parallel()
	holder := func(name string) string {
		return `<PARTY><INDIVIDUAL><NAME><FullName>` + name + `</FullName></NAME></INDIVIDUAL><ROLES><ROLE><ROLE_DETAIL>` +
			`<PartyRoleType>TitleHolder</PartyRoleType></ROLE_DETAIL></ROLE></ROLES></PARTY>`
	}
	owner := func(name, values string) string {
		return strings.Replace(holder(name), "<ROLE>", "<ROLE><PROPERTY_OWNER>"+values+"</PROPERTY_OWNER>", 1)
	}
	vested := func(how string) string { return "<RelationshipVestingType>" + how + "</RelationshipVestingType>" }
	status := func(s string) string { return "<PropertyOwnerStatusType>" + s + "</PropertyOwnerStatusType>" }
	for _, c := range []struct{ parties, want string }{
		{holder("Ada Quill"), "SOLE"}, {holder("Ada Quill") + holder("ADA QUILL"), "SOLE"},
		{holder("Ada Quill") + holder("Ada M. Quill"), ""}, {holder("Ada Quill") + holder("Ada Quill Jr."), ""},
		{holder("Ada Quill") + holder("Bo Quill"), "JOINT"}, {holder("Ada Quill and Bo Quill, husband and wife"), "JOINT"},
		{holder("Ada &amp; Bo Quill"), "JOINT"}, {holder("Ada Quill, Bo Quill"), ""}, {holder("Ada Quill, Jr."), "SOLE"},
		{holder("Ada Quill, an unmarried woman"), "SOLE"}, {holder("Ada Quill, et al."), ""},
		{holder("The Quill Family Revocable Trust dated 1/2/2015"), "TRUST"}, {holder("Ada Quill, Trustee"), "TRUST"},
		{holder("Ada and Bo Quill, TTEES of the Quill Trust"), "TRUST"}, {holder("Quill Holdings, L.L.C."), "LLC"},
		{holder("Quill &amp; Sons Inc"), ""}, {holder("Estate of Ada Quill"), ""},
		{owner("Ada Quill", vested("JointTenantsWithRightOfSurvivorship")), "JOINT"},
		{owner("Ada Quill", vested("Individual")), "SOLE"}, {owner("Ada and Bo Quill", vested("Individual")), ""},
		{owner("Ada Quill", vested("LifeEstate")), ""}, {owner("Ada Quill", vested("Other")), ""},
		{owner("Quill LLC", vested("TenantsInCommon")), ""},
		{owner("Ada Quill", status("Current")) + owner("Ada Quill", status("Proposed")), "SOLE"},
		{owner("Ada Quill", status("Current")) + owner("Ada Quill", status("Proposed")) +
			owner("Bo Quill", status("Proposed")), ""},
		{strings.ReplaceAll(strings.ReplaceAll(holder("Quill Partners"), "INDIVIDUAL", "LEGAL_ENTITY"), "NAME",
			"LEGAL_ENTITY_DETAIL"), ""},
	} {
		f := readParts(t, strings.Replace(borrower, "<PARTIES>", "<PARTIES>"+c.parties, 1))
		if got := string(f.Title.Ownership); got != c.want || f.Title.Why == "" || len(f.Title.Texts) == 0 {
			t.Errorf("%s: got %q, %q, want %q", c.parties, got, f.Title.Why, c.want)
		}
	}
}

func TestRead_Addresses_UnitOnceZeroKeptStateByName(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"AddressLineText=5 Bay St Apt #4-B;AddressUnitIdentifier=4-B":         "5 Bay St Apt #4-B; ; ; ; ",
		"AddressLineText=5 Bay St;AddressUnitIdentifier=Apt 4":                "5 Bay St; Apt 4; ; ; ",
		"AddressLineText=5 Bay St;AddressUnitIdentifier=4":                    "5 Bay St; Unit 4; ; ; ",
		"AddressLineText=4 Bay St;AddressUnitIdentifier=4":                    "4 Bay St; Unit 4; ; ; ",
		"AddressLineText=Quarry Rd;StreetPrimaryNumberText=77":                "77 Quarry Rd; ; ; ; ",
		"StreetPrimaryNumberText=77;StreetName=Quarry Rd;StreetSuffixText=Rd": "77 Quarry Rd; ; ; ; ",
		"StreetName=Quarry;StreetSuffixText=Rd;PostalCode=2134":               "Quarry Rd; ; ; ; 02134",
		"AddressLineText=5 Bay St;PostalCode=21341234":                        "5 Bay St; ; ; ; 021341234",
		"AddressLineText=5 Bay St;PostalCode=02134;PlusFourZipCode=0001":      "5 Bay St; ; ; ; 02134-0001",
		"AddressLineText=5 Bay St;StateName=Massachusetts":                    "5 Bay St; ; ; MA; ",
		"AddressLineText=PSC 802;CityName=APO;StateCode=ae":                   "PSC 802; ; APO; AE; ",
		"AddressLineText=1 Rue;CountryName=Canada":                            "; ; ; ; ",
	} {
		var parts string
		for _, part := range strings.Split(address, ";") {
			name, value, _ := strings.Cut(part, "=")
			parts += "<" + name + ">" + value + "</" + name + ">"
		}
		f := readParts(t, "<COLLATERALS><COLLATERAL><SUBJECT_PROPERTY><ADDRESS>"+parts+
			"</ADDRESS></SUBJECT_PROPERTY></COLLATERAL></COLLATERALS>")
		v := f.Properties[0].Address.Value
		if got := strings.Join([]string{v.Street1, v.Street2, v.City, v.State, v.ZIP}, "; "); got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
}

func TestRead_AnyFileOfCorpus_HoldsNoSSN(t *testing.T) {
	t.Parallel()
	for name, raw := range corpus(t) {
		f, err := mismo.Read(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		all, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		digits := strings.NewReplacer("-", "", " ", "", ".", "").Replace(string(all))
		for _, ssn := range []string{"900123456", "987654320", "900129876", "900654321", "9005501", "6789"} {
			if strings.Contains(digits, ssn) {
				t.Errorf("%s holds the SSN %s", name, ssn)
			}
		}
	}
}
