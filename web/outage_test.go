package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/sandbox"
	"hearthline/web/webtest"
)

// takeLenderDown makes every call fail and waits until the portal knows.
func takeLenderDown(h *webtest.Harness) {
	h.T.Helper()
	h.Must(h.Sandbox.SetFaults(sandbox.Faults{ErrorRate: 1}))
	_ = h.LenderSync.SyncDirectory(h.T.Context())
	h.WaitUntil("the lender is known to be down", func() bool { return !h.DeskDeps.LenderHealth.DownSince().IsZero() })
}

// bringLenderBack ends the outage and waits until the portal knows.
func bringLenderBack(h *webtest.Harness) {
	h.T.Helper()
	h.Must(h.Sandbox.SetFaults(sandbox.Faults{}))
	h.WaitUntil("the lender is known to be back", func() bool { return h.DeskDeps.LenderHealth.DownSince().IsZero() })
}

// wantPaused checks that a button says that sending is paused and is not active, or that it is active.
func wantPaused(t *testing.T, page *webtest.Response, form, label string, paused bool) {
	t.Helper()
	found := false
	for _, button := range page.Find(form + " button[data-sends]").EachIter() {
		if button.AttrOr("data-sends", "") != label {
			continue
		}
		found = true
		_, disabled := button.Attr("disabled")
		want := label
		if paused {
			want = "Sending is paused"
		}
		if got := strings.TrimSpace(button.Text()); disabled != paused || got != want {
			t.Errorf("%s %s: got %q, disabled %v, want %q, %v", page.Path, form, got, disabled, want, paused)
		}
	}
	if !found {
		t.Errorf("%s (%d) has no button %q in %s", page.Path, page.Status, label, form)
	}
}

// TestOutage_EveryWriteForm_PausedAndKept walks the forms that write to the lender: while it is known to be down, each
// says so, sends nothing, and keeps what was typed under the same operation id; when it is back, the same form works.
func TestOutage_EveryWriteForm_PausedAndKept(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			h := webtest.New(t, webtest.Options{Dialect: dialect, Estimate: webtest.EstimateAccess()})
			olivia := h.SignInAs("olivia")
			at := func(name string, step heloc.Step) string {
				path, _ := olivia.StartLeadAt(name, step)
				return path
			}
			consent := []string{"consent.attested", "true", "consent.method", "recorded-call"}
			offers := at("Rivera", heloc.StepOffersAvailable)
			const (
				keptExceptSSN = "Your entries are kept on this page, except an SSN. Send them when the lender is back."
				kept          = "Your entries are kept on this page. Send them when the lender is back."
				tryAgain      = "Try again when the lender is back."
			)
			forms := []struct {
				page, form, label string
				typed             []string
				kept              string // the control that must be kept; "" for none that may be
				next              string // what the user can do
			}{
				{"/leads/new", "form#intake", "Send to lender", nil, "applicant.name.lastName", keptExceptSSN},
				{at("Rivera-Match", heloc.StepCreditMatch), `form[action$="/add-ssn"]`, "Send to lender",
					[]string{"applicant.ssn", "512-44-7193"}, "", "Enter the SSN again when the lender is back."},
				{at("Rivera-Frozen", heloc.StepUnfreezeCredit), `form[action$="/repull-credit"]`, "Re-pull credit", consent,
					"consent.method", tryAgain},
				{at("Rivera-Liens", heloc.StepLienMatching), `form[action$="/verify-liens"]`, "Send to lender",
					[]string{"liens.0.lenderName", "Sawtooth Bank"}, "liens.0.lenderName", kept},
				{at("Rivera-Assets", heloc.StepMoreAssets), `form[action$="/asset-depletion"]`, "Send to lender",
					[]string{"income.grossAnnualIncome", "131,000", "income.employmentType", "FULL_TIME"},
					"income.grossAnnualIncome", kept},
				{at("Rivera-Value", heloc.StepPropertyValue), `form[action$="/add-property-estimate"]`,
					"Send to lender", []string{"propertyEstimate.borrowerEstimatedValue", "612,000"},
					"propertyEstimate.borrowerEstimatedValue", kept},
				{offers, `form[action$="/cancel"]`, "Cancel inquiry", []string{"confirm.cancel", "true"},
					"confirm.cancel", tryAgain},
				{offers + "/reassign", "form#form-reassign", "Reassign",
					[]string{"newLoanOriginatorUuid", h.People["marcus"].OriginatorUUID, "confirm.reassign", "true", "handOver.line",
						"Speaks Spanish"}, "handOver.line", kept},
			}
			rendered := make([]webtest.Form, len(forms))
			for i, f := range forms {
				page := olivia.Get(f.page)
				wantPaused(t, page, f.form, f.label, false)
				if rendered[i] = page.Form(f.form).With(f.typed...); f.page == "/leads/new" {
					rendered[i] = olivia.IntakeForm("Okafor", "property.address.street1", "77 Cedar Ct")
				}
			}
			takeLenderDown(h)
			before := len(h.ReceivedWrites())
			for i, f := range forms {
				page := olivia.Get(f.page)
				wantPaused(t, page, f.form, f.label, true)
				page.WantText("The lender has been unreachable since", "Sending is paused.")
				if strings.Contains(page.Text(), "resend") {
					t.Errorf("%s warns of sending again although nothing was sent", f.page)
				}
				got := olivia.Send(rendered[i])
				if got.Status != http.StatusServiceUnavailable {
					t.Errorf("%s: got %d at %s, want 503: %s", f.label, got.Status, got.Path, got.MainText())
					continue
				}
				wantPaused(t, got, f.form, f.label, true)
				got.WantText("Sending is paused while the lender is unreachable. " + f.next)
				again := got.Form(f.form)
				if f.kept != "" && again.Values.Get(f.kept) != rendered[i].Values.Get(f.kept) {
					t.Errorf("%s: got %q back, want %q", f.kept, again.Values.Get(f.kept), rendered[i].Values.Get(f.kept))
				}
				if again.Values.Get("operation") != rendered[i].Values.Get("operation") {
					t.Errorf("%s: the operation id has changed although nothing was sent", f.label)
				}
				if strings.Contains(got.Body, "512-44-7193") {
					t.Error("the SSN is on the page")
				}
			}
			if got := olivia.Post(offers+"/calculate-offers", url.Values{"amount": {"50,000"}}); !strings.Contains(got.Text(),
				"Sending is paused while the lender is unreachable. "+tryAgain) {
				t.Errorf("a quote: got %d: %s", got.Status, got.MainText())
			}
			if after := len(h.ReceivedWrites()); after != before {
				t.Errorf("the lender received %d calls while sending was paused", after-before)
			}
			bringLenderBack(h)
			for i, f := range forms {
				wantPaused(t, olivia.Get(f.page), f.form, f.label, false)
				if f.label == "Cancel inquiry" {
					continue // the reassignment needs the lead
				}
				if got := olivia.Send(rendered[i]); got.Status != http.StatusOK ||
					slices.Contains([]string{"/leads/new", f.page + "/reassign"}, got.Path) {
					t.Errorf("%s, after the outage: got %d at %s: %s", f.label, got.Status, got.Path, got.MainText())
				}
			}
		})
	}
}

// TestOutage_FormSentBefore_FirstResult repeats a form that was accepted before the outage.
func TestOutage_FormSentBefore_FirstResult(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	form := olivia.IntakeForm("Rivera")
	lead := olivia.Send(form).Path
	takeLenderDown(h)
	if got := olivia.Send(form); got.Path != lead {
		t.Errorf("got %d at %s, want the lead %s: %s", got.Status, got.Path, lead, got.MainText())
	}
}

// TestOutage_OpenPages_ToldOfBothChanges listens to the stream of a page.
func TestOutage_OpenPages_ToldOfBothChanges(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	stream := openStream(olivia)
	resyncs := func() int { return strings.Count(stream.text(), "event: resync") }
	h.WaitUntil("the stream is open", func() bool { return resyncs() == 1 })
	state := olivia.Get("/lender-state", "HX-Request", "true")
	if state.Find("#lender").Length() != 1 || strings.TrimSpace(state.Text()) != "" {
		t.Errorf("while the lender responds: %s", state.Body)
	}
	takeLenderDown(h)
	h.WaitUntil("the outage is announced", func() bool { return resyncs() == 2 })
	state = olivia.Get("/lender-state", "HX-Request", "true")
	if state.Find("#lender").AttrOr("data-paused", "") != "Sending is paused" {
		t.Errorf("while it is down: %s", state.Body)
	}
	bringLenderBack(h)
	h.WaitUntil("its end is announced", func() bool { return resyncs() == 3 })
}

// TestBorrowerCosts_LenderHasNone_NotOfferedDuringOutage: what the lender does not provide is not offered because it
// cannot be asked.
func TestBorrowerCosts_LenderHasNone_NotOfferedDuringOutage(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Dialect: "documented"})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	id := olivia.WaitFor(lead+"/offers", `input[name="offer.offerUuid"]`).Find(`input[name="offer.offerUuid"]`).First().
		AttrOr("value", "")
	link := olivia.Get(lead+"/offers?offer.offerUuid="+id).Find("#costs a").AttrOr("href", "")
	if got := olivia.Get(link); link == "" || got.Find("#costs").Length() != 0 {
		t.Errorf("the page that says that there are none offers them: %s", link)
	}
	takeLenderDown(h)
	if got := olivia.Get(link); got.Status != http.StatusOK || got.Find("#costs").Length() != 0 {
		t.Errorf("during an outage: got status %d and %d offers of costs, want none", got.Status, got.Find("#costs").Length())
	}
}
