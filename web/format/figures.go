package format

import (
	"strconv"
	"strings"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// Dollars is an amount, "$145,000" or "$1,827.67"; empty when it is not known.
func Dollars(m *heloc.Money) string {
	if m == nil {
		return ""
	}
	return Money(*m)
}

// Money leaves the cents out where there are none.
func Money(m heloc.Money) string {
	sign := ""
	if m < 0 {
		sign, m = "−", -m
	}
	if m%100 == 0 {
		return sign + "$" + m.Whole()
	}
	return sign + "$" + m.String()
}

// MoneyOrEmpty is an amount where zero says that there is none.
func MoneyOrEmpty(m heloc.Money) string {
	if m == 0 {
		return ""
	}
	return Money(m)
}

// ControlMoney is an amount as it stands in a control.
func ControlMoney(m *heloc.Money) string {
	if m == nil {
		return ""
	}
	return strings.TrimSuffix(m.String(), ".00")
}

// Percent is a rate or a ratio, "8.20%"; empty when it is not known.
func Percent(r *heloc.Rate) string {
	if r == nil {
		return ""
	}
	return r.String() + "%"
}

// Count is a whole number; empty when it is not known.
func Count(c *heloc.Count) string {
	if c == nil {
		return ""
	}
	return strconv.FormatInt(int64(*c), 10)
}

// Decimal is a measure, with no more places than it has.
func Decimal(f *float64) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'f', -1, 64)
}

// Ordinal is the rank of a lien.
func Ordinal(c *heloc.Count) string {
	if c == nil {
		return ""
	}
	return ui.Ordinal(int(*c))
}

// Pluralize is a number with its noun, "2 drafts".
func Pluralize(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// CappedCount is a count that stops where counting stops.
func CappedCount(n int) string {
	if n >= desk.CountLimit {
		return strconv.Itoa(desk.CountLimit-1) + "+"
	}
	return strconv.Itoa(n)
}

// FullName is a borrower's name in one line, as they spell it.
func FullName(n heloc.Name) string {
	return strings.Join(strings.Fields(n.First+" "+n.Middle+" "+n.Last+" "+string(n.Suffix)), " ")
}

// BorrowerName is the name that a lead bears, as it is kept and as it opened; a name that does
// not open says so.
func BorrowerName(sealed []byte, n heloc.Name) string {
	if name := FullName(n); name != "" || len(sealed) == 0 {
		return name
	}
	return words.NameUnreadable
}

// CityState is a city with its state, or what there is of them.
func CityState(city, state string) string {
	return strings.Trim(city+", "+state, ", ")
}

// AddressLines are the lines of an address; none when nothing of it is known.
func AddressLines(a heloc.Address) []string {
	var lines []string
	for _, line := range []string{a.Street1, a.Street2, strings.TrimSpace(CityState(a.City, a.State) + " " + a.ZIP)} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// TermWords is a term in words, short and long.
func TermWords(unit heloc.TermUnit, term heloc.Count) (short, long string) {
	months := unit.Months(term)
	switch {
	case months == 0:
		return words.Dash, "term not known"
	case months%12 == 0:
		return strconv.Itoa(months/12) + " yr", Pluralize(months/12, "year", "years")
	default:
		return strconv.Itoa(months) + " mo", Pluralize(months, "month", "months")
	}
}

// ShortID is the lender's short id; until there is one, the beginning of the long one.
func ShortID(l desk.LeadRow) string {
	if l.ShortID != "" {
		return l.ShortID
	}
	return string(l.App[:min(8, len(l.App))])
}

// LeadAmount is the amount a lead is about, and what kind of amount it is.
func LeadAmount(l desk.LeadRow) (word, text string) {
	switch {
	case l.SelectedAmount > 0:
		return "Selected", Money(l.SelectedAmount)
	case l.MaxAmount > 0:
		return "Up to", Money(l.MaxAmount)
	case l.RequestedAmount > 0:
		return "Wants", Money(l.RequestedAmount)
	default:
		return "", ""
	}
}

// JoinNonEmpty puts what there is of the pieces together.
func JoinNonEmpty(between string, pieces ...string) string {
	var kept []string
	for _, p := range pieces {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, between)
}

// DisplayText puts a value into words; a value that is not there stays empty, because the
// view has its own sign for that.
func DisplayText(value string, in func(string) string) string {
	if value == "" {
		return ""
	}
	return in(value)
}
