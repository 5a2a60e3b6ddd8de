package storetest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

func addOperations(t *testing.T, s *store.Store, ops ...lead.Operation) {
	t.Helper()
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for _, op := range ops {
			if err := tx.AddOperation(ctx, op); err != nil {
				return err
			}
		}
		return nil
	})
}

func operationOf(n int, state lead.OpState) lead.Operation {
	return lead.Operation{
		ID: fmt.Sprintf("hl-%02d", n), Kind: heloc.OpStart, ActorID: "olivia", ActorName: "Olivia", Originator: "o1",
		Company: "B1", Digest: "digest", State: state, DuplicateKey: "key", CreatedAt: int64(n), LeaseOwner: "us",
		LeaseUntil: store.Millis(noon()),
	}
}

func operationRoundTrip(t *testing.T, s *store.Store) {
	op := operationOf(1, lead.OpSent)
	addOperations(t, s, op)
	if got := must(s.Operation(t.Context(), op.ID))(t); got != op {
		t.Errorf("added: got %+v, want %+v", got, op)
	}
	for i, want := range []bool{true, false} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			answered := op
			answered.State, answered.AnsweredAt = lead.OpSucceeded, int64(i+1)
			got, err := tx.AnswerOperation(ctx, answered)
			if got != want {
				t.Errorf("answer %d: got %v, want %v", i+1, got, want)
			}
			return err
		})
	}
	if got := must(s.Operation(t.Context(), op.ID))(t); got.State != lead.OpSucceeded || got.AnsweredAt != 1 {
		t.Errorf("answered: got %s at %d, want the first answer", got.State, got.AnsweredAt)
	}
	op.App, op.State, op.HTTPStatus, op.RequestID, op.Messages = appID(1), lead.OpRejected, 422, "r", "words"
	op.SentAt, op.AnsweredAt, op.SettledAt, op.StepChangedAt, op.StepAfter = 1, 2, 3, 4, heloc.StepPayoff
	op.LeaseOwner, op.LeaseUntil, op.ResolvedBy, op.Reason = "", 0, "maya", "because"
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveOperation(ctx, op) })
	if got := must(s.Operation(t.Context(), op.ID))(t); got != op {
		t.Errorf("saved: got %+v, want %+v", got, op)
	}
	if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.AddOperation(t.Context(), op) }); err == nil {
		t.Error("the same operation was added twice")
	}
	_, err := s.Operation(t.Context(), "hl-99")
	wantKind(t, err, fault.NotFound)
	if got := must(s.StartOf(t.Context(), appID(1)))(t); got.ID != op.ID {
		t.Errorf("start of the lead: got %q, want %q", got.ID, op.ID)
	}
	_, err = s.StartOf(t.Context(), "")
	wantKind(t, err, fault.NotFound)
}

// messagesDropped has messages of two starts without a lead, an old and a recent one, and of one with a lead.
func messagesDropped(t *testing.T, s *store.Store) {
	ops := []lead.Operation{operationOf(1, lead.OpRejected), operationOf(2, lead.OpAbandoned),
		operationOf(3, lead.OpRejected)}
	for i := range ops {
		ops[i].Messages, ops[i].Reason, ops[i].CreatedAt = "words", "because", store.Millis(noon())
	}
	ops[1].App, ops[2].CreatedAt = appID(1), store.Millis(noon().Add(time.Hour))
	addOperations(t, s, ops...)
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for _, op := range ops {
			if err := tx.SaveOperation(ctx, op); err != nil {
				return err
			}
		}
		return tx.DropMessages(ctx, noon().Add(time.Minute))
	})
	for i, want := range []string{"", "wordsbecause", "wordsbecause"} {
		if got := must(s.Operation(t.Context(), ops[i].ID))(t); got.Messages+got.Reason != want {
			t.Errorf("operation %d: got %q, want %q", i+1, got.Messages+got.Reason, want)
		}
	}
}

func unsettledStarts(t *testing.T, s *store.Store) {
	states := []lead.OpState{
		lead.OpSent, lead.OpSucceeded, lead.OpRejected, lead.OpNotSent, lead.OpUnknown, lead.OpConfirmed, lead.OpAbsent,
		lead.OpAbandoned,
	}
	for i, state := range states {
		addOperations(t, s, operationOf(i, state))
	}
	other := operationOf(50, lead.OpUnknown)
	other.Company, other.ActorID = "B2", "piotr"
	addOperations(t, s, other)
	if got := idsOf(must(s.UnsettledStarts(t.Context(), "B1", []string{"key"}))(t)); !reflect.DeepEqual(got,
		[]string{"hl-07", "hl-04", "hl-00"}) {
		t.Errorf("of the company: got %v", got)
	}
	if got := must(s.UnsettledStarts(t.Context(), "B1", nil))(t); len(got) != 0 {
		t.Errorf("for an empty key: got %d, want none", len(got))
	}
	if got := idsOf(must(s.UnsettledOf(t.Context(), userScope("olivia"), nil))(t)); !reflect.DeepEqual(got,
		[]string{"hl-04", "hl-00"}) {
		t.Errorf("user's: got %v", got)
	}
	if got := idsOf(must(s.OperationsIn(t.Context(), lead.OpUnknown, 10))(t)); len(got) != 2 {
		t.Errorf("unknown: got %v, want two", got)
	}
	covered, moved := operationOf(60, lead.OpUnknown), operationOf(61, lead.OpUnknown)
	covered.ActorID, covered.Originator = "marcus", "o-marcus"
	moved.ActorID, moved.Originator, moved.Company = "marcus", "o-marcus", "B2" // sent at another company
	addOperations(t, s, covered, moved)
	for want, covering := range map[string][]string{
		"hl-04 hl-00": {"o-grace"}, "hl-60 hl-04 hl-00": {"o-marcus", "o-grace"},
	} {
		if got := idsOf(must(s.UnsettledOf(t.Context(), userScope("olivia"), covering))(t)); strings.Join(got, " ") != want {
			t.Errorf("covering for %v: got %v, want %s", covering, got, want)
		}
	}
}

func idsOf(ops []lead.Operation) []string {
	var ids []string
	for _, op := range ops {
		ids = append(ids, op.ID)
	}
	return ids
}

func unknownWrites(t *testing.T, s *store.Store) {
	for i, state := range []lead.OpState{lead.OpUnknown, lead.OpSucceeded, lead.OpUnknown} {
		op := operationOf(i, state)
		op.App, op.Kind = appID(1), heloc.OpAddSSN
		addOperations(t, s, op)
	}
	if got := idsOf(must(s.UnknownOperations(t.Context(), appID(1)))(t)); !reflect.DeepEqual(got,
		[]string{"hl-02", "hl-00"}) {
		t.Errorf("got %v", got)
	}
	if got := idsOf(must(s.Operations(t.Context(), appID(1), 2))(t)); !reflect.DeepEqual(got, []string{"hl-02", "hl-01"}) {
		t.Errorf("newest two: got %v", got)
	}
}

func openOperations(t *testing.T, s *store.Store) {
	for i, state := range []lead.OpState{lead.OpUnknown, lead.OpSucceeded, lead.OpSent, lead.OpSent, lead.OpUnknown} {
		op := operationOf(i, state)
		if op.App, op.Kind = appID(1), heloc.OpAddSSN; i == 4 {
			op.App = appID(2)
		}
		addOperations(t, s, op)
	}
	for id, want := range map[string][]string{"hl-01": {"hl-00", "hl-01", "hl-02", "hl-03"},
		"hl-02": {"hl-00", "hl-02", "hl-03"}, "another": {"hl-00", "hl-02", "hl-03"}} {
		got := idsOf(must(s.OperationAndOpen(t.Context(), id, appID(1)))(t))
		if slices.Sort(got); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", id, got, want)
		}
	}
	if got := idsOf(must(s.OperationAndOpen(t.Context(), "another", ""))(t)); len(got) != 0 {
		t.Errorf("without a lead: got %v", got)
	}
}

func leaseExtended(t *testing.T, s *store.Store) {
	addOperations(t, s, operationOf(1, lead.OpSent), operationOf(2, lead.OpSent), operationOf(3, lead.OpUnknown))
	s.LeaseClock = noon
	const lasts = time.Minute
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for _, lease := range [][2]string{{"hl-01", "us"}, {"hl-02", "them"}, {"hl-03", "us"}} {
			if err := tx.ExtendLease(ctx, lease[0], lease[1], lasts); err != nil {
				return err
			}
		}
		return nil
	})
	for id, want := range map[string]time.Duration{"hl-01": lasts, "hl-02": 0, "hl-03": 0} {
		if got := store.Instant(must(s.Operation(t.Context(), id))(t).LeaseUntil).Sub(noon()); got != want {
			t.Errorf("%s: got a lease until noon and %v, want %v", id, got, want)
		}
	}
}

func consents(t *testing.T, s *store.Store) {
	op := operationOf(1, lead.OpSucceeded)
	addOperations(t, s, op)
	want := lead.Consent{OpID: op.ID, UserID: "olivia", Originator: "o1", Method: "link", TextVersion: "v1", At: 5}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.AddConsent(ctx, want); err != nil {
			return err
		}
		op.App = appID(1) // the lead of a start is known only afterwards
		return tx.SaveOperation(ctx, op)
	})
	want.App = appID(1)
	if got := must(s.Consents(t.Context(), appID(1)))(t); len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		return tx.AddConsent(t.Context(), lead.Consent{OpID: "hl-99", UserID: "olivia", Method: "link", TextVersion: "v1"})
	})
	if err == nil {
		t.Error("a consent without an operation was stored")
	}
}

func quotes(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o1", "B1"))
	for i := range 3 {
		q := store.Quote{ID: fmt.Sprint("q", i), App: appID(1), ActorID: "olivia", RequestUUID: "r", SealedRequest: []byte{2},
			Sealed: []byte{1}, At: int64(i / 2)}
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.AddQuote(ctx, q, 3) })
	}
	got := must(s.Quotes(t.Context(), appID(1), 2))(t)
	if len(got) != 2 || got[0].ID != "q2" || got[1].ID != "q1" || got[0].Sealed != nil || got[0].SealedRequest == nil {
		t.Errorf("got %+v, want the requests of the newest two", got)
	}
	setLegalHold(t, s, appID(1))
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.AddQuote(ctx, store.Quote{ID: "q3", App: appID(1), ActorID: "olivia", Sealed: []byte{1},
			SealedRequest: []byte{2}, At: 3}, 1)
	})
	if got := must(s.Quotes(t.Context(), appID(1), 9))(t); len(got) != 4 {
		t.Errorf("under a legal hold: got %d quotes, want all 4", len(got))
	}
	if got := must(s.Quotes(t.Context(), appID(2), 9))(t); len(got) != 0 {
		t.Errorf("got %d quotes of another lead, want none", len(got))
	}
	if got := must(s.Quote(t.Context(), appID(1), "q2"))(t); len(got.Sealed) != 1 || len(got.SealedRequest) != 1 {
		t.Errorf("got %+v, want the complete quote", got)
	}
	if _, err := s.Quote(t.Context(), appID(2), "q2"); !fault.Is(err, fault.NotFound) {
		t.Errorf("by another lead: got %v, want not found", err)
	}
}

func quotesDropped(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o1", "B1"))
	for i := range 6 {
		q := store.Quote{ID: fmt.Sprint("q", i), App: appID(1 + i%2), ActorID: "olivia", Sealed: []byte{1},
			SealedRequest: []byte{2},
			At:            int64(i)}
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.AddQuote(ctx, q, 2) })
	}
	got := must(s.Quotes(t.Context(), appID(1), 9))(t)
	if len(got) != 2 || got[0].ID != "q4" || got[1].ID != "q2" {
		t.Errorf("got %+v, want the newest two of the lead", got)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.DropQuotes(ctx, store.Instant(4)) })
	if got := must(s.Quotes(t.Context(), appID(1), 9))(t); len(got) != 1 || got[0].ID != "q4" {
		t.Errorf("got %+v, want only the newer ones", got)
	}
	if got := must(s.Quotes(t.Context(), appID(2), 9))(t); len(got) != 1 || got[0].ID != "q5" {
		t.Errorf("of another lead: got %+v, want only the newer ones", got)
	}
	setLegalHold(t, s, appID(1))
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.DropQuotes(ctx, store.Instant(9)) })
	if onHold, free := len(must(s.Quotes(t.Context(), appID(1), 9))(t)),
		len(must(s.Quotes(t.Context(), appID(2), 9))(t)); onHold != 1 || free != 0 {
		t.Errorf("got %d quotes under a legal hold and %d without one, want 1 and 0", onHold, free)
	}
}

// choices checks that a selection counts only when the lender accepted it.
func choices(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"))
	states := []lead.OpState{lead.OpSucceeded, lead.OpConfirmed, lead.OpRejected, lead.OpUnknown, lead.OpSucceeded}
	for i, state := range states {
		kind := heloc.OpSelectOffer
		if i == len(states)-1 {
			kind = heloc.OpAssetDepletion
		}
		op := operationOf(i+1, state)
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			// The choice is stored first, when the journal prepares the operation.
			if err := tx.AddChoice(ctx, store.Choice{OpID: op.ID, App: appID(1), Kind: kind, Sealed: []byte{byte(i)},
				At: int64(i)}); err != nil {
				return err
			}
			return tx.AddOperation(ctx, op)
		})
	}
	for kind, want := range map[heloc.Operation]byte{heloc.OpSelectOffer: 1, heloc.OpAssetDepletion: 4} {
		if got := must(s.LastChoice(t.Context(), appID(1), kind))(t); got == nil || got.Sealed[0] != want {
			t.Errorf("%s: got %+v, want choice %d", kind, got, want)
		}
	}
	if got := must(s.LastChoice(t.Context(), appID(2), heloc.OpSelectOffer))(t); got != nil {
		t.Errorf("of another lead: got %+v, want none", got)
	}
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		return tx.AddChoice(t.Context(), store.Choice{OpID: "hl-99", App: appID(1), Kind: heloc.OpSelectOffer,
			Sealed: []byte{1}})
	})
	if err == nil {
		t.Error("a choice without an operation was stored")
	}
}

func payoffPlans(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"))
	if got := must(s.Part(t.Context(), appID(1), lead.PartPayoffPlan))(t); got != nil {
		t.Errorf("got %+v, want none yet", got)
	}
	for i := range 2 {
		p := store.SealedPart{App: appID(1), Part: lead.PartPayoffPlan, Version: 1, Sealed: []byte{byte(i)},
			FetchedAt: int64(i)}
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SavePart(ctx, p) })
	}
	if got := must(s.Part(t.Context(), appID(1), lead.PartPayoffPlan))(t); got == nil || got.FetchedAt != 1 ||
		got.Sealed[0] != 1 {
		t.Errorf("got %+v, want the later one", got)
	}
}

// firstAccepted changes one property of a write that is found, and expects that it is not found anymore.
func firstAccepted(t *testing.T, s *store.Store) {
	accepted := func(n int) lead.Operation {
		op := operationOf(n, lead.OpSucceeded)
		op.App, op.Kind, op.StepBefore, op.StepAfter, op.StepChangedAt = appID(1), heloc.OpAssetDepletion,
			heloc.StepMoreAssets, heloc.StepOffersAvailable, 900
		return op
	}
	for i, change := range []func(*lead.Operation){
		func(op *lead.Operation) { op.ActorID = "marcus" },
		func(op *lead.Operation) { op.Company = "B2" },
		func(op *lead.Operation) { op.CreatedAt = 100 }, // not after it
		func(op *lead.Operation) { op.Kind = heloc.OpAddSSN },
		func(op *lead.Operation) { op.StepBefore = heloc.StepPayoff },
		func(op *lead.Operation) { op.StepAfter, op.StepChangedAt = "", 0 }, // the lender has not answered it
		func(op *lead.Operation) { op.StepAfter = heloc.StepMoreAssets },    // the lender asks again
		func(op *lead.Operation) { op.StepAfter = heloc.StepClosed },
		func(op *lead.Operation) { op.StepAfter = heloc.StepWithdrawn },
		func(op *lead.Operation) { op.State = lead.OpSent },
		func(op *lead.Operation) { op.State = lead.OpRejected },
		func(op *lead.Operation) { op.State = lead.OpNotSent },
		func(op *lead.Operation) { op.State = lead.OpUnknown },
		func(op *lead.Operation) { op.State = lead.OpAbsent },
		func(op *lead.Operation) { op.State = lead.OpAbandoned },
	} {
		op := accepted(101 + i)
		change(&op)
		addOperations(t, s, op)
	}
	query := store.AcceptedQuery{By: store.UserScope{UserID: "olivia", Company: "B1"}, SentAfter: store.Instant(100),
		Kinds: []heloc.Operation{heloc.OpAddIncome, heloc.OpAssetDepletion}, Step: heloc.StepMoreAssets}
	if got, err := s.FirstAccepted(t.Context(), query); !fault.Is(err, fault.NotFound) {
		t.Fatalf("got %+v, %v, want none", got, err)
	}
	confirmed, later := accepted(190), accepted(191)
	confirmed.Kind, confirmed.State = heloc.OpAddIncome, lead.OpConfirmed
	addOperations(t, s, later, confirmed)
	if got := must(s.FirstAccepted(t.Context(), query))(t); got.ID != confirmed.ID {
		t.Errorf("got %s, want the first, %s", got.ID, confirmed.ID)
	}
	reassigned := accepted(192)
	reassigned.Kind, reassigned.StepAfter, reassigned.StepChangedAt = heloc.OpReassign, "", 0
	addOperations(t, s, reassigned)
	query.Kinds, query.Step = []heloc.Operation{heloc.OpReassign}, ""
	if got := must(s.FirstAccepted(t.Context(), query))(t); got.ID != reassigned.ID {
		t.Errorf("got %s, want the reassignment, at whatever step", got.ID)
	}
}
