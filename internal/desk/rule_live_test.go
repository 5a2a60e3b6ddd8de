package desk_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"hearthline/internal/desk/reassign"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
)

// executeRuleRun executes what the assignment rules decided, as the jobs do.
func (h *harness) executeRuleRun() {
	h.t.Helper()
	job, found, err := h.store.LeaseJob(h.t.Context(), "test")
	h.must(err)
	if !found {
		h.t.Fatal("the rules decided nothing")
	}
	rows, err := h.store.JobRows(h.t.Context(), job.ID)
	h.must(err)
	for _, row := range rows {
		bulk, err := h.service.BulkReassignmentsForJob(h.t.Context(), job)
		h.must(err)
		h.must(bulk.ExecuteRow(h.t.Context(), job, row))
	}
	h.must(h.store.ReleaseJob(h.t.Context(), job.ID, "test"))
}

// rejectedWith answers reassignments like a lender who refuses them, and everything else like the sandbox.
func rejectedWith(sandbox http.Handler, status int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/reassign") {
			sandbox.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{
			"messages": []map[string]string{{"level": "ERROR", "message": "Not appointed in this state"}},
		})
	})
}

// lostAfter passes reassignments to the sandbox and loses the responses.
func lostAfter(sandbox http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sandbox.ServeHTTP(w, r)
		if strings.HasSuffix(r.URL.Path, "/reassign") {
			panic(http.ErrAbortHandler)
		}
	})
}

// TestRules_EachDialect_OutcomeRecorded lets the rules assign a lead at a lender who accepts it, refuses it in each of
// the ways of its interface, or does not answer.
func TestRules_EachDialect_OutcomeRecorded(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		dialect sandbox.Dialect
		lender  func(sandbox http.Handler) http.Handler
		want    lead.RowResult
		waits   reassign.RuleWaitReason // "" when the lead is assigned
		settled bool                    // the lender's details show the assignment
	}{
		"documented, accepted": {dialect: sandbox.Documented, want: lead.RowMoved, settled: true},
		"live, accepted":       {dialect: sandbox.Live, want: lead.RowMoved, settled: true},
		"live, refused by its status": {dialect: sandbox.Live,
			lender: func(s http.Handler) http.Handler { return rejectedWith(s, http.StatusForbidden) }, want: lead.RowRejected,
			waits: reassign.RuleWaitRejected},
		"live, refused by its messages": {dialect: sandbox.Live,
			lender: func(s http.Handler) http.Handler { return rejectedWith(s, http.StatusOK) }, want: lead.RowRejected,
			waits: reassign.RuleWaitRejected},
		"live, unknown": {dialect: sandbox.Live, lender: lostAfter, want: lead.RowUnknown, waits: reassign.RuleWaitUnknown,
			settled: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runInSynctestWith(t, tt.dialect, func(t *testing.T, g *harness) {
				app := g.start(g.olivia, "Rivera")
				g.must(g.store.Write(t.Context(), func(tx *store.Tx) error {
					if err := tx.CloseUser(t.Context(), g.maya, g.olivia.UserID); err != nil {
						return err
					}
					return tx.UnassignOpenLeads(t.Context(), heloc.OriginatorID(g.olivia.OriginatorUUID),
						store.UserScopeOf(g.maya).Company)
				}))
				rules, err := g.service.For(g.maya).Rules()
				g.must(err)
				g.must(rules.Save(t.Context(), reassign.RulesRequest{Active: true, Rules: []reassign.RuleRequest{{
					AssignmentRule: lead.AssignmentRule{People: []lead.RuleShare{{UserID: g.marcus.UserID, Weight: 1}}}}}}))
				if tt.lender != nil {
					g.transport.handler = tt.lender(g.lender.Handler())
				}
				g.must(g.service.RunAssignmentRules(t.Context()))
				g.executeRuleRun()
				page := g.rulesPage(rules)
				if len(page.Log) != 1 || page.Log[0].App != app || page.Log[0].Result != tt.want {
					t.Fatalf("log: got %+v, want %s", page.Log, tt.want)
				}
				if tt.want == lead.RowRejected && page.Log[0].Said != "Not appointed in this state" {
					t.Errorf("got %q, want the lender's message", page.Log[0].Said)
				}
				switch {
				case tt.waits == "" && len(page.Waiting) > 0,
					tt.waits != "" && (len(page.Waiting) != 1 || page.Waiting[0].Reason != tt.waits):
					t.Errorf("waiting: got %+v, want %q", page.Waiting, tt.waits)
				}
				g.must(g.service.RunAssignmentRules(t.Context()))
				if n := g.transport.count("/reassign"); n != 1 || len(g.rulesPage(rules).Log) != 1 {
					t.Errorf("sent %d times with %d decisions, want once", n, len(g.rulesPage(rules).Log))
				}
				time.Sleep(time.Second) // of the bubble: details that were read in the same millisecond settle nothing
				g.must(g.sync.Refresh(t.Context(), app))
				row, err := g.store.AnyLead(t.Context(), app)
				g.must(err)
				if got := row.Originator == heloc.OriginatorID(g.marcus.OriginatorUUID); got != tt.settled {
					t.Errorf("after the lender's details were read, the lead is %q's; want Marcus's: %v", row.Originator, tt.settled)
				}
				if page := g.rulesPage(rules); tt.settled &&
					(page.Log[0].Result != lead.RowMoved || page.Log[0].Verdict == lead.OpUnknown) {
					t.Errorf("after the lender's details were read: got %s, want it assigned", page.Log[0].Result)
				}
			})
		})
	}
}

func (h *harness) rulesPage(rules *reassign.Rules) reassign.RulesPage {
	h.t.Helper()
	page, err := rules.Page(context.Background(), reassign.RulesQuery{})
	h.must(err)
	return page
}
