package lead

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"hearthline/views/page"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/viewtest"
	"hearthline/views/words"
)

func allLeadScreens() map[string]templ.Component {
	all := map[string]templ.Component{
		"operation": Operation(sampleOperation()), "empty operation": Operation(OperationView{Page: viewtest.Page("Receipt")}),
		"empty workspace": Workspace(WorkspaceView{Page: viewtest.Page("Lead")}),
	}
	for _, key := range append(words.StatusKeys(), "BRAND_NEW") {
		all[key] = Workspace(sampleLead(key))
		v := sampleLead(key)
		v.Step.CanAct, v.Offers.CanSelect, v.Cancel.Redisplayed = false, false, true
		all[key+", view only"] = Workspace(v)
	}
	for _, tab := range to.Tabs()[1:] {
		all["tab "+string(tab)] = Workspace(sampleTab(tab))
		all["empty tab "+string(tab)] = Workspace(WorkspaceView{Page: viewtest.Page("Lead"), Tab: tab})
	}
	loading := sampleLead("in-progress")
	loading.Loading, loading.Page.Demo = true, page.DemoBar(sampleDemo())
	all["loading"] = Workspace(loading)
	plain := sampleLead("offers")
	plain.Offers.Quote.Requote, plain.Offers.Form.FieldErrors = false, []ui.FieldError{{Name: "confirm.offer", Text: "Say that the borrower chose"}}
	all["offers, no re-quote"] = Workspace(plain)
	ambiguous := sampleLead("choose-property")
	ambiguous.Step.SelectProperty = SelectPropertyView{Messages: []string{"Too ambiguous"}}
	all["ambiguous property"] = Workspace(ambiguous)
	return all
}

func TestScreens_MeetPageRules(t *testing.T) {
	screens := allLeadScreens()
	viewtest.CheckScreens(t, screens)
	viewtest.CheckLinksAndForms(t, screens)
}

// Other programs drive the portal through the names of controls and the ends of URLs.
func TestNextStep_FormControls(t *testing.T) {
	tests := []struct {
		key, operation string
		names          []string
	}{
		{"ssn-needed", "add-ssn", []string{"operation", "applicant.ssn"}},
		{"credit-frozen", "repull-credit", []string{"operation", "consent.attested", "consent.method", "consent.version"}},
		{"repull-due", "repull-credit", []string{"operation", "consent.attested", "consent.method", "consent.version"}},
		{"verify-liens", "verify-liens", []string{"operation", "liens.0.lienUuid", "liens.0.lenderName", "liens.0.originationDate", "liens.0.originalBalance", "liens.1.currentBalance", "liens.1.monthlyPayment"}},
		{"more-assets", "asset-depletion", []string{"operation", "income.employmentType", "income.grossAnnualIncome", "income.savingsAmount", "liabilityPayoff.selectedAccountsToPayoff"}},
		{"payoff", "asset-depletion", []string{"operation", "income.employmentType", "income.annualBusinessIncome", "liabilityPayoff.selectedAccountsToPayoff"}},
		{"payoff", "add-income", []string{"operation", "income.employmentType", "income.otherAnnualIncome"}},
		{"property-value", "add-property-estimate", []string{"operation", "propertyEstimate.borrowerEstimatedValue"}},
		{"choose-property", "select-property", []string{"operation", "property.propertyId"}},
		{"no-offers", "set-aside", []string{"confirm.set-aside"}},
		{"no-offers", "clone", nil},
		{"offers", "select-offer", []string{"operation", "offer.offerUuid", "offer.selectedOfferAmount", "offer.selectedDiscounts", "offer.selectedAccountsToPayoff", "confirm.offer"}},
		{"offers", "calculate-offers", []string{"amount", "autoPayDiscountEnabled", "cuDiscountEnabled", "rateType"}},
		{"offers", "cancel", []string{"operation", "confirm.cancel"}},
		{"chase-sign-in", "contact", []string{"contact.how", "contact.note"}},
		{"BRAND_NEW", "refresh", nil},
	}
	for _, tt := range tests {
		form := viewtest.Render(t, Workspace(sampleLead(tt.key))).Find(fmt.Sprintf("form[action=%q]", "/leads/"+sampleApp+"/"+tt.operation))
		if form.Length() == 0 {
			t.Errorf("%s: no form for %s", tt.key, tt.operation)
		}
		for _, name := range tt.names {
			if form.Find(fmt.Sprintf("[name=%q]", name)).Length() == 0 {
				t.Errorf("%s: no control %s for %s", tt.key, name, tt.operation)
			}
		}
	}
}

func TestConfirmations_RequiredAndUnchecked(t *testing.T) {
	for _, key := range []string{"offers", "no-offers", "credit-frozen"} {
		doc := viewtest.Render(t, Workspace(sampleLead(key)))
		boxes := doc.Find(`[name^="confirm."], [name="consent.attested"]`)
		if boxes.Length() < 2 {
			t.Errorf("%s: got %d checkboxes, want at least 2", key, boxes.Length())
		}
		boxes.Each(func(_ int, s *goquery.Selection) {
			_, required := s.Attr("required")
			_, checked := s.Attr("checked")
			if !required || checked {
				t.Errorf("%s: %s required %v, checked %v", key, s.AttrOr("name", ""), required, checked)
			}
		})
	}
}

func TestWorkspace_CannotAct_HasNoForms(t *testing.T) {
	for _, key := range words.StatusKeys() {
		v := sampleLead(key)
		v.Step.CanAct, v.Offers.CanSelect, v.Cancel.Can, v.Step.SetAside.Can, v.Step.Clone, v.Step.Freeze.CanNote, v.Step.FollowUp.Can, v.Notes.Can, v.Head.CanRefresh = false, false, false, false, false, false, false, false, false
		doc := viewtest.Render(t, Workspace(v))
		doc.Find(`main form[method="post"]`).Each(func(_ int, s *goquery.Selection) {
			t.Errorf("%s: unexpected form for %s", key, s.AttrOr("action", ""))
		})
		if v.Step.Mover == "you" && !strings.Contains(doc.Find("#step").Text(), "Olivia Bennett can") {
			t.Errorf("%s: the card does not name who can act", key)
		}
	}
}

func TestOffers_NothingPreselected(t *testing.T) {
	v := sampleLead("offers")
	v.Offers.Form.Values, v.Offers.Chosen, v.Offers.Pinned = nil, QuoteBreakdown{}, CompareView{}
	doc := viewtest.Render(t, Workspace(v))
	if n := doc.Find(`.cell input[checked], [name="pin"][checked]`).Length(); n != 0 {
		t.Errorf("got %d selected cells before the user chose one", n)
	}
	if n := doc.Find(`[name="offer.offerUuid"]`).Length(); n != 7 {
		t.Errorf("got %d selectable offers, want 7", n)
	}
	if got := doc.Find(".out").First().Text(); !strings.Contains(got, "up to $120,000 only") {
		t.Errorf("out of range: got %q", got)
	}
	text := strings.ToLower(doc.Find("main").Text())
	for _, bad := range []string{"apr", "best", "denied", "recommended"} {
		if slices.Contains(strings.Fields(text), bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
	if !strings.Contains(text, "estimate") {
		t.Error("the page does not label the figures as estimates")
	}
}

func TestNextStep_SetAside_DoesNotQuoteLender(t *testing.T) {
	v := sampleLead("no-offers")
	v.Step.SetAside = SetAsideView{Done: true}
	v.Step.Step = "LIEN_MATCHING_REQUIRED"
	step := viewtest.Render(t, Workspace(v)).Find("#step")
	if text := step.Text(); strings.Contains(text, "has no offers") || strings.Contains(text, "Say:") || !strings.Contains(text, "The lender was not told") {
		t.Errorf("got %q", text)
	}
	v.Step.Step = "NO_OFFERS"
	if text := viewtest.Render(t, Workspace(v)).Find("#step").Text(); !strings.Contains(text, "has no offers") {
		t.Errorf("got %q", text)
	}
}

func TestOffers_UnknownFigures_Selectable(t *testing.T) {
	v := sampleLead("offers")
	v.Offers.Rows = append(v.Offers.Rows, TermRow{Term: "—", LongTerm: "term not known", Cells: []OfferCell{{UUID: "bare"}, {}, {}}})
	cell := viewtest.Render(t, Workspace(v)).Find(`input[value="bare"]`)
	if got := cell.AttrOr("aria-label", ""); got != "term not known, fee 1.50%, payment not known" {
		t.Errorf("got %q", got)
	}
	if text := cell.Parent().Text(); !strings.Contains(text, "—") || !strings.Contains(text, "rate not known") {
		t.Errorf("got %q", text)
	}
	if cell.Parent().Parent().Find(".pin").Length() != 0 {
		t.Error("an offer without figures has a pin")
	}
}

func TestParts_MatchPages(t *testing.T) {
	v := sampleLead("offers")
	page, _ := goquery.OuterHtml(viewtest.Render(t, Workspace(v)).Find("#lead"))
	part, _ := goquery.OuterHtml(viewtest.Render(t, WorkspacePart(v)).Find("#lead"))
	if page != part {
		t.Error("the workspace and WorkspacePart differ")
	}
	page, _ = goquery.OuterHtml(viewtest.Render(t, Workspace(v)).Find("#offers"))
	part, _ = goquery.OuterHtml(viewtest.Render(t, OffersPart(v)).Find("#offers"))
	if page != part {
		t.Error("the offers and OffersPart differ")
	}
}

func TestNewProgress_NeverMarksFundedEarly(t *testing.T) {
	for _, key := range words.StatusKeys() {
		l := NewProgress(ProgressFacts{StatusKey: key, Converted: true})
		if last := l.Application[4]; key != "funded" && last.State == "done" {
			t.Errorf("%s: funded is %q", key, last.State)
		}
	}
	if got := NewProgress(ProgressFacts{StatusKey: "signing", Converted: true}).Application[4].Sub; got != "not known yet" {
		t.Errorf("got %q", got)
	}
}
