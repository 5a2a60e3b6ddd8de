package intake_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/partner"
	"hearthline/web/webtest"
)

// The intake offers the references that do not contain the portal's own number, and never replaces one silently.
func TestIntake_References_OffersTheFreeOnes(t *testing.T) {
	t.Parallel()
	const group = "partnerDataRequest."
	for own, free := range map[partner.ReferenceField][]string{
		"":                        {"externalReferenceId", "externalCustomerId"},
		partner.ReferenceApp:      {"externalReferenceId", "externalCustomerId"},
		partner.ReferenceID:       {"externalAppId", "externalCustomerId"},
		partner.ReferenceCustomer: {"externalAppId", "externalReferenceId"},
	} {
		t.Run(string(own), func(t *testing.T) {
			t.Parallel()
			h := webtest.New(t, webtest.Options{ReferenceField: own})
			olivia := h.SignInAs("olivia")
			reserved := string(own)
			if own == "" {
				reserved = "externalAppId"
			}
			form := olivia.IntakeForm("Rivera")
			for _, name := range []string{"externalAppId", "externalReferenceId", "externalCustomerId"} {
				if _, offered := form.Values[group+name]; offered != slices.Contains(free, name) {
					t.Errorf("%s: offered %v", name, offered)
				}
			}
			refused := olivia.Send(form.With(group+reserved, "LOS-9"))
			if refused.Status != http.StatusUnprocessableEntity || len(h.Inquiries("Rivera")) != 0 {
				t.Errorf("the reserved field: got %d and %d inquiries", refused.Status, len(h.Inquiries("Rivera")))
			}
			refused.WantText("Hearthline uses this field for its own number.")
			if got := refused.Form("form#intake").Values.Get(group + reserved); got != "LOS-9" {
				t.Errorf("the value is %q after the refusal, want it kept", got)
			}
			path := olivia.StartLead("Quill-None", group+free[0], "A-1", group+free[1], "B-2")
			page := olivia.WaitFor(path, `form[action$="/clone"]`)
			app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
			if refs, err := h.Store.ReferencesOf(t.Context(), app); err != nil || len(refs) != 2 {
				t.Errorf("got %d references, %v, want both", len(refs), err)
			}
			clone := olivia.Send(page.Form(`form[action$="/clone"]`)).Form("form#intake").Values
			if a, b, r := clone.Get(group+free[0]), clone.Get(group+free[1]),
				clone.Get(group+reserved); a != "A-1" || b != "B-2" || r != "" {
				t.Errorf("the copy has %q, %q and %q", a, b, r)
			}
			// The attributions offer the application number where it is free.
			attributions := olivia.Get(path + "/history").Form("#form-attributions").Values
			_, ok := attributions["attributions.externalReferenceData.externalApplicationId"]
			if ok != (reserved != "externalAppId") {
				t.Errorf("the attributions offer the application number: %v", ok)
			}
		})
	}
}

// The prefix reaches the lender without its period, and survives the draft and the copy.
func TestIntake_Prefix_SentAndCopied(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	form := olivia.IntakeForm("Rivera-None", "applicant.name.prefix", "Dr")
	autosave(olivia, form)
	if got := olivia.Get("/leads/new?draft=" + form.Values.Get("draft")).
		Form("form#intake").Values.Get("applicant.name.prefix"); got != "Dr" {
		t.Errorf("the draft has %q", got)
	}
	copied := olivia.Send(olivia.WaitFor(olivia.Send(form).Path, `form[action$="/clone"]`).Form(`form[action$="/clone"]`))
	if got := copied.Form("form#intake").Values.Get("applicant.name.prefix"); got != "Dr" {
		t.Errorf("the copy has %q", got)
	}
	// A CRM gives it with its period.
	crm := webtest.NewCRM(t, h)
	crm.ConnectUser("olivia")
	crm.Attest()
	record := webtest.LaunchFor("51")
	record.Prefill = map[string]string{
		"applicant.name.prefix": "Dr.", "applicant.name.lastName": "Quill",
		"partnerDataRequest.externalCustomerId": "C-9", "partnerDataRequest.externalReferenceId": "D-7",
		"partnerDataRequest.externalAppId": "A-1",
	}
	opened := crm.OpenFrame(record).Get("/leads/new")
	values := opened.Form("form#intake").Values
	if got := values.Get("applicant.name.prefix"); got != "Dr" {
		t.Errorf("the CRM's prefix is %q", got)
	}
	if c, r := values.Get("partnerDataRequest.externalCustomerId"),
		values.Get("partnerDataRequest.externalReferenceId"); c != "C-9" || r != "51" {
		t.Errorf("got the customer number %q and the reference %q, want the CRM's and the record's", c, r)
	}
	opened.WantText("values for these fields can’t be used: Your loan number, Your reference.")
}
