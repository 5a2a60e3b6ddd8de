package web

import (
	"strconv"
	"strings"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// dollars is an amount, "$145,000" or "$1,827.67"; empty when it is not known.
func dollars(m *heloc.Money) string {
	if m == nil {
		return ""
	}
	return amount(*m)
}

// amount leaves the cents out where there are none.
func amount(m heloc.Money) string {
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
func someAmount(m heloc.Money) string {
	if m == 0 {
		return ""
	}
	return amount(m)
}

// typedMoney is an amount as it stands in a control.
func typedMoney(m *heloc.Money) string {
	if m == nil {
		return ""
	}
	return strings.TrimSuffix(m.String(), ".00")
}

// percent is a rate or a ratio, "8.20%"; empty when it is not known.
func percent(r *heloc.Rate) string {
	if r == nil {
		return ""
	}
	return r.String() + "%"
}

// count is a whole number; empty when it is not known.
func count(c *heloc.Count) string {
	if c == nil {
		return ""
	}
	return strconv.FormatInt(int64(*c), 10)
}

// decimal is a measure, with no more places than it has.
func decimal(f *float64) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'f', -1, 64)
}

// ordinal is the rank of a lien.
func ordinal(c *heloc.Count) string {
	if c == nil {
		return ""
	}
	return ui.Ordinal(int(*c))
}

// counted is a number with its noun, "2 drafts".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// upTo is a count that stops where counting stops.
func upTo(n int) string {
	if n >= desk.CountLimit {
		return strconv.Itoa(desk.CountLimit-1) + "+"
	}
	return strconv.Itoa(n)
}

// nameOf is a borrower's name in one line, as they spell it.
func nameOf(n heloc.Name) string {
	return strings.Join(strings.Fields(n.First+" "+n.Middle+" "+n.Last+" "+string(n.Suffix)), " ")
}

// borrowerOf is the name that a lead bears, as it is kept and as it opened; a name that does
// not open says so.
func borrowerOf(sealed []byte, n heloc.Name) string {
	if name := nameOf(n); name != "" || len(sealed) == 0 {
		return name
	}
	return words.Unopened
}

// placeOf is a city with its state, or what there is of them.
func placeOf(city, state string) string {
	return strings.Trim(city+", "+state, ", ")
}

// linesOf are the lines of an address; none when nothing of it is known.
func linesOf(a heloc.Address) []string {
	var lines []string
	for _, line := range []string{a.Street1, a.Street2, strings.TrimSpace(placeOf(a.City, a.State) + " " + a.ZIP)} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
