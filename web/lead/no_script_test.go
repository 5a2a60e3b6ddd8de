package lead_test

import (
	"testing"
	"time"

	"hearthline/web/webtest"
)

// TestLead_LenderWorks_ReloadsWithoutScript follows a start in a browser without JavaScript.
func TestLead_LenderWorks_ReloadsWithoutScript(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	ready := olivia.StartLead("Rivera")
	olivia.WaitFor(ready, `input[name="offer.offerUuid"]`)
	h.Sandbox.SetProcessing(time.Hour)
	path := olivia.StartLead("Raman")
	const refresh = `head noscript:contains("http-equiv=\"refresh\"")`
	page := olivia.Get(path)
	if page.Find(refresh).Length() != 1 {
		t.Error("the page of a lead in progress does not reload")
	}
	page.WantText("This page reloads automatically")
	if olivia.Get(path+"?stay=true").Find(refresh).Length() != 0 ||
		olivia.Get(path+"/activity").Find(refresh).Length() != 0 {
		t.Error("a page reloads that the user stays on")
	}
	if olivia.Get(ready).Find(refresh).Length() != 0 {
		t.Error("a page with offers reloads")
	}
}
