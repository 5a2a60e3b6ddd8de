package desk_test

import (
	"testing"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

func TestDocument_OtherLead_NotFound(t *testing.T) {
	t.Parallel()
	runInSynctest(t, false, func(t *testing.T, g *harness) {
		mine, other := g.start(g.olivia, "Rivera"), g.start(g.marcus, "Stone")
		time.Sleep(5 * time.Second)
		document := func(app heloc.AppID) string {
			l := g.openLead(g.maya, app)
			v, err := l.Snapshot(t.Context())
			g.must(err)
			if len(v.Documents) == 0 {
				t.Fatalf("%s has no documents at %s", app, v.Row.Step)
			}
			return v.Documents[0].UUID
		}
		own, foreign := document(mine), document(other)

		for _, id := range []string{foreign, "", "John-Smith-219-09-9321", own + "/../" + foreign} {
			_, err := g.openLead(g.olivia, mine).Document(t.Context(), id)
			wantKind(t, err, fault.NotFound)
		}
		if n := g.transport.count("/download/"); n != 0 {
			t.Errorf("got %d requests for documents of other leads, want none", n)
		}
		audited, err := g.store.AuditOf(t.Context(), "lead:"+string(mine), 50)
		g.must(err)
		for _, a := range audited {
			if a.Action == "document.download" {
				t.Errorf("the audit contains a refused document: %q", a.Detail)
			}
		}
		got, err := g.openLead(g.olivia, mine).Document(t.Context(), own)
		g.must(err)
		g.must(got.Body.Close())
	})
}

func TestAssetDepletion_UnlistedDebt_Invalid(t *testing.T) {
	t.Parallel()
	runInSynctest(t, false, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera-Payoff")
		time.Sleep(5 * time.Second)
		l := g.openLead(g.olivia, app)
		_, err := l.AssetDepletion(t.Context(), l.NewOperationID(heloc.OpAssetDepletion),
			heloc.AssetDepletion{AccountsToPayoff: []string{"acct-of-somebody-else"}})
		wantKind(t, err, fault.Invalid)
		if n := g.transport.count("asset-depletion"); n != 0 {
			t.Errorf("got %d requests to the lender, want none", n)
		}
	})
}
