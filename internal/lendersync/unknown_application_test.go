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
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
)

func TestReceiveWebhook(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.must(g.service.sweep(t.Context()))
		g.drainQueue()
		due := func() bool {
			t.Helper()
			return g.lead(app).RefreshAt <= store.Millis(time.Now())
		}
		if due() {
			t.Fatal("the lead is due before any webhook")
		}
		body := []byte(`{"applicationUuid":"` + strings.ToUpper(string(app)) + `","nextInquiryStepType":"ANYTHING"}`)
		g.must(g.service.ReceiveWebhook(t.Context(), body))
		webhookAt := g.lead(app).WebhookAt
		if !due() || webhookAt == 0 || g.lead(app).Step != heloc.StepOffersAvailable {
			t.Errorf("known: due %v, webhook at %d, want it due and the rest of the body ignored", due(), webhookAt)
		}
		g.must(g.service.Refresh(t.Context(), app))
		time.Sleep(time.Second)
		// The same body again is a reason to read the lead, but no sign that the lender answered. A flood of webhooks
		// is processed over time.
		for i := range 4 {
			g.must(g.service.ReceiveWebhook(t.Context(), body))
			if !due() {
				t.Errorf("time %d: not due, want it due now", i+2)
			}
			g.must(g.service.Refresh(t.Context(), app))
		}
		g.must(g.service.ReceiveWebhook(t.Context(), body))
		if due() {
			t.Error("the sixth time: due now, want ten seconds after the first")
		}
		time.Sleep(9 * time.Second)
		if !due() || g.lead(app).WebhookAt != webhookAt {
			t.Errorf("twice: due %v, webhook at %d, want due and webhook at %d", due(), g.lead(app).WebhookAt, webhookAt)
		}
		for name, bad := range map[string][]byte{
			"garbage": []byte("<xml/>"), "empty": nil, "no id": []byte(`{"applicationUuid":"x"}`), "null": []byte(`null`),
			"too long": append(body, make([]byte, 64<<10)...), "deep": []byte(strings.Repeat("[", 60_000)),
			"an unreadable seal": []byte("a.b.c.d.e"),
		} {
			if err := g.service.ReceiveWebhook(t.Context(), bad); !fault.Is(err, fault.Invalid) {
				t.Errorf("%s: got %v, want invalid", name, err)
			}
		}
		unknownApp := heloc.AppID("12345678-1234-4234-8234-123456789012")
		for i := range 3 {
			g.must(g.service.ReceiveWebhook(t.Context(), fmt.Appendf(nil, `{"n":%d,"applicationUuid":"%s"}`, i, unknownApp)))
		}
		due2, err := g.store.UnknownApplicationsDue(t.Context(), time.Now(), 9)
		g.must(err)
		if len(due2) != 1 || due2[0].App != unknownApp {
			t.Errorf("got unknown applications %+v, want one", due2)
		}
	})
}

// The webhook alone is enough to turn an inquiry whose response was lost into the lead of its start.
func TestWebhook_LostStart_Settled(t *testing.T) {
	t.Parallel()
	for _, processing := range []time.Duration{0, 1500 * time.Millisecond} {
		runInSynctest(t, options{processing: processing, webhooks: true, loops: true}, func(t *testing.T, g *harness) {
			changes, leave := g.hub.Subscribe(pubsub.Originator(g.olivia.OriginatorUUID))
			defer leave()
			op := g.start("Rivera-Lost")
			if op.State != lead.OpUnknown || op.App != "" {
				t.Fatalf("got %s with lead %q, want a lost response", op.State, op.App)
			}
			time.Sleep(10 * time.Second)
			op, err := g.store.Operation(t.Context(), op.ID)
			g.must(err)
			if op.State != lead.OpConfirmed || op.App == "" {
				t.Fatalf("got %s with lead %q, want it settled\n%s", op.State, op.App, g.log.String())
			}
			l := g.lead(op.App)
			name, err := g.vault.UnsealName(l.App, l.Borrower)
			if err != nil || name.Last != "Rivera-Lost" || l.Step != heloc.StepOffersAvailable || !g.finds(l, "rivera") {
				t.Errorf("got %q at %s, %v", name.Last, l.Step, err)
			}
			if len(changes) == 0 {
				t.Error("got no event")
			}
			if waits, err := g.store.Waits(t.Context(), heloc.OpStart, 9); err != nil || len(waits) != 0 {
				t.Errorf("got waits %v, %v, want none of a start whose response was lost", waits, err)
			}
			if got := g.eventKinds(op.App); got != "started settled step documents" {
				t.Errorf("got events %q", got)
			}
		})
	}
}

// The webhook can arrive before the response, which may take longer than any number of readings: the unknown
// application is not deleted while its start runs.
func TestUnknownApplication_StartStillRunning_Kept(t *testing.T) {
	t.Parallel()
	for _, lost := range []bool{false, true} {
		runInSynctest(t, options{webhooks: true, loops: true}, func(t *testing.T, g *harness) {
			g.transport.set(nil, nil)
			op := g.slowStart(lost, 14*time.Second)
			time.Sleep(10 * time.Second)
			stored, err := g.store.Operation(t.Context(), op.ID)
			g.must(err)
			want := lead.OpSucceeded
			if lost {
				want = lead.OpConfirmed
			}
			if stored.State != want || stored.App == "" {
				t.Fatalf("lost %v: got %s with lead %q, want %s", lost, stored.State, stored.App, want)
			}
			if g.lead(stored.App).Step != heloc.StepOffersAvailable {
				t.Errorf("got %q", g.lead(stored.App).Step)
			}
			if left, err := g.store.UnknownApplicationsDue(t.Context(), time.Now().Add(time.Hour), 9); err != nil ||
				len(left) != 0 {
				t.Errorf("got unknown applications %+v, %v, want none", left, err)
			}
		})
	}
}

// slowStart starts an inquiry that the lender creates immediately but answers late, or never.
func (h *harness) slowStart(lost bool, late time.Duration) lead.Operation {
	h.t.Helper()
	intent := journal.Intent{
		OperationID: h.journal.NewOperationID(h.olivia, heloc.OpStart, "", "new"), Kind: heloc.OpStart, Actor: h.olivia,
		DigestContent: []string{"x"},
	}
	outcome, err := h.journal.Execute(h.t.Context(), intent, func(ctx context.Context, id string) heloc.CallResult {
		a, err := h.client.Start(ctx, partner.Start{Originator: heloc.OriginatorID(h.olivia.OriginatorUUID), Reference: id,
			Inquiry: inquiry("Rivera")})
		time.Sleep(late)
		if lost {
			return heloc.CallResult{Reach: heloc.ReachSent}
		}
		return partner.ResultOf(a, err)
	})
	h.must(err)
	return outcome.Operation
}

func TestUnknownApplication_LenderDownForHours_Settled(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{webhooks: true}, func(t *testing.T, g *harness) {
		op := g.start("Rivera-Lost")
		g.must(g.lender.SetFaults(faultsDown()))
		g.advance(3*time.Hour, time.Minute)
		g.must(g.lender.SetFaults(noFaults()))
		g.advance(time.Hour, time.Minute)
		if op, err := g.store.Operation(t.Context(), op.ID); err != nil || op.State != lead.OpConfirmed {
			t.Errorf("got %s, %v, want it settled although the lender was down for hours", op.State, err)
		}
	})
}

// A lost start is found within seconds even when webhooks name thousands of other applications before and after it.
func TestUnknownApplication_Flood_LostStartFoundSoon(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{webhooks: true, processing: 2 * time.Second}, func(t *testing.T, g *harness) {
		name := func(from, to int) {
			for n := from; n < to; n++ {
				app := fmt.Sprintf("%08d-1234-4234-8234-123456789012", n*7919%100_000_000)
				g.must(g.service.ReceiveWebhook(t.Context(), fmt.Appendf(nil, `{"applicationUuid":"%s"}`, app)))
			}
		}
		name(0, 1000)
		time.Sleep(time.Minute)
		op := g.start("Rivera-Lost")
		time.Sleep(5 * time.Second) // its webhook arrives
		name(1000, 2000)
		g.run()
		time.Sleep(5 * time.Second)
		if op, err := g.store.Operation(t.Context(), op.ID); err != nil || op.State != lead.OpConfirmed {
			t.Errorf("got %s, %v, want the lost start found\n", op.State, err)
		}
		backlog, err := g.store.Backlog(t.Context(), time.Now())
		g.must(err)
		if backlog.UnknownApplications == 0 {
			t.Error("the others were dropped or read at once")
		}
		time.Sleep(5 * time.Minute)
		left, err := g.store.UnknownApplicationsDue(t.Context(), time.Now().Add(time.Hour), 9)
		g.must(err)
		if len(left) != 0 {
			t.Errorf("%d applications are still unread", len(left))
		}
	})
}

func TestUnknownApplication_Foreign_Dropped(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		lookAt := func(app heloc.AppID) (forgotten bool) {
			t.Helper()
			g.must(g.service.ReceiveWebhook(t.Context(), fmt.Appendf(nil, `{"at":%d,"applicationUuid":"%s"}`,
				time.Now().UnixNano(), app)))
			g.must(g.service.resolveUnknownApplications(t.Context()))
			left, err := g.store.UnknownApplicationsDue(t.Context(), time.Now().Add(24*time.Hour), 9)
			g.must(err)
			if _, err := g.store.AnyLead(t.Context(), app); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: got %v, want no lead", app, err)
			}
			time.Sleep(time.Millisecond)
			return len(left) == 0
		}
		if !lookAt("12345678-1234-4234-8234-123456789012") {
			t.Error("an application that the lender does not know is stored")
		}
		start := func(reference string) heloc.AppID {
			t.Helper()
			a, err := g.client.Start(t.Context(), partner.Start{
				Originator: heloc.OriginatorID(g.olivia.OriginatorUUID), Reference: reference, Inquiry: inquiry("Rivera"),
			})
			g.must(err)
			return a.AppUUID
		}
		known := g.start("Okafor") // its echo already belongs to a lead
		for name, reference := range map[string]string{
			"no echo": "", "another program's": "APP-1", "nearly ours": "hl-1",
			"ours, of another house": "hl-01ARZ3NDEKTSV4RRFFQ69G5FAV", "that of another lead": known.ID,
		} {
			if !lookAt(start(reference)) {
				t.Errorf("%s: still stored", name)
			}
		}
	})
}

func TestAdopt(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		by := func(o heloc.Originator) store.Adopter {
			return store.Adopter{UserID: "olivia", Name: "Olivia", Scope: access.Scope{OriginatorUUID: string(o.ID)}}
		}
		a, err := g.client.Start(t.Context(), partner.Start{Originator: g.originators[0].ID, Inquiry: inquiry("Rivera")})
		g.must(err)
		app := a.AppUUID
		for _, one := range g.originators[1:] {
			g.transport.set(nil, nil)
			if err := g.service.Adopt(t.Context(), app, by(one)); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: got %v, want not found", one.Email, err)
			}
			if n := g.transport.count("/details/"); n != 1 {
				t.Errorf("%s: got %d requests for the borrower's details, want none", one.Email, n)
			}
		}
		g.must(g.service.Adopt(t.Context(), app, by(g.originators[0])))
		l := g.lead(app)
		name, err := g.vault.UnsealName(app, l.Borrower)
		if err != nil || name.Last != "Rivera" || l.Originator != g.originators[0].ID || !g.finds(l, "rivera") {
			t.Errorf("got %+v of %q, %v", name, l.Originator, err)
		}
		audit, err := g.store.AuditOf(t.Context(), "lead:"+string(app), 9)
		if err != nil || len(audit) != 1 || audit[0].Action != "lead.adopt" {
			t.Errorf("audit: got %+v, %v", audit, err)
		}
		if got := g.eventKinds(app); got != "adopted" {
			t.Errorf("got events %q", got)
		}
		// The lead already exists: adopting it again reads it again and creates no second lead.
		g.must(g.service.Adopt(t.Context(), app, by(g.originators[0])))
		if l := g.lead(app); l.Step != heloc.StepOffersAvailable {
			t.Errorf("got %q", l.Step)
		}
		g.setOriginator(app, g.originators[1].ID)
		if err := g.service.Adopt(t.Context(), app, by(g.originators[1])); !fault.Is(err, fault.Conflict) {
			t.Errorf("after one reading: got %v, want a conflict", err)
		}
		time.Sleep(secondLook)
		g.must(g.service.Adopt(t.Context(), app, by(g.originators[1])))
		if l := g.lead(app); l.Originator != g.originators[1].ID {
			t.Errorf("got %s, want the originator that the lender names", l.Originator)
		}
	})
}

// An application whose id a user pastes may be the lost start.
func TestAdopt_LostStart_Settled(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		op := g.start("Rivera-Lost")
		app := g.lender.Inquiries()[0].AppUUID
		g.transport.set(nil, nil)
		by := store.Adopter{UserID: "olivia", Name: "Olivia", Scope: g.olivia.Scope()}
		g.must(g.service.Adopt(t.Context(), app, by))
		stored, err := g.store.Operation(t.Context(), op.ID)
		g.must(err)
		if stored.State != lead.OpConfirmed || stored.App != app || !g.finds(g.lead(app), "3035550142") {
			t.Errorf("got %s with lead %q, want it settled, with all typed values", stored.State, stored.App)
		}
		if n := g.transport.count("/details/"); n != 1 {
			t.Errorf("got %d requests for the borrower's details, want none, because the name is known", n)
		}
	})
}

func TestEcho_FirstReading_Saved(t *testing.T) {
	t.Parallel()
	echo := func(g *harness) string {
		value, err := g.store.Setting(g.t.Context(), "lender.echo")
		g.must(err)
		return value
	}
	runInSynctest(t, options{processing: time.Second}, func(t *testing.T, g *harness) {
		if got := echo(g); got != "" {
			t.Errorf("before any start: got %q", got)
		}
		op := g.start("Rivera")
		// While it is being processed, the lender may not have the echo yet.
		answer := g.detailsJSON(op.App)
		g.transport.set(nil, func(*http.Request) string { return strings.ReplaceAll(answer, op.ID, "") })
		g.must(g.service.Refresh(t.Context(), op.App))
		if got := echo(g); got != "" {
			t.Errorf("in processing without an echo: got %q, want nothing", got)
		}
		g.transport.set(nil, nil)
		time.Sleep(2 * time.Second)
		g.must(g.service.Refresh(t.Context(), op.App))
		if got := echo(g); got != "yes" {
			t.Errorf("got %q, want yes", got)
		}
		other := g.start("Okafor")
		time.Sleep(2 * time.Second)
		answer = g.detailsJSON(other.App)
		g.transport.set(nil, func(*http.Request) string { return strings.ReplaceAll(answer, other.ID, "") })
		g.must(g.service.Refresh(t.Context(), other.App))
		if got := echo(g); got != "no" {
			t.Errorf("a first step without an echo: got %q, want no", got)
		}
		// Later readings of any lead do not change it.
		g.transport.set(nil, nil)
		g.must(g.service.Refresh(t.Context(), op.App))
		if got := echo(g); got != "no" {
			t.Errorf("got %q, want no until the next start", got)
		}
	})
}
