package views

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"hearthline/static"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
)

func allLeadScreens() map[string]templ.Component {
	all := map[string]templ.Component{
		"intake": Intake(sampleIntake()), "drafts": Drafts(DraftsView{Page: samplePage("Drafts"), CanNew: true, Drafts: []DraftRow{{ID: "d1", Name: "Denise Kowalczyk", TransferTo: []ui.Option{{Value: "u", Label: "Maya"}}}, {ID: "d2"}}}),
		"operation":       Operation(sampleOperation()),
		"help":            Help(HelpView{Page: samplePage("Help"), Title: "Help", Pages: []ui.NavLink{{Label: "Start", Href: "/help/start", Current: true}}, Sections: []HelpSection{{ID: "a", Title: "Words", Text: []string{"x"}, Terms: []ui.Fact{{Label: "Lead", Value: "A person"}}}}}),
		"empty workspace": Workspace(WorkspaceView{Page: samplePage("Lead")}), "empty intake": Intake(IntakeView{Page: samplePage("New")}), "empty drafts": Drafts(DraftsView{Page: samplePage("Drafts")}),
		"empty operation": Operation(OperationView{Page: samplePage("Receipt")}),
	}
	for _, key := range append(words.StatusKeys(), "BRAND_NEW") {
		all[key] = Workspace(sampleLead(key))
		v := sampleLead(key)
		v.Step.CanAct, v.Offers.CanSelect, v.Cancel.Redisplayed = false, false, true
		all[key+", view only"] = Workspace(v)
	}
	for _, tab := range to.Tabs()[1:] {
		all["tab "+string(tab)] = Workspace(sampleTab(tab))
		all["empty tab "+string(tab)] = Workspace(WorkspaceView{Page: samplePage("Lead"), Tab: tab})
	}
	loading := sampleLead("in-progress")
	loading.Loading, loading.Page.Demo = true, DemoBar(sampleDemo())
	all["loading"] = Workspace(loading)
	plain := sampleLead("offers")
	plain.Offers.Quote.Requote, plain.Offers.Form.FieldErrors = false, []FieldError{{Name: "confirm.offer", Text: "Say that the borrower chose"}}
	all["offers, no re-quote"] = Workspace(plain)
	ambiguous := sampleLead("choose-property")
	ambiguous.Step.SelectProperty = SelectPropertyView{Messages: []string{"Too ambiguous"}}
	all["ambiguous property"] = Workspace(ambiguous)
	return all
}

// The screens of a lead follow the same rules as every other screen.
func TestLeadScreens_MeetPageRules(t *testing.T) {
	for name, screen := range allLeadScreens() {
		doc := render(t, screen)
		if dir := os.Getenv("HEARTHLINE_DRAW"); dir != "" {
			html, _ := doc.Html()
			file := strings.NewReplacer(" ", "-", ",", "").Replace(name) + ".html"
			if err := os.WriteFile(filepath.Join(dir, file), []byte(html), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		ids := map[string]int{}
		doc.Find("[id]").Each(func(_ int, s *goquery.Selection) { ids[s.AttrOr("id", "")]++ })
		for id, n := range ids {
			if n > 1 || id == "" {
				t.Errorf("%s: id %q is used %d times", name, id, n)
			}
		}
		doc.Find("[aria-describedby], [aria-labelledby], [popovertarget]").Each(func(_ int, s *goquery.Selection) {
			for _, a := range []string{"aria-describedby", "aria-labelledby", "popovertarget"} {
				for _, id := range strings.Fields(s.AttrOr(a, "")) {
					if ids[id] == 0 {
						t.Errorf("%s: %s refers to %q, which does not exist", name, a, id)
					}
				}
			}
		})
		doc.Find(`a[href^="#"]`).Each(func(_ int, s *goquery.Selection) {
			if id := strings.TrimPrefix(s.AttrOr("href", ""), "#"); ids[id] == 0 {
				t.Errorf("%s: a link refers to #%s, which does not exist", name, id)
			}
		})
		doc.Find("input:not([type=hidden]), select, textarea").Each(func(_ int, s *goquery.Selection) {
			if id := s.AttrOr("id", ""); s.Closest("label").Length() == 0 && doc.Find(`label[for="`+id+`"]`).Length() == 0 {
				t.Errorf("%s: control %q has no label", name, s.AttrOr("name", id))
			}
		})
		doc.Find("use").Each(func(_ int, s *goquery.Selection) {
			if _, icon, _ := strings.Cut(s.AttrOr("href", ""), "#"); !static.HasIcon(icon) {
				t.Errorf("%s: no icon %q", name, icon)
			}
		})
		doc.Find(`form[method="post"]`).Each(func(_ int, s *goquery.Selection) {
			if s.AttrOr("action", "") == "" || s.Find(`button[type="submit"]`).Length() == 0 {
				t.Errorf("%s: a form has no action or no button", name)
			}
		})
		if n := doc.Find("[style], style, script:not([src]), [onclick]").Length(); n > 0 {
			t.Errorf("%s: the page has an inline style or script", name)
		}
		if n := doc.Find("h1").Length(); n != 1 {
			t.Errorf("%s: got %d h1, want 1", name, n)
		}
		if html, _ := doc.Html(); strings.Contains(html, "6789") {
			t.Errorf("%s: an SSN is on the page", name)
		}
		if doc.Find(".panel .panel").Length() > 0 {
			t.Errorf("%s: a panel is inside a panel", name)
		}
	}
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
		form := render(t, Workspace(sampleLead(tt.key))).Find(fmt.Sprintf("form[action=%q]", "/leads/"+sampleApp+"/"+tt.operation))
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
		doc := render(t, Workspace(sampleLead(key)))
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
		doc := render(t, Workspace(v))
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
	doc := render(t, Workspace(v))
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
	step := render(t, Workspace(v)).Find("#step")
	if text := step.Text(); strings.Contains(text, "has no offers") || strings.Contains(text, "Say:") || !strings.Contains(text, "The lender was not told") {
		t.Errorf("got %q", text)
	}
	v.Step.Step = "NO_OFFERS"
	if text := render(t, Workspace(v)).Find("#step").Text(); !strings.Contains(text, "has no offers") {
		t.Errorf("got %q", text)
	}
}

func TestOffers_UnknownFigures_Selectable(t *testing.T) {
	v := sampleLead("offers")
	v.Offers.Rows = append(v.Offers.Rows, TermRow{Term: "—", LongTerm: "term not known", Cells: []OfferCell{{UUID: "bare"}, {}, {}}})
	cell := render(t, Workspace(v)).Find(`input[value="bare"]`)
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

func TestIntake_Redisplay_KeepsInput(t *testing.T) {
	doc := render(t, Intake(sampleIntake()))
	if got := doc.Find(`[name="property.address.street2"]`).AttrOr("value", ""); got != "Apt #4" {
		t.Errorf("got %q", got)
	}
	if got := doc.Find(".fixed").Text(); !strings.Contains(got, "Apt 4") {
		t.Errorf("correction: got %q", got)
	}
	if got := doc.Find(`[name="property.ownershipType"] option[selected]`).AttrOr("value", ""); got != "COOPERATIVE" {
		t.Errorf("an unknown value is lost: got %q", got)
	}
	if got := doc.Find("#complaints a").AttrOr("href", ""); got != "#applicant.income.employmentType" {
		t.Errorf("the error links to %q", got)
	}
	for _, name := range []string{"consent.method", "applicant.income.employmentType", "property.isListedForSale"} {
		if n := doc.Find(fmt.Sprintf("input[name=%q][checked]", name)).Length(); n != 0 {
			t.Errorf("%s is preselected", name)
		}
	}
	if _, ok := render(t, Intake(IntakeView{Page: samplePage("New")})).Find(`[name="homeIsProperty"]`).Attr("checked"); !ok {
		t.Error("on a new form, the home address is not the property")
	}
	if strings.Contains(doc.Find(`[name]`).Text(), "externalAppId") {
		t.Error("the portal’s own number has a control")
	}
}

func TestParts_MatchPages(t *testing.T) {
	v := sampleLead("offers")
	page, _ := goquery.OuterHtml(render(t, Workspace(v)).Find("#lead"))
	part, _ := goquery.OuterHtml(render(t, WorkspacePart(v)).Find("#lead"))
	if page != part {
		t.Error("the workspace and WorkspacePart differ")
	}
	page, _ = goquery.OuterHtml(render(t, Workspace(v)).Find("#offers"))
	part, _ = goquery.OuterHtml(render(t, OffersPart(v)).Find("#offers"))
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

func TestRowIndexes_KeepGaps(t *testing.T) {
	f := Form{Values: []SubmittedValue{{Name: "liens.10.lenderName"}, {Name: "liens.2.lenderName"}, {Name: "liens.2.lienUuid"}, {Name: "liens"}, {Name: "property.liens.4.x"}}, FieldErrors: []FieldError{{Name: "liens.3.currentBalance"}}}
	if got, want := fmt.Sprint(f.rowIndexes("liens")), "[2 3 10]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestHelp_EveryPageHasContent(t *testing.T) {
	for _, l := range HelpPages(to.Full, "") {
		v, ok := HelpPage(to.Full, strings.TrimPrefix(l.Href, "/help/"))
		if !ok || len(v.Sections) == 0 || v.Title == "" {
			t.Errorf("%s has no content", l.Href)
		}
	}
	if _, ok := HelpPage(to.Full, "nonsense"); ok {
		t.Error("an unknown key has a help page")
	}
}

func TestLabelOf(t *testing.T) {
	for name, want := range map[string]string{
		"liens.1.currentBalance": "2nd lien, current balance", "property.liens.0.lenderName": "1st lien, lender", "applicant.homeAddress.zip": "Home, zip",
		"testVariantsRequest.variants.0.name": "Test variant", "something.notKnown": "notKnown", "income.employmentType": "Employment",
	} {
		if got := labelOf(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
