package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/web/form"
	"hearthline/web/intake"
)

// lenderStep returns the lender's current step of an inquiry.
func (h *harness) lenderStep(app string) heloc.Step {
	for _, q := range h.sandbox.Inquiries() {
		if string(q.AppUUID) == app {
			return q.NextInquiryStep
		}
	}
	return ""
}

func TestRestart_CorrectsAndCancelsOld(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"documented", "live"} {
		t.Run(dialect, func(t *testing.T) {
			h := newHarness(t, harnessOptions{dialect: dialect})
			olivia := h.signInAs("olivia")
			lead := olivia.startLead("Rivera-None", "applicant.ssn", "123-45-6789", "partnerDataRequest.externalReferenceId", "CRM-77")
			page := olivia.waitFor(lead, `form[action$="/clone"]`)
			page.wantText("What can be changed, in a new inquiry", "$60,000 was asked for.")
			intake := olivia.send(page.form(`form[action$="/clone"]`))
			if intake.path != "/leads/new" || intake.status != http.StatusOK {
				t.Fatalf("got %s (%d): %s", intake.path, intake.status, intake.text())
			}
			intake.wantText("Copied from", "No saved changes yet.")
			form := intake.form("form#intake")
			for name, want := range map[string]string{
				"applicant.name.lastName": "Rivera-None", "applicant.dob": "05/17/1979", "property.liens.0.lenderName": "Sawtooth Mortgage",
				"partnerDataRequest.externalReferenceId": "CRM-77", "applicant.ssn": "", "consent.method": "", "consent.attested": "", "confirm.cancelOld": "",
			} {
				if got := form.values.Get(name); got != want {
					t.Errorf("%s: got %q, want %q", name, got, want)
				}
			}
			if again := olivia.send(page.form(`form[action$="/clone"]`)); again.form("form#intake").values.Get("draft") != form.values.Get("draft") {
				t.Error("the second POST created a second draft")
			}
			form = form.with("applicant.name.lastName", "Rivera", "property.address.street1", "2218 Larkspur Ave", "applicant.income.grossAnnualIncome", "$124,600.00")
			refused := olivia.send(form)
			refused.wantText("Changed: last name, street.")
			if refused.status != http.StatusUnprocessableEntity {
				t.Errorf("a start without consent: got %d, want 422", refused.status)
			}
			started := olivia.send(form.with("consent.attested", "true", "consent.method", "recorded-call", "confirm.cancelOld", "true"))
			if !strings.HasPrefix(started.path, "/leads/") || started.path == lead {
				t.Fatalf("the start led to %s (%d): %s", started.path, started.status, started.text())
			}
			h.waitUntil("the old inquiry is closed", func() bool { return h.lenderStep(strings.TrimPrefix(lead, "/leads/")) == heloc.StepClosed })
			olivia.send(form.with("consent.attested", "true", "consent.method", "recorded-call", "confirm.cancelOld", "true"))
			if n := h.lenderCallCount("/cancel"); n != 1 {
				t.Errorf("the lender got %d cancellations, want one", n)
			}
		})
	}
}

func TestRestart_NotConfirmed_KeepsOldInquiry(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	lead := olivia.startLead("Rivera-Liens")
	page := olivia.waitFor(lead, `form[action$="/clone"]`)
	form := olivia.send(page.form(`form[action$="/clone"]`)).form("form#intake").with("consent.attested", "true", "consent.method", "link")
	same := olivia.send(form)
	if same.Find(`input[name="confirm.duplicate"]`).Length() == 0 {
		t.Errorf("a second start of the same inquiry was not stopped: %s", same.text())
	}
	started := olivia.send(form.with("applicant.name.lastName", "Riviera", "confirm.duplicate", "true"))
	if !strings.HasPrefix(started.path, "/leads/") {
		t.Fatalf("got %s (%d)", started.path, started.status)
	}
	if n := h.lenderCallCount("/cancel"); n != 0 {
		t.Errorf("the old inquiry was canceled %d times without being asked", n)
	}
}

func TestClone_ByManager_PrivateAndAudited(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia, maya := h.signInAs("olivia"), h.signInAs("maya")
	lead := olivia.startLead("Rivera-None")
	page := maya.waitFor(lead, `form[action$="/clone"]`)
	intake := maya.send(page.form(`form[action$="/clone"]`))
	intake.wantText("Copied from")
	if got := olivia.get("/leads/new?draft=" + intake.form("form#intake").values.Get("draft")); got.status != http.StatusNotFound {
		t.Errorf("her draft for another user: got %d, want 404", got.status)
	}
	rows, err := h.store.AuditOf(t.Context(), "lead:"+strings.TrimPrefix(lead, "/leads/"), 50)
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
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	lead := olivia.startLead("Rivera-None")
	page := olivia.waitFor(lead, `form[action$="/clone"]`)
	draft, err := h.store.DraftOfLead(t.Context(), heloc.AppID(strings.TrimPrefix(lead, "/leads/")))
	if err != nil {
		t.Fatal(err)
	}
	if err := h.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.LinkDraft(t.Context(), draft.ID, "0f0e0d0c-0000-4000-8000-00000000f0ff") // not a lead of this portal
	}); err != nil {
		t.Fatal(err)
	}
	intake := olivia.send(page.form(`form[action$="/clone"]`))
	intake.wantText("Copied from", "No saved changes yet.")
	form := intake.form("form#intake")
	for name, want := range map[string]string{
		"applicant.name.firstName": "Elena", "property.address.street1": "2216 Larkspur Ave", "property.address.zip": "83702", "property.propertyType": "PRIMARY",
		"applicant.dob": "", "partnerDataRequest.externalAppId": "",
	} {
		if got := form.values.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestChangedControls_IgnoresFormatting(t *testing.T) {
	t.Parallel()
	sent := desk.FormValues{"property.address.street1": {"1 Elm"}, "amountWanted": {"60000"}, "homeIsProperty": {"true"}, "applicant.name.middleName": {""}}
	for _, tt := range []struct {
		now  map[string][]string
		want []string
	}{
		{map[string][]string{"property.address.street1": {" 1 Elm "}, "amountWanted": {"$60,000.00"}, "homeIsProperty": {"true"}, "applicant.ssn": {"123456789"}, "consent.method": {"link"}}, nil},
		{map[string][]string{"property.address.street1": {"2 Elm"}, "amountWanted": {"50000"}, "homeIsProperty": {"true"}}, []string{"amountWanted", "property.address.street1"}},
		{map[string][]string{"property.address.street1": {"1 Elm"}, "amountWanted": {"60000"}, "applicant.name.middleName": {"Q"}}, []string{"applicant.name.middleName", "homeIsProperty"}},
	} {
		if got := intake.ChangedControls(sent, &form.Form{Values: tt.now}); !slices.Equal(got, tt.want) {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
