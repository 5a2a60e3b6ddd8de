package text

import (
	"strings"
	"testing"
)

func TestName(t *testing.T) {
	for in, want := range map[string]string{
		"":                         Dash,
		"  ":                       Dash,
		"REVIEW_TITLE_TERMS":       "Review title terms",
		"REFINANCE_OFFER":          "Refinance offer",
		"HIGH_DTI_LIMIT":           "High DTI limit",
		"S_CORP":                   "S corp",
		"Waiting for the borrower": "Waiting for the borrower",
		"__":                       Dash,
		"TIER2":                    "Tier2",
	} {
		if got := Name(in); got != want {
			t.Errorf("Name(%q): got %q, want %q", in, got, want)
		}
	}
}

// Every enumeration has text for its known values, an unknown value gets its own name, and an empty one a
// dash.
func TestEnumerations(t *testing.T) {
	for name, e := range map[string]struct {
		text  func(string) string
		known string
		count int
		table map[string]string
	}{
		"Employment":    {Employment, "FULL_TIME", 11, employment},
		"Property":      {Property, "PRIMARY", 4, property},
		"Ownership":     {Ownership, "TRUST", 6, ownership},
		"Purpose":       {Purpose, "PERSONAL", 15, purpose},
		"RateType":      {RateType, "FLOATING", 4, rateType},
		"LicenseHolder": {LicenseHolder, "BROKER", 4, licenseHolder},
		"LicenseType":   {LicenseType, "CA_DRE_STATE_LICENSE", 6, licenseType},
		"Cost":          {Cost, "TITLE_FEE", 7, cost},
		"Liability":     {Liability, "AUTO", 6, liability},
		"LiabilitySub":  {LiabilitySub, "CHARGE", 12, liabilitySub},
		"Unavailable":   {Unavailable, "NO_MATCHED_LIEN", 15, unavailable},
		"Payoff":        {Payoff, "PAID_OFF", 6, payoff},
		"Bureau":        {Bureau, "TRANS_UNION", 3, bureau},
		"CoDeed":        {CoDeed, "INITIAL", 3, coDeed},
		"Notary":        {Notary, "ELECTRONIC", 3, notary},
		"Rail":          {Rail, "WIRE", 2, rail},
		"Funding":       {Funding, "NOC", 9, funding},
		"Entity":        {Entity, "S_CORP", 6, entity},
		"AddressType":   {func(v string) string { return lookup(addressType, v) }, "HOME", 4, addressType},
		"CreditRating":  {func(v string) string { return lookup(creditRating, v) }, "FAIR", 5, creditRating},
		"WorkStatus":    {func(v string) string { return lookup(workStatus, v) }, "MILITARY", 6, workStatus},
		"LoanPurpose":   {func(v string) string { return lookup(loanPurpose, v) }, "TRAVEL", 10, loanPurpose},
	} {
		if len(e.table) != e.count {
			t.Errorf("%s: got %d values, want the interface's %d", name, len(e.table), e.count)
		}
		for v, w := range e.table {
			if w == "" || strings.Contains(w, "_") {
				t.Errorf("%s %s: got %q, want text", name, v, w)
			}
		}
		if got := e.text(e.known); got != e.table[e.known] || got == "" {
			t.Errorf("%s(%s): got %q", name, e.known, got)
		}
		if got := e.text("BRAND_NEW_VALUE"); got != "Brand new value" {
			t.Errorf("%s with an unknown value: got %q", name, got)
		}
		if got := e.text(""); got != Dash {
			t.Errorf("%s with an empty value: got %q, want a dash", name, got)
		}
	}
}

func TestLiability_LenderSuffix(t *testing.T) {
	if got := Liability("ACME_SERVICING_HELOC"); !strings.Contains(got, "Home equity line") {
		t.Errorf("got %q", got)
	}
}

func TestOptions_FirstIsEmpty(t *testing.T) {
	for name, options := range map[string][][2]string{
		"employment": Employments(true), "property": Properties(), "ownership": Ownerships(), "entity": Entities(),
		"state": States(), "purpose": LoanPurposes(),
	} {
		if options[0][0] != "" {
			t.Errorf("%s: got first option %q, want an empty value", name, options[0])
		}
		for _, o := range options[1:] {
			if o[0] == "" || o[1] == "" || strings.HasPrefix(o[0], "UNKNOWN") {
				t.Errorf("%s: unexpected option %q", name, o)
			}
		}
	}
	if len(Employments(true)) != len(Employments(false))+3 {
		t.Error("the live dialect must have three more employment types")
	}
	if got := Consents()[0][0]; got != "in-person" {
		t.Errorf("consent: got %q first", got)
	}
}

func TestStates(t *testing.T) {
	if got := len(States()); got != 52 {
		t.Errorf("got %d options, want 50 states, the District of Columbia and an empty first option", got)
	}
	for code, want := range map[string]string{"ID": "Idaho", "DC": "District of Columbia", "PR": "PR", "": Dash} {
		if got := State(code); got != want {
			t.Errorf("State(%q): got %q, want %q", code, got, want)
		}
	}
}

func TestYesNoAndOrDash(t *testing.T) {
	yes, no := true, false
	for want, got := range map[string]string{"Yes": YesNo(&yes), "No": YesNo(&no), "": YesNo(nil), "x": OrDash("x")} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if OrDash(" ") != Dash {
		t.Error("OrDash of blank text: want a dash")
	}
	if ParseLang("es") != Spanish || ParseLang("fr") != English || ParseLang("") != English {
		t.Error("ParseLang returned the wrong language")
	}
}
