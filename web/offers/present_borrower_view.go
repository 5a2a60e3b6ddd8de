package offers

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/pdf"
	view "hearthline/views/offers"
	"hearthline/views/to"
	"hearthline/views/words"
	"hearthline/web/form"
	"hearthline/web/format"
)

const (
	// maxRequestedOffers is how many offers can be requested by id.
	maxRequestedOffers = 4
	// MaxSheetRows is how many offers fit on a page.
	MaxSheetRows = 16
)

// sheetQuery returns the query for the borrower's page that matches the grid.
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

// presentBorrowerView maps the requested offers, or else all that are available at the amount, in
// the neutral order of the grid: term, then fee.
func presentBorrowerView(v format.Viewer, l desk.LeadView, load func(*GridQuery) (QuoteSet, error), params url.Values) (view.BorrowerScreenView, error) {
	query := ParseGridQuery(params)
	requested := (&form.Form{Values: params}).UniqueValues("offer")
	query.payoffGiven = true // the query names everything to show, so that no debts are ticked by default
	query.Pins = append(query.Pins, requested...)
	quotes, err := load(&query)
	if err != nil {
		return view.BorrowerScreenView{}, err
	}
	p := NewOfferGrid(l, quotes, query)
	lang := words.ParseLang(params.Get("lang"))
	model := view.BorrowerScreenView{App: string(l.Row.App), Lang: lang, Name: format.FullName(l.Name), Query: p.sheetQuery()}
	if len(requested) == 0 && p.Query.Chosen != "" {
		requested = []string{p.Query.Chosen}
	}
	requested = requested[:min(len(requested), maxRequestedOffers)]
	model.Query.Offers = requested
	offers, err := p.sheetOffers(l, requested)
	if err != nil {
		return model, err
	}
	model.HasMore = len(offers) > MaxSheetRows
	variable := false
	for _, o := range offers[:min(len(offers), MaxSheetRows)] {
		model.Rows = append(model.Rows, p.PresentSheetRow(lang, o))
		variable = variable || o.RateType == heloc.RateFloating
	}
	text := words.OfferSheetIn(lang)
	model.PreparedBy = SheetPreparedBy(v, l, p, lang)
	model.Notes = []string{text.MethodAdded, text.RateNote, text.InquiryNote, text.LenderNote}
	if p.FeeMethod == heloc.FeeDeducted {
		model.Notes[0] = text.MethodDeducted
	}
	if variable {
		model.Notes = slices.Insert(model.Notes, 1, text.VariableNote)
	}
	if len(offers) > 0 && !p.quoted() {
		model.Notes = slices.Insert(model.Notes, 0, text.NoDrawNote)
	}
	return model, nil
}

// sheetOffers returns the requested offers with their figures in the grid. An offer without figures
// is an error instead of being omitted, because the borrower would otherwise see something other
// than what was meant.
func (p OfferGrid) sheetOffers(l desk.LeadView, requested []string) ([]heloc.Offer, error) {
	var offers []heloc.Offer
	if len(requested) == 0 {
		for _, o := range p.Offers {
			if outOfRangeText(o, p.Query.Draw) == "" {
				offers = append(offers, o)
			}
		}
		slices.SortStableFunc(offers, byTermAndFee)
		return offers, nil
	}
	known := slices.Concat(p.All, l.Details.App.Underwriting.Offers)
	for _, q := range p.selectedIn {
		known = append(known, q.Answer.Offers...)
	}
	for _, id := range requested {
		o, ok := p.matchOffer(known, id, p.All)
		if !ok {
			return nil, fault.New(fault.NotFound, "This offer is no longer available. See the current offers.")
		}
		if !containsOffer(p.All, o.UUID) {
			return nil, fault.New(fault.NotFound, "The lender hasn’t priced this offer for these figures. Get a quote first.")
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

// PresentSheetRow maps one offer in the borrower's language.
func (p OfferGrid) PresentSheetRow(lang words.Lang, o heloc.Offer) view.BorrowerOfferRow {
	text := words.OfferSheetIn(lang)
	kind := rateTypeText(o.RateType)
	switch o.RateType {
	case heloc.RateFixed:
		kind = text.Fixed
	case heloc.RateFloating:
		kind = text.Variable
	}
	row := view.BorrowerOfferRow{
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

// paymentText formats a payment with its cents, so that a column of payments is easy to compare.
func paymentText(m heloc.Money) string {
	if m <= 0 {
		return words.Dash
	}
	return "$" + m.String()
}

// localizedTerm formats a term in the language of the sheet.
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

// SheetPreparedBy lists who prepared the page, with their license numbers, and the date of its
// prices. If that date is unknown, it shows the date of the page instead.
func SheetPreparedBy(v format.Viewer, l desk.LeadView, p OfferGrid, lang words.Lang) [][2]string {
	text := words.OfferSheetIn(lang)
	asOf, preparedOn := LocalizedDate(lang, PricingDates(v, l, p)), ""
	if asOf == "" {
		preparedOn = LocalizedDate(lang, heloc.DateOf(v.Now.In(v.Zone)))
	}
	who := l.Details.Originator
	withLicense := func(name, number string) string {
		if number == "" {
			return name
		}
		return format.JoinNonEmpty(", ", name, text.License+" "+number)
	}
	name, nmls := l.Originator.Name(), cmp.Or(l.Originator.NMLS, who.NMLS)
	if l.Originator.UUID == "" {
		name = ""
	}
	all := [][2]string{
		{text.PreparedBy, withLicense(name, nmls)},
		{text.Company, withLicense(cmp.Or(l.Originator.BrokerName, who.CompanyName), cmp.Or(l.Originator.BrokerNMLS, who.CompanyNMLS))},
		{text.Draw, format.MoneyOrEmpty(p.Query.Draw)}, {text.PaysOff, format.MoneyOrEmpty(p.payoffTotal)},
		{text.Included, p.discountsTold(lang, true)}, {text.NotIncluded, p.discountsTold(lang, false)},
		{text.PricedAsOf, asOf}, {text.PreparedOn, preparedOn},
	}
	return slices.DeleteFunc(all, func(f [2]string) bool { return f[1] == "" })
}

// discountsTold names either the discounts that the rates include, or the ticked discounts that
// they do not, each with its rate.
func (p OfferGrid) discountsTold(lang words.Lang, included bool) string {
	text := words.OfferSheetIn(lang)
	var names []string
	add := func(name string, rate *heloc.Rate) {
		names = append(names, format.JoinNonEmpty(" ", name, minus(rate)))
	}
	listed := func(is func(heloc.DiscountType) bool) bool {
		return slices.ContainsFunc(p.discountsOffered(), func(d heloc.Discount) bool { return is(d.Type) })
	}
	for _, d := range p.discountsOffered() {
		isIncluded := p.includes(d.Type)
		if isIncluded != included || !isIncluded && !slices.Contains(p.Query.discounts, string(d.Type)) {
			continue
		}
		switch {
		case d.Type.Autopay():
			add(text.Autopay, d.RateAmount)
		case d.Type.CreditUnion():
			add(text.CreditUnion, d.RateAmount)
		default:
			add(words.Name(string(d.Type)), d.RateAmount)
		}
	}
	if included && p.quoted() && p.Query.Autopay && !listed(heloc.DiscountType.Autopay) {
		add(text.Autopay, nil)
	}
	if included && p.quoted() && p.Query.creditUnion && !listed(heloc.DiscountType.CreditUnion) {
		add(text.CreditUnion, nil)
	}
	return strings.Join(names, ", ")
}

func minus(r *heloc.Rate) string {
	if r == nil {
		return ""
	}
	return "−" + format.Percent(r)
}

// PricingDates returns the date of the grid's prices in the user's calendar: for a quote, the day
// on which it was requested; for the offers of the details, the lender's date.
func PricingDates(v format.Viewer, l desk.LeadView, p OfferGrid) heloc.Date {
	if p.Current != nil {
		return heloc.DateOf(p.Current.At.In(v.Zone))
	}
	return notAhead(v, l.Details.App.Underwriting.PricingAsOf)
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

// pdfSheet maps the page to a PDF with the same texts and figures. Its creation time is the day, so
// that the same sheet is the same file all day.
func pdfSheet(model view.BorrowerScreenView, v format.Viewer) pdf.OfferSheet {
	text := words.OfferSheetIn(model.Lang)
	today := v.Now.In(v.Zone)
	s := pdf.OfferSheet{
		Lang: string(model.Lang), Title: text.Title, Disclaimer: text.Estimate, PreparedFor: [2]string{text.PreparedFor, model.Name}, PreparedBy: model.PreparedBy,
		Headings: []string{text.Term, text.Payment, text.Rate, text.Fee, text.Loan}, Notes: model.Notes,
		CreatedAt: time.Date(today.Year(), today.Month(), today.Day(), 0, 0, 0, 0, time.UTC),
	}
	for _, r := range model.Rows {
		payment := r.Payment
		if r.Note != "" {
			payment = r.Note
		}
		s.Rows = append(s.Rows, []string{r.Term, payment, r.Rate, r.Fee, r.Loan})
	}
	switch {
	case len(model.Rows) == 0:
		s.Notes = slices.Insert(slices.Clone(s.Notes), 0, text.None)
	case model.HasMore:
		s.Notes = slices.Insert(slices.Clone(s.Notes), 0, "… "+text.MoreOffers)
	}
	return s
}
