package intake_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/web/form"
	"hearthline/web/intake"
	"hearthline/web/webtest"
)

// estimateForm returns a complete form for an estimate.
func estimateForm(v *webtest.Browser, more ...string) webtest.Form {
	v.H.T.Helper()
	return v.Get("/prequalify").Form("form#estimate").With(append([]string{
		"firstName", "Elena", "lastName", "Núñez", "address.street1", "2216 Larkspur Ave", "address.city", "Boise", "address.state", "ID", "address.zip", "83702",
		"propertyValue", "$560,000", "currentMortgageBalances", "203,900", "monthlyExpenses", "2,100", "fico", "740", "amountToBorrow", "60,000",
		"householdIncome", "124,600", "loanPurpose", "HOME_IMPROVEMENT", "remarketingAllowed", "false",
	}, more...)...)
}

func TestEstimate_BothDialectsAndVersions(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"documented", "live"} {
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
	got.WantText("No offers for these figures.")
	for _, never := range []string{"denied", "declined", "rejected"} {
		if strings.Contains(strings.ToLower(got.MainText()), never) {
			t.Errorf("the page contains %q", never)
		}
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
		{"nothing attested", []string{"fico", "", "monthlyExpenses", "", "propertyValue", "", "currentMortgageBalances", ""}, ""},
	} {
		values := url.Values{
			"propertyValue": {"560000"}, "currentMortgageBalances": {"203900"}, "monthlyExpenses": {"2100"}, "fico": {"740"}, "amountToBorrow": {"60000"}, "remarketingAllowed": {"true"},
		}
		for i := 0; i < len(tt.change); i += 2 {
			values.Set(tt.change[i], tt.change[i+1])
		}
		f := &form.Form{Values: values, Corrections: map[string]string{}}
		p := intake.Prequalification(f, false)
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

func TestEstimate_SavedAsDraft(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Estimate: webtest.EstimateAccess()})
	olivia := h.SignInAs("olivia")
	draft := olivia.Send(estimateForm(olivia, "make", "draft"))
	if draft.Path != "/leads/new" {
		t.Fatalf("got %s (%d): %s", draft.Path, draft.Status, draft.MainText())
	}
	form := draft.Form("form#intake")
	for name, want := range map[string]string{
		"applicant.name.firstName": "Elena", "applicant.name.lastName": "Núñez", "property.address.street1": "2216 Larkspur Ave", "property.address.state": "ID",
		"property.borrowerEstimatedValue": "$560,000", "amountWanted": "60,000", "applicant.income.grossAnnualIncome": "124,600",
		"property.liens.0.currentBalance": "203,900", "homeIsProperty": "true",
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
	got.WantText("Quick estimate", "not confirmed")
	ops, err := h.Store.OperationsIn(t.Context(), lead.OpUnknown, 5)
	if err != nil || len(ops) != 1 || ops[0].Kind != heloc.OpPrequalify {
		t.Errorf("got %+v, %v; want one unknown estimate", ops, err)
	}
	if calls := h.LenderCallCount("pre-qualify"); calls != 1 {
		t.Errorf("the lender got %d calls, want one", calls)
	}
	if got := olivia.Send(estimateForm(olivia, "lastName", "Rivera-Down")); got.Status != http.StatusOK && got.Status != http.StatusServiceUnavailable && !strings.HasPrefix(got.Path, "/operations/") {
		t.Errorf("a lender that is down: got %s %d", got.Path, got.Status)
	}
}

func FuzzPrequalification(f *testing.F) {
	f.Add("Elena", "$560,000", "740", "ID")
	f.Add("O'Brien-Núñez", "-1", "0740", "idaho")
	f.Fuzz(func(t *testing.T, name, amount, score, state string) {
		values := url.Values{"firstName": {name}, "propertyValue": {amount}, "amountToBorrow": {amount}, "fico": {score}, "address.state": {state}, "remarketingAllowed": {state}}
		parsed := &form.Form{Values: values, Corrections: map[string]string{}}
		p := intake.Prequalification(parsed, true)
		if p.FICO != nil && (*p.FICO < intake.MinScore || *p.FICO > intake.MaxScore) {
			t.Errorf("the score %d was accepted", *p.FICO)
		}
		intake.EstimateDraftValues(parsed)
	})
}
