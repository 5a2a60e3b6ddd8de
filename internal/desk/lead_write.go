package desk

import (
	"context"
	"errors"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
)

// leadWrite is one write to a lead.
type leadWrite struct {
	kind          heloc.Operation
	permission    access.Permission
	steps         []heloc.Step // where it is allowed; none is anywhere
	operationID   string
	digestContent []string // all that is sent, the SSN by its presence alone
	consent       *store.Consent
	assignee      heloc.OriginatorID // of a reassignment
	departureRun  string             // the run of an administrator that it belongs to
	prepare       func(ctx context.Context, tx *store.Tx, id string) error
	send          func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error)
}

// submit carries a write: the right, the step, the journal, the announcement. The error is
// nil for an operation that was accepted and for one whose outcome is not known.
func (l *Lead) submit(ctx context.Context, a leadWrite) (store.Operation, error) {
	if err := l.d.may(a.permission); err != nil {
		return store.Operation{}, err
	}
	intent := journal.Intent{
		OperationID: a.operationID, Kind: a.kind, Actor: l.d.Actor, App: l.row.App, DigestContent: a.digestContent, Consent: a.consent,
		Target: a.assignee, DepartureRun: a.departureRun, Prepare: a.prepare,
	}
	if len(a.steps) > 0 && !slices.Contains(a.steps, l.row.Step) {
		// The first result of this very form may still be due to its sender.
		if op, err := l.d.Journal.ExistingOperation(ctx, intent); err == nil {
			return op, journal.RejectionError(op)
		}
		return store.Operation{}, fault.New(fault.Conflict, "The lead has moved on since this page was shown. Nothing was sent. Look at where it stands now.")
	}
	by := heloc.OriginatorID(l.d.Actor.OriginatorUUID)
	op, err := l.d.Journal.Execute(ctx, intent, func(ctx context.Context, _ string) journal.Outcome {
		return outcome(a.send(ctx, by))
	}, l.d.Journal.AcceptOnLead)
	if op.ID != "" {
		l.d.refreshAndPublish(ctx, l.row.App)
	}
	return op, err
}

// refreshAndPublish asks for the lead to be read anew and announces it to open pages.
func (d *Desk) refreshAndPublish(ctx context.Context, app heloc.AppID) {
	d.Refresher.RequestRefresh(app)
	d.publish(ctx, app)
}

// publish announces a lead that changed to open pages.
func (r *Service) publish(ctx context.Context, app heloc.AppID) {
	if row, err := r.Store.AnyLead(context.WithoutCancel(ctx), app); err == nil {
		r.Hub.Publish(pubsub.Event{App: string(app), Revision: row.Revision}, pubsub.Originator(string(row.Originator)), pubsub.Company(row.Company))
	}
}

// outcome translates the client's answer into the journal's words.
func outcome(a partner.WriteResult, err error) journal.Outcome {
	o := journal.Outcome{HTTPStatus: a.Status, RequestID: a.RequestID, Messages: a.Messages, App: a.AppUUID}
	switch partner.VerdictOf(err) {
	case partner.VerdictSucceeded:
		o.State = store.OpSucceeded
	case partner.VerdictRejected:
		o.State = store.OpRejected
	case partner.VerdictNotSent:
		o.State = store.OpNotSent
	default:
		o.State = store.OpUnknown
	}
	if failure, ok := errors.AsType[*partner.Failure](err); ok {
		o.HTTPStatus, o.RequestID, o.Messages = failure.Status, failure.RequestID, failure.Messages
	}
	return o
}

// Consent is what the form says of the borrower's consent to a credit pull.
type Consent struct {
	Attested bool
	Method   string
	Version  string
}

// ConsentMethods are the ways a borrower can consent.
func ConsentMethods() []string { return []string{"in-person", "recorded-call", "link"} }

// checkConsent refuses a consent that is not given, or to a text that is not today's.
func (d *Desk) checkConsent(c Consent) (*store.Consent, error) {
	var wrong []fault.Field
	if !c.Attested {
		wrong = append(wrong, fault.Field{Name: "consent.attested", Message: "Read the text to the borrower and confirm the answer"})
	}
	if !slices.Contains(ConsentMethods(), c.Method) {
		wrong = append(wrong, fault.Field{Name: "consent.method", Message: "Say how the borrower agreed"})
	}
	if c.Version != d.Consent.Version {
		wrong = append(wrong, fault.Field{Name: "consent.attested", Message: "The text has changed since this page was shown. Read the new one"})
	}
	if len(wrong) > 0 {
		return nil, fault.InvalidFields(wrong...)
	}
	return &store.Consent{Method: c.Method, TextVersion: c.Version}, nil
}
