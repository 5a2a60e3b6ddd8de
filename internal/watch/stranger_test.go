package watch

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
	"hearthline/internal/hub"
	"hearthline/internal/journal"
	"hearthline/internal/partner"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

func TestReceivingWebhooks(t *testing.T) {
	inBubble(t, options{}, func(t *testing.T, g *rig) {
		app := g.began("Rivera")
		g.must(g.watch.sweep(t.Context()))
		g.drain()
		due := func() bool {
			t.Helper()
			return g.lead(app).RefreshAt <= store.Millis(time.Now())
		}
		if due() {
			t.Fatal("the lead is due before any webhook")
		}
		body := []byte(`{"applicationUuid":"` + strings.ToUpper(string(app)) + `","nextInquiryStepType":"ANYTHING"}`)
		g.must(g.watch.Receive(t.Context(), body))
		hinted := g.lead(app).HintedAt
		if !due() || hinted == 0 || g.lead(app).Step != heloc.StepOffersAvailable {
			t.Errorf("known: due %v, hinted %d, want it due and nothing of the body believed", due(), hinted)
		}
		g.must(g.watch.Refresh(t.Context(), app))
		time.Sleep(time.Second)
		// The same body again is worth a look, and no sign that the lender answered; a flood
		// of them is followed in its time.
		for i := range 4 {
			g.must(g.watch.Receive(t.Context(), body))
			if !due() {
				t.Errorf("time %d: not due, want it read at once", i+2)
			}
			g.must(g.watch.Refresh(t.Context(), app))
		}
		g.must(g.watch.Receive(t.Context(), body))
		if due() {
			t.Error("the sixth time: due at once, want ten seconds after the first")
		}
		time.Sleep(9 * time.Second)
		if !due() || g.lead(app).HintedAt != hinted {
			t.Errorf("twice: due %v, hinted %d, want due and hinted %d", due(), g.lead(app).HintedAt, hinted)
		}
		for name, bad := range map[string][]byte{
			"garbage": []byte("<xml/>"), "empty": nil, "no id": []byte(`{"applicationUuid":"x"}`), "null": []byte(`null`),
			"too long": append(body, make([]byte, 64<<10)...), "deep": []byte(strings.Repeat("[", 60_000)), "an unreadable seal": []byte("a.b.c.d.e"),
		} {
			if err := g.watch.Receive(t.Context(), bad); fault.KindOf(err) != fault.Invalid {
				t.Errorf("%s: got %v, want invalid", name, err)
			}
		}
		stranger := heloc.AppID("12345678-1234-4234-8234-123456789012")
		for i := range 3 {
			g.must(g.watch.Receive(t.Context(), fmt.Appendf(nil, `{"n":%d,"applicationUuid":"%s"}`, i, stranger)))
		}
		due2, err := g.store.StrangersDue(t.Context(), time.Now(), 9)
		g.must(err)
		if len(due2) != 1 || due2[0].App != stranger {
			t.Errorf("got strangers %+v, want one", due2)
		}
	})
}

// An inquiry whose answer was lost becomes the lead of its start, by the webhook alone.
func TestALostStartIsFoundByItsWebhook(t *testing.T) {
	for _, processing := range []time.Duration{0, 1500 * time.Millisecond} {
		inBubble(t, options{processing: processing, webhooks: true, loops: true}, func(t *testing.T, g *rig) {
			changes, leave := g.hub.Subscribe(hub.Originator(g.olivia.OriginatorUUID))
			defer leave()
			op := g.start("Rivera-Lost")
			if op.State != store.OpUnknown || op.App != "" {
				t.Fatalf("got %s with lead %q, want a lost answer", op.State, op.App)
			}
			time.Sleep(10 * time.Second)
			op, err := g.store.Operation(t.Context(), op.ID)
			g.must(err)
			if op.State != store.OpConfirmed || op.App == "" {
				t.Fatalf("got %s with lead %q, want it found\n%s", op.State, op.App, g.log.String())
			}
			l := g.lead(op.App)
			name, err := vault.UnsealJSON[heloc.Name](g.vault, journal.PlaceOfName(l.App), l.Borrower)
			if err != nil || name.Last != "Rivera-Lost" || l.Step != heloc.StepOffersAvailable || !g.findable(l, "rivera") {
				t.Errorf("got %q at %s, %v", name.Last, l.Step, err)
			}
			if len(changes) == 0 {
				t.Error("nobody was told")
			}
			if waits, err := g.store.Waits(t.Context(), heloc.OpStart, 9); err != nil || len(waits) != 0 {
				t.Errorf("got waits %v, %v, want none of a start whose beginning nobody knows", waits, err)
			}
			if got := g.kinds(op.App); got != "started settled step documents" {
				t.Errorf("got events %q", got)
			}
		})
	}
}

// The webhook can be quicker than the answer, which may take longer than any number of
// looks: the stranger is not forgotten while its start runs.
func TestAStrangerWaitsForItsRunningStart(t *testing.T) {
	for _, lost := range []bool{false, true} {
		inBubble(t, options{webhooks: true, loops: true}, func(t *testing.T, g *rig) {
			g.wire.set(nil, nil)
			op := g.slowStart(lost, 14*time.Second)
			time.Sleep(10 * time.Second)
			kept, err := g.store.Operation(t.Context(), op.ID)
			g.must(err)
			want := store.OpSucceeded
			if lost {
				want = store.OpConfirmed
			}
			if kept.State != want || kept.App == "" {
				t.Fatalf("lost %v: got %s with lead %q, want %s", lost, kept.State, kept.App, want)
			}
			if g.lead(kept.App).Step != heloc.StepOffersAvailable {
				t.Errorf("got %q", g.lead(kept.App).Step)
			}
			if left, err := g.store.StrangersDue(t.Context(), time.Now().Add(time.Hour), 9); err != nil || len(left) != 0 {
				t.Errorf("got strangers %+v, %v, want none left", left, err)
			}
		})
	}
}

// slowStart starts an inquiry that the lender makes at once and answers late, or never.
func (g *rig) slowStart(lost bool, late time.Duration) store.Operation {
	g.t.Helper()
	intent := journal.Intent{
		Ticket: g.journal.Ticket(g.olivia, heloc.OpStart, "", "new"), Kind: heloc.OpStart, Actor: g.olivia, Content: []string{"x"},
	}
	op, err := g.journal.Run(g.t.Context(), intent, func(ctx context.Context, id string) journal.Outcome {
		a, err := g.client.Start(ctx, partner.Start{Originator: heloc.OriginatorID(g.olivia.OriginatorUUID), Reference: id, Inquiry: inquiry("Rivera")})
		time.Sleep(late)
		if lost {
			return journal.Outcome{State: store.OpUnknown}
		}
		return outcomeOf(a, err)
	}, g.journal.Bear)
	g.must(err)
	return op
}

func TestALostStartIsFoundAfterALongSilence(t *testing.T) {
	inBubble(t, options{webhooks: true}, func(t *testing.T, g *rig) {
		op := g.start("Rivera-Lost")
		g.must(g.lender.SetFaults(sandbox503()))
		g.live(3*time.Hour, time.Minute)
		g.must(g.lender.SetFaults(sandboxWell()))
		g.live(time.Hour, time.Minute)
		if op, err := g.store.Operation(t.Context(), op.ID); err != nil || op.State != store.OpConfirmed {
			t.Errorf("got %s, %v, want it found although the lender was down for hours", op.State, err)
		}
	})
}

func TestAForeignStrangerIsForgotten(t *testing.T) {
	inBubble(t, options{}, func(t *testing.T, g *rig) {
		lookAt := func(app heloc.AppID) (forgotten bool) {
			t.Helper()
			g.must(g.watch.Receive(t.Context(), fmt.Appendf(nil, `{"at":%d,"applicationUuid":"%s"}`, time.Now().UnixNano(), app)))
			g.must(g.watch.meetStrangers(t.Context()))
			left, err := g.store.StrangersDue(t.Context(), time.Now().Add(24*time.Hour), 9)
			g.must(err)
			if _, err := g.store.AnyLead(t.Context(), app); fault.KindOf(err) != fault.NotFound {
				t.Errorf("%s: got %v, want no lead", app, err)
			}
			time.Sleep(time.Millisecond)
			return len(left) == 0
		}
		if !lookAt("12345678-1234-4234-8234-123456789012") {
			t.Error("an application that the lender does not know is remembered")
		}
		start := func(reference string) heloc.AppID {
			t.Helper()
			a, err := g.client.Start(t.Context(), partner.Start{
				Originator: heloc.OriginatorID(g.olivia.OriginatorUUID), Reference: reference, Inquiry: inquiry("Rivera"),
			})
			g.must(err)
			return a.AppUUID
		}
		known := g.start("Okafor") // its echo is taken already
		for name, reference := range map[string]string{
			"no echo": "", "another program's": "APP-1", "nearly ours": "hl-1", "ours, of another house": "hl-01ARZ3NDEKTSV4RRFFQ69G5FAV", "that of another lead": known.ID,
		} {
			if !lookAt(start(reference)) {
				t.Errorf("%s: remembered", name)
			}
		}
	})
}

func TestAdopting(t *testing.T) {
	inBubble(t, options{}, func(t *testing.T, g *rig) {
		by := func(o heloc.Originator) store.Adopter {
			return store.Adopter{UserID: "olivia", Name: "Olivia", Reach: access.Scope{OriginatorUUID: string(o.ID)}}
		}
		a, err := g.client.Start(t.Context(), partner.Start{Originator: g.home[0].ID, Inquiry: inquiry("Rivera")})
		g.must(err)
		app := a.AppUUID
		for _, one := range g.home[1:] {
			g.wire.set(nil, nil)
			if err := g.watch.Adopt(t.Context(), app, by(one)); fault.KindOf(err) != fault.NotFound {
				t.Errorf("%s: got %v, want not found", one.Email, err)
			}
			if n := g.wire.count("/details/"); n != 1 {
				t.Errorf("%s: %d calls, want the borrower's details left alone", one.Email, n)
			}
		}
		g.must(g.watch.Adopt(t.Context(), app, by(g.home[0])))
		l := g.lead(app)
		name, err := vault.UnsealJSON[heloc.Name](g.vault, journal.PlaceOfName(app), l.Borrower)
		if err != nil || name.Last != "Rivera" || l.Originator != g.home[0].ID || !g.findable(l, "rivera") {
			t.Errorf("got %+v of %q, %v", name, l.Originator, err)
		}
		audit, err := g.store.AuditOf(t.Context(), "lead:"+string(app), 9)
		if err != nil || len(audit) != 1 || audit[0].Action != "lead.adopt" {
			t.Errorf("audit: got %+v, %v", audit, err)
		}
		if got := g.kinds(app); got != "adopted" {
			t.Errorf("got events %q", got)
		}
		// It stands already: adopting it again reads it anew and makes no second one.
		g.must(g.watch.Adopt(t.Context(), app, by(g.home[0])))
		if l := g.lead(app); l.Step != heloc.StepOffersAvailable {
			t.Errorf("got %q", l.Step)
		}
		g.nowOf(app, g.home[1].ID)
		g.must(g.watch.Adopt(t.Context(), app, by(g.home[1])))
		if l := g.lead(app); l.Originator != g.home[1].ID {
			t.Errorf("got %s, want the lead with whom the lender names", l.Originator)
		}
	})
}

// An application whose id somebody pastes may be the lost start itself.
func TestAdoptingALostStartSettlesIt(t *testing.T) {
	inBubble(t, options{}, func(t *testing.T, g *rig) {
		op := g.start("Rivera-Lost")
		app := g.lender.Inquiries()[0].AppUUID
		g.wire.set(nil, nil)
		by := store.Adopter{UserID: "olivia", Name: "Olivia", Reach: g.olivia.Scope()}
		g.must(g.watch.Adopt(t.Context(), app, by))
		kept, err := g.store.Operation(t.Context(), op.ID)
		g.must(err)
		if kept.State != store.OpConfirmed || kept.App != app || !g.findable(g.lead(app), "3035550142") {
			t.Errorf("got %s with lead %q, want it settled, with all that was typed", kept.State, kept.App)
		}
		if n := g.wire.count("/details/"); n != 1 {
			t.Errorf("%d calls, want the borrower's details left alone: the name is ours", n)
		}
	})
}

func TestTheEchoIsRemembered(t *testing.T) {
	echo := func(g *rig) string {
		value, err := g.store.Setting(g.t.Context(), "lender.echo")
		g.must(err)
		return value
	}
	inBubble(t, options{processing: time.Second}, func(t *testing.T, g *rig) {
		if got := echo(g); got != "" {
			t.Errorf("before any start: got %q", got)
		}
		op := g.start("Rivera")
		// While it is processed the lender may not have it yet.
		answer := g.details(op.App)
		g.wire.set(nil, func(*http.Request) string { return strings.ReplaceAll(answer, op.ID, "") })
		g.must(g.watch.Refresh(t.Context(), op.App))
		if got := echo(g); got != "" {
			t.Errorf("in processing without an echo: got %q, want nothing said", got)
		}
		g.wire.set(nil, nil)
		time.Sleep(2 * time.Second)
		g.must(g.watch.Refresh(t.Context(), op.App))
		if got := echo(g); got != "yes" {
			t.Errorf("got %q, want yes", got)
		}
		other := g.start("Okafor")
		time.Sleep(2 * time.Second)
		answer = g.details(other.App)
		g.wire.set(nil, func(*http.Request) string { return strings.ReplaceAll(answer, other.ID, "") })
		g.must(g.watch.Refresh(t.Context(), other.App))
		if got := echo(g); got != "no" {
			t.Errorf("a first step without an echo: got %q, want no", got)
		}
		// Later readings, of whatever lead, change nothing of it.
		g.wire.set(nil, nil)
		g.must(g.watch.Refresh(t.Context(), op.App))
		if got := echo(g); got != "no" {
			t.Errorf("got %q, want no until the next start", got)
		}
	})
}
