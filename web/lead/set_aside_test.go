package lead_test

import (
	"net/http"
	"net/url"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// TestSetAside_AllowedSteps_AndUndo sets a lead aside and back at every step where this is allowed, with the forms on
// the card, and checks that the form is nowhere else.
func TestSetAside_AllowedSteps_AndUndo(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, piotr := h.SignInAs("olivia"), h.SignInAs("piotr")
	for trigger, step := range map[string]heloc.Step{
		"Match": heloc.StepCreditMatch, "Assets": heloc.StepMoreAssets,
		"Liens": heloc.StepLienMatching, "Value": heloc.StepPropertyValue,
		"Payoff": heloc.StepPayoff, "Frozen": heloc.StepUnfreezeCredit, "None": heloc.StepNoOffers,
	} {
		path, app := olivia.StartLeadAt("Rivera-"+trigger, step)
		if got := olivia.Post(path+"/set-aside", nil); got.Status != http.StatusUnprocessableEntity ||
			h.LeadRow(app).SetAsideAt != 0 {
			t.Errorf("%s, unconfirmed: got %d", step, got.Status)
		}
		olivia.Send(olivia.Get(path).Form("#form-set-aside").With("confirm.set-aside", "true")).
			WantText("Closed in Hearthline", "The lender wasn’t notified")
		if row := h.LeadRow(app); row.SetAsideAt == 0 || row.Lane != heloc.LaneEnded || row.Step != step {
			t.Errorf("%s: got %s in %s, set aside %d", step, row.Step, row.Lane, row.SetAsideAt)
		}
		if got := piotr.Post(path+"/set-aside", url.Values{"undo": {"true"}}); got.Status != http.StatusNotFound {
			t.Errorf("%s: another company undoes it: %d", step, got.Status)
		}
		h.WantAudited("user-olivia lead.set-aside lead:" + string(app) + " done")
		back := olivia.Send(olivia.Get(path).Form("#form-set-aside"))
		if row := h.LeadRow(app); row.SetAsideAt != 0 || row.Lane == heloc.LaneEnded ||
			back.Find("#set-aside").Length() == 0 {
			t.Errorf("%s, undone: got %s, set aside %d", step, row.Lane, row.SetAsideAt)
		}
	}
	for trigger, step := range map[string]heloc.Step{"-Unit": heloc.StepSelectProperty, "": heloc.StepOffersAvailable} {
		path, _ := olivia.StartLeadAt("Rivera"+trigger, step)
		if n := olivia.Get(path).Find("#form-set-aside").Length(); n != 0 {
			t.Errorf("%s: the form is offered at a step where it is not allowed", step)
		}
		if got := olivia.Post(path+"/set-aside",
			url.Values{"confirm.set-aside": {"true"}}); got.Status != http.StatusConflict {
			t.Errorf("%s: got %d, want 409", step, got.Status)
		}
	}
}
