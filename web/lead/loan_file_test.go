package lead_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// TestLoanFile_Export_LoggedAndNotStored: the file has the borrower, the property, its liens and the selected offer. It
// is a reveal and an export in the lead's log, and leaves nothing of the borrower behind.
func TestLoanFile_Export_LoggedAndNotStored(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			h := webtest.New(t, webtest.Options{Dialect: dialect})
			olivia := h.SignInAs("olivia")
			path := olivia.StartLead("Rivera", "applicant.ssn", "123-45-6789",
				"partnerDataRequest.externalReferenceId", "2411-0093")
			app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
			h.WaitUntil("offers", func() bool { return h.LeadRow(app).Step == heloc.StepOffersAvailable })
			form := olivia.Get(path + "/documents").Form(`form[action$="/loan-file"]`)
			if got := olivia.Send(form); strings.Contains(got.Body, "HELOC_RULE") ||
				!strings.Contains(got.Body, "<HELOCIndicator>true") {
				t.Errorf("before a selection, the file has terms, or no loan: %s", got.Body)
			}
			selectOffer(olivia, path, app)
			got := olivia.Send(form)
			for _, want := range []string{
				"<LastName>Rivera<", "3035550147", "elena@borrower.test", "1979-05-17", "2216 Larkspur Ave",
				"<FullName>Sawtooth Mortgage<", "203900.00", "ASSET_IsAssociatedWith_LIABILITY", "PrimaryResidence",
				"560000.00", "<LoanIdentifier>2411-0093<", "<LoanIdentifier>" + string(app) + "<",
				"<HELOCInitialAdvanceAmount>60000.00<", "<HELOCMaximumBalanceAmount>",
			} {
				if !strings.Contains(got.Body, want) {
					t.Errorf("the file lacks %s: %s", want, got.Body)
				}
			}
			if webtest.HasDigits(got.Body, "6789") {
				t.Errorf("the file has the SSN: %s", got.Body)
			}
			for _, unwanted := range []string{"Taxpayer", "hl-"} {
				if strings.Contains(got.Body, unwanted) {
					t.Errorf("the file has %s: %s", unwanted, got.Body)
				}
			}
			row := h.LeadRow(app)
			for name, want := range map[string]string{"Content-Type": "application/xml", "Cache-Control": "no-store",
				"Content-Disposition":     "attachment; filename=loan-" + row.ShortID + ".xml",
				"Content-Security-Policy": webtest.DownloadCSP, "X-Content-Type-Options": "nosniff"} {
				if got := got.Header.Get(name); got != want {
					t.Errorf("%s: got %q, want %q", name, got, want)
				}
			}
			stored := storedText(h)
			for _, secret := range []string{"3035550147", "elena@borrower.test", "1979-05-17", "2216 Larkspur"} {
				if strings.Contains(stored, secret) {
					t.Errorf("%q is stored", secret)
				}
			}
			h.WantAudited("user-olivia lead.loan-file lead:" + string(app) + " opened")
			olivia.Get(path+"/activity").WantText("Exported a loan file", "To export to an LOS",
				"the loan file for an LOS. 2 times total.")
		})
	}
}

// TestLoanFile_LenderDown_OnlyInAudit: nothing was exported, and the lead's log says so.
func TestLoanFile_LenderDown_OnlyInAudit(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Timeout: time.Second})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	h.Lender.Close()
	got := olivia.Post(path+"/loan-file", nil)
	if got.Status < http.StatusInternalServerError || got.Find("#loan-file .note.fail").Text() == "" ||
		got.Find("#borrower .note.fail").Length() != 0 {
		t.Errorf("with the lender down: got %d %s", got.Status, got.MainText())
	}
	h.WantAudited("user-olivia lead.loan-file lead:" + string(app) + " failed")
	exports, err := h.Store.Exports(t.Context(), app, 9)
	h.Must(err)
	reveals, err := h.Store.Reveals(t.Context(), app, 9)
	h.Must(err)
	if len(exports)+len(reveals) != 0 {
		t.Errorf("got %d exports and %d reveals, want none", len(exports), len(reveals))
	}
}
