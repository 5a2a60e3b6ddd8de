package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// shownFigures are figures of which one is unknown.
func shownFigures() heloc.OfferFigures {
	amount, rate, loan := heloc.Dollars(60_000), heloc.Percent(6.85), heloc.Dollars(62_394)
	return heloc.OfferFigures{RateType: heloc.RateFloating, Amount: &amount, Rate: &rate,
		Discounts: []string{"AUTOPAY", "CU"}, LoanAmount: &loan}
}

// addFigureCheck adds a selection of a lead with what was shown for it.
func addFigureCheck(t *testing.T, s *store.Store, n int, state lead.OpState, c lead.FigureCheck) lead.FigureCheck {
	t.Helper()
	op := operationOf(n, state)
	op.Kind, op.App, op.Company = heloc.OpSelectOffer, c.App, c.Company
	c.OpID = op.ID
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.AddChoice(ctx, store.Choice{OpID: op.ID, App: c.App, Kind: op.Kind, Sealed: []byte{1},
			At: int64(n)}); err != nil {
			return err
		}
		if err := tx.AddFigureCheck(ctx, c); err != nil {
			return err
		}
		return tx.AddOperation(ctx, op)
	})
	return c
}

// figureChecks checks that a check is read as it was saved, and only with the last selection that the lender accepted.
func figureChecks(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"))
	if got := must(s.FigureCheck(t.Context(), appID(1)))(t); got != nil {
		t.Errorf("got %+v, want none yet", got)
	}
	c := lead.FigureCheck{App: appID(1), Company: "B1", Offer: "first", ShownAt: 1}
	c.SetShown(shownFigures())
	addFigureCheck(t, s, 1, lead.OpSucceeded, c)
	c.Offer = "accepted"
	accepted := addFigureCheck(t, s, 2, lead.OpConfirmed, c)
	c.Offer = "refused"
	addFigureCheck(t, s, 3, lead.OpRejected, c)
	got := must(s.FigureCheck(t.Context(), appID(1)))(t)
	if got == nil || got.OpID != accepted.OpID || got.Offer != "accepted" || got.ShownPayment != nil ||
		*got.ShownAmount != heloc.Dollars(60_000) || got.BookedAmount != nil {
		t.Fatalf("got %+v, want the accepted one", got)
	}
	if shown := got.Shown(); !slices.Equal(shown.Discounts, []string{"AUTOPAY", "CU"}) || shown.Fee != nil ||
		*shown.Rate != heloc.Percent(6.85) {
		t.Errorf("got %+v, want what was shown", shown)
	}
	booked := shownFigures()
	payment, fee := heloc.Dollars(356), heloc.Money(0)
	booked.Payment, booked.Fee, booked.Discounts = &payment, &fee, nil
	got.Book(booked, 5, 10)
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveFigureCheck(ctx, *got) })
	again := must(s.FigureCheck(t.Context(), appID(1)))(t)
	if again.Outcome != heloc.FiguresIncomparable || again.ComparedAt != 5 || again.ConfirmedAt != 0 ||
		*again.BookedFee != 0 || *again.BookedPayment != payment || again.Booked().Discounts != nil {
		t.Errorf("got %+v, want what was booked", again)
	}
}

// figuresByCompany checks that counts and lists are those of the company, with confirmed differences only.
func figuresByCompany(t *testing.T, s *store.Store) {
	for n, l := range []struct {
		company   string
		rateType  heloc.OfferRateType
		outcome   heloc.FigureOutcome
		confirmed int64
	}{
		{"B1", heloc.RateFixed, heloc.FiguresMatched, 10},
		{"B1", heloc.RateFloating, heloc.FiguresDiffered, 20},
		{"B1", heloc.RateFloating, heloc.FiguresDiffered, 0},
		{"B1", heloc.RateFloating, heloc.FiguresIncomparable, 30},
		{"B2", heloc.RateFloating, heloc.FiguresDiffered, 40},
	} {
		add(t, s, leadOf(n, "o1", l.company))
		saveOutcome(t, s, n, lead.FigureCheck{App: appID(n), Company: l.company, RateType: l.rateType, Outcome: l.outcome,
			ComparedAt: 5, ConfirmedAt: l.confirmed})
	}
	count := func(counts []lead.FigureCount) string { return fmt.Sprint(counts) }
	if got, want := count(must(s.FigureCounts(t.Context(), "B1"))(t)),
		"[{FIXED matched 1} {FLOATING differed 1} {FLOATING incomparable 1}]"; got != want {
		t.Errorf("of a company: got %s, want %s", got, want)
	}
	if got, want := count(must(s.FigureCounts(t.Context(), ""))(t)), "[]"; got != want {
		t.Errorf("without a company: got %s, want %s", got, want)
	}
	if got, want := count(must(s.AllFigureCounts(t.Context()))(t)),
		"[{FIXED matched 1} {FLOATING differed 2} {FLOATING incomparable 1}]"; got != want {
		t.Errorf("of all: got %s, want %s", got, want)
	}
	listed := must(s.BookedOtherwise(t.Context(), "B1", 9))(t)
	if len(listed) != 2 || listed[0].App != appID(3) || listed[1].App != appID(1) ||
		listed[1].ShortID != leadOf(1, "", "").ShortID {
		t.Errorf("got %+v, want the two differences, newest first", listed)
	}
	if listed := must(s.BookedOtherwise(t.Context(), "B1", 1))(t); len(listed) != 1 {
		t.Errorf("got %d differences, want one", len(listed))
	}
}

// saveOutcome adds a selection that was compared.
func saveOutcome(t *testing.T, s *store.Store, n int, c lead.FigureCheck) {
	t.Helper()
	done := addFigureCheck(t, s, n, lead.OpSucceeded, c)
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveFigureCheck(ctx, done) })
}

// latestFigureOutcomes checks that a lead counts by its latest comparison, and what does not count at all.
func latestFigureOutcomes(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o1", "B2"), leadOf(3, "o1", "B1"))
	for n, c := range []lead.FigureCheck{
		{App: appID(1), Outcome: heloc.FiguresMatched, ComparedAt: 10, ConfirmedAt: 10},
		{App: appID(1), Outcome: heloc.FiguresDiffered, ComparedAt: 11, ConfirmedAt: 30}, // instead of the match
		{App: appID(2), Outcome: heloc.FiguresMatched, ComparedAt: 12, ConfirmedAt: 12},
		{App: appID(2), Outcome: heloc.FiguresDiffered, ComparedAt: 13},                     // not confirmed
		{App: appID(2), Outcome: heloc.FiguresIncomparable, ComparedAt: 14, ConfirmedAt: 1}, // says nothing
		{App: appID(3), Outcome: heloc.FiguresDiffered, ComparedAt: 15, ConfirmedAt: 15, ShownAt: -1},
	} {
		c.Company, c.RateType = "B1", heloc.RateFloating
		saveOutcome(t, s, n, c)
	}
	for _, tt := range []struct {
		after int64
		leads int
		want  []heloc.FigureOutcome
	}{
		{-2, 3, []heloc.FigureOutcome{heloc.FiguresDiffered, heloc.FiguresMatched, heloc.FiguresDiffered}},
		{-2, 1, []heloc.FigureOutcome{heloc.FiguresDiffered}},
		{-1, 3, []heloc.FigureOutcome{heloc.FiguresMatched, heloc.FiguresDiffered}},
		{0, 3, nil},
	} {
		if got := must(s.LatestFigureOutcomes(t.Context(), heloc.RateFloating, tt.after, tt.leads))(t); !slices.Equal(got,
			tt.want) {
			t.Errorf("after %d, %d leads: got %v, want %v", tt.after, tt.leads, got, tt.want)
		}
	}
	if got := must(s.LatestFigureOutcomes(t.Context(), heloc.RateFixed, -2, 3))(t); len(got) != 0 {
		t.Errorf("of another rate type: got %v, want none", got)
	}
}

func paymentsStopped(t *testing.T, s *store.Store) {
	stop := func(kind heloc.OfferRateType) (stopped bool) {
		write(t, s, func(ctx context.Context, tx *store.Tx) (err error) {
			stopped, err = tx.StopPayments(ctx, kind)
			return err
		})
		return stopped
	}
	confirm := func(kind heloc.OfferRateType) (confirmed bool) {
		write(t, s, func(ctx context.Context, tx *store.Tx) (err error) {
			confirmed, err = tx.ConfirmPayments(ctx, kind, noon())
			return err
		})
		return confirmed
	}
	if confirm(heloc.RateFixed) || !stop(heloc.RateFixed) || stop(heloc.RateFixed) || !stop(heloc.RateFloating) {
		t.Error("a model is confirmed that was in use, or stopped twice")
	}
	if got := must(s.UnconfirmedPayments(t.Context()))(t); !slices.Equal(got,
		[]heloc.OfferRateType{heloc.RateFixed, heloc.RateFloating}) {
		t.Errorf("got %v, want both", got)
	}
	if !confirm(heloc.RateFixed) || confirm(heloc.RateFixed) {
		t.Error("a model is not confirmed once")
	}
	if got := must(s.UnconfirmedPayments(t.Context()))(t); !slices.Equal(got, []heloc.OfferRateType{heloc.RateFloating}) {
		t.Errorf("got %v, want the other one", got)
	}
	if fixed, floating := must(s.PaymentsConfirmedAt(t.Context(), heloc.RateFixed))(t),
		must(s.PaymentsConfirmedAt(t.Context(), heloc.RateFloating))(t); fixed != store.Millis(noon()) || floating != 0 {
		t.Errorf("got %d and %d, want when one was confirmed", fixed, floating)
	}
}
