package mismo_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/mismo"
)

// fullExport has every fact that a file can have.
func fullExport() mismo.Export {
	rate, prime, term := heloc.Percent(8.4), heloc.Percent(6.75), heloc.Count(120)
	return mismo.Export{
		Details: heloc.Details{
			AppUUID: "5e57a1e1-0000-4000-8000-00000000abcd",
			App: heloc.AppData{
				PropertyAddress: heloc.Address{Street1: "418 N Juniper St", Street2: "Apt. 12", City: "Denver", State: "CO",
					ZIP: "80203"},
				Property:      heloc.PropertyDetails{County: "Denver", PropertyType: heloc.PropertyInvestment},
				OwnershipType: heloc.OwnershipJoint,
				Value:         heloc.PropertyValue{BorrowerEstimated: dollars(415000), AVM: dollars(402300)},
				Liens: []heloc.Lien{
					{LenderName: "FRONT RANGE S&L", CurrentBalance: dollars(242600.18), MonthlyPayment: dollars(1740)},
					{LenderName: "Sawtooth Mortgage", CurrentBalance: dollars(11400)},
				},
				Underwriting: heloc.Underwriting{SelectedOffer: &heloc.SelectedOffer{RateType: heloc.RateFloating,
					DrawAmount: dollars(60000), LoanAmount: dollars(61194), CreditLine: dollars(75000),
					Rate: &rate, PrimeRate: &prime, Term: &term}},
			},
		},
		Signers: heloc.Signers{
			Primary: heloc.Signer{FirstName: "Daniel", MiddleName: "J", LastName: "Okafor", Suffix: "Jr.", Prefix: "Dr.",
				DateOfBirth: "1984-11-02", Phone: "(303) 555-0182", Email: "d.okafor@borrower.test",
				Address: heloc.Address{Street1: "3050 Vine St", Street2: "c/o Front Desk", City: "Denver", State: "CO",
					ZIP: "80205"}},
			Additional: []heloc.Signer{{FirstName: "Ana", LastName: "Núñez"}},
		},
		TermUnit: heloc.TermMonths, LoanNumber: "2411-0093",
		At: time.Date(2026, 11, 20, 17, 12, 0, 0, time.UTC),
	}
}

func write(t *testing.T, e mismo.Export) string {
	t.Helper()
	var out bytes.Buffer
	if err := mismo.Write(&out, e); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestWrite_EveryFact_MatchesGoldenFile: after a change, validate the file against MISMO's own schema, which is not in
// this repository: xmllint --noout --schema MISMO_3.4.0_B324.xsd testdata/written.xml.
func TestWrite_EveryFact_MatchesGoldenFile(t *testing.T) {
	t.Parallel()
	got := write(t, fullExport())
	if os.Getenv("PORTAL_TEST_RENEW") != "" {
		if err := os.WriteFile("testdata/written.xml", []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/written.xml")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s", got)
	}
}

// schemaOrder is the order of the elements that are written, copied from the sequences of the schema.
var schemaOrder = map[string]string{
	"MESSAGE":        "ABOUT_VERSIONS DEAL_SETS",
	"ABOUT_VERSION":  "CreatedDatetime",
	"DEAL":           "ASSETS COLLATERALS LIABILITIES LOANS PARTIES RELATIONSHIPS",
	"OWNED_PROPERTY": "OWNED_PROPERTY_DETAIL PROPERTY",
	"ADDRESS": "AddressAdditionalLineText AddressLineText AddressUnitDesignatorType AddressUnitIdentifier CityName " +
		"CountryCode CountyName PostalCode StateCode",
	"SUBJECT_PROPERTY":          "ADDRESS PROPERTY_DETAIL PROPERTY_VALUATIONS",
	"PROPERTY_DETAIL":           "PropertyEstimatedValueAmount PropertyUsageType",
	"PROPERTY_VALUATION_DETAIL": "PropertyValuationAmount PropertyValuationMethodType",
	"LIABILITY":                 "LIABILITY_DETAIL LIABILITY_HOLDER",
	"LIABILITY_DETAIL": "LiabilityMonthlyPaymentAmount LiabilitySecuredBySubjectPropertyIndicator LiabilityType " +
		"LiabilityUnpaidBalanceAmount",
	"LOAN":                     "ADJUSTMENT AMORTIZATION HELOC LOAN_DETAIL LOAN_IDENTIFIERS MATURITY TERMS_OF_LOAN",
	"INTEREST_RATE_ADJUSTMENT": "INDEX_RULES INTEREST_RATE_LIFETIME_ADJUSTMENT_RULE",
	"HELOC_RULE":               "HELOCInitialAdvanceAmount HELOCMaximumBalanceAmount",
	"LOAN_IDENTIFIER":          "LoanIdentifier LoanIdentifierType LoanIdentifierTypeOtherDescription",
	"MATURITY_RULE":            "LoanMaturityPeriodCount LoanMaturityPeriodType",
	"TERMS_OF_LOAN":            "DisclosedIndexRatePercent NoteAmount NoteRatePercent",
	"PARTY":                    "INDIVIDUAL LEGAL_ENTITY ROLES",
	"INDIVIDUAL":               "CONTACT_POINTS NAME",
	"CONTACT_POINT":            "CONTACT_POINT_EMAIL CONTACT_POINT_TELEPHONE",
	"NAME":                     "FirstName FullName LastName MiddleName PrefixName SuffixName",
	"ROLE":                     "BORROWER ROLE_DETAIL",
	"BORROWER":                 "BORROWER_DETAIL RESIDENCES",
	"BORROWER_DETAIL":          "BorrowerBirthDate BorrowerClassificationType",
	"RESIDENCE":                "ADDRESS RESIDENCE_DETAIL",
}

func TestWrite_AnyFacts_ElementsInSchemaOrder(t *testing.T) {
	t.Parallel()
	trust, llc := fullExport(), fullExport()
	trust.Details.App.OwnershipType, llc.Details.App.OwnershipType = heloc.OwnershipTrust, heloc.OwnershipLLC
	for name, e := range map[string]mismo.Export{"full": fullExport(), "trust": trust, "LLC": llc, "empty": {}} {
		decoder := xml.NewDecoder(strings.NewReader(write(t, e)))
		var names []string
		last := []int{-1}
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			switch tok := token.(type) {
			case xml.StartElement:
				if len(names) > 0 {
					within := names[len(names)-1]
					if order, several := schemaOrder[within]; several {
						at := slices.Index(strings.Fields(order), tok.Name.Local)
						if at <= last[len(last)-1] {
							t.Errorf("%s: %s in %s is out of order or not in the table", name, tok.Name.Local, within)
						}
						last[len(last)-1] = at
					}
				}
				names, last = append(names, tok.Name.Local), append(last, -1)
			case xml.EndElement:
				names, last = names[:len(names)-1], last[:len(last)-1]
			}
		}
	}
}

// TestWrite_UnknownFacts_LeftOut: what the lender does not say is in no file, neither as a default nor as zero.
func TestWrite_UnknownFacts_LeftOut(t *testing.T) {
	t.Parallel()
	fixed := fullExport()
	fixed.Details.App.Underwriting.SelectedOffer.RateType = heloc.RateFixed
	unsaid := fullExport()
	unsaid.Details.App.OwnershipType = heloc.OwnershipOther
	unsaid.Details.App.Underwriting.SelectedOffer.RateType = "STEPPED"
	for name, c := range map[string]struct {
		export    mismo.Export
		has, lack []string
	}{
		"no offer": {mismo.Export{}, []string{"<HELOCIndicator>true"}, []string{"HELOC_RULE", "Percent", "Amount", "Month",
			"Amortization", "TitleHolder", "AddressLineText", "US", "LoanIdentifier", "RELATIONSHIP", "Current"}},
		"fixed rate": {fixed, []string{"<AmortizationType>Fixed<", "<NoteRatePercent>8.40<"},
			[]string{"Margin", "Index", "BankPrimeLoan", "LiabilityType"}},
		"unknown values": {unsaid, []string{"<NoteRatePercent>8.40<"},
			[]string{"AmortizationType", "TitleHolder", "IndexRate", "Margin"}},
	} {
		got := write(t, c.export)
		for _, want := range c.has {
			if !strings.Contains(got, want) {
				t.Errorf("%s: got no %s in\n%s", name, want, got)
			}
		}
		for _, unwanted := range c.lack {
			if strings.Contains(got, unwanted) {
				t.Errorf("%s: got %s in\n%s", name, unwanted, got)
			}
		}
	}
}

func TestWrite_HostileText_StaysText(t *testing.T) {
	t.Parallel()
	e := fullExport()
	e.Details.App.Liens[0].LenderName = "<A/>]]>&#x0;\x01\xff\nB"
	got := write(t, e)
	if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil || strings.Contains(got, "<A/>") {
		t.Errorf("got %v\n%s", err, got)
	}
}

// TestWrite_EveryOwnership_ReadBack: what is not known about who holds title is not read back either.
func TestWrite_EveryOwnership_ReadBack(t *testing.T) {
	t.Parallel()
	for ownership, want := range map[heloc.OwnershipType]heloc.OwnershipType{
		heloc.OwnershipSole: heloc.OwnershipSole, heloc.OwnershipJoint: heloc.OwnershipJoint,
		heloc.OwnershipTrust: heloc.OwnershipTrust, heloc.OwnershipLLC: heloc.OwnershipLLC,
		heloc.OwnershipOther: "", heloc.OwnershipUnknown: "",
	} {
		e := fullExport()
		e.Details.App.OwnershipType = ownership
		f, err := mismo.Read(strings.NewReader(write(t, e)))
		if err != nil || f.Title.Ownership != want || len(f.Borrowers) != 2 || f.Applicant != 0 {
			t.Errorf("%s: got %q, %d borrowers, %v, want %q", ownership, f.Title.Ownership, len(f.Borrowers), err, want)
		}
	}
}
