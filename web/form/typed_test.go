package form

import (
	"net/url"
	"testing"

	"hearthline/internal/heloc"
)

func TestParseMoney(t *testing.T) {
	for typed, want := range map[string]heloc.Money{
		"560000": 560_000_00, "560,000": 560_000_00, "$560,000": 560_000_00, "$ 560,000.5": 560_000_50,
		"560 000": 560_000_00, "560000.00": 560_000_00, "0": 0, "560000$": 560_000_00,
		"$560k": 560_000_00, "560K": 560_000_00, "560 k": 560_000_00, "97.5k": 97_500_00, "1,200k": 1_200_000_00,
		".5mm": 500_000_00, "1.25mm": 1_250_000_00, "$1.2 million": 1_200_000_00,
		"2MM": 2_000_000_00, "560 thousand": 560_000_00, "\u00a0560,000\u00a0": 560_000_00,
	} {
		if got, problem := ParseMoney(typed); got != want || problem != "" {
			t.Errorf("%q: got %s, %q, want %s", typed, got, problem, want)
		}
	}
	for typed, want := range map[string]string{
		"abc": msgMoney, "$": msgMoney, ".": msgMoney, "k": msgMoney, "about 560k": msgMoney, "560-580k": msgMoney,
		"1e5": msgMoney, "560kk": msgMoney, "560b": msgMoney, "12/5": msgMoney,
		"560.000": msgSeparators, "1,25": msgSeparators, "12,50.00": msgSeparators, "1.250.000": msgSeparators,
		"1,0000": msgSeparators, "560 00": msgSeparators, "1.2345": msgSeparators,
		"560m": msgInFull, "85M": msgInFull, "1.25m": msgInFull, "m": msgMoney, "560mm": msgInFull, "560,000k": msgInFull,
		"1.2345k": msgInFull, "-5": msgNegative, "-$5": msgNegative, "(500)": msgNegative,
		"1,000,000,001": msgTooMuch, "99999999999999999999999999": msgTooMuch,
	} {
		if got, problem := ParseMoney(typed); problem != want || got != 0 {
			t.Errorf("%q: got %s, %q, want %q", typed, got, problem, want)
		}
	}
}

func TestParsePastDate(t *testing.T) {
	const today = heloc.Date("2026-11-22")
	for typed, want := range map[string]heloc.Date{
		"05/07/1979": "1979-05-07", "5/7/1979": "1979-05-07", "5-7-1979": "1979-05-07", "5 / 7 / 1979": "1979-05-07",
		"05071979": "1979-05-07", "1979-05-07": "1979-05-07", "1979/5/7": "1979-05-07",
		"May 7, 1979": "1979-05-07", "may 7 1979": "1979-05-07", "7 May 1979": "1979-05-07",
		"September 9, 2018": "2018-09-09", "5/7/79": "1979-05-07", "5-7-79": "1979-05-07", "050779": "1979-05-07",
		"2/29/00": "2000-02-29", "11/22/26": "2026-11-22", "6/14/18": "2018-06-14", "1/1/67": "1967-01-01",
	} {
		if got, problem := parseDate(typed, yearsAgo{today, 0, recentYears}); got != want || problem != "" {
			t.Errorf("%q: got %q, %q, want %q", typed, got, problem, want)
		}
	}
	for typed, want := range map[string]string{
		"soon": msgDate, "5.7.79": msgDate, "5.7.1979": msgDate, "7/1979": msgDate, "1979": msgDate, "5/7/179": msgDate,
		"May 7 79": msgDate, "050607": msgDate, "790507": msgDate,
		"05/41/1979": "There is no 41st of May", "05411979": "There is no 41st of May",
		"May 41, 1979": "There is no 41st of May", "2/30/1979": "There is no February 30",
		"30 Feb 1979": "There is no February 30", "4/31/79": "There is no April 31", "5/0/1979": "There is no May 0",
		"2/29/1979": "There is no February 29 in that year", "2/29/79": "There is no February 29 in that year",
		"13/13/2018": "There is no month 13", "25/7/79": "There is no month 25", "1979-14-01": "There is no month 14",
		"0/5/79":   "There is no month 0",
		"11/23/26": msgYear, "5/7/27": msgYear, "5/7/60": msgYear,
		"11/23/2026": msgFuture, "1/1/1849": msgOldYear,
	} {
		if got, problem := parseDate(typed, yearsAgo{today, 0, recentYears}); problem != want || got != "" {
			t.Errorf("%q: got %q, %q, want %q", typed, got, problem, want)
		}
	}
}

// A two-digit year of birth is the one that makes the borrower an adult of less than a hundred years.
func TestBirthDate_TwoDigitYear(t *testing.T) {
	for typed, want := range map[string]struct {
		date    heloc.Date
		problem string
	}{
		"5/7/79": {"1979-05-07", ""}, "5/7/05": {"2005-05-07", ""},
		"5/7/27": {"1927-05-07", ""}, "11/22/08": {"2008-11-22", ""},
		"11/23/08": {"", msgYear}, "5/7/15": {"", msgYear}, "5/7/26": {"", msgYear}, "11/22/1926": {"1926-11-22", ""},
		"5/7/2015": {"2015-05-07", "The borrower must be 18 or older"}, "5/7/1905": {"1905-05-07", msgOldYear},
		"": {"", "Enter the birth date"},
	} {
		f := Form{Values: url.Values{"applicant.dob": {typed}}}
		got, problem := f.requiredBirthDate("applicant.dob", "2026-11-22"), ""
		if f.HasErrors() {
			problem = f.FieldErrors[0].Message
		}
		if got != want.date || problem != want.problem {
			t.Errorf("%q: got %q, %q, want %q, %q", typed, got, problem, want.date, want.problem)
		}
	}
}

// Contact details and addresses are accepted as people type them.
func TestInquiry_TypedAsPeopleDo(t *testing.T) {
	f := Form{Values: url.Values{}, Corrections: map[string]string{}}
	for name, typed := range map[string]string{
		"applicant.phone": "(208) 555-0142", "property.address.zip": "83702-1234", "applicant.dob": "5/7/79",
		"property.borrowerEstimatedValue": "$560k", "amountWanted": "97.5k",
		"property.liens.0.originationDate": "6/14/18", "property.liens.0.originalBalance": "310k",
	} {
		f.Values.Set(name, typed)
	}
	in, snapshot := f.Inquiry("2026-11-22")
	if in.Applicant.Phone != "2085550142" || in.Property.Address.ZIP != "83702-1234" ||
		in.Applicant.DateOfBirth != "1979-05-07" {
		t.Errorf("got %q, %q, %q", in.Applicant.Phone, in.Property.Address.ZIP, in.Applicant.DateOfBirth)
	}
	if in.Property.EstimatedValue == nil || *in.Property.EstimatedValue != 560_000_00 ||
		snapshot.RequestedAmount != 97_500_00 {
		t.Errorf("got %v, %v", in.Property.EstimatedValue, snapshot.RequestedAmount)
	}
	if l := in.Property.Liens[0]; l.OriginationDate != "2018-06-14" || l.OriginalBalance == nil ||
		*l.OriginalBalance != 310_000_00 {
		t.Errorf("got %+v", l)
	}
}
