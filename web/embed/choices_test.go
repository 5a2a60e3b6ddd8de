package embed_test

import (
	"slices"
	"strings"
	"testing"

	"hearthline/internal/lead"

	"hearthline/views/text"
	"hearthline/web/webtest"
)

// TestRecordIntake_StateByName_SelectedAndTaken: a value from a CRM is selected in a list only if the lender accepts
// it. A value that the list does not have is not selected, and the page names it.
func TestRecordIntake_StateByName_SelectedAndTaken(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	o := webtest.LaunchFor("51")
	o.Prefill = map[string]string{
		"applicant.name.firstName": "Elena", "property.address.state": "Colorado", "applicant.homeAddress.state": " idaho ",
		"businessInfo.stateOfIncorporation": "Atlantis", "applicant.income.employmentType": "Full time",
		"property.propertyType": "Cottage", "property.ownershipType": "joint", "property.isListedForSale": "No",
	}
	page := a.OpenFrame(o).Get("/")
	for name, want := range map[string]string{
		"property.address.state": "CO", "applicant.homeAddress.state": "ID", "businessInfo.stateOfIncorporation": "",
		"applicant.income.employmentType": "FULL_TIME", "property.propertyType": "", "property.ownershipType": "JOINT",
	} {
		if got := page.Find(`form#intake [name="`+name+`"] option[selected]`).AttrOr("value", ""); got != want {
			t.Errorf("%s: got %q selected, want %q", name, got, want)
		}
	}
	if got := page.Find(`form#intake [name="property.isListedForSale"][checked]`).AttrOr("value", ""); got != "false" {
		t.Errorf("listed for sale: got %q, want false", got)
	}
	page.WantText("Some fields weren’t filled in", "State of formation", "Occupancy")

	other := webtest.LaunchFor("52")
	other.Prefill = map[string]string{"property.address.state": "Colorado"}
	f := a.OpenFrame(other)
	if sent := f.Send(f.FilledIntake("Rivera")); !strings.HasPrefix(sent.Path, f.Base+"/leads/") {
		t.Errorf("the start led to %s (%d): %s", sent.Path, sent.Status, sent.MainText())
	}
	// An older draft or another program may still send the name.
	h.SignInAs("olivia").StartLead("Rivera-Liens", "property.address.state", "Colorado")
}

// TestRecordIntake_OwnLead_NotOfferedAsAnothers starts a second inquiry beside a record whose own lead has the same
// number.
func TestRecordIntake_OwnLead_NotOfferedAsAnothers(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	f := a.OpenFrame(webtest.LaunchFor("51"))
	f.StartLead("Rivera")
	if got := f.Get("/leads/new"); got.Find("form#intake").Length() != 1 || got.Find("#elsewhere").Length() != 0 {
		t.Errorf("beside the record: %s", got.Find("#elsewhere").Text())
	}
	// Beside another CRM's record with that number, the page still asks.
	if got := h.OpenFrameAt("sf", "olivia", "51").Get("/leads/new"); got.Find("#elsewhere").Length() != 1 {
		t.Errorf("beside another CRM's record: the page does not ask")
	}
}

// TestControlValues_MatchTheLists: a CRM can prefill exactly the values that the forms offer.
func TestControlValues_MatchTheLists(t *testing.T) {
	t.Parallel()
	for _, live := range []bool{false, true} {
		for control, offered := range map[string][][2]string{
			"applicant.income.employmentType": text.Employments(live), "property.propertyType": text.Properties(),
			"property.ownershipType": text.Ownerships(), "businessInfo.entityType": text.Entities(),
			"property.address.state": text.States(),
		} {
			for _, o := range offered[1:] {
				for _, value := range o {
					if control != "property.address.state" {
						value = o[0]
					}
					if got, ok := lead.ControlValue(control, value, live); !ok || got != o[0] {
						t.Errorf("%s, %q: got %q, %v; want %q", control, value, got, ok, o[0])
					}
				}
			}
			if got, ok := lead.ControlValue(control, "Atlantis", live); ok || got != "" {
				t.Errorf("%s: accepts Atlantis as %q", control, got)
			}
		}
	}
	if _, ok := lead.ControlValue("applicant.income.employmentType", "ALIMONY", false); ok ||
		!slices.ContainsFunc(text.Employments(true), func(o [2]string) bool { return o[0] == "ALIMONY" }) {
		t.Error("the documented dialect accepts an employment type of the live one")
	}
}
