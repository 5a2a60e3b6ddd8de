package mismo

import (
	"math/big"
	"regexp"
	"strings"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/input"
)

// maxAmount is more than any home price or income.
const maxAmount = heloc.Money(1_000_000_000_00)

// amountText matches an amount without its sign: "210,000.00", "7916.666666666667", "1.2E5". A comma is only a
// separator of thousands.
var amountText = regexp.MustCompile(`^(?:\d{1,3}(?:[, ]\d{3})+|\d{1,20})?(?:\.\d{0,20})?(?:[eE]\+?\d)?$`)

var amountSeparators = strings.NewReplacer(",", "", " ", "", "$", "")

// parseAmount reads an amount as people and programs write it: "$210,000.00", "(1,200)", "-310". It is exact, so that a
// sum can be rounded once.
func parseAmount(text string) (*big.Rat, bool) {
	text = strings.TrimSpace(input.Plain(text))
	if short, ok := strings.CutSuffix(text, "USD"); ok {
		text = strings.TrimSpace(short)
	}
	negative := false
	if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") && len(text) > 2 {
		text, negative = text[1:len(text)-1], true
	}
	for _, sign := range []string{"-", "+", "$", "-"} { // "-$5" and "$-5"
		if rest, ok := strings.CutPrefix(text, sign); ok {
			text, negative = strings.TrimSpace(rest), negative != (sign == "-")
		}
	}
	if !amountText.MatchString(text) || strings.Trim(text, ".") == "" {
		return nil, false
	}
	r, ok := new(big.Rat).SetString(amountSeparators.Replace(text))
	if !ok {
		return nil, false
	}
	if negative {
		r.Neg(r)
	}
	return r, true
}

// centsOf rounds an exact amount of dollars half away from zero; ok is false for one beyond maxAmount.
func centsOf(dollars *big.Rat) (m heloc.Money, ok bool) {
	r := new(big.Rat).Mul(dollars, big.NewRat(100, 1))
	half := big.NewRat(1, 2)
	if r.Sign() < 0 {
		half.Neg(half)
	}
	r.Add(r, half)
	cents := new(big.Int).Quo(r.Num(), r.Denom())
	if !cents.IsInt64() || cents.Int64() > int64(maxAmount) || cents.Int64() < -int64(maxAmount) {
		return 0, false
	}
	return heloc.Money(cents.Int64()), true
}

// amount reads the amount of the first of several children that has one above zero; nil if none has. One that cannot be
// read is listed.
func (d *deal) amount(in *element, names ...string) *Amount {
	for _, name := range names {
		e := in.path(name)
		if e == nil || !e.hasText {
			continue
		}
		if exact, ok := d.exact(e); ok && exact.Sign() < 0 {
			d.reject(e, "An amount can’t be below zero")
		} else if ok && exact.Sign() > 0 {
			e.used = true
			m, _ := centsOf(exact)
			return &Amount{m, e.source()}
		}
	}
	return nil
}

// exact reads an amount that may be negative; ok is false for zero, and for one that cannot be read, which is listed.
func (d *deal) exact(e *element) (exact *big.Rat, ok bool) {
	if e.problem != "" {
		d.reject(e, e.problem)
		return nil, false
	}
	exact, ok = parseAmount(e.text)
	if !ok {
		d.reject(e, quoted(e.text)+" isn’t an amount")
		return nil, false
	}
	if cents, inRange := centsOf(exact); !inRange {
		d.reject(e, quoted(e.text)+" is more than any loan file has")
		return nil, false
	} else if cents == 0 {
		e.zero = true
		return nil, false
	}
	return exact, true
}

func quoted(text string) string { return "“" + short(text) + "”" }

// dateLayouts are those that heloc.ParseDate does not read.
var dateLayouts = []string{"20060102", "January 2, 2006", "Jan 2, 2006", "2006/01/02"}

// timeOfDate matches what follows the day of an xs:date or xs:dateTime.
var timeOfDate = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})(?:[T ][\d:.]+)?\s?(?:Z|[-+]\d{2}:?\d{2})?$`)

// dateOf returns the day of a date as yyyy-mm-dd: "1980-02-29", "1980-02-29T00:00:00-07:00", "02/29/1980".
func dateOf(text string) (day string, ok bool) {
	text = strings.TrimSpace(input.Plain(text))
	if found := timeOfDate.FindStringSubmatch(text); found != nil {
		text = found[1]
	}
	if d, err := heloc.ParseDate(text); err == nil {
		return string(d), true
	}
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, text); err == nil && t.Year() >= 1800 && t.Year() <= 2200 {
			return string(heloc.DateOf(t)), true
		}
	}
	return "", false
}

// maxUnusable is how many values are listed.
const maxUnusable = 50

// reject lists a value that cannot be used.
func (d *deal) reject(e *element, reason string) {
	if e.used {
		return
	}
	e.used = true
	if len(d.unusable) < maxUnusable {
		d.unusable = append(d.unusable, Unusable{e.source(), fieldName(e), reason, d.ownerOf(e)})
	}
}

// text takes the text of the first of several children that has one.
func (d *deal) text(in *element, names ...string) Text { return d.take(in.first(names...)) }

// take takes an element's text. One that cannot be used is listed.
func (d *deal) take(e *element) Text {
	switch {
	case e == nil || !e.hasText:
		return Text{}
	case e.problem != "":
		d.reject(e, e.problem)
		return Text{}
	}
	e.used = true
	return Text{e.text, e.source()}
}

// ownerOf returns which borrower a value belongs to; -1 for none.
func (d *deal) ownerOf(e *element) int {
	if party := e.up("PARTY"); party != nil {
		for i, b := range d.borrowers {
			if b == party {
				return i
			}
		}
	}
	return -1
}

// fieldNames are the names of the values that the form asks for.
var fieldNames = map[string]string{
	"BorrowerBirthDate": "Date of birth", "ContactPointEmailValue": "Email", "ContactPointTelephoneValue": "Phone",
	"AddressLineText": "Street", "CityName": "City", "PostalCode": "ZIP code", "StateCode": "State",
	"AddressUnitIdentifier": "Unit", "CurrentIncomeMonthlyTotalAmount": "Monthly income",
	"IncomeMonthlyTotalAmount": "Monthly income", "EmploymentMonthlyIncomeAmount": "Monthly income",
	"PropertyEstimatedValueAmount": "Estimated value", "PropertyValuationAmount": "Appraised value",
	"SalesContractAmount": "Purchase price", "LiabilityUnpaidBalanceAmount": "Balance",
	"LiabilityMonthlyPaymentAmount": "Monthly payment", "HELOCMaximumBalanceAmount": "Credit limit",
	"TaxpayerIdentifierValue": "SSN", "AssetCashOrMarketValueAmount": "Account balance",
	"LoanIdentifier": "Loan number", "NoteAmount": "Loan amount", "BaseLoanAmount": "Loan amount",
}

// wordEnd is where a word of an element's name ends.
var wordEnd = regexp.MustCompile(`([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])`)

// fieldName returns the name of a value, "First name".
func fieldName(e *element) string {
	name := e.numbered()
	if known, ok := fieldNames[name]; ok {
		return known
	}
	words := strings.Fields(wordEnd.ReplaceAllString(name, "$1$3 $2$4"))
	for i, w := range words {
		if i > 0 && strings.ToUpper(w) != w {
			words[i] = strings.ToLower(w)
		}
	}
	return strings.Join(words, " ")
}
