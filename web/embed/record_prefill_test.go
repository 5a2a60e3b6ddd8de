package embed_test

import (
	"slices"
	"strings"
	"testing"

	"hearthline/internal/launch"
	"hearthline/internal/lead"
	"hearthline/web/webtest"
)

// openRecord returns the intake of a new record with these values of its CRM.
func openRecord(a *webtest.CRM, record string, prefill map[string]string) (*webtest.Frame, *webtest.Response) {
	o := webtest.LaunchFor(record)
	o.Prefill = prefill
	f := a.OpenFrame(o)
	return f, f.Get("/leads/new")
}

// connectedCRM returns the CRM of a user who is connected and has two factors.
func connectedCRM(t *testing.T, h *webtest.Harness) *webtest.CRM {
	t.Helper()
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	return a
}

// TestRecordIntake_HomeAddress_NeverInvented: the box is checked for a primary residence without another home only.
func TestRecordIntake_HomeAddress_NeverInvented(t *testing.T) {
	t.Parallel()
	a := connectedCRM(t, webtest.New(t, webtest.Options{NoJobs: true, NoSync: true}))
	for record, tt := range map[string]struct {
		occupancy, home, want string
	}{
		"61": {"PRIMARY", "", "true"}, "62": {"PRIMARY", "9 Mill Ln", ""}, "63": {"SECONDARY", "", ""},
		"64": {"INVESTMENT", "", ""}, "65": {"", "", ""},
	} {
		_, page := openRecord(a, record,
			map[string]string{"property.propertyType": tt.occupancy, "applicant.homeAddress.street1": tt.home})
		got := page.Form("form#intake").Values
		if got.Get("homeIsProperty") != tt.want || got.Get("applicant.homeAddress.street1") != tt.home {
			t.Errorf("%+v: got the box %q and the home %q", tt, got.Get("homeIsProperty"),
				got.Get("applicant.homeAddress.street1"))
		}
	}
}

// TestRecordIntake_DraftLivesAtProperty_OtherHomeShown: a CRM's home address that differs from what would be sent is
// not dropped silently.
func TestRecordIntake_DraftLivesAtProperty_OtherHomeShown(t *testing.T) {
	t.Parallel()
	a := connectedCRM(t, webtest.New(t, webtest.Options{NoJobs: true, NoSync: true}))
	f, page := openRecord(a, "71", map[string]string{"property.propertyType": "PRIMARY",
		"property.address.street1": "12 Birch Rd"})
	form := page.Form("form#intake")
	f.Send(webtest.Form{Action: f.Base + "/drafts/" + form.Values.Get("draft"), Values: form.Values})
	_, page = openRecord(a, "71", map[string]string{"property.address.street1": "12 Birch Rd",
		"applicant.homeAddress.street1": "9 Mill Ln"})
	page.WantText("9 Mill Ln")
	if got := page.Form("form#intake").Values; got.Get("homeIsProperty") != "true" ||
		got.Get("applicant.homeAddress.street1") != "" {
		t.Errorf("the draft was changed: the box %q, the home %q", got.Get("homeIsProperty"),
			got.Get("applicant.homeAddress.street1"))
	}
	_, page = openRecord(a, "71", map[string]string{"applicant.homeAddress.street1": "12 Birch Rd."})
	if strings.Contains(page.MainText(), "12 Birch Rd.") {
		t.Error("the same home counts as a difference")
	}
}

// TestRecordIntake_StreetOfTwoLines_StreetAndUnit: a browser would drop the break and join both lines.
func TestRecordIntake_StreetOfTwoLines_StreetAndUnit(t *testing.T) {
	t.Parallel()
	a := connectedCRM(t, webtest.New(t, webtest.Options{NoJobs: true, NoSync: true}))
	for record, tt := range map[string]struct {
		street, unit, wantStreet, wantUnit string
	}{
		"81": {"12 Birch Rd\nApt 4", "", "12 Birch Rd", "Apt 4"},
		"82": {"12 Birch Rd\r\n\r\n Apt 4 ", "Apt 4", "12 Birch Rd", "Apt 4"},
		"83": {"The Birches\n12 Birch Rd", "", "12 Birch Rd", "The Birches"},
		"84": {"12 Birch Rd\nBldg 2", "Apt 4", "12 Birch Rd", "Bldg 2 Apt 4"},
		"85": {"12 Birch Rd\nBoise, ID 83702", "", "12 Birch Rd", ""},
		"86": {"12 Birch Rd\n", "4", "12 Birch Rd", "4"},
	} {
		_, page := openRecord(a, record,
			map[string]string{"property.address.street1": tt.street, "property.address.street2": tt.unit,
				"property.address.zip": "83702", "applicant.name.firstName": "Ana\nMaria"})
		got := page.Form("form#intake").Values
		if got.Get("property.address.street1") != tt.wantStreet ||
			got.Get("property.address.street2") != tt.wantUnit || got.Get("applicant.name.firstName") != "Ana Maria" {
			t.Errorf("%q, %q: got %q, %q and the name %q", tt.street, tt.unit, got.Get("property.address.street1"),
				got.Get("property.address.street2"), got.Get("applicant.name.firstName"))
		}
	}
}

// TestRecordIntake_Amount_OneDollarSign: the box of an amount has a dollar sign.
func TestRecordIntake_Amount_OneDollarSign(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	_, page := openRecord(connectedCRM(t, h), "91",
		map[string]string{"amountWanted": "$120,000", "property.borrowerEstimatedValue": "$ a lot"})
	if got := page.Form("form#intake").Values; got.Get("amountWanted") != "120,000" ||
		got.Get("property.borrowerEstimatedValue") != "$ a lot" {
		t.Errorf("got %q and %q", got.Get("amountWanted"), got.Get("property.borrowerEstimatedValue"))
	}
	if !page.Find(`[name="property.borrowerEstimatedValue"]`).Parent().HasClass("own") ||
		page.Find(`[name="amountWanted"]`).Parent().HasClass("own") {
		t.Error("an amount has two dollar signs, or none")
	}
}

// TestRecordIntake_UnknownAndUnusableFields_ListedForOriginatorAndAdministrator sends fields that fill in nothing.
func TestRecordIntake_UnknownAndUnusableFields_ListedForOriginatorAndAdministrator(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := connectedCRM(t, h)
	admin := h.SignInAs("admin")
	if got := admin.Get("/admin/embed"); strings.Contains(got.Text(), "Fields that weren’t used") {
		t.Error("a CRM without such fields has the list")
	}
	_, page := openRecord(a, "95", map[string]string{
		"applicant.nickname": "Lena", "Amount <b>": "120000", "property.propertyType": "Cottage",
		"homeIsProperty": "true", "applicant.name.firstName": "Elena", "property.liens.0.lienUuid": "x",
		"applicant.ssn": "123-45-6789", "consent.attested": "true",
	})
	page.WantText("CRM acme’s values for these fields can’t be used: The borrower lives at the property, Occupancy. "+
		"Enter them here.",
		"This form has no field for “Amount ?b?” or “applicant.nickname” or “property.liens.0.lienUuid” from CRM acme.")
	if got := page.Form("form#intake").Values; got.Get("homeIsProperty") != "" ||
		got.Get("applicant.name.firstName") != "Elena" {
		t.Errorf("got %v", got)
	}
	listed := admin.Get("/admin/embed").Find("#crm-acme").Text()
	for _, want := range []string{"Fields that weren’t used", "applicant.nickname", "Amount ?b?",
		"property.propertyType", "homeIsProperty"} {
		if !strings.Contains(listed, want) {
			t.Errorf("the administrator does not see %q: %s", want, listed)
		}
	}
	if strings.Contains(listed, "Recent rejections") || strings.Contains(listed, "Lena") ||
		strings.Contains(listed, "ssn") {
		t.Errorf("got %s", listed)
	}
}

// TestLaunch_IsField_EveryControlOfTheIntake: a CRM can fill in the whole form, except what only a person may state.
func TestLaunch_IsField_EveryControlOfTheIntake(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	form := h.SignInAs("olivia").Get("/leads/new").Find("form#intake")
	form.Find("input[name], select[name]").Each(func(_ int, s *webtest.Selection) {
		name := strings.ReplaceAll(s.AttrOr("name", ""), "__i__", "0")
		begin, _, _ := strings.Cut(name, ".")
		personal := slices.Contains([]string{"consent", "confirm", "homeIsProperty", "draft", "operation", "file",
			"testVariantsRequest", "transfer"}, begin) || name == "applicant.ssn"
		if launch.IsField(name) == personal {
			t.Errorf("%s: a launch can fill it in: %v", name, !personal)
		}
	})
}

// TestRecordIntake_EveryLaunchField_FillsItsControl sends the example of every field that the help lists.
func TestRecordIntake_EveryLaunchField_FillsItsControl(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	const reserved = "partnerDataRequest.externalAppId" // has the portal's own number in this harness
	prefill := map[string]string{}
	for _, f := range lead.LaunchFields() {
		if f.Name != reserved {
			prefill[strings.Replace(f.Name, "#", "0", 1)] = f.Example
		}
	}
	_, page := openRecord(connectedCRM(t, h), prefill["partnerDataRequest.externalReferenceId"], prefill)
	if text := page.MainText(); strings.Contains(text, "can’t be used") || strings.Contains(text, "has no field for") {
		t.Error("the form reports fields that it didn’t use")
	}
	got := page.Form("form#intake").Values
	for name := range prefill {
		if got.Get(name) == "" {
			t.Errorf("%s: no control has the value of this field", name)
		}
	}
}
