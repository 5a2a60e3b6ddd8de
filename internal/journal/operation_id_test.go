package journal_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
)

func TestExecute_SameForm_FirstResult(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	a := succeedingLender()
	in := g.intent(heloc.OpAddSSN, "ssn")
	first, err := g.execute(in, a)
	if err != nil {
		t.Fatal(err)
	}
	again, err := g.execute(in, a)
	if err != nil || again != first || a.calls != 1 {
		t.Errorf("got %+v, %v after %d calls, want the first result", again, err, a.calls)
	}
	in.DigestContent = []string{"other"}
	again, err = g.execute(in, a)
	wantKind(t, err, fault.Conflict)
	if again.ID != first.ID || a.calls != 1 {
		t.Errorf("other content: got %q after %d calls, want what was sent", again.ID, a.calls)
	}
}

func TestExecute_RejectedForm_SameMessage(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	a := &fakeLender{CallResult: heloc.CallResult{Reach: heloc.ReachAnswer, Status: 422,
		Messages: []heloc.Message{{Message: "No such lien."}}}}
	in := g.intent(heloc.OpAddSSN, "ssn")
	for range 2 {
		_, err := g.execute(in, a)
		wantKind(t, err, fault.Upstream)
		if !strings.Contains(fault.Public(err), "No such lien.") {
			t.Errorf("got %q, want the lender's message", fault.Public(err))
		}
	}
	if a.calls != 1 {
		t.Errorf("got %d calls, want 1", a.calls)
	}
}

func TestExecute_Concurrent_OneCall(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	for _, in := range []journal.Intent{g.intent(heloc.OpAddSSN, "ssn"), g.startIntent(heloc.Name{Last: "Rivera"})} {
		calls, release, entered := 0, make(chan struct{}), make(chan struct{})
		send := func(context.Context, string) heloc.CallResult {
			calls++ // the race detector would report a concurrent second call
			close(entered)
			<-release
			return startedAs("00000000-0000-4000-8000-000000000007")
		}
		var all sync.WaitGroup
		ops := make(chan lead.Operation, 5)
		for range 5 {
			all.Go(func() {
				op, err := result(g.journal.Execute(t.Context(), in, send))
				if err != nil {
					t.Error(err)
				}
				ops <- op
			})
		}
		<-entered
		if len(ops) != 0 {
			t.Error("a call returned before the lender responded")
		}
		close(release)
		all.Wait()
		close(ops)
		first := <-ops
		for op := range ops {
			if op != first {
				t.Errorf("got %+v, want the first result %+v", op, first)
			}
		}
		if calls != 1 || first.State != lead.OpSucceeded {
			t.Errorf("%s: got %d calls and %s", in.Kind, calls, first.State)
		}
	}
}

// otherLetter replaces the letter at a position with another valid one.
func otherLetter(operationID string, at int) string {
	letter := "A"
	if operationID[at] == 'A' {
		letter = "B"
	}
	return operationID[:at] + letter + operationID[at+1:]
}

func TestOperationID_OtherUserKindOrLead_Invalid(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	good := g.intent(heloc.OpAddSSN, "ssn")
	for name, spoil := range map[string]func(*journal.Intent){
		"another user":    func(in *journal.Intent) { in.Actor.UserID = "marcus" },
		"another kind":    func(in *journal.Intent) { in.Kind = heloc.OpCancel },
		"another lead":    func(in *journal.Intent) { in.App = "00000000-0000-4000-8000-000000000002" },
		"no operation id": func(in *journal.Intent) { in.OperationID = "" },
		"no fingerprint":  func(in *journal.Intent) { in.OperationID, _, _ = strings.Cut(in.OperationID, ".") },
		"another fingerprint": func(in *journal.Intent) {
			in.OperationID = strings.Replace(in.OperationID, "-1.", "-2.", 1)
		},
		"another id": func(in *journal.Intent) {
			in.OperationID = "hl-01ARZ3NDEKTSV4RRFFQ69G5FAV" + in.OperationID[29:]
		},
		"an id with another prefix": func(in *journal.Intent) { in.OperationID = "xx" + in.OperationID[2:] },
		"a changed letter": func(in *journal.Intent) {
			in.OperationID = otherLetter(in.OperationID, len(in.OperationID)-5)
		},
	} {
		in, a := good, succeedingLender()
		spoil(&in)
		_, err := g.execute(in, a)
		if wantKind(t, err, fault.Invalid); a.calls != 0 {
			t.Errorf("%s: the lender was called", name)
		}
	}
	if _, err := g.execute(good, succeedingLender()); err != nil {
		t.Errorf("unchanged: got %v", err)
	}
}
