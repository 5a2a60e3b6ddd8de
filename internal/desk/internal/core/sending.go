package core

import (
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
)

// Execute runs a write through the journal, unless sending is paused. While the lender is known to be down, nothing
// is recorded or sent, so the form keeps its operation id and can be sent again when the lender is back. A form that
// was sent before gets its first result, as always.
//
// If the operation is returned, it was sent, and the error describes its outcome; an error without an operation means
// that nothing was sent.
func (d Desk) Execute(ctx context.Context, in journal.Intent, send journal.Send) (lead.Operation, error) {
	if paused := d.SendingPaused(whatNext(in)); paused != nil {
		before, err := d.Journal.ExistingOutcome(ctx, in)
		switch {
		case fault.Is(err, fault.NotFound):
			return lead.Operation{}, paused
		case err != nil:
			return before.Operation, err
		}
	}
	outcome, err := d.Journal.Execute(ctx, in, send)
	if err != nil {
		return outcome.Operation, err
	}
	return outcome.Result()
}

// SendingPaused returns fault.Unavailable while the lender is known to be down, for writes and for the queries that
// a user sends with a form. A lender that is down would lose some of them and leave their outcome unknown. Next says
// what the user can do.
func (d Desk) SendingPaused(next string) error {
	if d.LenderDownSince().IsZero() {
		return nil
	}
	return fault.New(fault.Unavailable, "Sending is paused while the lender is unreachable. "+next)
}

// TryAgainLater is the advice on a form whose entries are not kept while sending is paused.
const TryAgainLater = "Try again when the lender is back."

// whatNext says what the user can do with the form of a write while sending is paused: what it keeps, and to send it.
func whatNext(in journal.Intent) string {
	switch in.Kind {
	case heloc.OpAddSSN:
		return "Enter the SSN again when the lender is back."
	case heloc.OpStart, heloc.OpPrequalify:
		return "Your entries are kept on this page, except an SSN. Send them when the lender is back."
	case heloc.OpCancel, heloc.OpRepullCredit, heloc.OpSelectProperty, heloc.OpSelectOffer:
		return TryAgainLater // a choice or a confirmation
	default:
		if in.Undoes != "" {
			return TryAgainLater // a button
		}
		return "Your entries are kept on this page. Send them when the lender is back."
	}
}
