package desk

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
)

// leadWrite is one write to a lead.
type leadWrite struct {
	kind          heloc.Operation
	permission    access.Permission
	steps         []heloc.Step // where it is allowed; empty means everywhere
	operationID   string
	digestContent []string // everything that is sent; of the SSN only whether it is present
	consent       *lead.Consent
	assignee      heloc.OriginatorID // the new originator of a reassignment
	departureRun  string             // the administrator's run that it belongs to
	prepare       func(ctx context.Context, tx *store.Tx, id string) error
	send          func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error)
}

// submit runs a write: it checks the permission and the step, executes the write through the journal and publishes
// the change. The error is nil for an operation that was accepted and for one whose outcome is unknown.
func (l *Lead) submit(ctx context.Context, a leadWrite) (lead.Operation, error) {
	if err := l.may(a.permission); err != nil {
		return lead.Operation{}, err
	}
	intent := journal.Intent{
		OperationID: a.operationID, Kind: a.kind, Actor: l.d.Actor, App: l.row.App, DigestContent: a.digestContent, Consent: a.consent,
		Target: a.assignee, DepartureRun: a.departureRun, Prepare: a.prepare,
	}
	if len(a.steps) > 0 && !slices.Contains(a.steps, l.row.Step) {
		// The same form may have been sent before. Then its sender gets the first result.
		if op, err := l.d.journal.ExistingOperation(ctx, intent); err == nil {
			return op, journal.RejectionError(op)
		}
		return lead.Operation{}, fault.New(fault.Conflict, "The lead changed after you opened this page. Nothing was sent. Check its current step.")
	}
	by := heloc.OriginatorID(l.d.Actor.OriginatorUUID)
	op, err := l.d.execute(ctx, intent, func(ctx context.Context, _ string) heloc.CallResult {
		return partner.ResultOf(a.send(ctx, by))
	}, l.d.journal.AcceptOnLead)
	if op.ID != "" {
		l.d.refreshAndPublish(ctx, l.row.App)
	}
	return op, err
}

// refreshAndPublish requests that the lead be read again and publishes it to open pages.
func (d *Desk) refreshAndPublish(ctx context.Context, app heloc.AppID) {
	d.refresher.RequestRefresh(app, d.company())
	d.publish(ctx, app)
}

// publish publishes a changed lead to open pages.
func (b *backend) publish(ctx context.Context, app heloc.AppID) {
	if row, err := b.store.AnyLead(context.WithoutCancel(ctx), app); err == nil {
		b.hub.Publish(pubsub.Event{App: string(app), Revision: row.Revision}, pubsub.Originator(string(row.Originator)), pubsub.Company(row.Company))
	}
}

// Consent is what the form contains about the borrower's consent to a credit pull.
type Consent struct {
	Attested bool
	Method   string
	Version  string
}

// ConsentMethods lists the ways in which a borrower can consent.
func ConsentMethods() []string { return []string{"in-person", "recorded-call", "link"} }

// CheckConsent returns the error of a consent that Start would refuse, for a form that has other errors too.
func (in *Intake) CheckConsent(c Consent) error {
	if err := in.d.may(access.StartInquiry); err != nil {
		return err
	}
	_, err := in.d.checkConsent(c)
	return err
}

// checkConsent refuses a consent that is not attested, or that is for a text other than the current one.
func (d *Desk) checkConsent(c Consent) (*lead.Consent, error) {
	var wrong []fault.Field
	if !slices.Contains(ConsentMethods(), c.Method) {
		wrong = append(wrong, fault.Field{Name: "consent.method", Message: "Choose how the borrower agreed"})
	}
	if !c.Attested {
		wrong = append(wrong, fault.Field{Name: "consent.attested", Message: "Confirm that the borrower agreed to the disclosure"})
	}
	if c.Version != d.consent.Version {
		wrong = append(wrong, fault.Field{Name: "consent.attested", Message: "The disclosure has changed since you opened this page. Read the new text to the borrower"})
	}
	if len(wrong) > 0 {
		return nil, fault.InvalidFields(wrong...)
	}
	return &lead.Consent{Method: c.Method, TextVersion: c.Version}, nil
}
