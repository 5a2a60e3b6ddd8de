package lead

import (
	"time"

	"hearthline/internal/heloc"
)

// OpState is the state of an operation.
type OpState string

// The states of an operation: sent → one of the next four. An unknown outcome later becomes one of
// the last three.
const (
	OpSent      OpState = "sent"
	OpSucceeded OpState = "succeeded"
	OpRejected  OpState = "rejected"
	OpNotSent   OpState = "not_sent"
	OpUnknown   OpState = "unknown"
	OpConfirmed OpState = "confirmed"
	OpAbsent    OpState = "absent"
	OpAbandoned OpState = "abandoned"
)

// UnsettledLimit is how many of a user's starts with an unknown outcome are listed.
const UnsettledLimit = 20

// Operation is one row of the journal. It contains no SSN and no payload: Digest is keyed.
type Operation struct {
	ID             string             `db:"id"`
	Kind           heloc.Operation    `db:"kind"`
	App            heloc.AppID        `db:"app"`
	DraftID        string             `db:"draft_id"`
	ActorID        string             `db:"actor_id"`
	ActorName      string             `db:"actor_name"`
	Originator     heloc.OriginatorID `db:"originator"`
	Company        string             `db:"company"`
	Digest         string             `db:"digest"`
	State          OpState            `db:"state"`
	StepBefore     heloc.Step         `db:"step_before"`
	HistoryBefore  int                `db:"history_before"`
	DuplicateKey   string             `db:"duplicate_key"`
	DuplicateKeyID int64              `db:"duplicate_key_id"` // the key that made it
	HTTPStatus     int                `db:"http_status"`
	RequestID      string             `db:"request_id"`
	Messages       string             `db:"messages"` // the lender's messages, up to a maximum length
	CreatedAt      int64              `db:"created_at"`
	SentAt         int64              `db:"sent_at"`
	AnsweredAt     int64              `db:"answered_at"`
	SettledAt      int64              `db:"settled_at"`
	// when a reading showed the effect of an operation whose verdict was rejected, absent or abandoned
	CorrectedAt   int64              `db:"corrected_at"`
	StepChangedAt int64              `db:"step_changed_at"` // when the step changed after the operation
	StepAfter     heloc.Step         `db:"step_after"`
	LeaseOwner    string             `db:"lease_owner"`
	LeaseUntil    int64              `db:"lease_until"`
	ResolvedBy    string             `db:"resolved_by"`
	Reason        string             `db:"reason"` // why a user marked it as not received; sealed
	Target        heloc.OriginatorID `db:"target"` // the new originator of a reassignment
	Unsaved       bool               `db:"-"`      // the database does not have the lender's answer yet
}

// Blocks reports whether an operation whose outcome is unknown prevents sending one of a kind while the lead is at a
// step, because both could take effect: two forms of one step would be two credit pulls. Once the lead is at another
// step, a form repeats nothing. Canceling is always possible, but not twice.
func (o Operation) Blocks(kind heloc.Operation, step heloc.Step) bool {
	switch {
	case o.State != OpUnknown:
		return false
	case kind == heloc.OpCancel || kind == heloc.OpReassign:
		return o.Kind == kind && o.StepChangedAt == 0
	default:
		return kind.MovesStep() && o.Kind.MovesStep() && (o.StepChangedAt == 0 || o.StepBefore == step)
	}
}

// MayRepeat reports whether another operation of a kind, at a step, would repeat this one, which the lender may have
// received: it was sent, but did not show up at the lender.
func (o Operation) MayRepeat(kind heloc.Operation, step heloc.Step) bool {
	same := o.Kind == kind || kind == heloc.OpAssetDepletion && o.Kind == heloc.OpAddIncome // one step accepts both
	return same && (o.State == OpAbsent || o.State == OpAbandoned) && o.StepBefore == step
}

// unseenAfter is how long the lender's records may contradict an accepted operation before the portal says so.
const unseenAfter = 48 * time.Hour

// AcceptedUnseen reports whether the lender accepted an operation days ago and its records still contradict it. Only a
// cancellation, a reassignment and a selection leave something in the records that can.
func (o Operation) AcceptedUnseen(row Row, now time.Time) bool {
	if o.State != OpSucceeded || now.Sub(Instant(o.AnsweredAt)) < unseenAfter ||
		Instant(row.RefreshedAt).Sub(Instant(o.AnsweredAt)) < unseenAfter {
		return false
	}
	switch o.Kind {
	case heloc.OpCancel:
		return row.CanCancel()
	case heloc.OpReassign:
		return row.Originator != "" && row.Originator != o.Target
	case heloc.OpSelectOffer:
		return o.StepBefore == heloc.StepOffersAvailable && row.Step == o.StepBefore && row.SelectedAmount == 0 &&
			o.StepChangedAt == 0
	default:
		return false
	}
}

// UsualWait is how long the lender takes for an operation, according to our records.
type UsualWait struct {
	Median time.Duration // half of the operations finish within it
	P95    time.Duration // 95 of 100 operations finish within it
	Known  bool          // there are enough records to show it to users
}
