package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/launch"
	"hearthline/internal/store"
	"hearthline/views/words"
	"hearthline/web/admin"
)

func TestSaveCRMClient_AddChangeAttestClose(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	admin := h.signInAs("admin")
	page := admin.get("/admin/embed")
	form := page.form("#form-embed")
	for name, value := range map[string]string{
		"key": "sf", "name": "Salesforce", "brokerId": h.people["olivia"].BrokerID, "kind": "canvas", "origins": "https://*.salesforce.com", "organization": "00DA", "password.secret": crmSecret,
	} {
		form.values.Set(name, value)
	}
	wrong := admin.send(form)
	wrong.wantText("is not an origin")
	if wrong.status != http.StatusUnprocessableEntity || strings.Contains(wrong.body, crmSecret) || wrong.form("#form-embed").values.Get("name") != "Salesforce" {
		t.Errorf("got %d; want the form with its values, except the secret", wrong.status)
	}
	form.values.Set("origins", "https://a.my.salesforce.com https://a.lightning.force.com")
	saved := admin.send(form)
	saved.wantText("Salesforce", "/launch/canvas/sf", "Users confirm their identity in a new tab")
	if strings.Contains(saved.body, crmSecret) {
		t.Error("the page shows the secret")
	}
	// An existing client is changed without entering everything again, and a next secret is valid beside the first.
	address, _ := saved.Find("#crm-sf a").Attr("href")
	change := admin.get(address).form("#form-embed")
	if change.values.Get("origins") != "https://a.my.salesforce.com https://a.lightning.force.com" || change.values.Get("organization") != "00DA" || change.values.Get("password.secret") != "" {
		t.Errorf("the change form: got %v", change.values)
	}
	admin.send(change.with("password.secret", crmSecret+" next")).wantText("Two secrets: previous and next")
	admin.post("/admin/embed/sf", url.Values{"act": {"retire"}}).wantText("One secret")
	admin.send(change.with("password.secret", crmSecret)).wantText("was used before")
	if got := admin.get("/admin/embed?client=nobody"); got.status != http.StatusNotFound {
		t.Errorf("an unknown CRM: got %d", got.status)
	}
	if got := admin.post("/admin/embed/sf", url.Values{"act": {"attest"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("an approval without a name: got %d", got.status)
	}
	admin.post("/admin/embed/sf", url.Values{"act": {"attest"}, "approver": {"Quinn Reed"}}).wantText("approved by Quinn Reed")
	if c, err := h.embedService.Client(t.Context(), "sf"); err != nil || !c.Attested() || len(c.Origins) != 2 {
		t.Errorf("got %+v, %v", c.AttestedBy, err)
	}
	admin.post("/admin/embed/sf", url.Values{"act": {"close"}}).wantText("Disabled")
	if got := h.newBrowser().post("/launch/canvas/sf", nil).header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors 'none'") {
		t.Errorf("disabled, but may still be framed: %q", got)
	}
}

// Only an administrator can decide what a corrected issuer means for the records of a CRM.
func TestSaveCRMClient_IssuerChanged_KeepsRecordsOnRequest(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	app := a.openFrame(launchFor("51")).startLead("Rivera")
	admin := h.signInAs("admin")
	form := func() postedForm {
		address, _ := admin.get("/admin/embed").Find("#crm-acme a").Attr("href")
		page := admin.get(address)
		page.wantText("its records lose their links to leads", "Keep its records linked to their leads")
		return page.form("#form-embed")
	}
	if got := admin.send(form().with("same.records", "true", "brokerId", h.people["piotr"].BrokerID)); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.Find("#form-embed .err").Text(), "can’t stay linked") {
		t.Errorf("moved to another company: got %d: %s", got.status, got.Find("#form-embed .err").Text())
	}
	records := func() int {
		refs, err := h.store.ReferencesOf(t.Context(), heloc.AppID(strings.TrimPrefix(app, "/leads/")))
		if err != nil {
			t.Fatal(err)
		}
		return len(slices.DeleteFunc(refs, func(r store.Reference) bool { return r.Client != "acme" }))
	}
	for _, step := range []struct {
		issuer, same string
		want         int
	}{{"https://crm.example", "", 1}, {"https://login.crm.example", "true", 1}, {"https://another.example", "", 0}} {
		if got := admin.send(form().with("issuer", step.issuer, "same.records", step.same)); got.status != http.StatusOK {
			t.Fatalf("%+v: got %d: %s", step, got.status, got.text())
		}
		if got := records(); got != step.want {
			t.Errorf("%+v: got %d records of the lead, want %d", step, got, step.want)
		}
	}
}

// An action that no page offers does nothing, and the error for an approval without a name links to the field.
func TestUpdateCRMClient_UnknownAction_422(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	newCRMFixture(t, h)
	admin := h.signInAs("admin")
	for what, values := range map[string]url.Values{
		"an unknown action":                   {"act": {"zzz"}, "approver": {"Someone"}},
		"no action":                           {"approver": {"Someone"}},
		"an approval without a name":          {"act": {"attest"}},
		"an approval with a blank name":       {"act": {"attest"}, "approver": {"\u00a0"}},
		"an approval with control characters": {"act": {"attest"}, "approver": {"Some\u202eone"}},
	} {
		got := admin.post("/admin/embed/hs", values)
		if c, err := h.embedService.Client(t.Context(), "hs"); err != nil || got.status != http.StatusUnprocessableEntity || c.Attested() {
			t.Errorf("%s: got %d, approved by %q, %v, want 422 and no approval", what, got.status, c.AttestedBy, err)
		}
	}
	got := admin.post("/admin/embed/hs", url.Values{"act": {"attest"}, "approver": {" "}})
	got.wantText("Enter the name of the person who approved it")
	if link := got.Find("#complaints a"); link.AttrOr("href", "") != "#approver-hs" || link.Text() != strings.TrimSpace(got.Find(`label[for="approver-hs"]`).Text()) {
		t.Errorf("the summary links to %q as %q", link.AttrOr("href", ""), link.Text())
	}
	if n := got.Find("[aria-invalid]").Length(); n != 1 {
		t.Errorf("%d fields are marked, want the field of one CRM", n)
	}
}

func TestSaveCRMClient_UnknownCompany_422(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	newCRMFixture(t, h)
	admin := h.signInAs("admin")
	form := admin.get("/admin/embed?client=acme").form("#form-embed")
	got := admin.send(form.with("brokerId", "no-such", "origins", "https://*.x crm.example https://a/b"))
	got.wantText("The lender’s directory has no company with this ID", "https://*.x, crm.example and https://a/b are not origins")
	if c, err := h.embedService.Client(t.Context(), "acme"); err != nil || got.status != http.StatusUnprocessableEntity || c.BrokerID != h.people["olivia"].BrokerID {
		t.Errorf("got %d, of %q, %v", got.status, c.BrokerID, err)
	}
	if label := got.Find(`#complaints a[href="#brokerId"]`).Text(); label != "Broker company" {
		t.Errorf("the summary labels it %q", label)
	}
	admin.send(form.with("key", "second", "was", "second")).wantText("No CRM has this key")
}

// Keys that are too long must be rejected: treating them as empty would leave the previous keys unchanged.
func TestSaveCRMClient_KeysTooLong_422(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	newCRMFixture(t, h)
	anAdmin := h.signInAs("admin")
	form := anAdmin.get("/admin/embed?client=acme").form("#form-embed")
	got := anAdmin.send(form.with("name", "Renamed", "keys", strings.Repeat("k", admin.MaxKeysLength+1)))
	if c, err := h.embedService.Client(t.Context(), "acme"); err != nil || got.status != http.StatusUnprocessableEntity || c.Name == "Renamed" {
		t.Errorf("got %d, and the CRM %q, %v, want 422 and nothing changed", got.status, c.Name, err)
	}
	got.wantText("This is too long")
}

func TestSaveCRMClient_KeyTaken_422(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	newCRMFixture(t, h)
	admin := h.signInAs("admin")
	form := admin.get("/admin/embed").form("#form-embed")
	for name, value := range map[string]string{
		"key": "sf", "name": "Another", "brokerId": h.people["piotr"].BrokerID, "kind": "canvas", "origins": "https://b.my.salesforce.com", "organization": "00DB", "password.secret": crmSecret + " other",
	} {
		form.values.Set(name, value)
	}
	got := admin.send(form)
	got.wantText("Another CRM uses this key")
	if c, err := h.embedService.Client(t.Context(), "sf"); err != nil || got.status != http.StatusUnprocessableEntity || c.Name != "CRM sf" || c.BrokerID != h.people["olivia"].BrokerID {
		t.Errorf("got %d, and sf is %q of %q, %v", got.status, c.Name, c.BrokerID, err)
	}
	if admin.get("/admin/embed?client=acme").Find(`textarea[name="keys"]`).Length() != 1 {
		t.Error("the keys are on one line")
	}
}

// The administrator who installs a CRM sees why its launches fail.
func TestCRMClientsPage_ShowsRejectionCauses(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	o := launchFor("51")
	o.Origin = "https://elsewhere.example"
	response := a.postLaunch(h.newBrowser(), o)
	h.newBrowser().get("/api/embed/hs/records/51")
	page := h.signInAs("admin").get("/admin/embed")
	if got := page.Find("#crm-acme").Text(); !strings.Contains(got, words.LaunchRejection(string(launch.CauseOrigin))) || strings.Contains(got, "elsewhere") {
		t.Errorf("got %s", got)
	}
	if got := page.Find("#crm-hs").Text(); !strings.Contains(got, "Card,") {
		t.Errorf("got %s", got)
	}
	if page.Find("#refused-sf").Length() > 0 || strings.Contains(response.text(), words.LaunchRejection(string(launch.CauseOrigin))) {
		t.Errorf("shown to an administrator of another company: %s", response.text())
	}
	for _, cause := range launch.Causes() {
		if text := words.LaunchRejection(string(cause)); !strings.Contains(text, " ") {
			t.Errorf("%s has no text", cause)
		}
	}
}
