package format

import (
	"strconv"
	"strings"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// dollars is an amount, "$145,000" or "$1,827.67"; empty when it is not known.
func FormatDollars(m *heloc.Money) string {
	if m == nil {
		return ""
	}
	return FormatMoney(*m)
}

// amount leaves the cents out where there are none.
func FormatMoney(m heloc.Money) string {
	sign := ""
	if m < 0 {
		sign, m = "−", -m
	}
	if m%100 == 0 {
		return sign + "$" + m.Whole()
	}
	return sign + "$" + m.String()
}

// someAmount is an amount where zero says that there is none.
func MoneyOrEmpty(m heloc.Money) string {
	if m == 0 {
		return ""
	}
	return FormatMoney(m)
}

// typedMoney is an amount as it stands in a control.
func ControlMoney(m *heloc.Money) string {
	if m == nil {
		return ""
	}
	return strings.TrimSuffix(m.String(), ".00")
}

// percent is a rate or a ratio, "8.20%"; empty when it is not known.
func FormatPercent(r *heloc.Rate) string {
	if r == nil {
		return ""
	}
	return r.String() + "%"
}

// count is a whole number; empty when it is not known.
func FormatCount(c *heloc.Count) string {
	if c == nil {
		return ""
	}
	return strconv.FormatInt(int64(*c), 10)
}

// decimal is a measure, with no more places than it has.
func FormatDecimal(f *float64) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'f', -1, 64)
}

// ordinal is the rank of a lien.
func FormatOrdinal(c *heloc.Count) string {
	if c == nil {
		return ""
	}
	return ui.Ordinal(int(*c))
}

// counted is a number with its noun, "2 drafts".
func Pluralize(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// countText is a count that stops where counting stops.
func CappedCount(n int) string {
	if n >= desk.CountLimit {
		return strconv.Itoa(desk.CountLimit-1) + "+"
	}
	return strconv.Itoa(n)
}

// nameOf is a borrower's name in one line, as they spell it.
func FullName(n heloc.Name) string {
	return strings.Join(strings.Fields(n.First+" "+n.Middle+" "+n.Last+" "+string(n.Suffix)), " ")
}

// borrowerOf is the name that a lead bears, as it is kept and as it opened; a name that does
// not open says so.
func BorrowerName(sealed []byte, n heloc.Name) string {
	if name := FullName(n); name != "" || len(sealed) == 0 {
		return name
	}
	return words.NameUnreadable
}

// aadOf is a city with its state, or what there is of them.
func CityState(city, state string) string {
	return strings.Trim(city+", "+state, ", ")
}

// errorLines are the lines of an address; none when nothing of it is known.
func AddressLines(a heloc.Address) []string {
	var lines []string
	for _, line := range []string{a.Street1, a.Street2, strings.TrimSpace(CityState(a.City, a.State) + " " + a.ZIP)} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// termWords is a term in words, short and long.
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

// shortID is the lender's short id; until there is one, the beginning of the long one.
func ShortID(l desk.LeadRow) string {
	if l.ShortID != "" {
		return l.ShortID
	}
	return string(l.App[:min(8, len(l.App))])
}

// amountOf is the amount a lead is about, and what kind of amount it is.
func LeadAmount(l desk.LeadRow) (word, text string) {
	switch {
	case l.SelectedAmount > 0:
		return "Selected", FormatMoney(l.SelectedAmount)
	case l.MaxAmount > 0:
		return "Up to", FormatMoney(l.MaxAmount)
	case l.RequestedAmount > 0:
		return "Wants", FormatMoney(l.RequestedAmount)
	default:
		return "", ""
	}
}

// joined puts what there is of the pieces together.
func JoinNonEmpty(between string, pieces ...string) string {
	var kept []string
	for _, p := range pieces {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, between)
}

// said puts a value into words; a value that is not there stays empty, because the
// view has its own sign for that.
func DisplayText(value string, in func(string) string) string {
	if value == "" {
		return ""
	}
	return in(value)
}
