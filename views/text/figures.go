package text

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Dollars formats an amount, "$145,000" or "$1,827.67"; it is empty if the amount is unknown.
func Dollars(m *heloc.Money) string {
	if m == nil {
		return ""
	}
	return Money(*m)
}

// Money formats an amount, without the cents if there are none.
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

// MoneyOrEmpty formats an amount where zero means that there is none.
func MoneyOrEmpty(m heloc.Money) string {
	if m == 0 {
		return ""
	}
	return Money(m)
}

// Cents formats an amount to the cent, "$1,827.60".
func Cents(m heloc.Money) string { return "$" + m.String() }

// WholeDollars formats an amount rounded to whole dollars.
func WholeDollars(m heloc.Money) string { return "$" + m.Whole() }

// ControlMoney formats an amount for a form control.
func ControlMoney(m *heloc.Money) string {
	if m == nil {
		return ""
	}
	return strings.TrimSuffix(m.String(), ".00")
}

// Percent formats a rate or a ratio, "8.20%"; it is empty if unknown.
func Percent(r *heloc.Rate) string {
	if r == nil {
		return ""
	}
	return r.String() + "%"
}

// Count formats a whole number; it is empty if unknown.
func Count(c *heloc.Count) string {
	if c == nil {
		return ""
	}
	return strconv.FormatInt(int64(*c), 10)
}

// Decimal formats a number with as many decimal places as it needs, and commas between thousands.
func Decimal(f *float64) string {
	if f == nil {
		return ""
	}
	whole, fraction, found := strings.Cut(strconv.FormatFloat(*f, 'f', -1, 64), ".")
	if digits, negative := strings.CutPrefix(whole, "-"); negative {
		whole = "-" + groupThousands(digits)
	} else {
		whole = groupThousands(whole)
	}
	if found {
		whole += "." + fraction
	}
	return whole
}

func groupThousands(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Ordinal is "1st", "2nd" for the number of a row, counted from one.
func Ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// CountOrdinal formats the position of a lien; it is empty if unknown.
func CountOrdinal(c *heloc.Count) string {
	if c == nil {
		return ""
	}
	return Ordinal(int(*c))
}

// PageCount says how many rows one page of a list shows; first reports whether the page is the list's first one, and
// more whether another follows. A page after the first does not know how many rows came before it.
func PageCount(n int, one, many string, first, more bool) string {
	switch {
	case first && !more:
		return Pluralize(n, one, many)
	case first:
		return "First " + Pluralize(n, one, many)
	case more:
		return "Next " + Pluralize(n, one, many)
	default:
		return "Last " + Pluralize(n, one, many)
	}
}

// Pluralize returns a number with its noun, "2 drafts".
func Pluralize(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// CappedCount formats a count that is not exact from lead.CountLimit on.
func CappedCount(n int) string {
	if n >= lead.CountLimit {
		return strconv.Itoa(lead.CountLimit-1) + "+"
	}
	return strconv.Itoa(n)
}

// FullName returns a borrower's name on one line, as it was typed.
func FullName(n heloc.Name) string {
	name := JoinNonEmpty(" ", n.First, n.Middle, n.Last, string(n.Suffix))
	if strings.ContainsFunc(name, func(r rune) bool { return r != ' ' && unicode.IsSpace(r) }) ||
		strings.Contains(name, "  ") || strings.Trim(name, " ") != name {
		return strings.Join(strings.Fields(name), " ")
	}
	return name
}

// BorrowerName returns the name on a lead, given its encrypted and its decrypted form. If the name
// cannot be decrypted, it returns a text that states so.
func BorrowerName(encrypted []byte, n heloc.Name) string {
	if name := FullName(n); name != "" || len(encrypted) == 0 {
		return name
	}
	return NameUnreadable
}

// CityState returns the city and the state, or whichever is known.
func CityState(city, state string) string {
	return strings.Trim(city+", "+state, ", ")
}

// AddressLines returns the lines of an address; there are none if nothing is known.
func AddressLines(a heloc.Address) []string {
	var lines []string
	for _, line := range []string{a.Street1, a.Street2, strings.TrimSpace(CityState(a.City, a.State) + " " + a.ZIP)} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// TermWords describes a term, short and long.
func TermWords(unit heloc.TermUnit, term heloc.Count) (short, long string) {
	months := unit.Months(term)
	switch {
	case months == 0:
		return Dash, "term not known"
	case months%12 == 0:
		return strconv.Itoa(months/12) + " yr", Pluralize(months/12, "year", "years")
	default:
		return strconv.Itoa(months) + " mo", Pluralize(months, "month", "months")
	}
}

// Months describes a number of months, as years if it can: "3 years".
func Months(months int) string {
	_, long := TermWords(heloc.TermMonths, heloc.Count(months))
	return long
}

// ShortID returns the lender's short id, or the beginning of the long id until there is one.
func ShortID(l *lead.Row) string {
	return cmp.Or(l.ShortID, string(l.App[:min(8, len(l.App))]))
}

// CanSelect reports whether an offer can be selected: not after the lead has ended, without offers, or while a
// selection may be in progress.
func CanSelect(s heloc.StatusKey) bool {
	return !s.Ended() && s != heloc.StatusInProgress && s != heloc.StatusNoOffers
}

// LeadAmount returns the most relevant amount of a lead, with a label for its kind. What the lender offers "up to" is
// relevant only while an offer can still be selected: not after the end, and not while a selection may be under way.
func LeadAmount(l *lead.Row) (label, words string) {
	selectable := CanSelect(l.StatusKey)
	switch {
	case l.SelectedAmount > 0 && l.StatusKey == heloc.StatusInProgress: // a new selection may be under way
		return "Last selected", Money(l.SelectedAmount)
	case l.SelectedAmount > 0:
		return "Selected", Money(l.SelectedAmount)
	case l.MaxAmount > 0 && selectable:
		return "Up to", Money(l.MaxAmount)
	case l.RequestedAmount > 0:
		return "Requested", Money(l.RequestedAmount)
	default:
		return "", ""
	}
}

// JoinNonEmpty joins the pieces that are not empty.
func JoinNonEmpty(separator string, pieces ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(pieces), func(p string) bool { return p == "" }), separator)
}

// DisplayText translates a value to its display text. An empty value stays empty, because the view
// has its own sign for a missing value.
func DisplayText(value string, translate func(string) string) string {
	if value == "" {
		return ""
	}
	return translate(value)
}

// OfferFigure is the text of a figure of an offer; it is empty if the figure is unknown.
func OfferFigure(f heloc.OfferFigures, figure heloc.Figure) string {
	switch figure {
	case heloc.FigureAmount:
		return Dollars(f.Amount)
	case heloc.FigureRate:
		return Percent(f.Rate)
	case heloc.FigurePayment:
		return Dollars(f.Payment)
	case heloc.FigureLoanAmount:
		return Dollars(f.LoanAmount)
	case heloc.FigureFee:
		return Dollars(f.Fee)
	default:
		names := make([]string, len(f.Discounts))
		for i, kind := range f.Discounts {
			names[i] = Name(kind)
		}
		return strings.Join(names, ", ")
	}
}

var offerFigures = map[string]string{
	"amount": "Draw", "rate": "Rate", "discounts": "Discounts", "payment": "Monthly payment", "loan-amount": "Loan amount",
	"fee": "Fee",
}

// OfferFigureName is the name of a figure of an offer that was compared with the lender's booking.
func OfferFigureName(name string) string { return lookup(offerFigures, name) }

// Afterward is the payment after the draw period of an interest-only offer, which is higher. It is empty for other
// offers.
func Afterward(at heloc.PricedOffer) string {
	if !at.InterestOnly || at.Payment() <= 0 {
		return ""
	}
	return cmp.Or(MoneyOrEmpty(at.Afterward()), "rises")
}
