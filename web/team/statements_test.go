package team_test

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/trace/tracetest"
	"hearthline/web/webtest"
)

// TestBulkReassign_Page_StatementsDoNotGrow counts the SQL statements with which the page of a run is read. It reads
// the rows at once, however many there are.
func TestBulkReassign_Page_StatementsDoNotGrow(t *testing.T) {
	t.Parallel()
	for _, leads := range []int{3, 20} {
		_, page := countRun(t, leads)
		if n := statementsOf(page); n > 9 {
			t.Errorf("%d leads: the page is read with %d statements, want at most 9: %v",
				leads, n, slices.Sorted(maps.Keys(page)))
		}
	}
}

// TestBulkReassign_StatementsPerLead counts what one more lead of a run costs: two transactions of its reassignment,
// before the call and after the answer, and one of the reading that shows the new originator and notifies both sides.
func TestBulkReassign_StatementsPerLead(t *testing.T) {
	t.Parallel()
	few, _ := countRun(t, 10)
	many, _ := countRun(t, 20)
	statements, transactions := float64(statementsOf(many)-statementsOf(few))/10,
		float64(many["store.Write"]-few["store.Write"])/10
	if statements > 48 || transactions > 3.5 {
		t.Errorf("one lead takes %.1f statements and %.1f transactions, want at most 48 and 3.5: %v, for half of them %v",
			statements, transactions, many, few)
	}
	t.Logf("%.1f statements, %.1f transactions", statements, transactions)
}

// countRun counts the spans of a run that moves some leads to one originator, and those of its page, by name.
func countRun(t *testing.T, leads int) (run, page map[string]int) {
	t.Helper()
	tracer, spans := tracetest.Record(t)
	h := webtest.New(t, webtest.Options{Tracer: tracer})
	apps := startMany(h, leads)
	for _, app := range apps {
		h.WaitUntil("the lead was read", func() bool { return h.LeadRow(heloc.AppID(app)).RefreshedAt != 0 })
	}
	maya := h.SignInAs("maya")
	count := func(f func()) map[string]int {
		if err := tracer.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		before := len(spans.All())
		f()
		if err := tracer.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		counts := map[string]int{}
		for _, span := range spans.All()[before:] {
			counts[span.Name]++
		}
		return counts
	}
	path := ""
	run = count(func() {
		path = maya.Post("/reassignments", url.Values{
			"app": apps, "newLoanOriginatorUuid": idsOf(h, "marcus"), "confirm.reassign": {"true"},
		}).Path
		h.WaitUntil("all leads have moved", func() bool { return ownersOf(h, apps)["marcus"] == leads })
	})
	return run, count(func() { maya.Get(path) })
}

// statementsOf counts the spans of SQL statements.
func statementsOf(spans map[string]int) (n int) {
	for name, count := range spans {
		if strings.HasPrefix(name, "store.") && name != "store.Write" {
			n += count
		}
	}
	return n
}
