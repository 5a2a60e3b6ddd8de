package lead

import "hearthline/internal/heloc"

// CRMEventKind is what a CRM is told about a lead of one of its records. Its code is in the table of Codes.
type CRMEventKind string

// The kinds.
const (
	CRMStarted          CRMEventKind = "started" // an inquiry was started for a record, or a lead was linked to one
	CRMStepChanged      CRMEventKind = "step"
	CRMOffersReady      CRMEventKind = "offers"
	CRMOfferSelected    CRMEventKind = "selected"
	CRMConditionChanged CRMEventKind = "condition"
	CRMReassigned       CRMEventKind = "reassigned"
	CRMFunded           CRMEventKind = "funded"
	CRMEnded            CRMEventKind = "ended"
)

// CRMEventState is what became of an event.
type CRMEventState string

// The states.
const (
	CRMEventWaiting CRMEventState = "waiting"
	CRMEventSent    CRMEventState = "sent"   // the CRM accepted it
	CRMEventFailed  CRMEventState = "failed" // no longer tried, unless an administrator asks for it
)

// CRMEvent is one event for one CRM, with the lead as it was then. It has nothing about the borrower.
type CRMEvent struct {
	ID              string          `db:"id"`
	Client          string          `db:"client"`
	App             heloc.AppID     `db:"app"`
	Number          int64           `db:"number"` // rises with each event of a lead for a client
	Kind            CRMEventKind    `db:"kind"`
	At              int64           `db:"at"`
	StatusKey       heloc.StatusKey `db:"status_key"`
	Lane            heloc.Lane      `db:"lane"`
	WhoseMove       heloc.Mover     `db:"whose_move"`
	Outcome         Outcome         `db:"outcome"`
	DueAt           int64           `db:"due_at"`
	RequestedAmount heloc.Money     `db:"requested_amount"`
	SelectedAmount  heloc.Money     `db:"selected_amount"`
	State           CRMEventState   `db:"state"`
	QueuedAt        int64           `db:"queued_at"` // when it happened, or when it was sent again
	NextAt          int64           `db:"next_at"`   // when it is tried next
	LeasedUntil     int64           `db:"leased_until"`
	Tries           int             `db:"tries"`
	TriedAt         int64           `db:"tried_at"`
	Answer          string          `db:"answer"` // to the last try: an HTTP status, or why there is none
	TookMillis      int64           `db:"took_millis"`
}

// CRMEventOf returns an event about a lead as it is now, without its number.
func CRMEventOf(l *Row, kind CRMEventKind, at int64) CRMEvent {
	return CRMEvent{App: l.App, Kind: kind, At: at, StatusKey: l.StatusKey, Lane: l.Lane, WhoseMove: l.WhoseMove,
		Outcome: l.Outcome(), DueAt: l.DueAt(), RequestedAmount: l.RequestedAmount, SelectedAmount: l.SelectedAmount,
		State: CRMEventWaiting, QueuedAt: at, NextAt: at}
}

// CRMEventKinds returns what a change of a lead means for CRMs, in the order in which they are told.
func CRMEventKinds(before, now *Row) (kinds []CRMEventKind) {
	// two statuses with the same code are the same step
	step := func(l *Row) [4]any {
		return [4]any{CodeOf(CodeStep, string(l.StatusKey)), l.Lane, l.WhoseMove, l.DueAt()}
	}
	ended := now.Outcome() != before.Outcome() && now.Outcome() != OutcomeOpen
	for _, one := range []struct {
		kind CRMEventKind
		is   bool
	}{
		{CRMReassigned, now.Originator != before.Originator},
		{CRMStepChanged, step(now) != step(before)},
		{CRMOffersReady, now.StatusKey == heloc.StatusOffers && before.StatusKey != heloc.StatusOffers},
		{CRMOfferSelected, now.SelectedAmount > 0 && now.SelectedAmount != before.SelectedAmount},
		{CRMConditionChanged, now.OpenConditions != before.OpenConditions || now.ConditionAt != before.ConditionAt},
		{CRMFunded, ended && now.Outcome() == OutcomeFunded},
		{CRMEnded, ended && now.Outcome() != OutcomeFunded},
	} {
		if one.is {
			kinds = append(kinds, one.kind)
		}
	}
	return kinds
}
