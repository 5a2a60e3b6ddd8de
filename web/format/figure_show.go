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
func Dollars(m *heloc.Money) string {
	if m == nil {
		return ""
	}
	return Amount(*m)
}

// amount leaves the cents out where there are none.
func Amount(m heloc.Money) string {
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
func SomeAmount(m heloc.Money) string {
	if m == 0 {
		return ""
	}
	return Amount(m)
}

// typedMoney is an amount as it stands in a control.
func TypedMoney(m *heloc.Money) string {
	if m == nil {
		return ""
	}
	return strings.TrimSuffix(m.String(), ".00")
}

// percent is a rate or a ratio, "8.20%"; empty when it is not known.
func Percent(r *heloc.Rate) string {
	if r == nil {
		return ""
	}
	return r.String() + "%"
}

// count is a whole number; empty when it is not known.
func Count(c *heloc.Count) string {
	if c == nil {
		return ""
	}
	return strconv.FormatInt(int64(*c), 10)
}

// decimal is a measure, with no more places than it has.
func Decimal(f *float64) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'f', -1, 64)
}

// ordinal is the rank of a lien.
func Ordinal(c *heloc.Count) string {
	if c == nil {
		return ""
	}
	return ui.Ordinal(int(*c))
}

// counted is a number with its noun, "2 drafts".
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// upTo is a count that stops where counting stops.
func UpTo(n int) string {
	if n >= desk.CountLimit {
		return strconv.Itoa(desk.CountLimit-1) + "+"
	}
	return strconv.Itoa(n)
}

// nameOf is a borrower's name in one line, as they spell it.
func NameOf(n heloc.Name) string {
	return strings.Join(strings.Fields(n.First+" "+n.Middle+" "+n.Last+" "+string(n.Suffix)), " ")
}

// borrowerOf is the name that a lead bears, as it is kept and as it opened; a name that does
// not open says so.
func BorrowerOf(sealed []byte, n heloc.Name) string {
	if name := NameOf(n); name != "" || len(sealed) == 0 {
		return name
	}
	return words.Unopened
}

// placeOf is a city with its state, or what there is of them.
func PlaceOf(city, state string) string {
	return strings.Trim(city+", "+state, ", ")
}

// linesOf are the lines of an address; none when nothing of it is known.
func LinesOf(a heloc.Address) []string {
	var lines []string
	for _, line := range []string{a.Street1, a.Street2, strings.TrimSpace(PlaceOf(a.City, a.State) + " " + a.ZIP)} {
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
		return strconv.Itoa(months/12) + " yr", Counted(months/12, "year", "years")
	default:
		return strconv.Itoa(months) + " mo", Counted(months, "month", "months")
	}
}

// shortID is the lender's short id; until there is one, the beginning of the long one.
func ShortID(l desk.Record) string {
	if l.ShortID != "" {
		return l.ShortID
	}
	return string(l.App[:min(8, len(l.App))])
}

// amountOf is the amount a lead is about, and what kind of amount it is.
func AmountOf(l desk.Record) (word, text string) {
	switch {
	case l.SelectedAmount > 0:
		return "Selected", Amount(l.SelectedAmount)
	case l.MaxAmount > 0:
		return "Up to", Amount(l.MaxAmount)
	case l.Wanted > 0:
		return "Wants", Amount(l.Wanted)
	default:
		return "", ""
	}
}

// joined puts what there is of the pieces together.
func Joined(between string, pieces ...string) string {
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
func Said(value string, in func(string) string) string {
	if value == "" {
		return ""
	}
	return in(value)
}
