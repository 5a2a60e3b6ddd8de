package offers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	desklead "hearthline/internal/desk/lead"
	deskoffers "hearthline/internal/desk/offers"
	"hearthline/internal/heloc"
	"hearthline/web/offers"
	"hearthline/web/webtest"
)

// TestSavedQuote_OpensAsItWas saves quotes of several days and opens one unchanged.
func TestSavedQuote_OpensAsItWas(t *testing.T) {
	t.Parallel()
	calls := &webtest.LenderCalls{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: calls.Middleware})
	olivia := h.SignInAs("olivia")
	lead, other := olivia.StartLead("Rivera"), olivia.StartLead("Okafor", "property.address.street1", "9 Elm St")
	olivia.WaitFor(lead, `input[name="offer.offerUuid"]`)
	olivia.WaitFor(other, `input[name="offer.offerUuid"]`)
	first := olivia.Post(lead+"/calculate-offers",
		url.Values{"amount": {"45,000"}, "rateType": {"FIXED"}, "autoPayDiscountEnabled": {"true"}})
	then := first.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
	paid := first.Find(`.cell b`).First().Text()
	olivia.Post(lead+"/calculate-offers", url.Values{"amount": {"52,000"}})
	theirs := olivia.Post(other+"/calculate-offers", url.Values{"amount": {"30,000"}})
	foreign := strings.TrimPrefix(theirs.Find("#kept a").First().AttrOr("href", ""), other+"/offers?quote=")

	page := olivia.Get(lead + "/offers")
	page.WantText("Quote history", "Today, ", "net draw $52,000 · 24 offers", "net draw $45,000 · autopay · 24 offers")
	links := page.Find("#kept a")
	if n := links.Length(); n != 2 {
		t.Fatalf("got %d quotes, want two", n)
	}
	old := olivia.Get(links.Last().AttrOr("href", ""))
	old.WantText("Quote from", "Priced on that day", "$45,000")
	if got := old.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", ""); got != then {
		t.Errorf("the first offer is %q, want the saved one", got)
	}
	if got := old.Find(`.cell b`).First().Text(); got != paid {
		t.Errorf("the payment is %q, want the saved %q", got, paid)
	}
	if old.Find(`#autoPayDiscountEnabled[checked]`).Length() != 1 || old.Find(`#amount`).AttrOr("value", "") != "45,000" {
		t.Error("the controls do not show the saved query")
	}
	if live := old.Find("#lead").AttrOr("hx-get", ""); !strings.Contains(live, "quote=") {
		t.Errorf("the page's update requests %q, want the saved quote", live)
	}
	// Choosing an offer stays in the saved quote; another query leaves it.
	chosen := olivia.Send(payoffForm(old).With("offer.offerUuid", then))
	chosen.WantText("Quote from", "Cash to the borrower")
	if changed := olivia.Send(payoffForm(old).With("amount", "47,000")); changed.Find(`#offers input[name="quote"]`).
		Length() != 0 {
		t.Error("another draw is shown as the saved quote")
	}
	if got := len(calls.CallsTo("calculate-offers")); got != 3 {
		t.Errorf("viewing called the lender: %d calls, want three", got)
	}
	sheet := chosen.Find(`a[href*="/show"]`).First().AttrOr("href", "")
	if !strings.Contains(sheet, "quote=") || !strings.Contains(sheet, then) {
		t.Errorf("the borrower's page shows %q", sheet)
	}
	olivia.Get(sheet).WantText("Rates as of", "$45,000")
	for _, path := range []string{"/offers?quote=", "/show?quote="} {
		if got := olivia.Get(lead + path + foreign); got.Status != http.StatusNotFound {
			t.Errorf("a quote of another lead at %s: got %d, want 404", path, got.Status)
		}
	}
	if got := olivia.Send(chosen.Form(`form#select`).With("confirm.offer", "true")); got.Path != lead {
		t.Fatalf("selecting a saved offer: %d: %s", got.Status, got.MainText())
	}
	if got := calls.CallsTo("select-offer")[0].Body["offer"].(map[string]any)["offerUuid"]; got != then {
		t.Errorf("selected %v, want %s", got, then)
	}
}

func TestSavedQuotes_ListedByDay(t *testing.T) {
	t.Parallel()
	v := webtest.DenverViewer(t)
	v.Who.UserID = "olivia"
	var heads []deskoffers.QuoteSummary
	for i := range 120 {
		heads = append(heads, deskoffers.QuoteSummary{ID: fmt.Sprint("q", i), ActorID: "marcus", Name: "Marcus Chen",
			Offers: i % 2, At: v.Now.Add(-time.Duration(i) * time.Hour)})
	}
	heads[0].ActorID = "olivia"
	var l desklead.Snapshot
	l.Row.App = "00000000-0000-4000-8000-000000000001"
	seen, after := 0, ""
	for range 4 {
		saved := offers.PresentSavedQuotes(v, l, offers.OfferGrid{QuoteSet: offers.QuoteSet{Summaries: heads},
			Query: offers.GridQuery{OlderThan: after}})
		for i, d := range saved.Days {
			seen += len(d.Quotes)
			if i > 0 && d.Day == saved.Days[i-1].Day {
				t.Errorf("%s appears twice", d.Day)
			}
		}
		if after == "" {
			if got := saved.Days[0]; got.Day != "Today, Friday, November 20, 2026" || got.Quotes[0].Request != "no offers" ||
				got.Quotes[1].Request != "1 offer" {
				t.Errorf("got %+v", got)
			}
			if saved.Days[1].Day != "Thursday, November 19, 2026" {
				t.Errorf("got %q, want the full date", saved.Days[1].Day)
			}
		}
		if saved.Older == "" {
			break
		}
		_, after, _ = strings.Cut(saved.Older, "after=")
	}
	if seen != len(heads) {
		t.Errorf("the pages have %d quotes, want each of the %d once", seen, len(heads))
	}
}

// TestSelectedOffer_LostDiscount_Shown uses a lender that ignores a discount.
func TestSelectedOffer_LostDiscount_Shown(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			calls := &webtest.LenderCalls{Edit: func(path string, body map[string]any) {
				if path == "select-offer" {
					offer := body["offer"].(map[string]any)
					offer["selectedDiscounts"] = slices.DeleteFunc(offer["selectedDiscounts"].([]any),
						func(v any) bool { return v == "CREDIT_UNION" })
				}
			}}
			h := webtest.New(t, webtest.Options{Dialect: dialect, LenderMiddleware: calls.Middleware})
			olivia := h.SignInAs("olivia")
			lead := olivia.StartLead("Rivera")
			page := olivia.WaitFor(lead+"/offers", `input[name="offer.offerUuid"]`)
			form := page.Form(`form#select`).With("confirm.offer", "true",
				"offer.offerUuid", page.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", ""))
			form.Values["offer.selectedDiscounts"] = []string{"AUTOPAY", "CREDIT_UNION"}
			olivia.Send(form)
			offersPage := olivia.WaitFor(lead+"/offers", `main:contains("Credit union discount missing.")`)
			offersPage.WantText("sent with the selection, but not included in the selected offer", "(rate ")
			offersPage.WantNoText([]string{"Autopay discount missing"}) // it was applied
			olivia.Get(lead).WantText("Credit union discount missing.")
		})
	}
}

func TestBorrowerCosts_BothDialects(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			calls := &webtest.LenderCalls{}
			h := webtest.New(t, webtest.Options{Dialect: dialect, LenderMiddleware: calls.Middleware})
			olivia := h.SignInAs("olivia")
			lead := olivia.StartLead("Rivera")
			page := olivia.WaitFor(lead+"/offers", `input[name="offer.offerUuid"]`)
			id := page.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
			if page.Find("#costs").Length() != 0 {
				t.Error("costs are offered before an offer is selected")
			}
			chosen := olivia.Get(lead + "/offers?offer.offerUuid=" + id)
			link := chosen.Find("#costs a").AttrOr("href", "")
			if !strings.HasPrefix(link, lead+"/borrower-costs?") {
				t.Fatalf("the costs are at %q", link)
			}
			costsID := chosen.Find("#costs > div").AttrOr("id", "")
			costsPart := fmt.Sprintf("[id=%q]", costsID)
			full, part := olivia.Get(link), olivia.Get(link, "HX-Request", "true", "HX-Target", "div#"+costsID)
			if part.Status != http.StatusOK || strings.Contains(part.Body, "<html") || part.Find(costsPart).Length() != 1 {
				t.Errorf("the fragment: %d %q", part.Status, part.Body)
			}
			if dialect == "live" {
				for _, p := range []*webtest.Response{part, full} {
					if text := p.Find(costsPart).Text(); !strings.Contains(text, "Lender’s costs") || !strings.Contains(text, "$") {
						t.Errorf("got %q", text)
					}
				}
				if got := olivia.Get(lead + "/borrower-costs?offerUuid=" + id +
					"&selectedOfferAmount=50000"); got.Find("#costs dd").Length() == 0 {
					t.Errorf("by the interface's own names: %d %s", got.Status, got.MainText())
				}
				if got := olivia.Get(lead + "/borrower-costs?offerUuid=made-up"); got.Status != http.StatusOK ||
					got.Find("#costs dd").Length() != 0 {
					t.Errorf("an offer that does not exist: %d", got.Status)
				}
				return
			}
			if text := strings.TrimSpace(part.Find(costsPart).Text()); text != "" {
				t.Errorf("an unknown cost is shown as %q", text)
			}
			full.WantText("The lender provides costs only after an offer is selected.")
			if full.Find("#costs").Length() != 0 {
				t.Error("the page that says so offers them again")
			}
			if got := olivia.Get(lead + "/offers?offer.offerUuid=" + id); got.Find("#costs").Length() != 0 {
				t.Error("the costs are offered again although the lender does not provide them")
			}
			if n := len(calls.CallsTo("borrower-costs")); n != 1 {
				t.Errorf("the lender got %d calls for what it does not provide", n)
			}
		})
	}
}

// TestPinnedOffers_CompareAndSheet_WithoutScript compares offers and puts them on the borrower's page and on the
// offer sheet.
func TestPinnedOffers_CompareAndSheet_WithoutScript(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			h := webtest.New(t, webtest.Options{Dialect: dialect})
			olivia := h.SignInAs("olivia")
			lead := olivia.StartLead("Rivera")
			page := olivia.WaitFor(lead+"/offers", `input[name="offer.offerUuid"]`)
			var ids []string
			page.Find(`td input[name="pin"]`).Each(func(_ int, s *webtest.Selection) {
				ids = append(ids, s.AttrOr("value", ""))
			})
			if len(ids) < 6 {
				t.Fatalf("got %d offers to pin", len(ids))
			}
			form := payoffForm(page)
			form.Values["pin"] = ids[:2]
			pinned := olivia.Send(form)
			pinned.WantText("2 of 4 pinned", "Total interest", "Fee cap remaining", "Break-even", "fee")
			if n := pinned.Find(".compare thead th.num").Length(); n != 2 {
				t.Errorf("got %d side by side, want two", n)
			}
			asked := pinned.Form("form#quote").With("amount", "52,000")
			again := olivia.Post(asked.Action, asked.Values)
			if n := again.Find(".compare thead th.num").Length(); n != 2 {
				t.Errorf("after another quote: got %d side by side, want the two", n)
			}
			// An offer of the other rate type is pinned too, and the others remain.
			variable := olivia.Send(payoffForm(pinned).With("rateType", "FLOATING"))
			if n := variable.Find(".compare thead th.num").Length(); n != 2 {
				t.Errorf("with the other grid: got %d side by side, want the two", n)
			}
			form = payoffForm(variable)
			form.Values.Add("pin", variable.Find(`td input[name="pin"]`).First().AttrOr("value", ""))
			three := olivia.Send(form)
			cell := three.Find(`.compare tbody tr:contains("With prime 2 points higher") td.num`)
			if cell.Length() != 3 || strings.Count(cell.Text(), "$") != 1 {
				t.Errorf("the prime rate changes %d of %d payments: %q",
					strings.Count(cell.Text(), "$"), cell.Length(), cell.Text())
			}
			form = payoffForm(page)
			form.Values["pin"] = ids[:6]
			olivia.Send(form).WantText("4 of 4 pinned", "You can compare four offers. Unpin one to pin another.")

			show, sheetLink := three.Find(`a[href*="/show"]`).First().AttrOr("href", ""),
				three.Find(`a[href*="/offer-sheet"]`).First().AttrOr("href", "")
			if strings.Count(show, "offer=") != 3 || strings.Count(sheetLink, "offer=") != 3 {
				t.Errorf("the links lose the pins: %q, %q", show, sheetLink)
			}
			shown := olivia.Get(show)
			shown.WantText("Estimate, not a commitment to lend", "NMLS", "Rates as of", "Your HELOC estimate", "Afterward")
			if n := shown.Find(".opt2").Length(); n != 3 {
				t.Errorf("the borrower's page shows %d offers, want the three pinned ones", n)
			}
			if pdf := olivia.Get(sheetLink + "&lang=es"); !strings.HasPrefix(pdf.Body, "%PDF-") {
				t.Errorf("the offer sheet: %d", pdf.Status)
			}
			olivia.Get(show+"&lang=es").WantText("Este es un estimado", "Tasas al", "NMLS",
				"Estimado de su línea de crédito", "Después")
		})
	}
}

// TestPinnedOffers_Assistant_CanCompare shows the same grid without actions.
func TestPinnedOffers_Assistant_CanCompare(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	lead := h.SignInAs("olivia").StartLead("Rivera")
	h.SignInAs("olivia").WaitFor(lead, `input[name="offer.offerUuid"]`)
	ada := h.SignInAs("ada")
	page := ada.Get(lead + "/offers")
	if page.Find(`#offers form[method="post"]`).Length() != 0 {
		t.Error("an assistant is offered an action")
	}
	form := page.Form("form#compare")
	form.Values["pin"] = []string{page.Find(`td input[name="pin"]`).First().AttrOr("value", ""),
		page.Find(`td input[name="pin"]`).Last().AttrOr("value", "")}
	if got := ada.Get(form.Action + "?" + form.Values.Encode()); got.Find(".compare thead th.num").Length() != 2 {
		t.Errorf("got %d side by side, want two", got.Find(".compare thead th.num").Length())
	}
}

func TestOfferFigures_FollowSettings(t *testing.T) {
	t.Parallel()
	fee, lower, rate, more, term, feeCap := heloc.Percent(2.99), heloc.Percent(1.5), heloc.Percent(8.2),
		heloc.Percent(8.7), heloc.Count(10), heloc.Dollars(6_000)
	o := heloc.Offer{UUID: "o", Rate: &rate, OriginationFeePercent: &fee, Term: &term, RateType: heloc.RateFixed,
		FeeCapAmount: &feeCap}
	uncapped := heloc.Offer{UUID: "c", Rate: &more, OriginationFeePercent: &lower, Term: &term, RateType: heloc.RateFixed}
	draw := heloc.Dollars(145_000)
	p := offers.OfferGrid{Query: offers.GridQuery{Draw: draw}, All: []heloc.Offer{o, uncapped},
		Payments: heloc.PaymentModel{Fee: heloc.FeeDeducted, Term: heloc.TermYears}}
	p.Current = &deskoffers.SavedQuote{QuoteSummary: deskoffers.QuoteSummary{Request: heloc.QuoteRequest{Amount: &draw}}}
	columns := []string{
		"Estimated monthly payment", "After the draw period", "Draw period", "Rate", "Fee", "Cash to the borrower",
		"Loan amount", "Total interest", "Break-even", "Fee cap remaining",
		"Prime rate", "With prime 1", "With prime 2",
	}
	values := func(o heloc.Offer) []string {
		p.Offers, p.All = []heloc.Offer{o}, []heloc.Offer{o, uncapped}
		all := make([]string, len(columns)) // what is not known has no column
		for _, f := range offers.PresentOffers(webtest.DenverViewer(t), desklead.Snapshot{}, p).AllFigures {
			at := slices.IndexFunc(columns, func(label string) bool {
				return strings.HasPrefix(f.Label, label) && !strings.HasPrefix(f.Label, label+" cap")
			})
			all[at] = f.Values[0]
		}
		return all
	}
	want := []string{"$1,774.61", "", "", "8.20%", "2.99% · $4,335.50", "$140,664.50", "$145,000", "$67,953.43",
		"month 39 vs. 1.50% fee", "$1,664.50", "", "", ""}
	if got := values(o); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := values(uncapped); got[8] != "" || got[9] != "" {
		t.Errorf("the lowest fee without a cap: got %q and %q, want none", got[8], got[9])
	}
	p.Current = nil
	if got := values(o); got[9] != "" {
		t.Errorf("without a quote, the cap belongs to another draw than the fee: got %q, want none", got[9])
	}
	o.RateType = heloc.RateFloating
	for _, c := range []struct {
		name  string
		model heloc.PaymentModel
		want  []string
	}{
		{"draw period known", heloc.PaymentModel{DrawYears: map[int]int{120: 3}},
			[]string{"$1,020.46", "$2,342.48", "3 years", "8.20%", "2.99% · $4,335.50", "", "$149,335.50", "$84,169.74",
				"", "", "", "$1,144.91", "$1,269.35"}},
		{"draw period unknown", heloc.PaymentModel{},
			[]string{"$1,020.46", "rises", "", "8.20%", "2.99% · $4,335.50", "", "$149,335.50", "", "", "", "",
				"$1,144.91", "$1,269.35"}},
		{"amortizing", heloc.PaymentModel{Variable: heloc.VariableAmortizing},
			[]string{"$1,827.67", "", "", "8.20%", "2.99% · $4,335.50", "", "$149,335.50", "$69,985.29", "", "", "",
				"$1,907.92", "$1,990.06"}},
		{"unconfirmed", heloc.PaymentModel{Unconfirmed: []heloc.OfferRateType{heloc.RateFloating}},
			[]string{"", "", "", "8.20%", "2.99% · $4,335.50", "", "$149,335.50", "", "", "", "", "", ""}},
	} {
		c.model.Fee, c.model.Term = heloc.FeeAdded, heloc.TermYears
		p.Payments = c.model
		if got := values(o); !slices.Equal(got, c.want) {
			t.Errorf("%s: got  %q\nwant %q", c.name, got, c.want)
		}
	}
	p.Query.Draw = 0
	if got := values(heloc.Offer{UUID: "bare"}); slices.ContainsFunc(got, func(s string) bool { return s != "" }) {
		t.Errorf("no figures: got %q, want none", got)
	}
}
