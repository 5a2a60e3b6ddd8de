package lendersync

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// sendLost sends an operation whose response is lost. It reaches the lender only if arrives is set.
func (h *harness) sendLost(app heloc.AppID, tt write, arrives bool) lead.Operation {
	h.t.Helper()
	op, err := h.runOperation(app, tt.kind, func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
		if arrives {
			_, err := tt.send(h, app)(ctx, by)
			h.must(err)
		}
		return partner.WriteResult{}, errors.New("lost")
	})
	h.must(err)
	if op.State != lead.OpUnknown {
		h.t.Fatalf("got %s, want unknown", op.State)
	}
	return op
}

// The lead changes because of the lost write, for another reason, or not at all. If nothing distinguishes the first
// two cases, the receipt must not do so either.
func TestSettle_LeadMoved_ConfirmedByItsOwnEvidenceAlone(t *testing.T) {
	t.Parallel()
	for _, tt := range writes() {
		if tt.attempt != 1 {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			runInSynctest(t, options{processing: 100 * time.Millisecond, webhooks: true, loops: true}, func(t *testing.T,
				g *harness) {
				app := g.start(tt.lastName).App
				time.Sleep(3 * time.Second)
				if tt.thaw {
					g.must(g.lender.Play(app, "thaw"))
					time.Sleep(3 * time.Second)
				}
				op := g.sendLost(app, tt, true)
				time.Sleep(5 * time.Minute)
				stored, err := g.store.Operation(t.Context(), op.ID)
				g.must(err)
				want := lead.OpUnknown
				if tt.kind == heloc.OpCancel {
					want = lead.OpConfirmed
				}
				if stored.State != want {
					t.Errorf("got %s, want %s", stored.State, want)
				}
				if want == lead.OpUnknown && (stored.StepChangedAt == 0 || stored.StepAfter != tt.to) {
					t.Errorf("moved on to %q at %d, want %q", stored.StepAfter, stored.StepChangedAt, tt.to)
				}
				if l := g.lead(app); l.Step != tt.to || l.Attempt != 1 {
					t.Errorf("got %q, attempt %d", l.Step, l.Attempt)
				}
				// Frequent polling would not find out more.
				g.transport.set(nil, nil)
				time.Sleep(10 * time.Minute)
				if n := g.transport.count("/details/"); n > 8 {
					t.Errorf("got %d requests in ten minutes", n)
				}
			})
		})
	}
}

func TestSettle_SelectOffer_ConfirmedByThatVeryOffer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		named int // index of the offer that was sent
		took  int // index of the offer that the lender shows as selected
		want  lead.OpState
	}{{"that offer", 0, 0, lead.OpConfirmed}, {"another offer", 0, 1, lead.OpUnknown}} {
		runInSynctest(t, options{}, func(t *testing.T, g *harness) {
			app := g.startAndRead("Rivera")
			g.must(g.service.Refresh(t.Context(), app))
			offers := savedPart[heloc.Details](g, app, lead.PartDetails).App.Underwriting.Offers
			op := g.sendLost(app, write{kind: heloc.OpSelectOffer, send: func(g *harness, app heloc.AppID) func(context.Context,
				heloc.OriginatorID) (partner.WriteResult, error) {
				return func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
					return g.client.SelectOffer(ctx, app, by,
						heloc.OfferSelection{OfferUUID: offers[tt.took].UUID, Amount: heloc.Dollars(50_000)})
				}
			}}, true)
			sealed, err := vault.SealJSON(g.vault, vault.ChoiceAAD(op.ID), journal.ChosenOffer{Offer: offers[tt.named].UUID})
			g.must(err)
			g.write(func(tx *store.Tx) error {
				return tx.AddChoice(t.Context(), store.Choice{OpID: op.ID, App: app, Kind: op.Kind, Sealed: sealed, At: op.SentAt})
			})
			time.Sleep(5 * time.Second)
			g.must(g.service.Refresh(t.Context(), app))
			if now, err := g.store.Operation(t.Context(), op.ID); err != nil || now.State != tt.want {
				t.Errorf("%s: got %s, %v, want %s", tt.name, now.State, err, tt.want)
			}
			// A selection that may not be ours does not count as what the borrower chose.
			row, err := g.store.LastChoice(t.Context(), app, heloc.OpSelectOffer)
			if g.must(err); (row != nil) != (tt.want == lead.OpConfirmed) {
				t.Errorf("%s: got choice %v", tt.name, row)
			}
		})
	}
}

// The lead changes for another reason: the lost write never arrived.
func TestSettle_LeadMovedForOtherReason_NotConfirmed(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera-Match")
		op := g.sendLost(app, write{kind: heloc.OpAddSSN}, false)
		g.must(g.lender.Play(app, "condition"))
		time.Sleep(time.Second)
		g.advance(time.Hour, time.Minute)
		now, err := g.store.Operation(t.Context(), op.ID)
		if g.must(err); now.State != lead.OpUnknown || now.StepChangedAt == 0 {
			t.Errorf("got %s, moved on at %d; want unknown, and moved on", now.State, now.StepChangedAt)
		}
	})
}

// TestSettle_CalledWithoutEffect_CorrectedWhenItShows makes the lender apply a write that its answer, or a user, said
// had no effect.
func TestSettle_CalledWithoutEffect_CorrectedWhenItShows(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		kind    heloc.Operation
		abandon bool // the answer is lost, and a user marks it as not received; otherwise the lender refuses it
		later   bool // another one of the kind is accepted after it
		wait    time.Duration
		want    lead.OpState
	}{
		{"refused cancellation", heloc.OpCancel, false, false, time.Minute, lead.OpConfirmed},
		{"abandoned cancellation", heloc.OpCancel, true, false, time.Minute, lead.OpConfirmed},
		{"refused reassignment", heloc.OpReassign, false, false, time.Minute, lead.OpConfirmed},
		{"refused, and accepted later", heloc.OpCancel, false, true, time.Minute, lead.OpRejected},
		{"long ago", heloc.OpCancel, false, false, 15 * 24 * time.Hour, lead.OpRejected},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			runInSynctest(t, options{}, func(t *testing.T, g *harness) {
				app := g.startAndRead("Rivera")
				effect := func() {
					var err error
					if tt.kind == heloc.OpReassign {
						_, err = g.client.Reassign(t.Context(), app, g.originators[1].ID)
					} else {
						_, err = g.client.Cancel(t.Context(), app, g.originators[0].ID)
					}
					g.must(err)
				}
				op := g.sendDenied(app, tt.kind, tt.abandon)
				time.Sleep(time.Second)
				if tt.later {
					_, err := g.runOperation(app, tt.kind,
						func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
							return g.client.Cancel(ctx, app, by)
						})
					g.must(err)
				}
				time.Sleep(tt.wait)
				if !tt.later {
					effect()
				}
				time.Sleep(time.Second)
				g.readTwice(app)
				now, err := g.store.Operation(t.Context(), op.ID)
				g.must(err)
				corrected := tt.want == lead.OpConfirmed
				if now.State != tt.want || (now.CorrectedAt != 0) != corrected {
					t.Errorf("got %s, corrected at %d, want %s", now.State, now.CorrectedAt, tt.want)
				}
				told := slices.Contains(g.noticesOf(g.olivia.UserID, g.lead(app).Company), "corrected "+string(tt.kind))
				if told != corrected {
					t.Errorf("the sender was told: %v, want %v", told, corrected)
				}
			})
		})
	}
}

// sendDenied sends an operation that, according to its answer or a user, has no effect.
func (h *harness) sendDenied(app heloc.AppID, kind heloc.Operation, abandon bool) lead.Operation {
	h.t.Helper()
	intent := journal.Intent{OperationID: h.journal.NewOperationID(h.olivia, kind, app,
		journal.StepFingerprint(h.lead(app))), Kind: kind, Actor: h.olivia, App: app, Target: h.originators[1].ID}
	got := heloc.CallResult{Reach: heloc.ReachAnswer, Status: http.StatusConflict}
	if abandon {
		got = heloc.CallResult{Reach: heloc.ReachSent}
	}
	outcome, err := h.journal.Execute(h.t.Context(), intent,
		func(context.Context, string) heloc.CallResult { return got })
	h.must(err)
	if abandon {
		h.must(h.journal.Abandon(h.t.Context(), outcome.Operation.ID, h.olivia.UserID, "The lender said so."))
	}
	return outcome.Operation
}
