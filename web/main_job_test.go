package web

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/web/intake"
)

// TestMainJob_PlainForms is an originator's working day, in both dialects.
func TestMainJob_PlainForms(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"documented", "live"} {
		t.Run(dialect, func(t *testing.T) {
			h := newHarness(t, harnessOptions{dialect: dialect})
			olivia := h.signInAs("olivia")
			lead := olivia.startLead("Rivera")
			page := olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
			page.wantText("Elena Rivera", "Offers ready", "Boise, ID")
			if title := page.Find("title").Text(); title != "Offers ready · Elena Rivera · Hearthline" {
				t.Errorf("the title is %q", title)
			}
			form := page.form(`form[action$="/select-offer"]`)
			if got := form.values.Get("offer.selectedOfferAmount"); got != "60,000" {
				t.Errorf("the grid has %q, want the amount that the borrower requested", got)
			}
			if got := form.values.Get("offer.offerUuid"); got != "" {
				t.Errorf("the offer %q is chosen before the user chose one", got)
			}
			form = form.with("offer.offerUuid", page.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", ""))
			refused := olivia.send(form)
			if refused.status != http.StatusUnprocessableEntity {
				t.Errorf("an unconfirmed selection: got %d, want 422", refused.status)
			}
			again := refused.form(`form[action$="/select-offer"]`)
			if again.values.Get("operation") != form.values.Get("operation") || again.values.Get("offer.offerUuid") != form.values.Get("offer.offerUuid") {
				t.Error("the redisplayed form has another operation id, or lost the choice")
			}
			chosen := olivia.send(again.with("confirm.offer", "true"))
			if chosen.path != lead || chosen.status != http.StatusOK {
				t.Fatalf("the selection led to %s (%d): %s", chosen.path, chosen.status, chosen.text())
			}
			app := heloc.AppID(strings.TrimPrefix(lead, "/leads/"))
			h.playAtStep(app, heloc.StepBorrowerAuth, "borrower-signs-in")
			h.playAtStep(app, heloc.StepBrokerDocSigning, "documents-signed")
			olivia.post(lead+"/refresh", nil)
			papers := olivia.waitFor(lead+"/documents", `a[href*="/documents/"][href*="-"]`)
			href := papers.Find(`a[href*="/documents/"]`).First().AttrOr("href", "")
			pdf := olivia.get(href)
			if !strings.HasPrefix(pdf.body, "%PDF-") || pdf.header.Get("Content-Security-Policy") != pdfCSP ||
				!strings.HasPrefix(pdf.header.Get("Content-Disposition"), "inline") || pdf.header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("the document: %d %v", pdf.status, pdf.header)
			}
			zip := olivia.get(lead + "/documents.zip")
			if !strings.HasPrefix(zip.body, "PK") || !strings.HasPrefix(zip.header.Get("Content-Disposition"), "attachment") || zip.header.Get("Content-Security-Policy") != downloadCSP {
				t.Errorf("the zip: %d %v", zip.status, zip.header)
			}
			olivia.get("/leads?q=rivera").wantText("Elena Rivera")
		})
	}
}

// playAtStep waits until the lender is at a step and then plays an event.
func (h *harness) playAtStep(app heloc.AppID, at heloc.Step, event string) {
	h.t.Helper()
	h.waitUntil(string(at), func() bool {
		for _, q := range h.sandbox.Inquiries() {
			if q.AppUUID == app {
				return q.NextInquiryStep == at
			}
		}
		return false
	})
	if err := h.sandbox.Play(app, event); err != nil {
		h.t.Fatal(err)
	}
}

// TestBlockedSteps_ResolvedByForms covers the sandbox's triggers.
func TestBlockedSteps_ResolvedByForms(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"documented", "live"} {
		t.Run(dialect, func(t *testing.T) {
			h := newHarness(t, harnessOptions{dialect: dialect})
			olivia := h.signInAs("olivia")
			for _, step := range []struct {
				trigger, act string
				fill         func(p *response, f postedForm) postedForm
			}{
				{"Match", "add-ssn", func(_ *response, f postedForm) postedForm { return f.with("applicant.ssn", "123 45 6789") }},
				{"Frozen", "repull-credit", func(_ *response, f postedForm) postedForm {
					return f.with("consent.attested", "true", "consent.method", "in-person")
				}},
				{"Liens", "verify-liens", func(_ *response, f postedForm) postedForm { return f }},
				{"Assets", "asset-depletion", func(_ *response, f postedForm) postedForm {
					return f.with("income.employmentType", "RETIRED", "income.grossAnnualIncome", "0", "income.annualRetirementIncome", "60,000", "income.savingsAmount", "250,000")
				}},
				{"Payoff", "asset-depletion", func(p *response, f postedForm) postedForm {
					id := p.Find(`input[name="liabilityPayoff.selectedAccountsToPayoff"]:not([disabled])`).First().AttrOr("value", "")
					return f.with("liabilityPayoff.selectedAccountsToPayoff", id)
				}},
				{"Value", "add-property-estimate", func(_ *response, f postedForm) postedForm {
					return f.with("propertyEstimate.borrowerEstimatedValue", "$610,000")
				}},
				{"Unit", "select-property", func(p *response, f postedForm) postedForm {
					return f.with("property.propertyId", p.Find(`input[name="property.propertyId"]`).Last().AttrOr("value", ""))
				}},
			} {
				t.Run(step.trigger, func(t *testing.T) {
					lead := olivia.startLead("Rivera-"+step.trigger, "property.address.street1", "1"+step.trigger[:1]+" Alder Way")
					for attempt := range 3 {
						page := olivia.waitFor(lead, `form[action$="/`+step.act+`"], input[name="offer.offerUuid"]`)
						if page.Find(`input[name="offer.offerUuid"]`).Length() > 0 {
							if attempt == 0 {
								t.Error("the lead was not blocked")
							}
							return
						}
						got := olivia.send(step.fill(page, page.form(`form[action$="/`+step.act+`"]`)))
						if got.path != lead || got.status != http.StatusOK {
							t.Fatalf("%s led to %s (%d): %s", step.act, got.path, got.status, got.text())
						}
					}
					olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
				})
			}
		})
	}
}

// TestIncome_NoAmount_422: the lender needs an amount or a debt.
func TestIncome_NoAmount_422(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	lead := olivia.startLead("Rivera-Assets")
	card := olivia.waitFor(lead, `form#form-asset-depletion`)
	for _, act := range []string{"asset-depletion", "add-income"} {
		got := olivia.send(card.form(`form#form-`+act).with("income.employmentType", "RETIRED"))
		if got.status != http.StatusUnprocessableEntity {
			t.Errorf("%s with only an employment: got %d, want 422", act, got.status)
		}
		got.wantText("Enter income or savings")
		if selected := got.Find(`form#form-`+act+` [name="income.employmentType"] option[selected]`).AttrOr("value", ""); selected != "RETIRED" {
			t.Errorf("%s: the chosen employment came back as %q", act, selected)
		}
	}
	if asked := h.lenderCallCount("/asset-depletion") + h.lenderCallCount("/add-income"); asked != 0 {
		t.Errorf("the lender got %d calls", asked)
	}
	got := olivia.send(card.form(`form#form-add-income`).with("income.employmentType", "RETIRED", "income.savingsAmount", "250,000"))
	if got.path != lead {
		t.Errorf("an amount: got %s (%d), want %s", got.path, got.status, lead)
	}
}

func TestStart_SentFiveTimes_OneInquiry(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	form := olivia.intakeForm("Rivera")
	paths := make([]string, 5)
	var all sync.WaitGroup
	for i := range paths {
		all.Go(func() { paths[i] = olivia.send(form).path })
	}
	all.Wait()
	for _, p := range paths {
		if p != paths[0] || !strings.HasPrefix(p, "/leads/") {
			t.Errorf("the five POSTs led to %v", paths)
			break
		}
	}
	if got := len(h.inquiries("Rivera")); got != 1 {
		t.Errorf("the lender has %d inquiries, want 1", got)
	}
	if got := olivia.send(form.with("amountWanted", "61,000", "applicant.name.firstName", "Ellen")); got.status != http.StatusConflict {
		t.Errorf("the same form with other content: got %d, want 409", got.status)
	}
	if got := olivia.send(form.with("operation", "")); got.status != http.StatusUnprocessableEntity || got.form(`form#intake`).values.Get("operation") == "" {
		t.Errorf("a form without its id: got %d, want 422 with a new id", got.status)
	}
}

func TestStart_Duplicate_SentWhenConfirmed(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	olivia.startLead("Rivera")
	got := olivia.send(olivia.intakeForm("Rivera"))
	if got.status != http.StatusUnprocessableEntity {
		t.Fatalf("a duplicate: got %d, want 422", got.status)
	}
	got.wantText("There’s already an inquiry for this borrower and property")
	if got := olivia.send(got.form(`form#intake`).with("confirm.duplicate", "true", "consent.attested", "true")); !strings.HasPrefix(got.path, "/leads/") {
		t.Errorf("confirmed: got %d at %s: %s", got.status, got.path, got.text())
	}
	if n := len(h.inquiries("Rivera")); n != 2 {
		t.Errorf("the lender has %d inquiries, want 2", n)
	}
	marcus := h.signInAs("marcus")
	got = marcus.send(marcus.intakeForm("Rivera"))
	got.wantText("A colleague’s lead")
	if strings.Contains(got.Find(".note").Text(), "Elena") {
		t.Error("a colleague's lead is shown by name")
	}
}

func TestWrite_StepChanged_409(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	lead := olivia.startLead("Rivera-Match-Liens")
	page := olivia.waitFor(lead, `form[action$="/add-ssn"]`)
	one := page.form(`form[action$="/add-ssn"]`).with("applicant.ssn", "123-45-6789")
	other := olivia.get(lead).form(`form[action$="/add-ssn"]`).with("applicant.ssn", "123-45-6789")
	olivia.send(one)
	olivia.waitFor(lead, `form[action$="/verify-liens"]`)
	calls := len(h.inquiries("Rivera-Match-Liens"))
	got := olivia.send(other)
	if got.status != http.StatusConflict {
		t.Errorf("got %d, want 409", got.status)
	}
	got.wantText("The lead changed after you opened this page", "Back to lead")
	if len(h.inquiries("Rivera-Match-Liens")) != calls {
		t.Error("something was sent")
	}
	if again := olivia.send(one); again.path != lead {
		t.Errorf("the first form again: got %d at %s, want its first result", again.status, again.path)
	}
}

func TestStart_LostResponse_FoundByWebhook(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{webhooks: true})
	olivia := h.signInAs("olivia")
	receipt := olivia.send(olivia.intakeForm("Rivera-Lost"))
	if !strings.HasPrefix(receipt.path, "/operations/") {
		t.Fatalf("a lost response led to %s (%d): %s", receipt.path, receipt.status, receipt.text())
	}
	receipt.wantText("Elena Rivera-Lost")
	h.waitUntil("the lead of the lost start", func() bool {
		return strings.Contains(olivia.get("/leads?view=all").Find("table.leads").Text(), "Elena Rivera-Lost")
	})
	if n := len(h.inquiries("Rivera-Lost")); n != 1 {
		t.Errorf("the lender has %d inquiries, want 1", n)
	}
	if href := olivia.get(receipt.path).Find(`a[href^="/leads/"]`).First().AttrOr("href", ""); href == "" {
		t.Error("the receipt does not link to its lead")
	}
}

func TestStart_NotSent_NewOperationID(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{timeout: time.Second})
	olivia := h.signInAs("olivia")
	form := olivia.intakeForm("Rivera", "applicant.ssn", "123-45-6789")
	h.lender.Close()
	got := olivia.send(form)
	if got.status != http.StatusServiceUnavailable {
		t.Fatalf("got %d at %s, want 503: %s", got.status, got.path, got.text())
	}
	back := got.form(`form#intake`)
	if back.values.Get("operation") == form.values.Get("operation") || back.values.Get("operation") == "" {
		t.Error("the form kept its used id")
	}
	if back.values.Get("applicant.name.lastName") != "Rivera" || back.values.Get("applicant.ssn") != "" {
		t.Error("the typed values are lost, or the SSN came back")
	}
}

func TestIntake_TooManyRows_422(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	f := olivia.get("/leads/new").form("form#intake")
	for i := range 900 {
		f.values.Set("property.liens."+strconv.Itoa(i)+".lenderName", "Cascade")
	}
	if got := olivia.send(f); got.status != http.StatusUnprocessableEntity || len(got.body) > 400_000 {
		t.Errorf("900 liens: got %d with %d bytes", got.status, len(got.body))
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
