package offers_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/sandbox"
	"hearthline/web/webtest"
)

// selectionsPerLender returns how many random selections each of the four lenders below books: more in the weekly run.
func selectionsPerLender() int {
	if os.Getenv("PORTAL_TEST_WEEKLY") != "" {
		return 100
	}
	return 12
}

// TestSelectOffer_RandomOffers_ShownAsBooked selects random offers through the forms, at random draws, with random
// discounts and payoffs, and compares what the grid, the confirmed sentence, the borrower's page, the PDF and a shared
// link said before with what the sandbox booked. The sandbox computes its figures with its own code.
func TestSelectOffer_RandomOffers_ShownAsBooked(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		for _, method := range []heloc.FeeMethod{heloc.FeeAdded, heloc.FeeDeducted} {
			t.Run(dialect+"/fee "+string(method), func(t *testing.T) {
				t.Parallel()
				model := heloc.PaymentModel{Fee: method, Term: heloc.TermMonths, DrawYears: sandbox.DefaultDrawYears()}
				h := webtest.New(t, webtest.Options{Dialect: dialect, Payments: model})
				b := booking{
					T: t, h: h, browser: h.SignInAs("olivia"), live: dialect == "live", deducted: method == heloc.FeeDeducted,
					random: rand.New(rand.NewPCG(20261127, uint64(len(dialect)+len(method)))),
				}
				b.lead = b.browser.StartLead("Rivera")
				b.browser.WaitFor(b.lead+"/offers", `.offers-grid input[name="offer.offerUuid"]`)
				for i := range selectionsPerLender() {
					b.selectOne(i)
				}
			})
		}
	}
}

// booking is a lead for which one offer after another is selected.
type booking struct {
	*testing.T
	h              *webtest.Harness
	browser        *webtest.Browser
	lead           string
	live, deducted bool
	random         *rand.Rand
}

// booked is the selected offer in the sandbox's response.
type booked struct {
	OfferUUID      string        `json:"offerUuid"`
	DrawAmount     heloc.Money   `json:"drawAmount"`
	LoanAmount     heloc.Money   `json:"loanAmount"`
	MonthlyPayment heloc.Money   `json:"estimatedMonthlyPayment"`
	Rate           heloc.Rate    `json:"rate"`
	FeePercent     heloc.Rate    `json:"originationFeePercent"`
	Term           int           `json:"term"`
	RateType       string        `json:"rateType"`
	Discounts      []interface{} `json:"selectedDiscounts"`
}

// selectOne shows a random offer everywhere, selects it and compares.
func (b *booking) selectOne(round int) {
	b.Helper()
	page := b.showRandomGrid()
	offers := page.Find(`.offers-grid input[name="offer.offerUuid"]`)
	chosen := offers.Eq(b.random.IntN(offers.Length()))
	id, sentence := chosen.AttrOr("value", ""), chosen.AttrOr("data-sentence", "")
	cell := strings.Join(strings.Fields(chosen.Closest(".cell").Text()), "")
	form := page.Form("form#select").With("offer.offerUuid", id, "confirm.offer", "true", "confirm.sentence", sentence)
	if _, ok := form.Values["operation"]; !ok {
		b.Fatalf("round %d: the form has no operation", round)
	}
	recalculated := b.browser.Send(payoffFormWith(page, id))
	show := recalculated.Find(`a[href*="/show"]`).First().AttrOr("href", "")
	shown := map[string]string{"borrower's page": b.borrowerText(show)}
	sheet := recalculated.Find(`a[href*="/offer-sheet"]`).First().AttrOr("href", "")
	shown["PDF"] = textOfPDF(b.T, []byte(b.browser.Get(sheet).Body), utf16Text)
	if round%10 == 0 {
		shown["shared link"] = b.sharedText(show)
	}
	answer := b.browser.Send(form)
	if answer.Path != b.lead {
		b.Fatalf("round %d: selecting %s: %d: %s", round, sentence, answer.Status, answer.MainText())
	}
	panel := b.browser.WaitFor(b.lead+"/offers", `#selected dd.hero`).Find("#selected").Text()
	got := b.booked()
	b.compare(round, got, id, sentence, cell, shown, panel)
}

// compare checks every place that named the figures of the offer.
func (b *booking) compare(round int, got booked, id, sentence, cell string, shown map[string]string, panel string) {
	b.Helper()
	where := fmt.Sprintf("round %d, %s", round, sentence)
	if got.OfferUUID != id {
		b.Fatalf("%s: the sandbox booked offer %s, want %s", where, got.OfferUUID, id)
	}
	payment := "$" + got.MonthlyPayment.String()
	fee := got.LoanAmount - got.DrawAmount
	if b.deducted {
		fee = heloc.FeeAmount(got.DrawAmount, got.FeePercent)
	}
	if !strings.HasPrefix(cell, payment) || !strings.Contains(cell, got.Rate.String()+"%") {
		b.Errorf("%s: the grid shows %s, booked were %s at %s%%", where, cell, payment, got.Rate)
	}
	for _, want := range []string{short(got.MonthlyPayment) + " a month", got.Rate.String() + "%"} {
		if !strings.Contains(sentence, want) {
			b.Errorf("%s: the sentence lacks %s", where, want)
		}
	}
	for place, text := range shown {
		for _, want := range []string{payment, got.Rate.String() + "%", got.FeePercent.String() + "%", short(fee),
			short(got.LoanAmount)} {
			if !strings.Contains(squeeze(text), squeeze(want)) {
				b.Errorf("%s: the %s lacks %s: %s", where, place, want, text)
			}
		}
		if len(got.Discounts) > 0 && !strings.Contains(text, "discount for") {
			b.Errorf("%s: the %s names none of the %d discounts", where, place, len(got.Discounts))
		}
	}
	if strings.Contains(panel, "Our estimate") || !strings.Contains(panel, short(got.MonthlyPayment)) {
		b.Errorf("%s: the selected offer reads %s", where, panel)
	}
	if got.RateType != "FIXED" {
		b.compareAfterward(where, got, sentence, shown)
	}
}

// compareAfterward checks the payment after the draw period with the lender's own agreement.
func (b *booking) compareAfterward(where string, got booked, sentence string, shown map[string]string) {
	b.Helper()
	agreement := textOfPDF(b.T, b.download("broker-agreement.pdf"), func(raw []byte) string { return string(raw) })
	_, rest, ok := strings.Cut(agreement, "(interest only\\), $")
	if !ok {
		b.Fatalf("%s: the agreement has no payment afterward: %s", where, agreement)
	}
	text, _, _ := strings.Cut(rest, " ")
	afterward, err := heloc.ParseMoney(text)
	if err != nil {
		b.Fatal(err)
	}
	if !strings.HasSuffix(sentence, short(afterward)+" afterward") {
		b.Errorf("%s: the sandbox's payment afterward is %s", where, short(afterward))
	}
	for place, page := range shown {
		if !strings.Contains(squeeze(page), squeeze(short(afterward))) {
			b.Errorf("%s: the %s lacks %s afterward", where, place, short(afterward))
		}
	}
	if years := strconv.Itoa(sandbox.DefaultDrawYears()[got.Term]) +
		" years"; !strings.Contains(agreement, "draw period of "+years) {
		b.Errorf("%s: the draw period of the agreement is not %s: %s", where, years, agreement)
	}
}

// showRandomGrid requests figures for a random draw, rate type, discounts and debts.
func (b *booking) showRandomGrid() *webtest.Response {
	b.Helper()
	page := b.browser.Get(b.lead + "/offers")
	debts := debtIDs(page, ":not([disabled])")
	form := payoffForm(page)
	amount := 60_000 + 50*b.random.IntN(3_000)
	kind := []string{"FIXED", "FLOATING"}[b.random.IntN(2)]
	form.Values["offer.selectedAccountsToPayoff"] = debts[:b.random.IntN(len(debts)+1)]
	autopay, creditUnion := b.random.IntN(2) == 0, b.random.IntN(3) == 0
	form.Values.Del("offer.selectedDiscounts")
	if b.live {
		for name, on := range map[string]bool{"AUTOPAY": autopay, "CREDIT_UNION": creditUnion} {
			if on {
				form.Values.Add("offer.selectedDiscounts", name)
			}
		}
		form = form.With("amount", strconv.Itoa(amount), "offer.selectedOfferAmount", strconv.Itoa(amount), "rateType", kind)
		return b.browser.Send(form)
	}
	values := url.Values{
		"amount": {strconv.Itoa(amount)}, "rateType": {kind}, "plan": {"shown"}, "discounts": {"shown"},
		"offer.selectedAccountsToPayoff": form.Values["offer.selectedAccountsToPayoff"],
		"autoPayDiscountEnabled":         {strconv.FormatBool(autopay)},
		"cuDiscountEnabled":              {strconv.FormatBool(creditUnion)},
	}
	return b.browser.Post(b.lead+"/calculate-offers", values)
}

// payoffFormWith is the form that shows the grid again with an offer chosen.
func payoffFormWith(page *webtest.Response, id string) webtest.Form {
	return payoffForm(page).With("offer.offerUuid", id)
}

// borrowerText is the page that the borrower would see.
func (b *booking) borrowerText(show string) string {
	b.Helper()
	page := b.browser.Get(show)
	if n := page.Find(".opt2").Length(); n != 1 {
		b.Fatalf("%s shows %d offers, want the chosen one", show, n)
	}
	return page.Find("main").Text()
}

// sharedText shares what the borrower's page shows, and opens the link without a session.
func (b *booking) sharedText(show string) string {
	b.Helper()
	address, err := url.Parse(show)
	if err != nil {
		b.Fatal(err)
	}
	created := b.browser.Post(b.lead+"/share", address.Query())
	link, err := url.Parse(created.Find(`.share-link input[name="link"]`).First().AttrOr("value", ""))
	if err != nil || link.Path == "" {
		b.Fatalf("no link: %v: %s", err, created.MainText())
	}
	return b.h.NewBrowser().Get(link.Path).Find("main").Text()
}

// booked reads the selected offer from the sandbox.
func (b *booking) booked() booked {
	b.Helper()
	var details struct {
		Data struct {
			AppData struct {
				Underwriting struct {
					SelectedOffer booked `json:"selectedOffer"`
				} `json:"underwriting"`
			} `json:"appData"`
		} `json:"data"`
	}
	raw := b.ask("/products/heloc/v1/details/" + strings.TrimPrefix(b.lead, "/leads/"))
	if err := json.Unmarshal(raw, &details); err != nil {
		b.Fatal(err)
	}
	if details.Data.AppData.Underwriting.SelectedOffer.OfferUUID == "" {
		if err := json.Unmarshal(raw, &details.Data); err != nil {
			b.Fatal(err)
		}
	}
	return details.Data.AppData.Underwriting.SelectedOffer
}

// download reads a document from the sandbox.
func (b *booking) download(name string) []byte {
	b.Helper()
	app := strings.TrimPrefix(b.lead, "/leads/")
	var list struct {
		Documents []struct{ DocumentUUID, FileName string }
	}
	if err := json.Unmarshal(b.ask("/products/heloc/v1/document/"+app+"/list"), &list); err != nil {
		b.Fatal(err)
	}
	for _, d := range list.Documents {
		if d.FileName == name {
			return b.ask("/products/heloc/v1/document/" + app + "/download/" + d.DocumentUUID)
		}
	}
	b.Fatalf("the sandbox has no %s", name)
	return nil
}

func (b *booking) ask(path string) []byte {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, b.h.Lender.URL+path, nil)
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("apikey", sandbox.DefaultAPIKey)
	r.Header.Set("User-Agent", "test")
	response, err := b.h.Lender.Client().Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		b.Fatalf("%s: %d: %v", path, response.StatusCode, err)
	}
	return body
}

// short is an amount without cents if there are none, as pages show it.
func short(m heloc.Money) string { return "$" + strings.TrimSuffix(m.String(), ".00") }
