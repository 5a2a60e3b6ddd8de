package lendersync

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// selectShown selects an offer of a kind for $50,000 after the borrower was shown it with the figures of a model.
func (h *harness) selectShown(app heloc.AppID, kind heloc.OfferRateType, model heloc.PaymentModel) {
	h.t.Helper()
	found, err := h.client.Details(h.t.Context(), app)
	h.must(err)
	offers := found.Value.App.Underwriting.Offers
	offer, draw := offers[slices.IndexFunc(offers, func(o heloc.Offer) bool { return o.RateType == kind })],
		heloc.Dollars(50_000)
	at := model.Price(draw, offer, offer.Rate)
	payment, loan, fee := at.Payment(), at.Loan(), at.FeeAmount()
	check := lead.FigureCheck{App: app, Company: h.lead(app).Company, Offer: offer.UUID, ShownAt: store.Millis(time.Now())}
	check.SetShown(heloc.OfferFigures{RateType: kind, Amount: &draw, Rate: offer.Rate, Payment: &payment,
		LoanAmount: &loan, Fee: &fee})
	intent := journal.Intent{
		OperationID: h.journal.NewOperationID(h.olivia, heloc.OpSelectOffer, app, journal.StepFingerprint(h.lead(app))),
		Kind:        heloc.OpSelectOffer, Actor: h.olivia, App: app,
		Prepare: func(ctx context.Context, tx *store.Tx, _ lead.Row, id string) error {
			sealed, err := vault.SealJSON(h.vault, vault.ChoiceAAD(id), journal.ChosenOffer{Offer: offer.UUID})
			if err != nil {
				return err
			}
			check.OpID = id
			if err := tx.AddChoice(ctx, store.Choice{OpID: id, App: app, Kind: heloc.OpSelectOffer, Sealed: sealed,
				At: check.ShownAt}); err != nil {
				return err
			}
			return tx.AddFigureCheck(ctx, check)
		},
	}
	_, err = h.journal.Execute(h.t.Context(), intent, func(ctx context.Context, _ string) heloc.CallResult {
		return partner.ResultOf(h.client.SelectOffer(ctx, app, heloc.OriginatorID(h.olivia.OriginatorUUID),
			heloc.OfferSelection{OfferUUID: offer.UUID, Amount: draw}))
	})
	h.must(err)
}

func (h *harness) figureCheck(app heloc.AppID) lead.FigureCheck {
	h.t.Helper()
	c, err := h.store.FigureCheck(h.t.Context(), app)
	h.must(err)
	if c == nil {
		h.t.Fatal("got no check")
	}
	return *c
}

// booked returns the lender's details with changes of the inquiry and its selected offer.
func (h *harness) booked(app heloc.AppID, change func(inquiry, selected map[string]any)) string {
	h.t.Helper()
	var tree map[string]any
	h.must(json.Unmarshal([]byte(h.detailsJSON(app)), &tree))
	top := tree
	if data, ok := tree["data"].(map[string]any); ok {
		top = data
	}
	inquiry := top["appData"].(map[string]any)
	change(inquiry, inquiry["underwriting"].(map[string]any)["selectedOffer"].(map[string]any))
	body, err := json.Marshal(tree)
	h.must(err)
	return string(body)
}

// readingOf is a reading of the lender's details, a while after the one before.
type readingOf struct {
	after  time.Duration
	change func(inquiry, selected map[string]any)
}

// TestCheckFigures_Readings reads the selected offer in different states. The borrower was shown what the lender books.
func TestCheckFigures_Readings(t *testing.T) {
	t.Parallel()
	set := func(name string, value any) func(_, selected map[string]any) {
		return func(_, selected map[string]any) { selected[name] = value }
	}
	step := func(value any) func(inquiry, selected map[string]any) {
		return func(inquiry, selected map[string]any) {
			inquiry["nextInquiryStep"], selected["estimatedMonthlyPayment"] = value, 999.99
		}
	}
	asBooked := func(_, _ map[string]any) {}
	wrong := set("estimatedMonthlyPayment", 999.99)
	for _, tt := range []struct {
		name      string
		readings  []readingOf
		want      heloc.FigureOutcome
		confirmed bool
	}{
		{"the same", []readingOf{{0, asBooked}}, heloc.FiguresMatched, true},
		{"another payment once", []readingOf{{0, wrong}}, heloc.FiguresDiffered, false},
		{"another payment twice", []readingOf{{0, wrong}, {secondLook, wrong}}, heloc.FiguresDiffered, true},
		{"another payment twice, too soon", []readingOf{{0, wrong}, {secondLook - time.Second, wrong}},
			heloc.FiguresDiffered, false},
		{"too soon, and later", []readingOf{{0, wrong}, {time.Second, wrong}, {secondLook, wrong}},
			heloc.FiguresDiffered, true},
		{"two other payments", []readingOf{{0, wrong}, {secondLook, set("estimatedMonthlyPayment", 888)}},
			heloc.FiguresDiffered, false},
		{"once, then the same as shown", []readingOf{{0, wrong}, {secondLook, asBooked}}, heloc.FiguresMatched, true},
		{"a later reading", []readingOf{{0, wrong}, {secondLook, wrong}, {time.Hour, asBooked}}, heloc.FiguresDiffered, true},
		{"another rate twice", []readingOf{{0, set("rate", 12.5)}, {secondLook, set("rate", 12.5)}},
			heloc.FiguresIncomparable, true},
		{"another amount once", []readingOf{{0, set("drawAmount", 40_000)}, {secondLook, asBooked}},
			heloc.FiguresMatched, true},
		{"no payment", []readingOf{{0, set("estimatedMonthlyPayment", nil)}}, "", false},
		{"no payment in between", []readingOf{{0, wrong}, {time.Second, set("estimatedMonthlyPayment", nil)},
			{secondLook, wrong}}, heloc.FiguresDiffered, true},
		{"a loan below the draw", []readingOf{{0, set("loanAmount", 10)}}, "", false},
		{"another offer", []readingOf{{0, set("offerUuid", "99999999-9999-4999-8999-999999999999")}}, "", false},
		{"another rate type", []readingOf{{0, set("rateType", "FLOATING")}}, "", false},
		{"offers are open", []readingOf{{0, step("OFFERS_AVAILABLE")}}, "", false},
		{"still processing", []readingOf{{0, step("UNKNOWN")}}, "", false},
		{"no step", []readingOf{{0, step(nil)}}, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			runInSynctest(t, options{}, func(t *testing.T, g *harness) {
				app := g.startAndRead("Rivera")
				g.selectShown(app, heloc.RateFixed, heloc.PaymentModel{Fee: heloc.FeeAdded})
				time.Sleep(time.Second)
				for _, r := range tt.readings {
					time.Sleep(r.after)
					g.setAnswer("/details/", g.booked(app, r.change))
					g.must(g.service.Refresh(t.Context(), app))
					g.transport.set(nil, nil)
				}
				got := g.figureCheck(app)
				if got.Outcome != tt.want || (got.ConfirmedAt != 0) != tt.confirmed {
					t.Errorf("got %q, confirmed at %d; want %q, confirmed: %v", got.Outcome, got.ConfirmedAt, tt.want, tt.confirmed)
				}
				due := g.lead(app).RefreshAt - store.Millis(time.Now())
				if waits := got.ComparedAt != 0 && got.ConfirmedAt == 0; waits && due > secondLook.Milliseconds() {
					t.Errorf("a difference waits, and the lead is read again in %d ms", due)
				}
			})
		})
	}
}

// TestCheckFigures_NewSelectionProcessing_NotComparedWithTheOldOne: until the lender answers the new selection, it
// shows the offer selected before.
func TestCheckFigures_NewSelectionProcessing_NotComparedWithTheOldOne(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app, model := g.startAndRead("Rivera"), heloc.PaymentModel{Fee: heloc.FeeAdded}
		g.selectShown(app, heloc.RateFixed, model)
		time.Sleep(secondLook)
		g.must(g.service.Refresh(t.Context(), app))
		if got := g.figureCheck(app); got.Outcome != heloc.FiguresMatched {
			t.Fatalf("got %q, want a match", got.Outcome)
		}
		before := g.detailsJSON(app)
		model.Fee = heloc.FeeDeducted
		g.selectShown(app, heloc.RateFixed, model)
		time.Sleep(time.Second)
		g.setAnswer("/details/", before)
		g.must(g.service.Refresh(t.Context(), app))
		if got := g.figureCheck(app); g.lead(app).PendingOp == "" || got.ComparedAt != 0 {
			t.Errorf("the new selection, %q, is compared with the old one: %+v", g.lead(app).PendingOp, got)
		}
		g.transport.set(nil, nil)
		time.Sleep(time.Second)
		g.must(g.service.Refresh(t.Context(), app))
		if got := g.figureCheck(app); got.Outcome != heloc.FiguresDiffered {
			t.Errorf("the new selection: got %q, want a difference", got.Outcome)
		}
	})
}

// TestCheckFigures_ThreeLeadsInARow_PaymentsStopped: a match in between counts, a difference that was read once does
// not.
func TestCheckFigures_ThreeLeadsInARow_PaymentsStopped(t *testing.T) {
	t.Parallel()
	right, wrong := heloc.PaymentModel{Fee: heloc.FeeAdded},
		heloc.PaymentModel{Fee: heloc.FeeAdded, Variable: heloc.VariableAmortizing}
	const once, twice = 1, 2
	type selection struct {
		model    heloc.PaymentModel
		readings int
	}
	for _, tt := range []struct {
		name    string
		leads   []selection
		stopped bool
	}{
		{"two", []selection{{wrong, twice}, {wrong, twice}}, false},
		{"three", []selection{{wrong, twice}, {wrong, twice}, {wrong, twice}}, true},
		{"a match in between", []selection{{wrong, twice}, {wrong, twice}, {right, twice}, {wrong, twice}}, false},
		{"three after a match", []selection{{right, once}, {wrong, twice}, {wrong, twice}, {wrong, twice}}, true},
		{"the third one read once", []selection{{wrong, twice}, {wrong, twice}, {wrong, once}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			runInSynctest(t, options{}, func(t *testing.T, g *harness) {
				for i, one := range tt.leads {
					app := g.startAndRead(fmt.Sprint("Rivera", string(rune('a'+i))))
					g.selectShown(app, heloc.RateFloating, one.model)
					for range one.readings {
						time.Sleep(secondLook)
						g.must(g.service.Refresh(t.Context(), app))
					}
				}
				unconfirmed, err := g.store.UnconfirmedPayments(t.Context())
				g.must(err)
				if slices.Contains(unconfirmed, heloc.RateFloating) != tt.stopped || slices.Contains(unconfirmed, heloc.RateFixed) {
					t.Errorf("got %v, want variable payments stopped: %v", unconfirmed, tt.stopped)
				}
				audited, err := g.store.Audits(t.Context(), store.AuditQuery{Action: store.ActionPaymentsStop, Limit: 9})
				if err != nil || (len(audited) == 1) != tt.stopped ||
					strings.Contains(g.log.String(), "no longer estimated") != tt.stopped {
					t.Errorf("got %d audit rows, %v", len(audited), err)
				}
			})
		})
	}
}

// TestCheckFigures_Confirmed_CountsLaterLeadsOnly: leads from before the confirmation do not count.
func TestCheckFigures_Confirmed_CountsLaterLeadsOnly(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		wrong, n := heloc.PaymentModel{Fee: heloc.FeeDeducted}, 0
		addWrong := func() (stopped bool) {
			n++
			app := g.startAndRead(fmt.Sprint("Rivera", string(rune('a'+n))))
			g.selectShown(app, heloc.RateFixed, wrong)
			for range 2 {
				time.Sleep(secondLook)
				g.must(g.service.Refresh(t.Context(), app))
			}
			unconfirmed, err := g.store.UnconfirmedPayments(t.Context())
			g.must(err)
			return len(unconfirmed) > 0
		}
		for round := range 2 {
			for i := range lead.WrongPaymentsToStop {
				if stopped, want := addWrong(), i == lead.WrongPaymentsToStop-1; stopped != want {
					t.Errorf("round %d, lead %d: stopped %v, want %v", round, i, stopped, want)
				}
			}
			g.write(func(tx *store.Tx) error {
				_, err := tx.ConfirmPayments(t.Context(), heloc.RateFixed, time.Now())
				return err
			})
		}
	})
}
