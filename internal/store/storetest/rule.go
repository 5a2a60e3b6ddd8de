package storetest

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

func assignmentRules(t *testing.T, s *store.Store) {
	ctx := t.Context()
	for i, who := range []string{"olivia", "marcus"} {
		user := access.User{Actor: access.Actor{UserID: who, Name: who, Email: who + "@summit.test", Role: access.Originator,
			OriginatorUUID: "o" + strconv.Itoa(i+1), BrokerID: "B1"}}
		if err := s.AddUser(ctx, user, "hash"); err != nil {
			t.Fatal(err)
		}
	}
	write := func(f func(tx *store.Tx) error) {
		t.Helper()
		if err := s.Write(ctx, f); err != nil {
			t.Fatal(err)
		}
	}
	rules := lead.AssignmentRules{Company: "B1", Active: true, OpenLimit: 7, SetBy: "maya", SetAt: 5,
		Rules: []lead.AssignmentRule{{ID: "r1", States: []string{"TX", "CO"}, Source: lead.SourceCRM, From: 5000, To: 9050,
			People: []lead.RuleShare{{UserID: "marcus", Weight: 2}}},
			{ID: "r2", People: []lead.RuleShare{{UserID: "olivia", Weight: 1}}}}}
	write(func(tx *store.Tx) error { return tx.SaveAssignmentRules(ctx, rules) })
	if got := must(s.AssignmentRules(ctx, "B1"))(t); !got.Running() || got.OpenLimit != 7 || got.SetBy != "maya" ||
		!reflect.DeepEqual(got.Rules, rules.Rules) {
		t.Errorf("got %+v, want %+v", got, rules)
	}
	if got := must(s.AssignmentRules(ctx, "B2"))(t); got.Active || got.SetBy != "" || got.Rules != nil {
		t.Errorf("another company: got %+v, want none", got)
	}
	if got := must(s.RunningRules(ctx))(t); !slices.Equal(got, []string{"B1"}) {
		t.Errorf("running: got %v, want B1", got)
	}
	ruleDecisions(t, s)
	rules.PausedAt, rules.PauseReason = 9, lead.RulePauseRole
	write(func(tx *store.Tx) error { return tx.SaveAssignmentRules(ctx, rules) })
	if got := must(s.RunningRules(ctx))(t); len(got) != 0 {
		t.Errorf("paused: got %v, want none running", got)
	}
}

// ruleDecisions checks that only decisions by which somebody got a lead count as turns.
func ruleDecisions(t *testing.T, s *store.Store) {
	ctx := t.Context()
	add(t, s, leadOf(1, "", "B1"))
	app := leadOf(1, "", "B1").App
	decide := func(ctx context.Context, id, user string, state lead.JobRowState) {
		t.Helper()
		if err := s.Write(ctx, func(tx *store.Tx) error {
			if err := tx.AddJob(ctx, lead.Job{ID: "j" + id, Kind: lead.JobRule, ActorID: "maya", Company: "B1", Sealed: []byte{},
				CreatedAt: 1},
				[]lead.JobRow{{JobID: "j" + id, App: app, ShortID: "1-1", State: state, Reason: "why", Target: "o1"}}); err != nil {
				return err
			}
			return tx.AddRuleAssignment(ctx, lead.RuleAssignment{ID: id, Company: "B1", App: app, UserID: user, Originator: "o1",
				JobID: "j" + id, SetBy: "maya", Why: "{}", At: 1})
		}); err != nil {
			t.Fatal(err)
		}
	}
	decide(ctx, "01", "olivia", lead.JobRowWaiting)
	decide(ctx, "02", "olivia", lead.JobRowStopped)
	if got := must(s.RuleTurns(ctx, "B1"))(t); len(got) != 1 || got[0].UserID != "olivia" || got[0].Why != "{}" {
		t.Errorf("turns: got %v, want the decision that still waits, not the one that was stopped", got)
	}
	if got := must(s.RuleTurns(ctx, "B2"))(t); len(got) != 0 {
		t.Errorf("turns of another company: got %v", got)
	}
	if got := must(s.RuleAssignments(ctx, "B1", "", 10))(t); len(got) != 2 || got[0].ID != "02" ||
		got[0].State != lead.JobRowStopped || got[0].Reason != "why" || got[0].ShortID != "1-1" {
		t.Errorf("log: got %+v", got)
	}
	if got := must(s.RuleAssignments(ctx, "B1", "02", 10))(t); len(got) != 1 || got[0].ID != "01" {
		t.Errorf("next page of the log: got %+v", got)
	}
	if got := must(s.RuleAssignments(ctx, "B2", "", 10))(t); len(got) != 0 {
		t.Errorf("log of another company: got %+v", got)
	}
	if got := must(s.LastRuleAssignments(ctx, "B1", []heloc.AppID{app, "other"}))(t); len(got) != 1 ||
		got[app].ID != "02" {
		t.Errorf("last: got %+v", got)
	}
	if open := must(s.RuleJobOpen(ctx, "B1"))(t); !open {
		t.Error("no open run")
	}
	if open := must(s.RuleJobOpen(ctx, "B2"))(t); open {
		t.Error("the other company has an open run")
	}
	if got := must(s.WaitingInJobs(ctx))(t); len(got) != 1 || !got[app] {
		t.Errorf("waiting in jobs: got %v", got)
	}
}

// withoutOriginator checks which leads had no originator at some time since an instant.
func withoutOriginator(t *testing.T, s *store.Store) {
	ctx := t.Context()
	waiting, lost, never, other := leadOf(1, "", "B1"), leadOf(2, "o1", "B1"), leadOf(3, "o1", "B1"), leadOf(4, "", "B2")
	for i, l := range []lead.Row{waiting, lost, never, other} {
		add(t, s, l)
		if err := s.Write(ctx, func(tx *store.Tx) error {
			return tx.AddEvent(ctx, lead.Event{App: l.App, Originator: l.Originator, At: 50, Kind: lead.EventStarted})
		}); err != nil {
			t.Fatal(i, err)
		}
	}
	if err := s.Write(ctx, func(tx *store.Tx) error {
		return tx.AddEvent(ctx, lead.Event{App: lost.App, At: 100, Kind: lead.EventReassigned, Detail: "unassigned"})
	}); err != nil {
		t.Fatal(err)
	}
	for since, want := range map[int64]int{100: 2, 101: 1} {
		got := must(s.LeadsWithoutOriginatorSince(ctx, access.Scope{BrokerID: "B1"}, since, 9))(t)
		if len(got) != want || !slices.ContainsFunc(got, func(l lead.Row) bool { return l.App == waiting.App }) {
			t.Errorf("since %d: got %v, want the lead that waits, and of the others the one that lost its originator", since,
				lead.Apps(got))
		}
	}
	if got := must(s.LeadsWithoutOriginatorSince(ctx, access.Scope{}, 0, 9))(t); len(got) != 0 {
		t.Errorf("without a scope: got %v", lead.Apps(got))
	}
	if got := must(s.LeadsWithoutOriginatorSince(ctx, access.Scope{BrokerID: "B1"}, 0, 1))(t); len(got) != 1 {
		t.Errorf("limit 1: got %v", lead.Apps(got))
	}
}
