package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/input"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/lead"
	"hearthline/web/pipeline"
	"hearthline/web/team"
)

// What the live service accepts (live section 2), defined a second time: a form either has errors or sends what is
// valid.
var (
	lenderPatterns = map[string]*regexp.Regexp{
		"name":   regexp.MustCompile(`^[a-zA-Z0-9\s\-']+$`),
		"street": regexp.MustCompile(`^[a-zA-Z0-9\s\-.']+$`),
		"city":   regexp.MustCompile(`^[a-zA-Z\s\-']+$`),
		"state":  regexp.MustCompile(`^[A-Z]{2}$`),
		"zip":    regexp.MustCompile(`^[0-9]{5}(?:-[0-9]{4})?$`),
		"phone":  regexp.MustCompile(`^\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}$`),
		"ssn":    regexp.MustCompile(`^\d{3}-?\d{2}-?\d{4}$`),
	}
	fuzzToday = heloc.Date("2026-11-20")
)

func wantFits(t *testing.T, kind, value string) {
	t.Helper()
	if value != "" && !lenderPatterns[kind].MatchString(value) {
		t.Errorf("a %s goes to the lender as %q", kind, value)
	}
}

func formWith(pairs ...string) *form.Form {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	form.DropExcessRows(values)
	return &form.Form{Values: values, Corrections: map[string]string{}}
}

func FuzzIntake(f *testing.F) {
	f.Add("Zoë", "O'Brien-Núñez", "12 St. Louis Ave", "Apt #4", "St. Louis", "mo", "63101", "+1 (415) 555-0132",
		"z@example.com", "1979-05-17", "$560,000")
	f.Add("Mr. X", "李", "1/2 Main", "№ 4", "Ñ", "Idaho", "83702-12", "555", "@", "2020-01-01", "-1")
	f.Fuzz(func(t *testing.T, first, last, street, unit, city, state, zip, phone, email, birth, money string) {
		form := formWith(
			"applicant.name.firstName", first, "applicant.name.middleName", last, "applicant.name.lastName", last,
			"applicant.name.suffix", "Jr.", "property.address.street1", street, "property.address.street2", unit,
			"property.address.city", city, "property.address.state", state, "property.address.zip", zip,
			"applicant.phone", phone, "applicant.email", email, "applicant.dob", birth,
			"applicant.income.employmentType", "FULL_TIME", "applicant.income.grossAnnualIncome", money, "amountWanted", money,
			"property.propertyType", "PRIMARY", "property.isListedForSale", "false", "property.borrowerEstimatedValue", money,
			"applicant.homeAddress.street1", street, "applicant.homeAddress.city", city,
			"applicant.homeAddress.state", state, "applicant.homeAddress.zip", zip,
			"businessInfo.entityName", last, "businessInfo.address.street1", street, "businessInfo.address.city", city,
			"businessInfo.address.state", state, "businessInfo.address.zip", zip,
			"partnerDataRequest.utmParameters.source", email, "testVariantsRequest.variants", unit,
		)
		in, _ := form.Inquiry(fuzzToday)
		values := form.DraftValues()
		form.View("hl-1")
		if form.HasErrors() {
			return
		}
		for _, name := range []string{in.Applicant.Name.First, in.Applicant.Name.Middle, in.Applicant.Name.Last} {
			wantFits(t, "name", name)
		}
		for _, at := range []heloc.Address{in.Property.Address, in.Applicant.HomeAddress} {
			wantFits(t, "street", at.Street1)
			wantFits(t, "street", at.Street2)
			wantFits(t, "city", at.City)
			wantFits(t, "state", at.State)
			wantFits(t, "zip", at.ZIP)
		}
		wantFits(t, "phone", in.Applicant.Phone)
		if in.Property.Address.State == "" || in.Applicant.Name.First == "" || in.Applicant.DateOfBirth == "" {
			t.Error("something that the lender needs is missing, but there is no error")
		}
		if values["amountWanted"] == nil {
			t.Error("the draft lost a typed value")
		}
	})
}

func FuzzResolveForms(f *testing.F) {
	f.Add("0", "Cascade Federal S&L", "08/30/2019", "$241,000.50", "0", "123-45-6789", "FULL_TIME")
	f.Add("7", "Bank™", "2019-13-99", "1e9", "-0", "000 00 0000", "PIRATE")
	f.Fuzz(func(t *testing.T, row, lender, opened, original, balance, ssn, job string) {
		at := "liens." + row + "."
		form := formWith(
			at+"lenderName", lender, at+"originationDate", opened, at+"originalBalance", original, at+"currentBalance", balance,
			at+"lienUuid", row, "income.employmentType", job, "income.grossAnnualIncome", original, "income.savingsAmount",
			balance, "liabilityPayoff.selectedAccountsToPayoff", lender,
			"applicant.ssn", ssn, "propertyEstimate.borrowerEstimatedValue", original,
			"consent.attested", job, "consent.method", lender, "consent.version", row, "row", row,
		)
		liens := form.Liens("liens", fuzzToday)
		form.Income("income")
		form.Consent()
		form.ApplyRowButtons()
		form.PositiveMoney("propertyEstimate.borrowerEstimatedValue", "missing")
		secret := form.Ssn("applicant.ssn", "missing").Reveal()
		shown := form.View("hl-1")
		if form.HasErrors() {
			return
		}
		wantFits(t, "ssn", secret)
		for _, lien := range liens {
			wantFits(t, "name", lien.LenderName)
			if lien.OriginalBalance == nil || *lien.OriginalBalance < 0 || lien.OriginationDate > fuzzToday {
				t.Errorf("got %+v", lien)
			}
		}
		if len(ssn) > 3 && shown.Value("applicant.ssn") != "" {
			t.Error("the form contains the SSN")
		}
	})
}

func FuzzFollowUpForm(f *testing.F) {
	f.Add("2026-11-21", "09:30", "Called; will ring back", "America/Boise")
	f.Add("2026-03-08", "02:30", strings.Repeat("é", 1500), "Pacific/Kiritimati")
	f.Fuzz(func(t *testing.T, day, clock, words, zone string) {
		loc, err := time.LoadLocation(zone)
		if err != nil {
			loc = time.UTC
		}
		form := formWith("followUp.on", day, "followUp.time", clock, "followUp.note", words, "note", words, "thaw.liftedAt",
			day+"T"+clock, "reason", words)
		at := lead.DateTime(form, "thaw.liftedAt", loc)
		lead.FollowUpTime(form, "followUp", text.Viewer{Zone: loc})
		note := form.Lines("note")
		form.View("")
		if !form.HasErrors() && !at.IsZero() && (at.Year() < 1000 || at.Year() > 9999) {
			t.Errorf("got the instant %v", at)
		}
		if again := input.Lines(note); again.Text != note || again.Changed != "" {
			t.Errorf("%q: cleaning twice gives %q, then %+v", words, note, again)
		}
	})
}

// FuzzLeadsQuery: whatever the URL contains, the list's own links lead to the same list again.
func FuzzLeadsQuery(f *testing.F) {
	f.Add("view=offers&q=Rivera&step=OFFERS_AVAILABLE&state=id&sort=due&after=x")
	f.Add("view=%ff&q=%00&after=%F0%9F%8F%A0&view=all")
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest(http.MethodGet, "/leads", nil)
		r.URL.RawQuery = query
		first := pipeline.ParseLeadsQuery(r)
		again, err := http.NewRequest(http.MethodGet, to.Full.Leads(first), nil)
		if err != nil {
			t.Fatalf("%q is not a URL: %v", to.Full.Leads(first), err)
		}
		if second := pipeline.ParseLeadsQuery(again); second != first {
			t.Errorf("got %+v, then %+v", first, second)
		}
		parsed := formWith()
		parsed.Values["app"] = r.URL.Query()["q"]
		if got := team.SelectedApps(parsed); len(got) > team.MaxSelectedApps {
			t.Errorf("got %d leads", len(got))
		}
	})
}
