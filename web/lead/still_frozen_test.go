package lead_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// TestFrozenCredit_YourMoveUntilBorrowerTold walks through a freeze that a re-pull finds still in place: it is the
// originator's move until a contact is logged or a lift time is set, because nobody else tells the borrower.
func TestFrozenCredit_YourMoveUntilBorrowerTold(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera-Frozen", heloc.StepUnfreezeCredit)
	check := func(when, whose string, today bool) *webtest.Response {
		t.Helper()
		page := olivia.Get(path)
		if card := page.Find("#step").Text(); !strings.Contains(card, whose) ||
			strings.Contains(strings.ToLower(card), "attempt") {
			t.Errorf("%s: got the card %q, want %q and no attempt", when, strings.Join(strings.Fields(card), " "), whose)
		}
		row := olivia.Get("/leads?view=today").Find("#lead-" + string(app))
		if got := row.Length() == 1; got != today || today && !row.HasClass("mine") {
			t.Errorf("%s: got in Today with its label %v, want %v", when, got, today)
		}
		return page
	}
	primary := func(page *webtest.Response) string {
		return strings.Join(strings.Fields(page.Find("#step .btn.pri").Text()), " ")
	}
	page := check("frozen", "Your move", true)
	if got := primary(page); got != "Show phone to call" || page.Find("#step #form-log-contact button").Length() != 3 {
		t.Errorf("not told: the primary action is %q, want the borrower's phone, and three ways to log it", got)
	}
	olivia.Post(path+"/contact", url.Values{"contact.how": {"call"}, "contact.only": {"true"}})
	if told := check("the borrower was told", "With the borrower", false); primary(told) != "" ||
		told.Find("#step #form-log-contact").Length() != 0 || told.Find("#repull #form-repull-credit").Length() != 1 {
		t.Errorf("told: got %q as primary action, want none, and a folded re-pull", primary(told))
	}

	consent := []string{"consent.attested", "true", "consent.method", "recorded-call"}
	olivia.Send(page.Form("#form-repull-credit").With(consent...))
	h.WaitUntil("the lender asks again", func() bool { return h.LeadRow(app).Attempt == 2 })
	check("re-pulled", "Your move", true).WantText("The credit is still frozen")
	olivia.Get("/leads?view=blocked").WantText("Still frozen")
	olivia.PlanRepull(path, time.Now().Add(2*time.Hour))
	check("a lift time is set", "Re-pull scheduled", false).WantText("The credit is still frozen")
	olivia.Send(olivia.Get(path).Form("#form-thaw-cancel"))
	check("the plan was canceled", "Your move", true)
	olivia.Post(path+"/contact", url.Values{"contact.how": {"text"}, "contact.only": {"true"}})
	check("the borrower was told again", "With the borrower", false).WantText("The credit is still frozen")
}
