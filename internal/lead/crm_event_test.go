package lead_test

import (
	"slices"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

func TestCRMEventKinds(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name        string
		before, now lead.Row
		want        []lead.CRMEventKind
	}{
		{"nothing", lead.Row{}, lead.Row{RefreshedAt: 7, LastContactAt: 7}, nil},
		{"offers", lead.Row{}, lead.Row{Step: heloc.StepOffersAvailable},
			[]lead.CRMEventKind{lead.CRMStepChanged, lead.CRMOffersReady}},
		{"the same step asked again", lead.Row{Step: heloc.StepUnfreezeCredit},
			lead.Row{Step: heloc.StepUnfreezeCredit, Attempt: 2}, nil},
		{"the borrower's move at the same step", lead.Row{Step: heloc.StepUnfreezeCredit},
			lead.Row{Step: heloc.StepUnfreezeCredit, LastContactAt: lead.Millis(now)}, []lead.CRMEventKind{lead.CRMStepChanged}},
		{"due earlier", lead.Row{Step: heloc.StepOffersAvailable},
			lead.Row{Step: heloc.StepOffersAvailable, FollowUpAt: lead.Millis(now) - 1},
			[]lead.CRMEventKind{lead.CRMStepChanged}},
		{"selected", lead.Row{Step: heloc.StepOffersAvailable},
			lead.Row{Step: heloc.StepBorrowerAuth, SelectedAmount: heloc.Dollars(50_000)},
			[]lead.CRMEventKind{lead.CRMStepChanged, lead.CRMOfferSelected}},
		{"another condition", lead.Row{Converted: true, OpenConditions: 1, ConditionAt: 1},
			lead.Row{Converted: true, OpenConditions: 1, ConditionAt: 2}, []lead.CRMEventKind{lead.CRMConditionChanged}},
		{"funded", lead.Row{Converted: true}, lead.Row{Converted: true, Funded: true},
			[]lead.CRMEventKind{lead.CRMStepChanged, lead.CRMFunded}},
		{"canceled", lead.Row{}, lead.Row{Step: heloc.StepClosed, CanceledDate: "2026-11-20"},
			[]lead.CRMEventKind{lead.CRMStepChanged, lead.CRMEnded}},
		{"closed here", lead.Row{Step: heloc.StepNoOffers}, lead.Row{Step: heloc.StepNoOffers, SetAsideAt: 1},
			[]lead.CRMEventKind{lead.CRMStepChanged, lead.CRMEnded}},
		{"open again", lead.Row{Step: heloc.StepNoOffers, SetAsideAt: 1}, lead.Row{Step: heloc.StepNoOffers},
			[]lead.CRMEventKind{lead.CRMStepChanged}},
		{"reassigned", lead.Row{Originator: "a"}, lead.Row{Originator: "b"}, []lead.CRMEventKind{lead.CRMReassigned}},
	} {
		tt.before.StepSince, tt.now.StepSince = lead.Millis(now)-1, lead.Millis(now)-1
		tt.before.UpdateStatus(now)
		tt.now.UpdateStatus(now)
		if got := lead.CRMEventKinds(&tt.before, &tt.now); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
		for _, kind := range tt.want {
			if lead.CodeOf(lead.CodeEvent, string(kind)) == "other" {
				t.Errorf("%s has no code", kind)
			}
		}
	}
}
