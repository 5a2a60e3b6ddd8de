package intake_test

import (
	"net/http"
	"testing"

	"hearthline/web/webtest"
)

// The script gets the place of each ZIP code, and decides what the user has not typed.
func TestIntake_Autosave_ReturnsPlaces(t *testing.T) {
	t.Parallel()
	olivia := webtest.New(t, webtest.Options{}).SignInAs("olivia")
	form := olivia.IntakeForm("Rivera", "property.address.zip", "83702-1234", "property.address.city", "",
		"property.address.state", "", "homeIsProperty", "", "applicant.homeAddress.zip", "80202")
	got := autosave(olivia, form).Places
	if len(got) != 2 || got[0].Address != "property.address" || got[0].City != "Boise" || got[0].State != "ID" ||
		got[1].City != "Denver" {
		t.Errorf("got %+v", got)
	}
	for _, zip := range []string{"", "837", "00000", "83702-12"} {
		got := autosave(olivia, form.With("property.address.zip", zip, "applicant.homeAddress.zip", "")).Places
		if len(got) != 0 {
			t.Errorf("%q: got %+v", zip, got)
		}
	}
}

// Without a script, a form with a missing city comes back with the city filled in, to be checked.
func TestIntake_MissingCity_FilledInToBeChecked(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	got := olivia.Send(olivia.IntakeForm("Rivera", "property.address.city", "", "property.address.state", ""))
	form := got.Form("form#intake")
	if city, state := form.Values.Get("property.address.city"),
		form.Values.Get("property.address.state"); got.Status != http.StatusUnprocessableEntity || city != "Boise" ||
		state != "ID" {
		t.Fatalf("got %d, %q, %q", got.Status, city, state)
	}
	got.WantText("Filled in from the ZIP. Check it, then send.")
	if len(h.Inquiries("Rivera")) != 0 {
		t.Error("a city was sent that nobody saw")
	}
	for _, tt := range []struct{ city, state, wantCity, wantState string }{
		{"", "CO", "", "CO"}, {"Garden City", "", "Garden City", "ID"}, {"", "ID", "Boise", "ID"},
	} {
		form := olivia.IntakeForm("Rivera", "property.address.city", tt.city, "property.address.state", tt.state,
			"applicant.phone", "")
		form.Action = "/drafts/" + form.Values.Get("draft")
		saved := olivia.Send(form).Form("form#intake").Values
		if c, s := saved.Get("property.address.city"),
			saved.Get("property.address.state"); c != tt.wantCity || s != tt.wantState {
			t.Errorf("%+v: got %q, %q", tt, c, s)
		}
	}
}

// The first field has the focus, or the first error, or the row that was just added, also without a script.
func TestIntake_Focus_StartsWhereTheUserContinues(t *testing.T) {
	t.Parallel()
	olivia := webtest.New(t, webtest.Options{}).SignInAs("olivia")
	full := olivia.IntakeForm("Rivera")
	for _, tt := range []struct {
		what string
		got  *webtest.Response
		want string
	}{
		{"a new inquiry", olivia.Get("/leads/new"), "property.address.zip"},
		{"an error", olivia.Send(full.With("applicant.phone", "")), "applicant.phone"},
		{
			"errors",
			olivia.Send(full.With("property.liens.0.lenderName", "", "applicant.phone", "", "property.isListedForSale", "")),
			"property.isListedForSale",
		},
		{"a new row", olivia.Send(full.With("row.add", "property.liens")), "property.liens.1.lenderName"},
	} {
		focus := tt.got.Find("[autofocus]")
		if got := focus.AttrOr("id", ""); focus.Length() != 1 || got != tt.want {
			t.Errorf("%s: got %d, %q, want %q", tt.what, focus.Length(), got, tt.want)
		}
	}
}
