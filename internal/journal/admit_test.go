package journal_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

func TestExecute_OlderStep_Conflict(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	step, again, cancel := g.intent(heloc.OpAddSSN, "ssn"), g.intent(heloc.OpAddSSN, "ssn"), g.intent(heloc.OpCancel)
	a := succeedingLender()
	g.updateLead(func(l *lead.Row) { l.Attempt++ })
	_, err := g.execute(again, a)
	wantKind(t, err, fault.Conflict)
	g.updateLead(func(l *lead.Row) { l.Step = heloc.StepLienMatching })
	_, err = g.execute(step, a)
	wantKind(t, err, fault.Conflict)
	if a.calls != 0 {
		t.Errorf("got %d calls, want none", a.calls)
	}
	if _, err := g.execute(cancel, a); err != nil { // canceling does not depend on the step
		t.Errorf("cancel: got %v", err)
	}
}

func (h *harness) updateLead(f func(l *lead.Row)) {
	h.t.Helper()
	h.write(func(tx *store.Tx) error {
		l, err := tx.AnyLead(h.t.Context(), h.app)
		if err != nil {
			return err
		}
		f(&l)
		return tx.SaveLead(h.t.Context(), &l, h.clock.now(), true)
	})
}

func TestExecute_OtherWriteInProgress_Conflict(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	first, second := g.intent(heloc.OpAddSSN, "ssn"), g.intent(heloc.OpCancel)
	a := succeedingLender()
	_, err := result(g.journal.Execute(t.Context(), first, func(context.Context, string) heloc.CallResult {
		_, err := g.execute(second, a)
		wantKind(t, err, fault.Conflict)
		return resultFor(lead.OpRejected)
	}))
	wantKind(t, err, fault.Upstream)
	if a.calls != 0 {
		t.Errorf("got %d calls during another write, want none", a.calls)
	}
	if _, err := g.execute(second, a); err != nil || a.calls != 1 {
		t.Errorf("afterwards: got %v after %d calls", err, a.calls)
	}
}

// TestExecute_LeaseOfOtherWriteExpired_AsUnknown has a write whose process may have ended: until recovery records its
// outcome as unknown, it already blocks what an unknown outcome blocks, and nothing else.
func TestExecute_LeaseOfOtherWriteExpired_AsUnknown(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	first, second := g.intent(heloc.OpAddSSN, "ssn"), g.intent(heloc.OpCancel)
	repeated := g.intent(heloc.OpAddSSN, "ssn")
	a := succeedingLender()
	other := journal.New(g.store, g.vault, g.clock.now, "another process")
	_, err := result(other.Execute(t.Context(), first, func(context.Context, string) heloc.CallResult {
		g.clock.advance(29 * time.Second)
		_, err := g.execute(second, a)
		wantKind(t, err, fault.Conflict)
		g.clock.advance(time.Second)
		_, err = g.execute(repeated, a)
		if wantKind(t, err, fault.Conflict); a.calls != 0 {
			t.Errorf("the step was sent twice")
		}
		if _, err := g.execute(second, a); err != nil || a.calls != 1 {
			t.Errorf("after 30 seconds: got %v after %d calls", err, a.calls)
		}
		return resultFor(lead.OpRejected)
	}))
	wantKind(t, err, fault.Upstream)
}

// TestExecute_ClockSetBack_LeadNotHeldUp has one write by a process that died and one that was answered, both before
// the clock is set back: neither blocks the lead until the clock catches up.
func TestExecute_ClockSetBack_LeadNotHeldUp(t *testing.T) {
	t.Parallel()
	for _, jump := range []time.Duration{-time.Hour, -24 * time.Hour} {
		g := newHarness(t)
		died := journal.New(g.store, g.vault, g.clock.now, "another process")
		in := g.intent(heloc.OpAddSSN, "ssn")
		crashed(func() {
			_, _ = died.Execute(t.Context(), in, func(context.Context, string) heloc.CallResult { panic(crashPanic{}) })
		})
		g.clock.advance(jump)
		if err := g.journal.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		if op, err := g.journal.ExistingOperation(t.Context(), in); op.State != lead.OpUnknown || err != nil {
			t.Errorf("%v: got %s, %v, want unknown", jump, op.State, err)
		}

		g = newHarness(t)
		again := g.intent(heloc.OpAddSSN, "ssn")
		again.RepeatConfirmed = true
		if _, err := g.execute(g.intent(heloc.OpAddSSN, "ssn"), succeedingLender()); err != nil {
			t.Fatal(err)
		}
		g.clock.advance(jump)
		if _, err := g.execute(again, succeedingLender()); err != nil {
			t.Errorf("%v: got %v, want the lead free", jump, err)
		}
	}
}

func TestExecute_LendersMove_NotSent(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	a := succeedingLender()
	other, cancel := g.intent(heloc.OpAddSSN, "ssn"), g.intent(heloc.OpCancel) // from another tab, at the same step
	if _, err := g.execute(g.intent(heloc.OpAddSSN, "ssn"), a); err != nil {
		t.Fatal(err)
	}
	_, err := g.execute(other, a)
	if wantKind(t, err, fault.Conflict); a.calls != 1 {
		t.Errorf("got %d calls, want 1", a.calls)
	}
	if _, err := g.execute(cancel, a); err != nil {
		t.Errorf("cancel: got %v", err)
	}
	// After twice the usual wait, it may be tried again.
	g.clock.advance(20 * time.Minute)
	g.updateLead(func(l *lead.Row) { l.PendingUntil = 0 })
	if _, err := g.execute(g.intent(heloc.OpAddSSN, "ssn"), a); err != nil {
		t.Errorf("after the wait: got %v", err)
	}
}

func TestExecute_UnknownOutcome_NotSent(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	op, err := g.execute(g.intent(heloc.OpAddSSN, "ssn"), &fakeLender{CallResult: resultFor(lead.OpUnknown)})
	if err != nil {
		t.Fatal(err)
	}
	if due := g.lead().RefreshAt; due > store.Millis(g.clock.now()) {
		t.Errorf("the lead is due at %d, want immediately", due)
	}
	a := succeedingLender()
	_, err = g.execute(g.intent(heloc.OpAddSSN, "ssn"), a)
	if wantKind(t, err, fault.Conflict); a.calls != 0 {
		t.Errorf("got %d calls, want none", a.calls)
	}
	if err := g.journal.Abandon(t.Context(), op.ID, "olivia", "the lender was called"); err != nil {
		t.Fatal(err)
	}
	g.clock.advance(time.Second)
	// It may have arrived anyway, so resending it requires confirmation until one is accepted.
	again := g.intent(heloc.OpAddSSN, "ssn")
	_, err = g.execute(again, a)
	if wantKind(t, err, fault.Invalid); a.calls != 0 || fault.FieldsOf(err)[0].Name != journal.ConfirmRepeat {
		t.Errorf("abandoned: got %v after %d calls, want an error at %s", err, a.calls, journal.ConfirmRepeat)
	}
	if again.RepeatConfirmed = true; a.calls == 0 {
		if _, err := g.execute(again, a); err != nil || a.calls != 1 {
			t.Errorf("confirmed: got %v after %d calls", err, a.calls)
		}
	}
	g.clock.advance(20 * time.Minute)
	g.updateLead(func(l *lead.Row) { l.PendingUntil = 0 })
	// The lender accepted that one, and the lead has not changed since.
	again = g.intent(heloc.OpAddSSN, "ssn")
	if _, err = g.execute(again, a); !fault.Is(err, fault.Invalid) || a.calls != 1 {
		t.Errorf("accepted, without a change: got %v after %d calls, want the question again", err, a.calls)
	}
	if again.RepeatConfirmed = true; a.calls == 1 {
		if _, err := g.execute(again, a); err != nil || a.calls != 2 {
			t.Errorf("confirmed: got %v after %d calls", err, a.calls)
		}
	}
	g.updateLead(func(l *lead.Row) { l.PendingOp, l.PendingUntil = "", 0 }) // the lender asks again
	if _, err := g.execute(g.intent(heloc.OpAddSSN, "ssn"), a); err != nil {
		t.Errorf("after the lender has asked again: got %v", err)
	}
}

// Once the lead has moved on, only the same step could repeat what may have arrived.
func TestExecute_UnknownOperationMovedOn_OtherStepAllowed(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	op, err := g.execute(g.intent(heloc.OpAddSSN, "ssn"), &fakeLender{CallResult: resultFor(lead.OpUnknown)})
	if err != nil {
		t.Fatal(err)
	}
	op = g.operation(op.ID)
	op.StepChangedAt, op.StepAfter = op.SentAt+1, heloc.StepLienMatching
	g.write(func(tx *store.Tx) error { return tx.SaveOperation(t.Context(), op) })
	_, err = g.execute(g.intent(heloc.OpAddSSN, "ssn"), succeedingLender())
	wantKind(t, err, fault.Conflict)
	g.updateLead(func(l *lead.Row) { l.Step = heloc.StepLienMatching })
	if _, err := g.execute(g.intent(heloc.OpVerifyLiens, "liens"), succeedingLender()); err != nil {
		t.Errorf("another step: got %v", err)
	}
	if got := g.operation(op.ID).State; got != lead.OpUnknown {
		t.Errorf("got %s, want still unknown", got)
	}
}

func TestExecute_Prepare_RunsOnceInTransaction(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	in, a := g.intent(heloc.OpAddSSN, "ssn"), succeedingLender()
	refused := errors.New("a duplicate")
	in.Prepare = func(context.Context, *store.Tx, lead.Row, string) error { return refused }
	op, err := g.execute(in, a)
	if !errors.Is(err, refused) || a.calls != 0 {
		t.Errorf("got %v after %d calls, want Prepare's error and no call", err, a.calls)
	}
	if _, err := g.journal.ExistingOperation(t.Context(), in); !fault.Is(err, fault.NotFound) {
		t.Errorf("got %v, want no operation %q", err, op.ID)
	}
	times := 0
	in.Prepare = func(context.Context, *store.Tx, lead.Row, string) error { times++; return nil }
	for range 3 {
		if _, err := g.execute(in, a); err != nil {
			t.Fatal(err)
		}
	}
	if times != 1 || a.calls != 1 {
		t.Errorf("prepared %d times and called %d times, want once each", times, a.calls)
	}
}

// While a form is being sent, the user can lose the lead, the role or the account. Then nothing may be sent.
func TestExecute_PermissionLost_NotSent(t *testing.T) {
	t.Parallel()
	disable := func(g *harness) {
		if err := g.store.DisableUser(t.Context(), "olivia"); err != nil {
			t.Fatal(err)
		}
	}
	for name, lose := range map[string]func(g *harness){
		"the lead": func(g *harness) {
			g.write(func(tx *store.Tx) error {
				l, err := tx.AnyLead(t.Context(), g.app)
				if err != nil {
					return err
				}
				l.Originator = "o2"
				return tx.SaveLead(t.Context(), &l, g.clock.now(), true)
			})
		},
		"the account":                 disable, // its leads are unassigned
		"the account, before a start": disable, // no lead is lost that would stop it
		"the role": func(g *harness) {
			if err := g.store.SetUserRole(t.Context(), "olivia", access.Assistant); err != nil {
				t.Fatal(err)
			}
		},
		"the company": func(g *harness) {
			g.write(func(tx *store.Tx) error {
				return tx.SaveOriginator(t.Context(),
					heloc.Originator{ID: "o1", Organization: "org", Broker: &heloc.BrokerCompany{ID: "B2"}}, g.clock.now())
			})
		},
	} {
		g := newHarness(t)
		in := g.intent(heloc.OpAddSSN, "ssn")
		if strings.HasSuffix(name, "a start") {
			in = g.startIntent(heloc.Name{First: "Ana", Last: "Lopez"})
		}
		lose(g)
		a := &fakeLender{CallResult: resultFor(lead.OpSucceeded)}
		_, err := g.execute(in, a)
		if !fault.Is(err, fault.NotFound, fault.Denied) {
			t.Errorf("without %s: got %v, want an error", name, err)
		}
		if a.calls != 0 {
			t.Errorf("without %s: the lender was called", name)
		}
	}
}
