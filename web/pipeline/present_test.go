package pipeline_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/to"
	"hearthline/web/page"
	"hearthline/web/pipeline"
	"hearthline/web/webtest"
)

func TestPresentRow(t *testing.T) {
	t.Parallel()
	v := webtest.DenverViewer(t)
	ms := func(ago time.Duration) int64 { return v.Now.Add(-ago).UnixMilli() }
	usually := lead.UsualWait{Median: 50 * time.Second, Known: true}
	late, offers, waiting, ended := webtest.SampleLeadRow("verify-liens", "you", "blocked"),
		webtest.SampleLeadRow("offers", "you", "offers"), webtest.SampleLeadRow("in-progress", "lender", "lender"),
		webtest.SampleLeadRow("rescission", "lender", "closing")
	late.DueSort, offers.DueSort = ms(38*time.Minute), ms(-3*time.Hour)
	late.Originator, offers.Originator = "o-1", "o-1"
	others, nobodys := late, late
	others.Originator, nobodys.Originator = "o-2", ""
	offers.MaxAmount, ended.SelectedAmount, ended.MaxAmount, waiting.RequestedAmount = 22_000_000, 20_500_000,
		22_000_000, 6_000_000
	waiting.CreatedAt, waiting.StepSince = ms(72*time.Hour), ms(40*time.Second)
	ended.RescissionDate = "2026-11-24"
	for _, tt := range []struct {
		lead                      lead.Row
		who, clock, late, wording string
		amount                    string
		mine, overdue             bool
		chip                      string
	}{
		{late, "you", "", "due 38 min ago", "", "", true, true, "Verify liens"},
		{others, "Marcus Reyes", "", "due 38 min ago", "", "", true, true, "Verify liens"},
		{nobodys, "unassigned", "", "due 38 min ago", "", "", true, true, "Verify liens"},
		{offers, "you", "due by 5:15 PM", "", "Up to", "$220,000", true, false, "Offers ready"},
		{waiting, "lender", "40 sec (usually about 50 sec)", "", "Requested", "$60,000", false, false, "In progress"},
		{ended, "lender", "ends Tue, Nov 24", "", "Selected", "$205,000", false, false, "Rescission"},
	} {
		got := page.PresentRow(v, &lead.PipelineRow{
			Row: &tt.lead, Originator: map[heloc.OriginatorID]string{"o-2": "Marcus Reyes"}[tt.lead.Originator],
			Name: heloc.Name{First: "Priya", Last: "Raghunathan"},
		}, map[heloc.Operation]lead.UsualWait{heloc.OpStart: usually, heloc.OpVerifyLiens: usually})
		if got.Mover != tt.who || got.Timing.String() != tt.clock+tt.late || got.Overdue != (tt.late != "") ||
			got.AmountLabel != tt.wording || got.Amount != tt.amount ||
			got.YourMove != tt.mine || got.Overdue != tt.overdue || got.Chip.Label != tt.chip {
			t.Errorf("%s: got %+v", tt.chip, got)
		}
		if want := map[string]string{"Verify liens": "lender usually takes about 50 sec"}[tt.chip]; got.UsualWait != want {
			t.Errorf("%s: got %q, want %q", tt.chip, got.UsualWait, want)
		}
		if got.Name != "Priya Raghunathan" || got.CityState != "Boise, ID" || got.Contact != "" || got.Revision != "7" {
			t.Errorf("%s: got %+v", tt.chip, got)
		}
	}
}

// Only the lead's own originator reads that it is their move.
func TestPresentRow_OthersLead_NamesTheOriginatorsMove(t *testing.T) {
	t.Parallel()
	v := webtest.DenverViewer(t)
	v.Who = access.Actor{UserID: "maya", Role: access.Manager, OriginatorUUID: "o-2"}
	if got := page.PresentRow(v, &lead.PipelineRow{Row: new(webtest.SampleLeadRow("verify-liens", "you", "blocked"))},
		nil).Mover; got != "originator" {
		t.Errorf("got %q, want originator", got)
	}
}

func TestStepFilter_StatusKeysAndSteps(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]heloc.StatusKey{
		"": "", "verify-liens": "verify-liens", "OFFERS_AVAILABLE": "offers", "BORROWER_AUTH_REQUIRED": "borrower-sign-in",
		"NEVER_HEARD": "other",
	} {
		if got := page.StepFilter(typed, webtest.DenverViewer(t).Now); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}

func TestParseLeadsQuery(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]to.LeadsQuery{
		"":                       {View: "today"},
		"view=ended&sort=newest": {View: "ended", Sort: "newest"},
		"q=+rivera+":             {View: "all", Q: "rivera"},
		"view=nonsense&state=id": {View: "all", State: "ID"},
		"view=offers&after=k":    {View: "offers", After: "k"},
	} {
		if got := pipeline.ParseLeadsQuery(httptest.NewRequest(http.MethodGet, "/leads?"+query, nil)); got != want {
			t.Errorf("%q: got %+v, want %+v", query, got, want)
		}
	}
}
