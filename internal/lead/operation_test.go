package lead

import (
	"testing"
	"time"

	"hearthline/internal/heloc"
)

func TestOperation_AcceptedUnseen(t *testing.T) {
	t.Parallel()
	answered := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	now := answered.Add(3 * 24 * time.Hour)
	open := Row{Step: heloc.StepOffersAvailable, Originator: "o1", RefreshedAt: Millis(now)}
	with := func(change func(r *Row)) Row {
		r := open
		change(&r)
		return r
	}
	for name, tt := range map[string]struct {
		op   Operation
		row  Row
		at   time.Time
		want bool
	}{
		"open after a cancellation": {Operation{Kind: heloc.OpCancel}, open, now, true},
		"not for two days yet":      {Operation{Kind: heloc.OpCancel}, open, answered.Add(47 * time.Hour), false},
		"not read since": {Operation{Kind: heloc.OpCancel},
			with(func(r *Row) { r.RefreshedAt = Millis(answered) }), now, false},
		"closed":             {Operation{Kind: heloc.OpCancel}, with(func(r *Row) { r.Step = heloc.StepClosed }), now, false},
		"not accepted":       {Operation{Kind: heloc.OpCancel, State: OpRejected}, open, now, false},
		"another originator": {Operation{Kind: heloc.OpReassign, Target: "o2"}, open, now, true},
		"the originator":     {Operation{Kind: heloc.OpReassign, Target: "o1"}, open, now, false},
		"no offer selected":  {Operation{Kind: heloc.OpSelectOffer, StepBefore: heloc.StepOffersAvailable}, open, now, true},
		"selected": {Operation{Kind: heloc.OpSelectOffer, StepBefore: heloc.StepOffersAvailable},
			with(func(r *Row) { r.SelectedAmount = 1 }), now, false},
		"details show nothing of this": {Operation{Kind: heloc.OpAddSSN}, open, now, false},
	} {
		if tt.op.State == "" {
			tt.op.State = OpSucceeded
		}
		tt.op.AnsweredAt = Millis(answered)
		if got := tt.op.AcceptedUnseen(tt.row, nil, tt.at); got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
	op := Operation{Kind: heloc.OpReassign, Target: "o2", State: OpSucceeded, SentAt: Millis(answered),
		AnsweredAt: Millis(answered)}
	for at, want := range map[int64]bool{op.SentAt - 1: true, op.SentAt + 1: false} {
		if got := op.AcceptedUnseen(open, []Event{{Kind: EventReassigned, At: at}}, now); got != want {
			t.Errorf("reassigned at %d, sent at %d: got %v, want %v", at, op.SentAt, got, want)
		}
	}
}
