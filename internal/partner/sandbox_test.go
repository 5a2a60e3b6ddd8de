package partner_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/jwe"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/pii"
	"hearthline/internal/sandbox"
)

// harness is a client and the sandbox lender that it calls over HTTP.
type harness struct {
	*partner.Client
	t      *testing.T
	lender *sandbox.Sandbox
	olivia heloc.OriginatorID

	mu       sync.Mutex
	calls    []string
	webhooks chan []byte
}

// newHarness starts a sandbox lender and a client of the same dialect. Responses with borrower
// data, and webhooks, are encrypted for the client.
func newHarness(t *testing.T, dialect partner.Dialect, local bool) *harness {
	t.Helper()
	pem, err := os.ReadFile("../jwe/testdata/private.pem")
	if err != nil {
		t.Fatal(err)
	}
	opener, err := jwe.NewOpener(pem)
	if err != nil {
		t.Fatal(err)
	}
	d := &harness{t: t, webhooks: make(chan []byte, 100)}
	hooks := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		d.webhooks <- body
	}))
	t.Cleanup(hooks.Close)
	d.lender, err = sandbox.Open(sandbox.Config{
		Dir: t.TempDir(), Dialect: sandbox.Dialect(dialect), WebhookURL: hooks.URL,
		PrivateKeyFile: "../jwe/testdata/private.pem", PartnerPublicKey: opener.PublicPEM(),
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(d.lender.Handler())
	t.Cleanup(func() {
		server.Close()
		if err := d.lender.Close(); err != nil {
			t.Error(err)
		}
	})
	cfg := partner.Config{
		BaseURL: server.URL, Dialect: dialect, Opener: opener, Version: "test",
		APIKeys: func() []string { return []string{"rotated", sandbox.DefaultAPIKey} },
		Observe: func(c partner.Call) {
			d.mu.Lock()
			defer d.mu.Unlock()
			if c.Status == http.StatusOK {
				d.calls = append(d.calls, c.Endpoint)
			}
		},
	}
	if local {
		if cfg.Sealer, err = jwe.NewLocalSealer(d.lender.PublicKeyPEM()); err != nil {
			t.Fatal(err)
		}
	}
	if d.Client, err = partner.New(cfg); err != nil {
		t.Fatal(err)
	}
	page := must(d.Originators(t.Context(), partner.OriginatorQuery{Emails: []string{"olivia@summit.test"}}))(t)
	if len(page.Value.Originators) != 1 {
		t.Fatalf("got %d originators for one email, want 1", len(page.Value.Originators))
	}
	d.olivia = page.Value.Originators[0].ID
	return d
}

func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatalf("%v: %s", err, fault.Public(err))
		}
		return v
	}
}

func (h *harness) startRequest(lastName string) partner.Start {
	home := heloc.Address{Street1: "418 Alder Way", City: "Golden", State: "CO", ZIP: "80401"}
	dollars := func(n int64) *heloc.Money { return new(heloc.Dollars(n)) }
	return partner.Start{
		Originator: h.olivia, Reference: "hl-01JROUNDTRIP",
		Inquiry: heloc.Inquiry{
			Applicant: heloc.Applicant{
				Name: heloc.Name{First: "Elena", Last: lastName}, DateOfBirth: "1984-03-09", Phone: "3035550142",
				Email: "elena@borrower.test", HomeAddress: home,
				Income: heloc.Income{EmploymentType: heloc.EmploymentFullTime, GrossAnnual: dollars(128_000)},
			},
			Property: heloc.Property{
				Address: home, PropertyType: heloc.PropertyPrimary, IsListedForSale: new(false), OwnershipType: heloc.OwnershipSole,
				EstimatedValue: dollars(640_000),
				Liens: []heloc.LienInput{{OriginationDate: "2019-05-01", LenderName: "Meridian Home Loans",
					OriginalBalance: dollars(310_000), CurrentBalance: dollars(262_000), MonthlyPayment: dollars(1_640)}},
			},
			PartnerData: &heloc.PartnerData{ReferenceID: "R-7"},
		},
	}
}

// waitForStep reads the details until they have the step; processing takes a moment, and a
// webhook reports each change.
func (h *harness) waitForStep(app heloc.AppID, want heloc.Step) heloc.Details {
	h.t.Helper()
	for deadline := time.After(10 * time.Second); ; {
		got := must(h.Details(h.t.Context(), app, partner.Conditions, partner.FundingReport))(h.t).Value
		if got.App.NextInquiryStep == want {
			return got
		}
		select {
		case <-h.webhooks:
		case <-deadline:
			h.t.Fatalf("step = %s, want %s", got.App.NextInquiryStep, want)
		}
	}
}

func dialects() []partner.Dialect { return []partner.Dialect{partner.Documented, partner.Live} }

// One inquiry goes through every blocker, which covers all but a few endpoints.
func TestEndpoints_AgainstSandbox(t *testing.T) {
	t.Parallel()
	for _, dialect := range dialects() {
		t.Run(string(dialect), func(t *testing.T) {
			d := newHarness(t, dialect, true)
			app := d.resolveBlockedSteps()
			d.checkOffers(app)
			d.checkDocuments(app)
			d.checkRemaining()
			d.mu.Lock()
			defer d.mu.Unlock()
			for _, endpoint := range []string{
				"start", "calculate-offers", "details", "select-offer", "cancel", "attributions", "reassign",
				"direct-debt-payoff-offers", "properties", "select-property", "add-ssn", "repull-credit", "verify-liens",
				"add-income", "asset-depletion", "add-property-estimate", "document-list", "document", "documents-zip",
				"pre-qualify", "loan-originator", "encrypt", "borrower-costs",
			} {
				optional := dialect == partner.Live && endpoint == "calculate-offers" ||
					dialect == partner.Documented && endpoint == "borrower-costs"
				if !slices.Contains(d.calls, endpoint) && !optional {
					t.Errorf("no successful call of %s", endpoint)
				}
			}
		})
	}
}

func (h *harness) resolveBlockedSteps() heloc.AppID {
	t, ctx := h.t, h.t.Context()
	app := must(h.Start(ctx, h.startRequest("Rivera-Match-Frozen-Liens-Assets-Payoff-Value-Unit")))(t).AppUUID
	first := h.waitForStep(app, heloc.StepCreditMatch)
	if got := h.Reference(first.App.Integrations); got != "hl-01JROUNDTRIP" {
		t.Errorf("the echo is %q, want hl-01JROUNDTRIP", got)
	}
	must(h.AddSSN(ctx, app, h.olivia, pii.Wrap("123456789")))(t)
	h.waitForStep(app, heloc.StepUnfreezeCredit)
	if err := h.lender.Play(app, "thaw"); err != nil {
		t.Fatal(err)
	}
	must(h.RepullCredit(ctx, app, h.olivia))(t)
	found := h.waitForStep(app, heloc.StepLienMatching).App.Liens
	if len(found) == 0 {
		t.Error("got no detected liens")
	}
	liens := []heloc.LienInput{{OriginationDate: "2020-01-02", LenderName: "Added Bank",
		OriginalBalance: new(heloc.Dollars(1_000))}}
	for _, lien := range found {
		liens = append(liens, heloc.LienInput{LienUUID: lien.LienUUID, OriginationDate: lien.OriginationDate,
			LenderName: lien.LenderName, OriginalBalance: lien.OriginalBalance, CurrentBalance: lien.CurrentBalance})
	}
	must(h.VerifyLiens(ctx, app, h.olivia, liens))(t)
	h.waitForStep(app, heloc.StepMoreAssets)
	income := h.startRequest("").Inquiry.Applicant.Income
	must(h.AddIncome(ctx, app, h.olivia, income))(t)
	debts := h.waitForStep(app, heloc.StepPayoff).App.Payoff.Existing
	if debts == nil || len(debts.Eligible) == 0 {
		t.Fatal("got no debts to pay off")
	}
	must(h.AssetDepletion(ctx, app, h.olivia,
		heloc.AssetDepletion{Income: income, AccountsToPayoff: []string{debts.Eligible[0].ID}}))(t)
	h.waitForStep(app, heloc.StepPropertyValue)
	must(h.AddPropertyEstimate(ctx, app, h.olivia, heloc.Dollars(640_000)))(t)
	h.waitForStep(app, heloc.StepSelectProperty)
	units := must(h.Properties(ctx, app))(t).Value.Properties
	if len(units) < 2 {
		t.Fatalf("got %d units", len(units))
	}
	must(h.SelectProperty(ctx, app, h.olivia, units[1].ID))(t)
	return app
}

func (h *harness) checkOffers(app heloc.AppID) {
	t, ctx := h.t, h.t.Context()
	details := h.waitForStep(app, heloc.StepOffersAvailable)
	offers := details.App.Underwriting.Offers
	if len(offers) == 0 || offers[0].Rate == nil || offers[0].Term == nil || offers[0].MaxAmount == nil ||
		len(offers[0].Discounts) == 0 {
		t.Fatalf("offers = %+v", offers)
	}
	for _, offer := range offers {
		if offer.RateType == "VARIABLE" {
			t.Error("got rate type VARIABLE, want FLOATING")
		}
	}
	amount := *offers[0].MaxAmount / 2
	quote, err := h.Quote(ctx, app, heloc.QuoteRequest{Amount: &amount, AutopayDiscount: true})
	if err == nil && len(quote.Value.Offers) == 0 ||
		err != nil && (h.Dialect() != partner.Live || !fault.Is(err, fault.NotFound)) {
		t.Errorf("quote = %+v, %v", quote, err)
	}
	costs, err := h.BorrowerCosts(ctx, app, offers[0].UUID, amount)
	if err == nil && len(costs.Value.Fixed) == 0 ||
		err != nil && (h.Dialect() != partner.Documented || !fault.Is(err, fault.NotFound)) {
		t.Errorf("costs = %+v, %v", costs, err)
	}
	account := details.App.Payoff.Existing.Eligible[0].ID
	must(h.PayoffOffers(ctx, app, []string{account}))(t)
	must(h.SelectOffer(ctx, app, h.olivia, heloc.OfferSelection{
		OfferUUID: offers[0].UUID, Amount: amount, Discounts: []string{string(offers[0].Discounts[0].Type)},
	}))(t)
	selected := h.waitForStep(app, heloc.StepBorrowerAuth).App.Underwriting.SelectedOffer
	if selected == nil || selected.OfferUUID != offers[0].UUID || len(selected.SelectedDiscounts) != 1 ||
		selected.MonthlyPayment == nil {
		t.Errorf("selected = %+v", selected)
	}
}

func (h *harness) checkDocuments(app heloc.AppID) {
	t, ctx := h.t, h.t.Context()
	documents := must(h.Documents(ctx, app))(t).Value
	if len(documents) == 0 {
		t.Fatal("got no documents")
	}
	one := must(h.Document(ctx, app, documents[0]))(t)
	if body, err := io.ReadAll(one.Body); err != nil || !strings.HasPrefix(string(body), "%PDF") ||
		one.ContentType != "application/pdf" {
		t.Errorf("document: %d bytes of %s, %v", len(body), one.ContentType, err)
	}
	_ = one.Body.Close()
	zip := must(h.DocumentsZip(ctx, app))(t)
	if body, err := io.ReadAll(zip.Body); err != nil || !strings.HasPrefix(string(body), "PK") {
		t.Errorf("zip: %d bytes, %v", len(body), err)
	}
	_ = zip.Body.Close()

	must(h.SetAttributions(ctx, app, h.olivia, heloc.Attributions{
		Source: heloc.Attribution{Change: true, Value: "crm"}, ReferenceID: heloc.Attribution{Change: true},
	}))(t)
	marcus := must(h.Originators(ctx, partner.OriginatorQuery{
		Emails: []string{"marcus@summit.test"},
	}))(t).Value.Originators[0].ID
	must(h.Reassign(ctx, app, marcus))(t)
	after := must(h.Details(ctx, app))(t).Value
	if after.Originator.UUID != marcus || after.App.UTM.Source != "crm" || after.App.Integrations.ReferenceID != "" {
		t.Errorf("after: %s, %+v, %+v", after.Originator.UUID, after.App.UTM, after.App.Integrations)
	}
	signers := must(h.Signers(ctx, app))(t).Value
	if signers.Primary.FirstName != "Elena" || signers.Primary.Email != "elena@borrower.test" ||
		signers.Primary.DateOfBirth != "1984-03-09" {
		t.Errorf("signers = %+v", signers)
	}
}

func (h *harness) checkRemaining() {
	t, ctx := h.t, h.t.Context()
	second := must(h.Start(ctx, h.startRequest("Rivera-None")))(t).AppUUID
	h.waitForStep(second, heloc.StepNoOffers)
	must(h.Cancel(ctx, second, h.olivia))(t)
	if closed := h.waitForStep(second, heloc.StepClosed); closed.App.KeyDates.Canceled == "" {
		t.Error("the canceled inquiry has no cancellation date")
	}
	if _, err := h.Cancel(ctx, second, h.olivia); verdictOf(err) != lead.OpRejected {
		t.Errorf("second cancel: got %v, want a rejection", err)
	}
	ask := heloc.Prequalification{
		AffiliateID: "33333333-3333-4333-8333-333333333333", FirstName: "Elena", LastName: "Rivera",
		Email: "elena@borrower.test",
		Address: &heloc.PrequalifyAddress{
			Address: heloc.Address{Street1: "418 Alder Way", City: "Golden", State: "CO", ZIP: "80401"}, Type: "HOME",
		},
		RequestType: "OFFERS", RemarketingAllowed: true, PrivacyOptIn: true,
		LoanPurpose: "HOME_IMPROVEMENT", HouseholdIncome: new(heloc.Dollars(128_000)),
		AmountToBorrow: new(heloc.Count(100_000)), FICO: new(heloc.Count(740)), MonthlyExpenses: new(heloc.Dollars(2_000)),
		MortgageBalances: new(heloc.Count(262_000)), PropertyValue: new(heloc.Dollars(640_000)),
	}
	for name, prequalify := range map[string]func(context.Context,
		heloc.Prequalification) (partner.Result[heloc.Estimate], error){
		"v2": h.Prequalify, "v1": h.PrequalifyPlain,
	} {
		if got := must(prequalify(ctx, ask))(t).Value; got.Status != "OFFERS" || len(got.Offers) == 0 ||
			got.Offers[0].APR == nil {
			t.Errorf("%s: estimate = %+v", name, got)
		}
	}
	if compact := must(h.Seal(ctx, []byte(`{"a":1}`)))(t); !jwe.LooksEncrypted([]byte(compact)) {
		t.Errorf("sealed = %q", compact)
	}
	if _, err := h.Details(ctx, "99999999-9999-4999-8999-999999999999"); !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown application: %v", err)
	}
}

func TestStart_ResponseLost_VerdictUnknown(t *testing.T) {
	t.Parallel()
	for _, dialect := range dialects() {
		d := newHarness(t, dialect, false) // through the encrypt endpoint
		_, err := d.Start(t.Context(), d.startRequest("Rivera-Lost"))
		if verdictOf(err) != lead.OpUnknown {
			t.Errorf("%s: lost: %v", dialect, err)
		}
		_, err = d.Start(t.Context(), d.startRequest("Rivera-Down"))
		if verdictOf(err) != lead.OpUnknown {
			t.Errorf("%s: down: %v", dialect, err)
		}
		inquiries := d.lender.Inquiries()
		if len(inquiries) != 1 {
			t.Fatalf("%s: the lender has %d inquiries, want only the one whose response was lost", dialect, len(inquiries))
		}
		// The webhook and the echo identify it.
		app, err := d.WebhookAppID(<-d.webhooks)
		if err != nil || string(app) != string(inquiries[0].AppUUID) {
			t.Fatalf("%s: webhook app id = %s, %v", dialect, app, err)
		}
		details := must(d.Details(t.Context(), app))(t)
		if got := d.Reference(details.Value.App.Integrations); got != "hl-01JROUNDTRIP" {
			t.Errorf("%s: the echo is %q, want hl-01JROUNDTRIP", dialect, got)
		}
		_, err = d.Start(t.Context(), partner.Start{Originator: "99999999-9999-4999-8999-999999999999",
			Inquiry: d.startRequest("Rivera").Inquiry})
		if verdictOf(err) != lead.OpRejected || !fault.Is(err, fault.Upstream) {
			t.Errorf("%s: start by an unknown originator: %v", dialect, err)
		}
	}
}

// verdictOf returns the journal's verdict on a write with this error.
func verdictOf(err error) lead.OpState {
	return journal.VerdictOf(partner.ResultOf(partner.WriteResult{Status: http.StatusOK}, err))
}
