package offers_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	deskoffers "hearthline/internal/desk/offers"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/offers"
	"hearthline/views/offersheet"
	"hearthline/views/text"
	"hearthline/web/offers"
	"hearthline/web/webtest"
)

func TestBorrowerView_ShowsOffersOnly(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			h := webtest.New(t, webtest.Options{Dialect: dialect})
			olivia := h.SignInAs("olivia")
			aLead := olivia.StartLead("Núñez")
			grid := olivia.WaitFor(aLead+"/offers", `input[name="offer.offerUuid"]`)
			link := grid.Find(`a[href*="/show"]`).First().AttrOr("href", "")
			if !strings.HasPrefix(link, aLead+"/show?amount=") {
				t.Fatalf("the offers link to %q", link)
			}
			page := olivia.Get(link)
			page.WantText("Estimate, not a commitment to lend", "NMLS", "Rates as of", "Summit Home Lending", "$60,000",
				"Olivia Bennett", "not an annual percentage rate",
				"Verify at nmlsconsumeraccess.org.", "soft inquiry", "hard inquiry",
				"It is not a commitment to lend and not a loan disclosure.")
			if n := page.Find("header.bar, .demobar, nav, form, script").Length(); n != 1 ||
				page.Find(`script[src*="/borrower."]`).Length() != 1 {
				t.Errorf("the borrower's page contains %d elements of the desk, want the script for Escape", n)
			}
			words := page.Text()
			for _, never := range []string{"740", "score of", "Underwriting", "DTI", "CLTV", "denied", "Elena", "Núñez",
				"Hearthline", "Wyngate"} {
				if strings.Contains(words, never) {
					t.Errorf("the borrower's page contains %q", never)
				}
			}
			if n := page.Find(".opt2").Length(); n < 4 || n > offers.MaxSheetRows {
				t.Errorf("got %d offers, want the available ones", n)
			}
			spanish := olivia.Get(page.Find(`.langs a[lang="es"]`).AttrOr("href", ""))
			spanish.WantText("Estimado, no es un compromiso de préstamo", "Preparado el", "Su especialista en préstamos")
			if got := spanish.Find("html").AttrOr("lang", ""); got != "es" {
				t.Errorf("the page has the language %q", got)
			}
			two := []string{}
			grid.Find(`input[name="offer.offerUuid"]`).Each(func(i int, s *goquery.Selection) {
				if i < 2 {
					two = append(two, s.AttrOr("value", ""))
				}
			})
			chosen := url.Values{"offer": two, "amount": {"70000"}}
			shown := olivia.Get(aLead + "/show?" + chosen.Encode())
			shown.WantText("$70,000", "Your HELOC estimate", "Balance over time")
			if n := shown.Find(".opt2").Length(); n != 2 {
				t.Errorf("got %d offers, want the two that were selected", n)
			}
			if lines, columns := shown.Find(".bchart").First().Find("polyline").Length(),
				shown.Find(".twin thead th").Length(); lines != 2 || columns != 3 {
				t.Errorf("the chart has %d lines and its table %d columns, want 2 and 3", lines, columns)
			}
			if got := olivia.Get(aLead + "/show?offer=none-such"); got.Status != http.StatusNotFound {
				t.Errorf("an offer that does not exist: got %d, want 404", got.Status)
			}
			pdf := olivia.Get(aLead + "/offer-sheet?" + chosen.Encode())
			if !strings.HasPrefix(pdf.Body, "%PDF-") || pdf.Header.Get("Content-Type") != "application/pdf" ||
				pdf.Header.Get("Content-Security-Policy") != webtest.PDFCSP {
				t.Errorf("the sheet: %d %v", pdf.Status, pdf.Header)
			}
			if again := olivia.Get(aLead + "/offer-sheet?" + chosen.Encode()); again.Body != pdf.Body {
				t.Error("the same sheet has different bytes")
			}
		})
	}
}

// sampleQuote is the sample of the drawings: two offers at $145,000 that pay off two debts.
func sampleQuote() lead.BorrowerQuote {
	return lead.BorrowerQuote{
		PreparedOn: "2026-11-20", PricedAsOf: "2026-11-19", Expires: "2026-12-20", Draw: heloc.Dollars(145_000),
		FeeMethod: heloc.FeeAdded, PricedAtDraw: true, SoftInquiry: true,
		Offers: []lead.BorrowerOffer{
			{RateType: heloc.RateFixed, Months: 120, Rate: new(heloc.Percent(8.2)), Fee: new(heloc.Percent(2.99)),
				MaxAmount: new(heloc.Dollars(200_000))},
			{RateType: heloc.RateFloating, Months: 360, Rate: new(heloc.Percent(9.4)), Fee: new(heloc.Percent(1.5)),
				InterestOnly: true, DrawMonths: 60},
		},
		Debts: []lead.BorrowerDebt{
			{Creditor: "Harbor Bank Card", Balance: new(heloc.Dollars(18_240)), Payment: heloc.Dollars(547)},
			{Balance: new(heloc.Dollars(9_615)), Payment: heloc.Dollars(289)},
		},
	}
}

func sampleContact() deskoffers.BorrowerContact {
	return deskoffers.BorrowerContact{Name: "Olivia Bennett", Phone: "2085550146", NMLS: "1847220",
		Company: "Summit Home Lending", CompanyNMLS: "312440", State: "ID", CompanyLicensed: true}
}

func factsOf(o offersheet.Offer) string {
	var all []string
	for _, f := range o.Facts {
		all = append(all, f[0]+" "+f[1])
	}
	return strings.Join(all, " | ")
}

func TestBorrowerQuote_InSpanishAndOutOfRange(t *testing.T) {
	t.Parallel()
	q := sampleQuote()
	got := offers.PresentBorrowerQuote(q, sampleContact(), text.Spanish)
	want := heloc.Payment(heloc.LoanAmount(heloc.Dollars(145_000), heloc.Percent(2.99), heloc.FeeAdded),
		heloc.Percent(8.2), 120)
	if o := got.Offers[0]; o.Term != "10 años" || o.Dollars+o.Cents != "$1,827.67" || "$"+want.String() != "$1,827.67" ||
		o.Note != "" ||
		!strings.HasPrefix(factsOf(o), "Tasa fija 8.20% | Cargo por originación 2.99% · $4,335.50 | "+
			"Cambio al mes $991.67 más | Monto del préstamo $149,335.50 | Interés total $69,98") {
		t.Errorf("got %+v", o)
	}
	if got := factsOf(got.Offers[1]); !strings.HasPrefix(got, "Después $1,275.65 al mes | Tasa variable 9.40%") ||
		!strings.Contains(got, "Interés total con la tasa de hoy $") {
		t.Errorf("the variable offer: got %s", got)
	}
	q.Draw = heloc.Dollars(250_000)
	if o := offers.PresentBorrowerQuote(q, sampleContact(), text.English).Offers[0]; o.Note != "up to $200,000" ||
		o.Dollars != text.Dash || !strings.Contains(factsOf(o), "Loan amount —") ||
		!strings.Contains(factsOf(o), "Total interest —") {
		t.Errorf("out of range: got %+v", o)
	}
	if got := offers.LocalizedDate(text.Spanish, "2026-11-20"); got != "20 de noviembre de 2026" {
		t.Errorf("got %q", got)
	}
}

func ledeText(m view.BorrowerView) string {
	words := ""
	for _, p := range m.Lede {
		words += p.Text
	}
	return words
}

func TestBorrowerQuote_SaysOnlyWhatIsKnown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change            func(*lead.BorrowerQuote, *deskoffers.BorrowerContact)
		lede, says, never string
	}{
		"everything known": {nil, "You would draw $145,000: $27,855 pays off two debts and $117,145 comes to you.",
			"Total $27,855 $836", "without a draw amount"},
		"fee deducted": {func(q *lead.BorrowerQuote, _ *deskoffers.BorrowerContact) { q.FeeMethod = heloc.FeeDeducted },
			"You would draw $145,000: $27,855 pays off two debts; the rest, less the origination fee, comes to you.",
			"To you, after the fee $112,809.50", "To you $117,145"},
		"a payment unknown": {func(q *lead.BorrowerQuote, _ *deskoffers.BorrowerContact) { q.Debts[1].Payment = 0 },
			"You would draw $145,000: $27,855 pays off two debts and $117,145 comes to you.", "Total $27,855 —", "$836"},
		"no payment known": {func(q *lead.BorrowerQuote, _ *deskoffers.BorrowerContact) {
			q.Debts[0].Payment, q.Debts[1].Payment = 0, 0
		},
			"You would draw $145,000: $27,855 pays off two debts and $117,145 comes to you.", "What it pays off",
			"Current payment"},
		"a balance unknown": {func(q *lead.BorrowerQuote, _ *deskoffers.BorrowerContact) { q.Debts[1].Balance = nil },
			"You would draw $145,000.", "Harbor Bank Card", "Total $18,240"},
		"debts above the draw": {func(q *lead.BorrowerQuote, _ *deskoffers.BorrowerContact) {
			q.Draw = heloc.Dollars(20_000)
		}, "You would draw $20,000.", "Harbor Bank Card", "To you"},
		"no debts": {func(q *lead.BorrowerQuote, _ *deskoffers.BorrowerContact) { q.Debts = nil }, "You would draw $145,000.",
			"Balance over time", "What it pays off"},
		"no draw": {func(q *lead.BorrowerQuote, _ *deskoffers.BorrowerContact) { q.Draw, q.Debts = 0, nil }, "",
			"Fixed rate 8.20%", "Balance over time"},
		"not priced at the draw": {func(q *lead.BorrowerQuote, _ *deskoffers.BorrowerContact) { q.PricedAtDraw = false },
			"You would draw $145,000: $27,855 pays off two debts and $117,145 comes to you.",
			"The lender provided these rates without a draw amount.", "Elena"},
		"an application by now": {func(q *lead.BorrowerQuote, _ *deskoffers.BorrowerContact) { q.SoftInquiry = false },
			"You would draw $145,000: $27,855 pays off two debts and $117,145 comes to you.", "The home", "soft inquiry"},
		"nobody's lead": {func(_ *lead.BorrowerQuote, c *deskoffers.BorrowerContact) { c.Name, c.Phone, c.NMLS = "", "", "" },
			"You would draw $145,000: $27,855 pays off two debts and $117,145 comes to you.", "Call your mortgage company",
			"Your loan officer ·"},
		"license on file": {func(_ *lead.BorrowerQuote, c *deskoffers.BorrowerContact) { c.Licensed = true },
			"You would draw $145,000: $27,855 pays off two debts and $117,145 comes to you.",
			"Summit Home Lending, NMLS 312440, licensed in Idaho. Olivia Bennett, NMLS 1847220, licensed in Idaho. " +
				"Verify", "Elena"},
		"license not known": {func(_ *lead.BorrowerQuote, c *deskoffers.BorrowerContact) { c.CompanyLicensed = false },
			"You would draw $145,000: $27,855 pays off two debts and $117,145 comes to you.",
			"Summit Home Lending, NMLS 312440. Olivia Bennett, NMLS 1847220. Verify", "licensed"},
		"draw period known": {nil, "You would draw $145,000: $27,855 pays off two debts and $117,145 comes to you.",
			"Afterward $1,275.65 a month", "a higher payment"},
		"draw period unknown": {func(q *lead.BorrowerQuote, _ *deskoffers.BorrowerContact) { q.Offers[1].DrawMonths = 0 },
			"You would draw $145,000: $27,855 pays off two debts and $117,145 comes to you.", "Afterward a higher payment",
			"today’s rate"},
		"discount estimated": {func(q *lead.BorrowerQuote, _ *deskoffers.BorrowerContact) {
			q.Discounts = []lead.BorrowerDiscount{{Type: "AUTOPAY", Rate: new(heloc.Percent(.25)), Included: true,
				Estimated: true}}
		}, "You would draw $145,000: $27,855 pays off two debts and $117,145 comes to you.",
			"The rate includes our estimate of the discount for autopay (0.25 percentage points).",
			"The rate includes the discount"},
		"a payment that is not estimated": {func(q *lead.BorrowerQuote, _ *deskoffers.BorrowerContact) {
			q.Offers[1].NoPayment = true
		},
			"You would draw $145,000: $27,855 pays off two debts and $117,145 comes to you.", "Variable rate 9.40%",
			"interest only"},
		"no offers": {func(q *lead.BorrowerQuote, _ *deskoffers.BorrowerContact) { q.Offers = nil },
			"You would draw $145,000: $27,855 pays off two debts and $117,145 comes to you.",
			"There are no offers to show for this amount.", "The payment"},
	} {
		q, contact := sampleQuote(), sampleContact()
		if c.change != nil {
			c.change(&q, &contact)
		}
		m := offers.PresentBorrowerQuote(q, contact, text.English)
		want := c.lede
		if want != "" && q.FeeMethod == heloc.FeeAdded && len(q.Offers) > 0 {
			want += " The loan amount is the draw plus the origination fee."
		}
		if got := ledeText(m); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
		words := renderedText(t, m)
		if !strings.Contains(words, c.says) {
			t.Errorf("%s: the page does not say %q: %s", name, c.says, words)
		}
		if strings.Contains(words, c.never) {
			t.Errorf("%s: the page says %q: %s", name, c.never, words)
		}
	}
}

// TestBorrowerQuote_MonthlyChange compares the payment with the current payments of the debts only if all of them are
// known and the draw pays them off.
func TestBorrowerQuote_MonthlyChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*lead.BorrowerQuote)
		want   []string // of each offer, "" for none
	}{
		"higher payment": {func(*lead.BorrowerQuote) {}, []string{"$991.67 more", "$316.87 more at first"}},
		"lower payment": {func(q *lead.BorrowerQuote) { q.Debts[0].Payment = heloc.Dollars(2_000) },
			[]string{"$461.33 less", "$1,136.13 less at first"}},
		"same payment": {func(q *lead.BorrowerQuote) {
			q.Debts, q.Offers = q.Debts[:1], q.Offers[:1]
			q.Debts[0].Payment = q.Estimate(q.Offers[0]).Payment()
		}, []string{"None"}},
		"payment unknown": {func(q *lead.BorrowerQuote) { q.Debts[1].Payment = 0 }, []string{"", ""}},
		"balance unknown": {func(q *lead.BorrowerQuote) { q.Debts[1].Balance = nil }, []string{"", ""}},
		"no debts":        {func(q *lead.BorrowerQuote) { q.Debts = nil }, []string{"", ""}},
		"no rate":         {func(q *lead.BorrowerQuote) { q.Offers[1].Rate = nil }, []string{"$991.67 more", ""}},
		"draw too small":  {func(q *lead.BorrowerQuote) { q.Draw = heloc.Dollars(27_854) }, []string{"", ""}},
		"fee leaves less": {func(q *lead.BorrowerQuote) {
			q.Draw, q.FeeMethod = heloc.Dollars(27_855), heloc.FeeDeducted
		}, []string{"", ""}},
		"a table of offers": {func(q *lead.BorrowerQuote) {
			q.Offers = slices.Repeat(q.Offers[:1], 5)
		}, []string{"", "", "", "", ""}},
	} {
		q := sampleQuote()
		c.change(&q)
		m := offers.PresentBorrowerQuote(q, sampleContact(), text.English)
		var got []string
		for _, o := range m.Offers {
			value := ""
			for _, f := range o.Facts {
				if f[0] == "Monthly change" {
					value = f[1]
				}
			}
			got = append(got, value)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		explained := strings.Contains(renderedText(t, m), "what you told us you pay today")
		if compared := strings.Join(got, "") != ""; explained != compared {
			t.Errorf("%s: the change is explained: %v, want %v", name, explained, compared)
		}
	}
}

// TestBorrowerQuote_PDFStatesTheSame compares the texts of the page with those of the PDF, as it prints them.
func TestBorrowerQuote_PDFStatesTheSame(t *testing.T) {
	t.Parallel()
	many := sampleQuote()
	for range 7 {
		many.Offers = append(many.Offers, many.Offers[0])
	}
	many.MoreOffers = true
	none := sampleQuote()
	none.Offers = nil
	outOfRange := sampleQuote()
	outOfRange.Draw = heloc.Dollars(250_000)
	unknown := sampleQuote()
	unknown.Debts[0].Payment, unknown.Offers[1].Rate = 0, nil
	noDrawPeriod := sampleQuote()
	noDrawPeriod.Offers[1].DrawMonths = 0
	estimated := sampleQuote()
	estimated.Discounts = []lead.BorrowerDiscount{{Type: "AUTOPAY", Rate: new(heloc.Percent(.25)), Included: true,
		Estimated: true}}
	deducted := sampleQuote()
	deducted.FeeMethod = heloc.FeeDeducted
	variable := sampleQuote()
	variable.FeeMethod = heloc.FeeDeducted
	for range 7 {
		variable.Offers = append(variable.Offers, variable.Offers[0])
	}
	for i := range variable.Offers {
		variable.Offers[i].RateType, variable.Offers[i].InterestOnly, variable.Offers[i].DrawMonths = heloc.RateFloating,
			true, 36
	}
	for name, q := range map[string]lead.BorrowerQuote{"sample": sampleQuote(), "many": many,
		"many variable ones": variable, "none": none, "out of range": outOfRange, "unknown": unknown,
		"no draw period": noDrawPeriod, "estimated discount": estimated, "fee deducted": deducted} {
		for _, lang := range []text.Lang{text.English, text.Spanish} {
			m := offers.PresentBorrowerQuote(q, sampleContact(), lang)
			onPage, inPDF := renderedText(t, m), pdfText(t, m)
			for _, fact := range factsOnPage(m) {
				fact = strings.Join(strings.Fields(fact), " ")
				if !strings.Contains(onPage, fact) {
					t.Errorf("%s, %s: the page does not state %q", name, lang, fact)
				}
				if !strings.Contains(squeeze(inPDF), squeeze(fact)) {
					t.Errorf("%s, %s: the PDF does not state %q: %s", name, lang, fact, inPDF)
				}
			}
			if heading := squeeze(m.Text.MonthlyHead); len(m.Offers) > 4 && !strings.Contains(squeeze(inPDF), heading) {
				t.Errorf("%s, %s: no column of the PDF has the head %q: %s", name, lang, heading, inPDF)
			}
			for _, figure := range slices.Concat(figurePattern.FindAllString(inPDF, -1)) {
				if !strings.Contains(squeeze(onPage), squeeze(figure)) {
					t.Errorf("%s, %s: the PDF states %q, and the page does not: %s", name, lang, figure, onPage)
				}
			}
		}
	}
}
