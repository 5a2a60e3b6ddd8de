package offers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/heloc"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/offers"
	"hearthline/web/webtest"
)

func TestBorrowerView_ShowsOffersOnly(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"documented", "live"} {
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
			page.WantText("Elena Núñez", "An estimate, not a commitment to lend.", "NMLS", "Priced as of", "Summit Home Lending", "$60,000")
			if n := page.Find("header.bar, nav.lanes, form").Length(); n != 0 {
				t.Errorf("the borrower's page contains %d elements of the desk", n)
			}
			text := page.MainText()
			for _, never := range []string{"740", "score of", "Underwriting", "DTI", "CLTV", "denied"} {
				if strings.Contains(text, never) {
					t.Errorf("the borrower's page contains %q", never)
				}
			}
			if n := page.Find(".shown .panel").Length(); n < 4 || n > offers.MaxSheetRows {
				t.Errorf("got %d offers, want the available ones", n)
			}
			spanish := olivia.Get(link + "&lang=es")
			spanish.WantText("Es un estimado, no un compromiso de préstamo.", "Preparado para")
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
			olivia.Get(aLead + "/show?" + chosen.Encode()).WantText("$70,000")
			if n := olivia.Get(aLead + "/show?" + chosen.Encode()).Find(".shown .panel").Length(); n != 2 {
				t.Errorf("got %d offers, want the two that were selected", n)
			}
			if got := olivia.Get(aLead + "/show?offer=none-such"); got.Status != http.StatusNotFound {
				t.Errorf("an offer that does not exist: got %d, want 404", got.Status)
			}
			pdf := olivia.Get(aLead + "/offer-sheet?" + chosen.Encode())
			if !strings.HasPrefix(pdf.Body, "%PDF-") || pdf.Header.Get("Content-Type") != "application/pdf" || pdf.Header.Get("Content-Security-Policy") != webtest.PDFCSP {
				t.Errorf("the sheet: %d %v", pdf.Status, pdf.Header)
			}
			if again := olivia.Get(aLead + "/offer-sheet?" + chosen.Encode()); again.Body != pdf.Body {
				t.Error("the same sheet has different bytes")
			}
		})
	}
}

func TestSheetRow_InSpanishAndOutOfRange(t *testing.T) {
	t.Parallel()
	rate, fee, term, most := heloc.Percent(8.2), heloc.Percent(2.99), heloc.Count(120), heloc.Dollars(200_000)
	o := heloc.Offer{UUID: "o1", Rate: &rate, OriginationFeePercent: &fee, Term: &term, MaxAmount: &most, RateType: heloc.RateFixed}
	p := offers.OfferGrid{Query: offers.GridQuery{Draw: heloc.Dollars(145_000)}, FeeMethod: heloc.FeeAdded, TermUnit: heloc.TermMonths}
	got := p.PresentSheetRow(words.Spanish, o)
	want := heloc.Payment(heloc.LoanAmount(heloc.Dollars(145_000), fee, heloc.FeeAdded), rate, 120)
	if got.Term != "10 años, tasa fija" || got.Payment != "$"+want.String() || got.Rate != "8.20%" || got.Loan != "$149,335.50" || got.Note != "" {
		t.Errorf("got %+v, want a payment of %s", got, format.Money(want))
	}
	p.Query.Draw = heloc.Dollars(250_000)
	if got := p.PresentSheetRow(words.English, o); got.Note != "up to $200,000" || got.Payment != words.Dash {
		t.Errorf("out of range: got %+v", got)
	}
	if got := offers.LocalizedDate(words.Spanish, "2026-11-20"); got != "20 de noviembre de 2026" {
		t.Errorf("got %q", got)
	}
}
