package journal_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/store"
)

func TestEveryVerdictIsWrittenDown(t *testing.T) {
	for _, tt := range []struct {
		state    store.OpState
		kind     fault.Kind // of the error; none for Internal
		event    store.EventKind
		underWay bool
	}{
		{store.OpSucceeded, fault.Internal, store.EventSent, true},
		{store.OpRejected, fault.Upstream, store.EventRefused, false},
		{store.OpNotSent, fault.Unavailable, "", false},
		{store.OpUnknown, fault.Internal, store.EventUnknown, false},
	} {
		t.Run(string(tt.state), func(t *testing.T) {
			g := newRig(t)
			before := g.lead()
			a := &answers{Outcome: journal.Outcome{State: tt.state, HTTPStatus: 7, RequestID: "r", Messages: []heloc.Message{{Message: "Some words."}}}}
			op, err := g.run(g.intent(heloc.OpAddSSN, "ssn"), a)
			if tt.kind == fault.Internal && err != nil {
				t.Errorf("got %v, want no error", err)
			} else if tt.kind != fault.Internal {
				wantKind(t, err, tt.kind)
			}
			kept := g.journal.Opened(g.operation(op.ID))
			if kept != op {
				t.Errorf("kept %+v\nwant what was returned %+v", kept, op)
			}
			if op.State != tt.state || op.HTTPStatus != 7 || op.RequestID != "r" || op.Messages != "Some words." || op.SentAt == 0 || op.AnsweredAt == 0 {
				t.Errorf("got %+v", op)
			}
			if op.LeaseOwner != "" || op.LeaseUntil != 0 {
				t.Errorf("the lease goes on: %q until %d", op.LeaseOwner, op.LeaseUntil)
			}
			if op.StepBefore != heloc.StepCreditMatch || op.HistoryBefore != 2 {
				t.Errorf("got before %s/%d, want the lead's", op.StepBefore, op.HistoryBefore)
			}
			g.told(op, tt.event)
			l := g.lead()
			if got := l.UnderWayOp == op.ID && l.Lane == heloc.LaneLender; got != tt.underWay {
				t.Errorf("under way: got %v, want %v", got, tt.underWay)
			}
			if rose, want := l.Revision > before.Revision, tt.event != ""; rose != want {
				t.Errorf("the revision rose: got %v, want %v: there is a new line in the history", rose, want)
			}
			audit := g.audited(op.ID)
			if len(audit) != 1 || audit[0].Outcome != string(tt.state) || audit[0].ActorID != "olivia" {
				t.Errorf("audit: got %+v", audit)
			}
		})
	}
}

// told demands one event of a kind and an operation, or none.
func (g *rig) told(op store.Operation, kind store.EventKind) {
	g.t.Helper()
	events, err := g.store.Events(g.t.Context(), g.app, 99)
	if err != nil {
		g.t.Fatal(err)
	}
	n := 0
	for _, e := range events {
		if e.OpID == op.ID {
			n++
			if e.Kind != kind {
				g.t.Errorf("got event %s, want %s", e.Kind, kind)
			}
			if e.Detail != "" {
				g.t.Errorf("the event quotes the lender: %q", e.Detail)
			}
		}
	}
	if want := map[bool]int{true: 1}[kind != ""]; n != want {
		g.t.Errorf("got %d events of the operation, want %d", n, want)
	}
}

func TestTheOperationStandsAsSentBeforeTheLenderIsCalled(t *testing.T) {
	g := newRig(t)
	seen := false
	send := func(ctx context.Context, id string) journal.Outcome {
		seen = true
		other, err := store.Open(ctx, g.path, store.Options{}) // what another process would read
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = other.Close() }()
		op, err := other.Operation(ctx, id)
		if err != nil || op.State != store.OpSent || op.SentAt == 0 || op.LeaseUntil == 0 {
			t.Errorf("in the database: got %+v, %v, want it sent", op, err)
		}
		consents, err := other.Consents(ctx, g.app)
		if err != nil || len(consents) != 1 || consents[0].OpID != id || consents[0].UserID != "olivia" {
			t.Errorf("in the database: got consents %+v, %v", consents, err)
		}
		return journal.Outcome{State: store.OpSucceeded}
	}
	in := g.intent(heloc.OpRepullCredit)
	in.Consent = &store.Consent{Method: "link", TextVersion: "v1"}
	if _, err := g.journal.Run(t.Context(), in, send, nil); err != nil || !seen {
		t.Fatalf("got %v, called %v", err, seen)
	}
}

func TestTheSameFormAgainGetsTheFirstResult(t *testing.T) {
	g := newRig(t)
	a := succeeds()
	in := g.intent(heloc.OpAddSSN, "ssn")
	first, err := g.run(in, a)
	if err != nil {
		t.Fatal(err)
	}
	again, err := g.run(in, a)
	if err != nil || again != first || a.calls != 1 {
		t.Errorf("got %+v, %v after %d calls, want the first result", again, err, a.calls)
	}
	in.Content = []string{"other"}
	again, err = g.run(in, a)
	wantKind(t, err, fault.Conflict)
	if again.ID != first.ID || a.calls != 1 {
		t.Errorf("other content: got %q after %d calls, want what was sent", again.ID, a.calls)
	}
}

func TestARefusedFormIsRefusedAgainWithTheSameWords(t *testing.T) {
	g := newRig(t)
	a := &answers{Outcome: journal.Outcome{State: store.OpRejected, Messages: []heloc.Message{{Message: "No such lien."}}}}
	in := g.intent(heloc.OpAddSSN, "ssn")
	for range 2 {
		_, err := g.run(in, a)
		wantKind(t, err, fault.Upstream)
		if !strings.Contains(fault.Public(err), "No such lien.") {
			t.Errorf("got %q, want the lender's words", fault.Public(err))
		}
	}
	if a.calls != 1 {
		t.Errorf("got %d calls, want 1", a.calls)
	}
}

func TestFiveAtOnceAreOneCall(t *testing.T) {
	g := newRig(t)
	for _, in := range []journal.Intent{g.intent(heloc.OpAddSSN, "ssn"), g.birth(heloc.Name{Last: "Rivera"})} {
		calls, release, entered := 0, make(chan struct{}), make(chan struct{})
		send := func(context.Context, string) journal.Outcome {
			calls++ // the race detector sees a second call at once
			close(entered)
			<-release
			return journal.Outcome{State: store.OpSucceeded, App: "00000000-0000-4000-8000-000000000007"}
		}
		effect := g.journal.AcceptOnLead
		if in.Kind == heloc.OpStart {
			effect = g.journal.Bear
		}
		var all sync.WaitGroup
		ops := make(chan store.Operation, 5)
		for range 5 {
			all.Go(func() {
				op, err := g.journal.Run(t.Context(), in, send, effect)
				if err != nil {
					t.Error(err)
				}
				ops <- op
			})
		}
		<-entered
		if len(ops) != 0 {
			t.Error("one came back before the lender had answered")
		}
		close(release)
		all.Wait()
		close(ops)
		first := <-ops
		for op := range ops {
			if op != first {
				t.Errorf("got %+v, want all alike: %+v", op, first)
			}
		}
		if calls != 1 || first.State != store.OpSucceeded {
			t.Errorf("%s: got %d calls and %s", in.Kind, calls, first.State)
		}
	}
}

// otherLetter changes the letter at a place to another that a mark may hold.
func otherLetter(ticket string, at int) string {
	letter := "A"
	if ticket[at] == 'A' {
		letter = "B"
	}
	return ticket[:at] + letter + ticket[at+1:]
}

func TestATicketIsForOnePersonKindAndLead(t *testing.T) {
	g := newRig(t)
	good := g.intent(heloc.OpAddSSN, "ssn")
	for name, spoil := range map[string]func(*journal.Intent){
		"another person":  func(in *journal.Intent) { in.Actor.UserID = "marcus" },
		"another kind":    func(in *journal.Intent) { in.Kind = heloc.OpCancel },
		"another lead":    func(in *journal.Intent) { in.App = "00000000-0000-4000-8000-000000000002" },
		"no ticket":       func(in *journal.Intent) { in.Ticket = "" },
		"no mark":         func(in *journal.Intent) { in.Ticket, _, _ = strings.Cut(in.Ticket, ".") },
		"another mark":    func(in *journal.Intent) { in.Ticket = strings.Replace(in.Ticket, "-1.", "-2.", 1) },
		"another id":      func(in *journal.Intent) { in.Ticket = "hl-01ARZ3NDEKTSV4RRFFQ69G5FAV" + in.Ticket[29:] },
		"a foreign id":    func(in *journal.Intent) { in.Ticket = "xx" + in.Ticket[2:] },
		"a forged letter": func(in *journal.Intent) { in.Ticket = otherLetter(in.Ticket, len(in.Ticket)-5) },
	} {
		in, a := good, succeeds()
		spoil(&in)
		_, err := g.run(in, a)
		if wantKind(t, err, fault.Invalid); a.calls != 0 {
			t.Errorf("%s: the lender was called", name)
		}
	}
	if _, err := g.run(good, succeeds()); err != nil {
		t.Errorf("the ticket itself: got %v", err)
	}
}

func TestAFormOfAnOlderStepIsRefused(t *testing.T) {
	g := newRig(t)
	step, again, cancel := g.intent(heloc.OpAddSSN, "ssn"), g.intent(heloc.OpAddSSN, "ssn"), g.intent(heloc.OpCancel)
	a := succeeds()
	g.change(func(l *store.Lead) { l.Attempt++ })
	_, err := g.run(again, a)
	wantKind(t, err, fault.Conflict)
	g.change(func(l *store.Lead) { l.Step = heloc.StepLienMatching })
	_, err = g.run(step, a)
	wantKind(t, err, fault.Conflict)
	if a.calls != 0 {
		t.Errorf("got %d calls, want none", a.calls)
	}
	if _, err := g.run(cancel, a); err != nil { // closing does not depend on the step
		t.Errorf("cancel: got %v", err)
	}
}

func (g *rig) change(f func(l *store.Lead)) {
	g.t.Helper()
	g.write(func(tx *store.Tx) error {
		l, err := tx.AnyLead(g.t.Context(), g.app)
		if err != nil {
			return err
		}
		f(&l)
		return tx.SaveLead(g.t.Context(), &l, g.clock.now(), true)
	})
}

func TestOneWriteAtATimeGoesToALead(t *testing.T) {
	g := newRig(t)
	first, second := g.intent(heloc.OpAddSSN, "ssn"), g.intent(heloc.OpCancel)
	a := succeeds()
	_, err := g.journal.Run(t.Context(), first, func(context.Context, string) journal.Outcome {
		_, err := g.run(second, a)
		wantKind(t, err, fault.Conflict)
		return journal.Outcome{State: store.OpRejected}
	}, nil)
	wantKind(t, err, fault.Upstream)
	if a.calls != 0 {
		t.Errorf("got %d calls while another write was under way, want none", a.calls)
	}
	if _, err := g.run(second, a); err != nil || a.calls != 1 {
		t.Errorf("afterwards: got %v after %d calls", err, a.calls)
	}
}

func TestNothingMoreIsSentWhileItIsTheLendersMove(t *testing.T) {
	g := newRig(t)
	a := succeeds()
	other, cancel := g.intent(heloc.OpAddSSN, "ssn"), g.intent(heloc.OpCancel) // of another tab, the same step
	if _, err := g.run(g.intent(heloc.OpAddSSN, "ssn"), a); err != nil {
		t.Fatal(err)
	}
	_, err := g.run(other, a)
	if wantKind(t, err, fault.Conflict); a.calls != 1 {
		t.Errorf("got %d calls, want 1", a.calls)
	}
	if _, err := g.run(cancel, a); err != nil {
		t.Errorf("cancel: got %v", err)
	}
	// After twice the usual wait it may be tried again.
	g.clock.pass(20 * time.Minute)
	g.change(func(l *store.Lead) { l.UnderWayUntil = 0 })
	if _, err := g.run(g.intent(heloc.OpAddSSN, "ssn"), a); err != nil {
		t.Errorf("after the wait: got %v", err)
	}
}

func TestNothingMoreIsSentWhileAnOutcomeIsUnknown(t *testing.T) {
	g := newRig(t)
	op, err := g.run(g.intent(heloc.OpAddSSN, "ssn"), &answers{Outcome: journal.Outcome{State: store.OpUnknown}})
	if err != nil {
		t.Fatal(err)
	}
	if due := g.lead().RefreshAt; due > store.Millis(g.clock.now()) {
		t.Errorf("the lead is read again at %d, want at once", due)
	}
	a := succeeds()
	_, err = g.run(g.intent(heloc.OpAddSSN, "ssn"), a)
	if wantKind(t, err, fault.Conflict); a.calls != 0 {
		t.Errorf("got %d calls, want none", a.calls)
	}
	if err := g.journal.Abandon(t.Context(), op.ID, "olivia", "the lender was called"); err != nil {
		t.Fatal(err)
	}
	if _, err := g.run(g.intent(heloc.OpAddSSN, "ssn"), a); err != nil {
		t.Errorf("given up: got %v", err)
	}
}

func TestPreparingHappensOnceAndWithTheOperation(t *testing.T) {
	g := newRig(t)
	in, a := g.intent(heloc.OpAddSSN, "ssn"), succeeds()
	refused := errors.New("a duplicate")
	in.Prepare = func(context.Context, *store.Tx, string) error { return refused }
	op, err := g.run(in, a)
	if !errors.Is(err, refused) || a.calls != 0 {
		t.Errorf("got %v after %d calls, want the refusal and no call", err, a.calls)
	}
	if _, err := g.journal.First(t.Context(), in); fault.KindOf(err) != fault.NotFound {
		t.Errorf("got %v, want no operation %q", err, op.ID)
	}
	times := 0
	in.Prepare = func(context.Context, *store.Tx, string) error { times++; return nil }
	for range 3 {
		if _, err := g.run(in, a); err != nil {
			t.Fatal(err)
		}
	}
	if times != 1 || a.calls != 1 {
		t.Errorf("prepared %d times and called %d times, want once each", times, a.calls)
	}
}

func TestWaitsFollowOurRecords(t *testing.T) {
	for _, tt := range []struct {
		name          string
		took          []int64 // seconds
		usual, mostly time.Duration
		patience      time.Duration
		known         bool
	}{
		{"no records", nil, 50 * time.Second, 100 * time.Second, 100 * time.Second, false},
		{"two are too few", []int64{1, 1}, 50 * time.Second, 100 * time.Second, 100 * time.Second, false},
		{"a quick lender", []int64{1, 2, 3}, 2 * time.Second, 3 * time.Second, 20 * time.Second, false},
		{"twice the usual", []int64{30, 30, 31}, 30 * time.Second, 31 * time.Second, 60 * time.Second, false},
		{"nearly all", []int64{10, 10, 100}, 10 * time.Second, 100 * time.Second, 100 * time.Second, false},
		{"enough to tell", []int64{10, 10, 10, 10, 10, 10, 10, 40}, 10 * time.Second, 40 * time.Second, 40 * time.Second, true},
		{"strays of days", []int64{10, 20, 200_000, 300_000}, 20 * time.Second, 300_000 * time.Second, 15 * time.Minute, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t)
			g.write(func(tx *store.Tx) error {
				for i, s := range tt.took {
					e := store.Event{App: g.app, At: int64(i + 1), Kind: store.EventStep, Operation: heloc.OpAddSSN, TookMillis: s * 1000}
					if err := tx.AddEvent(t.Context(), e); err != nil {
						return err
					}
				}
				return nil
			})
			got, err := journal.UsualWait(t.Context(), g.store, heloc.OpAddSSN)
			if want := (journal.Wait{Usual: tt.usual, Mostly: tt.mostly, Known: tt.known}); err != nil || got != want {
				t.Errorf("got %+v, %v, want %+v", got, err, want)
			}
			if _, err := g.run(g.intent(heloc.OpAddSSN), succeeds()); err != nil {
				t.Fatal(err)
			}
			if got := store.Instant(g.lead().UnderWayUntil).Sub(g.clock.now()); got != tt.patience {
				t.Errorf("under way for %v, want %v", got, tt.patience)
			}
		})
	}
}

func TestWhatMovesNoStepLeavesTheLeadWhereItStands(t *testing.T) {
	g := newRig(t)
	if _, err := g.run(g.intent(heloc.OpSetAttributions), succeeds()); err != nil {
		t.Fatal(err)
	}
	if l := g.lead(); l.UnderWayOp != "" || l.Stand != heloc.StandSSN {
		t.Errorf("got under way %q at %s", l.UnderWayOp, l.Stand)
	}
}

func TestNothingOfABorrowerStandsInTheDatabase(t *testing.T) {
	g := newRig(t)
	canaries := []string{"CANARY-SURNAME", "078-05-1120", "CANARY-CONTENT"}
	in := g.birth(heloc.Name{First: "Elena", Last: canaries[0]})
	in.Content = canaries
	words := []heloc.Message{{Message: "The applicant " + canaries[0] + " is known under " + canaries[1] + "."}}
	a := &answers{Outcome: journal.Outcome{State: store.OpSucceeded, Messages: words, App: "00000000-0000-4000-8000-000000000007"}}
	if _, err := g.run(in, a); err != nil {
		t.Fatal(err)
	}
	refused := &answers{Outcome: journal.Outcome{State: store.OpRejected, Messages: words}}
	if _, err := g.run(g.intent(heloc.OpAddSSN, canaries...), refused); err == nil {
		t.Fatal("got no error, want a refusal")
	}
	all := string(g.bytes())
	if !strings.Contains(all, "Olivia Hart") {
		t.Fatal("the files that were read are not the database's")
	}
	for _, canary := range canaries {
		if strings.Contains(all, canary) {
			t.Errorf("%q stands in the database", canary)
		}
	}
}

func TestAStartIsBornBehindTheWallOfItsOriginator(t *testing.T) {
	g := newRig(t)
	if err := g.store.DisableUser(t.Context(), g.olivia.UserID); err != nil { // an originator has one open account
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, originator, company, organization string
		want                                    string
	}{
		{"as the directory says", "o1", "B1", "org", "B1"},
		{"not in the directory", "o2", "B9", "org", "B9"},
		{"not in the directory, without a company", "o3", "", "org", "org:org"},
	} {
		g.olivia = access.Actor{
			UserID: "user-" + tt.originator, Email: tt.originator + "@test", Name: "Olivia", Role: access.Originator,
			OriginatorUUID: tt.originator, BrokerID: tt.company, Organization: tt.organization,
		}
		if err := g.store.AddUser(t.Context(), access.User{Actor: g.olivia}, ""); err != nil {
			t.Fatal(err)
		}
		app := heloc.AppID("00000000-0000-4000-8000-0000000000" + tt.originator)
		a := &answers{Outcome: journal.Outcome{State: store.OpSucceeded, App: app}}
		op, err := g.run(g.birth(heloc.Name{Last: "Rivera"}), a)
		if err != nil || op.State != store.OpSucceeded {
			t.Fatalf("%s: got %s, %v", tt.name, op.State, err)
		}
		l, err := g.store.AnyLead(t.Context(), app)
		if err != nil || l.Company != tt.want || len(l.Borrower) == 0 || l.UnderWayOp != op.ID {
			t.Errorf("%s: got %q, under way %q, %v, want company %q", tt.name, l.Company, l.UnderWayOp, err, tt.want)
		}
	}
}

// Between the first look at a session and the last byte of a form a person can lose the
// lead, the role or the account; then nothing may be sent any more.
func TestWhoHasLostTheRightMeanwhileSendsNothing(t *testing.T) {
	for name, lose := range map[string]func(g *rig){
		"the lead": func(g *rig) {
			g.write(func(tx *store.Tx) error {
				l, err := tx.AnyLead(t.Context(), g.app)
				if err != nil {
					return err
				}
				l.Originator = "o2"
				return tx.SaveLead(t.Context(), &l, g.clock.now(), true)
			})
		},
		"the account": func(g *rig) {
			if err := g.store.DisableUser(t.Context(), "olivia"); err != nil {
				t.Fatal(err)
			}
		},
		"the role": func(g *rig) {
			if err := g.store.SetUserRole(t.Context(), "olivia", access.Assistant); err != nil {
				t.Fatal(err)
			}
		},
		"the company": func(g *rig) {
			g.write(func(tx *store.Tx) error {
				return tx.SaveOriginator(t.Context(), heloc.Originator{ID: "o1", Organization: "org", Broker: &heloc.BrokerCompany{ID: "B2"}}, g.clock.now())
			})
		},
	} {
		g := newRig(t)
		in := g.intent(heloc.OpAddSSN, "ssn")
		lose(g)
		a := &answers{Outcome: journal.Outcome{State: store.OpSucceeded}}
		_, err := g.run(in, a)
		if kind := fault.KindOf(err); kind != fault.NotFound && kind != fault.Denied {
			t.Errorf("without %s: got %v, want a refusal", name, err)
		}
		if a.calls != 0 {
			t.Errorf("without %s: the lender was called", name)
		}
	}
}
