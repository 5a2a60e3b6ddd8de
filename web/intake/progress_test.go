package intake_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"hearthline/views/intake"
	"hearthline/web/webtest"
)

// autosave saves the intake as the page's script does, and returns what the script shows.
func autosave(v *webtest.Browser, form webtest.Form) intake.DraftStatus {
	v.H.T.Helper()
	got := v.Post("/drafts/"+form.Values.Get("draft"), form.Values, "HX-Request", "true", "HX-Request-Type", "full")
	var status intake.DraftStatus
	if err := json.Unmarshal([]byte(got.Body), &status); err != nil || got.Status != http.StatusOK {
		v.H.T.Fatalf("the autosave returned %d %q: %v", got.Status, got.Body, err)
	}
	return status
}

// What is still needed follows what is filled in, including the consent, on the page and for its script.
func TestIntake_StillNeeded_FollowsTheForm(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	empty := olivia.Get("/leads/new")
	if got := empty.Find("[data-needed]").Text(); got != "Still needed: property, borrower, income, consent" {
		t.Errorf("an empty form: got %q", got)
	}
	full := olivia.IntakeForm("Rivera")
	for _, tt := range []struct {
		form webtest.Form
		want string
	}{
		{full, ""},
		{full.With("consent.attested", ""), "Still needed: consent"},
		{full.With("consent.method", ""), "Still needed: consent"},
		{full.With("applicant.phone", "", "applicant.dob", "5/7/15"), "Still needed: borrower"},
		{full.With("property.liens.0.lenderName", "", "consent.method", ""), "Still needed: liens, consent"},
	} {
		status := autosave(olivia, tt.form)
		if status.Needed != tt.want {
			t.Errorf("got %q, want %q", status.Needed, tt.want)
		}
		if got := olivia.Send(tt.form.With("row.add", "property.liens")).Find("[data-needed]").Text(); got != tt.want {
			t.Errorf("on the page: got %q, want %q", got, tt.want)
		}
	}
	notes := map[string]string{}
	for _, s := range autosave(olivia, full.With("applicant.phone", "", "applicant.dob", "5/7/15",
		"consent.method", "")).Sections {
		notes[s.ID] = s.Note
	}
	if notes["borrower"] != "1 missing, 1 to correct" || notes["consent"] != "needed" || notes["property"] != "" {
		t.Errorf("got the notes %v", notes)
	}
}

// The summary beside the form has what was entered, on the page and for its script, and never the SSN.
func TestIntake_Summary_HasWhatWasEntered(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	if got := olivia.Get("/leads/new").Find(".sections .entered").Text(); strings.TrimSpace(got) != "" {
		t.Errorf("an empty form: got %q", got)
	}
	form := olivia.IntakeForm("Rivera", "applicant.ssn", "666-45-6789", "applicant.income.grossAnnualIncome", "118,000")
	want := map[string]string{
		"property": "2216 Larkspur Ave, Boise, ID\u00a083702\nPrimary residence · $60,000\u00a0requested",
		"borrower": "Elena Rivera", "income": "Annual gross pay $118,000",
		"liens": "1 lien · $203,900", "business": "", "consent": "On a recorded call", "ssn": "",
	}
	status := autosave(olivia, form)
	for _, s := range status.Sections {
		if text, has := want[s.ID]; has && s.Entered != text {
			t.Errorf("%s: got %q, want %q", s.ID, s.Entered, text)
		}
	}
	page := olivia.Send(form.With("row.add", "property.liens"))
	for id, text := range want {
		if got := page.Find(`.sections a[href="#` + id + `"] .entered`).Text(); got != text {
			t.Errorf("%s on the page: got %q, want %q", id, got, text)
		}
	}
	if summary := page.Find(".sections").Text(); strings.Contains(summary, "666") {
		t.Errorf("the summary has the SSN: %q", summary)
	}
	if got := autosave(olivia, form.With("applicant.income.grossAnnualIncome", "many")).Sections[2].Entered; got != "" {
		t.Errorf("an income that cannot be sent: got %q", got)
	}
}

// A field is checked when the user leaves it: an entry that cannot be sent is named, an empty field is not yet.
func TestIntake_Autosave_ChecksEntries(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	form := olivia.IntakeForm("Rivera", "applicant.dob", "5/7/15", "applicant.phone", "555 0142", "applicant.email", "",
		"property.borrowerEstimatedValue", "560.000", "property.liens.0.originationDate", "6/14/18")
	status := autosave(olivia, form)
	problems := map[string]string{}
	for _, p := range status.Problems {
		problems[p.Name] = p.Text
	}
	for name, want := range map[string]string{"applicant.dob": "four digits", "applicant.phone": "10-digit",
		"property.borrowerEstimatedValue": "commas"} {
		if !strings.Contains(problems[name], want) {
			t.Errorf("%s: got %q, want %q in it", name, problems[name], want)
		}
	}
	if len(problems) != 3 {
		t.Errorf("got %v, want three problems and none of an empty field", problems)
	}
	if want := []intake.DraftNote{{Name: "applicant.income.grossAnnualIncome",
		Text: "$10,383 a month"}}; !slices.Equal(status.Hints, want) {
		t.Errorf("got the hints %v, want %v", status.Hints, want)
	}
	if !slices.ContainsFunc(status.Corrections, func(c intake.DraftNote) bool {
		return c.Name == "property.liens.0.originationDate" && c.Text == "Sent as “06/14/2018”"
	}) {
		t.Errorf("got the corrections %v, want the year of the lien", status.Corrections)
	}
}

// The page says that the draft is saved only while the stored draft is what the page shows.
func TestIntake_Saved_OnlyWhenSaved(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	form := olivia.IntakeForm("Rivera", "applicant.dob", "")
	saved := func(page *webtest.Response) string { return page.Find("[data-saved]").Text() }
	if got := saved(olivia.Get("/leads/new")); got != "Not saved yet" {
		t.Errorf("a new form: got %q", got)
	}
	if got := saved(olivia.Send(form)); got != "Not saved yet" {
		t.Errorf("sent with an error, never saved: got %q", got)
	}
	if got := autosave(olivia, form).Saved; !strings.HasPrefix(got, "Saved ") || !strings.HasSuffix(got, "M") {
		t.Errorf("saved by the script: got %q, want the time", got)
	}
	if got := saved(olivia.Send(form)); !strings.HasPrefix(got, "Saved ") {
		t.Errorf("sent with an error as it was saved: got %q", got)
	}
	if got := saved(olivia.Send(form.With("applicant.name.firstName", "Ana"))); got != "Unsaved changes" {
		t.Errorf("sent with an error and a change: got %q", got)
	}
	if got := saved(olivia.Get("/leads/new?draft=" + form.Values.Get("draft"))); !strings.HasPrefix(got, "Saved ") {
		t.Errorf("opened again: got %q", got)
	}
}
