package web_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/trace"
	"hearthline/internal/trace/tracetest"
	"hearthline/web/webtest"
)

// TestPages_Statements counts the SQL statements of one page. The limits are what the pages need now; a change that raises one
// must say why.
func TestPages_Statements(t *testing.T) {
	t.Parallel()
	tracer, spans := tracetest.Record(t)
	h := webtest.New(t, webtest.Options{NoJobs: true, Tracer: tracer})
	lead, _ := h.SignInAs("olivia").StartLeadAt("Rivera", heloc.StepOffersAvailable)
	for _, tt := range []struct {
		who, path string
		most      int
	}{
		{"olivia", "/leads", 9},
		{"olivia", "/leads?view=all&sort=newest", 9},
		{"olivia", "/leads?q=rivera", 10},
		{"olivia", lead, 10},
		{"olivia", lead + "/offers", 10},
		{"olivia", "/notifications", 6},
		{"maya", "/leads", 9},
		{"maya", "/team", 9},
		{"maya", "/team/people", 9},
		{"maya", "/reports", 9},
	} {
		v := h.SignedInBrowser(tt.who)
		v.Get(tt.path) // reads what is kept in memory
		statements := statementsOf(t, tracer, spans, func() { v.Get(tt.path) })
		if n := sum(statements); n > tt.most {
			t.Errorf("%s reads %s with %d statements, want at most %d: %v", tt.who, tt.path, n, tt.most, slices.Sorted(maps.Keys(statements)))
		}
	}
}

// statementsOf counts the statements of a request by the functions that send them.
func statementsOf(t *testing.T, tracer *trace.Tracer, spans *tracetest.Spans, request func()) map[string]int {
	t.Helper()
	flush := func() {
		if err := tracer.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	flush()
	before := len(spans.All())
	request()
	flush()
	statements := map[string]int{}
	for _, span := range spans.All()[before:] {
		if strings.HasPrefix(span.Name, "store.") && span.Name != "store.Write" {
			statements[span.Name]++
		}
	}
	return statements
}

func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}
