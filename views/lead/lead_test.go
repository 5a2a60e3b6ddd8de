package lead_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"hearthline/views/lead"
	"hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/viewtest"
	"hearthline/views/workspace"
)

func allLeadScreens() map[string]templ.Component {
	all := map[string]templ.Component{
		"operation":       lead.Operation(sampleOperation()),
		"empty operation": lead.Operation(lead.OperationView{Page: viewtest.Page("Receipt")}),
		"empty workspace": workspace.Workspace(&workspace.View{Page: viewtest.Page("Lead"),
			Content: lead.Overview(&lead.OverviewView{Step: &lead.NextStepView{Card: viewtest.Card("other")},
				Notes: &lead.NotesView{}})}),
	}
	for _, key := range append(text.StatusKeys(), "BRAND_NEW") {
		all[key] = workspace.Workspace(samplePage(key, to.Overview, lead.Overview(sampleOverview(key))))
		v := samplePage(key, to.Overview, lead.Overview(sampleViewOnly(key)))
		v.Cancel.Redisplayed = true
		all[key+", view only"] = workspace.Workspace(v)
	}
	for tab, content := range sampleTabs() {
		all["tab "+string(tab)] = workspace.Workspace(samplePage("application", tab, content[0]))
		all["empty tab "+string(tab)] = workspace.Workspace(&workspace.View{Page: viewtest.Page("Lead"), Tab: tab,
			Content: content[1]})
	}
	loading := viewtest.Workspace("in-progress")
	loading.Loading, loading.Page.Demo = true, page.DemoBar(page.DemoView{App: viewtest.App, Name: "Priya Raghunathan",
		ReturnTo: "/leads/" + viewtest.App, Events: []ui.Option{{Value: "borrower-signs-in", Label: "Signs in"},
			{Value: "thaw", Label: "Thaws"}}, DropNextResponse: true})
	all["loading"] = workspace.Workspace(loading)
	ambiguous := sampleOverview("choose-property")
	ambiguous.Step.Body = lead.SelectProperty(&lead.SelectPropertyView{URLs: viewtest.URLs(), Form: &ui.Form{},
		Clone:    true,
		Messages: []string{"Too ambiguous"}})
	all["ambiguous property"] = workspace.Workspace(samplePage("choose-property", to.Overview, lead.Overview(ambiguous)))
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
		{"verify-liens", "verify-liens", []string{"operation", "liens.0.lienUuid", "liens.0.lenderName",
			"liens.0.originationDate", "liens.0.originalBalance", "liens.1.currentBalance", "liens.1.monthlyPayment"}},
		{"more-assets", "asset-depletion", []string{"operation", "income.employmentType", "income.grossAnnualIncome",
			"income.savingsAmount", "liabilityPayoff.selectedAccountsToPayoff"}},
		{"payoff", "asset-depletion", []string{"operation", "income.employmentType", "income.annualBusinessIncome",
			"liabilityPayoff.selectedAccountsToPayoff"}},
		{"payoff", "add-income", []string{"operation", "income.employmentType", "income.otherAnnualIncome"}},
		{"property-value", "add-property-estimate", []string{"operation", "propertyEstimate.borrowerEstimatedValue"}},
		{"choose-property", "select-property", []string{"operation", "property.propertyId"}},
		{"no-offers", "set-aside", []string{"confirm.set-aside"}},
		{"no-offers", "clone", nil},
		{"no-offers", "cancel", []string{"operation", "confirm.cancel"}},
		{"chase-sign-in", "contact", []string{"contact.how", "contact.note"}},
		{"BRAND_NEW", "refresh", nil},
	}
	for _, tt := range tests {
		form := viewtest.Render(t, workspace.Workspace(samplePage(tt.key, to.Overview,
			lead.Overview(sampleOverview(tt.key))))).
			Find(fmt.Sprintf("form[action=%q]", "/leads/"+viewtest.App+"/"+tt.operation))
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

// The summary of the errors links to the properties, where the message is too.
func TestSelectProperty_NoneChosen_SaidAtTheChoices(t *testing.T) {
	f := ui.Form{FieldErrors: []ui.FieldError{{Name: "property.propertyId", Text: "Choose the borrower’s property"}}}
	got := viewtest.Render(t, lead.SelectProperty(&lead.SelectPropertyView{URLs: viewtest.URLs(), Form: &f,
		Homes: sampleHomes()}))
	group := got.Find(`fieldset[aria-invalid="true"][tabindex="-1"]`)
	if id := "#" + group.AttrOr("id", ""); got.Find(fmt.Sprintf(`[role="alert"] a[href=%q]`, id)).Length() != 1 {
		t.Errorf("the summary has no link to %q", id)
	}
	note := group.Find(fmt.Sprintf("p[id=%q]", group.AttrOr("aria-describedby", "")))
	if said := strings.TrimSpace(note.Text()); said != "Choose the borrower’s property" {
		t.Errorf("got %q at the properties, want the message", said)
	}
}

func TestConfirmations_RequiredAndUnchecked(t *testing.T) {
	for _, key := range []string{"no-offers", "credit-frozen"} {
		viewtest.CheckConfirmations(t, key, workspace.Workspace(samplePage(key, to.Overview,
			lead.Overview(sampleOverview(key)))))
	}
}

func TestOverview_CannotAct_HasNoForms(t *testing.T) {
	for _, key := range text.StatusKeys() {
		v := samplePage(key, to.Overview, lead.Overview(sampleViewOnly(key)))
		v.Cancel.Can, v.Head.CanRefresh = false, false
		doc := viewtest.Render(t, workspace.Workspace(v))
		doc.Find(`main form[method="post"]`).Each(func(_ int, s *goquery.Selection) {
			t.Errorf("%s: unexpected form for %s", key, s.AttrOr("action", ""))
		})
		if !strings.Contains(doc.Find("#step").Text(), "Olivia Bennett responds") {
			t.Errorf("%s: the card does not name who can act", key)
		}
	}
}

func TestPart_MatchesPage(t *testing.T) {
	v := samplePage("verify-liens", to.Overview, lead.Overview(sampleOverview("verify-liens")))
	full, _ := goquery.OuterHtml(viewtest.Render(t, workspace.Workspace(v)).Find("#lead"))
	part, _ := goquery.OuterHtml(viewtest.Render(t, workspace.Part(v)).Find("#lead"))
	if full != part {
		t.Error("the workspace and its part differ")
	}
}

// A panel that was never loaded doesn’t claim to be empty, and an inquiry has neither conditions nor transfers.
func TestFunding_NeverLoaded_SaysSo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name                  string
		v                     lead.FundingView
		conditions, transfers string
	}{
		{"never loaded", lead.FundingView{Application: true}, "Not loaded.", "Not loaded."},
		{"never loaded, ended", lead.FundingView{Application: true, Ended: true}, "Not loaded.", "Not loaded."},
		{"loaded", lead.FundingView{Age: "as of 10:42 AM"}, "No conditions.", "The lender reports no transfers yet."},
		{"loaded, ended", lead.FundingView{Age: "as of 10:42 AM", Ended: true}, "No conditions.", "No transfers."},
		{"an inquiry", lead.FundingView{Awaited: true}, "", ""},
		{"an inquiry that ended", lead.FundingView{Ended: true}, "", ""},
		{"an inquiry, loaded", lead.FundingView{Age: "as of 10:42 AM", Awaited: true}, "No conditions.",
			"The lender reports no transfers yet."},
	} {
		doc := viewtest.Render(t, lead.Funding(&tt.v))
		said := func(id string) string { return strings.TrimSpace(doc.Find("#" + id + " p.quiet").Text()) }
		if got, transfers := said("conditions"), said("transfers"); got != tt.conditions || transfers != tt.transfers {
			t.Errorf("%s: got %q and %q, want %q and %q", tt.name, got, transfers, tt.conditions, tt.transfers)
		}
		if panels := doc.Find("#conditions, #transfers").Length(); (panels == 0) != (tt.conditions == "") {
			t.Errorf("%s: got %d panels", tt.name, panels)
		}
	}
}
