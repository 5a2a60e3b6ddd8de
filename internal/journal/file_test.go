package journal_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store/storetest"
)

func (h *harness) useFile(path string) *journal.File {
	h.t.Helper()
	f, err := journal.OpenFile(path)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = f.Close() })
	h.journal.UseFile(f)
	return f
}

// breakDatabase makes every write of an operation fail, until the returned function is called.
func (h *harness) breakDatabase() (repair func()) {
	storetest.Exec(h.t, h.address, `ALTER TABLE operations RENAME TO operations_gone`)
	return func() { storetest.Exec(h.t, h.address, `ALTER TABLE operations_gone RENAME TO operations`) }
}

// TestExecute_DatabaseFailsAfterAnswer_AnswerSavedLater loses the database between the lender's answer and its
// transaction, and recovers it in the same process or in the next one.
func TestExecute_DatabaseFailsAfterAnswer_AnswerSavedLater(t *testing.T) {
	t.Parallel()
	const created = "00000000-0000-4000-8000-000000000007"
	for _, tt := range []struct {
		name    string
		kind    heloc.Operation
		answer  heloc.CallResult
		want    lead.OpState
		kindNow fault.Kind // of the error that the sender gets at once
		says    string
	}{
		{"start", heloc.OpStart, startedAs(created), lead.OpSucceeded, fault.Unsaved, created},
		{"accepted", heloc.OpAddSSN, resultFor(lead.OpSucceeded), lead.OpSucceeded, fault.Unsaved, "The lender answered."},
		{"unclear", heloc.OpAddSSN, resultFor(lead.OpUnknown), lead.OpUnknown, fault.Unsaved, "no clear answer arrived"},
		{"rejected", heloc.OpAddSSN, resultFor(lead.OpRejected), lead.OpRejected, fault.Upstream, "refused it"},
		{"not sent", heloc.OpAddSSN, resultFor(lead.OpNotSent), lead.OpNotSent, fault.Unavailable, "Nothing was sent"},
	} {
		for _, restarted := range []bool{false, true} {
			name := tt.name + ", same process"
			if restarted {
				name = tt.name + ", next process"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				g := newHarness(t)
				path := filepath.Join(t.TempDir(), "answers")
				file := g.useFile(path)
				in := g.intent(tt.kind, "ssn")
				if tt.kind == heloc.OpStart {
					in = g.startIntent(heloc.Name{Last: "Rivera"})
				}
				calls, repair := 0, func() {}
				send := func(context.Context, string) heloc.CallResult {
					calls++
					repair = g.breakDatabase()
					return tt.answer
				}
				op, err := result(g.journal.Execute(t.Context(), in, send))
				if wantKind(t, err, tt.kindNow); !strings.Contains(fault.Public(err), tt.says) || op.State != tt.want {
					t.Errorf("got %s and %q, want %s and %q", op.State, fault.Public(err), tt.want, tt.says)
				}
				if strings.Contains(fault.Public(err), "Nothing was changed") && tt.want != lead.OpRejected {
					t.Errorf("got %q after a byte was sent", fault.Public(err))
				}
				again, err := result(g.journal.Execute(t.Context(), in, send))
				if wantKind(t, err, tt.kindNow); again != op || calls != 1 {
					t.Errorf("the same form again: got %+v after %d calls, want %+v after one", again, calls, op)
				}
				if left := g.journal.SaveVerdicts(t.Context()); left != 1 {
					t.Errorf("without a database: %d verdicts left, want 1", left)
				}
				if raw, err := os.ReadFile(path); err != nil || !bytes.Contains(raw, []byte(op.ID)) ||
					bytes.Contains(raw, []byte("Rivera")) || bytes.Contains(raw, []byte("Not today")) {
					t.Errorf("the file has %q, %v; want the operation, and nothing about the borrower", bytes.TrimSpace(raw), err)
				}
				if restarted {
					if err := file.Close(); err != nil {
						t.Fatal(err)
					}
					g.journal = journal.New(g.store, g.vault, g.clock.now, "the next process")
					file = g.useFile(path)
				}
				repair()
				g.clock.advance(time.Hour)
				if err := g.journal.Recover(t.Context()); err != nil {
					t.Error(err)
				}
				if left := g.journal.SaveVerdicts(t.Context()); left != 0 {
					t.Fatalf("%d verdicts left, want none", left)
				}
				saved := g.operation(op.ID)
				if saved.State != tt.want || saved.AnsweredAt != op.AnsweredAt || saved.HTTPStatus != op.HTTPStatus ||
					saved.App != op.App || saved.LeaseUntil != 0 {
					t.Errorf("saved: got %+v, want %+v", saved, op)
				}
				if tt.kind == heloc.OpStart {
					if l, err := g.store.AnyLead(t.Context(), created); err != nil || len(l.Borrower) == 0 {
						t.Errorf("got %+v, %v, want the lead with its name", l, err)
					}
				}
				if err := file.Close(); err != nil {
					t.Error(err)
				}
				if left := g.useFile(path).Left(); len(left) != 0 {
					t.Errorf("the file still has %+v", left)
				}
			})
		}
	}
}

// TestRun_DatabaseComesBack_AnswerSaved lets the loop find out when the database is back.
func TestRun_DatabaseComesBack_AnswerSaved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newHarness(t)
		f := g.useFile(filepath.Join(t.TempDir(), "answers"))
		ctx, stop := context.WithCancel(t.Context())
		go g.journal.Run(ctx)
		var repair func()
		op, err := result(g.journal.Execute(t.Context(), g.intent(heloc.OpAddSSN, "ssn"),
			func(context.Context, string) heloc.CallResult {
				repair = g.breakDatabase()
				return resultFor(lead.OpSucceeded)
			}))
		wantKind(t, err, fault.Unsaved)
		time.Sleep(10 * time.Minute)
		repair()
		time.Sleep(30 * time.Second)
		synctest.Wait()
		if got := g.operation(op.ID).State; got != lead.OpSucceeded {
			t.Errorf("half a minute later: got %s, want succeeded", got)
		}
		stop()
		if err := errors.Join(f.Close(), g.store.Close()); err != nil {
			t.Error(err)
		}
	})
}

// TestExecute_FileUnusable_NothingSent checks that the lender is not called when its answer could not be stored.
func TestExecute_FileUnusable_NothingSent(t *testing.T) {
	t.Parallel()
	full := func(f *journal.File) {
		for {
			if f.Record(journal.Answer{Operation: "hl-x", State: lead.OpUnknown}) != nil {
				return
			}
		}
	}
	for name, spoil := range map[string]func(f *journal.File){
		"full": full, "not writable": func(f *journal.File) { _ = f.Close() },
	} {
		g := newHarness(t)
		f := g.useFile(filepath.Join(t.TempDir(), "answers"))
		if err := f.Check(); err != nil {
			t.Fatal(err)
		}
		spoil(f)
		in, a := g.intent(heloc.OpAddSSN, "ssn"), succeedingLender()
		op, err := g.execute(in, a)
		wantKind(t, err, fault.Unavailable)
		if a.calls != 0 || op.ID != "" || f.Check() == nil {
			t.Errorf("%s: got %d calls and %+v, Check: %v; want no call, and an error", name, a.calls, op, f.Check())
		}
		if _, err := g.journal.ExistingOperation(t.Context(), in); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: an operation was stored: %v", name, err)
		}
	}
}

// TestExecute_CommitFails_NotSent has an operation that may be stored as sent although nothing was sent: the same id
// is not sent later, and the operation does not block the lead as an unknown one would.
func TestExecute_CommitFails_NotSent(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	if g.store.Shared() {
		t.Skip("the constraint that makes the commit fail is SQLite’s")
	}
	g.useFile(filepath.Join(t.TempDir(), "answers"))
	storetest.Exec(t, g.address, `CREATE TABLE parents (id TEXT PRIMARY KEY)`)
	storetest.Exec(t, g.address, `CREATE TABLE children (id TEXT REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)`)
	storetest.Exec(t, g.address, `CREATE TRIGGER refuse AFTER INSERT ON operations
		BEGIN INSERT INTO children VALUES ('nobody'); END`)
	in, a := g.intent(heloc.OpAddSSN, "ssn"), succeedingLender()
	op, err := g.execute(in, a)
	if wantKind(t, err, fault.Unavailable); op.State != lead.OpNotSent || a.calls != 0 {
		t.Errorf("got %s after %d calls, want not sent", op.State, a.calls)
	}
	storetest.Exec(t, g.address, `DROP TRIGGER refuse`)
	if _, err := g.execute(in, a); a.calls != 0 {
		t.Errorf("the same id was sent, %v", err)
	}
	if left := g.journal.SaveVerdicts(t.Context()); left != 0 {
		t.Errorf("%d verdicts left", left)
	}
	// Another process may have sent the same form since: what the first attempt left says nothing about that one.
	sent, err := g.execute(in, a)
	if err != nil || a.calls != 1 || sent.State != lead.OpSucceeded {
		t.Errorf("then: got %s, %v after %d calls", sent.State, err, a.calls)
	}
}

// TestUseFile_StoredAsSent_NotSent covers the other outcome of such a commit: the operation was stored.
func TestUseFile_StoredAsSent_NotSent(t *testing.T) {
	t.Parallel()
	for _, ofAnother := range []bool{false, true} {
		g := newHarness(t)
		in := g.intent(heloc.OpAddSSN, "ssn")
		a := succeedingLender()
		a.crash = true
		if !crashed(func() { _, _ = g.execute(in, a) }) {
			t.Fatal("it did not crash")
		}
		op, err := g.journal.ExistingOperation(t.Context(), in)
		if err != nil || op.State != lead.OpSent {
			t.Fatalf("got %s, %v", op.State, err)
		}
		path := filepath.Join(t.TempDir(), "answers")
		f, err := journal.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		left := journal.Answer{Operation: op.ID, State: lead.OpNotSent, SentAt: op.SentAt, At: op.SentAt}
		want := lead.OpNotSent
		if ofAnother { // attempt, of another process
			left.SentAt, want = op.SentAt-1, lead.OpSent
		}
		if err := errors.Join(f.Record(left), f.Close()); err != nil {
			t.Fatal(err)
		}
		g.useFile(path)
		if n := g.journal.SaveVerdicts(t.Context()); n != 0 || g.operation(op.ID).State != want {
			t.Errorf("got %s, %d left, want %s", g.operation(op.ID).State, n, want)
		}
	}
}

// TestSaveVerdicts_OperationLostWithBackup_ApplicationRead has an answer to a start that is missing from the restored
// database.
func TestSaveVerdicts_OperationLostWithBackup_ApplicationRead(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	path := filepath.Join(t.TempDir(), "answers")
	f, err := journal.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const app = "00000000-0000-4000-8000-000000000007"
	if err := errors.Join(f.Record(journal.Answer{Operation: "hl-01", App: app, State: lead.OpSucceeded}),
		f.Close()); err != nil {
		t.Fatal(err)
	}
	g.useFile(path)
	if left := g.journal.SaveVerdicts(t.Context()); left != 0 {
		t.Errorf("%d verdicts left", left)
	}
	due, err := g.store.UnknownApplicationsDue(t.Context(), g.clock.now(), 9)
	if err != nil || len(due) != 1 || due[0].App != app {
		t.Errorf("got %+v, %v, want the application", due, err)
	}
}

// TestOpenFile_SeveralProcesses_OneEach has two processes with one path: each uses its own file, and what an ended
// process left behind is taken over by the next one to start.
func TestOpenFile_SeveralProcesses_OneEach(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "answers")
	open := func() *journal.File {
		f, err := journal.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first, second := open(), open()
	for id, f := range map[string]*journal.File{"hl-1": first, "hl-2": second} {
		if err := errors.Join(f.Record(journal.Answer{Operation: id, State: lead.OpUnknown}), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time after another end of the process
		next := open()
		if left := next.Left(); len(left) != 2 {
			t.Errorf("got %+v, want the answers of both", left)
		}
		if err := next.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOpenFile_AnyContent_Usable(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "answers")
	f, err := journal.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 512<<10 || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want 512 KiB for its owner only", info, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	// A partially written line, or any other text, counts as an empty slot.
	for _, text := range []string{"00000000 {}", `12345678 {"operation":"hl-1","state":"succeeded"}`, "\x00\x00", "x"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := journal.OpenFile(path)
		if err != nil || len(f.Left()) != 0 {
			t.Fatalf("%q: got %v, %v", text, f.Left(), err)
		}
		if err := errors.Join(f.Record(journal.Answer{Operation: "hl-2", State: lead.OpUnknown}), f.Close()); err != nil {
			t.Fatal(err)
		}
		f, err = journal.OpenFile(path)
		if err != nil || len(f.Left()) != 1 || f.Close() != nil {
			t.Fatalf("%q, then an answer: got %v, %v", text, f.Left(), err)
		}
	}
}
