package lendersync

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/pii"
	"hearthline/internal/store"
)

// write is one operation, and the inquiry that it is sent for.
type write struct {
	name     string
	lastName string
	kind     heloc.Operation
	thaw     bool // the borrower lifts the freeze first
	send     func(g *harness, app heloc.AppID) func(context.Context, heloc.OriginatorID) (partner.WriteResult, error)
	to       heloc.Step
	attempt  int
}

func writes() []write {
	type sending = func(context.Context, heloc.OriginatorID) (partner.WriteResult, error)
	dollars := func(n int64) *heloc.Money { return new(heloc.Dollars(n)) }
	income := heloc.Income{EmploymentType: heloc.EmploymentFullTime, GrossAnnual: dollars(196_000),
		Savings: dollars(150_000)}
	ssn := func(number string) func(*harness, heloc.AppID) sending {
		return func(g *harness, app heloc.AppID) sending {
			return func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
				return g.client.AddSSN(ctx, app, by, pii.Wrap(number))
			}
		}
	}
	repull := func(g *harness, app heloc.AppID) sending {
		return func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return g.client.RepullCredit(ctx, app, by)
		}
	}
	return []write{
		{"add-ssn", "Rivera-Match", heloc.OpAddSSN, false, ssn("512-44-9981"), heloc.StepOffersAvailable, 1},
		{"repull-credit", "Rivera-Frozen", heloc.OpRepullCredit, true, repull, heloc.StepOffersAvailable, 1},
		{"verify-liens", "Rivera-Liens", heloc.OpVerifyLiens, false, func(g *harness, app heloc.AppID) sending {
			return func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
				found, err := g.client.Details(ctx, app)
				g.must(err)
				return g.client.VerifyLiens(ctx, app, by, []heloc.LienInput{{
					LienUUID: found.Value.App.Liens[0].LienUUID, LenderName: "Meridian Home Loans", OriginalBalance: dollars(310_000),
					OriginationDate: "2019-05-01",
				}})
			}
		}, heloc.StepOffersAvailable, 1},
		{"add-income", "Rivera-Assets", heloc.OpAddIncome, false, func(g *harness, app heloc.AppID) sending {
			return func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
				return g.client.AddIncome(ctx, app, by, income)
			}
		}, heloc.StepOffersAvailable, 1},
		{"asset-depletion", "Rivera-Assets", heloc.OpAssetDepletion, false, func(g *harness, app heloc.AppID) sending {
			return func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
				return g.client.AssetDepletion(ctx, app, by, heloc.AssetDepletion{Income: income})
			}
		}, heloc.StepOffersAvailable, 1},
		{"add-property-estimate", "Rivera-Value", heloc.OpPropertyValue, false, func(g *harness, app heloc.AppID) sending {
			return func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
				return g.client.AddPropertyEstimate(ctx, app, by, heloc.Dollars(715_000))
			}
		}, heloc.StepOffersAvailable, 1},
		{"select-property", "Rivera-Unit", heloc.OpSelectProperty, false, func(g *harness, app heloc.AppID) sending {
			return func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
				found, err := g.client.Properties(ctx, app)
				g.must(err)
				return g.client.SelectProperty(ctx, app, by, found.Value.Properties[1].ID)
			}
		}, heloc.StepOffersAvailable, 1},
		{"select-offer", "Rivera", heloc.OpSelectOffer, false, func(g *harness, app heloc.AppID) sending {
			return func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
				found, err := g.client.Details(ctx, app)
				g.must(err)
				return g.client.SelectOffer(ctx, app, by,
					heloc.OfferSelection{OfferUUID: found.Value.App.Underwriting.Offers[0].UUID, Amount: heloc.Dollars(50_000)})
			}
		}, heloc.StepBorrowerAuth, 1},
		{"cancel", "Rivera-Liens", heloc.OpCancel, false, func(g *harness, app heloc.AppID) sending {
			return func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
				return g.client.Cancel(ctx, app, by)
			}
		}, heloc.StepClosed, 1},
		// Here the lender does ask again, and the page must show it once.
		{"an SSN that finds nobody", "Rivera-Match", heloc.OpAddSSN, false, ssn("512-44-0000"), heloc.StepCreditMatch, 2},
		{"a re-pull of frozen credit", "Rivera-Frozen", heloc.OpRepullCredit, false, repull, heloc.StepUnfreezeCredit, 2},
	}
}

// A fast lender sends its webhook and shows the new step before its response to the write arrives. That is one
// answer, and not one answer followed by the same request again.
func TestWrite_WebhookBeforeResponse_AnsweredOnce(t *testing.T) {
	t.Parallel()
	for _, delay := range []time.Duration{0, 2 * time.Second} {
		for _, tt := range writes() {
			t.Run(tt.name+" delayed "+delay.String(), func(t *testing.T) {
				t.Parallel()
				runInSynctest(t, options{processing: 100 * time.Millisecond, webhooks: true, loops: true},
					func(t *testing.T, g *harness) {
						answeredOnce(t, g, tt, delay)
					})
			})
		}
	}
}

func answeredOnce(t *testing.T, g *harness, tt write, delay time.Duration) {
	app := g.start(tt.lastName).App
	time.Sleep(3 * time.Second)
	if tt.thaw {
		g.must(g.lender.Play(app, "thaw"))
		time.Sleep(3 * time.Second)
	}
	earlier := len(g.events(app))
	g.transport.mu.Lock()
	g.transport.hold = func(r *http.Request) {
		if r.Method != http.MethodGet && strings.HasSuffix(r.URL.Path, "/"+string(tt.kind)) {
			time.Sleep(delay)
		}
	}
	g.transport.mu.Unlock()
	op, err := g.runOperation(app, tt.kind, tt.send(g, app))
	g.must(err)
	if op.State != lead.OpSucceeded {
		t.Fatalf("got %s, want accepted", op.State)
	}
	if delay > time.Second && tt.attempt == 1 {
		l := g.lead(app)
		if l.Step != tt.to || l.PendingUntil != 0 || l.StatusKey == heloc.StatusInProgress {
			t.Errorf("after the response: got %q as %s until %d, want %q and not the lender's move",
				l.Step, l.StatusKey, l.PendingUntil, tt.to)
		}
	}
	time.Sleep(5 * time.Second)
	l := g.lead(app)
	if l.Step != tt.to || l.Attempt != tt.attempt || l.PendingOp != "" || l.PendingUntil != 0 {
		t.Errorf("got %q, attempt %d, pending %q until %d; want %q, attempt %d",
			l.Step, l.Attempt, l.PendingOp, l.PendingUntil, tt.to, tt.attempt)
	}
	again, steps := 0, 0
	for _, e := range g.events(app)[earlier:] {
		switch e.Kind {
		case lead.EventAskedAgain:
			again++
		case lead.EventStep:
			steps++
		}
	}
	if again != tt.attempt-1 || again+steps != 1 {
		t.Errorf("got %q, want one answer", g.eventKinds(app))
	}
	stored, err := g.store.Operation(t.Context(), op.ID)
	g.must(err)
	if stored.StepChangedAt == 0 || stored.StepAfter != tt.to {
		t.Errorf("the receipt shows a move to %q at %d, want %q", stored.StepAfter, stored.StepChangedAt, tt.to)
	}
	inbox, err := g.store.Notices(t.Context(), store.UserScopeOf(g.olivia), "")
	g.must(err)
	for _, n := range inbox.Notices {
		if n.Kind == lead.NoticeEnded {
			t.Errorf("the user who canceled is notified of an end from elsewhere")
		}
	}
}
