package account_test

import (
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// TestPageTitles_Plain_WithoutNames chooses titles without borrowers' names; in a CRM's frame they never have one.
func TestPageTitles_Plain_WithoutNames(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	v, crm := h.SignInAs("olivia"), webtest.NewCRM(t, h)
	lead, app := v.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	id := h.LeadRow(app).ShortID
	title := func(page *webtest.Response) string { return page.Find("title").Text() }
	if got := title(v.Get(lead)); got != "Offers ready · Elena Rivera · Hearthline" {
		t.Fatalf("got the title %q, want the borrower's name in it", got)
	}
	crm.Attest() // a launch opens a lead without a step-up
	crm.ConnectUser("olivia")
	if got := title(crm.OpenFrame(webtest.LaunchFor("51")).Get(lead)); !strings.Contains(got, id) ||
		strings.Contains(got, "Rivera") {
		t.Errorf("in a frame: got %q, want %s instead of the name", got, id)
	}
	form := v.Get("/account").Form(`form[action="/account/titles"]`).With("plainTitles", "true")
	if v.Send(form).Find(`[name="plainTitles"][checked]`).Length() != 1 {
		t.Error("the account does not show the setting")
	}
	for _, page := range []*webtest.Response{v.Get(lead), v.Get(lead + "/offers"), v.Get(lead, "HX-Request", "true")} {
		if got := title(page); !strings.Contains(got, id) || strings.Contains(got, "Rivera") {
			t.Errorf("%s: got %q, want %s instead of the name", page.Path, got, id)
		}
	}
}
