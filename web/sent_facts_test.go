package web_test

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// factCheck sends forms and compares every field that the lender gets with the form.
type factCheck struct {
	*webtest.Browser
	sent *webtest.SentRequests
	seen map[string]bool // names of the requests
	live bool            // the dialect
}

// submit sends a form of a page, and checks the request with this name that it causes.
func (c factCheck) submit(request string, page *webtest.Response, f webtest.Form) *webtest.Response {
	t := c.H.T
	t.Helper()
	c.sent.Take()
	got := c.Send(f)
	all := c.sent.Take()
	at := slices.IndexFunc(all, func(s webtest.SentRequest) bool { return s.Name == request })
	if at < 0 {
		t.Errorf("%s: nothing was sent (%d): %s", request, got.Status, got.MainText())
		return got
	}
	c.seen[request] = true
	form := shownForm{controls: map[string]bool{}, values: f.Values}
	page.Find("input[name], select[name], textarea[name]").Each(func(_ int, s *webtest.Selection) {
		form.controls[s.AttrOr("name", "")] = true
	})
	stated := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(all[at].Fields)) {
		control, problem := form.controlOf(path, all[at].Fields[path])
		if stated[control] = true; problem != "" {
			t.Errorf("%s: %s is sent as %v: %s", request, path, all[at].Fields[path], problem)
		}
	}
	for name, values := range f.Values {
		if strings.Join(values, "") != "" && isFact(name) && !stated[name] {
			t.Errorf("%s: %s with %q is not sent", request, name, values)
		}
	}
	return got
}

// isFact reports whether a control is for the lender.
func isFact(name string) bool {
	begin, _, _ := strings.Cut(name, ".")
	return slices.Contains([]string{"applicant", "property", "partnerDataRequest", "testVariantsRequest",
		"businessInfo", "income", "liens", "liabilityPayoff", "offer", "propertyEstimate"}, begin)
}

// shownForm is a form as its user saw it and sent it.
type shownForm struct {
	controls map[string]bool
	values   url.Values
}

// controlOf returns the control that states a field, and what is wrong with the field; "" if nothing is.
func (s shownForm) controlOf(path string, value any) (control, problem string) {
	control = path
	text := fmt.Sprint(value)
	switch {
	case path == "request.loanOriginatorUuid" || path == "request.async": // who acts, and how the lender answers
		return control, ""
	// the portal's application number
	case path == "partnerDataRequest.externalAppId" && strings.HasPrefix(text, "hl-"):
		return control, ""
	case path == "affiliateId" || path == "requestType" && text == "OFFERS": // the estimate's counterparts of them
		return control, ""
	case path == "mailingAddress.type" && text == "MAILING": // the labels of the group say so
		return control, ""
	// the live service requires an id of the row, not of a lien
	case strings.HasSuffix(path, ".lienUuid") && s.values.Get(path) == "":
		return control, ""
	}
	if part, home := strings.CutPrefix(path, "applicant.homeAddress."); home &&
		s.values.Get("homeIsProperty") == "true" {
		control = "property.address." + part
	}
	if begin, last := cutLast(path); last != "" && strings.Trim(last, "0123456789") == "" {
		control = begin // a list repeats its control
	}
	switch {
	case !s.controls[control] && !s.controls[rowIndex.ReplaceAllString(control, ".__i__.")]:
		return control, "the form has no such control"
	case value == nil:
		return control, unless(s.values.Get(control) == "" || s.values.Get("unset."+control) == "true",
			"the form has a value")
	case text == "false" && s.values.Get(control) == "": // a box that is not checked
		return control, ""
	case text == "":
		return control, "it is empty"
	}
	typed := s.values[control]
	same := slices.ContainsFunc(typed, func(typed string) bool { return sameFact(text, typed) })
	return control, unless(same, fmt.Sprintf("the form has %q", typed))
}

// rowIndex is the index in the name of a row's control. The page has a template for the rows that a user adds.
var rowIndex = regexp.MustCompile(`\.\d+\.`)

func cutLast(path string) (begin, last string) {
	at := strings.LastIndexByte(path, '.')
	if at < 0 {
		return path, ""
	}
	return path[:at], path[at+1:]
}

func unless(right bool, problem string) string {
	if right {
		return ""
	}
	return problem
}

// sameFact reports whether a field says what was typed.
func sameFact(sent, typed string) bool {
	if a, err := heloc.ParseMoney(sent); err == nil {
		b, err := heloc.ParseMoney(typed)
		return err == nil && a == b || digits(sent) == digits(typed)
	}
	if d, err := heloc.ParseDate(typed); err == nil && string(d) == sent {
		return true
	}
	bare := func(s string) string { return strings.ReplaceAll(heloc.FoldForSearch(s), " ", "") }
	return bare(sent) == bare(typed)
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// start sends an inquiry and waits until the lead reaches a step.
func (c factCheck) start(lastName string, step heloc.Step, more ...string) string {
	c.H.T.Helper()
	page := c.Get("/leads/new")
	got := c.submit("start", page, c.IntakeForm(lastName, more...))
	if !strings.HasPrefix(got.Path, "/leads/") {
		c.H.T.Fatalf("%s: got %d: %s", lastName, got.Status, got.MainText())
	}
	app := heloc.AppID(strings.TrimPrefix(got.Path, "/leads/"))
	c.H.WaitUntil(string(step), func() bool {
		row, err := c.H.Store.AnyLead(c.H.T.Context(), app)
		return err == nil && row.Step == step && row.PendingUntil == 0
	})
	return got.Path
}

// resolve sends the form of a blocked step.
func (c factCheck) resolve(lastName string, step heloc.Step, request string, more ...string) {
	c.H.T.Helper()
	path := c.start(lastName, step)
	page := c.WaitFor(path, `form[action$="/`+request+`"]`)
	f := page.Form(`form[action$="/` + request + `"]`)
	if name := "liabilityPayoff.selectedAccountsToPayoff"; step == heloc.StepPayoff {
		more = append(more, name, page.Find(`[name="`+name+`"]`).First().AttrOr("value", ""))
	}
	c.submit(request, page, f.With(more...))
}

// everyField fills in what IntakeForm leaves empty.
var everyField = []string{
	"applicant.name.middleName", "Marie", "applicant.name.prefix", "Dr", "applicant.name.suffix", "Jr",
	"applicant.ssn", "512-45-0001", "property.address.street1", "76 Alder Ct", "property.address.street2",
	"Apt #4", "property.ownershipType", "JOINT",
	"applicant.income.otherAnnualIncome", "1,200", "applicant.income.annualRetirementIncome", "0",
	"applicant.income.annualInvestmentIncome", "300.50", "applicant.income.annualBusinessIncome", "400",
	"applicant.income.savingsAmount", "5,000",
	"businessInfo.entityName", "Rivera Glass", "businessInfo.entityType", "S_CORP",
	"businessInfo.stateOfIncorporation", "ID", "businessInfo.ownershipPercentage", "51",
	"businessInfo.totalMonthlyRevenue", "9,000", "businessInfo.ein", "12-3456789",
	"businessInfo.address.street1", "1 Glass Way", "businessInfo.address.city", "Boise",
	"businessInfo.address.state", "ID", "businessInfo.address.zip", "83702-1234",
	"partnerDataRequest.externalReferenceId", "L-77", "partnerDataRequest.externalCustomerId", "C-1",
	"partnerDataRequest.utmParameters.source", "radio", "partnerDataRequest.utmParameters.medium", "spot",
	"partnerDataRequest.utmParameters.campaign", "spring", "partnerDataRequest.utmParameters.term", "heloc",
	"partnerDataRequest.utmParameters.content", "b", "testVariantsRequest.variants.0.name", "variant-a",
}

// fewestFields empties what no inquiry needs.
var fewestFields = []string{
	"property.borrowerEstimatedValue", "", "amountWanted", "", "property.liens.0.lenderName", "",
	"property.liens.0.originationDate", "", "property.liens.0.originalBalance", "",
	"property.liens.0.currentBalance", "", "property.liens.0.monthlyPayment", "", "property.address.street1",
	"77 Alder Ct",
}

// TestSentFacts_EveryFieldIsOnTheForm sends every form that writes to the lender. No field may be sent that the form
// did not show with this value, and none that it showed may be missing.
func TestSentFacts_EveryFieldIsOnTheForm(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			sent := webtest.NewSentRequests(t)
			h := webtest.New(t, webtest.Options{Dialect: dialect, LenderMiddleware: sent.Middleware,
				Estimate: webtest.EstimateAccess(), NoJobs: true})
			c := factCheck{h.SignInAs("olivia"), sent, map[string]bool{}, dialect == "live"}
			c.start("Alder", heloc.StepOffersAvailable, everyField...)
			c.start("Birch-None", heloc.StepNoOffers, fewestFields...)
			c.start("Cedar-None", heloc.StepNoOffers,
				webtest.OtherHome("property.propertyType", "SECONDARY", "property.address.street1", "78 Alder Ct")...)
			c.resolve("Dogwood-Match", heloc.StepCreditMatch, "add-ssn", "applicant.ssn", "512-45-0001")
			c.resolve("Elm-Frozen", heloc.StepUnfreezeCredit, "repull-credit", "consent.attested", "true",
				"consent.method", "in-person")
			c.resolve("Fir-Assets", heloc.StepMoreAssets, "asset-depletion", "income.employmentType", "RETIRED",
				"income.grossAnnualIncome", "0", "income.savingsAmount", "250,000")
			c.resolve("Ginkgo-Assets", heloc.StepMoreAssets, "add-income", "income.employmentType", "RETIRED",
				"income.grossAnnualIncome", "0", "income.otherAnnualIncome", "90,000")
			c.resolve("Hazel-Payoff", heloc.StepPayoff, "asset-depletion")
			c.resolve("Ivy-Value", heloc.StepPropertyValue, "add-property-estimate",
				"propertyEstimate.borrowerEstimatedValue", "$610,000")
			c.resolve("Juniper-Liens", heloc.StepLienMatching, "verify-liens", "liens.2.lenderName", "Ash Savings",
				"liens.2.originationDate", "8/30/2019", "liens.2.originalBalance", "20,000",
				"liens.2.currentBalance", "0")
			c.selectProperty("Kapok-Unit")
			c.followOffers("Larch")
			c.estimate()
			for _, kind := range heloc.Operations() {
				if !c.seen[string(kind)] {
					t.Errorf("%s was not checked", kind)
				}
			}
		})
	}
}

func (c factCheck) selectProperty(lastName string) {
	c.H.T.Helper()
	path := c.start(lastName, heloc.StepSelectProperty, "property.address.street1", "2220 Larkspur Ave")
	page := c.WaitFor(path, `[name="property.propertyId"]`)
	c.submit("select-property", page,
		page.Form(`form[action$="/select-property"]`).With("property.propertyId",
			page.Find(`[name="property.propertyId"]`).First().AttrOr("value", "")))
}

// followOffers sends the writes of a lead with offers.
func (c factCheck) followOffers(lastName string) {
	c.H.T.Helper()
	path := c.start(lastName, heloc.StepOffersAvailable)
	page := c.WaitFor(path+"/offers", `input[name="offer.offerUuid"]`)
	if !c.live { // the live service has no such call
		c.submit("calculate-offers", page,
			page.Form("form#quote").With("amount", "45,000", "autoPayDiscountEnabled", "true"))
	}
	offer := page.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
	c.submit("select-offer", page, page.Form(`form[action$="/select-offer"]`).With("offer.offerUuid", offer,
		"offer.selectedOfferAmount", "45,000", "confirm.offer", "true"))
	page = c.WaitFor(path+"/history", `form[action$="/attributions"]`)
	c.submit("attributions", page, page.Form(`form[action$="/attributions"]`).
		With("attributions.utmParameters.source", "radio"))
	page = c.Get(path + "/reassign")
	other := c.start("Maple", heloc.StepOffersAvailable)
	c.submit("reassign", page, c.ReassignForm(path, "marcus"))
	page = c.WaitFor(other, `form[action$="/cancel"]`)
	c.submit("cancel", page, page.Form(`form[action$="/cancel"]`).With("confirm.cancel", "true"))
}

func (c factCheck) estimate() {
	c.H.T.Helper()
	page := c.Get("/prequalify")
	c.submit("v2", page, page.Form("form#estimate").With(
		"firstName", "Elena", "lastName", "Núñez", "amountToBorrow", "60,000", "propertyValue", "$560,000",
		"householdIncome", "124,600", "currentMortgageBalances", "203,900", "monthlyExpenses", "0", "fico", "700",
		"loanPurpose", "TRAVEL", "remarketingAllowed", "false", "mailingAddress.street1", "9 Mill Ln",
		"mailingAddress.city", "Nampa", "mailingAddress.state", "ID", "mailingAddress.zip", "83651"))
	c.seen["pre-qualify"] = true
}
