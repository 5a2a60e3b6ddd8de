package page

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/views/viewtest"
)

func sampleError() ErrorView {
	f := text.FailureOf(503)
	return ErrorView{Page: viewtest.Page(f.Title), Icon: f.Icon, Title: f.Title, Text: f.Text,
		PublicMessage: "The lender does not answer.", Reference: "7K2M-94",
		Actions: []ui.Action{{Label: "Back", Href: "/leads"}}}
}

func TestConsent_ReaderWithoutNMLSID_NotPromised(t *testing.T) {
	t.Parallel()
	for reader, want := range map[string]string{
		"Olivia Bennett, NMLS 1847220": "Your name and NMLS ID (Olivia Bennett, NMLS 1847220) and the time are recorded.",
		"Ada Quist":                    "Your name (Ada Quist) and the time are recorded.",
		"":                             "Your name and the time are recorded.",
	} {
		if got := (ConsentText{ReadBy: reader}).consentView(ui.Form{}, "").Attested.Optional; got != want {
			t.Errorf("%q: got %q, want %q", reader, got, want)
		}
	}
}

func TestScreens_MeetPageRules(t *testing.T) {
	signedOut := sampleError()
	signedOut.Page.Person = ui.Person{}
	screens := map[string]templ.Component{
		"codes at door": RecoveryAtSignIn(RecoveryView{Page: ui.Page{Title: "Codes"}, Codes: []string{"0-ABCD"},
			Next: "/leads"}),
		"codes": Recovery(RecoveryView{Page: viewtest.Page("Codes"), Codes: []string{"0-ABCD"}, Next: "/account"}),
		"confirm": StepUp(StepUpView{Page: viewtest.Page("Confirm"), Action: "/leads/a/add-ssn", Back: "/", TOTP: true,
			Recovery:     true,
			PendingForm:  []ui.SubmittedValue{{Name: "operation", Value: "x"}},
			RetypeFields: []ui.Field{{Name: "applicant.ssn", Label: "Enter it again", Secret: true}}}),
		"resume": StepUp(StepUpView{Page: viewtest.Page("Go on"), ResumeOnly: true, Action: "/leads/a/note", Back: "/leads/a",
			PendingForm:  []ui.SubmittedValue{{Name: "note.text", Value: "Called her"}, {Name: "operation", Value: "x"}},
			RetypeFields: []ui.Field{{Name: "applicant.ssn", Label: "Enter it again", Secret: true}}}),
		"confirm without": StepUp(StepUpView{Page: viewtest.Page("Confirm"), NoSecondFactor: true}),
		"error":           Error(sampleError()), "error, signed out": Error(signedOut),
	}
	viewtest.CheckScreens(t, screens)
	viewtest.CheckPlaceholderIcon(t, screens)
}

func TestErrorPage(t *testing.T) {
	doc := viewtest.Render(t, Error(sampleError()))
	words := doc.Find("#oops").Text()
	for _, want := range []string{"Temporarily unavailable", "The lender does not answer.", "7K2M-94", "Back"} {
		if !strings.Contains(words, want) {
			t.Errorf("got %q, want %q in it", words, want)
		}
	}
	if doc.Find(".bar").Length() != 1 {
		t.Error("the bar is missing for a signed-in user")
	}
}
