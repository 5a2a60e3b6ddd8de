package intake_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/intake"
	"hearthline/web/form"
	"hearthline/web/intake"
	"hearthline/web/webtest"
)

// estimateForm returns a complete form for an estimate.
func estimateForm(v *webtest.Browser, more ...string) webtest.Form {
	v.H.T.Helper()
	return v.Get("/prequalify").Form("form#estimate").With(append([]string{
		"firstName", "Elena", "lastName", "Núñez", "address.street1", "2216 Larkspur Ave", "address.city", "Boise",
		"address.state", "ID", "address.zip", "83702", "propertyValue", "$560,000", "currentMortgageBalances", "203,900",
		"monthlyExpenses", "2,100", "fico", "740", "amountToBorrow", "60,000",
		"householdIncome", "124,600", "loanPurpose", "HOME_IMPROVEMENT", "remarketingAllowed", "false",
	}, more...)...)
}

func TestEstimate_BothDialectsAndVersions(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		for _, plain := range []bool{false, true} {
			t.Run(dialect, func(t *testing.T) {
				access := webtest.EstimateAccess()
				access.Unencrypted = plain
				h := webtest.New(t, webtest.Options{Dialect: dialect, Estimate: access})
				olivia := h.SignInAs("olivia")
				olivia.Get("/leads").WantText("Quick estimate")
				empty := olivia.Get("/prequalify")
				if n := empty.Find(`input[type="radio"][checked], input[type="checkbox"][checked]`).Length(); n != 0 {
					t.Errorf("%d consents are preselected", n)
				}
				form := estimateForm(olivia)
				got := olivia.Send(form)
				if got.Status != http.StatusOK {
					t.Fatalf("got %d: %s", got.Status, got.MainText())
				}
				got.WantText("Lender’s estimates", "APR (from the lender)", "not a commitment")
				if rows := got.Find("#answer tbody tr").Length(); rows != 4 {
					t.Errorf("got %d offers, want the sandbox's four", rows)
				}
				if live := strings.Contains(got.Body, "See what you could borrow."); live != (dialect == "live") {
					t.Errorf("the lender's text: got %v, want it from the live service only", live)
				}
				again := got.Form("form#estimate")
				if again.Values.Get("operation") == form.Values.Get("operation") || again.Values.Get("fico") != "740" {
					t.Error("the form has the old operation id, or has lost typed values")
				}
				repeated := olivia.Send(form)
				repeated.WantText("This estimate was already requested.")
				if repeated.Find("#answer").Length() != 0 {
					t.Error("an estimate was stored")
				}
				if calls := h.LenderCallCount("pre-qualify"); calls != 1 {
					t.Errorf("the lender got %d calls, want one", calls)
				}
			})
		}
	}
}

func TestEstimate_NoOffers_NotCalledDenied(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Estimate: webtest.EstimateAccess()})
	got := h.SignInAs("olivia").Send(estimateForm(h.SignInAs("olivia"), "lastName", "Rivera-None"))
	got.WantText("The lender has no estimate for these figures.")
	for _, never := range []string{"denied", "declined", "rejected"} {
		if strings.Contains(strings.ToLower(got.MainText()), never) {
			t.Errorf("the page contains %q", never)
		}
	}
}

// TestEstimate_UnclearResponse_NotCalledNone: an empty list alone does not say that the lender has no offers.
func TestEstimate_UnclearResponse_NotCalledNone(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Estimate: webtest.EstimateAccess(),
		LenderMiddleware: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !strings.Contains(r.URL.Path, "/pre-qualify/") {
					next.ServeHTTP(w, r)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"status":"OFFERS","product":"HELOC","offers":[]}`)
			})
		}})
	got := h.SignInAs("olivia").Send(estimateForm(h.SignInAs("olivia")))
	got.WantText("The lender’s response has no estimate.", "Its status is “Offers”.")
	if strings.Contains(got.MainText(), "The lender has no estimate") {
		t.Error("the page says that the lender has none")
	}
}

func TestEstimate_SelfAttested_Complete(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change []string
		want   string
	}{
		{"no score", []string{"fico", ""}, "fico"},
		{"two digits", []string{"fico", "74"}, "fico"},
		{"no expenses", []string{"monthlyExpenses", ""}, "monthlyExpenses"},
		{"no value", []string{"propertyValue", ""}, "propertyValue"},
		{"no answer about the mortgage", []string{"currentMortgageBalances", ""}, "currentMortgageBalances"},
		{"both answers about the mortgage", []string{"monthlyMortgagePayment", "1,318"}, "monthlyMortgagePayment"},
		{"cents in a whole amount", []string{"amountToBorrow", "60,000.50"}, "amountToBorrow"},
		{"no answer about advertising", []string{"remarketingAllowed", ""}, "remarketingAllowed"},
		{"the payment instead", []string{"currentMortgageBalances", "", "monthlyMortgagePayment", "1,318"}, ""},
		{"no mortgage", []string{"currentMortgageBalances", "0"}, ""},
		{"nothing attested", []string{"fico", "", "monthlyExpenses", "", "propertyValue", "", "currentMortgageBalances", ""},
			""},
	} {
		values := url.Values{
			"propertyValue": {"560000"}, "currentMortgageBalances": {"203900"}, "monthlyExpenses": {"2100"}, "fico": {"740"},
			"amountToBorrow": {"60000"}, "remarketingAllowed": {"true"},
		}
		for i := 0; i < len(tt.change); i += 2 {
			values.Set(tt.change[i], tt.change[i+1])
		}
		f := &form.Form{Values: values, Corrections: map[string]string{}}
		p := intake.Prequalification(f, false, "2026-11-22")
		var wrong []string
		for _, w := range f.FieldErrors {
			wrong = append(wrong, w.Name)
		}
		if got := strings.Join(wrong, " "); got != tt.want {
			t.Errorf("%s: got errors %q, want %q", tt.name, got, tt.want)
		}
		if p.RemarketingAllowed != (values.Get("remarketingAllowed") == "true") || p.SMSOptIn || p.PrivacyOptIn {
			t.Errorf("%s: the consents do not match: %+v", tt.name, p)
		}
	}
}

// Every field of section 4.20 reaches the lender, in both dialects; the SSN only encrypted, and never the page again.
func TestEstimate_AllFields_SentAndSSNNeverShown(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		for _, plain := range []bool{false, true} {
			access := webtest.EstimateAccess()
			access.Unencrypted = plain
			h := webtest.New(t, webtest.Options{Dialect: dialect, Estimate: access})
			olivia := h.SignInAs("olivia")
			form := estimateForm(olivia,
				"suffix", "Jr", "dob", "5/17/79", "selfCreditRating", "GOOD", "employmentStatus",
				"MILITARY", "address.type", "SECONDARY", "address.ownership", "TRUST",
				"address.ownerLegalName", "Núñez Family Trust", "mailingAddress.street1", "PO Box 12", "mailingAddress.zip",
				"83701", "mailingAddress.city", "Boise", "mailingAddress.state", "ID",
				"leadId", "L-77", "campaignName", "spring", "campaignSubSource", "radio", "queryParams", "a=b")
			if _, offered := form.Values["ssn"]; offered == plain {
				t.Errorf("%s, plain %v: the SSN is offered: %v", dialect, plain, offered)
			}
			if got := olivia.Send(form); got.Find("#answer").Length() != 1 {
				t.Errorf("%s, plain %v: got %d: %s", dialect, plain, got.Status, got.MainText())
			}
			got := olivia.Send(estimateForm(olivia, "ssn", "123-45-6789"))
			if got.WantNoText([]string{"123-45-6789", "123456789"}); plain {
				got.WantText("Estimates aren’t encrypted here, so the SSN can’t be sent. Nothing was sent.")
			} else if got.Find("#answer").Length() != 1 {
				t.Errorf("%s: with an SSN: got %d: %s", dialect, got.Status, got.MainText())
			}
			got = olivia.Send(estimateForm(olivia, "ssn", "123-45-6789", "fico", "900"))
			if got.WantNoText([]string{"123-45-6789"}); got.Status != http.StatusUnprocessableEntity ||
				got.Form("form#estimate").Values.Get("fico") != "900" {
				t.Errorf("%s: with an error: got %d", dialect, got.Status)
			}
		}
	}
}

func TestPrequalification_NewFields_Parsed(t *testing.T) {
	t.Parallel()
	f := &form.Form{Corrections: map[string]string{}, Values: url.Values{
		"suffix": {"Jr."}, "dob": {"5/17/79"}, "selfCreditRating": {"GOOD"},
		"employmentStatus": {"MILITARY"}, "address.type": {"SECONDARY"}, "ssn": {"123456789"},
		"mailingAddress.street1": {"PO Box 12"}, "mailingAddress.zip": {"83701-0012"}, "leadId": {"L-77"},
		"campaignName": {"spring"}, "campaignSubSource": {"radio"}, "remarketingAllowed": {"false"},
	}}
	p := intake.Prequalification(f, false, "2026-11-22")
	if f.HasErrors() || p.Suffix != "Jr" || p.DateOfBirth != "1979-05-17" || p.SelfCreditRating != "GOOD" ||
		p.EmploymentStatus != "MILITARY" || p.LeadID != "L-77" ||
		p.CampaignName != "spring" || p.CampaignSubSource != "radio" || p.SSN.Reveal() != "123-45-6789" ||
		p.Address.Type != "SECONDARY" ||
		p.MailingAddress.Type != "MAILING" || p.MailingAddress.Street1 != "PO Box 12" ||
		p.MailingAddress.ZIP != "83701-0012" {
		t.Errorf("got %+v, %v", p, f.FieldErrors)
	}
	for name, value := range map[string]string{"selfCreditRating": "BRILLIANT", "employmentStatus": "FULL_TIME",
		"address.type": "CASTLE", "dob": "5/17/15", "ssn": "12-3"} {
		f := &form.Form{Values: url.Values{name: {value}, "remarketingAllowed": {"true"}}, Corrections: map[string]string{}}
		if intake.Prequalification(f, false, "2026-11-22"); len(f.FieldErrors) != 1 || f.FieldErrors[0].Name != name {
			t.Errorf("%s: got %v", name, f.FieldErrors)
		}
	}
}

// Leaving a field checks what was typed, and sends and stores nothing.
func TestEstimate_Check_NamesProblemsAndPlaces(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Estimate: webtest.EstimateAccess()})
	olivia := h.SignInAs("olivia")
	form := estimateForm(olivia, "fico", "900", "phone", "555", "propertyValue", "", "address.city", "", "make", "check")
	got := olivia.Post(form.Action, form.Values, "HX-Request", "true", "HX-Request-Type", "full")
	var status view.DraftStatus
	if err := json.Unmarshal([]byte(got.Body), &status); err != nil || got.Status != http.StatusOK {
		t.Fatalf("got %d, %v: %s", got.Status, err, got.Body)
	}
	if len(status.Problems) != 2 || len(status.Places) != 1 || status.Places[0].City != "Boise" ||
		len(status.Corrections) != 1 {
		t.Errorf("got %+v", status)
	}
	if calls := h.LenderCallCount("pre-qualify"); calls != 0 {
		t.Errorf("the lender got %d calls", calls)
	}
}

func TestEstimate_SavedAsDraft(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Estimate: webtest.EstimateAccess()})
	olivia := h.SignInAs("olivia")
	draft := olivia.Send(estimateForm(olivia, "make", "draft", "suffix", "Sr", "dob", "5/17/1979", "address.type",
		"SECONDARY", "employmentStatus", "RETIRED", "leadId", "L-77", "campaignName", "spring", "ssn", "123-45-6789"))
	if draft.Path != "/leads/new" {
		t.Fatalf("got %s (%d): %s", draft.Path, draft.Status, draft.MainText())
	}
	form := draft.Form("form#intake")
	for name, want := range map[string]string{
		"applicant.name.firstName": "Elena", "applicant.name.lastName": "Núñez",
		"property.address.street1": "2216 Larkspur Ave", "property.address.state": "ID",
		"property.borrowerEstimatedValue": "$560,000", "amountWanted": "60,000",
		"applicant.income.grossAnnualIncome": "124,600", "property.liens.0.currentBalance": "203,900", "homeIsProperty": "",
		"applicant.name.suffix": "Sr", "applicant.dob": "5/17/1979", "property.propertyType": "SECONDARY",
		"applicant.income.employmentType": "RETIRED", "partnerDataRequest.externalReferenceId": "L-77",
		"partnerDataRequest.utmParameters.campaign": "spring", "applicant.ssn": "",
	} {
		if got := form.Values.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if calls := h.LenderCallCount("pre-qualify"); calls != 0 {
		t.Errorf("a draft caused %d lender calls", calls)
	}
}

func TestEstimate_Disabled_404(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	if got := olivia.Get("/prequalify"); got.Status != http.StatusNotFound {
		t.Errorf("got %d, want 404", got.Status)
	}
	if strings.Contains(olivia.Get("/leads").Body, "Quick estimate") {
		t.Error("the navigation links to a page that does not exist")
	}
}

func TestEstimate_LostResponse_NotRetried(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Estimate: webtest.EstimateAccess()})
	olivia := h.SignInAs("olivia")
	got := olivia.Send(estimateForm(olivia, "lastName", "Rivera-Lost"))
	if !strings.HasPrefix(got.Path, "/operations/") {
		t.Fatalf("got %s (%d), want the receipt", got.Path, got.Status)
	}
	got.WantText("Quick estimate", "not confirmed", "none received",
		"You can request it again: an estimate changes nothing.")
	got.WantNoText([]string{"still checking", "submit it twice"}) // it belongs to no lead, so nothing can tell
	if text := got.Text(); strings.Count(text, "You can request it again") != 1 ||
		strings.Contains(text, "Mark as not received") || strings.Contains(text, "stop checking") {
		t.Errorf("an estimate needs no decision, and says once that it can be requested again: %s", got.MainText())
	}
	ops, err := h.Store.OperationsIn(t.Context(), lead.OpUnknown, 5)
	if err != nil || len(ops) != 1 || ops[0].Kind != heloc.OpPrequalify {
		t.Errorf("got %+v, %v; want one unknown estimate", ops, err)
	}
	h.SignInAs("admin").Get("/admin/health").WantText("Submissions not confirmed0") // nobody has to confirm an estimate
	if calls := h.LenderCallCount("pre-qualify"); calls != 1 {
		t.Errorf("the lender got %d calls, want one", calls)
	}
	if got := olivia.Send(estimateForm(olivia, "lastName", "Rivera-Down")); got.Status != http.StatusOK &&
		got.Status != http.StatusServiceUnavailable && !strings.HasPrefix(got.Path, "/operations/") {
		t.Errorf("a lender that is down: got %s %d", got.Path, got.Status)
	}
}

func FuzzPrequalification(f *testing.F) {
	f.Add("Elena", "$560,000", "740", "ID")
	f.Add("O'Brien-Núñez", "-1", "0740", "idaho")
	f.Fuzz(func(t *testing.T, name, amount, score, state string) {
		values := url.Values{"firstName": {name}, "propertyValue": {amount}, "amountToBorrow": {amount}, "fico": {score},
			"address.state": {state}, "remarketingAllowed": {state}}
		parsed := &form.Form{Values: values, Corrections: map[string]string{}}
		p := intake.Prequalification(parsed, true, "2026-11-22")
		if p.FICO != nil && (*p.FICO < intake.MinScore || *p.FICO > intake.MaxScore) {
			t.Errorf("the score %d was accepted", *p.FICO)
		}
		intake.EstimateDraftValues(parsed)
	})
}
