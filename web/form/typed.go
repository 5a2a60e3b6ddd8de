package form

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/input"
	"hearthline/views/text"
)

// The problems of amounts and dates, as they are shown beside the field.
const (
	msgMoney      = "Enter a dollar amount, such as 60,000"
	msgSeparators = "Check the commas and the decimal point. Enter the amount as 1,250.00"
	msgInFull     = "Enter the amount in full, such as 60,000"
	msgNegative   = "Enter 0 or more"
	msgTooMuch    = "Enter $1,000,000,000 or less"

	msgDate    = "Enter the date as mm/dd/yyyy"
	msgYear    = "Enter the year with four digits"
	msgFuture  = "This date is in the future"
	msgOldYear = "Check the year"
)

// amountPattern matches a whole part with or without thousands separators, a fraction, and a suffix.
var amountPattern = regexp.MustCompile(`^\$? ?(\d*|\d{1,3}(?:[, ]\d{3})+)(?:\.(\d*))?\$? ?([a-z]*)$`)

// suffixes maps the suffix of an amount to its exponent. "M" alone is not among them: it means a thousand to some in
// the trade, and a million to others.
var suffixes = map[string]int{"": 0, "k": 3, "thousand": 3, "mm": 6, "mil": 6, "million": 6}

// maxSuffixed is the least amount that must be typed in full, because so much is more likely a wrong suffix.
const maxSuffixed = heloc.Money(100_000_000_00)

// ParseMoney parses an amount as people type it, such as "$560,000", "560k" or "1.25mm". An amount that could mean
// two things, such as "560.000" or "560m", is a problem, which is text for the field.
func ParseMoney(typed string) (amount heloc.Money, problem string) {
	typed = strings.ToLower(strings.TrimSpace(input.Plain(typed)))
	m := amountPattern.FindStringSubmatch(typed)
	if m == nil {
		switch {
		case strings.Trim(typed, "0123456789,. $") == "":
			return 0, msgSeparators
		case strings.Trim(typed, "0123456789,. $-()") == "" && strings.ContainsAny(typed[:1], "-("):
			return 0, msgNegative
		default:
			return 0, msgMoney
		}
	}
	whole, fraction, suffix := strings.NewReplacer(",", "", " ", "").Replace(m[1]), m[2], m[3]
	exponent, known := suffixes[suffix]
	switch {
	case suffix == "m" && whole+fraction != "":
		return 0, msgInFull
	case !known || whole+fraction == "":
		return 0, msgMoney
	case suffix == "" && len(fraction) > 2:
		return 0, msgSeparators
	case len(fraction) > max(exponent, 2):
		return 0, msgInFull
	case len(strings.TrimLeft(whole, "0")) > 12:
		return 0, msgTooMuch
	}
	amount, err := heloc.ParseMoney(whole + "." + fraction + map[int]string{0: "", 3: "e3", 6: "e6"}[exponent])
	switch {
	case err != nil:
		return 0, msgMoney
	case exponent > 0 && amount >= maxSuffixed:
		return 0, msgInFull
	case amount > MaxMoney:
		return 0, msgTooMuch
	}
	return amount, ""
}

// yearsAgo is the period in which a date with a two-digit year must be: at least and less than so many years before
// today. It is shorter than a century, so that at most one year fits.
type yearsAgo struct {
	today           heloc.Date
	least, lessThan int
}

// recentYears is how far back a date with a two-digit year can be.
const recentYears = 60

var (
	numericDate = regexp.MustCompile(`^(\d{1,2}) ?[/-] ?(\d{1,2}) ?[/-] ?(\d{4}|\d{2})$`)
	yearFirst   = regexp.MustCompile(`^(\d{4})[/-](\d{1,2})[/-](\d{1,2})$`)
	digitDate   = regexp.MustCompile(`^(\d{2})(\d{2})(\d{4}|\d{2})$`)
	namedDate   = regexp.MustCompile(`^(?:([A-Za-z]+) (\d{1,2}),?|(\d{1,2}) ([A-Za-z]+)) (\d{4})$`)
)

// parseDate parses a date as people type it, such as "5/7/1979", "5/7/79", "05071979" or "May 7, 1979". A date that
// could be two days is a problem, which is text for the field.
func parseDate(typed string, period yearsAgo) (date heloc.Date, problem string) {
	typed = strings.Join(strings.Fields(input.Plain(typed)), " ")
	month, day, year, ok := splitDate(typed)
	switch {
	case !ok:
		return "", msgDate
	case len(year) == 4:
		t, err := time.Parse("1/2/2006", month+"/"+day+"/"+year)
		if err != nil {
			return "", noSuchDay(month, day)
		}
		return pastDate(t, period.today)
	default:
		return period.resolve(month, day, year)
	}
}

// splitDate splits a date into numbers. It fails if the date could begin with a two-digit year. A month that is written
// as a word needs a year with four digits.
func splitDate(typed string) (month, day, year string, ok bool) {
	if m := numericDate.FindStringSubmatch(typed); m != nil {
		return m[1], m[2], m[3], true
	}
	if m := yearFirst.FindStringSubmatch(typed); m != nil {
		return m[2], m[3], m[1], true
	}
	if m := namedDate.FindStringSubmatch(typed); m != nil {
		for _, layout := range []string{"Jan", "January"} {
			if t, err := time.Parse(layout, m[1]+m[4]); err == nil {
				return t.Format("1"), m[2] + m[3], m[5], true
			}
		}
	}
	m := digitDate.FindStringSubmatch(typed)
	if m == nil {
		return "", "", "", false
	}
	if _, err := time.Parse("060102", typed); err == nil && len(m[3]) == 2 {
		return "", "", "", false
	}
	return m[1], m[2], m[3], true
}

// pastDate checks a date that has all four digits of its year.
func pastDate(t time.Time, today heloc.Date) (heloc.Date, string) {
	switch d := heloc.DateOf(t); {
	case d.After(today):
		return "", msgFuture
	case d < "1850-01-01":
		return "", msgOldYear
	default:
		return d, ""
	}
}

// noSuchDay says what is wrong with numbers that are not a date: "There is no month 13", "There is no February 30".
func noSuchDay(month, day string) string {
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	switch name := time.Month(m).String(); {
	case m < 1 || m > 12:
		return "There is no month " + strconv.Itoa(m)
	case d > 31:
		return "There is no " + text.Ordinal(d) + " of " + name
	case m == 2 && d == 29:
		return "There is no February 29 in that year"
	default:
		return "There is no " + name + " " + strconv.Itoa(d)
	}
}

// resolve finds the century of a two-digit year.
func (y yearsAgo) resolve(month, day, year string) (heloc.Date, string) {
	today, _ := y.today.Time()
	problem := noSuchDay(month, day)
	for _, century := range []string{"19", "20"} {
		t, err := time.Parse("1/2/2006", month+"/"+day+"/"+century+year)
		if err != nil {
			continue
		}
		if problem = msgYear; !t.AddDate(y.least, 0, 0).After(today) && t.AddDate(y.lessThan, 0, 0).After(today) {
			return heloc.DateOf(t), ""
		}
	}
	return "", problem
}

// ParseNearDate parses a date of the next or the last few years as people type it, such as "12/5/26" or "Dec 5, 2026".
// A two-digit year is in this century. Anything else is a problem, which is text for the field.
func ParseNearDate(typed string) (date heloc.Date, problem string) {
	month, day, year, ok := splitDate(strings.Join(strings.Fields(input.Plain(typed)), " "))
	if !ok {
		return "", msgDate
	}
	if len(year) == 2 {
		year = "20" + year
	}
	t, err := time.Parse("1/2/2006", month+"/"+day+"/"+year)
	if err != nil {
		return "", noSuchDay(month, day)
	}
	return heloc.DateOf(t), ""
}

// ParseClock parses a time of day as people type it, such as "14:30", "2:30 pm" or "2p", as the time since midnight.
// The second result is false if the text is not a time of day.
func ParseClock(typed string) (time.Duration, bool) {
	typed = strings.NewReplacer(" ", "", ".", "").Replace(strings.ToUpper(strings.TrimSpace(input.Plain(typed))))
	if strings.HasSuffix(typed, "A") || strings.HasSuffix(typed, "P") {
		typed += "M"
	}
	for _, layout := range []string{"15:04", "15:04:05", "3:04PM", "3PM"} {
		if t, err := time.Parse(layout, typed); err == nil {
			return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute, true
		}
	}
	return 0, false
}

// ShownValue returns a CRM's value in the control's format. Amount controls already show a dollar sign.
func ShownValue(control, value string) string {
	if IsDateControl(control) {
		return DateText(value)
	}
	if amount, dollars := strings.CutPrefix(strings.TrimSpace(value), "$"); dollars {
		if _, problem := ParseMoney(amount); problem == "" {
			return strings.TrimSpace(amount)
		}
	}
	return value
}
