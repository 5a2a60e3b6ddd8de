package lendersync

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

func TestClaimAgainst_WhatAReadingTakes(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	pending := &lead.Operation{Kind: heloc.OpAddSSN}
	for name, tt := range map[string]struct {
		row  lead.Row
		said heloc.AppData
		op   *lead.Operation
		want lead.Claim
	}{
		"nothing": {lead.Row{Step: heloc.StepCreditMatch}, heloc.AppData{NextInquiryStep: heloc.StepCreditMatch},
			nil, lead.Claim{}},
		"forward": {lead.Row{Step: heloc.StepCreditMatch}, heloc.AppData{NextInquiryStep: heloc.StepOffersAvailable},
			nil, lead.Claim{}},
		"forward, set aside": {lead.Row{Step: heloc.StepNoOffers, SetAsideAt: 1},
			heloc.AppData{NextInquiryStep: heloc.StepOffersAvailable}, nil, lead.Claim{Step: heloc.StepOffersAvailable}},
		"forward, re-pull planned": {lead.Row{Step: heloc.StepUnfreezeCredit, RepullAt: 1},
			heloc.AppData{NextInquiryStep: heloc.StepOffersAvailable}, nil, lead.Claim{Step: heloc.StepOffersAvailable}},
		"forward, after the re-pull": {lead.Row{Step: heloc.StepUnfreezeCredit, RepullAt: 1},
			heloc.AppData{NextInquiryStep: heloc.StepOffersAvailable}, pending, lead.Claim{}},
		"beside": {lead.Row{Step: heloc.StepCreditMatch}, heloc.AppData{NextInquiryStep: heloc.StepPayoff}, nil,
			lead.Claim{Step: heloc.StepPayoff}},
		"beside, after our write": {lead.Row{Step: heloc.StepCreditMatch}, heloc.AppData{NextInquiryStep: heloc.StepPayoff},
			pending, lead.Claim{}},
		"a new lead": {lead.Row{}, heloc.AppData{NextInquiryStep: heloc.StepClosed}, nil, lead.Claim{}},
		"back": {lead.Row{Step: heloc.StepOffersAvailable}, heloc.AppData{NextInquiryStep: heloc.StepPayoff}, nil,
			lead.Claim{Step: heloc.StepPayoff}},
		"no offers": {lead.Row{Step: heloc.StepOffersAvailable}, heloc.AppData{NextInquiryStep: heloc.StepNoOffers},
			nil, lead.Claim{Step: heloc.StepNoOffers}},
		"reopened": {lead.Row{Step: heloc.StepClosed}, heloc.AppData{NextInquiryStep: heloc.StepOffersAvailable}, nil,
			lead.Claim{Step: heloc.StepOffersAvailable}},
		"closed": {lead.Row{Step: heloc.StepCreditMatch}, heloc.AppData{NextInquiryStep: heloc.StepClosed}, nil,
			lead.Claim{Step: heloc.StepClosed}},
		"not known": {lead.Row{Step: heloc.StepCreditMatch}, heloc.AppData{NextInquiryStep: "NEW_STEP"}, nil,
			lead.Claim{Step: "NEW_STEP"}},
		"in progress": {lead.Row{Step: heloc.StepCreditMatch}, heloc.AppData{NextInquiryStep: heloc.StepUnknown}, nil,
			lead.Claim{Step: heloc.StepUnknown}},
		"after our write": {lead.Row{Step: heloc.StepCreditMatch}, heloc.AppData{NextInquiryStep: heloc.StepUnknown},
			pending, lead.Claim{}},
		"canceled": {lead.Row{}, heloc.AppData{KeyDates: heloc.KeyDates{Canceled: "2026-11-20"}}, nil,
			lead.Claim{Ended: true}},
		"still canceled": {lead.Row{CanceledDate: "2026-11-20"},
			heloc.AppData{KeyDates: heloc.KeyDates{Canceled: "2026-11-20"}}, nil, lead.Claim{}},
		"declined": {lead.Row{}, heloc.AppData{KeyDates: heloc.KeyDates{Declined: "2026-11-20"}}, nil,
			lead.Claim{Ended: true}},
		"an inquiry again": {lead.Row{Converted: true}, heloc.AppData{IsInquiry: &yes}, nil, lead.Claim{Reversed: true}},
		"converted":        {lead.Row{}, heloc.AppData{IsInquiry: &no}, nil, lead.Claim{}},
		"not funded": {lead.Row{Funded: true}, heloc.AppData{Funding: &heloc.FundingReport{}}, nil,
			lead.Claim{Reversed: true}},
		"shorter": {lead.Row{HistoryLength: 2}, heloc.AppData{StatusHistory: make([]heloc.StatusEntry, 1)}, nil,
			lead.Claim{Shorter: true}},
		"no history": {lead.Row{HistoryLength: 2}, heloc.AppData{}, nil, lead.Claim{}},
	} {
		if got := claimAgainst(tt.row, heloc.Details{App: tt.said}, true, tt.op); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", name, got, tt.want)
		}
	}
}

// edited returns the lender's details after an edit of appData.
func (h *harness) edited(app heloc.AppID, edit func(top, appData map[string]any)) string {
	h.t.Helper()
	var tree map[string]any
	h.must(json.Unmarshal([]byte(h.detailsJSON(app)), &tree))
	top := tree
	if data, ok := tree["data"].(map[string]any); ok {
		top = data
	}
	edit(top, top["appData"].(map[string]any))
	out, err := json.Marshal(tree)
	h.must(err)
	return string(out)
}

// lies are what a lender in trouble may say of a lead.
func (h *harness) lies() map[string]func(top, appData map[string]any) {
	step := func(s heloc.Step) func(top, appData map[string]any) {
		return func(_, appData map[string]any) { appData["nextInquiryStep"] = string(s) }
	}
	lies := map[string]func(top, appData map[string]any){
		"in progress": step(heloc.StepUnknown), "closed": step(heloc.StepClosed), "withdrawn": step(heloc.StepWithdrawn),
		"unknown step": step("LATER_STEP"), "an older step": step(heloc.StepPropertyValue),
		"no offers": step(heloc.StepNoOffers),
		"canceled": func(_, appData map[string]any) {
			appData["keyDates"].(map[string]any)["canceledDate"] = "2026-11-20"
		},
		"other owner": func(top, _ map[string]any) {
			top["loanOriginatorData"] = map[string]any{"loanOriginatorUuid": string(h.originators[1].ID)}
		},
		"nothing":      func(_, appData map[string]any) { clear(appData) },
		"wrong type":   func(_, appData map[string]any) { appData["underwriting"] = "none"; appData["statusHistory"] = 7 },
		"no offer":     func(_, appData map[string]any) { appData["underwriting"] = nil },
		"no history":   func(_, appData map[string]any) { appData["statusHistory"] = []any{} },
		"other id":     func(top, _ map[string]any) { top["appUuid"] = "99999999-9999-4999-8999-999999999999" },
		"long history": func(_, appData map[string]any) { appData["statusHistory"] = strings.Repeat("x", 1<<20) },
	}
	return lies
}

// TestRefresh_SingleFalseReading_ChangesNothing returns one false reading of a lead that its originator has worked
// on. Nothing is erased, moved or closed, nobody is notified, and after the next true reading the lead is as it was.
func TestRefresh_SingleFalseReading_ChangesNothing(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		time.Sleep(time.Minute)
		g.must(g.service.Refresh(t.Context(), app))
		for name, lie := range g.lies() {
			before, events := g.comparable(app), g.eventKinds(app)
			notices := g.noticesOf(g.olivia.UserID, g.lead(app).Company)
			g.setAnswer("/details/", g.edited(app, lie))
			_ = g.service.Refresh(t.Context(), app)
			if l := g.lead(app); l.Lane == heloc.LaneEnded || l.Step != heloc.StepOffersAvailable ||
				l.Originator != g.originators[0].ID {
				t.Errorf("%s: the lead is at %s with %s", name, l.Step, l.Originator)
			}
			g.transport.set(nil, nil)
			time.Sleep(secondLook)
			g.must(g.service.Refresh(t.Context(), app))
			if after := g.comparable(app); after != before {
				t.Errorf("%s: got\n%s\nwant\n%s", name, after, before)
			}
			if got := g.eventKinds(app); got != events {
				t.Errorf("%s: got events %q, want %q", name, got, events)
			}
			if got := g.noticesOf(g.olivia.UserID, g.lead(app).Company); !slices.Equal(got, notices) {
				t.Errorf("%s: got notifications %q, want %q", name, got, notices)
			}
			if last := savedPart[journal.LastReading](g, app, lead.PartReading); !last.Empty() {
				t.Errorf("%s: got %+v after a true reading", name, last)
			}
			time.Sleep(time.Minute)
		}
	})
}

// TestRefresh_ClaimTwice_Accepted repeats a claim: far enough apart, too soon, and after a different claim.
func TestRefresh_ClaimTwice_Accepted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		first, second string
		pause         time.Duration
		want          heloc.Step
	}{
		{"closed", "closed", secondLook, heloc.StepClosed},
		{"in progress", "in progress", secondLook, heloc.StepUnknown},
		{"withdrawn", "withdrawn", secondLook - time.Second, heloc.StepOffersAvailable},
		{"closed", "withdrawn", time.Minute, heloc.StepOffersAvailable},
	} {
		runInSynctest(t, options{}, func(t *testing.T, g *harness) {
			app := g.startAndRead("Rivera")
			g.setAnswer("/details/", g.edited(app, g.lies()[tt.first]))
			g.must(g.service.Refresh(t.Context(), app))
			claim := savedPart[journal.LastReading](g, app, lead.PartReading).Claim
			if l := g.lead(app); !claim.Made() || l.Step != heloc.StepOffersAvailable {
				t.Errorf("%s: the lead is at %s, and the claim is %+v", tt.first, l.Step, claim)
			}
			if pause := time.Until(time.UnixMilli(g.lead(app).RefreshAt)); pause > secondLook {
				t.Errorf("%s: it is read again after %v", tt.first, pause)
			}
			time.Sleep(tt.pause)
			g.transport.set(nil, nil)
			g.setAnswer("/details/", g.edited(app, g.lies()[tt.second]))
			g.must(g.service.Refresh(t.Context(), app))
			if l := g.lead(app); l.Step != tt.want {
				t.Errorf("%s, then %s after %v: got %s, want %s", tt.first, tt.second, tt.pause, l.Step, tt.want)
			}
		})
	}
}

// TestRefresh_FalseForwardStep_PlanKept returns a later step once for a lead with a planned re-pull, and then twice.
func TestRefresh_FalseForwardStep_PlanKept(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera-Frozen")
		time.Sleep(time.Hour)
		g.readTwice(app) // the answer to the start has been seen
		g.write(func(tx *store.Tx) error {
			l, err := tx.AnyLead(t.Context(), app)
			if err != nil {
				return err
			}
			l.RepullAt, l.PendingOp = store.Millis(time.Now().Add(24*time.Hour)), ""
			return tx.SaveLead(t.Context(), &l, time.Now(), true)
		})
		before := g.comparable(app)
		offers := g.edited(app, func(_, appData map[string]any) {
			appData["nextInquiryStep"] = string(heloc.StepOffersAvailable)
		})
		g.setAnswer("/details/", offers)
		g.must(g.service.Refresh(t.Context(), app))
		g.transport.set(nil, nil)
		time.Sleep(secondLook)
		g.must(g.service.Refresh(t.Context(), app))
		if after := g.comparable(app); after != before {
			t.Errorf("after one false reading: got\n%s\nwant\n%s", after, before)
		}
		g.setAnswer("/details/", offers)
		g.must(g.service.Refresh(t.Context(), app))
		time.Sleep(secondLook)
		g.must(g.service.Refresh(t.Context(), app))
		if l := g.lead(app); l.Step != heloc.StepOffersAvailable || l.RepullAt != 0 {
			t.Errorf("after two: got %s with a re-pull at %d", l.Step, l.RepullAt)
		}
	})
}

// TestRefresh_OwnCancel_NoSecondReading accepts a change that our own write requested without a second reading.
func TestRefresh_OwnCancel_NoSecondReading(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		_, err := g.runOperation(app, heloc.OpCancel,
			func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
				return g.client.Cancel(ctx, app, by)
			})
		g.must(err)
		time.Sleep(2 * time.Second)
		g.must(g.service.Refresh(t.Context(), app))
		if l := g.lead(app); l.Step != heloc.StepClosed {
			t.Errorf("got %s, want closed", l.Step)
		}
	})
}

// TestRefresh_RandomFalseReadings_SameResult plays the same random scenario twice, with false readings at random
// points in the second one, and compares the leads at its end.
func TestRefresh_RandomFalseReadings_SameResult(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			var ends [2]string
			for lying := range 2 {
				runInSynctest(t, options{}, func(t *testing.T, g *harness) {
					ends[lying] = g.randomScenario(rand.New(rand.NewPCG(seed, 1)), lying == 1)
				})
			}
			if ends[0] != ends[1] {
				t.Errorf("with lies:\n%s\nwithout:\n%s", ends[1], ends[0])
			}
		})
	}
}

// randomScenario plays random events of the lender and returns the lead at the end. Every event is read twice; in the
// second run, some readings before an event are false.
func (h *harness) randomScenario(script *rand.Rand, lying bool) string {
	app := h.startAndRead([]string{"Rivera", "Rivera-Match", "Rivera-Frozen", "Rivera-Value"}[script.IntN(4)])
	time.Sleep(time.Minute)
	h.readTwice(app)
	h.write(func(tx *store.Tx) error { // what the originator did and planned
		l, err := tx.AnyLead(h.t.Context(), app)
		if err != nil {
			return err
		}
		l.SetAsideAt, l.LastContactAt = store.Millis(time.Now()), store.Millis(time.Now())
		l.RepullAt = store.Millis(time.Now().Add(24 * time.Hour))
		return tx.SaveLead(h.t.Context(), &l, time.Now(), true)
	})
	lies := h.lies()
	names := slices.Sorted(maps.Keys(lies))
	for round := range 6 {
		time.Sleep(time.Duration(script.IntN(600)) * time.Second)
		name := names[script.IntN(len(names))]
		if lying {
			h.setAnswer("/details/", h.edited(app, lies[name]))
			_ = h.service.Refresh(h.t.Context(), app)
			if l := h.lead(app); l.Originator != h.originators[0].ID {
				h.t.Errorf("%s: the lead has moved to %q", name, l.Originator)
			}
			h.transport.set(nil, nil)
		}
		time.Sleep(secondLook)
		h.must(h.service.Refresh(h.t.Context(), app))
		possible := slices.DeleteFunc(h.lender.PossibleEvents(app), func(event string) bool {
			return (event == "expire" || event == "decline") && round < 4
		})
		if play := script.IntN(3); len(possible) > 0 && play > 0 {
			h.must(h.lender.Play(app, possible[script.IntN(len(possible))]))
		}
		h.readTwice(app)
	}
	end := h.comparable(app)
	h.must(h.service.Refresh(h.t.Context(), app))
	if again := h.comparable(app); again != end {
		h.t.Errorf("another true reading changed\n%s\nto\n%s", end, again)
	}
	row, _, _ := strings.Cut(end, "\n") // the rest depends on data that the sandbox generates for each inquiry
	return row + h.eventKinds(app) + fmt.Sprint(h.noticesOf(h.olivia.UserID, h.lead(app).Company))
}

// comparable returns everything about a lead, its row first, except ids, ciphertext and read times.
func (h *harness) comparable(app heloc.AppID) string {
	l := h.lead(app)
	l.App, l.ShortID, l.Borrower, l.Revision = "", "", nil, 0
	l.RefreshedAt, l.RefreshAt, l.RefreshFailures = 0, 0, 0
	text := fmt.Sprintf("%+v\n", l)
	for _, part := range []lead.Part{lead.PartDetails, lead.PartConditions, lead.PartFunding, lead.PartDocuments} {
		raw, err := json.Marshal(savedPart[any](h, app, part))
		h.must(err)
		text += string(raw) + "\n"
	}
	return text
}
