package web_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/web/intake"
	"hearthline/web/webtest"
)

// TestMainJob_PlainForms is an originator's working day, in both dialects.
func TestMainJob_PlainForms(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			h := webtest.New(t, webtest.Options{Dialect: dialect})
			olivia := h.SignInAs("olivia")
			lead := olivia.StartLead("Rivera")
			page := olivia.WaitFor(lead, `input[name="offer.offerUuid"]`)
			page.WantText("Elena Rivera", "Offers ready", "Boise, ID")
			if title := page.Find("title").Text(); title != "Offers ready · Elena Rivera · Hearthline" {
				t.Errorf("the title is %q", title)
			}
			form := page.Form(`form[action$="/select-offer"]`)
			if got := form.Values.Get("offer.selectedOfferAmount"); got != "60,000" {
				t.Errorf("the grid has %q, want the amount that the borrower requested", got)
			}
			if got := form.Values.Get("offer.offerUuid"); got != "" {
				t.Errorf("the offer %q is chosen before the user chose one", got)
			}
			form = form.With("offer.offerUuid", page.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", ""))
			refused := olivia.Send(form)
			if refused.Status != http.StatusUnprocessableEntity {
				t.Errorf("an unconfirmed selection: got %d, want 422", refused.Status)
			}
			again := refused.Form(`form[action$="/select-offer"]`)
			if again.Values.Get("operation") != form.Values.Get("operation") ||
				again.Values.Get("offer.offerUuid") != form.Values.Get("offer.offerUuid") {
				t.Error("the redisplayed form has another operation id, or lost the choice")
			}
			chosen := olivia.Send(again.With("confirm.offer", "true"))
			if chosen.Path != lead || chosen.Status != http.StatusOK {
				t.Fatalf("the selection led to %s (%d): %s", chosen.Path, chosen.Status, chosen.MainText())
			}
			app := heloc.AppID(strings.TrimPrefix(lead, "/leads/"))
			playAtStep(h, app, heloc.StepBorrowerAuth, "borrower-signs-in")
			playAtStep(h, app, heloc.StepBrokerDocSigning, "documents-signed")
			olivia.Post(lead+"/refresh", nil)
			papers := olivia.WaitFor(lead+"/documents", `a[href*="/documents/"][href*="-"]`)
			href := papers.Find(`a[href*="/documents/"]`).First().AttrOr("href", "")
			pdf := olivia.Get(href)
			if !strings.HasPrefix(pdf.Body, "%PDF-") || pdf.Header.Get("Content-Security-Policy") != webtest.PDFCSP ||
				!strings.HasPrefix(pdf.Header.Get("Content-Disposition"), "inline") ||
				pdf.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("the document: %d %v", pdf.Status, pdf.Header)
			}
			zip := olivia.Get(lead + "/documents.zip")
			if !strings.HasPrefix(zip.Body, "PK") || !strings.HasPrefix(zip.Header.Get("Content-Disposition"), "attachment") ||
				zip.Header.Get("Content-Security-Policy") != webtest.DownloadCSP {
				t.Errorf("the zip: %d %v", zip.Status, zip.Header)
			}
			olivia.Get("/leads?q=rivera").WantText("Elena Rivera")
		})
	}
}

// playAtStep waits until the lender is at a step and then plays an event.
func playAtStep(h *webtest.Harness, app heloc.AppID, at heloc.Step, event string) {
	h.T.Helper()
	h.WaitUntil(string(at), func() bool {
		for _, q := range h.Sandbox.Inquiries() {
			if q.AppUUID == app {
				return q.NextInquiryStep == at
			}
		}
		return false
	})
	if err := h.Sandbox.Play(app, event); err != nil {
		h.T.Fatal(err)
	}
}

// TestBlockedSteps_ResolvedByForms covers the sandbox's triggers.
func TestBlockedSteps_ResolvedByForms(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			h := webtest.New(t, webtest.Options{Dialect: dialect})
			olivia := h.SignInAs("olivia")
			for _, step := range []struct {
				trigger, act string
				fill         func(p *webtest.Response, f webtest.Form) webtest.Form
			}{
				{"Match", "add-ssn", func(_ *webtest.Response, f webtest.Form) webtest.Form {
					return f.With("applicant.ssn", "123 45 6789")
				}},
				{"Frozen", "repull-credit", func(_ *webtest.Response, f webtest.Form) webtest.Form {
					return f.With("consent.attested", "true", "consent.method", "in-person")
				}},
				{"Liens", "verify-liens", func(_ *webtest.Response, f webtest.Form) webtest.Form { return f }},
				{"Assets", "asset-depletion", func(_ *webtest.Response, f webtest.Form) webtest.Form {
					return f.With("income.employmentType", "RETIRED", "income.grossAnnualIncome", "0",
						"income.annualRetirementIncome", "60,000", "income.savingsAmount", "250,000")
				}},
				{"Payoff", "asset-depletion", func(p *webtest.Response, f webtest.Form) webtest.Form {
					id := p.Find(`input[name="liabilityPayoff.selectedAccountsToPayoff"]:not([disabled])`).First().AttrOr("value", "")
					return f.With("liabilityPayoff.selectedAccountsToPayoff", id)
				}},
				{"Value", "add-property-estimate", func(_ *webtest.Response, f webtest.Form) webtest.Form {
					return f.With("propertyEstimate.borrowerEstimatedValue", "$610,000")
				}},
				{"Unit", "select-property", func(p *webtest.Response, f webtest.Form) webtest.Form {
					return f.With("property.propertyId", p.Find(`input[name="property.propertyId"]`).Last().AttrOr("value", ""))
				}},
			} {
				t.Run(step.trigger, func(t *testing.T) {
					lead := olivia.StartLead("Rivera-"+step.trigger, "property.address.street1", "1"+step.trigger[:1]+" Alder Way")
					for attempt := range 3 {
						page := olivia.WaitFor(lead, `form[action$="/`+step.act+`"], input[name="offer.offerUuid"]`)
						if page.Find(`input[name="offer.offerUuid"]`).Length() > 0 {
							if attempt == 0 {
								t.Error("the lead was not blocked")
							}
							return
						}
						got := olivia.Send(step.fill(page, page.Form(`form[action$="/`+step.act+`"]`)))
						if got.Path != lead || got.Status != http.StatusOK {
							t.Fatalf("%s led to %s (%d): %s", step.act, got.Path, got.Status, got.MainText())
						}
					}
					olivia.WaitFor(lead, `input[name="offer.offerUuid"]`)
				})
			}
		})
	}
}

// TestIncome_NoAmount_422: the lender needs an amount or a debt.
func TestIncome_NoAmount_422(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera-Assets")
	card := olivia.WaitFor(lead, `form#form-asset-depletion`)
	for _, act := range []string{"asset-depletion", "add-income"} {
		got := olivia.Send(card.Form(`form#form-`+act).With("income.employmentType", "RETIRED"))
		if got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s with only an employment: got %d, want 422", act, got.Status)
		}
		got.WantText("Enter income or savings")
		if selected := got.Find(`form#form-`+act+` [name="income.employmentType"] option[selected]`).
			AttrOr("value", ""); selected != "RETIRED" {
			t.Errorf("%s: the chosen employment came back as %q", act, selected)
		}
	}
	if asked := h.LenderCallCount("/asset-depletion") + h.LenderCallCount("/add-income"); asked != 0 {
		t.Errorf("the lender got %d calls", asked)
	}
	got := olivia.Send(card.Form(`form#form-add-income`).With("income.employmentType", "RETIRED",
		"income.savingsAmount", "250,000"))
	if got.Path != lead {
		t.Errorf("an amount: got %s (%d), want %s", got.Path, got.Status, lead)
	}
}

func TestStart_SentFiveTimes_OneInquiry(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	form := olivia.IntakeForm("Rivera")
	paths := make([]string, 5)
	var all sync.WaitGroup
	for i := range paths {
		all.Go(func() { paths[i] = olivia.Send(form).Path })
	}
	all.Wait()
	for _, p := range paths {
		if p != paths[0] || !strings.HasPrefix(p, "/leads/") {
			t.Errorf("the five POSTs led to %v", paths)
			break
		}
	}
	if got := len(h.Inquiries("Rivera")); got != 1 {
		t.Errorf("the lender has %d inquiries, want 1", got)
	}
	if got := olivia.Send(form.With("amountWanted", "61,000",
		"applicant.name.firstName", "Ellen")); got.Status != http.StatusConflict {
		t.Errorf("the same form with other content: got %d, want 409", got.Status)
	}
	if got := olivia.Send(form.With("operation", "")); got.Status != http.StatusUnprocessableEntity ||
		got.Form(`form#intake`).Values.Get("operation") == "" {
		t.Errorf("a form without its id: got %d, want 422 with a new id", got.Status)
	}
}

func TestStart_Duplicate_SentWhenConfirmed(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	olivia.StartLead("Rivera")
	got := olivia.Send(olivia.IntakeForm("Rivera"))
	if got.Status != http.StatusUnprocessableEntity {
		t.Fatalf("a duplicate: got %d, want 422", got.Status)
	}
	got.WantText("There’s already an inquiry for this borrower and property")
	if got := olivia.Send(got.Form(`form#intake`).With("confirm.duplicate", "true",
		"consent.attested", "true")); !strings.HasPrefix(got.Path, "/leads/") {
		t.Errorf("confirmed: got %d at %s: %s", got.Status, got.Path, got.MainText())
	}
	if n := len(h.Inquiries("Rivera")); n != 2 {
		t.Errorf("the lender has %d inquiries, want 2", n)
	}
	marcus := h.SignInAs("marcus")
	got = marcus.Send(marcus.IntakeForm("Rivera"))
	got.WantText("A colleague’s lead")
	if strings.Contains(got.Find(".note").Text(), "Elena") {
		t.Error("a colleague's lead is shown by name")
	}
}

func TestWrite_StepChanged_409(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera-Match-Liens")
	page := olivia.WaitFor(lead, `form[action$="/add-ssn"]`)
	one := page.Form(`form[action$="/add-ssn"]`).With("applicant.ssn", "123-45-6789")
	other := olivia.Get(lead).Form(`form[action$="/add-ssn"]`).With("applicant.ssn", "123-45-6789")
	olivia.Send(one)
	olivia.WaitFor(lead, `form[action$="/verify-liens"]`)
	calls := len(h.Inquiries("Rivera-Match-Liens"))
	got := olivia.Send(other)
	if got.Status != http.StatusConflict {
		t.Errorf("got %d, want 409", got.Status)
	}
	got.WantText("The lead changed after you opened this page", "Check its current step", "Verify the liens",
		"SSN: not sent.")
	got.WantNoText([]string{"Nothing was sent"}) // the title says it
	if len(h.Inquiries("Rivera-Match-Liens")) != calls {
		t.Error("something was sent")
	}
	if again := olivia.Send(one); again.Path != lead {
		t.Errorf("the first form again: got %d at %s, want its first result", again.Status, again.Path)
	}
}

func TestStart_LostResponse_FoundByWebhook(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Webhooks: true})
	olivia := h.SignInAs("olivia")
	receipt := olivia.Send(olivia.IntakeForm("Rivera-Lost"))
	if !strings.HasPrefix(receipt.Path, "/operations/") {
		t.Fatalf("a lost response led to %s (%d): %s", receipt.Path, receipt.Status, receipt.MainText())
	}
	receipt.WantText("Elena Rivera-Lost")
	h.WaitUntil("the lead of the lost start", func() bool {
		return strings.Contains(olivia.Get("/leads?view=all").Find("table.leads").Text(), "Elena Rivera-Lost")
	})
	if n := len(h.Inquiries("Rivera-Lost")); n != 1 {
		t.Errorf("the lender has %d inquiries, want 1", n)
	}
	if href := olivia.Get(receipt.Path).Find(`a[href^="/leads/"]`).First().AttrOr("href", ""); href == "" {
		t.Error("the receipt does not link to its lead")
	}
}

func TestStart_NotSent_NewOperationID(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Timeout: time.Second})
	h.Lender.Config.SetKeepAlivesEnabled(false) // a request on an idle connection that is being closed may have arrived
	olivia := h.SignInAs("olivia")
	form := olivia.IntakeForm("Rivera", "applicant.ssn", "123-45-6789")
	h.Lender.Close()
	got := olivia.Send(form)
	if got.Status != http.StatusServiceUnavailable {
		t.Fatalf("got %d at %s, want 503: %s", got.Status, got.Path, got.MainText())
	}
	back := got.Form(`form#intake`)
	if back.Values.Get("operation") == form.Values.Get("operation") || back.Values.Get("operation") == "" {
		t.Error("the form kept its used id")
	}
	if back.Values.Get("applicant.name.lastName") != "Rivera" || back.Values.Get("applicant.ssn") != "" {
		t.Error("the typed values are lost, or the SSN came back")
	}
}

func TestIntake_TooManyRows_422(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	f := olivia.Get("/leads/new").Form("form#intake")
	for i := range 900 {
		f.Values.Set("property.liens."+strconv.Itoa(i)+".lenderName", "Cascade")
	}
	if got := olivia.Send(f); got.Status != http.StatusUnprocessableEntity || len(got.Body) > 400_000 {
		t.Errorf("900 liens: got %d with %d bytes", got.Status, len(got.Body))
	}
}

func TestAllowedVariants_NotOffered_Dropped(t *testing.T) {
	t.Parallel()
	s := intake.New(intake.Deps{TestVariants: []string{"A"}})
	got := s.AllowedVariants(&heloc.TestVariants{Variants: []heloc.TestVariant{{Name: "FORCE_APPROVE"}, {Name: "A"}}})
	if got == nil || len(got.Variants) != 1 || got.Variants[0].Name != "A" {
		t.Errorf("got %+v", got)
	}
}
