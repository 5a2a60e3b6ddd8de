package lead_test

import (
	"strings"
	"testing"

	"hearthline/web/webtest"
)

// TestHelpLink_FromBlockedStepAndReceipt follows the links to the help about what the user is looking at.
func TestHelpLink_FromBlockedStepAndReceipt(t *testing.T) {
	t.Parallel()
	olivia := webtest.New(t, webtest.Options{NoJobs: true}).SignInAs("olivia")
	for name, want := range map[string]string{"Rivera-Match": "/help/steps#ssn-needed",
		"Rivera-Frozen": "/help/steps#credit-frozen", "Rivera-None": "/help/steps#no-offers", "Rivera": "/help/offers"} {
		page := olivia.WaitFor(olivia.StartLead(name), `a[href^="/help/"][href="`+want+`"]`)
		path, section, _ := strings.Cut(want, "#")
		if help := olivia.Get(path); section != "" && help.Find("#"+section).Length() != 1 {
			t.Errorf("%s links to %s, which has no such section", page.Path, want)
		}
	}
	lead := olivia.StartLead("Brook")
	receipt := olivia.WaitFor(lead+"/activity", `a[href^="/operations/"]`).Find(`a[href^="/operations/"]`).First().
		AttrOr("href", "")
	if olivia.Get(receipt).Find(`a[href="/help/receipts"]`).Length() != 1 {
		t.Error("the receipt has no link to its help")
	}
}
