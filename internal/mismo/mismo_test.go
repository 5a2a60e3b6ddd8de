package mismo_test

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/mismo"
)

func read(t *testing.T, name string) mismo.File {
	t.Helper()
	in, err := os.Open("testdata/" + name + ".xml")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	f, err := mismo.Read(in)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return f
}

func dollars(d float64) *heloc.Money {
	m := heloc.Money(d * 100)
	return &m
}

func TestRead_FilesOfLOS_TakesWhatTheFormAsks(t *testing.T) {
	t.Parallel()
	boise := heloc.Address{Street1: "2216 Larkspur Ave", City: "Boise", State: "ID", ZIP: "83702"}
	for name, want := range map[string]facts{
		"encompass": {
			Borrower: person{First: "Elena", Middle: "Marie", Last: "Rivera", BirthDate: "1979-05-17",
				Phone: "2085550147", Email: "elena.rivera@borrower.test", Home: boise},
			Property: property{Address: boise, Value: dollars(560000), Usage: heloc.PropertyPrimary},
			Income:   income{Gross: dollars(108006)},
			Liens: []lien{
				{Holder: "Sawtooth Mortgage", Balance: dollars(203900), Payment: dollars(1318)},
				{Holder: "Treasure Valley Bank", Balance: dollars(11400), Payment: dollars(96.5)},
			},
		},
		"arive": {
			Borrower: person{First: "Daniel", Last: "Okafor", Suffix: "Jr.", BirthDate: "1984-11-02",
				Phone: "(303) 555-0182", Email: "d.okafor@borrower.test",
				Home: heloc.Address{Street1: "3050 Vine St", City: "Denver", State: "CO", ZIP: "80205"}},
			Property: property{
				Address: heloc.Address{Street1: "418 N Juniper St", Street2: "Apt 12", City: "Denver", State: "CO", ZIP: "80203"},
				Value:   dollars(415000), Usage: heloc.PropertyInvestment, Ownership: heloc.OwnershipSole,
			},
			Income:    income{SelfEmployed: true, Investment: dollars(3720), Business: dollars(110400)},
			Liens:     []lien{{Holder: "FRONT RANGE S&L", Balance: dollars(242600.18), Payment: dollars(1740)}},
			Requested: dollars(75000),
		},
		"calyx": {
			Borrower: person{First: "RUTH", Last: "NAKAI", Prefix: "Mrs.", Suffix: "Esq", BirthDate: "1951-09-30",
				Phone: "555-0123"},
			Property: property{Address: heloc.Address{Street1: "61 Cañon Rd #3", City: "St. George", State: "UT",
				ZIP: "847701234"}, Usage: heloc.PropertySecondary, Ownership: heloc.OwnershipJoint},
			Income: income{Retirement: dollars(43200), Other: dollars(4800)},
		},
	} {
		got := factsOf(read(t, name))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got\n%+v, want\n%+v", name, got, want)
		}
	}
}

func TestRead_FilesOfLOS_ListsTheRestWithoutValues(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"encompass": {
			"Assets (2 accounts)", "Declarations", "Demographic information", "Employer address", "Employers (1)",
			"Lien account numbers", "Liens marked for payoff", "Loan terms", "Other borrower details", "Other debts (1)",
			"Other lien details", "Other people and companies (1)", "Other property details",
			"Other real estate owned (1 property)", "SSN: type it when you send", "Subject property’s REO entry",
		},
		"arive": {
			"Employers (2)", "Loan terms", "SSN: type it when you send", "Subject property’s REO entry",
		},
		"calyx": {
			"Other debts (1)", "SSN: type it when you send",
		},
	} {
		var got []string
		for _, u := range read(t, name).Unused {
			got = append(got, u.String())
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// message wraps the parts of a deal.
func message(parts string) string {
	return `<MESSAGE xmlns="http://www.mismo.org/residential/2009/schemas" xmlns:xlink="http://www.w3.org/1999/xlink" ` +
		`MISMOReferenceModelIdentifier="3.4.0"><DEAL_SETS><DEAL_SET><DEALS><DEAL>` + parts +
		`</DEAL></DEALS></DEAL_SET></DEAL_SETS></MESSAGE>`
}

// borrower is the least that a file needs.
const borrower = `<PARTIES><PARTY><ROLES><ROLE><BORROWER/></ROLE></ROLES></PARTY></PARTIES>`

func TestRead_OtherFormats_RefusedWithReason(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, want string }{
		"empty":            {" \n", "empty"},
		"Latin 2 bytes":    {`<?xml version="1.0" encoding="ISO-8859-2"?>` + message("<A>\xf1</A>"+borrower), "UTF-8"},
		"UTF-32":           {"<\x00\x00\x00M\x00\x00\x00", "damaged"},
		"Fannie Mae 3.2":   {"EH                               20261112\nTH T1100099-002\n", "Fannie Mae 3.2"},
		"Fannie Mae 1003":  {"1003 3.20\n01A...", "Fannie Mae 3.2"},
		"Fannie Mae 00A":   {"00A N\r\n01AConventional\r\n", "Fannie Mae 3.2"},
		"PDF":              {"%PDF-1.7", "PDF"},
		"JSON":             {`{"a":1}`, "JSON"},
		"JSON list":        {"\ufeff [1]", "JSON"},
		"text":             {"name,phone\nAda,2085550160", "isn’t an XML file"},
		"image":            {"\x89PNG\r\n\x1a\n\x00\x00", "isn’t an XML file"},
		"HTML":             {"<!DOCTYPE html><html><body>Session expired</body></html>", "web page"},
		"HTML in capitals": {"\n<HTML><BODY>", "web page"},
		"MISMO 2":          {`<LOAN_APPLICATION MISMOVersionID="2.3.1"></LOAN_APPLICATION>`, "MISMO 2.x"},
		"MISMO 2 request":  {`<REQUEST_GROUP MISMOVersionID="2.4"/>`, "MISMO 2.x"},
		"XHTML":            {`<html xmlns="http://www.w3.org/1999/xhtml"/>`, "web page"},
		"other XML":        {`<invoice xmlns="urn:example:invoice"/>`, "isn’t a MISMO 3.4 loan file"},
		"no loan":          {`<MESSAGE xmlns="http://www.mismo.org/residential/2009/schemas"/>`, "no loan"},
		"no borrower":      {message(""), "no borrower"},
		"truncated":        {message(borrower)[:200], "damaged"},
		"truncated in tag": {`<MESSAGE a="`, "damaged"},
		"two roots":        {message(borrower) + message(borrower), "damaged"},
		"unknown entity":   {message("<A>&secret;</A>" + borrower), "damaged"},
		"doctype":          {"<!DOCTYPE MESSAGE>" + message(borrower), "DOCTYPE"},
		"doctype later":    {message("<!DOCTYPE x><A/>" + borrower), "DOCTYPE"},
		"external entity": {`<!DOCTYPE MESSAGE [<!ENTITY x SYSTEM "file:///etc/passwd">]>` + message("<A>&x;</A>"+borrower),
			"DOCTYPE"},
		"parameter entity": {`<!DOCTYPE MESSAGE [<!ENTITY % x SYSTEM "https://example.test/x.dtd"> %x;]>` +
			message(borrower), "DOCTYPE"},
		"doctype after BOM": {"\xef\xbb\xbf<!DOCTYPE MESSAGE>" + message(borrower), "DOCTYPE"},
	} {
		_, err := mismo.Read(strings.NewReader(c.file))
		var refused *mismo.RefusedError
		if !errors.As(err, &refused) || !strings.Contains(refused.Sentence, c.want) {
			t.Errorf("%s: got %v, want a reason with %q", name, err, c.want)
		}
	}
	if _, err := mismo.Read(strings.NewReader(message(borrower))); err != nil {
		t.Errorf("the least file: %v", err)
	}
}

func TestRead_Titles_DecideOwnership(t *testing.T) {
	t.Parallel()
	holder := func(entity string) string {
		return `<PARTY>` + entity + `<ROLES><ROLE><ROLE_DETAIL><PartyRoleType>TitleHolder</PartyRoleType></ROLE_DETAIL>` +
			`</ROLE></ROLES></PARTY>`
	}
	entity := func(kind string) string {
		return `<LEGAL_ENTITY><LEGAL_ENTITY_DETAIL><LegalEntityType>` + kind +
			`</LegalEntityType></LEGAL_ENTITY_DETAIL></LEGAL_ENTITY>`
	}
	for want, holders := range map[heloc.OwnershipType]string{
		"": "", heloc.OwnershipSole: holder(""), heloc.OwnershipJoint: holder("") + holder(""),
		heloc.OwnershipTrust: holder(entity("LivingTrust")), heloc.OwnershipLLC: holder("") +
			holder(entity("LimitedLiabilityCompany")), heloc.OwnershipOther: holder(entity("Corporation")),
	} {
		f, err := mismo.Read(strings.NewReader(message(strings.Replace(borrower, "<PARTIES>", "<PARTIES>"+holders, 1))))
		if err != nil || f.Title.Ownership != want {
			t.Errorf("got %q, %v, want %q", f.Title.Ownership, err, want)
		}
	}
}

func TestRead_Values_AppraisedFirstAndZeroUnknown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		appraised, estimated string
		want                 *heloc.Money
	}{
		{"655000", "640000", dollars(655000)}, {"0", "640000", dollars(640000)}, {"655000", "0.00", dollars(655000)},
		{"", "640000", dollars(640000)}, {"0", "0", nil},
	} {
		f, err := mismo.Read(strings.NewReader(message(`<COLLATERALS><COLLATERAL><SUBJECT_PROPERTY><PROPERTY_DETAIL>` +
			`<PropertyEstimatedValueAmount>` + c.estimated + `</PropertyEstimatedValueAmount></PROPERTY_DETAIL>` +
			`<PROPERTY_VALUATIONS><PROPERTY_VALUATION><PROPERTY_VALUATION_DETAIL><PropertyValuationAmount>` + c.appraised +
			`</PropertyValuationAmount></PROPERTY_VALUATION_DETAIL></PROPERTY_VALUATION></PROPERTY_VALUATIONS>` +
			`</SUBJECT_PROPERTY></COLLATERAL></COLLATERALS>` + borrower)))
		if err != nil || !reflect.DeepEqual(factsOf(f).Property.Value, c.want) {
			t.Errorf("appraised %q, estimated %q: got %v, %v", c.appraised, c.estimated, factsOf(f).Property.Value, err)
		}
	}
}

func TestRead_CountryNames_UnitedStates(t *testing.T) {
	t.Parallel()
	for country, taken := range map[string]bool{"US": true, "usa": true, "U.S.": true, "United States": true,
		" UNITED STATES OF AMERICA ": true, "CA": false, "Canada": false, "United Kingdom": false} {
		f, err := mismo.Read(strings.NewReader(message(`<COLLATERALS><COLLATERAL><SUBJECT_PROPERTY><ADDRESS>` +
			`<AddressLineText>9 Mill Ln</AddressLineText><CountryCode>` + country +
			`</CountryCode></ADDRESS></SUBJECT_PROPERTY></COLLATERAL></COLLATERALS>` + borrower)))
		if err != nil || (factsOf(f).Property.Address.Street1 == "9 Mill Ln") != taken {
			t.Errorf("%q: got %q, %v", country, factsOf(f).Property.Address.Street1, err)
		}
	}
}

func TestRead_ForeignAddressAndLongValues_NotTaken(t *testing.T) {
	t.Parallel()
	f, err := mismo.Read(strings.NewReader(message(`<COLLATERALS><COLLATERAL><SUBJECT_PROPERTY><ADDRESS>` +
		`<AddressLineText>1 Rue de Rome</AddressLineText><CountryCode>FR</CountryCode></ADDRESS></SUBJECT_PROPERTY>` +
		`</COLLATERAL></COLLATERALS>` +
		strings.Replace(borrower,
			"<PARTY>", "<PARTY><INDIVIDUAL><NAME><FirstName>"+strings.Repeat("x", 500)+"</FirstName></NAME></INDIVIDUAL>", 1))))
	if err != nil || factsOf(f).Property.Address != (heloc.Address{}) || factsOf(f).Borrower.First != "" {
		t.Errorf("got %+v, %v", f, err)
	}
	if len(f.Unusable) != 1 || f.Unusable[0].Field != "First name" || f.Unusable[0].Borrower != 0 ||
		f.Unusable[0].Reason != "It’s longer than 400 characters" {
		t.Errorf("got %+v", f.Unusable)
	}
	if len(f.Properties) != 1 || f.Properties[0].Address.Country != "FR" ||
		f.Properties[0].Address.Says != "1 Rue de Rome, FR" {
		t.Errorf("got %+v", f.Properties)
	}
}
