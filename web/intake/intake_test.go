package intake_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/form"
	"hearthline/web/webtest"
)

// TestIntake_InvalidField_422BesideField sends one invalid field at a time.
func TestIntake_InvalidField_422BesideField(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	form := olivia.IntakeForm("Rivera")
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
		{"applicant.income.employmentType", "", "Choose an employment type"},
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
		{"amountWanted", "lots", "dollar amount"},
		{"amountWanted", "560.000", "Check the commas"},
		{"consent.attested", "", "Confirm that the borrower agreed"},
		{"consent.method", "telepathy", "how the borrower agreed"},
		{"consent.version", "1999-01-01", "The disclosure has changed"},
	} {
		got := olivia.Send(form.With(tt.name, tt.value))
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Find(".err").Text(), tt.want) {
			t.Errorf("%s=%q: got %d and %q, want 422 and %q", tt.name, tt.value, got.Status, got.Find(".err").Text(), tt.want)
		}
		back := got.Form("form#intake")
		if back.Values.Get("operation") != form.Values.Get("operation") ||
			back.Values.Get("draft") != form.Values.Get("draft") {
			t.Errorf("%s: the redisplayed form has another id", tt.name)
		}
		if back.Values.Get("applicant.ssn") != "" {
			t.Errorf("%s: the redisplayed form has the SSN", tt.name)
		}
		if tt.name != "applicant.name.firstName" && back.Values.Get("applicant.name.firstName") != "Elena" {
			t.Errorf("%s: the redisplayed form lost a value", tt.name)
		}
	}
	if n := len(h.Inquiries("Rivera")); n != 0 {
		t.Errorf("%d inquiries were made", n)
	}
}

// TestIntake_ErrorAndNoConsent_ListedTogether: what the desk would refuse next is named in the first answer.
func TestIntake_ErrorAndNoConsent_ListedTogether(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	form := olivia.IntakeForm("Rivera", "property.address.zip", "", "consent.attested", "", "consent.method", "")
	got := olivia.Send(form)
	got.WantText("3 fields need attention")
	for _, name := range []string{"property.address.zip", "consent.attested", "consent.method"} {
		if got.Find(`[role="alert"] a[href="#`+name+`"], .errors a[href="#`+name+`"]`).Length() != 1 {
			t.Errorf("the summary does not list %s: %s", name, got.MainText())
		}
	}
}

func TestIntake_NormalizedValues_ShownAndSent(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Dialect: "live"})
	olivia := h.SignInAs("olivia")
	form := olivia.IntakeForm("Núñez", "property.address.street2", "Apt #4", "property.address.state", "id",
		"applicant.dob", "5/17/79", "applicant.phone", "")
	got := olivia.Send(form)
	got.WantText("Sent as “Apt 4”", "Sent as “Nunez”", "Sent as “05/17/1979”")
	lead := olivia.Send(got.Form("form#intake").With("applicant.phone", "(208) 555-0142", "consent.attested", "true"))
	if !strings.HasPrefix(lead.Path, "/leads/") {
		t.Fatalf("got %d: %s", lead.Status, lead.MainText())
	}
	lead.WantText("Elena Núñez")
	if len(h.Inquiries("Nunez")) != 1 {
		t.Error("the lender did not get the normalized spelling")
	}
	olivia.Get("/leads?view=all&q=nunez").WantText("Elena Núñez")
}

// TestStart_MinimalForm_Accepted sends the least that a program would: no checkbox, no other home.
func TestStart_MinimalForm_Accepted(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	form := olivia.IntakeForm("Rivera")
	for name := range form.Values {
		if strings.HasPrefix(name, "applicant.homeAddress.") || name == "homeIsProperty" || form.Values.Get(name) == "" {
			delete(form.Values, name)
		}
	}
	if got := olivia.Send(form); !strings.HasPrefix(got.Path, "/leads/") {
		t.Errorf("got %d at %s: %s", got.Status, got.Path, got.MainText())
	}
	unchecked := olivia.IntakeForm("Rivera")
	delete(unchecked.Values, "homeIsProperty")
	if got := olivia.Send(unchecked); got.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(got.Find(".err").Text(), "street and number") {
		t.Errorf("another home without an address: got %d, want 422", got.Status)
	}
}

func TestStart_LenderRejects_NewOperationID(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	form := olivia.IntakeForm("Rivera", "property.address.state", "HI", "property.address.zip", "96815", "applicant.ssn",
		"123-45-6789")
	got := olivia.Send(form)
	if got.Status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d at %s: %s", got.Status, got.Path, got.MainText())
	}
	got.WantText("Not accepted.", "The lender refused it", "licen")
	got.WantNoText([]string{"Not sent."})
	back := got.Form("form#intake")
	if n := back.Values.Get("operation"); n == "" || n == form.Values.Get("operation") {
		t.Error("the rejected form kept its id")
	}
	if got := olivia.Send(back.With("property.address.state", "ID", "property.address.zip", "83702",
		"consent.attested", "true")); !strings.HasPrefix(got.Path, "/leads/") {
		t.Errorf("corrected: got %d: %s", got.Status, got.MainText())
	}
}

func TestIntake_RowButtons_WithoutScript(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	form := olivia.IntakeForm("Rivera")
	more := olivia.Send(form.With("row.add", "property.liens"))
	if more.Status != http.StatusOK || more.Find(`input[name="property.liens.1.lenderName"]`).Length() != 1 {
		t.Errorf("another row: got %d", more.Status)
	}
	less := olivia.Send(form.With("row.remove", "property.liens.0"))
	if less.Find(`input[value="Sawtooth Mortgage"]`).Length() != 0 {
		t.Error("the row is still there")
	}
	if len(h.Inquiries("Rivera")) != 0 {
		t.Error("a row button sent the inquiry")
	}
}

func TestDrafts_SaveOpenDelete(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, ada := h.SignInAs("olivia"), h.SignInAs("ada")
	form := olivia.IntakeForm("Rivera", "made.up", "x")
	draft := form.Values.Get("draft")
	saved := olivia.Post("/drafts/"+draft, form.Values, "HX-Request", "true", "HX-Request-Type", "full")
	if saved.Status != http.StatusOK || !strings.Contains(saved.Body, `"saved":"Saved `) {
		t.Errorf("the autosave returned %d %q, want the time of the save", saved.Status, saved.Body)
	}
	olivia.Get("/drafts").WantText("Elena Rivera", "Boise, ID")
	olivia.Get("/leads").WantText("1 draft")
	again := olivia.Get("/leads/new?draft=" + draft).Form("form#intake")
	if again.Values.Get("applicant.income.grossAnnualIncome") != "124,600" || again.Values.Get("draft") != draft {
		t.Error("the draft was not restored")
	}
	if got := again.Values.Get("consent.attested") + again.Values.Get("consent.method"); got != "" {
		t.Errorf("the consent was saved: %q", got)
	}
	if got := ada.Get("/leads/new?draft=" + draft); got.Status != http.StatusNotFound {
		t.Errorf("a colleague opens the draft: %d", got.Status)
	}
	prepared := ada.Get("/leads/new")
	prepared.WantText("A loan originator must send this inquiry")
	if prepared.Form("form#intake").Values.Get("operation") != "" {
		t.Error("a user who may not send got an operation id")
	}
	if got := olivia.Post("/drafts/"+draft, form.Values); got.Path != "/leads/new" {
		t.Errorf("the button without scripts leads to %s", got.Path)
	}
	olivia.Post("/drafts/"+draft+"/delete", nil)
	if got := olivia.Get("/leads/new?draft=" + draft); got.Status != http.StatusNotFound {
		t.Errorf("the deleted draft: %d", got.Status)
	}
}

// TestCalculateOffers_BothDialects asks in both dialects; the live service has no such call.
func TestCalculateOffers_BothDialects(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			h := webtest.New(t, webtest.Options{Dialect: dialect})
			olivia := h.SignInAs("olivia")
			lead := olivia.StartLead("Rivera")
			before := olivia.WaitFor(lead+"/offers", `input[name="offer.offerUuid"]`)
			ask := before.Form(`form#quote`).With("amount", "45,000", "rateType", "FLOATING", "autoPayDiscountEnabled", "true")
			if dialect == "live" {
				gone := olivia.Post(lead+"/calculate-offers", ask.Values)
				gone.WantText("This lender doesn’t provide new quotes", "$45,000")
				return
			}
			part := olivia.Post(ask.Action, ask.Values, "HX-Request", "true", "HX-Target", "div#offers")
			if part.Status != http.StatusOK || strings.Contains(part.Body, "<html") || part.Find("#offers").Length() != 1 {
				t.Errorf("the new quote returned %d with %d grids", part.Status, part.Find("#offers").Length())
			}
			uuid := part.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
			if uuid == "" || strings.Contains(before.Body, uuid) {
				t.Fatalf("no new offers: %q", uuid)
			}
			strip := olivia.Get(lead+"/offers?offer.offerUuid="+uuid+"&"+ask.Values.Encode(), "HX-Request", "true",
				"HX-Target", "div#lead")
			for _, want := range []string{"variable at", "Cash to the borrower", "$45,000", "Margin over prime"} {
				if !strings.Contains(strip.Find("#offers").Text(), want) {
					t.Errorf("the breakdown lacks %q: %s", want, strip.Find("#offers").Text())
				}
			}
			form := part.Form(`form[action$="/select-offer"]`).With("offer.offerUuid", uuid, "confirm.offer", "true")
			if got := form.Values.Get("offer.selectedOfferAmount"); got != "45,000" {
				t.Errorf("the form has %q, want the amount of the quote", got)
			}
			for _, header := range [][]string{nil, {"HX-Request", "true", "HX-Target", "div#offers"}} {
				got := olivia.Post(lead+"/calculate-offers", url.Values{"amount": {"fifty & some"}}, header...)
				if got.Status != http.StatusUnprocessableEntity {
					t.Errorf("an invalid amount: got %d, want 422", got.Status)
				}
				if typed := got.Find("#amount").AttrOr("value", ""); typed != "fifty & some" {
					t.Errorf("the amount comes back as %q, want the typed value", typed)
				}
			}
			if got := olivia.Send(form); got.Path != lead {
				t.Errorf("selecting a quoted offer: %d: %s", got.Status, got.MainText())
			}
		})
	}
}

func TestCancel_Confirmed_EndsLead(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera-None")
	page := olivia.WaitFor(lead, `form[action$="/set-aside"]`)
	if got := olivia.Send(page.Form(`form[action$="/cancel"]`)); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("without confirmation: got %d, want 422", got.Status)
	}
	aside := olivia.Send(page.Form(`form[action$="/set-aside"]`).With("confirm.set-aside", "true"))
	aside.WantText("Closed in Hearthline")
	back := olivia.Send(aside.Form(`form[action$="/set-aside"]`))
	if back.Find(`input[name="confirm.set-aside"]`).Length() != 1 {
		t.Error("the form does not say that it cannot be undone")
	}
	olivia.Send(back.Form(`form[action$="/cancel"]`).With("confirm.cancel", "true"))
	h.WaitUntil("cancelled", func() bool { return h.Inquiries("Rivera-None")[0].NextInquiryStep == heloc.StepClosed })
	h.WaitUntil("the lead has ended", func() bool {
		return strings.Contains(olivia.Get("/leads?view=ended").Text(), "Rivera-None")
	})
	if olivia.Get(lead).Find(`form[action$="/cancel"]`).Length() != 0 {
		t.Error("a canceled inquiry can be canceled")
	}
}

func TestAbandonOperation_RequiresReasonAndConfirmation(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	receipt := olivia.Send(olivia.IntakeForm("Rivera-Lost"))
	h.WaitUntil("the outcome is unknown", func() bool { return olivia.Get(receipt.Path).Find("#give-up").Length() == 1 })
	page := olivia.Get(receipt.Path)
	olivia.Get("/leads").WantText("Elena Rivera-Lost, inquiry: sent, not confirmed", "Receipt")
	form := page.Form(`#give-up form`)
	if got := olivia.Send(form.With("reason", "asked support")); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("without confirmation: got %d, want 422", got.Status)
	}
	done := olivia.Send(form.With("reason", "asked support", "confirm.abandon", "true"))
	done.WantText("Reason: “asked support”", "Back to the form")
	if got := h.SignInAs("piotr").Get(receipt.Path); got.Status != http.StatusNotFound {
		t.Errorf("another company's receipt: got %d", got.Status)
	}
}

// TestDraft_StartGivenUp_WarnsBeforeSecondSend goes back to the form of a start that was given up.
func TestDraft_StartGivenUp_WarnsBeforeSecondSend(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	receipt := olivia.Send(olivia.IntakeForm("Rivera-Lost"))
	h.WaitUntil("the outcome is unknown", func() bool { return olivia.Get(receipt.Path).Find("#give-up").Length() == 1 })
	unknown := olivia.Get("/drafts")
	unknown.WantText("Not confirmed by the lender.")
	done := olivia.Send(olivia.Get(receipt.Path).Form(`#give-up form`).With("reason", "asked support",
		"confirm.abandon", "true"))
	list := olivia.Get("/drafts")
	list.WantText("Marked as not received; the lender may have it.")
	for _, p := range []*webtest.Response{unknown, list} {
		if strings.Contains(p.MainText(), "Not sent") {
			t.Error("the drafts page says that a draft which was sent was not sent")
		}
	}
	page := olivia.Get(done.Find(`a:contains("Back to the form")`).AttrOr("href", ""))
	page.WantText("An inquiry for this borrower and property was already sent. The lender may have received it.")
	if page.Find(`input[name="confirm.duplicate"]`).Length() != 1 {
		t.Fatal("the form does not ask for a confirmation")
	}
	form := page.Form(`form[method="post"][action="/leads"]`).
		With("consent.attested", "true", "consent.method", "in-person")
	sent := len(h.Inquiries("Rivera-Lost"))
	refused := olivia.Send(form)
	refused.WantText("An inquiry for this borrower and property was already sent. The lender may have received it.")
	if refused.Status != http.StatusUnprocessableEntity || len(h.Inquiries("Rivera-Lost")) != sent {
		t.Errorf("without the confirmation: got %d", refused.Status)
	}
	if got := olivia.Send(form.With("confirm.duplicate", "true")); got.Status != http.StatusOK {
		t.Errorf("with the confirmation: got %d: %s", got.Status, got.MainText())
	}
}

func TestSameDigits_SeparatorsIgnored(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		sent, typed string
		same        bool
	}{
		{"3035550147", "(303) 555-0147", true}, {"4155550132", "+1 (415) 555-0132", false},
		{"83702-1234", "83702 1234", true}, {"Apt 4", "Apt #4", false}, {"12 Main St", "12 Main St.", false},
		{"", "---", false},
	} {
		if got := form.SameDigits(tt.sent, tt.typed); got != tt.same {
			t.Errorf("%q for %q: got %v, want %v", tt.sent, tt.typed, got, tt.same)
		}
	}
}

// TestVerifyLiens_LenderName_NormalizedAndShown sends a lender name that the interface does not accept.
func TestVerifyLiens_LenderName_NormalizedAndShown(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			h := webtest.New(t, webtest.Options{Dialect: dialect})
			olivia := h.SignInAs("olivia")
			lead, _ := olivia.StartLeadAt("Rivera-Liens", heloc.StepLienMatching)
			sent := olivia.Send(olivia.Get(lead).Form(`form[action$="/verify-liens"]`).With("liens.0.lenderName",
				"Cascade Federal S&L"))
			if sent.Path != lead {
				t.Fatalf("got %d at %s: %s", sent.Status, sent.Path, sent.MainText())
			}
			receipt := sent.Find(`a[href*="/operations/"]`).First().AttrOr("href", "")
			olivia.Get(receipt).WantText("Sent as", "“Cascade Federal S&L”", "“Cascade Federal S and L”")
			if got := h.SignInAs("piotr").Get(receipt); got.Status != http.StatusNotFound {
				t.Errorf("another company can open the receipt: %d", got.Status)
			}
		})
	}
}
