package web_test

import (
	"regexp"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// checkRules checks what holds for every lead, against what the lender knows about it.
func checkRules(t *testing.T, w walkedLead, name string, p leadPages) {
	t.Helper()
	truth, row := w.truth().App, w.LeadRow(w.app)
	text := strings.ReplaceAll(p.all(), "No contact yet.", "") // about the team, not about the lender
	never := func(why string, texts ...string) {
		t.Helper()
		for _, wrong := range texts {
			if at := strings.Index(text, wrong); at >= 0 {
				t.Errorf("%s: %s, and a page says %q: …%s", name, why, wrong, text[max(0, at-60):min(len(text), at+80)])
			}
		}
	}
	ended := truth.NextInquiryStep == heloc.StepClosed || truth.NextInquiryStep == heloc.StepWithdrawn ||
		strings.Contains(p.row, "Funded")
	converted := truth.IsInquiry != nil && !*truth.IsInquiry
	if funded := row.Funded; funded != heloc.IsFunded(truth.Funding) && truth.Funding != nil {
		t.Errorf("%s: funded is %v", name, funded)
	}
	switch selected := truth.Underwriting.SelectedOffer; {
	case selected != nil:
		never("an offer is selected", "Up to $", "Line up to", "No offers")
		label := "Selected $"
		if row.StatusKey == heloc.StatusInProgress { // the lender may be processing another selection
			label = "Last selected $"
		}
		if amount := label + selected.DrawAmount.Whole(); !strings.Contains(p.head, amount) ||
			!strings.Contains(p.row, amount) {
			t.Errorf("%s: the header and the list do not say %q: %s / %s", name, amount, p.head, p.row)
		}
	default:
		never("no offer is selected", "Selected $", "Selected line", "can select another offer", "An offer is selected")
	}
	if ended {
		never("the lead has ended", "Next:", "Up to $", "Line up to", "Your move", "updates automatically", " yet.",
			"appear here", "Select this offer", "Get quote", "can select another offer", "Cancel inquiry", "Show the borrower",
			"With the lender", "With the borrower")
	}
	if !ended && row.StatusKey != heloc.StatusInProgress {
		never("nothing is awaited from the lender", "This page updates automatically.")
	}
	if converted {
		never("it is an application", "Cancel inquiry", "Select this offer", "can select another offer", "This inquiry",
			"turns the inquiry into", "after the inquiry becomes")
	} else {
		never("it is an inquiry", "became an application", "The application ", "hard inquiry is part of it")
	}
	if regexp.MustCompile(`\b(denied|cancelled)\b`).MatchString(strings.ReplaceAll(text, "Don’t say “denied”", "")) {
		t.Errorf("%s: a page says denied or cancelled", name)
	}
	mine := row.WhoseMove == heloc.MoverYou && !ended
	if got := strings.Contains(p.card, "Your move"); got != mine {
		t.Errorf("%s: the card says Your move: %v, want %v", name, got, mine)
	}
	checkAsksOnce(t, name, w.olivia.Get(w.path))
	for _, other := range []string{"maya", "ada"} {
		checkViewOnly(t, w, name, w.SignedInBrowser(other))
	}
}

// checkAsksOnce checks that only the card of the next step asks for something, and that the rail has no empty rows.
func checkAsksOnce(t *testing.T, name string, overview *webtest.Response) {
	t.Helper()
	lead := overview.Find("#lead")
	lead.Find(".tl").Remove() // what happened
	asking := lead.Find(".note.yours, li.yours, .panel.action, .pri")
	if outside := asking.Not("#step, #step *, #cancel *"); outside.Length() > 0 {
		t.Errorf("%s: another part of the overview asks for something: %s", name, plainText(outside))
	}
	if primary := lead.Find("#step .pri").Length(); primary > 1 {
		t.Errorf("%s: the card has %d primary buttons", name, primary)
	}
	lead.Find(".rail dd").Each(func(_ int, value *webtest.Selection) {
		if text := plainText(value); text == "—" || text == "" {
			t.Errorf("%s: the rail has a row without a value: %s", name, plainText(value.Parent()))
		}
	})
}

// checkViewOnly checks that users who may not act are not told that it is their move.
func checkViewOnly(t *testing.T, w walkedLead, name string, v *webtest.Browser) {
	t.Helper()
	page := v.Get(w.path)
	card := plainText(page.Find("#step"))
	for _, wrong := range []string{"Your move", "This page is yours"} {
		if strings.Contains(card, wrong) {
			t.Errorf("%s: a user who may not act reads %q: %s", name, wrong, card)
		}
	}
	if w.LeadRow(w.app).WhoseMove == heloc.MoverYou && !strings.Contains(card, "With Olivia Bennett") {
		t.Errorf("%s: a user who may not act does not read whose move it is: %s", name, card)
	}
	list := v.Get("/leads?view=all&q=" + w.LeadRow(w.app).ShortID)
	if row := plainText(list.Find("tr#lead-" + string(w.app) + " .c-step .sub")); strings.HasPrefix(row, "you") {
		t.Errorf("%s: the list of a user who may not act says %q", name, row)
	}
}

// checkNotices checks that every notification agrees with the lead as it is now, or as it was left.
func checkNotices(t *testing.T, w *stateWalk) {
	t.Helper()
	w.olivia.Get("/notifications").Find("table.notices tbody tr").Each(func(_ int, s *webtest.Selection) {
		href := s.Find(`a[href^="/leads/"]`).AttrOr("href", "")
		row := w.LeadRow(heloc.AppID(strings.TrimPrefix(href, "/leads/")))
		text := plainText(s)
		for word, status := range map[string]heloc.StatusKey{
			"Funded": heloc.StatusFunded, "Declined": heloc.StatusDeclined, "Expired": heloc.StatusExpired,
			"Canceled": heloc.StatusCanceled, "Withdrawn": heloc.StatusWithdrawn,
		} {
			if strings.Contains(text, word) && row.StatusKey != status {
				t.Errorf("a notification says %q of a lead that is %s", text, row.StatusKey)
			}
		}
		if strings.Contains(text, "New condition") && row.OpenConditions == 0 {
			t.Errorf("a notification says %q of a lead without open conditions", text)
		}
	})
}
