package jobs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	deskreassign "hearthline/internal/desk/reassign"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// newRulesHarness is a portal with unassigned leads in Texas, and Olivia, Marcus and Maya, who act under their own
// originators. The lender knows the leads as those of somebody who left.
func newRulesHarness(t *testing.T, leads int) *harness {
	t.Helper()
	g := newHarness(t, leads)
	ctx := t.Context()
	for id, name := range map[string]string{olivia: "Olivia", marcus: "Marcus"} {
		who := access.Actor{UserID: strings.ToLower(name), Name: name, Email: name + "@summit.test", Role: access.Originator,
			OriginatorUUID: id, BrokerID: "summit", Organization: "Evergreen"}
		if err := g.store.AddUser(ctx, access.User{Actor: who}, "hash"); err != nil {
			t.Fatal(err)
		}
	}
	for _, app := range g.apps {
		g.lender.owner[app] = ""
		g.write(func(tx *store.Tx) error {
			row, err := tx.AnyLead(ctx, heloc.AppID(app))
			if err != nil {
				return err
			}
			row.Originator, row.State = "", "TX"
			return tx.SaveLead(ctx, &row, g.now, true)
		})
	}
	return g
}

func (h *harness) rulesOf(userID string) *deskreassign.Rules {
	h.t.Helper()
	who, err := h.store.User(h.t.Context(), userID)
	if err != nil {
		h.t.Fatal(err)
	}
	r, err := h.service.For(who.Actor).Rules()
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// equalShares is one rule for every lead.
func equalShares(people ...string) []deskreassign.RuleRequest {
	rule := deskreassign.RuleRequest{Control: "rule.0"}
	for _, who := range people {
		rule.People = append(rule.People, lead.RuleShare{UserID: who, Weight: 1})
	}
	return []deskreassign.RuleRequest{rule}
}

func (h *harness) setRules(limit string) {
	h.t.Helper()
	if err := h.rulesOf("maya").Save(h.t.Context(),
		deskreassign.RulesRequest{Active: true, Rules: equalShares("marcus", "olivia"), Limit: limit}); err != nil {
		h.t.Fatal(err)
	}
}

// decide lets the rules decide once, and run executes what they decided.
func (h *harness) decide(w *Runner) {
	h.t.Helper()
	if err := w.RunAssignmentRules(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) assign(w *Runner) {
	h.t.Helper()
	h.decide(w)
	for w.runNext(h.t.Context()) {
		continue
	}
}

func (h *harness) rulesPage() deskreassign.RulesPage {
	h.t.Helper()
	page, err := h.rulesOf("maya").Page(h.t.Context(), deskreassign.RulesQuery{})
	if err != nil {
		h.t.Fatal(err)
	}
	return page
}

// leaseRun leases the run that the rules decided, as a process that dies before its lease ends.
func (h *harness) leaseRun() (lead.Job, []lead.JobRow) {
	h.t.Helper()
	job, ok, err := h.store.LeaseJob(h.t.Context(), "dead")
	if err != nil || !ok {
		h.t.Fatalf("got %v, %v, want a run", ok, err)
	}
	rows, err := h.store.JobRows(h.t.Context(), job.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	return job, rows
}

// owners returns who has each lead: O, M or - for nobody.
func (h *harness) owners() string {
	h.t.Helper()
	all := ""
	for _, app := range h.apps {
		row, err := h.store.AnyLead(h.t.Context(), heloc.AppID(app))
		if err != nil {
			h.t.Fatal(err)
		}
		all += map[heloc.OriginatorID]string{olivia: "O", marcus: "M", "": "-"}[row.Originator]
	}
	return all
}

// sentToLender counts the reassignments that arrived, for all leads.
func (h *harness) sentToLender() int {
	n := 0
	for _, app := range h.apps {
		n += h.lender.sent(app)
	}
	return n
}

func (h *harness) logged() []string {
	h.t.Helper()
	var all []string
	for _, one := range h.rulesPage().Log {
		all = append(all, string(one.Result))
	}
	return all
}

func TestRules_Off_NothingAssigned(t *testing.T) {
	t.Parallel()
	g := newRulesHarness(t, 2)
	w, _ := g.worker("one")
	g.assign(w)
	if got := g.owners(); got != "--" {
		t.Errorf("nobody set rules: got %s", got)
	}
	if err := g.rulesOf("maya").Save(t.Context(), deskreassign.RulesRequest{Rules: equalShares("olivia")}); err != nil {
		t.Fatal(err)
	}
	g.assign(w)
	if got := g.owners(); got != "--" || g.sentToLender() != 0 {
		t.Errorf("rules that are off: got %s, sent %d", got, g.sentToLender())
	}
}

func TestRules_On_TakeTurnsAcrossRuns(t *testing.T) {
	t.Parallel()
	g := newRulesHarness(t, 3)
	g.setRules("")
	w, log := g.worker("one")
	g.assign(w)
	if got := g.owners(); got != "MOM" || log.Len() > 0 {
		t.Fatalf("got %s, want Marcus and Olivia in turn by name: %s", got, log)
	}
	if got := g.logged(); !slices.Equal(got, []string{"moved", "moved", "moved"}) {
		t.Errorf("log: got %v", got)
	}
	g.unassign(g.apps[2])
	g.assign(w)
	if got := g.owners(); got != "MOO" {
		t.Errorf("a lead that came back: got %s, want it with Olivia, whose turn it is", got)
	}
	op, err := g.store.LatestReassignment(t.Context(), heloc.AppID(g.apps[0]))
	if err != nil || op.ActorID != "maya" || op.ActorName != "Maya’s assignment rules" {
		t.Errorf("the reassignment is by %q, %q (%v), want Maya's rules", op.ActorID, op.ActorName, err)
	}
	if runs, err := g.bulkReassignments().Runs(t.Context()); err != nil || len(runs) != 0 {
		t.Errorf("Maya's own runs: got %d, %v, want none", len(runs), err)
	}
	if _, err := g.bulkReassignments().FindRun(t.Context(), op.JobID); !fault.Is(err, fault.NotFound) {
		t.Errorf("a run of the rules opens as Maya's: got %v", err)
	}
}

// unassign takes a lead from its originator, as when they leave.
func (h *harness) unassign(app string) {
	h.t.Helper()
	h.now = h.now.Add(time.Minute)
	h.write(func(tx *store.Tx) error {
		row, err := tx.AnyLead(h.t.Context(), heloc.AppID(app))
		if err != nil {
			return err
		}
		row.Originator = ""
		if err := tx.AddEvent(h.t.Context(), lead.Event{App: row.App, At: store.Millis(h.now), Kind: lead.EventReassigned,
			Detail: "unassigned"}); err != nil {
			return err
		}
		return tx.SaveLead(h.t.Context(), &row, h.now, true)
	})
	h.now = h.now.Add(time.Minute)
}

// TestRules_ManagerGetsLead_Notified has the manager who set the rules take part: the rules act in her name, but she
// did not choose the lead.
func TestRules_ManagerGetsLead_Notified(t *testing.T) {
	t.Parallel()
	g := newRulesHarness(t, 2)
	if err := g.store.SetUserRole(t.Context(), "olivia", access.Manager); err != nil {
		t.Fatal(err)
	}
	if err := g.rulesOf("olivia").Save(t.Context(),
		deskreassign.RulesRequest{Active: true, Rules: equalShares("olivia")}); err != nil {
		t.Fatal(err)
	}
	w, _ := g.worker("one")
	g.assign(w)
	page, err := g.store.Notices(t.Context(), store.UserScope{UserID: "olivia", Company: "summit"}, "")
	if err != nil || len(page.Notices) != 1 || page.Notices[0].Kind != lead.NoticeLeadsReceived ||
		page.Notices[0].N != 2 || page.Notices[0].ByName != "Olivia’s assignment rules" {
		t.Errorf("got %+v, %v, want one notification of two leads", page.Notices, err)
	}
}

// TestRules_ProcessDies_SendsOnce stops the process after the decision, and again after the lender received it.
func TestRules_ProcessDies_SendsOnce(t *testing.T) {
	t.Parallel()
	g := newRulesHarness(t, 2)
	g.setRules("")
	w, _ := g.worker("dead")
	g.decide(w)
	if got := g.logged(); !slices.Equal(got, []string{"waiting", "waiting"}) {
		t.Fatalf("after the decision: got %v", got)
	}
	g.decide(w)
	next, log := g.worker("next")
	g.decide(next)
	if n := len(g.logged()); n != 2 {
		t.Fatalf("another process decides again: got %d decisions, want 2", n)
	}
	job, rows := g.leaseRun()
	bulk, err := g.service.BulkReassignmentsForJob(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	if err := bulk.ExecuteRow(t.Context(), job, rows[0]); err != nil {
		t.Fatal(err)
	}
	g.now = g.now.Add(lead.JobLease)
	g.assign(next)
	if got := g.owners(); got != "MO" || g.sentToLender() != 2 || log.Len() > 0 {
		t.Errorf("got %s, sent %d times, want MO and each once: %s", got, g.sentToLender(), log)
	}
}

func TestRules_LostAnswer_StaysUnknownAndIsNotRepeated(t *testing.T) {
	t.Parallel()
	g := newRulesHarness(t, 1)
	g.setRules("")
	g.lender.lose(true)
	w, _ := g.worker("one")
	g.assign(w)
	g.lender.lose(false)
	for range 3 {
		g.now = g.now.Add(time.Hour)
		g.assign(w)
	}
	if n := g.sentToLender(); n != 1 {
		t.Errorf("sent %d times, want once", n)
	}
	page := g.rulesPage()
	if len(page.Log) != 1 || page.Log[0].Result != lead.RowUnknown || len(page.Waiting) != 1 ||
		page.Waiting[0].Reason != deskreassign.RuleWaitUnknown {
		t.Errorf("got log %+v and waiting %+v, want one unknown", page.Log, page.Waiting)
	}
}

func TestRules_RefusedByLender_NotRepeated(t *testing.T) {
	t.Parallel()
	g := newRulesHarness(t, 2)
	g.lender.refuse = "This originator is not appointed"
	g.setRules("")
	w, _ := g.worker("one")
	g.assign(w)
	g.now = g.now.Add(time.Hour)
	g.assign(w)
	if n := g.sentToLender(); n != 2 {
		t.Errorf("sent %d times, want once for each lead", n)
	}
	page := g.rulesPage()
	if len(page.Log) != 2 || page.Log[0].Result != lead.RowRejected ||
		!strings.Contains(page.Log[0].Said, "not appointed") {
		t.Errorf("log: got %+v, want it refused with the lender's words", page.Log)
	}
	if len(page.Waiting) != 2 || page.Waiting[0].Reason != deskreassign.RuleWaitRejected {
		t.Errorf("waiting: got %+v", page.Waiting)
	}
}

func TestRules_PausedInTheMiddle_RestNotSent(t *testing.T) {
	t.Parallel()
	g := newRulesHarness(t, 3)
	g.setRules("")
	w, _ := g.worker("one")
	g.decide(w)
	job, rows := g.leaseRun()
	bulk, err := g.service.BulkReassignmentsForJob(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	if err := bulk.ExecuteRow(t.Context(), job, rows[0]); err != nil {
		t.Fatal(err)
	}
	if err := g.rulesOf("maya").Pause(t.Context()); err != nil {
		t.Fatal(err)
	}
	g.now = g.now.Add(lead.JobLease)
	for w.runNext(t.Context()) {
		continue
	}
	if n := g.sentToLender(); n != 1 || g.owners() != "M--" {
		t.Fatalf("sent %d, owners %s, want only the first", n, g.owners())
	}
	page := g.rulesPage()
	if page.Rules.PausedBy != "maya" || page.Rules.PausedAt == 0 || page.Log[0].Result != lead.RowStopped ||
		!strings.Contains(page.Log[0].Reason, "paused") {
		t.Errorf("got rules %+v and %+v", page.Rules, page.Log[0])
	}
	g.now = g.now.Add(time.Minute)
	g.assign(w)
	if got := g.owners(); got != "M--" {
		t.Errorf("while paused: got %s", got)
	}
	if err := g.rulesOf("maya").Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	g.assign(w)
	if got := g.owners(); got != "MOM" {
		t.Errorf("after resuming: got %s, want MOM: the turn that gave Olivia nothing does not count", got)
	}
}

// TestRules_PausedWhileRowBegins_NotSent pauses after the permission of the run was checked, and before its lead is
// sent.
func TestRules_PausedWhileRowBegins_NotSent(t *testing.T) {
	t.Parallel()
	g := newRulesHarness(t, 1)
	g.setRules("")
	w, _ := g.worker("one")
	g.decide(w)
	job, rows := g.leaseRun()
	bulk, err := g.service.BulkReassignmentsForJob(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.rulesOf("maya").Pause(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := bulk.ExecuteRow(t.Context(), job, rows[0]); err != nil {
		t.Fatal(err)
	}
	if entry := g.rulesPage().Log[0]; g.sentToLender() != 0 || entry.Result != lead.RowStopped {
		t.Errorf("sent %d, got %s, want it stopped", g.sentToLender(), entry.Result)
	}
}

// TestRules_ManagerMovedToOtherCompany_PauseThemselves moves the manager, who is an originator, in the directory.
func TestRules_ManagerMovedToOtherCompany_PauseThemselves(t *testing.T) {
	t.Parallel()
	g := newRulesHarness(t, 1)
	if err := g.store.SetUserRole(t.Context(), "olivia", access.Manager); err != nil {
		t.Fatal(err)
	}
	if err := g.rulesOf("olivia").Save(t.Context(),
		deskreassign.RulesRequest{Active: true, Rules: equalShares("marcus")}); err != nil {
		t.Fatal(err)
	}
	g.write(func(tx *store.Tx) error {
		return tx.SaveOriginator(t.Context(), heloc.Originator{ID: olivia, Email: "Olivia@summit.test", FirstName: "Olivia",
			LastName: "X", Organization: "Evergreen",
			Broker: &heloc.BrokerCompany{ID: "lakeside", Name: "Lakeside", NMLS: "2"}}, g.now)
	})
	w, _ := g.worker("one")
	g.assign(w)
	page := g.rulesPage()
	if page.Rules.PauseReason != lead.RulePauseCompany || g.sentToLender() != 0 {
		t.Errorf("got %+v and %d sent, want the rules paused", page.Rules, g.sentToLender())
	}
}

func TestRules_LimitReached_RestWaits(t *testing.T) {
	t.Parallel()
	g := newRulesHarness(t, 5)
	g.setRules("2")
	w, _ := g.worker("one")
	g.assign(w)
	if got := g.owners(); got != "MOMO-" {
		t.Errorf("got %s, want two each and one waiting", got)
	}
	page := g.rulesPage()
	if len(page.Waiting) != 1 || page.Waiting[0].Reason != deskreassign.RuleWaitNobody ||
		page.Waiting[0].Choice.Skipped[0].Reason != lead.RuleSkipAtLimit {
		t.Errorf("got %+v, want one lead for which both are at the limit", page.Waiting)
	}
}

// TestRules_ChangedAfterDecision_NotSent changes what a decision was made from before its lead is sent.
func TestRules_ChangedAfterDecision_NotSent(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(g *harness)
		want   string
	}{
		"limit reached": {func(g *harness) {
			g.write(func(tx *store.Tx) error {
				return tx.AddLead(t.Context(), &lead.Row{App: "0f0e0d0c-0000-4000-8000-0000000009ff", Originator: marcus,
					Company: "summit", Organization: "Evergreen", Step: heloc.StepOffersAvailable}, g.now)
			})
		}, "limit"},
		"absent": {func(g *harness) {
			g.write(func(tx *store.Tx) error {
				return tx.AddAbsence(t.Context(), lead.Absence{ID: "a", Company: "summit", UserID: "marcus", Originator: marcus,
					DeputyID: "olivia", FirstDay: "2026-01-01", LastDay: "2026-01-02",
					StartsAt: store.Millis(g.now) - 1, EndsAt: store.Millis(g.now) + 1000, CoverEndsAt: store.Millis(g.now) + 1000,
					CreatedBy: "maya"})
			})
		}, "absent"},
		"out": {func(g *harness) {
			g.write(func(tx *store.Tx) error {
				split := lead.Job{ID: "split", Kind: lead.JobReassign, ActorID: "maya", Company: "summit", Sealed: []byte("x"),
					EndedAt: 1, ReturnAt: store.Millis(g.now) + 1000}
				moved := lead.Reassignment{OpID: "moved", App: heloc.AppID(g.apps[0]), ActorID: "maya", FromOriginator: marcus,
					ToOriginator: olivia, JobID: "split", Sealed: []byte("x")}
				return errors.Join(tx.AddJob(t.Context(), split, nil), tx.AddReassignment(t.Context(), moved))
			})
		}, "out"},
		"no license": {func(g *harness) {
			g.write(func(tx *store.Tx) error {
				return tx.SaveLicense(t.Context(), lead.License{Holder: marcus, State: "TX", Party: lead.PartyOriginator,
					SetBy: "admin"})
			})
		}, "licensed"},
		"assigned by hand": {func(g *harness) {
			g.write(func(tx *store.Tx) error {
				row, err := tx.AnyLead(t.Context(), heloc.AppID(g.apps[0]))
				if err != nil {
					return err
				}
				row.Originator = olivia
				return tx.SaveLead(t.Context(), &row, g.now, true)
			})
		}, "assigned to someone"},
		"account disabled": {func(g *harness) {
			if err := g.store.DisableUser(t.Context(), "marcus"); err != nil {
				t.Error(err)
			}
		}, "no longer give this lead"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRulesHarness(t, 1)
			g.setRules("1")
			w, _ := g.worker("one")
			g.decide(w)
			tt.change(g)
			for w.runNext(t.Context()) {
				continue
			}
			entry := g.rulesPage().Log[0]
			if g.sentToLender() != 0 || entry.Result != lead.RowStopped || !strings.Contains(entry.Reason, tt.want) {
				t.Errorf("sent %d, got %s %q, want it stopped: %s", g.sentToLender(), entry.Result, entry.Reason, tt.want)
			}
		})
	}
}

func TestRules_OtherCompany_LeadsAndPageUntouched(t *testing.T) {
	t.Parallel()
	g := newRulesHarness(t, 1)
	ctx := t.Context()
	other := access.Actor{UserID: "piotr", Name: "Piotr", Email: "piotr@lakeside.test", Role: access.Manager,
		BrokerID: "lakeside", Organization: "Evergreen"}
	if err := g.store.AddUser(ctx, access.User{Actor: other}, "hash"); err != nil {
		t.Fatal(err)
	}
	const foreign = heloc.AppID("0f0e0d0c-0000-4000-8000-0000000009f1")
	g.write(func(tx *store.Tx) error {
		return tx.AddLead(ctx, &lead.Row{App: foreign, Company: "lakeside", Organization: "Evergreen",
			Step: heloc.StepOffersAvailable}, g.now)
	})
	g.setRules("")
	err := g.rulesOf("piotr").Save(ctx, deskreassign.RulesRequest{Active: true, Rules: equalShares("marcus")})
	if fields := fault.FieldsOf(err); len(fields) != 1 || fields[0].Name != "rule.0.person" {
		t.Errorf("people of another company: got %v, want an error at person", err)
	}
	w, _ := g.worker("one")
	g.assign(w)
	if row, err := g.store.AnyLead(ctx, foreign); err != nil || row.Originator != "" {
		t.Errorf("the lead of another company: got %q, %v", row.Originator, err)
	}
	page, err := g.rulesOf("piotr").Page(ctx, deskreassign.RulesQuery{})
	if err != nil || page.Rules.Active || len(page.Log) != 0 || len(page.People) != 0 || len(page.Waiting) != 0 {
		t.Errorf("the page of the other company: got %+v, %v", page, err)
	}
}

func TestRules_ManagerLeft_PauseThemselves(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		leave func(g *harness) error
		want  lead.RulePauseReason
	}{
		"role": {func(g *harness) error { return g.store.SetUserRole(g.t.Context(), "maya", access.Assistant) },
			lead.RulePauseRole},
		"account": {func(g *harness) error { return g.store.DisableUser(g.t.Context(), "maya") }, lead.RulePauseAccount},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRulesHarness(t, 2)
			second := access.Actor{UserID: "nora", Name: "Nora", Email: "nora@summit.test", Role: access.Manager,
				BrokerID: "summit", Organization: "Evergreen"}
			if err := g.store.AddUser(t.Context(), access.User{Actor: second}, "hash"); err != nil {
				t.Fatal(err)
			}
			g.setRules("")
			w, log := g.worker("one")
			g.decide(w)
			if err := tt.leave(g); err != nil {
				t.Fatal(err)
			}
			g.assign(w)
			g.assign(w)
			page, err := g.rulesOf("nora").Page(t.Context(), deskreassign.RulesQuery{})
			if err != nil || page.Rules.PausedAt == 0 || page.Rules.PausedBy != "" || page.Rules.PauseReason != tt.want {
				t.Fatalf("got %+v, %v, want paused for %s", page.Rules, err, tt.want)
			}
			if inbox, err := g.store.Notices(t.Context(), store.UserScope{UserID: "nora", Company: "summit"}, ""); err != nil ||
				len(inbox.Notices) != 1 ||
				inbox.Notices[0].Kind != lead.NoticeRulesPaused || inbox.Notices[0].About != string(tt.want) {
				t.Errorf("the other manager is notified of %+v, %v, want the pause once", inbox.Notices, err)
			}
			if g.sentToLender() != 0 || page.Log[0].Result != lead.RowStopped || log.Len() > 0 {
				t.Errorf("sent %d, got %s %q: %s", g.sentToLender(), page.Log[0].Result, page.Log[0].Reason, log)
			}
			g.now = g.now.Add(time.Minute)
			if err := g.rulesOf("nora").Resume(t.Context()); err != nil {
				t.Fatal(err)
			}
			g.assign(w)
			if got := g.owners(); got != "MO" {
				t.Errorf("resumed by another manager: got %s", got)
			}
			if op, err := g.store.LatestReassignment(t.Context(), heloc.AppID(g.apps[0])); err != nil ||
				op.ActorName != "Nora’s assignment rules" {
				t.Errorf("got %q, %v, want Nora's rules", op.ActorName, err)
			}
		})
	}
}

func TestRules_ManyLeads_BoundedPerRun(t *testing.T) {
	t.Parallel()
	g := newRulesHarness(t, 25)
	g.setRules("")
	w, _ := g.worker("one")
	g.decide(w)
	if n := len(g.rulesPage().Log); n != 20 {
		t.Errorf("one run decided about %d leads, want 20", n)
	}
	g.assign(w)
	g.assign(w)
	if got := g.owners(); strings.Contains(got, "-") {
		t.Errorf("after two runs: got %s", got)
	}
	page := g.rulesPage()
	if len(page.Log) != 25 {
		t.Errorf("log: got %d, want 25", len(page.Log))
	}
}

// TestRules_LongQueue_AllConsidered has a lead that can be assigned behind more leads, which cannot, than one run
// reads.
func TestRules_LongQueue_AllConsidered(t *testing.T) {
	t.Parallel()
	g := newRulesHarness(t, 1)
	const before = 430
	g.write(func(tx *store.Tx) error {
		for _, who := range []string{olivia, marcus} {
			if err := tx.SaveLicense(t.Context(), lead.License{Holder: who, State: "TX", Party: lead.PartyOriginator,
				SetBy: "admin"}); err != nil {
				return err
			}
		}
		last, err := tx.AnyLead(t.Context(), heloc.AppID(g.apps[0]))
		if err != nil {
			return err
		}
		last.State = "CO"
		if err := tx.SaveLead(t.Context(), &last, g.now, true); err != nil {
			return err
		}
		for i := range before {
			l := lead.Row{App: heloc.AppID(fmt.Sprintf("0f0e0d0c-0000-4000-8000-%012d", 10_000+i)), Company: "summit",
				Organization: "Evergreen", State: "TX", Step: heloc.StepOffersAvailable,
				StepSince: store.Millis(g.now.Add(-time.Hour))}
			if err := tx.AddLead(t.Context(), &l, g.now); err != nil {
				return err
			}
		}
		return nil
	})
	g.setRules("")
	w, log := g.worker("one")
	runs := 0
	for ; runs < 5 && g.owners() != "M"; runs++ {
		g.assign(w)
	}
	if runs != 3 || log.Len() > 0 {
		t.Errorf("got %s after %d runs, want the last lead assigned in the third: %s", g.owners(), runs, log)
	}
	listed, parts := map[heloc.AppID]bool{}, 0
	for q := (deskreassign.RulesQuery{}); parts == 0 || q.WaitAfter != ""; parts++ {
		page, err := g.rulesOf("maya").Page(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range page.Waiting {
			if l.Reason != deskreassign.RuleWaitNobody || listed[l.App] {
				t.Fatalf("%s is listed for %s, want it once because nobody can get it", l.App, l.Reason)
			}
			listed[l.App] = true
		}
		q.WaitAfter = page.NextWait
	}
	if len(listed) != before || parts < 5 {
		t.Errorf("%d parts list %d leads, want all %d in small parts", parts, len(listed), before)
	}
}
