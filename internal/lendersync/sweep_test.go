package lendersync

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/pii"
	"hearthline/internal/store"
)

// Polling finds the step soon, even without webhooks.
func TestSweep_NoWebhooks_BringsStep(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{processing: 1500 * time.Millisecond, loops: true}, func(t *testing.T, g *harness) {
		op := g.start("Rivera-Match")
		time.Sleep(5 * time.Second)
		l := g.lead(op.App)
		if l.Step != heloc.StepCreditMatch || l.WebhookAt != 0 {
			t.Errorf("got %q, webhook at %d, want the step without a webhook", l.Step, l.WebhookAt)
		}
		if n := g.transport.count("/details/"); n > 4 {
			t.Errorf("got %d details calls in five seconds, want few", n)
		}
	})
}

func TestSweep_SameStepAgain_NextAttempt(t *testing.T) {
	t.Parallel()
	for _, webhooks := range []bool{true, false} {
		runInSynctest(t, options{processing: 1500 * time.Millisecond, loops: true, webhooks: webhooks}, func(t *testing.T,
			g *harness) {
			op := g.start("Rivera-Match")
			time.Sleep(8 * time.Second)
			if g.lead(op.App).Step != heloc.StepCreditMatch {
				t.Fatalf("got %q", g.lead(op.App).Step)
			}
			_, err := g.runOperation(op.App, heloc.OpAddSSN,
				func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
					return g.client.AddSSN(ctx, op.App, by, pii.Wrap("123-45-0000")) // matches nobody
				})
			g.must(err)
			if l := g.lead(op.App); l.Lane != heloc.LaneLender {
				t.Errorf("got %s, want the lender's move", l.Lane)
			}
			time.Sleep(10 * time.Second)
			l := g.lead(op.App)
			if l.Attempt != 2 || l.Lane != heloc.LaneBlocked || l.PendingOp != "" {
				t.Errorf("webhooks %v: got attempt %d in %s, pending %q, want the second attempt",
					webhooks, l.Attempt, l.Lane, l.PendingOp)
			}
			if got := g.eventKinds(op.App); got != "started step sent again" {
				t.Errorf("webhooks %v: got events %q", webhooks, got)
			}
		})
	}
}

// A lender accepts and is then silent: after twice the usual wait it is the user's move again. This is recorded once,
// and pages are notified.
func TestSweep_NoAnswer_AnnouncedOnce(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{processing: time.Hour, loops: true}, func(t *testing.T, g *harness) {
		g.lender.SetProcessing(0)
		app := g.startAndRead("Rivera-Match")
		g.lender.SetProcessing(time.Hour)
		op, err := g.runOperation(app, heloc.OpAddSSN,
			func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
				return g.client.AddSSN(ctx, app, by, pii.Wrap("123-45-6789"))
			})
		g.must(err)
		g.must(g.lender.SetFaults(noFaults()))
		until := store.Instant(g.lead(app).PendingUntil)
		if wait := time.Until(until); wait < 90*time.Second || wait > 110*time.Second {
			t.Errorf("pending for %v, want twice the usual 50 s", wait)
		}
		time.Sleep(time.Until(until) - time.Second)
		before := g.lead(app)
		if before.Lane != heloc.LaneLender {
			t.Errorf("a second before: got %s", before.Lane)
		}
		time.Sleep(3 * time.Second)
		l := g.lead(app)
		if l.Lane != heloc.LaneBlocked || l.PendingOp != op.ID || l.Revision <= before.Revision {
			t.Errorf("got %s, pending %q, revision %d after %d", l.Lane, l.PendingOp, l.Revision, before.Revision)
		}
		time.Sleep(time.Minute)
		if got := g.eventKinds(app); got != "started step sent nothing" {
			t.Errorf("got events %q, want it once", got)
		}
	})
}

// A start that stays in processing forever is reported once, and is not polled thousands of times a day.
func TestSweep_AlwaysProcessing_PollsRarely(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{processing: 1000 * time.Hour}, func(t *testing.T, g *harness) {
		op := g.start("Rivera")
		startRevision := g.lead(op.App).Revision
		g.advance(20*time.Minute, 5*time.Second)
		before := g.lead(op.App)
		if before.Revision < startRevision+2 { // the first reading, and the report that nothing has changed
			t.Errorf("got revision %d after %d, want it raised when nothing has changed", before.Revision, startRevision)
		}
		if got := g.eventKinds(op.App); got != "started nothing" || before.StatusKey != heloc.StatusInProgress ||
			before.PendingUntil != 0 {
			t.Errorf("got events %q at %s until %d", got, before.StatusKey, before.PendingUntil)
		}
		g.advance(40*time.Minute, 30*time.Second)
		g.transport.set(nil, nil)
		g.advance(4*time.Hour, time.Minute)
		if n := g.transport.count("/details/"); n > 20 {
			t.Errorf("got %d details calls in four hours, want about one in a quarter", n)
		}
	})
}

func TestSweep_StatusDue_Changes(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera-Frozen")
		g.write(func(tx *store.Tx) error {
			l, err := tx.AnyLead(t.Context(), app)
			if err != nil {
				return err
			}
			l.LastContactAt, l.LastContact = store.Millis(time.Now()), "call"
			return tx.SaveLead(t.Context(), &l, time.Now(), true)
		})
		if l := g.lead(app); l.Lane != heloc.LaneBorrower {
			t.Fatalf("got %s at %s, want the borrower's move", l.Lane, l.StatusKey)
		}
		before := g.lead(app)
		g.advance(24*time.Hour+time.Second, 10*time.Minute)
		l := g.lead(app)
		if l.Lane != heloc.LaneBorrower || l.WhoseMove != heloc.MoverYou || l.Revision <= before.Revision ||
			l.ChangedAt != before.ChangedAt {
			t.Errorf("after a day: got %s, %q, revision %d, want a due follow-up, and no new revision",
				l.Lane, l.WhoseMove, l.Revision)
		}
	})
}

// A lead on which the lender hangs blocks one worker; the others are refreshed meanwhile.
func TestSweep_OneLeadHangs_OthersRefreshed(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{loops: true}, func(t *testing.T, g *harness) {
		hung := g.startAndRead("Rivera")
		var others []heloc.AppID
		for i := range 10 {
			others = append(others, g.startAndRead(fmt.Sprint("Okafor", string(rune('a'+i)))))
		}
		g.transport.set(func(r *http.Request) error {
			if strings.Contains(r.URL.Path, string(hung)) {
				<-r.Context().Done()
				return r.Context().Err()
			}
			return nil
		}, nil)
		g.write(func(tx *store.Tx) error {
			for _, app := range append(others, hung) {
				if _, err := tx.MarkWebhook(t.Context(), app, time.Now(), true); err != nil {
					return err
				}
			}
			return nil
		})
		requested := time.Now()
		time.Sleep(5 * time.Second) // the request that hangs takes 15 s
		for _, app := range others {
			if l := g.lead(app); l.RefreshedAt < store.Millis(requested) {
				t.Errorf("a lead after the one that hangs was not read")
			}
		}
	})
}

// While the lender is down, few leads are tried, and all of them are read soon after it is back.
func TestSweep_LenderDown_FewProbes(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		var apps []heloc.AppID
		for i := range 30 {
			apps = append(apps, g.startAndRead(fmt.Sprint("Okafor", string(rune('a'+i%26)), string(rune('a'+i/26)))))
		}
		g.must(g.lender.SetFaults(faultsDown()))
		g.advance(20*time.Minute, 5*time.Second) // by their cadence, all of them are due now
		failed := 0
		for _, app := range apps {
			failed += g.lead(app).RefreshFailures
		}
		g.must(g.lender.SetFaults(noFaults()))
		back := time.Now()
		g.advance(2*time.Minute, time.Second)
		for _, app := range apps {
			if l := g.lead(app); l.RefreshedAt < store.Millis(back) || l.RefreshFailures != 0 {
				t.Errorf("two minutes after the lender is back a lead was not read: %d failures, due %v",
					l.RefreshFailures, store.Instant(l.RefreshAt))
			}
		}
		if failed > 20*25 {
			t.Errorf("got %d failures in twenty minutes, want no more than two in five seconds, however many leads are due",
				failed)
		}
	})
}

// A lead that the lender refuses to return is requested less and less often.
func TestSweep_LeadAlwaysFails_BacksOff(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.transport.set(nil, func(r *http.Request) string {
			if strings.Contains(r.URL.Path, "/details/") {
				return `"no object at all"`
			}
			return ""
		})
		g.advance(24*time.Hour, time.Minute)
		if n := g.transport.count("/details/"); n > 100 {
			t.Errorf("got %d calls in a day, want few", n)
		}
		if l := g.lead(app); l.StatusKey != heloc.StatusOffers {
			t.Errorf("got %s, want it unchanged", l.StatusKey)
		}
		g.transport.set(nil, nil)
		g.must(g.service.ReceiveWebhook(t.Context(), []byte(`{"applicationUuid":"`+string(app)+`"}`)))
		g.advance(2*time.Second, time.Second)
		if l := g.lead(app); l.RefreshFailures != 0 {
			t.Errorf("got %d failures after a webhook, want it read immediately", l.RefreshFailures)
		}
	})
}

func TestRestart_PendingWrite_Settled(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{processing: 5 * time.Second, loops: true}, func(t *testing.T, g *harness) {
		op := g.start("Rivera-Match-Liens")
		time.Sleep(2 * time.Second)
		g.close()
		time.Sleep(time.Minute)
		g.open()
		g.run()
		time.Sleep(5 * time.Second)
		l := g.lead(op.App)
		if l.Step != heloc.StepCreditMatch || l.PendingOp != "" {
			t.Errorf("got %q, pending %q, want the step", l.Step, l.PendingOp)
		}
		// During a write: the lender has received it, and nobody here knows.
		g.lender.SetProcessing(0)
		_, err := g.runOperation(op.App, heloc.OpAddSSN,
			func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
				_, _ = g.client.AddSSN(ctx, op.App, by, pii.Wrap("123-45-6789"))
				return partner.WriteResult{}, fmt.Errorf("lost")
			})
		g.must(err)
		g.close()
		g.open()
		g.run()
		time.Sleep(time.Minute) // the step may have been read before the loss was known: then the next reading compares them
		l = g.lead(op.App)
		if l.Step != heloc.StepLienMatching {
			t.Errorf("got %q, want the step that the lost write led to", l.Step)
		}
		ops, err := g.store.Operations(t.Context(), op.App, 9)
		g.must(err)
		if ops[0].State != lead.OpUnknown || ops[0].StepChangedAt == 0 || ops[0].StepAfter != heloc.StepLienMatching {
			t.Errorf("the lost write is %s, moved on to %q; want unknown, with the step", ops[0].State, ops[0].StepAfter)
		}
	})
}

// A write that never arrived and has no response is absent after two minutes without a change, even if the lead has
// not changed for days and is polled every two hours.
func TestSweep_WriteNeverArrived_Absent(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera-Match")
		g.advance(72*time.Hour, 30*time.Minute)
		before := g.lead(app).Revision
		op, err := g.runOperation(app, heloc.OpAddSSN,
			func(context.Context, heloc.OriginatorID) (partner.WriteResult, error) {
				return partner.WriteResult{}, fmt.Errorf("lost on the way there")
			})
		g.must(err)
		if op.State != lead.OpUnknown {
			t.Fatalf("got %s", op.State)
		}
		g.advance(3*time.Minute, time.Second)
		stored, err := g.store.Operation(t.Context(), op.ID)
		g.must(err)
		if stored.State != lead.OpAbsent || g.lead(app).Revision <= before+1 {
			t.Errorf("got %s, revision %d after %d, want absent, and announced", stored.State, g.lead(app).Revision, before)
		}
	})
}

func TestClean(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.must(g.store.AddSession(t.Context(), access.Session{IDHash: "s", UserID: "olivia", Created: time.Now(),
			Expires: time.Now().Add(12 * time.Hour)}))
		g.must(g.store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.SaveSignInAttempts(t.Context(), store.SignInAttempts{Key: "key", Count: 1, At: store.Millis(time.Now())})
		}))
		g.must(g.service.ReceiveWebhook(t.Context(), []byte(`{"applicationUuid":"`+string(app)+`"}`)))
		g.must(g.lender.Play(app, "expire"))
		start, err := g.store.StartOf(t.Context(), app)
		g.must(err)
		stored := func() string {
			var there []string
			if _, _, err := g.store.Session(t.Context(), "s"); err == nil {
				there = append(there, "session")
			}
			if f, err := g.store.SignInAttempts(t.Context(), "key"); err == nil && f["key"].Count > 0 {
				there = append(there, "failures")
			}
			if _, err := g.store.DraftOfOperation(t.Context(), start.DraftID); !fault.Is(err, fault.NotFound) {
				there = append(there, "draft")
			}
			return strings.Join(there, " ")
		}
		for _, tt := range []struct {
			after time.Duration
			want  string
		}{{11 * time.Hour, "session failures draft"}, {14 * time.Hour, "draft"}, {28 * 24 * time.Hour, "draft"},
			{2 * 24 * time.Hour, ""}} { // the clock is trusted again a day after the gap of four weeks
			g.advance(tt.after, time.Hour)
			g.must(g.service.clean(t.Context()))
			if got := stored(); got != tt.want {
				t.Errorf("after %v more: got %q, want %q", tt.after, got, tt.want)
			}
		}
	})
}

// Data without a lead is deleted too: drafts that nobody has edited for a long time, and messages about a start.
func TestClean_NoLead_Deleted(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		now := g.service.Now()
		old := store.Millis(now.Add(-minRetention - time.Hour))
		g.write(func(tx *store.Tx) error {
			op := lead.Operation{ID: "hl-old", Kind: heloc.OpStart, ActorID: "olivia", Company: "summit", Digest: "d",
				State: lead.OpRejected, Messages: "words", CreatedAt: old}
			if err := tx.AddOperation(t.Context(), op); err != nil {
				return err
			}
			return tx.SaveDraft(t.Context(), store.Draft{ID: "idle", OwnerID: "olivia", Company: "summit",
				Sealed: []byte("typed"), UpdatedAt: store.Millis(now.Add(time.Hour - store.UnsentDraftRetention))})
		})
		stored := func() string {
			op, err := g.store.Operation(t.Context(), "hl-old")
			g.must(err)
			if _, err := g.store.DraftOfOperation(t.Context(), "idle"); err == nil {
				return op.Messages + "draft"
			}
			return op.Messages
		}
		for _, want := range []string{"draft", ""} {
			g.must(g.service.clean(t.Context()))
			if got := stored(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			g.advance(2*time.Hour, time.Hour)
		}
	})
}

// Quotes are deleted by their age, but not before the legal retention ends.
func TestClean_Quotes_RetentionRespected(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		now := g.service.Now()
		for id, age := range map[string]time.Duration{"new": 0, "old": minRetention - time.Hour,
			"older": minRetention + time.Hour} {
			g.write(func(tx *store.Tx) error {
				return tx.AddQuote(t.Context(), store.Quote{ID: id, App: app, ActorID: "u", SealedRequest: []byte{1},
					Sealed: []byte{1}, At: store.Millis(now.Add(-age))}, 9)
			})
		}
		stored := func() string {
			quotes, err := g.store.Quotes(t.Context(), app, 9)
			g.must(err)
			var ids []string
			for _, q := range quotes {
				ids = append(ids, q.ID)
			}
			return strings.Join(ids, " ")
		}
		for _, tt := range []struct {
			retention time.Duration
			want      string
		}{{minRetention + 2*time.Hour, "new old older"}, {time.Hour, "new old"}} {
			g.service.Retention = tt.retention
			g.must(g.service.clean(t.Context()))
			if got := stored(); got != tt.want {
				t.Errorf("retention %v: got %q, want %q", tt.retention, got, tt.want)
			}
		}
	})
}

// Audit rows are deleted after six years, a day at a time, in batches, and the audit records it.
func TestClean_Audit_SixYears(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		begun := g.service.Now().UTC()
		g.write(func(tx *store.Tx) error {
			for range 2 * auditBatch {
				if err := tx.Audit(t.Context(), store.AuditEntry{ActorID: "olivia", Action: store.ActionLeadOpen, Object: "lead:1",
					Outcome: "done"}); err != nil {
					return err
				}
			}
			return nil
		})
		head, err := g.store.AuditHead(t.Context())
		g.must(err)
		for _, tt := range []struct {
			now  time.Time
			want int64
		}{
			{begun.AddDate(6, 0, 0).Truncate(24 * time.Hour).Add(24*time.Hour - time.Millisecond), 0},
			{begun.AddDate(6, 0, 1).Truncate(24 * time.Hour), head.Seq},
			{begun.AddDate(6, 0, 2), head.Seq},
		} {
			g.service.Now = func() time.Time { return tt.now }
			g.store.Now = g.service.Now
			g.must(g.service.clean(t.Context()))
			base, err := g.store.AuditBase(t.Context())
			g.must(err)
			if base.Seq != tt.want {
				t.Errorf("on %v: got rows deleted up to %d, want %d", tt.now, base.Seq, tt.want)
			}
			if seq, _, whole, err := g.store.BrokenAudit(t.Context()); !whole || err != nil {
				t.Errorf("on %v: got broken at %d, %v", tt.now, seq, err)
			}
		}
		audited, err := g.store.AuditOf(t.Context(), "audit:base", 9)
		if g.must(err); len(audited) != 3 {
			t.Errorf("got %d audit rows about it, want one per batch", len(audited))
		}
	})
}

// Several hundred leads of one company have been due for longer than the single lead of another, which is read after at
// most one of theirs.
func TestSweep_BusyCompany_OtherCompanysLeadHasItsTurn(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		lakeside := heloc.AppID("0f0e0d0c-0000-4000-8000-000000009999")
		g.write(func(tx *store.Tx) error {
			for i := range sweepBatch + 50 {
				l := lead.Row{App: heloc.AppID(fmt.Sprintf("0f0e0d0c-0000-4000-8000-%012d", i)), Originator: "o1", Company: "busy",
					RefreshAt: store.Millis(time.Now().Add(-time.Hour))}
				if err := tx.AddLead(t.Context(), &l, time.Now()); err != nil {
					return err
				}
			}
			l := lead.Row{App: lakeside, Originator: "o2", Company: "lakeside", RefreshAt: store.Millis(time.Now())}
			return tx.AddLead(t.Context(), &l, time.Now())
		})
		g.must(g.service.sweep(t.Context()))
		if n := g.service.queue.turns.LenOf("due busy"); n < sweepBatch || n > maxPerTurn {
			t.Errorf("%d leads of the busy company wait, want about a batch", n)
		}
		for place := range 2 {
			if one, ok := g.service.queue.next(); ok && one.app == lakeside {
				return
			} else if !ok || place == 1 {
				t.Errorf("the other company's lead is not in place 2: %+v", one)
			}
		}
	})
}
