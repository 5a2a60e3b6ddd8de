package demo

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	deskdemo "hearthline/internal/desk/demo"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/web/page"
)

// viewer is olivia at 2:15 PM.
func viewer() text.Viewer {
	return text.Viewer{Now: time.Date(2026, 11, 20, 14, 15, 0, 0, time.UTC), Zone: time.UTC,
		Who: access.Actor{UserID: "olivia", Role: access.Originator, OriginatorUUID: "o-1"}}
}

// TestPresentMissions_EveryBlockedStep_HasWords expects different texts for every blocked step.
func TestPresentMissions_EveryBlockedStep_HasWords(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, b := range heloc.BlockedSteps() {
		words := text.MissionOf(string(b.Status))
		if words.Title == "" || words.Happened == "" || words.Task == "" || words.WithoutLead == "" || seen[words.Task] ||
			seen[words.Title] {
			t.Errorf("%s: got %+v, want texts that no other step has", b.Step, words)
		}
		seen[words.Task], seen[words.Title] = true, true
	}
}

// TestPresentMissions_AllDone_SaysSo counts done missions as the list does.
func TestPresentMissions_AllDone_SaysSo(t *testing.T) {
	t.Parallel()
	v := viewer()
	op := lead.Operation{ID: "hl-1", Kind: heloc.OpReassign, AnsweredAt: v.Now.Add(-time.Hour).UnixMilli()}
	p := deskdemo.RehearsalProgress{Since: v.Now.Add(-2 * time.Hour),
		Missions: []deskdemo.Mission{{Done: &op}, {Step: heloc.StepPayoff, Status: heloc.StatusPayoff}}}
	got := presentMissions(v, p, nil)
	if got.Count != "1 of 2 done" || got.AllDone || !got.MayStartOver ||
		got.Since != "Counts what you’ve sent since 12:15 PM." {
		t.Errorf("one of two: got %+v", got)
	}
	if m := got.Missions[0]; m.Done != "Done today 1:15 PM" || m.Happened != "Reassigned." ||
		m.Href != "/operations/hl-1" || len(m.Tasks) != 0 {
		t.Errorf("done: got %+v", m)
	}
	if m := got.Missions[1]; m.Done != "" || m.Happened != "" || m.Href != "" ||
		!slices.Equal(m.Tasks, []string{"Start a sample inquiry for this step first.",
			"Choose the debts to pay off from the line and send them."}) {
		t.Errorf("no lead and no sample: got %+v", m)
	}
	p.Missions = p.Missions[:1]
	if got = presentMissions(v, p, nil); got.Count != "1 of 1 done" || !got.AllDone {
		t.Errorf("all: got %+v", got)
	}
	p.Missions[0].Done = nil
	if got = presentMissions(v, p, nil); got.Count != "0 of 1 done" || got.AllDone || got.MayStartOver {
		t.Errorf("none: got %+v", got)
	}
}

// TestPresentMission_Lead_SaysWhoseMoveItIs has a lead at the step, the same while the lender processes what was
// sent, and a step that was resolved a minute after the lender's answer.
func TestPresentMission_Lead_SaysWhoseMoveItIs(t *testing.T) {
	t.Parallel()
	v := viewer()
	row := lead.Row{App: "0f0e0d0c-0000-4000-8000-000000000001", Originator: "o-1", StatusKey: heloc.StatusPayoff}
	m := deskdemo.Mission{Step: heloc.StepPayoff, Status: heloc.StatusPayoff,
		Lead: &deskdemo.MissionLead{Row: row, Name: heloc.Name{First: "Ana", Last: "Ruiz"}}}
	samples := []page.Sample{{Key: "Rivera-Payoff", Step: heloc.StepPayoff}}
	if got := presentMission(v, m, samples); got.Key != "payoff" || got.Link != "Open Ana Ruiz" ||
		got.Href != "/leads/"+string(row.App) || !strings.HasPrefix(got.Happened, "The lender can proceed") ||
		len(got.Tasks) != 1 {
		t.Errorf("your move: got %+v", got)
	}
	m.Lead.StatusKey = heloc.StatusInProgress
	if got := presentMission(v, m, samples); got.Happened != "The lender is reviewing what was sent." ||
		len(got.Tasks) != 0 || got.Link != "Open Ana Ruiz" {
		t.Errorf("the lender's move: got %+v", got)
	}
	m.Lead = nil
	if got := presentMission(v, m, samples); got.Href != "/leads/new?sample=Rivera-Payoff" || got.Link != "Open sample" {
		t.Errorf("no lead: got %+v, want the sample", got)
	}
	m.Done = &lead.Operation{ID: "hl-2", Kind: heloc.OpAssetDepletion, AnsweredAt: v.Now.Add(-time.Minute).UnixMilli(),
		StepChangedAt: v.Now.UnixMilli()}
	if got := presentMission(v, m, samples); got.Done != "Done today 2:15 PM" ||
		got.Happened != "Income and payoffs sent." {
		t.Errorf("done: got %+v", got)
	}
}
