package admin_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/launch"
	"hearthline/internal/store"
	"hearthline/views/text"
	"hearthline/web/admin"
	"hearthline/web/webtest"
)

func TestSaveCRMClient_AddChangeAttestClose(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	admin := h.SignInAs("admin")
	page := admin.Get("/admin/embed")
	form := page.Form("#form-embed")
	for name, value := range map[string]string{
		"key": "sf", "name": "Salesforce", "brokerId": h.People["olivia"].BrokerID, "kind": "canvas",
		"origins": "https://*.salesforce.com", "organization": "00DA", "password.secret": webtest.CRMSecret,
	} {
		form.Values.Set(name, value)
	}
	wrong := admin.Send(form)
	wrong.WantText("is not an origin")
	if wrong.Status != http.StatusUnprocessableEntity || strings.Contains(wrong.Body, webtest.CRMSecret) ||
		wrong.Form("#form-embed").Values.Get("name") != "Salesforce" {
		t.Errorf("got %d; want the form with its values, except the secret", wrong.Status)
	}
	form.Values.Set("origins", "https://a.my.salesforce.com https://a.lightning.force.com")
	saved := admin.Send(form)
	saved.WantText("Salesforce", "/launch/canvas/sf", "Users confirm their identity in a new tab")
	if strings.Contains(saved.Body, webtest.CRMSecret) {
		t.Error("the page shows the secret")
	}
	// An existing client is changed without entering everything again, and a next secret is valid beside the first.
	address, _ := saved.Find("#crm-sf a").Attr("href")
	change := admin.Get(address).Form("#form-embed")
	if change.Values.Get("origins") != "https://a.my.salesforce.com https://a.lightning.force.com" ||
		change.Values.Get("organization") != "00DA" || change.Values.Get("password.secret") != "" {
		t.Errorf("the change form: got %v", change.Values)
	}
	admin.Send(change.With("password.secret", webtest.CRMSecret+" next")).WantText("Two secrets: previous and next")
	admin.Post("/admin/embed/sf", url.Values{"act": {"retire"}}).WantText("One secret")
	admin.Send(change.With("password.secret", webtest.CRMSecret)).WantText("was used before")
	if got := admin.Get("/admin/embed?client=nobody"); got.Status != http.StatusNotFound {
		t.Errorf("an unknown CRM: got %d", got.Status)
	}
	if got := admin.Post("/admin/embed/sf", url.Values{"act": {"attest"}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("an approval without a name: got %d", got.Status)
	}
	approval := url.Values{"act": {"attest"}, "approver": {"Quinn Reed"}, "reason": {"Two factors since May"}}
	admin.Post("/admin/embed/sf", approval).WantText("is waiting for another administrator under Requests")
	if got := admin.Post("/admin/embed/sf", approval); got.Status != http.StatusConflict {
		t.Errorf("the same request again: got %d, want 409", got.Status)
	}
	admin.Get("/admin/requests").WantText("Count the sign-in of Salesforce (sf) as a second factor, as Quinn Reed "+
		"approved in writing", "Two factors since May", "Withdraw request")
	if c, err := h.EmbedService.Client(t.Context(), "sf"); err != nil || c.Attested() {
		t.Errorf("approved by %q, %v, before a second person agreed", c.AttestedBy, err)
	}
	h.ApproveRequest()
	admin.Get("/admin/embed").WantText("approved by Quinn Reed")
	if c, err := h.EmbedService.Client(t.Context(), "sf"); err != nil || !c.Attested() || len(c.Origins) != 2 {
		t.Errorf("got %+v, %v", c.AttestedBy, err)
	}
	admin.Post("/admin/embed/sf", url.Values{"act": {"close"}}).WantText("Disabled")
	if got := h.NewBrowser().Post("/launch/canvas/sf", nil).Header.Get("Content-Security-Policy"); !strings.Contains(got,
		"frame-ancestors 'none'") {
		t.Errorf("disabled, but may still be framed: %q", got)
	}
}

// TestCRMClient_OneAdministrator_SignsNobodyIn replaces a CRM's keys with one's own and approves its sign-in, as one
// administrator alone. A launch signed with these keys must not open the account of a user who is connected to the CRM.
func TestCRMClient_OneAdministrator_SignsNobodyIn(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	h.AddUser("ruth", access.Actor{Name: "Ruth Second", Email: "ruth@hearthline.test", Role: access.Admin})
	crm := webtest.NewCRM(t, h)
	crm.ConnectUser("olivia")
	crm.Attest()
	before := crm.OpenFrame(webtest.LaunchFor("51"))
	public, key, err := ed25519.GenerateKey(rand.Reader)
	h.Must(err)
	keys, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: public, KeyID: "k1"}}})
	h.Must(err)
	admin := h.SignInAs("admin")
	edit := admin.Get("/admin/embed?client=acme")
	edit.WantText("Adding or replacing a key ends", "A new secret ends")
	admin.Send(edit.Form("#form-embed").With("keys", string(keys)))
	admin.Post("/admin/embed/acme", url.Values{"act": {"attest"}, "approver": {"Nobody"}, "reason": {"Rotation"}})
	crm.Key = key
	page := crm.PostLaunch(h.NewBrowser(), webtest.LaunchFor("51"))
	if page.Status != http.StatusOK || page.Find(".letters").Length() != 1 ||
		strings.Contains(page.MainText(), "Olivia Bennett") {
		t.Errorf("a launch with the new keys: got %d: %s, want a CRM user who isn’t connected", page.Status, page.MainText())
	}
	if got := before.Get("/leads"); got.Status == http.StatusOK {
		t.Error("the user is still signed in from the CRM")
	}
	if c, err := h.EmbedService.Client(t.Context(), "acme"); err != nil || c.Attested() {
		t.Errorf("approved by %q, %v, want no approval by one administrator", c.AttestedBy, err)
	}
	for name, title := range map[string]string{"olivia": "Your CRM sign-in was disconnected",
		"admin": "CRM sign-in changed", "ruth": "CRM sign-in changed"} {
		h.SignInAs(name).Get("/notifications").WantText(title, "By Ann Admin.", "CRM acme")
		if mails := h.Mails(h.People[name].Email); len(mails) == 0 || !strings.Contains(mails[0].Text, "CRM acme") {
			t.Errorf("%s has the emails %+v", name, mails)
		}
	}
}

// Only an administrator can decide what a corrected issuer means for the records of a CRM.
func TestSaveCRMClient_IssuerChanged_KeepsRecordsOnRequest(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	app := a.OpenFrame(webtest.LaunchFor("51")).StartLead("Rivera")
	admin := h.SignInAs("admin")
	form := func() webtest.Form {
		address, _ := admin.Get("/admin/embed").Find("#crm-acme a").Attr("href")
		page := admin.Get(address)
		page.WantText("its records lose their links to leads", "Keep its records linked to their leads")
		return page.Form("#form-embed")
	}
	if got := admin.Send(form().With("same.records", "true",
		"brokerId", h.People["piotr"].BrokerID)); got.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(got.Find("#form-embed .err").Text(), "can’t stay linked") {
		t.Errorf("moved to another company: got %d: %s", got.Status, got.Find("#form-embed .err").Text())
	}
	records := func() int {
		refs, err := h.Store.ReferencesOf(t.Context(), heloc.AppID(strings.TrimPrefix(app, "/leads/")))
		if err != nil {
			t.Fatal(err)
		}
		return len(slices.DeleteFunc(refs, func(r store.Reference) bool { return r.Client != "acme" }))
	}
	for _, step := range []struct {
		issuer, same string
		want         int
	}{{"https://crm.example", "", 1}, {"https://login.crm.example", "true", 1}, {"https://another.example", "", 0}} {
		if got := admin.Send(form().With("issuer", step.issuer, "same.records", step.same)); got.Status != http.StatusOK {
			t.Fatalf("%+v: got %d: %s", step, got.Status, got.MainText())
		}
		if got := records(); got != step.want {
			t.Errorf("%+v: got %d records of the lead, want %d", step, got, step.want)
		}
	}
}

// An action that no page offers does nothing, and the error for an approval without a name links to the field.
func TestUpdateCRMClient_UnknownAction_422(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	webtest.NewCRM(t, h)
	admin := h.SignInAs("admin")
	for what, values := range map[string]url.Values{
		"an unknown action":                   {"act": {"zzz"}, "approver": {"Someone"}},
		"no action":                           {"approver": {"Someone"}},
		"an approval without a name":          {"act": {"attest"}, "reason": {"Two factors"}},
		"an approval without a reason":        {"act": {"attest"}, "approver": {"Someone"}},
		"an approval with a blank name":       {"act": {"attest"}, "approver": {"\u00a0"}},
		"an approval with control characters": {"act": {"attest"}, "approver": {"Some\u202eone"}},
	} {
		got := admin.Post("/admin/embed/hs", values)
		if c, err := h.EmbedService.Client(t.Context(), "hs"); err != nil || got.Status != http.StatusUnprocessableEntity ||
			c.Attested() {
			t.Errorf("%s: got %d, approved by %q, %v, want 422 and no approval", what, got.Status, c.AttestedBy, err)
		}
	}
	admin.Post("/admin/embed/hs", url.Values{"act": {"zzz"}}).
		WantText("This action isn’t available here. Nothing was changed.")
	got := admin.Post("/admin/embed/hs", url.Values{"act": {"attest"}, "approver": {" "}, "reason": {"Two factors"}})
	got.WantText("Enter the name of the person who approved it")
	if link := got.Find("#complaints a"); link.AttrOr("href", "") != "#approver-hs" ||
		link.Text() != strings.TrimSpace(got.Find(`label[for="approver-hs"]`).Text()) {
		t.Errorf("the summary links to %q as %q", link.AttrOr("href", ""), link.Text())
	}
	if n := got.Find("[aria-invalid]").Length(); n != 1 {
		t.Errorf("%d fields are marked, want the field of one CRM", n)
	}
}

func TestSaveCRMClient_UnknownCompany_422(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	webtest.NewCRM(t, h)
	admin := h.SignInAs("admin")
	form := admin.Get("/admin/embed?client=acme").Form("#form-embed")
	got := admin.Send(form.With("brokerId", "no-such", "origins", "https://*.x crm.example https://a/b"))
	got.WantText("The lender’s directory has no company with this ID",
		"https://*.x, crm.example and https://a/b are not origins")
	if c, err := h.EmbedService.Client(t.Context(), "acme"); err != nil || got.Status != http.StatusUnprocessableEntity ||
		c.BrokerID != h.People["olivia"].BrokerID {
		t.Errorf("got %d, of %q, %v", got.Status, c.BrokerID, err)
	}
	if label := got.Find(`#complaints a[href="#brokerId"]`).Text(); label != "Broker company" {
		t.Errorf("the summary labels it %q", label)
	}
	admin.Send(form.With("key", "second", "was", "second")).WantText("No CRM has this key")
}

// Keys that are too long must be rejected: treating them as empty would leave the previous keys unchanged.
func TestSaveCRMClient_KeysTooLong_422(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	webtest.NewCRM(t, h)
	anAdmin := h.SignInAs("admin")
	form := anAdmin.Get("/admin/embed?client=acme").Form("#form-embed")
	got := anAdmin.Send(form.With("name", "Renamed", "keys", strings.Repeat("k", admin.MaxKeysLength+1)))
	if c, err := h.EmbedService.Client(t.Context(), "acme"); err != nil || got.Status != http.StatusUnprocessableEntity ||
		c.Name == "Renamed" {
		t.Errorf("got %d, and the CRM %q, %v, want 422 and nothing changed", got.Status, c.Name, err)
	}
	got.WantText("This is too long")
}

func TestSaveCRMClient_KeyTaken_422(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	webtest.NewCRM(t, h)
	admin := h.SignInAs("admin")
	form := admin.Get("/admin/embed").Form("#form-embed")
	for name, value := range map[string]string{
		"key": "sf", "name": "Another", "brokerId": h.People["piotr"].BrokerID, "kind": "canvas",
		"origins": "https://b.my.salesforce.com", "organization": "00DB", "password.secret": webtest.CRMSecret + " other",
	} {
		form.Values.Set(name, value)
	}
	got := admin.Send(form)
	got.WantText("Another CRM uses this key")
	if c, err := h.EmbedService.Client(t.Context(), "sf"); err != nil || got.Status != http.StatusUnprocessableEntity ||
		c.Name != "CRM sf" || c.BrokerID != h.People["olivia"].BrokerID {
		t.Errorf("got %d, and sf is %q of %q, %v", got.Status, c.Name, c.BrokerID, err)
	}
	if admin.Get("/admin/embed?client=acme").Find(`textarea[name="keys"]`).Length() != 1 {
		t.Error("the keys are on one line")
	}
}

// The administrator who installs a CRM sees why its launches fail.
func TestCRMClientsPage_ShowsRejectionCauses(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	o := webtest.LaunchFor("51")
	o.Origin = "https://elsewhere.example"
	response := a.PostLaunch(h.NewBrowser(), o)
	h.NewBrowser().Get("/api/embed/hs/records/51")
	page := h.SignInAs("admin").Get("/admin/embed")
	if got := page.Find("#crm-acme").Text(); !strings.Contains(got, text.LaunchRejection(string(launch.CauseOrigin))) ||
		strings.Contains(got, "elsewhere") {
		t.Errorf("got %s", got)
	}
	if got := page.Find("#crm-hs").Text(); !strings.Contains(got, "Card or status,") {
		t.Errorf("got %s", got)
	}
	if page.Find("#refused-sf").Length() > 0 ||
		strings.Contains(response.MainText(), text.LaunchRejection(string(launch.CauseOrigin))) {
		t.Errorf("shown to an administrator of another company: %s", response.MainText())
	}
	for _, cause := range launch.Causes() {
		if words := text.LaunchRejection(string(cause)); !strings.Contains(words, " ") {
			t.Errorf("%s has no text", cause)
		}
	}
}

// TestSaveCRMClient_KeysURL: the page shows where the keys are read, and since when that fails.
func TestSaveCRMClient_KeysURL(t *testing.T) {
	t.Parallel()
	clock := &webtest.Clock{At: time.Now()}
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true, Now: clock.Now})
	crm := webtest.NewCRM(t, h)
	keys, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: crm.Key.Public(), KeyID: "k1"}}})
	h.Must(err)
	published := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/jwks" {
			http.NotFound(w, r)
		}
		_, _ = w.Write(keys)
	}))
	t.Cleanup(published.Close)
	admin := h.SignInAs("admin")
	form := admin.Get("/admin/embed?client=acme").Form("#form-embed")
	wrong := admin.Send(form.With("keysUrl", published.URL+"/other"))
	wrong.WantText("The URL returned 404")
	if label := wrong.Find(`#complaints a[href="#keysUrl"]`).Text(); label != "URL of its public keys" {
		t.Errorf("the summary labels it %q", label)
	}
	admin.Send(form.With("keysUrl", published.URL+"/jwks")).WantText("Keys from", published.URL+"/jwks", "Last read")
	edit := admin.Get("/admin/embed?client=acme").Form("#form-embed")
	if got := edit.Values.Get("keysUrl"); got != published.URL+"/jwks" {
		t.Errorf("the form has the URL %q", got)
	}
	if got := crm.PostLaunch(h.NewBrowser(), webtest.LaunchFor("51")); got.Status != http.StatusOK {
		t.Errorf("a launch: got %d", got.Status)
	}
	published.Close()
	clock.Advance(2 * time.Hour)
	crm.PostLaunch(h.NewBrowser(), webtest.LaunchFor("52")) // its token has expired, but the keys are read first
	h.SignInAs("admin").Get("/admin/embed").WantText("Failing since", "Couldn’t connect", "These keys can be used until")
}
