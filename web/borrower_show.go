package web

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/paper"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/words"
)

// mostAsked is how many offers can be asked for by name, mostShown how many a page of
// paper holds.
const mostAsked, mostShown = 4, 16

// sheetAsk is what a borrower is shown from the grid as it stands.
func (p priced) sheetAsk() to.SheetQuery {
	q := to.SheetQuery{Amount: typedMoney(&p.ask.draw), Autopay: p.ask.autopay, CreditUnion: p.ask.union, Offers: p.ask.pins, Accounts: p.ask.payoff}
	if len(q.Offers) == 0 && p.ask.chosen != "" {
		q.Offers = []string{p.ask.chosen}
	}
	if p.past {
		q.Quote = p.open.ID
	}
	return q
}

// showToBorrower maps the offers that were asked for, or else all that can be had at the
// amount, in the neutral order of the grid: term, then fee.
func (v viewer) showToBorrower(f leadFacts, in url.Values) (views.ShowView, error) {
	ask := parseAsk(in)
	asked := (&form{values: in}).list("offer")
	ask.planned = true // what is shown is asked for, and no debts are ticked by themselves
	ask.pins = append(ask.pins, asked...)
	sup, err := f.quoted(&ask)
	if err != nil {
		return views.ShowView{}, err
	}
	p := price(f.view, sup, ask)
	lang := words.ParseLang(in.Get("lang"))
	view := views.ShowView{App: string(f.view.Row.App), Lang: lang, Name: nameOf(f.view.Name), Ask: p.sheetAsk()}
	if len(asked) == 0 && p.ask.chosen != "" {
		asked = []string{p.ask.chosen}
	}
	asked = asked[:min(len(asked), mostAsked)]
	view.Ask.Offers = asked
	offers, err := p.shownOffers(f, asked)
	if err != nil {
		return view, err
	}
	dates := v.pricedOn(f.view, p, offers)
	view.More = len(offers) > mostShown
	variable := false
	for _, o := range offers[:min(len(offers), mostShown)] {
		row := p.shownTo(lang, o)
		if len(dates) > 1 {
			row.PricedAsOf = dayIn(lang, v.pricedOn(f.view, p, []heloc.Offer{o})[0])
		}
		view.Rows = append(view.Rows, row)
		variable = variable || o.RateType == heloc.RateFloating
	}
	text := words.SheetIn(lang)
	view.By = v.preparedBy(f.view, p, lang, dates)
	view.Notes = []string{text.MethodAdded, text.RateNote, text.InquiryNote, text.LenderNote}
	if p.fee == heloc.FeeDeducted {
		view.Notes[0] = text.MethodDeducted
	}
	if variable {
		view.Notes = slices.Insert(view.Notes, 1, text.VariableNote)
	}
	return view, nil
}

// shownOffers are those asked for, wherever the lender supplied them. One that is not on
// this lead is an error and not left out: the borrower would be shown something else
// than was meant.
func (p priced) shownOffers(f leadFacts, asked []string) ([]heloc.Offer, error) {
	var offers []heloc.Offer
	if len(asked) == 0 {
		for _, o := range p.offers {
			if outOfRange(o, p.ask.draw) == "" {
				offers = append(offers, o)
			}
		}
		slices.SortStableFunc(offers, neutrally)
		return offers, nil
	}
	known := slices.Concat(p.all, f.view.Details.App.Underwriting.Offers)
	for _, q := range p.known {
		known = append(known, q.Answer.Offers...)
	}
	for _, id := range asked {
		at := slices.IndexFunc(known, func(o heloc.Offer) bool { return o.UUID == id })
		if at < 0 {
			return nil, fault.New(fault.NotFound, "This offer is not on the lead any more. Look at the offers there are.")
		}
		offers = append(offers, known[at])
	}
	return offers, nil
}

func neutrally(a, b heloc.Offer) int {
	if d := int(termOf(a)) - int(termOf(b)); d != 0 {
		return d
	}
	return int(feeOf(a)) - int(feeOf(b))
}

// shownTo is one offer in the borrower's language.
func (p priced) shownTo(lang words.Lang, o heloc.Offer) views.ShowRow {
	text := words.SheetIn(lang)
	kind := text.Fixed
	if o.RateType == heloc.RateFloating {
		kind = text.Variable
	}
	row := views.ShowRow{
		Term: joined(", ", lastingIn(text, p.term.Months(termOf(o))), kind), Payment: exactly(p.payment(o)), Rate: words.Or(percent(o.Rate)),
		Fee:  words.Or(joined(" · ", percent(o.OriginationFeePercent), someAmount(heloc.FeeAmount(p.ask.draw, feeOf(o))))),
		Loan: words.Or(someAmount(heloc.LoanAmount(p.ask.draw, feeOf(o), p.fee))),
	}
	switch {
	case o.MaxAmount != nil && p.ask.draw > *o.MaxAmount:
		row.Note = text.UpTo + " " + amount(*o.MaxAmount)
	case o.MinAmount != nil && p.ask.draw < *o.MinAmount:
		row.Note = text.From + " " + amount(*o.MinAmount)
	}
	if row.Note != "" {
		row.Payment, row.Loan = words.Dash, words.Dash
	}
	return row
}

// exactly is a payment with its cents, so that those of a column compare.
func exactly(m heloc.Money) string {
	if m <= 0 {
		return words.Dash
	}
	return "$" + m.String()
}

// lastingIn is a term in the words of a sheet.
func lastingIn(text words.Sheet, months int) string {
	switch {
	case months == 0:
		return ""
	case months%12 == 0:
		return counted(months/12, text.Year, text.Years)
	default:
		return counted(months, text.Month, text.Months)
	}
}

// preparedBy is who answers for the page, with the numbers of their licences, and of
// which day its prices are.
func (v viewer) preparedBy(l desk.LeadView, p priced, lang words.Lang, dates []heloc.Date) [][2]string {
	text := words.SheetIn(lang)
	asOf := ""
	if len(dates) == 1 {
		asOf = dayIn(lang, dates[0])
	}
	who := l.Details.Originator
	numbered := func(name, number string) string {
		if number == "" {
			return name
		}
		return joined(", ", name, text.Licence+" "+number)
	}
	name, nmls := l.Originator.Name(), firstOf(l.Originator.NMLS, who.NMLS)
	if l.Originator.UUID == "" {
		name = ""
	}
	all := [][2]string{
		{text.By, numbered(name, nmls)},
		{text.Company, numbered(firstOf(l.Originator.BrokerName, who.CompanyName), firstOf(l.Originator.BrokerNMLS, who.CompanyNMLS))},
		{text.Draw, someAmount(p.ask.draw)}, {text.PaysOff, someAmount(p.payoff)}, {text.PricedAsOf, asOf},
		{text.Prepared, dayIn(lang, heloc.DateOf(v.now.In(v.zone)))},
	}
	return slices.DeleteFunc(all, func(f [2]string) bool { return f[1] == "" })
}

// pricedOn are the days of which the prices of these offers are, each once: of a quote the
// day on which it was asked for, of the details' own the lender's.
func (v viewer) pricedOn(l desk.LeadView, p priced, offers []heloc.Offer) []heloc.Date {
	var days []heloc.Date
	for _, o := range offers {
		day := l.Details.App.Underwriting.PricingAsOf
		for _, q := range p.quotes() {
			if offerIn(q.Answer.Offers, o.UUID) {
				day = heloc.DateOf(q.At.In(v.zone))
				break
			}
		}
		if !slices.Contains(days, day) {
			days = append(days, day)
		}
	}
	if len(days) == 0 {
		days = append(days, l.Details.App.Underwriting.PricingAsOf)
	}
	return days
}

func firstOf(values ...string) string {
	for _, s := range values {
		if s != "" {
			return s
		}
	}
	return ""
}

// dayIn is a calendar day in a language; empty when it is not known.
func dayIn(lang words.Lang, d heloc.Date) string {
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

// paperOf puts the page on paper: the same words, the same figures. It is dated by the
// day, so that the same sheet is the same file all day.
func paperOf(view views.ShowView, v viewer) paper.Sheet {
	text := words.SheetIn(view.Lang)
	today := v.now.In(v.zone)
	s := paper.Sheet{
		Lang: string(view.Lang), Title: text.Title, Estimate: text.Estimate, For: [2]string{text.For, view.Name}, By: view.By,
		Heads: []string{text.Term, text.Payment, text.Rate, text.Fee, text.Loan}, Notes: view.Notes,
		Made: time.Date(today.Year(), today.Month(), today.Day(), 0, 0, 0, 0, time.UTC),
	}
	for _, r := range view.Rows {
		payment := r.Payment
		if r.Note != "" {
			payment = r.Note
		}
		if r.PricedAsOf != "" {
			s.Notes = append(slices.Clone(s.Notes), r.Term+" "+r.Rate+": "+text.PricedAsOf+" "+r.PricedAsOf)
		}
		s.Rows = append(s.Rows, []string{r.Term, payment, r.Rate, r.Fee, r.Loan})
	}
	switch {
	case len(view.Rows) == 0:
		s.Notes = slices.Insert(slices.Clone(s.Notes), 0, text.None)
	case view.More:
		s.Notes = slices.Insert(slices.Clone(s.Notes), 0, "… "+text.Another)
	}
	return s
}
