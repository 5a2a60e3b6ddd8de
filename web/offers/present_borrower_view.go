package offers

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	deskoffers "hearthline/internal/desk/offers"

	"hearthline/internal/brand"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/offers"
	"hearthline/views/offersheet"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/page"
)

// PresentBorrowerQuote maps a quote and whom to call to the page for a borrower, in one language. Everything that the
// page and the PDF state comes from here.
func PresentBorrowerQuote(q lead.BorrowerQuote, c deskoffers.BorrowerContact, lang text.Lang) view.BorrowerView {
	sheet := text.OfferSheetIn(lang)
	m := newBorrowerView(lang, c)
	m.Title = sheet.Product + " · " + c.Company
	m.Page.Title = m.Title
	m.Heading, m.Estimate, m.None = sheet.Heading, sheet.Estimate, sheet.None
	m.MonthlyHead, m.TermsTitle, m.Terms = sheet.MonthlyHead, sheet.PlainTerms, plainTerms(sheet, q)
	m.Lede, m.Debts, m.Chart = lede(sheet, q), presentBorrowerDebts(sheet, q), borrowerChart(sheet, q)
	m.CreatedAt, _ = q.PreparedOn.Time() // the day of the quote, so that the same sheet is the same file
	for _, o := range q.Offers {
		m.Offers = append(m.Offers, presentBorrowerOffer(sheet, q, o))
	}
	if q.MoreOffers {
		m.More = "… " + sheet.MoreOffers
	}
	m.Dates = fmt.Sprintf(sheet.Prepared, LocalizedDate(lang, q.PreparedOn))
	for _, d := range []struct {
		words string
		day   heloc.Date
	}{{sheet.RatesAsOf, q.PricedAsOf}, {sheet.InquiryExpires, q.Expires}, {sheet.PageExpires, q.LinkExpires}} {
		if d.day != "" {
			m.Dates += " " + fmt.Sprintf(d.words, LocalizedDate(lang, d.day))
		}
	}
	m.Legal = []string{sheet.Legal + " " + sheet.LenderNote, licenseLine(sheet, c)}
	return m
}

// newBorrowerView has the company, with its brand, and whom to call.
func newBorrowerView(lang text.Lang, c deskoffers.BorrowerContact) view.BorrowerView {
	m := view.BorrowerView{Text: text.OfferSheetIn(lang), LogoDigest: c.Brand.LogoDigest, Initials: page.Initials(c.Name)}
	m.Lang, m.Company, m.CompanyNMLS = string(lang), c.Company, nmlsLabel(m.Text, c.CompanyNMLS)
	m.Officer, m.OfficerNote = c.Name, text.JoinNonEmpty(" · ", m.Text.Officer, nmlsLabel(m.Text, c.NMLS))
	if c.Name == "" {
		m.Officer, m.OfficerNote = c.Company, m.Text.OfficerNone
	}
	if digits := heloc.NormalizePhone(c.Phone); digits.OK && c.Phone != "" {
		m.Phone, m.PhoneURL = heloc.FormatPhone(digits.Sent), "tel:+1"+digits.Sent
	}
	if m.LogoDigest != "" {
		m.Page.IconURL = to.Brand(m.LogoDigest + ".png")
		m.LogoWidth = strconv.Itoa(page.LogoWidth(c.Brand.LogoWidth, c.Brand.LogoHeight))
	}
	if color, ok := brand.ParseColor(c.Brand.Color); ok {
		file, _ := brandStyleFile(color)
		light := brand.NewPalette(color).Light
		m.Page.StyleURL, m.Color = to.Brand(file), offersheet.Color{R: light.R, G: light.G, B: light.B}
	}
	return m
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

// lede says where the draw goes, as far as it adds up, and why the loan amount of the offers is higher.
func lede(sheet text.OfferSheet, q lead.BorrowerQuote) []offersheet.Text {
	if q.Draw <= 0 {
		return nil
	}
	parts := drawText(sheet, q)
	if q.FeeMethod == heloc.FeeAdded && slices.ContainsFunc(q.Offers, func(o lead.BorrowerOffer) bool {
		return q.Estimate(o).FeeAmount() > 0
	}) {
		parts = append(parts, offersheet.Text{Text: " " + sheet.LoanAddsFee})
	}
	return parts
}

func drawText(sheet text.OfferSheet, q lead.BorrowerQuote) []offersheet.Text {
	parts := []offersheet.Text{{Text: sheet.Draw + " "}, {Text: text.Money(q.Draw), Strong: true}}
	pays := q.PaysOff()
	if pays <= 0 || pays > q.Draw || !allBalancesKnown(q.Debts) {
		return append(parts, offersheet.Text{Text: "."})
	}
	parts = append(parts, offersheet.Text{Text: ": "}, offersheet.Text{Text: text.Money(pays), Strong: true},
		offersheet.Text{Text: " " + sheet.PaysOff + " " + countDebts(sheet, len(q.Debts))})
	switch {
	case q.FeeMethod == heloc.FeeDeducted:
		return append(parts, offersheet.Text{Text: "; " + sheet.Rest + "."})
	case pays == q.Draw:
		return append(parts, offersheet.Text{Text: "."})
	default:
		return append(parts, offersheet.Text{Text: " " + sheet.And + " "},
			offersheet.Text{Text: text.Money(q.Draw - pays), Strong: true}, offersheet.Text{Text: " " + sheet.ToYou + "."})
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
func presentBorrowerOffer(sheet text.OfferSheet, q lead.BorrowerQuote, o lead.BorrowerOffer) offersheet.Offer {
	at := q.Estimate(o)
	m := offersheet.Offer{Term: localizedTerm(sheet, o.Months), Dollars: text.Dash}
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
		m.Facts = append(m.Facts, [2]string{sheet.Afterward, afterward(sheet, at)})
	}
	m.Facts = append(m.Facts,
		[2]string{rate, text.OrDash(text.Percent(o.Rate))},
		[2]string{sheet.Fee, text.OrDash(text.JoinNonEmpty(" · ", text.Percent(o.Fee), fee))})
	if change := paymentChange(sheet, q, at); change != "" {
		m.Facts = append(m.Facts, [2]string{sheet.Change, change})
	}
	m.Facts = append(m.Facts, [2]string{sheet.Loan, text.OrDash(loan)})
	if cash != "" {
		m.Facts = append(m.Facts, [2]string{sheet.NetCash, cash})
	}
	if at.Payment() == 0 || at.ScheduleKnown() {
		m.Facts = append(m.Facts, [2]string{total, text.OrDash(totalInterestText(at))})
	}
	return m
}

// maxChanges is the most offers that can show the payment change; the table for more has no space for it.
const maxChanges = 4

// paymentChange compares an offer's first payment with the current payments of the debts that the draw pays off. It is
// empty unless all of them are known.
func paymentChange(sheet text.OfferSheet, q lead.BorrowerQuote, at heloc.PricedOffer) string {
	today, known := currentPayments(q.Debts)
	if !known || !allBalancesKnown(q.Debts) || at.Payment() == 0 || at.NetCash() < q.PaysOff() ||
		len(q.Offers) > maxChanges {
		return ""
	}
	words := sheet.Same
	switch change := at.Payment() - today; {
	case change < 0:
		words = text.Money(-change) + sheet.Less
	case change > 0:
		words = text.Money(change) + sheet.More
	}
	if at.InterestOnly {
		words += sheet.AtFirst
	}
	return words
}

// currentPayments adds the payments that the borrower has reported, and reports whether that is all of them.
func currentPayments(debts []lead.BorrowerDebt) (sum heloc.Money, all bool) {
	all = len(debts) > 0
	for _, d := range debts {
		sum += d.Payment
		all = all && d.Payment > 0
	}
	return sum, all
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
func presentBorrowerDebts(sheet text.OfferSheet, q lead.BorrowerQuote) offersheet.Table {
	t := offersheet.Table{Title: sheet.PaysOffTitle, Headings: []string{sheet.Debt, sheet.DebtBalance}}
	payments, all := currentPayments(q.Debts)
	if payments > 0 {
		t.Headings = append(t.Headings, sheet.PaymentToday)
	}
	row := func(name, balance, payment string) []string {
		return []string{name, text.OrDash(balance), text.OrDash(payment)}[:len(t.Headings)]
	}
	for _, d := range q.Debts {
		t.Rows = append(t.Rows, row(cmp.Or(d.Creditor, sheet.Debt), text.Dollars(d.Balance), text.MoneyOrEmpty(d.Payment)))
	}
	if len(q.Debts) == 0 || !allBalancesKnown(q.Debts) {
		return t
	}
	total := ""
	if all {
		total = text.Money(payments)
	}
	t.Total = row(sheet.Total, text.Money(q.PaysOff()), total)
	if left := q.Draw - q.PaysOff(); q.FeeMethod == heloc.FeeAdded && left > 0 {
		t.Note = [2]string{sheet.ToYouLabel, text.Money(left)}
	}
	return t
}

// plainTerms explains the figures in sentences.
func plainTerms(sheet text.OfferSheet, q lead.BorrowerQuote) [][2]string {
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
	var terms [][2]string
	if payment := paymentTerms(sheet, q); payment != "" {
		terms = append(terms, [2]string{sheet.PaymentTitle, payment})
	}
	if slices.ContainsFunc(q.Offers, func(o lead.BorrowerOffer) bool {
		return paymentChange(sheet, q, q.Estimate(o)) != ""
	}) {
		terms = append(terms, [2]string{sheet.Change, sheet.ChangeNote})
	}
	terms = append(terms, [2]string{sheet.RateTitle, strings.Join(rate, " ")})
	if q.SoftInquiry {
		terms = append(terms, [2]string{sheet.CreditTitle, sheet.InquiryNote})
	}
	return append(terms, [2]string{sheet.PropertyTitle, sheet.PropertyNote})
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
