package intake_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/web/webtest"
)

// bothHomes returns the controls of another home with the box that says that the borrower lives at the property.
func bothHomes(more ...string) []string {
	return webtest.OtherHome(append([]string{"homeIsProperty", "true"}, more...)...)
}

// TestStart_HomeIsProperty_PrimaryOnly sends each combination of the box, the occupancy and a home address.
func TestStart_HomeIsProperty_PrimaryOnly(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	for _, tt := range []struct {
		name string
		more []string
		want string // the error at the box; empty for another control's
	}{
		{"second home", []string{"property.propertyType", "SECONDARY"},
			"A second home isn’t where the borrower lives. Uncheck this box and enter the home address"},
		{"investment", []string{"property.propertyType", "INVESTMENT"},
			"An investment property isn’t where the borrower lives. Uncheck this box and enter the home address"},
		{"investment, other home", bothHomes("property.propertyType", "INVESTMENT"),
			"Uncheck this box to use the home address below, or change the occupancy."},
		{"primary, other home", bothHomes(), "Uncheck this box to use the home address below, or clear that address."},
		{"primary, a part of a home", []string{"applicant.homeAddress.street2", "Apt 2"},
			"Uncheck this box to use the home address below, or clear that address."},
		{"second home, no box, no address", []string{"property.propertyType", "SECONDARY", "homeIsProperty", ""}, ""},
		{"primary, no box, no address", []string{"homeIsProperty", "false"}, ""},
	} {
		form := olivia.IntakeForm("Homestead-None", tt.more...)
		got := olivia.Send(form)
		if got.Status != http.StatusUnprocessableEntity {
			t.Fatalf("%s: got %d at %s, want 422", tt.name, got.Status, got.Path)
		}
		text := got.Find(`#homeIsProperty-e`).Text()
		if !strings.Contains(text, tt.want) || tt.want == "" && text != "" {
			t.Errorf("%s: got the error %q, want %q", tt.name, text, tt.want)
		}
		street := got.Find(`[id="applicant.homeAddress.street1-e"]`).Length() == 1
		if street != (form.Values.Get("applicant.homeAddress.street1") == "" && !strings.Contains(tt.name, "part")) {
			t.Errorf("%s: an error at the street: got %v", tt.name, street)
		}
		back := got.Form("form#intake")
		for _, name := range homeControls() {
			if got, want := back.Values.Get(name), strings.TrimPrefix(form.Values.Get(name), "false"); got != want {
				t.Errorf("%s: %s is shown again as %q, want %q", tt.name, name, got, want)
			}
		}
		if visible := got.Find(".elsewhere").HasClass("typed"); !visible {
			t.Errorf("%s: the home address with an error or a value is hidden", tt.name)
		}
	}
	for _, occupancy := range []string{"SECONDARY", "INVESTMENT"} { // without the controls
		form := olivia.IntakeForm("Homestead-None", "property.propertyType", occupancy)
		for _, name := range homeControls() {
			delete(form.Values, name)
		}
		if got := olivia.Send(form); got.Status != http.StatusUnprocessableEntity ||
			got.Find(`[id="applicant.homeAddress.street1-e"]`).Length() != 1 {
			t.Errorf("%s, neither the box nor an address: got %d, want an error at the home address", occupancy,
				got.Status)
		}
	}
	if n := len(h.Inquiries("Homestead-None")); n != 0 {
		t.Errorf("%d inquiries were sent", n)
	}
	for _, occupancy := range []string{"PRIMARY", "SECONDARY", "INVESTMENT"} {
		got := olivia.Send(olivia.IntakeForm("Homestead-None",
			webtest.OtherHome("property.propertyType", occupancy, "confirm.duplicate", "true")...))
		if !strings.HasPrefix(got.Path, "/leads/") {
			t.Errorf("%s with a home address: got %d: %s", occupancy, got.Status, got.MainText())
		}
	}
}

func homeControls() []string {
	var names []string
	for i, control := range webtest.OtherHome() {
		if i%2 == 0 {
			names = append(names, control)
		}
	}
	return names
}

// TestIntake_NewForm_HomeIsPropertyUnchecked: nobody has said yet that it is a primary residence.
func TestIntake_NewForm_HomeIsPropertyUnchecked(t *testing.T) {
	t.Parallel()
	olivia := webtest.New(t, webtest.Options{}).SignInAs("olivia")
	if got := olivia.Get("/leads/new").Form("form#intake").Values.Get("homeIsProperty"); got != "" {
		t.Errorf("the box is %q, want unchecked", got)
	}
}

// TestDraft_HomeContradictsBox_ShownWithError opens drafts that were saved with the box and another home, or when the
// box was checked on every new form.
func TestDraft_HomeContradictsBox_ShownWithError(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	for _, more := range [][]string{{"property.propertyType", "INVESTMENT"}, {"property.propertyType", "SECONDARY"},
		bothHomes()} {
		form := olivia.IntakeForm("Homestead-None", more...)
		olivia.Post("/drafts/"+form.Values.Get("draft"), form.Values, "HX-Request", "true", "HX-Request-Type", "full")
		page := olivia.Get("/leads/new?draft=" + form.Values.Get("draft"))
		back := page.Form("form#intake")
		if page.Status != http.StatusOK ||
			!strings.Contains(page.Find("#homeIsProperty-e").Text(), "Uncheck this box") {
			t.Errorf("%v: got %d and the error %q", more, page.Status, page.Find("#homeIsProperty-e").Text())
		}
		if note := page.Find(`.sections a[href="#borrower"] small`).Text(); !strings.HasSuffix(note, "1 to correct") {
			t.Errorf("%v: the section says %q", more, note)
		}
		if back.Values.Get("homeIsProperty") != "true" ||
			back.Values.Get("applicant.homeAddress.street1") != form.Values.Get("applicant.homeAddress.street1") {
			t.Errorf("%v: the draft lost the box or the address", more)
		}
		got := olivia.Send(back.With("consent.attested", "true", "consent.method", "in-person"))
		if got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%v: sent as it is: got %d, want 422", more, got.Status)
		}
		if list := olivia.Get("/drafts"); list.Status != http.StatusOK {
			t.Errorf("%v: the list of drafts: got %d", more, list.Status)
		}
	}
	if n := len(h.Inquiries("Homestead-None")); n != 0 {
		t.Errorf("%d inquiries were sent", n)
	}
}

// TestClone_AdoptedSecondHome_HomeNotStated clones a lead without a draft, whose details do not say where the
// borrower lives.
func TestClone_AdoptedSecondHome_HomeNotStated(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	adopted := olivia.StartLead("Homestead-None",
		webtest.OtherHome("property.propertyType", "INVESTMENT", "confirm.duplicate", "true")...)
	h.EditDraftOf(adopted, url.Values{}) // as of a lead that was started elsewhere
	cloned := olivia.Send(olivia.WaitFor(adopted, `form[action$="/clone"]`).Form(`form[action$="/clone"]`))
	if got := cloned.Form("form#intake").Values; got.Get("homeIsProperty") != "" ||
		got.Get("property.propertyType") != "INVESTMENT" {
		t.Errorf("got the box %q for %q", got.Get("homeIsProperty"),
			got.Get("property.propertyType"))
	}
}

// TestImport_NoResidence_HomeNotDerived imports files that say nothing about a home in the United States, for a
// property that is, or will be, the primary residence.
func TestImport_NoResidence_HomeNotDerived(t *testing.T) {
	t.Parallel()
	olivia := webtest.New(t, webtest.Options{}).SignInAs("olivia")
	plain := string(loanFile(t, "encompass"))
	for name, changed := range map[string]string{
		"mailing only": strings.ReplaceAll(plain, "<BorrowerResidencyType>Current<", "<BorrowerResidencyType>Prior<"),
		"second home":  strings.ReplaceAll(plain, ">PrimaryResidence<", ">SecondHome<"),
	} {
		if changed == plain {
			t.Fatalf("%s: the file has no such element", name)
		}
		form := use(t, olivia, importFile(t, olivia, url.Values{}, []byte(changed)))
		if got := form.Values.Get("homeIsProperty"); got != "" {
			t.Errorf("%s: the box is %q, want unchecked", name, got)
		}
	}
}
