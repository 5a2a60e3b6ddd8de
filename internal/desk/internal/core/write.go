package core

import (
	"context"
	"slices"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// LeadWrite is one write to a lead.
type LeadWrite struct {
	Kind          heloc.Operation
	Permission    access.Permission
	Steps         []heloc.Step // where it is allowed; empty means everywhere
	OperationID   string
	DigestContent []string // everything that is sent; of the SSN only whether it is present
	Consent       *lead.Consent
	Assignee      heloc.OriginatorID // the new originator of a reassignment
	DepartureRun  string             // the administrator's run that it belongs to
	Prepare       func(ctx context.Context, tx *store.Tx, row lead.Row, id string) error
	Send          func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error)
}

// Submit runs a write: it checks the permission and the step, executes the write through the journal and requests
// that the lead be read. The error is nil for an operation that was accepted and for one whose outcome is unknown.
func (l Lead) Submit(ctx context.Context, a LeadWrite) (lead.Operation, error) {
	if err := l.May(a.Permission); err != nil {
		return lead.Operation{}, err
	}
	intent := journal.Intent{
		OperationID: a.OperationID, Kind: a.Kind, Actor: l.Actor, App: l.Row.App, DigestContent: a.DigestContent,
		Consent: a.Consent, Target: a.Assignee, DepartureRun: a.DepartureRun, Prepare: a.Prepare,
		RepeatConfirmed: l.RepeatConfirmed,
	}
	if len(a.Steps) > 0 && !slices.Contains(a.Steps, l.Row.Step) {
		// The same form may have been sent before. Then its sender gets the first result.
		if outcome, err := l.Journal.ExistingOutcome(ctx, intent); err == nil {
			return outcome.Result()
		}
		return lead.Operation{}, fault.New(fault.Conflict,
			"The lead changed after you opened this page. Nothing was sent. Check its current step.")
	}
	by := heloc.OriginatorID(l.Actor.OriginatorUUID)
	op, err := l.Execute(ctx, intent, func(ctx context.Context, _ string) heloc.CallResult {
		return partner.ResultOf(a.Send(ctx, by))
	})
	if op.ID != "" {
		l.RequestRefresh(l.Row.App)
	}
	return op, err
}

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

// CheckConsent refuses a consent that is not attested, or that is for a text other than the current one.
func (d Desk) CheckConsent(c lead.ConsentForm) (*lead.Consent, error) {
	var wrong []fault.Field
	if !slices.Contains(lead.ConsentMethods(), c.Method) {
		wrong = append(wrong, fault.Field{Name: "consent.method", Message: "Choose how the borrower agreed"})
	}
	if !c.Attested {
		wrong = append(wrong, fault.Field{Name: "consent.attested",
			Message: "Confirm that the borrower agreed to the disclosure"})
	}
	if c.Version != d.Consent.Version {
		wrong = append(wrong, fault.Field{Name: "consent.attested",
			Message: "The disclosure has changed since you opened this page. Read the new text to the borrower"})
	}
	if len(wrong) > 0 {
		return nil, fault.InvalidFields(wrong...)
	}
	return &lead.Consent{Method: c.Method, TextVersion: c.Version}, nil
}

// FreeReferences lists the controls of an inquiry's references that are the originator's own: the lender's three
// fields without the one that contains this portal's application number.
func (d Desk) FreeReferences() []string {
	var free []string
	for _, field := range []partner.ReferenceField{partner.ReferenceApp, partner.ReferenceID, partner.ReferenceCustomer} {
		if field != d.Lender.ReferenceField() {
			free = append(free, referenceControl(field))
		}
	}
	return free
}

// ReservedReference is the control of the reference that contains this portal's application number.
func (d Desk) ReservedReference() string { return referenceControl(d.Lender.ReferenceField()) }

func referenceControl(field partner.ReferenceField) string {
	return "partnerDataRequest." + string(field)
}

// CheckReferences refuses an inquiry with a value in the field of this portal's application number, which would
// replace it.
func (d Desk) CheckReferences(given *heloc.PartnerData) error {
	if given == nil {
		return nil
	}
	values := map[partner.ReferenceField]string{partner.ReferenceApp: given.AppID, partner.ReferenceID: given.ReferenceID,
		partner.ReferenceCustomer: given.CustomerID}
	if values[d.Lender.ReferenceField()] == "" {
		return nil
	}
	return fault.InvalidField(d.ReservedReference(),
		"Hearthline uses this field for its own number. Move the value to another reference, or clear it.")
}

// quotesAgain is how long store.LenderNoQuotes is valid.
const quotesAgain = time.Hour

// LenderAnswers says what the lender may answer about offers, as far as its earlier responses show.
type LenderAnswers struct {
	Quotes     bool // offers for a draw
	OfferCosts bool // the costs of an offer before it is selected
}

// ReadLenderAnswers reads what the lender may answer about offers.
func (l Lead) ReadLenderAnswers(ctx context.Context) (LenderAnswers, error) {
	if err := l.May(access.SeeLead); err != nil {
		return LenderAnswers{}, err
	}
	refused, err := l.Store.Settings(ctx, store.LenderNoQuotes, store.LenderNoCosts)
	if err != nil {
		return LenderAnswers{}, err
	}
	return l.LenderAnswers(refused[store.LenderNoQuotes], refused[store.LenderNoCosts]), nil
}

// LenderAnswers returns what the lender may answer; the arguments are when it refused each, if it did.
func (s Services) LenderAnswers(noQuotes, noCosts string) LenderAnswers {
	return LenderAnswers{Quotes: s.mayAskAgain(noQuotes, quotesAgain), OfferCosts: s.mayAskAgain(noCosts, costsRetryAfter)}
}

// mayAskAgain reports whether the lender may be asked for something that it refused at an instant, which is empty if it
// never did.
func (s Services) mayAskAgain(refused string, after time.Duration) bool {
	at, err := time.Parse(time.RFC3339, refused)
	return err != nil || s.Now().Sub(at) > after
}

// costsRetryAfter is how long store.LenderNoCosts is valid.
const costsRetryAfter = 24 * time.Hour
