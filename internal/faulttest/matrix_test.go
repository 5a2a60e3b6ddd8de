package faulttest

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
)

const (
	// observedFor is how long a write is observed.
	observedFor = time.Hour
	// closely is how long the sync runs with all of its loops. After that, what is due is read now and then, which takes
	// less of the processor.
	closely     = 3 * time.Minute
	firstPause  = 30 * time.Second
	laterPause  = 2 * time.Minute
	laterBegins = 10 * time.Minute
)

// runCell sends a write under a fault and observes it.
func runCell(t *testing.T, w write, f Fault, from image) (c cell) {
	c = cell{write: string(w.kind), fault: f.Name}
	synctest.Test(t, func(t *testing.T) {
		p := open(t, from)
		defer p.close()
		p.run()
		time.Sleep(time.Second)
		lines := 0
		if from.app != "" {
			check(t, p.sync.Refresh(t.Context(), from.app))
			lines = len(p.saved(from.app))
		}
		send, err := w.open(p, from.app, false)
		check(t, err)
		p.proxy.Arm(f)
		op, err := send()
		if op.ID == "" {
			t.Fatalf("%s, %s: nothing was sent: %v", w.kind, f.Name, err)
		}
		c.first = op.State
		sent := p.proxy.Writes()
		again, _ := send() // as a user does who is not sure
		c.resent = again.ID != op.ID || p.proxy.Writes() != sent
		if f.Movement != "" {
			time.Sleep(20 * time.Second)
			_ = p.sandbox.Play(p.subject(w, from), f.Movement) // an inquiry that does not exist has no events
		}
		p.observe(observedFor)
		app := p.subject(w, from)
		c.applied = p.applied(w.kind, app, lines)
		op, err = p.store.Operation(t.Context(), op.ID)
		check(t, err)
		c.final = op.State
		if app != "" {
			c.differs = p.difference(app)
			if c.differs == noLead && !from.webhooks && p.lists(op) {
				c.differs = "" // nothing tells the portal which application it was
			}
		}
		c.next = p.next(w, op, app, c.applied > 0)
	})
	return c
}

// subject returns the application that a write is about; empty if there is none.
func (p *portal) subject(w write, from image) heloc.AppID {
	if made := p.inquiries(startName); w.kind == heloc.OpStart && len(made) > 0 {
		return made[len(made)-1]
	}
	return from.app
}

// observe lets time pass.
func (p *portal) observe(d time.Duration) {
	time.Sleep(min(d, closely))
	if d <= closely {
		return
	}
	p.stop()
	for passed, pause := closely, firstPause; passed < d; passed += pause {
		if passed >= laterBegins {
			pause = laterPause
		}
		time.Sleep(pause)
		check(p.t, p.journal.Recover(p.t.Context()))
		due, err := p.store.LeadsDue(p.t.Context(), time.Now(), 10)
		check(p.t, err)
		for _, one := range due {
			_ = p.sync.Refresh(p.t.Context(), one.App) // on error, the lead is due again later
		}
	}
	p.run()
	time.Sleep(30 * time.Second)
	synctest.Wait()
}

// noLead is the difference reported for an application that has no lead.
const noLead = "no lead"

// lists reports whether an operation is on its sender's list of starts with an unknown outcome.
func (p *portal) lists(op lead.Operation) bool {
	all, err := p.store.UnsettledOf(p.t.Context(), store.UserScopeOf(p.actors[op.ActorID]), nil)
	check(p.t, err)
	return slices.ContainsFunc(all, func(one lead.Operation) bool { return one.ID == op.ID })
}

// difference returns how a lead differs from the sandbox's record; empty if it does not.
func (p *portal) difference(app heloc.AppID) string {
	d, err := p.booked(app)
	check(p.t, err)
	row, err := p.store.AnyLead(p.t.Context(), app)
	if fault.Is(err, fault.NotFound) {
		return noLead
	}
	check(p.t, err)
	var found []string
	differs := func(what string, got, want any) {
		if got != want {
			found = append(found, fmt.Sprintf("%s %v, booked %v", what, got, want))
		}
	}
	differs("step", row.Step, d.App.NextInquiryStep)
	differs("originator", row.Originator, d.Originator.UUID)
	differs("canceled", row.CanceledDate, d.App.KeyDates.Canceled)
	differs("history", row.HistoryLength, len(d.App.StatusHistory))
	selected := heloc.Money(0)
	if s := d.App.Underwriting.SelectedOffer; s != nil && s.DrawAmount != nil {
		selected = *s.DrawAmount
	}
	differs("selected", row.SelectedAmount, selected)
	l, err := p.lead("maya", app)
	check(p.t, err)
	seen, err := l.Snapshot(p.t.Context())
	check(p.t, err)
	differs("source", seen.Details.App.UTM.Source, d.App.UTM.Source)
	return strings.Join(found, ", ")
}

// next sends the write that a user would send next, and returns why it was refused.
func (p *portal) next(w write, op lead.Operation, app heloc.AppID, applied bool) string {
	next := w
	if _, err := p.store.AnyLead(p.t.Context(), app); err == nil {
		d, err := p.booked(app)
		check(p.t, err)
		step := d.App.NextInquiryStep
		if step == heloc.StepClosed || step == heloc.StepWithdrawn {
			return nextNone
		}
		if applied {
			next = writeAt(step)
		}
		if next.who == "olivia" && d.Originator.UUID == heloc.OriginatorID(p.actors["marcus"].OriginatorUUID) {
			next.who = "marcus"
		}
	}
	refused := p.sendNext(next, app, false)
	if refused == nil {
		return ""
	}
	if op.State != lead.OpUnknown {
		return refused.Error()
	}
	// The page offers to mark the first write as not received.
	r, err := p.desk.For(p.actors[w.who]).Receipt(p.t.Context(), op.ID)
	if err == nil {
		err = r.Abandon(p.t.Context(), "The lender has not received it")
	}
	if err == nil {
		err = p.sendNext(next, app, false)
	}
	if err != nil {
		return errors.Join(refused, err).Error()
	}
	return nextAbandoned
}

func (p *portal) sendNext(w write, app heloc.AppID, confirmed bool) error {
	send, err := w.open(p, app, confirmed)
	if err != nil {
		return err
	}
	_, err = send()
	if fault.Is(err, fault.Invalid) && !confirmed { // the page says that an earlier one may have arrived
		return p.sendNext(w, app, true)
	}
	return err
}

// writeAt returns the write that a step asks for.
func writeAt(step heloc.Step) write {
	kind := map[heloc.Step]heloc.Operation{
		heloc.StepCreditMatch: heloc.OpAddSSN, heloc.StepUnfreezeCredit: heloc.OpRepullCredit,
		heloc.StepLienMatching: heloc.OpVerifyLiens, heloc.StepMoreAssets: heloc.OpAddIncome,
		heloc.StepPropertyValue: heloc.OpPropertyValue, heloc.StepSelectProperty: heloc.OpSelectProperty,
	}[step]
	for _, w := range writes() {
		if w.kind == cmp.Or(kind, heloc.OpSelectOffer) {
			return w
		}
	}
	panic("no write")
}

// chosen reports whether a quick test run includes a write under a fault, selected by index: every fault still
// covers some of the similar writes or, with the race detector, some of all writes.
func chosen(w write, i, j int) bool {
	switch {
	case raceDetector:
		return (i+j)%24 == 0
	case w.alike():
		return i%4 == j%4
	default:
		return true
	}
}

// TestWrites_UnderEveryFault_VerdictsAndLeads sends every write under every fault and compares what the portal says
// with what the sandbox did. With PORTAL_TEST_SOAK, it runs every combination, and repeats them without webhooks and in
// the live dialect, and some of them on PostgreSQL.
func TestWrites_UnderEveryFault_VerdictsAndLeads(t *testing.T) {
	t.Parallel()
	soak := os.Getenv("PORTAL_TEST_SOAK") != ""
	modes := []mode{{dialect: sandbox.Documented, webhooks: true}}
	if soak {
		modes = append(modes, mode{dialect: sandbox.Documented}, mode{dialect: sandbox.Live, webhooks: true},
			mode{dialect: sandbox.Live}, mode{dialect: sandbox.Documented, postgres: true, webhooks: true},
			mode{dialect: sandbox.Live, postgres: true})
	}
	for _, m := range modes {
		cells := make([][]cell, len(writes()))
		t.Run(m.String(), func(t *testing.T) {
			for i, w := range writes() {
				t.Run(string(w.kind), func(t *testing.T) {
					t.Parallel()
					from := seed(t, m, w.lastName)
					for j, f := range Faults() {
						if soak && !m.postgres || chosen(w, i, j) {
							cells[i] = append(cells[i], runCell(t, w, f, from))
						}
					}
				})
			}
		})
		judge(t, m, slices.Concat(cells...))
	}
}
