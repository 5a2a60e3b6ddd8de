package offers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	deskoffers "hearthline/internal/desk/offers"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// PresentBorrowerQuote maps a quote and whom to call to the page for a borrower, in one language. Everything that the
// page and the PDF state comes from here.
func PresentBorrowerQuote(q lead.BorrowerQuote, c deskoffers.BorrowerContact, lang text.Lang) view.BorrowerView {
	sheet := text.OfferSheetIn(lang)
	m := view.BorrowerView{
		Lang: lang, Text: sheet, Heading: sheet.Heading, Lede: lede(sheet, q), HasMore: q.MoreOffers,
		Debts: presentBorrowerDebts(sheet, q), Terms: plainTerms(sheet, q), Chart: borrowerChart(sheet, q),
	}
	for _, o := range q.Offers {
		m.Offers = append(m.Offers, presentBorrowerOffer(sheet, q, o))
	}
	if q.PricedAsOf != "" {
		m.Dates = fmt.Sprintf(sheet.RatesAsOf, LocalizedDate(lang, q.PricedAsOf))
	}
	m.Dates = text.JoinNonEmpty(" ", fmt.Sprintf(sheet.Prepared, LocalizedDate(lang, q.PreparedOn)), m.Dates)
	if q.Expires != "" {
		m.Dates += " " + fmt.Sprintf(sheet.InquiryExpires, LocalizedDate(lang, q.Expires))
	}
	presentContact(&m, c)
	m.Legal = []string{sheet.Legal + " " + sheet.LenderNote, licenseLine(sheet, c)}
	return m
}

// presentContact maps whom to call.
func presentContact(m *view.BorrowerView, c deskoffers.BorrowerContact) {
	m.Company = view.BorrowerCompany{Name: c.Company, NMLS: nmlsLabel(m.Text, c.CompanyNMLS)}
	m.Officer = view.BorrowerOfficer{Name: c.Name, Subtitle: text.JoinNonEmpty(" · ", m.Text.Officer, nmlsLabel(m.Text, c.NMLS)), Initials: page.Initials(c.Name)}
	if c.Name == "" {
		m.Officer = view.BorrowerOfficer{Name: c.Company, Subtitle: m.Text.OfficerNone}
	}
	if digits := heloc.NormalizePhone(c.Phone); digits.OK && c.Phone != "" {
		m.Officer.Phone, m.Officer.PhoneURL = heloc.FormatPhone(digits.Sent), "tel:+1"+digits.Sent
	}
}

func nmlsLabel(sheet text.OfferSheet, number string) string {
	if number == "" {
		return ""
	}
	return sheet.License + " " + number
}

// licenseLine names the company and the originator with their license numbers, and the state in which a license is on
// file.
func licenseLine(sheet text.OfferSheet, c deskoffers.BorrowerContact) string {
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
			state = fmt.Sprintf(sheet.Licensed, sheet.State(c.State))
		}
		line += text.JoinNonEmpty(", ", p.name, nmlsLabel(sheet, p.nmls), state) + ". "
	}
	return line + sheet.Verify
}

// lede says where the draw goes, as far as it adds up.
func lede(sheet text.OfferSheet, q lead.BorrowerQuote) []view.TextPart {
	if q.Draw <= 0 {
		return nil
	}
	parts := []view.TextPart{{Text: sheet.Draw + " "}, {Text: text.Money(q.Draw), Strong: true}}
	pays := q.PaysOff()
	if pays <= 0 || pays > q.Draw || !allBalancesKnown(q.Debts) {
		return append(parts, view.TextPart{Text: "."})
	}
	parts = append(parts, view.TextPart{Text: ": "}, view.TextPart{Text: text.Money(pays), Strong: true}, view.TextPart{Text: " " + sheet.PaysOff + " " + countDebts(sheet, len(q.Debts))})
	switch {
	case q.FeeMethod == heloc.FeeDeducted:
		return append(parts, view.TextPart{Text: "; " + sheet.Rest + "."})
	case pays == q.Draw:
		return append(parts, view.TextPart{Text: "."})
	default:
		return append(parts, view.TextPart{Text: " " + sheet.And + " "}, view.TextPart{Text: text.Money(q.Draw - pays), Strong: true}, view.TextPart{Text: " " + sheet.ToYou + "."})
	}
}

func allBalancesKnown(debts []lead.BorrowerDebt) bool {
	return !slices.ContainsFunc(debts, func(d lead.BorrowerDebt) bool { return d.Balance == nil })
}

func countDebts(sheet text.OfferSheet, n int) string {
	if n == 1 {
		return sheet.OneDebt
	}
	return sheet.Number(n) + " " + sheet.Debts
}

// presentBorrowerOffer maps one offer.
func presentBorrowerOffer(sheet text.OfferSheet, q lead.BorrowerQuote, o lead.BorrowerOffer) view.BorrowerOffer {
	at := q.Estimate(o)
	m := view.BorrowerOffer{Term: localizedTerm(sheet, o.Months), Dollars: text.Dash}
	fee, loan, cash := "", "", ""
	switch {
	case o.MaxAmount != nil && q.Draw > *o.MaxAmount:
		m.Note = sheet.UpTo + " " + text.Money(*o.MaxAmount)
	case o.MinAmount != nil && q.Draw < *o.MinAmount:
		m.Note = sheet.From + " " + text.Money(*o.MinAmount)
	default:
		if at.Payment() > 0 {
			dollars, cents, _ := strings.Cut(at.Payment().String(), ".")
			m.Dollars, m.Cents, m.Per = "$"+dollars, "."+cents, perMonth(sheet, at)
		}
		fee, loan = text.MoneyOrEmpty(at.FeeAmount()), text.MoneyOrEmpty(at.Loan())
		if net := at.NetCash() - q.PaysOff(); q.FeeMethod == heloc.FeeDeducted && net >= 0 && allBalancesKnown(q.Debts) {
			cash = text.MoneyOrEmpty(net)
		}
	}
	rate, total := sheet.Rate, sheet.TotalInterestToday
	switch o.RateType {
	case heloc.RateFixed:
		rate, total = sheet.FixedRate, sheet.TotalInterest
	case heloc.RateFloating:
		rate = sheet.VariableRate
	}
	if at.InterestOnly && at.Payment() > 0 {
		m.Facts = append(m.Facts, ui.Fact{Label: sheet.Afterward, Value: afterward(sheet, at)})
	}
	m.Facts = append(m.Facts,
		ui.Fact{Label: rate, Value: text.OrDash(text.Percent(o.Rate))},
		ui.Fact{Label: sheet.Fee, Value: text.OrDash(text.JoinNonEmpty(" · ", text.Percent(o.Fee), fee))},
		ui.Fact{Label: sheet.Loan, Value: text.OrDash(loan)})
	if cash != "" {
		m.Facts = append(m.Facts, ui.Fact{Label: sheet.NetCash, Value: cash})
	}
	if at.Payment() == 0 || at.ScheduleKnown() {
		m.Facts = append(m.Facts, ui.Fact{Label: total, Value: text.OrDash(totalInterestText(at))})
	}
	return m
}

// perMonth says for how long the first payment is due: "a month", "a month for 2 years", "a month at first".
func perMonth(sheet text.OfferSheet, at heloc.PricedOffer) string {
	switch {
	case !at.InterestOnly:
		return sheet.Monthly
	case at.Afterward() > 0:
		return fmt.Sprintf(sheet.MonthlyFor, localizedTerm(sheet, at.DrawMonths))
	default:
		return sheet.MonthlyAtFirst
	}
}

// afterward is the payment after the draw period, or that it is higher.
func afterward(sheet text.OfferSheet, at heloc.PricedOffer) string {
	if at.Afterward() <= 0 {
		return sheet.HigherPayment
	}
	return text.Money(at.Afterward()) + " " + sheet.Monthly
}

// localizedTerm formats a term in the language of the sheet.
func localizedTerm(sheet text.OfferSheet, months int) string {
	switch {
	case months == 0:
		return text.Dash
	case months%12 == 0:
		return text.Pluralize(months/12, sheet.Year, sheet.Years)
	default:
		return text.Pluralize(months, sheet.Month, sheet.Months)
	}
}

// presentBorrowerDebts maps what the line pays off. The column of today's payments exists when the borrower has
// reported any of them.
func presentBorrowerDebts(sheet text.OfferSheet, q lead.BorrowerQuote) view.BorrowerDebts {
	var m view.BorrowerDebts
	payments, known := heloc.Money(0), 0
	for _, d := range q.Debts {
		row := view.BorrowerDebt{Name: d.Creditor, Balance: text.OrDash(text.Dollars(d.Balance)), Payment: text.OrDash(text.MoneyOrEmpty(d.Payment))}
		if row.Name == "" {
			row.Name = sheet.Debt
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
	m.Total = view.BorrowerDebt{Name: sheet.Total, Balance: text.Money(q.PaysOff()), Payment: text.Dash}
	if known == len(q.Debts) {
		m.Total.Payment = text.Money(payments)
	}
	if left := q.Draw - q.PaysOff(); q.FeeMethod == heloc.FeeAdded && left > 0 {
		m.ToYou = text.Money(left)
	}
	return m
}

// plainTerms explains the figures in sentences.
func plainTerms(sheet text.OfferSheet, q lead.BorrowerQuote) []ui.Fact {
	if len(q.Offers) == 0 {
		return nil
	}
	rate := []string{sheet.RateNote}
	for _, of := range []struct {
		lead     string
		discount lead.BorrowerDiscount
	}{
		{sheet.Included, lead.BorrowerDiscount{Included: true}},
		{sheet.IncludedEstimate, lead.BorrowerDiscount{Included: true, Estimated: true}},
		{sheet.NotIncluded, lead.BorrowerDiscount{}},
	} {
		if names := discountNames(sheet, q, of.discount); names != "" {
			rate = append(rate, of.lead+names+".")
		}
	}
	if slices.ContainsFunc(q.Offers, func(o lead.BorrowerOffer) bool { return o.RateType == heloc.RateFloating }) {
		rate = append(rate, sheet.VariableNote)
	}
	if !q.PricedAtDraw {
		rate = append(rate, sheet.NoDrawNote)
	}
	var terms []ui.Fact
	if payment := paymentTerms(sheet, q); payment != "" {
		terms = append(terms, ui.Fact{Label: sheet.PaymentTitle, Value: payment})
	}
	terms = append(terms, ui.Fact{Label: sheet.RateTitle, Value: strings.Join(rate, " ")})
	if q.SoftInquiry {
		terms = append(terms, ui.Fact{Label: sheet.CreditTitle, Value: sheet.InquiryNote})
	}
	return append(terms, ui.Fact{Label: sheet.PropertyTitle, Value: sheet.PropertyNote})
}

// paymentTerms says how the offers are repaid, each way once; it is empty if no payment is shown.
func paymentTerms(sheet text.OfferSheet, q lead.BorrowerQuote) string {
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
			add(sheet.RepaidFixed)
		case !at.InterestOnly:
			add(sheet.RepaidVariable)
		case at.ScheduleKnown():
			add(sheet.RepaidAfterDraw)
		default:
			add(sheet.RepaidAfterUnknownDraw)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	amount := sheet.OnAdded
	if q.FeeMethod == heloc.FeeDeducted {
		amount = sheet.OnDeducted
	}
	return strings.Join(append(parts, amount, sheet.OurEstimate), " ")
}

// discountNames names the discounts that the rates include like this one, or that they do not include.
func discountNames(sheet text.OfferSheet, q lead.BorrowerQuote, like lead.BorrowerDiscount) string {
	var names []string
	for _, d := range q.Discounts {
		if d.Included != like.Included || d.Estimated != like.Estimated {
			continue
		}
		name := text.Name(string(d.Type))
		switch {
		case d.Type.Autopay():
			name = sheet.Autopay
		case d.Type.CreditUnion():
			name = sheet.CreditUnion
		}
		if d.Rate != nil {
			name += " (" + d.Rate.String() + sheet.Points + ")"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// LocalizedDate formats a calendar day in a language; it is empty if unknown.
func LocalizedDate(lang text.Lang, d heloc.Date) string {
	t, ok := d.Time()
	switch {
	case !ok:
		return ""
	case lang == text.Spanish:
		return strconv.Itoa(t.Day()) + " de " + text.MonthIn(int(t.Month())) + " de " + strconv.Itoa(t.Year())
	default:
		return t.Format("January 2, 2006")
	}
}
