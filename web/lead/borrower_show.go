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
	"hearthline/internal/paper"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/words"
	"hearthline/web/form"
	"hearthline/web/format"
)

// mostAsked is how many offers can be asked for by name, mostShown how many a page of
// paper holds.
const mostAsked, MostShown = 4, 16

// sheetAsk is what a borrower is shown from the grid as it stands.
func (p Priced) sheetAsk() to.SheetQuery {
	q := to.SheetQuery{
		Amount: format.TypedMoney(&p.Ask.Draw), RateType: string(p.Ask.kind), Discounts: p.Ask.less, Autopay: p.Ask.Autopay, CreditUnion: p.Ask.union,
		Offers: p.Ask.Pins, Accounts: p.Ask.Payoff,
	}
	if p.Ask.fee != nil {
		q.Fee = p.Ask.fee.String()
	}
	if len(q.Offers) == 0 && p.Ask.Chosen != "" {
		q.Offers = []string{p.Ask.Chosen}
	}
	if p.past {
		q.Quote = p.Open.ID
	}
	return q
}

// showToBorrower maps the offers that were asked for, or else all that can be had at the
// amount, in the neutral order of the grid: term, then fee.
func showToBorrower(v format.Viewer, f LeadFacts, in url.Values) (views.ShowView, error) {
	ask := ParseAsk(in)
	asked := (&form.Form{Values: in}).List("offer")
	ask.planned = true // what is shown is asked for, and no debts are ticked by themselves
	ask.Pins = append(ask.Pins, asked...)
	sup, err := f.quoted(&ask)
	if err != nil {
		return views.ShowView{}, err
	}
	p := Price(f.View, sup, ask)
	lang := words.ParseLang(in.Get("lang"))
	view := views.ShowView{App: string(f.View.Row.App), Lang: lang, Name: format.NameOf(f.View.Name), Ask: p.sheetAsk()}
	if len(asked) == 0 && p.Ask.Chosen != "" {
		asked = []string{p.Ask.Chosen}
	}
	asked = asked[:min(len(asked), mostAsked)]
	view.Ask.Offers = asked
	offers, err := p.shownOffers(f, asked)
	if err != nil {
		return view, err
	}
	view.More = len(offers) > MostShown
	variable := false
	for _, o := range offers[:min(len(offers), MostShown)] {
		view.Rows = append(view.Rows, p.ShownTo(lang, o))
		variable = variable || o.RateType == heloc.RateFloating
	}
	text := words.SheetIn(lang)
	view.By = PreparedBy(v, f.View, p, lang)
	view.Notes = []string{text.MethodAdded, text.RateNote, text.InquiryNote, text.LenderNote}
	if p.Fee == heloc.FeeDeducted {
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

// shownOffers are those asked for, at the figures that the grid has for them. One that has
// none is an error and not left out: the borrower would be shown something else than was
// meant.
func (p Priced) shownOffers(f LeadFacts, asked []string) ([]heloc.Offer, error) {
	var offers []heloc.Offer
	if len(asked) == 0 {
		for _, o := range p.Offers {
			if outOfRange(o, p.Ask.Draw) == "" {
				offers = append(offers, o)
			}
		}
		slices.SortStableFunc(offers, neutrally)
		return offers, nil
	}
	known := slices.Concat(p.All, f.View.Details.App.Underwriting.Offers)
	for _, q := range p.known {
		known = append(known, q.Answer.Offers...)
	}
	for _, id := range asked {
		o, ok := p.follow(known, id, p.All)
		if !ok {
			return nil, fault.New(fault.NotFound, "This offer is not on the lead any more. Look at the offers there are.")
		}
		if !offerIn(p.All, o.UUID) {
			return nil, fault.New(fault.NotFound, "The lender did not price this offer for these figures. Get a quote for them first.")
		}
		if !offerIn(offers, o.UUID) {
			offers = append(offers, o)
		}
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
func (p Priced) ShownTo(lang words.Lang, o heloc.Offer) views.ShowRow {
	text := words.SheetIn(lang)
	kind := text.Fixed
	if o.RateType == heloc.RateFloating {
		kind = text.Variable
	}
	row := views.ShowRow{
		Term: format.Joined(", ", lastingIn(text, p.Term.Months(termOf(o))), kind), Payment: exactly(p.payment(o)), Rate: words.Or(format.Percent(o.Rate)),
		Fee:  words.Or(format.Joined(" · ", format.Percent(o.OriginationFeePercent), format.SomeAmount(heloc.FeeAmount(p.Ask.Draw, feeOf(o))))),
		Loan: words.Or(format.SomeAmount(heloc.LoanAmount(p.Ask.Draw, feeOf(o), p.Fee))),
	}
	switch {
	case o.MaxAmount != nil && p.Ask.Draw > *o.MaxAmount:
		row.Note = text.UpTo + " " + format.Amount(*o.MaxAmount)
	case o.MinAmount != nil && p.Ask.Draw < *o.MinAmount:
		row.Note = text.From + " " + format.Amount(*o.MinAmount)
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
		return format.Counted(months/12, text.Year, text.Years)
	default:
		return format.Counted(months, text.Month, text.Months)
	}
}

// preparedBy is who answers for the page, with the numbers of their licences, and of
// which day all its prices are. Without that day it is dated by the day on which it is made.
func PreparedBy(v format.Viewer, l desk.LeadView, p Priced, lang words.Lang) [][2]string {
	text := words.SheetIn(lang)
	asOf, made := DayIn(lang, PricedOn(v, l, p)), ""
	if asOf == "" {
		made = DayIn(lang, heloc.DateOf(v.Now.In(v.Zone)))
	}
	who := l.Details.Originator
	numbered := func(name, number string) string {
		if number == "" {
			return name
		}
		return format.Joined(", ", name, text.Licence+" "+number)
	}
	name, nmls := l.Originator.Name(), firstOf(l.Originator.NMLS, who.NMLS)
	if l.Originator.UUID == "" {
		name = ""
	}
	all := [][2]string{
		{text.By, numbered(name, nmls)},
		{text.Company, numbered(firstOf(l.Originator.BrokerName, who.CompanyName), firstOf(l.Originator.BrokerNMLS, who.CompanyNMLS))},
		{text.Draw, format.SomeAmount(p.Ask.Draw)}, {text.PaysOff, format.SomeAmount(p.payoff)},
		{text.Included, p.discountsTold(lang, true)}, {text.NotIncluded, p.discountsTold(lang, false)},
		{text.PricedAsOf, asOf}, {text.Prepared, made},
	}
	return slices.DeleteFunc(all, func(f [2]string) bool { return f[1] == "" })
}

// discountsTold names the discounts that the rates have taken off, or those that are to be
// selected and that they have not, with what each takes off.
func (p Priced) discountsTold(lang words.Lang, included bool) string {
	text := words.SheetIn(lang)
	var told []string
	tell := func(name string, rate *heloc.Rate) { told = append(told, format.Joined(" ", name, minus(rate))) }
	listed := func(is func(heloc.DiscountType) bool) bool {
		return slices.ContainsFunc(p.discountsOffered(), func(d heloc.Discount) bool { return is(d.Type) })
	}
	for _, d := range p.discountsOffered() {
		in := p.includes(d.Type)
		if in != included || !in && !slices.Contains(p.Ask.less, string(d.Type)) {
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
	if included && p.quoted() && p.Ask.Autopay && !listed(heloc.DiscountType.Autopay) {
		tell(text.Autopay, nil)
	}
	if included && p.quoted() && p.Ask.union && !listed(heloc.DiscountType.CreditUnion) {
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

// pricedOn is the day of which the prices of the grid are, in the person's calendar: of a
// quote the day on which it was asked for, of the details' own the lender's.
func PricedOn(v format.Viewer, l desk.LeadView, p Priced) heloc.Date {
	if p.Open != nil {
		return heloc.DateOf(p.Open.At.In(v.Zone))
	}
	return notAhead(v, l.Details.App.Underwriting.PricingAsOf)
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
func DayIn(lang words.Lang, d heloc.Date) string {
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
func paperOf(view views.ShowView, v format.Viewer) paper.Sheet {
	text := words.SheetIn(view.Lang)
	today := v.Now.In(v.Zone)
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
