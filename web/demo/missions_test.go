package demo_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/page"
	"hearthline/web/webtest"
)

// sampleControl is a demo control that has samples only.
type sampleControl struct{}

func (sampleControl) Play(context.Context, heloc.AppID, string) error { return nil }
func (sampleControl) Events(context.Context, heloc.AppID) []string    { return nil }
func (sampleControl) InjectFault(context.Context, string) error       { return nil }
func (sampleControl) State(context.Context) page.DemoState            { return page.DemoState{} }
func (sampleControl) Samples() []page.Sample {
	return []page.Sample{{Key: "Rivera", Label: "Offers", Step: heloc.StepOffersAvailable},
		{Key: "Rivera-Match", Label: "SSN needed", Step: heloc.StepCreditMatch}}
}

const missionsPath = "/demo/missions"

func newDemo(t *testing.T) *webtest.Harness {
	t.Helper()
	return webtest.New(t, webtest.Options{DemoControl: sampleControl{}})
}

func missionText(p *webtest.Response, key string) string {
	return strings.Join(strings.Fields(p.Find("#mission-"+key).Text()), " ")
}

// wantCount compares the count of the page with its list.
func wantCount(t *testing.T, p *webtest.Response, want string) {
	t.Helper()
	done, all := p.Find(".missions > .done").Length(), p.Find(".missions > li").Length()
	if got := p.Find("#missions .meta [role=status]").Text(); got != want ||
		!strings.HasPrefix(want, string(rune('0'+done))) || all != 8 {
		t.Errorf("got %q with %d of %d in the list, want %q", got, done, all, want)
	}
}

// TestMissions_StepResolved_CheckedOff starts the sample of a mission from the page, and resolves it.
func TestMissions_StepResolved_CheckedOff(t *testing.T) {
	t.Parallel()
	h := newDemo(t)
	olivia := h.SignInAs("olivia")
	start := olivia.Get(missionsPath)
	wantCount(t, start, "0 of 8 done")
	if got := start.Find("#mission-ssn-needed a").AttrOr("href", ""); got != "/leads/new?sample=Rivera-Match" {
		t.Fatalf("no lead is at the step: got the link %q, want the sample", got)
	}
	if n := start.Find("#missions form").Length(); n != 0 {
		t.Error("nothing is done, and the page offers to start over")
	}

	lead, _ := olivia.StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
	open := olivia.Get(missionsPath)
	if got := open.Find("#mission-ssn-needed a").AttrOr("href", ""); got != lead {
		t.Errorf("a lead is at the step: got the link %q, want %q", got, lead)
	}
	if got := missionText(open, "ssn-needed"); !strings.Contains(got,
		"The bureau couldn’t find the borrower by name and address.") ||
		!strings.Contains(got, "Ask the borrower for the SSN and send it.") || strings.Contains(got, "Done") {
		t.Errorf("got %q, want what happened and what to do", got)
	}

	olivia.Send(olivia.Get(lead).Form(`form[action$="/add-ssn"]`).With("applicant.ssn", "123-45-6789"))
	done := olivia.WaitFor(missionsPath, "#mission-ssn-needed.done")
	wantCount(t, done, "1 of 8 done")
	if got := missionText(done, "ssn-needed"); !strings.Contains(got, "SSN sent.") ||
		!strings.Contains(got, "Done today ") || strings.Contains(got, "Ask the borrower") {
		t.Errorf("got %q, want what was sent and when it was done", got)
	}
	if got := olivia.Get(done.Find("#mission-ssn-needed a").AttrOr("href", "")); got.Status != http.StatusOK ||
		!strings.Contains(got.MainText(), "SSN") {
		t.Errorf("the receipt: got %d, %s", got.Status, got.MainText())
	}
	part := olivia.Get(missionsPath, "HX-Request", "true")
	if part.Find("#missions[data-live='*']").Length() != 1 || part.Find("main, .bar").Length() != 0 {
		t.Errorf("the live part: got %s", part.Body)
	}

	again := olivia.Send(done.Form("#missions form"))
	if again.Path != missionsPath {
		t.Errorf("starting over led to %s", again.Path)
	}
	wantCount(t, again, "0 of 8 done")
}

// TestMissions_Reassignment_SaysWhatTheRoleMay reads the last mission as an originator and as a manager.
func TestMissions_Reassignment_SaysWhatTheRoleMay(t *testing.T) {
	t.Parallel()
	h := newDemo(t)
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	lead, _ := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	for _, tt := range []struct {
		who          *webtest.Browser
		wants, lacks string
	}{
		{olivia, "The lender lists you as this lead’s originator.", "Olivia Bennett"},
		{maya, "The lender lists Olivia Bennett as this lead’s originator.", "leaves your list"},
	} {
		p := tt.who.Get(missionsPath)
		if got := missionText(p, "reassign"); !strings.Contains(got, tt.wants) || strings.Contains(got, tt.lacks) {
			t.Errorf("got %q, want %q and not %q", got, tt.wants, tt.lacks)
		}
		if got := p.Find("#mission-reassign a").AttrOr("href", ""); got != lead {
			t.Errorf("got the link %q, want %q", got, lead)
		}
	}
	olivia.Send(olivia.ReassignForm(lead, "marcus"))
	wantCount(t, olivia.WaitFor(missionsPath, "#mission-reassign.done"), "1 of 8 done")
	wantCount(t, maya.Get(missionsPath), "0 of 8 done")
}

// TestMissions_WithoutActing_NoLink expects the link in the bar exactly for those who may open the page.
func TestMissions_WithoutActing_NoLink(t *testing.T) {
	t.Parallel()
	h := newDemo(t)
	for who, want := range map[string]int{"olivia": http.StatusOK, "maya": http.StatusOK, "ada": http.StatusForbidden,
		"admin": http.StatusForbidden} {
		v := h.SignInAs(who)
		links := v.Get("/account").Find(`.demobar a[href="` + missionsPath + `"]`).Length()
		if got := v.Get(missionsPath).Status; got != want || (links == 1) != (want == http.StatusOK) {
			t.Errorf("%s: got %d and %d links, want %d", who, got, links, want)
		}
	}
}

func TestMissions_OutsideDemo_NotFound(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	if got := olivia.Get(missionsPath); got.Status != http.StatusNotFound {
		t.Errorf("got %d, want 404", got.Status)
	}
	if got := olivia.Post(missionsPath, nil); got.Status != http.StatusNotFound {
		t.Errorf("post: got %d, want 404", got.Status)
	}
}
