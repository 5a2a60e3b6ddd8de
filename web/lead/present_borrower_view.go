package lead

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/pdf"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/words"
	"hearthline/web/form"
	"hearthline/web/format"
)

// maxRequestedOffers is how many offers can be asked for by name, mostShown how many a page of
// paper holds.
const maxRequestedOffers, MaxSheetRows = 4, 16

// sheetQuery is what a borrower is shown from the grid as it stands.
func (p OfferGrid) sheetQuery() to.OfferSheetQuery {
	q := to.OfferSheetQuery{
		Amount: format.ControlMoney(&p.Query.Draw), RateType: string(p.Query.rateType), Discounts: p.Query.discounts, Autopay: p.Query.Autopay, CreditUnion: p.Query.creditUnion,
		Accounts: p.Query.Payoff,
	}
	for _, o := range p.pins {
		if containsOffer(p.All, o.UUID) { // the sheet has figures of these offers only
			q.Offers = append(q.Offers, o.UUID)
		}
	}
	if p.Query.fee != nil {
		q.Fee = p.Query.fee.String()
	}
	if len(q.Offers) == 0 && p.Query.Chosen != "" {
		q.Offers = []string{p.Query.Chosen}
	}
	if p.historical {
		q.Quote = p.Current.ID
	}
	return q
}

// presentBorrowerView maps the offers that were asked for, or else all that can be had at the
// amount, in the neutral order of the grid: term, then fee.
func presentBorrowerView(v format.Viewer, f Data, in url.Values) (views.BorrowerScreenView, error) {
	ask := ParseGridQuery(in)
	asked := (&form.Form{Values: in}).UniqueValues("offer")
	ask.payoffGiven = true // what is shown is asked for, and no debts are ticked by themselves
	ask.Pins = append(ask.Pins, asked...)
	sup, err := f.loadQuotes(&ask)
	if err != nil {
		return views.BorrowerScreenView{}, err
	}
	p := NewOfferGrid(f.View, sup, ask)
	lang := words.ParseLang(in.Get("lang"))
	view := views.BorrowerScreenView{App: string(f.View.Row.App), Lang: lang, Name: format.FullName(f.View.Name), Query: p.sheetQuery()}
	if len(asked) == 0 && p.Query.Chosen != "" {
		asked = []string{p.Query.Chosen}
	}
	asked = asked[:min(len(asked), maxRequestedOffers)]
	view.Query.Offers = asked
	offers, err := p.sheetOffers(f, asked)
	if err != nil {
		return view, err
	}
	view.HasMore = len(offers) > MaxSheetRows
	variable := false
	for _, o := range offers[:min(len(offers), MaxSheetRows)] {
		view.Rows = append(view.Rows, p.PresentSheetRow(lang, o))
		variable = variable || o.RateType == heloc.RateFloating
	}
	text := words.OfferSheetIn(lang)
	view.PreparedBy = SheetPreparedBy(v, f.View, p, lang)
	view.Notes = []string{text.MethodAdded, text.RateNote, text.InquiryNote, text.LenderNote}
	if p.FeeMethod == heloc.FeeDeducted {
		view.Notes[0] = text.MethodDeducted
	}
	if variable {
		view.Notes = slices.Insert(view.Notes, 1, text.VariableNote)
	}
	if len(offers) > 0 && !p.quoted() {
		view.Notes = slices.Insert(view.Notes, 0, text.NoDrawNote)
	}
	return view, nil
}

// sheetOffers are those asked for, at the figures that the grid has for them. One that has
// none is an error and not left out: the borrower would be shown something else than was
// meant.
func (p OfferGrid) sheetOffers(f Data, asked []string) ([]heloc.Offer, error) {
	var offers []heloc.Offer
	if len(asked) == 0 {
		for _, o := range p.Offers {
			if outOfRangeText(o, p.Query.Draw) == "" {
				offers = append(offers, o)
			}
		}
		slices.SortStableFunc(offers, byTermAndFee)
		return offers, nil
	}
	known := slices.Concat(p.All, f.View.Details.App.Underwriting.Offers)
	for _, q := range p.selectedIn {
		known = append(known, q.Answer.Offers...)
	}
	for _, id := range asked {
		o, ok := p.matchOffer(known, id, p.All)
		if !ok {
			return nil, fault.New(fault.NotFound, "This offer is not on the lead any more. Look at the offers there are.")
		}
		if !containsOffer(p.All, o.UUID) {
			return nil, fault.New(fault.NotFound, "The lender did not price this offer for these figures. Get a quote for them first.")
		}
		if !containsOffer(offers, o.UUID) {
			offers = append(offers, o)
		}
	}
	return offers, nil
}

func byTermAndFee(a, b heloc.Offer) int {
	if d := int(termOf(a)) - int(termOf(b)); d != 0 {
		return d
	}
	return int(feeOf(a)) - int(feeOf(b))
}

// PresentSheetRow is one offer in the borrower's language.
func (p OfferGrid) PresentSheetRow(lang words.Lang, o heloc.Offer) views.BorrowerOfferRow {
	text := words.OfferSheetIn(lang)
	kind := text.Fixed
	if o.RateType == heloc.RateFloating {
		kind = text.Variable
	}
	row := views.BorrowerOfferRow{
		Term: format.JoinNonEmpty(", ", localizedTerm(text, p.TermUnit.Months(termOf(o))), kind), Payment: paymentText(p.payment(o)), Rate: words.OrDash(format.Percent(o.Rate)),
		Fee:  words.OrDash(format.JoinNonEmpty(" · ", format.Percent(o.OriginationFeePercent), format.MoneyOrEmpty(heloc.FeeAmount(p.Query.Draw, feeOf(o))))),
		Loan: words.OrDash(format.MoneyOrEmpty(heloc.LoanAmount(p.Query.Draw, feeOf(o), p.FeeMethod))),
	}
	switch {
	case o.MaxAmount != nil && p.Query.Draw > *o.MaxAmount:
		row.Note = text.UpTo + " " + format.Money(*o.MaxAmount)
	case o.MinAmount != nil && p.Query.Draw < *o.MinAmount:
		row.Note = text.From + " " + format.Money(*o.MinAmount)
	}
	if row.Note != "" {
		row.Payment, row.Loan = words.Dash, words.Dash
	}
	return row
}

// paymentText is a payment with its cents, so that those of a column compare.
func paymentText(m heloc.Money) string {
	if m <= 0 {
		return words.Dash
	}
	return "$" + m.String()
}

// localizedTerm is a term in the words of a sheet.
func localizedTerm(text words.OfferSheet, months int) string {
	switch {
	case months == 0:
		return ""
	case months%12 == 0:
		return format.Pluralize(months/12, text.Year, text.Years)
	default:
		return format.Pluralize(months, text.Month, text.Months)
	}
}

// SheetPreparedBy is who answers for the page, with the numbers of their licences, and of
// which day all its prices are. Without that day it is dated by the day on which it is made.
func SheetPreparedBy(v format.Viewer, l desk.LeadView, p OfferGrid, lang words.Lang) [][2]string {
	text := words.OfferSheetIn(lang)
	asOf, made := LocalizedDate(lang, PricingDates(v, l, p)), ""
	if asOf == "" {
		made = LocalizedDate(lang, heloc.DateOf(v.Now.In(v.Zone)))
	}
	who := l.Details.Originator
	numbered := func(name, number string) string {
		if number == "" {
			return name
		}
		return format.JoinNonEmpty(", ", name, text.License+" "+number)
	}
	name, nmls := l.Originator.Name(), firstNonEmpty(l.Originator.NMLS, who.NMLS)
	if l.Originator.UUID == "" {
		name = ""
	}
	all := [][2]string{
		{text.PreparedBy, numbered(name, nmls)},
		{text.Company, numbered(firstNonEmpty(l.Originator.BrokerName, who.CompanyName), firstNonEmpty(l.Originator.BrokerNMLS, who.CompanyNMLS))},
		{text.Draw, format.MoneyOrEmpty(p.Query.Draw)}, {text.PaysOff, format.MoneyOrEmpty(p.payoffTotal)},
		{text.Included, p.discountsTold(lang, true)}, {text.NotIncluded, p.discountsTold(lang, false)},
		{text.PricedAsOf, asOf}, {text.PreparedOn, made},
	}
	return slices.DeleteFunc(all, func(f [2]string) bool { return f[1] == "" })
}

// discountsTold names the discounts that the rates have taken off, or those that are to be
// selected and that they have not, with what each takes off.
func (p OfferGrid) discountsTold(lang words.Lang, included bool) string {
	text := words.OfferSheetIn(lang)
	var told []string
	tell := func(name string, rate *heloc.Rate) { told = append(told, format.JoinNonEmpty(" ", name, minus(rate))) }
	listed := func(is func(heloc.DiscountType) bool) bool {
		return slices.ContainsFunc(p.discountsOffered(), func(d heloc.Discount) bool { return is(d.Type) })
	}
	for _, d := range p.discountsOffered() {
		in := p.includes(d.Type)
		if in != included || !in && !slices.Contains(p.Query.discounts, string(d.Type)) {
			continue
		}
		switch {
		case d.Type.Autopay():
			tell(text.Autopay, d.RateAmount)
		case d.Type.CreditUnion():
			tell(text.CreditUnion, d.RateAmount)
		default:
			tell(words.Name(string(d.Type)), d.RateAmount)
		}
	}
	if included && p.quoted() && p.Query.Autopay && !listed(heloc.DiscountType.Autopay) {
		tell(text.Autopay, nil)
	}
	if included && p.quoted() && p.Query.creditUnion && !listed(heloc.DiscountType.CreditUnion) {
		tell(text.CreditUnion, nil)
	}
	return strings.Join(told, ", ")
}

func minus(r *heloc.Rate) string {
	if r == nil {
		return ""
	}
	return "−" + format.Percent(r)
}

// PricingDates is the day of which the prices of the grid are, in the person's calendar: of a
// quote the day on which it was asked for, of the details' own the lender's.
func PricingDates(v format.Viewer, l desk.LeadView, p OfferGrid) heloc.Date {
	if p.Current != nil {
		return heloc.DateOf(p.Current.At.In(v.Zone))
	}
	return notAhead(v, l.Details.App.Underwriting.PricingAsOf)
}

func firstNonEmpty(values ...string) string {
	for _, s := range values {
		if s != "" {
			return s
		}
	}
	return ""
}

// LocalizedDate is a calendar day in a language; empty when it is not known.
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

// pdfSheet puts the page on paper: the same words, the same figures. It is dated by the
// day, so that the same sheet is the same file all day.
func pdfSheet(view views.BorrowerScreenView, v format.Viewer) pdf.OfferSheet {
	text := words.OfferSheetIn(view.Lang)
	today := v.Now.In(v.Zone)
	s := pdf.OfferSheet{
		Lang: string(view.Lang), Title: text.Title, Disclaimer: text.Estimate, PreparedFor: [2]string{text.PreparedFor, view.Name}, PreparedBy: view.PreparedBy,
		Headings: []string{text.Term, text.Payment, text.Rate, text.Fee, text.Loan}, Notes: view.Notes,
		CreatedAt: time.Date(today.Year(), today.Month(), today.Day(), 0, 0, 0, 0, time.UTC),
	}
	for _, r := range view.Rows {
		payment := r.Payment
		if r.Note != "" {
			payment = r.Note
		}
		s.Rows = append(s.Rows, []string{r.Term, payment, r.Rate, r.Fee, r.Loan})
	}
	switch {
	case len(view.Rows) == 0:
		s.Notes = slices.Insert(slices.Clone(s.Notes), 0, text.None)
	case view.HasMore:
		s.Notes = slices.Insert(slices.Clone(s.Notes), 0, "… "+text.MoreOffers)
	}
	return s
}
