package team_test

import (
	"net/url"
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
		_, page := traceRun(t, leads)
		if statements := page.Statements(); len(statements) > 9 {
			t.Errorf("%d leads: the page is read with %d statements, want at most 9: %v", leads, len(statements), statements)
		}
	}
}

// TestBulkReassign_StatementsPerLead counts what one more lead of a run costs: two transactions of its reassignment,
// before the call and after the answer, and one of the reading that shows the new originator and notifies both sides.
// On a loaded machine, a run may read its job or a lead again, so one of three measurements must pass.
func TestBulkReassign_StatementsPerLead(t *testing.T) {
	t.Parallel()
	for try := 1; ; try++ {
		few, _ := traceRun(t, 10)
		many, _ := traceRun(t, 20)
		statements := float64(len(many.Statements())-len(few.Statements())) / 10
		transactions := float64(many.Transactions()-few.Transactions()) / 10
		if statements < 49 && transactions <= 3.5 {
			t.Logf("%.1f statements, %.1f transactions", statements, transactions)
			return
		}
		if try == 3 {
			t.Fatalf("one lead takes %.1f statements and %.1f transactions, want at most 48 and 3.5; 20 leads: %v; 10: %v",
				statements, transactions, many.Statements(), few.Statements())
		}
	}
}

// traceRun returns the spans of a run that moves some leads to one originator, and those of its page.
func traceRun(t *testing.T, leads int) (run, page *tracetest.Spans) {
	t.Helper()
	tracer, spans := tracetest.Record(t)
	h := webtest.New(t, webtest.Options{Tracer: tracer})
	apps := startMany(h, leads)
	for _, app := range apps {
		h.WaitUntil("the lead was read", func() bool { return h.LeadRow(heloc.AppID(app)).RefreshedAt != 0 })
	}
	maya := h.SignInAs("maya")
	path := ""
	run = spans.During(t, tracer, func() {
		path = maya.Post("/reassignments", url.Values{
			"app": apps, "newLoanOriginatorUuid": idsOf(h, "marcus"), "confirm.reassign": {"true"},
		}).Path
		h.WaitUntil("all leads have moved", func() bool { return ownersOf(h, apps)["marcus"] == leads })
	})
	return run, spans.During(t, tracer, func() { maya.Get(path) })
}
