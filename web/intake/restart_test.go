package intake_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/form"
	"hearthline/web/intake"
	"hearthline/web/webtest"
)

// lenderStep returns the lender's current step of an inquiry.
func lenderStep(h *webtest.Harness, app string) heloc.Step {
	for _, q := range h.Sandbox.Inquiries() {
		if string(q.AppUUID) == app {
			return q.NextInquiryStep
		}
	}
	return ""
}

func TestRestart_CorrectsAndCancelsOld(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			h := webtest.New(t, webtest.Options{Dialect: dialect})
			olivia := h.SignInAs("olivia")
			lead := olivia.StartLead("Rivera-None", "applicant.ssn", "123-45-6789",
				"partnerDataRequest.externalReferenceId", "CRM-77")
			page := olivia.WaitFor(lead, `form[action$="/clone"]`)
			page.WantText("Check the information", "Entry errors:")
			intake := olivia.Send(page.Form(`form[action$="/clone"]`))
			if intake.Path != "/leads/new" || intake.Status != http.StatusOK {
				t.Fatalf("got %s (%d): %s", intake.Path, intake.Status, intake.MainText())
			}
			intake.WantText("Copied from", "No saved changes yet.")
			form := intake.Form("form#intake")
			for name, want := range map[string]string{
				"applicant.name.lastName": "Rivera-None", "applicant.dob": "05/17/1979",
				"property.liens.0.lenderName": "Sawtooth Mortgage", "partnerDataRequest.externalReferenceId": "CRM-77",
				"applicant.ssn": "", "consent.method": "", "consent.attested": "", "confirm.cancelOld": "",
			} {
				if got := form.Values.Get(name); got != want {
					t.Errorf("%s: got %q, want %q", name, got, want)
				}
			}
			again := olivia.Send(page.Form(`form[action$="/clone"]`))
			if again.Form("form#intake").Values.Get("draft") != form.Values.Get("draft") {
				t.Error("the second POST created a second draft")
			}
			form = form.With("applicant.name.lastName", "Rivera", "property.address.street1", "2218 Larkspur Ave",
				"applicant.income.grossAnnualIncome", "$124,600.00")
			refused := olivia.Send(form)
			refused.WantText("Changed: last name, street.")
			if refused.Status != http.StatusUnprocessableEntity {
				t.Errorf("a start without consent: got %d, want 422", refused.Status)
			}
			started := olivia.Send(form.With("consent.attested", "true", "consent.method", "recorded-call",
				"confirm.cancelOld", "true"))
			if !strings.HasPrefix(started.Path, "/leads/") || started.Path == lead {
				t.Fatalf("the start led to %s (%d): %s", started.Path, started.Status, started.MainText())
			}
			h.WaitUntil("the old inquiry is closed", func() bool {
				return lenderStep(h, strings.TrimPrefix(lead, "/leads/")) == heloc.StepClosed
			})
			olivia.Send(form.With("consent.attested", "true", "consent.method", "recorded-call", "confirm.cancelOld", "true"))
			if n := h.LenderCallCount("/cancel"); n != 1 {
				t.Errorf("the lender got %d cancellations, want one", n)
			}
		})
	}
}

func TestRestart_NotConfirmed_KeepsOldInquiry(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera-Liens")
	page := olivia.WaitFor(lead, `form[action$="/clone"]`)
	form := olivia.Send(page.Form(`form[action$="/clone"]`)).Form("form#intake").
		With("consent.attested", "true", "consent.method", "link")
	same := olivia.Send(form)
	if same.Find(`input[name="confirm.duplicate"]`).Length() == 0 {
		t.Errorf("a second start of the same inquiry was not stopped: %s", same.MainText())
	}
	started := olivia.Send(form.With("applicant.name.lastName", "Riviera", "confirm.duplicate", "true"))
	if !strings.HasPrefix(started.Path, "/leads/") {
		t.Fatalf("got %s (%d)", started.Path, started.Status)
	}
	if n := h.LenderCallCount("/cancel"); n != 0 {
		t.Errorf("the old inquiry was canceled %d times without being asked", n)
	}
}

func TestClone_ByManager_PrivateAndAudited(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	lead := olivia.StartLead("Rivera-None")
	page := maya.WaitFor(lead, `form[action$="/clone"]`)
	intake := maya.Send(page.Form(`form[action$="/clone"]`))
	intake.WantText("Copied from")
	got := olivia.Get("/leads/new?draft=" + intake.Form("form#intake").Values.Get("draft"))
	if got.Status != http.StatusNotFound {
		t.Errorf("her draft for another user: got %d, want 404", got.Status)
	}
	rows, err := h.Store.AuditOf(t.Context(), "lead:"+strings.TrimPrefix(lead, "/leads/"), 50)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, r := range rows {
		found = found || r.Action == "lead.clone" && r.ActorID == "user-maya"
	}
	if !found {
		t.Error("the audit does not show that the borrower's data was filled in for another user")
	}
}

func TestClone_NoDraft_FromDetails(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera-None")
	page := olivia.WaitFor(lead, `form[action$="/clone"]`)
	draft, err := h.Store.DraftOfLead(t.Context(), heloc.AppID(strings.TrimPrefix(lead, "/leads/")))
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.LinkDraft(t.Context(), draft.ID, "0f0e0d0c-0000-4000-8000-00000000f0ff") // not a lead of this portal
	}); err != nil {
		t.Fatal(err)
	}
	intake := olivia.Send(page.Form(`form[action$="/clone"]`))
	intake.WantText("Copied from", "No saved changes yet.")
	form := intake.Form("form#intake")
	for name, want := range map[string]string{
		"applicant.name.firstName": "Elena", "property.address.street1": "2216 Larkspur Ave", "property.address.zip": "83702",
		"property.propertyType": "PRIMARY", "applicant.dob": "", "partnerDataRequest.externalAppId": "",
	} {
		if got := form.Values.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestChangedControls_IgnoresFormatting(t *testing.T) {
	t.Parallel()
	sent := lead.FormValues{"property.address.street1": {"1 Elm"}, "amountWanted": {"60000"}, "homeIsProperty": {"true"},
		"applicant.name.middleName": {""}, "applicant.dob": {"05/07/1979"}}
	for _, tt := range []struct {
		now  map[string][]string
		want []string
	}{
		{map[string][]string{"property.address.street1": {" 1 Elm "}, "amountWanted": {"60k"}, "homeIsProperty": {"true"},
			"applicant.dob": {"5/7/79"}, "applicant.ssn": {"123456789"}, "consent.method": {"link"}}, nil},
		{map[string][]string{"property.address.street1": {"2 Elm"}, "amountWanted": {"50000"}, "homeIsProperty": {"true"},
			"applicant.dob": {"5/8/79"}}, []string{"amountWanted", "applicant.dob", "property.address.street1"}},
		{map[string][]string{"property.address.street1": {"1 Elm"}, "amountWanted": {"60000"},
			"applicant.dob": {"1979-05-07"}, "applicant.name.middleName": {"Q"}},
			[]string{"applicant.name.middleName", "homeIsProperty"}},
	} {
		if got := intake.ChangedControls(sent, &form.Form{Values: tt.now}, "2026-11-22"); !slices.Equal(got, tt.want) {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
