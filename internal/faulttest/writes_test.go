package faulttest

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"hearthline/internal/desk"
	deskintake "hearthline/internal/desk/intake"
	"hearthline/internal/desk/reassign"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pii"
)

// write is one write to the lender.
type write struct {
	kind     heloc.Operation
	who      string // who sends it
	lastName string // of the lead before it; empty when it needs none
	// fill fills in the form of a write to a lead.
	fill func(p *portal, l *desk.Lead) (send func(operationID string) (lead.Operation, error), err error)
}

// alike reports whether a write is one of several that follow the same rules: it responds to a step, and the lender's
// details do not show what was sent. Add-ssn and repull-credit represent them.
func (w write) alike() bool {
	switch w.kind {
	case heloc.OpVerifyLiens, heloc.OpAddIncome, heloc.OpAssetDepletion, heloc.OpPropertyValue, heloc.OpSelectProperty:
		return true
	default:
		return false
	}
}

// startName is the last name of the inquiries that a start creates.
const startName = "Rivera"

func writes() []write {
	consented := lead.ConsentForm{Attested: true, Method: "in-person", Version: consent}
	income := heloc.Income{EmploymentType: heloc.EmploymentFullTime, GrossAnnual: new(heloc.Dollars(150_000))}
	plain := func(send func(ctx context.Context, l *desk.Lead, id string) (lead.Operation, error)) func(*portal,
		*desk.Lead) (func(string) (lead.Operation, error), error) {
		return func(p *portal, l *desk.Lead) (func(string) (lead.Operation, error), error) {
			return func(id string) (lead.Operation, error) { return send(p.t.Context(), l, id) }, nil
		}
	}
	return []write{
		{heloc.OpStart, "olivia", "", nil},
		{heloc.OpAddSSN, "olivia", "Rivera-Match",
			plain(func(ctx context.Context, l *desk.Lead, id string) (lead.Operation, error) {
				return l.AddSSN(ctx, id, pii.Wrap("078-05-1120"))
			})},
		// The freeze is not lifted, so the lender asks for the same step again.
		{heloc.OpRepullCredit, "olivia", "Rivera-Frozen",
			plain(func(ctx context.Context, l *desk.Lead, id string) (lead.Operation, error) {
				return l.RepullCredit(ctx, id, consented)
			})},
		{heloc.OpVerifyLiens, "olivia", "Rivera-Liens", verifyLiens},
		{heloc.OpAddIncome, "olivia", "Rivera-Assets",
			plain(func(ctx context.Context, l *desk.Lead, id string) (lead.Operation, error) {
				return l.AddIncome(ctx, id, income)
			})},
		{heloc.OpAssetDepletion, "olivia", "Rivera-Assets",
			plain(func(ctx context.Context, l *desk.Lead, id string) (lead.Operation, error) {
				return l.AssetDepletion(ctx, id, heloc.AssetDepletion{Income: income})
			})},
		{heloc.OpPropertyValue, "olivia", "Rivera-Value",
			plain(func(ctx context.Context, l *desk.Lead, id string) (lead.Operation, error) {
				return l.AddPropertyEstimate(ctx, id, heloc.Dollars(640_000))
			})},
		{heloc.OpSelectProperty, "olivia", "Rivera-Unit", selectProperty},
		{heloc.OpSelectOffer, "olivia", "Rivera", selectOffer},
		{heloc.OpCancel, "olivia", "Rivera",
			plain(func(ctx context.Context, l *desk.Lead, id string) (lead.Operation, error) { return l.Cancel(ctx, id) })},
		{heloc.OpSetAttributions, "olivia", "Rivera",
			plain(func(ctx context.Context, l *desk.Lead, id string) (lead.Operation, error) {
				return l.SetAttributions(ctx, id, heloc.Attributions{Source: heloc.Attribution{Change: true, Value: "radio"}})
			})},
		{heloc.OpReassign, "maya", "Rivera", reassignToMarcus},
		{heloc.OpPrequalify, "olivia", "", nil},
	}
}

// verifyLiens confirms the liens that the lender has found.
func verifyLiens(p *portal, l *desk.Lead) (func(string) (lead.Operation, error), error) {
	d, err := p.booked(l.App())
	if err != nil {
		return nil, err
	}
	var liens []heloc.LienInput
	for _, one := range d.App.Liens {
		liens = append(liens, heloc.LienInput{LienUUID: one.LienUUID, LenderName: one.LenderName,
			OriginationDate: one.OriginationDate, OriginalBalance: one.OriginalBalance})
	}
	return func(id string) (lead.Operation, error) { return l.VerifyLiens(p.t.Context(), id, liens, nil) }, nil
}

// selectProperty selects the first property.
func selectProperty(p *portal, l *desk.Lead) (func(string) (lead.Operation, error), error) {
	found, err := p.direct.Properties(p.t.Context(), l.App())
	if err != nil {
		return nil, err
	}
	property := found.Value.Properties[0].ID
	return func(id string) (lead.Operation, error) { return l.SelectProperty(p.t.Context(), id, property) }, nil
}

// selectOffer selects the first offer.
func selectOffer(p *portal, l *desk.Lead) (func(string) (lead.Operation, error), error) {
	d, err := p.booked(l.App())
	if err != nil {
		return nil, err
	}
	if len(d.App.Underwriting.Offers) == 0 {
		return nil, errors.New("the lender has no offers")
	}
	o := d.App.Underwriting.Offers[0]
	return func(id string) (lead.Operation, error) {
		return l.Offers().SelectOffer(p.t.Context(), id, heloc.OfferSelection{OfferUUID: o.UUID, Amount: *o.MinAmount})
	}, nil
}

func reassignToMarcus(p *portal, l *desk.Lead) (func(string) (lead.Operation, error), error) {
	to := p.actors["marcus"].OriginatorUUID
	return func(id string) (lead.Operation, error) {
		return l.Reassign(p.t.Context(), reassign.Request{OperationID: id, Assignee: to})
	}, nil
}

// form is a write as the user sees it on screen: resending it reuses the same operation id.
type form func() (lead.Operation, error)

// open opens the form of a write for a lead. The form is confirmed if the user has agreed to resend something that
// may have arrived.
func (w write) open(p *portal, app heloc.AppID, confirmed bool) (form, error) {
	switch w.kind {
	case heloc.OpStart:
		f := p.newStart(startName)
		return func() (lead.Operation, error) { return p.start(f) }, nil
	case heloc.OpPrequalify:
		e, err := p.desk.For(p.actors[w.who]).Estimates()
		if err != nil {
			return nil, err
		}
		id := e.NewOperationID()
		return func() (lead.Operation, error) {
			op, _, err := e.Request(p.t.Context(), id, heloc.Prequalification{FirstName: "Elena", LastName: "Rivera",
				Address: &heloc.PrequalifyAddress{Address: home()}, PrivacyOptIn: true,
				LoanPurpose: "HOME_IMPROVEMENT"}) // the live dialect requires a purpose
			return op, err
		}, nil
	}
	l, err := p.lead(w.who, app)
	if err != nil {
		return nil, err
	}
	if confirmed {
		l.ConfirmRepeat()
	}
	id := l.NewOperationID(w.kind)
	send, err := w.fill(p, l)
	return func() (lead.Operation, error) { return send(id) }, err
}

func home() heloc.Address {
	return heloc.Address{Street1: "418 Alder Way", City: "Golden", State: "CO", ZIP: "80401"}
}

// newStart returns a complete intake form for Olivia.
func (p *portal) newStart(lastName string) deskintake.StartForm {
	in, err := p.desk.For(p.actors["olivia"]).Intake()
	check(p.t, err)
	dollars := func(n int64) *heloc.Money { return new(heloc.Dollars(n)) }
	inquiry := heloc.Inquiry{
		Applicant: heloc.Applicant{
			Name: heloc.Name{First: "Elena", Last: lastName}, DateOfBirth: "1984-03-09", Phone: "9195550142",
			Email: "elena@borrower.test", HomeAddress: home(),
			Income: heloc.Income{EmploymentType: heloc.EmploymentFullTime, GrossAnnual: dollars(128_000)},
		},
		Property: heloc.Property{
			Address: home(), PropertyType: heloc.PropertyPrimary, IsListedForSale: new(false),
			OwnershipType: heloc.OwnershipSole, EstimatedValue: dollars(640_000),
			Liens: []heloc.LienInput{{OriginationDate: "2019-05-01", LenderName: "Meridian Home Loans",
				OriginalBalance: dollars(310_000), CurrentBalance: dollars(262_000), MonthlyPayment: dollars(1_640)}},
		},
	}
	return deskintake.StartForm{
		OperationID: in.NewOperationID(), DraftID: uuid.NewString(), Inquiry: inquiry,
		Typed: lead.FormValues{"applicant.name.lastName": {lastName}},
		Snapshot: lead.StartSnapshot{Name: inquiry.Applicant.Name, Phone: inquiry.Applicant.Phone,
			Email: inquiry.Applicant.Email, Address: home()},
		Consent:          lead.ConsentForm{Attested: true, Method: "in-person", Version: consent},
		ConfirmDuplicate: true, NoUnit: true,
	}
}

func (p *portal) start(f deskintake.StartForm) (lead.Operation, error) {
	in, err := p.desk.For(p.actors["olivia"]).Intake()
	if err != nil {
		return lead.Operation{}, err
	}
	return in.Start(p.t.Context(), f)
}
