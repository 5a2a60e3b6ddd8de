package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/form"
)

// TestIntake_InvalidField_422BesideField sends one invalid field at a time.
func TestIntake_InvalidField_422BesideField(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	form := olivia.intakeForm("Rivera")
	for _, tt := range []struct{ name, value, want string }{
		{"applicant.name.firstName", "", "Enter the first name"},
		{"applicant.name.lastName", "Rivera@home", "letters, numbers"},
		{"applicant.dob", "05/17/2020", "18 or older"},
		{"applicant.dob", "05/17/2190", "in the future"},
		{"applicant.dob", "yesterday", "mm/dd/yyyy"},
		{"applicant.dob", "5/7/15", "year with four digits"},
		{"applicant.phone", "12345", "10-digit"},
		{"applicant.email", "elena", "Check the email"},
		{"applicant.ssn", "123-45", "all 9 digits"},
		{"applicant.income.employmentType", "", "Choose the employment"},
		{"applicant.income.employmentType", "WIZARD", "from the list"},
		{"applicant.income.grossAnnualIncome", "", "annual gross pay"},
		{"applicant.income.grossAnnualIncome", "9999999999999", "$1,000,000,000 or less"},
		{"applicant.income.savingsAmount", "-5", "Enter 0 or more"},
		{"property.address.street1", "", "street and number"},
		{"property.address.state", "ZZ", "Choose the state"},
		{"property.address.zip", "8370", "5-digit"},
		{"property.propertyType", "", "Choose the occupancy"},
		{"property.isListedForSale", "", "listed for sale"},
		{"property.liens.0.originalBalance", "", "original amount"},
		{"property.liens.0.originationDate", "", "date it was opened"},
		{"property.liens.7.currentBalance", "5", "Enter the lender"},
		{"amountWanted", "lots", "amount in dollars"},
		{"amountWanted", "560.000", "Check the commas"},
		{"consent.attested", "", "Confirm that the borrower agreed"},
		{"consent.method", "telepathy", "how the borrower agreed"},
		{"consent.version", "1999-01-01", "The disclosure has changed"},
	} {
		got := olivia.send(form.with(tt.name, tt.value))
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.Find(".err").Text(), tt.want) {
			t.Errorf("%s=%q: got %d and %q, want 422 and %q", tt.name, tt.value, got.status, got.Find(".err").Text(), tt.want)
		}
		back := got.form("form#intake")
		if back.values.Get("operation") != form.values.Get("operation") || back.values.Get("draft") != form.values.Get("draft") {
			t.Errorf("%s: the redisplayed form has another id", tt.name)
		}
		if back.values.Get("applicant.ssn") != "" {
			t.Errorf("%s: the redisplayed form has the SSN", tt.name)
		}
		if tt.name != "applicant.name.firstName" && back.values.Get("applicant.name.firstName") != "Elena" {
			t.Errorf("%s: the redisplayed form lost a value", tt.name)
		}
	}
	if n := len(h.inquiries("Rivera")); n != 0 {
		t.Errorf("%d inquiries were made", n)
	}
}

func TestIntake_NormalizedValues_ShownAndSent(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{dialect: "live"})
	olivia := h.signInAs("olivia")
	form := olivia.intakeForm("Núñez", "property.address.street2", "Apt #4", "property.address.state", "id", "applicant.dob", "5/17/79", "applicant.phone", "")
	got := olivia.send(form)
	got.wantText("Sent as “Apt 4”", "Sent as “Nunez”", "Sent as “05/17/1979”")
	lead := olivia.send(got.form("form#intake").with("applicant.phone", "(208) 555-0142", "consent.attested", "true"))
	if !strings.HasPrefix(lead.path, "/leads/") {
		t.Fatalf("got %d: %s", lead.status, lead.text())
	}
	lead.wantText("Elena Núñez")
	if len(h.inquiries("Nunez")) != 1 {
		t.Error("the lender did not get the normalized spelling")
	}
	olivia.get("/leads?view=all&q=nunez").wantText("Elena Núñez")
}

// TestStart_MinimalForm_Accepted sends the least that a program would: no checkbox, no other home.
func TestStart_MinimalForm_Accepted(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	form := olivia.intakeForm("Rivera")
	for name := range form.values {
		if strings.HasPrefix(name, "applicant.homeAddress.") || name == "homeIsProperty" || form.values.Get(name) == "" {
			delete(form.values, name)
		}
	}
	if got := olivia.send(form); !strings.HasPrefix(got.path, "/leads/") {
		t.Errorf("got %d at %s: %s", got.status, got.path, got.text())
	}
	unchecked := olivia.intakeForm("Rivera")
	delete(unchecked.values, "homeIsProperty")
	if got := olivia.send(unchecked); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.Find(".err").Text(), "street and number") {
		t.Errorf("another home without an address: got %d, want 422", got.status)
	}
}

func TestStart_LenderRejects_NewOperationID(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	form := olivia.intakeForm("Rivera", "property.address.state", "HI", "property.address.zip", "96815", "applicant.ssn", "123-45-6789")
	got := olivia.send(form)
	if got.status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d at %s: %s", got.status, got.path, got.text())
	}
	got.wantText("The lender refused it", "licen")
	back := got.form("form#intake")
	if n := back.values.Get("operation"); n == "" || n == form.values.Get("operation") {
		t.Error("the rejected form kept its id")
	}
	if got := olivia.send(back.with("property.address.state", "ID", "property.address.zip", "83702", "consent.attested", "true")); !strings.HasPrefix(got.path, "/leads/") {
		t.Errorf("corrected: got %d: %s", got.status, got.text())
	}
}

func TestIntake_RowButtons_WithoutScript(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	form := olivia.intakeForm("Rivera")
	more := olivia.send(form.with("row.add", "property.liens"))
	if more.status != http.StatusOK || more.Find(`input[name="property.liens.1.lenderName"]`).Length() != 1 {
		t.Errorf("another row: got %d", more.status)
	}
	less := olivia.send(form.with("row.remove", "property.liens.0"))
	if less.Find(`input[value="Sawtooth Mortgage"]`).Length() != 0 {
		t.Error("the row is still there")
	}
	if len(h.inquiries("Rivera")) != 0 {
		t.Error("a row button sent the inquiry")
	}
}

func TestDrafts_SaveOpenDelete(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia, ada := h.signInAs("olivia"), h.signInAs("ada")
	form := olivia.intakeForm("Rivera", "made.up", "x")
	draft := form.values.Get("draft")
	saved := olivia.post("/drafts/"+draft, form.values, "HX-Request", "true", "HX-Request-Type", "full")
	if saved.status != http.StatusOK || !strings.Contains(saved.body, `"saved":"Saved `) {
		t.Errorf("the autosave returned %d %q, want the time of the save", saved.status, saved.body)
	}
	olivia.get("/drafts").wantText("Elena Rivera", "Boise, ID")
	olivia.get("/leads").wantText("1 draft")
	again := olivia.get("/leads/new?draft=" + draft).form("form#intake")
	if again.values.Get("applicant.income.grossAnnualIncome") != "124,600" || again.values.Get("draft") != draft {
		t.Error("the draft was not restored")
	}
	if got := again.values.Get("consent.attested") + again.values.Get("consent.method"); got != "" {
		t.Errorf("the consent was saved: %q", got)
	}
	if got := ada.get("/leads/new?draft=" + draft); got.status != http.StatusNotFound {
		t.Errorf("a colleague opens the draft: %d", got.status)
	}
	prepared := ada.get("/leads/new")
	prepared.wantText("A loan originator must send this inquiry")
	if prepared.form("form#intake").values.Get("operation") != "" {
		t.Error("a user who may not send got an operation id")
	}
	if got := olivia.post("/drafts/"+draft, form.values); got.path != "/leads/new" {
		t.Errorf("the button without scripts leads to %s", got.path)
	}
	olivia.post("/drafts/"+draft+"/delete", nil)
	if got := olivia.get("/leads/new?draft=" + draft); got.status != http.StatusNotFound {
		t.Errorf("the deleted draft: %d", got.status)
	}
}

// TestCalculateOffers_BothDialects asks in both dialects; the live service has no such call.
func TestCalculateOffers_BothDialects(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"documented", "live"} {
		t.Run(dialect, func(t *testing.T) {
			h := newHarness(t, harnessOptions{dialect: dialect})
			olivia := h.signInAs("olivia")
			lead := olivia.startLead("Rivera")
			before := olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
			ask := before.form(`form#quote`).with("amount", "45,000", "rateType", "FLOATING", "autoPayDiscountEnabled", "true")
			if dialect == "live" {
				gone := olivia.post(lead+"/calculate-offers", ask.values)
				gone.wantText("This lender does not quote anew", "$45,000")
				return
			}
			part := olivia.post(ask.action, ask.values, "HX-Request", "true", "HX-Target", "div#offers")
			if part.status != http.StatusOK || strings.Contains(part.body, "<html") || part.Find("#offers").Length() != 1 {
				t.Errorf("the new quote returned %d with %d grids", part.status, part.Find("#offers").Length())
			}
			uuid := part.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
			if uuid == "" || strings.Contains(before.body, uuid) {
				t.Fatalf("no new offers: %q", uuid)
			}
			strip := olivia.get(lead+"/offers?offer.offerUuid="+uuid+"&"+ask.values.Encode(), "HX-Request", "true", "HX-Target", "div#lead")
			for _, want := range []string{"variable at", "To the borrower", "$45,000", "Margin over prime"} {
				if !strings.Contains(strip.Find("#strip").Text(), want) {
					t.Errorf("the breakdown lacks %q: %s", want, strip.Find("#strip").Text())
				}
			}
			form := part.form(`form[action$="/select-offer"]`).with("offer.offerUuid", uuid, "confirm.offer", "true")
			if got := form.values.Get("offer.selectedOfferAmount"); got != "45,000" {
				t.Errorf("the form has %q, want the amount of the quote", got)
			}
			for _, header := range [][]string{nil, {"HX-Request", "true", "HX-Target", "div#offers"}} {
				got := olivia.post(lead+"/calculate-offers", url.Values{"amount": {"fifty & some"}}, header...)
				if got.status != http.StatusUnprocessableEntity {
					t.Errorf("an invalid amount: got %d, want 422", got.status)
				}
				if typed := got.Find("#amount").AttrOr("value", ""); typed != "fifty & some" {
					t.Errorf("the amount comes back as %q, want the typed value", typed)
				}
			}
			if got := olivia.send(form); got.path != lead {
				t.Errorf("selecting a quoted offer: %d: %s", got.status, got.text())
			}
		})
	}
}

func TestCancel_Confirmed_EndsLead(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	lead := olivia.startLead("Rivera-None")
	page := olivia.waitFor(lead, `form[action$="/set-aside"]`)
	if got := olivia.send(page.form(`form[action$="/cancel"]`)); got.status != http.StatusUnprocessableEntity {
		t.Errorf("without confirmation: got %d, want 422", got.status)
	}
	aside := olivia.send(page.form(`form[action$="/set-aside"]`).with("confirm.set-aside", "true"))
	aside.wantText("Set aside here")
	back := olivia.send(aside.form(`form[action$="/set-aside"]`))
	if back.Find(`input[name="confirm.set-aside"]`).Length() != 1 {
		t.Error("the form does not say that it cannot be undone")
	}
	olivia.send(back.form(`form[action$="/cancel"]`).with("confirm.cancel", "true"))
	h.waitUntil("cancelled", func() bool { return h.inquiries("Rivera-None")[0].NextInquiryStep == heloc.StepClosed })
	h.waitUntil("the lead has ended", func() bool {
		return strings.Contains(olivia.get("/leads?view=ended").Text(), "Rivera-None")
	})
	if olivia.get(lead).Find(`form[action$="/cancel"]`).Length() != 0 {
		t.Error("a canceled inquiry can be canceled")
	}
}

func TestAbandonOperation_RequiresReasonAndConfirmation(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	receipt := olivia.send(olivia.intakeForm("Rivera-Lost"))
	h.waitUntil("the outcome is unknown", func() bool { return olivia.get(receipt.path).Find("#give-up").Length() == 1 })
	page := olivia.get(receipt.path)
	olivia.get("/leads").wantText("sent, not confirmed", "Receipt")
	form := page.form(`#give-up form`)
	if got := olivia.send(form.with("reason", "asked support")); got.status != http.StatusUnprocessableEntity {
		t.Errorf("without confirmation: got %d, want 422", got.status)
	}
	done := olivia.send(form.with("reason", "asked support", "confirm.abandon", "true"))
	done.wantText("Given up: “asked support”", "Back to the form")
	if got := h.signInAs("piotr").get(receipt.path); got.status != http.StatusNotFound {
		t.Errorf("another company's receipt: got %d", got.status)
	}
}

// TestDraft_StartGivenUp_WarnsBeforeSecondSend goes back to the form of a start that was given up.
func TestDraft_StartGivenUp_WarnsBeforeSecondSend(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	receipt := olivia.send(olivia.intakeForm("Rivera-Lost"))
	h.waitUntil("the outcome is unknown", func() bool { return olivia.get(receipt.path).Find("#give-up").Length() == 1 })
	unknown := olivia.get("/drafts")
	unknown.wantText("Not confirmed by the lender.")
	done := olivia.send(olivia.get(receipt.path).form(`#give-up form`).with("reason", "asked support", "confirm.abandon", "true"))
	list := olivia.get("/drafts")
	list.wantText("Marked as not received; the lender may have it.")
	for _, p := range []*response{unknown, list} {
		if strings.Contains(p.text(), "Not sent") {
			t.Error("the drafts page says that a draft which was sent was not sent")
		}
	}
	page := olivia.get(done.Find(`a:contains("Back to the form")`).AttrOr("href", ""))
	page.wantText("An inquiry for this borrower and property was already sent. The lender may have received it.")
	if page.Find(`input[name="confirm.duplicate"]`).Length() != 1 {
		t.Fatal("the form does not ask for a confirmation")
	}
	form := page.form(`form[method="post"][action="/leads"]`).with("consent.attested", "true", "consent.method", "in-person")
	sent := len(h.inquiries("Rivera-Lost"))
	refused := olivia.send(form)
	refused.wantText("An inquiry for this borrower and property was already sent. The lender may have received it.")
	if refused.status != http.StatusUnprocessableEntity || len(h.inquiries("Rivera-Lost")) != sent {
		t.Errorf("without the confirmation: got %d", refused.status)
	}
	if got := olivia.send(form.with("confirm.duplicate", "true")); got.status != http.StatusOK {
		t.Errorf("with the confirmation: got %d: %s", got.status, got.text())
	}
}

func TestSameDigits_SeparatorsIgnored(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		sent, typed string
		same        bool
	}{
		{"3035550147", "(303) 555-0147", true}, {"4155550132", "+1 (415) 555-0132", false}, {"83702-1234", "83702 1234", true},
		{"Apt 4", "Apt #4", false}, {"12 Main St", "12 Main St.", false}, {"", "---", false},
	} {
		if got := form.SameDigits(tt.sent, tt.typed); got != tt.same {
			t.Errorf("%q for %q: got %v, want %v", tt.sent, tt.typed, got, tt.same)
		}
	}
}

// TestVerifyLiens_LenderName_NormalizedAndShown sends a lender name that the interface does not accept.
func TestVerifyLiens_LenderName_NormalizedAndShown(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"documented", "live"} {
		t.Run(dialect, func(t *testing.T) {
			h := newHarness(t, harnessOptions{dialect: dialect})
			olivia := h.signInAs("olivia")
			lead, _ := olivia.startLeadAt("Rivera-Liens", heloc.StepLienMatching)
			sent := olivia.send(olivia.get(lead).form(`form[action$="/verify-liens"]`).with("liens.0.lenderName", "Cascade Federal S&L"))
			if sent.path != lead {
				t.Fatalf("got %d at %s: %s", sent.status, sent.path, sent.text())
			}
			receipt := sent.Find(`a[href*="/operations/"]`).First().AttrOr("href", "")
			olivia.get(receipt).wantText("Sent as", "“Cascade Federal S&L”", "“Cascade Federal S and L”")
			if got := h.signInAs("piotr").get(receipt); got.status != http.StatusNotFound {
				t.Errorf("another company can open the receipt: %d", got.status)
			}
		})
	}
}
