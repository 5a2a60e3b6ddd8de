package desk_test

import (
	"context"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/desk/pipeline"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// TestListPage_VouchedByCRM_RowsMasked: the row of a user that only a CRM vouches for has neither place nor amounts,
// and that of the same lead for its originator has them, although both lists are read from the same stored rows.
func TestListPage_VouchedByCRM_RowsMasked(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera")
		vouched := g.current(g.olivia)
		vouched.VouchedByCRM = true
		rowOf := func(who access.Actor) lead.PipelineRow {
			t.Helper()
			p := g.pipeline(who)
			ctx, end, err := p.Snapshot(context.Background())
			g.must(err)
			defer end()
			page, err := p.ListPage(ctx, pipeline.ListRequest{Query: lead.Query{}})
			g.must(err)
			if len(page.Rows) != 1 || page.Rows[0].App != app {
				t.Fatalf("got %d rows, want the lead", len(page.Rows))
			}
			return page.Rows[0]
		}
		for _, who := range []access.Actor{g.olivia, vouched, g.olivia} {
			row := rowOf(who)
			hidden := row.City == "" && row.State == "" && row.SelectedAmount == 0 && row.MaxAmount == 0 &&
				row.RequestedAmount == 0
			if row.Masked != who.VouchedByCRM || hidden != who.VouchedByCRM ||
				(row.Name == heloc.Name{First: "X•••", Last: "R•••"}) != who.VouchedByCRM {
				t.Errorf("vouched %v: got %q in %q, %q with %d up to %d",
					who.VouchedByCRM, row.Name, row.City, row.State, row.RequestedAmount, row.MaxAmount)
			}
		}
	})
}
