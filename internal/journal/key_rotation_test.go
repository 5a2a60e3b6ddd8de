package journal_test

import (
	"testing"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
)

// A form is sent before a key rotation, and again after it.
func TestExecute_SameFormAfterKeyRotation_FirstResult(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	in, a := g.intent(heloc.OpAddSSN, "ssn"), succeedingLender()
	first, err := g.execute(in, a)
	if err != nil {
		t.Fatal(err)
	}
	g.journal = journal.New(g.store, g.rotatedVault, g.clock.now, "us")
	again, err := g.execute(in, a)
	if err != nil || again.ID != first.ID || a.calls != 1 {
		t.Errorf("got %s, %v after %d calls, want the first result", again.ID, err, a.calls)
	}
	if known, err := g.journal.ExistingOperation(t.Context(), in); err != nil || known.ID != first.ID {
		t.Errorf("looked for: got %s, %v, want the first", known.ID, err)
	}
	in.DigestContent = []string{"another"}
	if _, err := g.execute(in, a); !fault.Is(err, fault.Conflict) || a.calls != 1 {
		t.Errorf("other content: got %v after %d calls, want a conflict", err, a.calls)
	}
}
