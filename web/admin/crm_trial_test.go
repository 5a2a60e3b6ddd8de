package admin_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/launch"
	"hearthline/views/text"
	"hearthline/web/webtest"
)

// TestTryCRMLaunch_ShowsChecks_UsesNothingUp: a pasted launch is explained, without its values and without an SSN. It
// can still be used, once, and nothing of it is stored.
func TestTryCRMLaunch_ShowsChecks_UsesNothingUp(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	crm := webtest.NewCRM(t, h)
	admin := h.SignInAs("admin")
	o := webtest.LaunchFor("51")
	o.Prefill = map[string]string{"applicant.name.firstName": "Canarybird", "applicant.ssn": "666-12-9988",
		"property.address.state": "Nowhere", "666-12-9989": "x", "applicant.email": "elena at home",
		"applicant.dob": "1979-05-14", "partnerDataRequest.externalReferenceId": "other"}
	token := crm.Token(o)
	form := admin.Get("/admin/embed/acme/test").Form("#form-test")
	got := admin.Send(form.With("password.launch", "launch_token="+token+"\r\n"))
	got.WantText("Every check passed", "u-7", "deal 51", "EdDSA, key k1", "First name Filled in",
		"applicant.ssn — Ignored: only the borrower", "(nine digits, hidden)",
		"the field doesn’t accept this value", "the field has the record’s ID",
		"Email Filled in, but needs attention ", "Birth date Filled in applicant.email", "(60 seconds)")
	for _, never := range []string{"Canarybird", "666-12", token[:40]} {
		if strings.Contains(got.Body, never) {
			t.Errorf("the page shows %q", never)
		}
	}
	rejected, unused, err := h.EmbedService.Rejections(t.Context(), "acme")
	if err != nil || len(rejected)+len(unused) > 0 {
		t.Errorf("the test was stored: %v, %v, %v", rejected, unused, err)
	}
	browser := h.NewBrowser()
	posted := url.Values{"launch_token": {token}}
	if page := browser.Post("/launch/jwt/acme", posted, webtest.CrossSiteHeaders()...); page.Status != http.StatusOK {
		t.Fatalf("the launch after its test: got %d", page.Status)
	}
	admin.Send(form.With("password.launch", token)).WantText("would be rejected", "This launch was used before")
	o.Origin = "https://elsewhere.example"
	crm.Key = webtest.NewCRM(t, webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})).Key
	admin.Send(form.With("password.launch", crm.Token(o))).WantText("This launch would be rejected",
		text.LaunchRejection(string(launch.CauseSignature)), text.LaunchRejection(string(launch.CauseOrigin)),
		"Found: https://elsewhere.example. Expected: "+webtest.CRMOrigin, "deal 51")
	admin.Send(form.With("password.launch", "x")).WantText("Not checked")
	hubspot := admin.Get("/admin/embed/hs/test").Form("#form-test")
	admin.Send(hubspot.With("password.url", "https://a/?portalId=777&userId=9&userEmail=a%40b.test",
		"password.timestamp", "1", "password.launch", "{}")).WantText("Too old", "777/9")
	if got := admin.Get("/admin/embed/nobody/test"); got.Status != http.StatusNotFound {
		t.Errorf("an unknown CRM: got %d", got.Status)
	}
	for _, cause := range launch.Causes() {
		switch cause {
		case launch.CauseWrongKind, launch.CauseKeys, launch.CauseKeyID, launch.CauseRateLimit:
		default:
			if text.LaunchCheck(string(cause)) == "" {
				t.Errorf("%s has no name", cause)
			}
		}
	}
}
