package intake_test

import (
	"net/http"
	"strings"
	"testing"

	"hearthline/views/intake"
	"hearthline/web/webtest"
)

func questionOf(status intake.DraftStatus, control string) string {
	for _, q := range status.Questions {
		if q.Name == control {
			return q.Text
		}
	}
	return ""
}

// An unlikely amount is asked about once, in the same form, and sent when the user says that it is right.
func TestIntake_UnlikelyAmounts_NeedConfirmation(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	for _, tt := range []struct {
		control, asked string
		form           webtest.Form
	}{
		{"confirm.lienBalance",
			"The 1st lien’s current balance, $251,000, is above its original amount, $241,000. Is this right?",
			olivia.IntakeForm("Balance", "property.liens.0.currentBalance", "251,000")},
		{"confirm.liensAboveValue",
			"The current balances add up to $203,900, more than the stated value, $160,000. Is this right?",
			olivia.IntakeForm("Value", "property.borrowerEstimatedValue", "160k")},
	} {
		if got := questionOf(autosave(olivia, tt.form), tt.control); got != tt.asked {
			t.Errorf("the autosave asks %q, want %q", got, tt.asked)
		}
		if got := autosave(olivia, tt.form).Needed; got != "Still needed: liens" {
			t.Errorf("got %q, want the liens", got)
		}
		refused := olivia.Send(tt.form)
		box := refused.Find(`[data-question="` + tt.control + `"]`)
		if _, hidden := box.Attr("hidden"); refused.Status != http.StatusUnprocessableEntity || hidden ||
			!strings.Contains(box.Text(), tt.asked) {
			t.Errorf("%s: got %d, %q", tt.control, refused.Status, box.Text())
		}
		again := refused.Form("form#intake").With(tt.control, "true", "consent.attested", "true", "consent.method",
			"recorded-call")
		if got := autosave(olivia, again).Needed; got != "" {
			t.Errorf("confirmed: got %q", got)
		}
		if sent := olivia.Send(again); !strings.HasPrefix(sent.Path, "/leads/") {
			t.Errorf("%s: the confirmed form led to %s (%d): %s", tt.control, sent.Path, sent.Status, sent.MainText())
		}
	}
	// One POST is enough, and nothing is asked about likely amounts.
	if path := olivia.StartLead("Once", "property.liens.0.currentBalance", "251,000",
		"confirm.lienBalance", "true"); path == "" {
		t.Error("not sent")
	}
	plain := olivia.IntakeForm("Plain", "property.liens.0.currentBalance", "241,000",
		"property.borrowerEstimatedValue", "241,000")
	if got := autosave(olivia, plain); len(got.Questions) != 0 || got.Needed != "" {
		t.Errorf("likely amounts: got %v, %q", got.Questions, got.Needed)
	}
	page := olivia.Get("/leads/new")
	page.Find("[data-question]").Each(func(_ int, s *webtest.Selection) {
		if _, hidden := s.Attr("hidden"); !hidden {
			t.Errorf("an empty form asks %q", s.Text())
		}
	})
}

// A street number with several units asks for the unit before anything is sent; "there is no unit" is an answer.
func TestIntake_SeveralUnits_AsksForTheUnit(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	form := olivia.IntakeForm("Rivera", "property.address.street1", "12-18 Elm St")
	if got := questionOf(autosave(olivia, form), "confirm.noUnit"); !strings.Contains(got, "range of street numbers") {
		t.Errorf("got %q", got)
	}
	refused := olivia.Send(form)
	if refused.Status != http.StatusUnprocessableEntity || len(h.Inquiries("Rivera")) != 0 {
		t.Fatalf("got %d and %d inquiries, want a question", refused.Status, len(h.Inquiries("Rivera")))
	}
	refused.WantText("This address has a range of street numbers. Which unit is it?",
		"Enter the unit, or check this box if there is none.")
	if got := refused.Find("#complaints a").Text(); got != "Unit" {
		t.Errorf("the summary names %q", got)
	}
	again := refused.Form("form#intake").With("consent.attested", "true", "consent.method", "recorded-call")
	for _, answer := range [][2]string{{"property.address.street2", "3"}, {"confirm.noUnit", "true"}} {
		if got := autosave(olivia, again.With(answer[0], answer[1])).Needed; got != "" {
			t.Errorf("%s: got %q", answer[0], got)
		}
	}
	if sent := olivia.Send(again.With("confirm.noUnit", "true")); !strings.HasPrefix(sent.Path, "/leads/") {
		t.Errorf("no unit: led to %s (%d)", sent.Path, sent.Status)
	}
	olivia.StartLead("Quill", "property.address.street1", "12-18 Elm St", "property.address.street2", "3")
}
