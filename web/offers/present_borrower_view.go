package offers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/offers"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/page"
)

// PresentBorrowerQuote maps a quote and whom to call to the page for a borrower, in one language. Everything that the
// page and the PDF state comes from here.
func PresentBorrowerQuote(q lead.BorrowerQuote, c desk.BorrowerContact, lang words.Lang) view.BorrowerView {
	text := words.OfferSheetIn(lang)
	m := view.BorrowerView{
		Lang: lang, Text: text, Heading: text.Heading, Lede: lede(text, q), HasMore: q.MoreOffers,
		Debts: presentBorrowerDebts(text, q), Terms: plainTerms(text, q), Chart: borrowerChart(text, q),
	}
	for _, o := range q.Offers {
		m.Offers = append(m.Offers, presentBorrowerOffer(text, q, o))
	}
	if q.PricedAsOf != "" {
		m.Dates = fmt.Sprintf(text.RatesAsOf, LocalizedDate(lang, q.PricedAsOf))
	}
	m.Dates = format.JoinNonEmpty(" ", fmt.Sprintf(text.Prepared, LocalizedDate(lang, q.PreparedOn)), m.Dates)
	if q.Expires != "" {
		m.Dates += " " + fmt.Sprintf(text.InquiryExpires, LocalizedDate(lang, q.Expires))
	}
	presentContact(&m, c)
	m.Legal = []string{text.Legal + " " + text.LenderNote, licenseLine(text, c)}
	return m
}

// presentContact maps whom to call.
func presentContact(m *view.BorrowerView, c desk.BorrowerContact) {
	m.Company = view.BorrowerCompany{Name: c.Company, NMLS: nmlsLabel(m.Text, c.CompanyNMLS)}
	m.Officer = view.BorrowerOfficer{Name: c.Name, Subtitle: format.JoinNonEmpty(" · ", m.Text.Officer, nmlsLabel(m.Text, c.NMLS)), Initials: page.Initials(c.Name)}
	if c.Name == "" {
		m.Officer = view.BorrowerOfficer{Name: c.Company, Subtitle: m.Text.OfficerNone}
	}
	if digits := heloc.NormalizePhone(c.Phone); digits.OK && c.Phone != "" {
		m.Officer.Phone, m.Officer.PhoneURL = heloc.FormatPhone(digits.Sent), "tel:+1"+digits.Sent
	}
}

func nmlsLabel(text words.OfferSheet, number string) string {
	if number == "" {
		return ""
	}
	return text.License + " " + number
}

// licenseLine names the company and the originator with their license numbers, and the state in which a license is on
// file.
func licenseLine(text words.OfferSheet, c desk.BorrowerContact) string {
	line := ""
	for _, p := range []struct {
		name, nmls string
		licensed   bool
	}{{c.Company, c.CompanyNMLS, c.CompanyLicensed}, {c.Name, c.NMLS, c.Licensed}} {
		if p.name == "" {
			continue
		}
		state := ""
		if p.licensed {
			state = fmt.Sprintf(text.Licensed, text.State(c.State))
		}
		line += format.JoinNonEmpty(", ", p.name, nmlsLabel(text, p.nmls), state) + ". "
	}
	return line + text.Verify
}

// lede says where the draw goes, as far as it adds up.
func lede(text words.OfferSheet, q lead.BorrowerQuote) []view.TextPart {
	if q.Draw <= 0 {
		return nil
	}
	parts := []view.TextPart{{Text: text.Draw + " "}, {Text: format.Money(q.Draw), Strong: true}}
	pays := q.PaysOff()
	if pays <= 0 || pays > q.Draw || !allBalancesKnown(q.Debts) {
		return append(parts, view.TextPart{Text: "."})
	}
	parts = append(parts, view.TextPart{Text: ": "}, view.TextPart{Text: format.Money(pays), Strong: true}, view.TextPart{Text: " " + text.PaysOff + " " + countDebts(text, len(q.Debts))})
	switch {
	case q.FeeMethod == heloc.FeeDeducted:
		return append(parts, view.TextPart{Text: "; " + text.Rest + "."})
	case pays == q.Draw:
		return append(parts, view.TextPart{Text: "."})
	default:
		return append(parts, view.TextPart{Text: " " + text.And + " "}, view.TextPart{Text: format.Money(q.Draw - pays), Strong: true}, view.TextPart{Text: " " + text.ToYou + "."})
	}
}

func allBalancesKnown(debts []lead.BorrowerDebt) bool {
	return !slices.ContainsFunc(debts, func(d lead.BorrowerDebt) bool { return d.Balance == nil })
}

func countDebts(text words.OfferSheet, n int) string {
	if n == 1 {
		return text.OneDebt
	}
	return text.Number(n) + " " + text.Debts
}

// presentBorrowerOffer maps one offer.
func presentBorrowerOffer(text words.OfferSheet, q lead.BorrowerQuote, o lead.BorrowerOffer) view.BorrowerOffer {
	at := q.Estimate(o)
	m := view.BorrowerOffer{Term: localizedTerm(text, o.Months), Dollars: words.Dash}
	fee, loan, cash := "", "", ""
	switch {
	case o.MaxAmount != nil && q.Draw > *o.MaxAmount:
		m.Note = text.UpTo + " " + format.Money(*o.MaxAmount)
	case o.MinAmount != nil && q.Draw < *o.MinAmount:
		m.Note = text.From + " " + format.Money(*o.MinAmount)
	default:
		if at.Payment() > 0 {
			dollars, cents, _ := strings.Cut(at.Payment().String(), ".")
			m.Dollars, m.Cents, m.Per = "$"+dollars, "."+cents, perMonth(text, at)
		}
		fee, loan = format.MoneyOrEmpty(at.FeeAmount()), format.MoneyOrEmpty(at.Loan())
		if net := at.NetCash() - q.PaysOff(); q.FeeMethod == heloc.FeeDeducted && net >= 0 && allBalancesKnown(q.Debts) {
			cash = format.MoneyOrEmpty(net)
		}
	}
	rate, total := text.Rate, text.TotalInterestToday
	switch o.RateType {
	case heloc.RateFixed:
		rate, total = text.FixedRate, text.TotalInterest
	case heloc.RateFloating:
		rate = text.VariableRate
	}
	if at.InterestOnly && at.Payment() > 0 {
		m.Facts = append(m.Facts, ui.Fact{Label: text.Afterward, Value: afterward(text, at)})
	}
	m.Facts = append(m.Facts,
		ui.Fact{Label: rate, Value: words.OrDash(format.Percent(o.Rate))},
		ui.Fact{Label: text.Fee, Value: words.OrDash(format.JoinNonEmpty(" · ", format.Percent(o.Fee), fee))},
		ui.Fact{Label: text.Loan, Value: words.OrDash(loan)})
	if cash != "" {
		m.Facts = append(m.Facts, ui.Fact{Label: text.NetCash, Value: cash})
	}
	if at.Payment() == 0 || at.ScheduleKnown() {
		m.Facts = append(m.Facts, ui.Fact{Label: total, Value: words.OrDash(totalInterestText(at))})
	}
	return m
}

// perMonth says for how long the first payment is due: "a month", "a month for 2 years", "a month at first".
func perMonth(text words.OfferSheet, at heloc.PricedOffer) string {
	switch {
	case !at.InterestOnly:
		return text.Monthly
	case at.Afterward() > 0:
		return fmt.Sprintf(text.MonthlyFor, localizedTerm(text, at.DrawMonths))
	default:
		return text.MonthlyAtFirst
	}
}

// afterward is the payment after the draw period, or that it is higher.
func afterward(text words.OfferSheet, at heloc.PricedOffer) string {
	if at.Afterward() <= 0 {
		return text.HigherPayment
	}
	return format.Money(at.Afterward()) + " " + text.Monthly
}

// localizedTerm formats a term in the language of the sheet.
func localizedTerm(text words.OfferSheet, months int) string {
	switch {
	case months == 0:
		return words.Dash
	case months%12 == 0:
		return format.Pluralize(months/12, text.Year, text.Years)
	default:
		return format.Pluralize(months, text.Month, text.Months)
	}
}

// presentBorrowerDebts maps what the line pays off. The column of today's payments exists when the borrower has
// reported any of them.
func presentBorrowerDebts(text words.OfferSheet, q lead.BorrowerQuote) view.BorrowerDebts {
	var m view.BorrowerDebts
	payments, known := heloc.Money(0), 0
	for _, d := range q.Debts {
		row := view.BorrowerDebt{Name: d.Creditor, Balance: words.OrDash(format.Dollars(d.Balance)), Payment: words.OrDash(format.MoneyOrEmpty(d.Payment))}
		if row.Name == "" {
			row.Name = text.Debt
		}
		if d.Payment > 0 {
			payments, known = payments+d.Payment, known+1
		}
		m.Rows = append(m.Rows, row)
	}
	m.HasPayments = known > 0
	if len(q.Debts) == 0 || !allBalancesKnown(q.Debts) {
		return m
	}
	m.Total = view.BorrowerDebt{Name: text.Total, Balance: format.Money(q.PaysOff()), Payment: words.Dash}
	if known == len(q.Debts) {
		m.Total.Payment = format.Money(payments)
	}
	if left := q.Draw - q.PaysOff(); q.FeeMethod == heloc.FeeAdded && left > 0 {
		m.ToYou = format.Money(left)
	}
	return m
}

// plainTerms explains the figures in sentences.
func plainTerms(text words.OfferSheet, q lead.BorrowerQuote) []ui.Fact {
	if len(q.Offers) == 0 {
		return nil
	}
	rate := []string{text.RateNote}
	for _, of := range []struct {
		lead     string
		discount lead.BorrowerDiscount
	}{
		{text.Included, lead.BorrowerDiscount{Included: true}},
		{text.IncludedEstimate, lead.BorrowerDiscount{Included: true, Estimated: true}},
		{text.NotIncluded, lead.BorrowerDiscount{}},
	} {
		if names := discountNames(text, q, of.discount); names != "" {
			rate = append(rate, of.lead+names+".")
		}
	}
	if slices.ContainsFunc(q.Offers, func(o lead.BorrowerOffer) bool { return o.RateType == heloc.RateFloating }) {
		rate = append(rate, text.VariableNote)
	}
	if !q.PricedAtDraw {
		rate = append(rate, text.NoDrawNote)
	}
	var terms []ui.Fact
	if payment := paymentTerms(text, q); payment != "" {
		terms = append(terms, ui.Fact{Label: text.PaymentTitle, Value: payment})
	}
	terms = append(terms, ui.Fact{Label: text.RateTitle, Value: strings.Join(rate, " ")})
	if q.SoftInquiry {
		terms = append(terms, ui.Fact{Label: text.CreditTitle, Value: text.InquiryNote})
	}
	return append(terms, ui.Fact{Label: text.PropertyTitle, Value: text.PropertyNote})
}

// paymentTerms says how the offers are repaid, each way once; it is empty if no payment is shown.
func paymentTerms(text words.OfferSheet, q lead.BorrowerQuote) string {
	var parts []string
	add := func(part string) {
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	for _, o := range q.Offers {
		switch at := q.Estimate(o); {
		case at.Payment() == 0:
		case !at.InterestOnly && o.RateType == heloc.RateFixed:
			add(text.RepaidFixed)
		case !at.InterestOnly:
			add(text.RepaidVariable)
		case at.ScheduleKnown():
			add(text.RepaidAfterDraw)
		default:
			add(text.RepaidAfterUnknownDraw)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	amount := text.OnAdded
	if q.FeeMethod == heloc.FeeDeducted {
		amount = text.OnDeducted
	}
	return strings.Join(append(parts, amount, text.OurEstimate), " ")
}

// discountNames names the discounts that the rates include like this one, or that they do not include.
func discountNames(text words.OfferSheet, q lead.BorrowerQuote, like lead.BorrowerDiscount) string {
	var names []string
	for _, d := range q.Discounts {
		if d.Included != like.Included || d.Estimated != like.Estimated {
			continue
		}
		name := words.Name(string(d.Type))
		switch {
		case d.Type.Autopay():
			name = text.Autopay
		case d.Type.CreditUnion():
			name = text.CreditUnion
		}
		if d.Rate != nil {
			name += " (" + d.Rate.String() + text.Points + ")"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// LocalizedDate formats a calendar day in a language; it is empty if unknown.
func LocalizedDate(lang words.Lang, d heloc.Date) string {
	t, ok := d.Time()
	switch {
	case !ok:
		return ""
	case lang == words.Spanish:
		return strconv.Itoa(t.Day()) + " de " + words.MonthIn(int(t.Month())) + " de " + strconv.Itoa(t.Year())
	default:
		return t.Format("January 2, 2006")
	}
}
