package heloc

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Money is an amount in US cents.
type Money int64

// Dollars converts whole dollars to Money.
func Dollars(d int64) Money { return Money(d * 100) }

// String formats an amount as "1,234.50", without a currency sign.
func (m Money) String() string {
	b, cents := m.sign()
	b = appendGrouped(b, cents/100)
	return string(append(b, '.', byte('0'+cents/10%10), byte('0'+cents%10)))
}

// Whole formats the amount rounded half up to whole dollars, "1,235".
func (m Money) Whole() string {
	b, cents := m.sign()
	return string(appendGrouped(b, (cents+50)/100))
}

// sign begins the text of an amount with its sign, and returns its cents without it.
func (m Money) sign() (b []byte, cents int64) {
	b = make([]byte, 0, 32)
	if m < 0 {
		return append(b, '-'), -int64(m)
	}
	return b, int64(m)
}

// MarshalJSON writes a JSON number of dollars without trailing zeros.
func (m Money) MarshalJSON() ([]byte, error) { return appendScaled(nil, int64(m), 2), nil }

// UnmarshalJSON reads dollars from a number or a numeric string, rounded half up to the cent.
func (m *Money) UnmarshalJSON(b []byte) error {
	v, err := readScaled(b, 2)
	*m = Money(v)
	return err
}

// ParseMoney parses what a user types: "$1,234.50", "1234", " 1 234 ".
func ParseMoney(s string) (Money, error) {
	s = strings.NewReplacer(",", "", " ", "", "\u00a0", "", "$", "").Replace(s)
	v, err := parseScaled(s, 2)
	return Money(v), err
}

// Rate is a percentage in ten-thousandths of a percentage point: 8.25 % is 82500.
// Rates, fees in percent, DTI and CLTV all use it because the interface sends percent.
type Rate int64

// Percent converts percentage points to a Rate; for constants and tests.
func Percent(p float64) Rate { return Rate(math.Round(p * 10_000)) }

// Float is the rate in percentage points.
func (r Rate) Float() float64 { return float64(r) / 10_000 }

// String formats the rate as "8.25", with at least two decimals.
func (r Rate) String() string {
	b := appendScaled(make([]byte, 0, 32), int64(r), 4)
	missing := 2
	if dot := bytes.IndexByte(b, '.'); dot >= 0 {
		missing -= len(b) - dot - 1
	} else {
		b = append(b, '.')
	}
	for range missing {
		b = append(b, '0')
	}
	return string(b)
}

// MarshalJSON writes percentage points as a JSON number.
func (r Rate) MarshalJSON() ([]byte, error) { return appendScaled(nil, int64(r), 4), nil }

// UnmarshalJSON reads percentage points from a number or a numeric string.
func (r *Rate) UnmarshalJSON(b []byte) error {
	v, err := readScaled(b, 4)
	*r = Rate(v)
	return err
}

// ParseRate parses what a user types: "8.25", "8.25 %".
func ParseRate(s string) (Rate, error) {
	v, err := parseScaled(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), "%")), 4)
	return Rate(v), err
}

// Count is a whole number, such as a term in months or a score.
type Count int64

// UnmarshalJSON reads a number or a numeric string; "360.0" is 360.
func (c *Count) UnmarshalJSON(b []byte) error {
	v, err := readScaled(b, 0)
	*c = Count(v)
	return err
}

// Date is a calendar day, YYYY-MM-DD, or empty when unknown.
type Date string

// DateOf is the calendar day of an instant in its location.
func DateOf(t time.Time) Date { return Date(t.Format(time.DateOnly)) }

// Time is midnight UTC of the day; ok is false when the day is empty or not a date.
func (d Date) Time() (t time.Time, ok bool) {
	t, err := time.Parse(time.DateOnly, string(d))
	return t, err == nil
}

// After reports whether d is a later day than other; false when either is empty.
func (d Date) After(other Date) bool { return d != "" && other != "" && d > other }

// UnmarshalJSON reads a date, a date-time (of which it uses the calendar day), a number
// written as yyyymmdd, or milliseconds since 1970 (sections 2.3 and 3 of interface-live.md).
// A value that cannot be read becomes empty, because a bad date must not fail a whole response.
func (d *Date) UnmarshalJSON(b []byte) error {
	s := strings.Trim(string(b), `"`)
	switch {
	case len(s) >= 10 && s[4] == '-' && s[7] == '-':
		s = s[:10]
	case len(s) == 8:
		s = s[:4] + "-" + s[4:6] + "-" + s[6:]
	default:
		ms, err := strconv.ParseInt(s, 10, 64)
		if err != nil || ms < 1e9 {
			*d = ""
			return nil
		}
		s = time.UnixMilli(ms).UTC().Format(time.DateOnly)
	}
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		s = ""
	}
	*d = Date(s)
	return nil
}

// ParseDate parses what a user types: 06/14/2018, 6/14/2018 or 2018-06-14.
func ParseDate(s string) (Date, error) {
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.DateOnly, "1/2/2006", "1-2-2006", "01022006"} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() >= 1800 && t.Year() <= 2200 {
			return DateOf(t), nil
		}
	}
	return "", errors.New("not a date")
}

// readScaled reads a JSON number or numeric string as an integer of 10^-places.
func readScaled(b []byte, places int) (int64, error) {
	s := strings.Trim(string(b), `" `)
	if s == "null" || s == "" {
		return 0, nil
	}
	return parseScaled(s, places)
}

var errNumber = errors.New("not a number we can keep")

// parseScaled parses a decimal exactly, with an optional exponent; digits beyond places are
// rounded half away from zero. Its input is bounded, so "1e999999" is cheap to reject.
func parseScaled(s string, places int) (int64, error) {
	mantissa, exponent, hasExp := strings.Cut(strings.ToLower(s), "e")
	exp := 0
	if hasExp {
		var err error
		if exp, err = strconv.Atoi(exponent); err != nil || exp > 18 || exp < -40 {
			return 0, errNumber
		}
	}
	neg := strings.HasPrefix(mantissa, "-")
	mantissa = strings.TrimPrefix(strings.TrimPrefix(mantissa, "-"), "+")
	whole, frac, _ := strings.Cut(mantissa, ".")
	digits := whole + frac
	if digits == "" || len(digits) > 40 || strings.Trim(digits, "0123456789") != "" {
		return 0, errNumber
	}
	point := len(whole) + exp + places // digits left of the requested unit
	up := false
	switch {
	case point < 0:
		digits = "0"
	case point < len(digits):
		up = digits[point] >= '5'
		digits = digits[:point]
	default:
		digits += strings.Repeat("0", point-len(digits))
	}
	digits = strings.TrimLeft(digits, "0")
	v := int64(0)
	if digits != "" {
		var err error
		if v, err = strconv.ParseInt(digits, 10, 64); err != nil || v > math.MaxInt64/4 {
			return 0, errNumber
		}
	}
	if up {
		v++
	}
	if neg {
		v = -v
	}
	return v, nil
}

// appendScaled appends an integer of 10^-places as a decimal number, without zeros at its end.
func appendScaled(b []byte, v int64, places int) []byte {
	if v < 0 {
		b, v = append(b, '-'), -v
	}
	unit := int64(1)
	for range places {
		unit *= 10
	}
	b = strconv.AppendInt(b, v/unit, 10)
	if v%unit == 0 {
		return b
	}
	b = append(b, '.')
	for fraction := v % unit; fraction > 0; fraction %= unit {
		unit /= 10
		b = append(b, byte('0'+fraction/unit))
	}
	return b
}

// appendGrouped appends a whole number of at least zero with commas between thousands.
func appendGrouped(b []byte, v int64) []byte {
	if v < 1000 {
		return strconv.AppendInt(b, v, 10)
	}
	b = appendGrouped(b, v/1000)
	return append(b, ',', byte('0'+v/100%10), byte('0'+v/10%10), byte('0'+v%10))
}

// AppID is the appUuid of an inquiry or application, in lower case.
type AppID string

// OriginatorID is the UUID of a loan originator in the lender's directory.
type OriginatorID string

// ParseAppID parses a UUID in any case and returns it in lower case.
func ParseAppID(s string) (AppID, error) {
	u, err := parseUUID(s)
	return AppID(u), err
}

// ParseOriginatorID parses a UUID in any case and returns it in lower case.
func ParseOriginatorID(s string) (OriginatorID, error) {
	u, err := parseUUID(s)
	return OriginatorID(u), err
}

func parseUUID(s string) (string, error) {
	if len(s) != 36 {
		return "", errors.New("not a UUID")
	}
	u, err := uuid.Parse(s)
	if err != nil {
		return "", errors.New("not a UUID")
	}
	return u.String(), nil
}
