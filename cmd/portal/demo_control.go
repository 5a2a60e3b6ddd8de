package main

import (
	"context"
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/sandbox"
	"hearthline/web/page"
)

// demoControl implements the demo bar, which plays the borrower and the lender.
type demoControl struct{ sandbox *sandbox.Sandbox }

// Play makes an event happen to a lead at the sandbox.
func (d *demoControl) Play(_ context.Context, app heloc.AppID, event string) error {
	return d.sandbox.Play(app, event)
}

// Events returns the events that the sandbox would execute for a lead now.
func (d *demoControl) Events(_ context.Context, app heloc.AppID) []string {
	return d.sandbox.PossibleEvents(app)
}

// InjectFault sets or clears one of the sandbox's faults and leaves the others unchanged.
func (d *demoControl) InjectFault(_ context.Context, what string) error {
	f := d.sandbox.Faults()
	switch what {
	case page.FaultDown:
		f.ErrorRate = 1
	case page.FaultUp:
		f.ErrorRate = 0
	case page.FaultLoseNext:
		f.DropResponses = 1
	case page.FaultDeliver:
		f.DropResponses = 0
	case page.FaultWebhooksOff:
		f.Webhooks = sandbox.WebhooksOff
	case page.FaultWebhooksOn:
		f.Webhooks = sandbox.WebhooksOn
	default:
		return fault.New(fault.Invalid, "The demo cannot simulate this.")
	}
	return d.sandbox.SetFaults(f)
}

// State returns the sandbox's current faults.
func (d *demoControl) State(context.Context) page.DemoState {
	f := d.sandbox.Faults()
	return page.DemoState{Down: f.ErrorRate >= 1, DropsNext: f.DropResponses != 0,
		WebhooksOff: f.Webhooks == sandbox.WebhooksOff}
}

// Samples returns complete inquiries, one for each sandbox trigger.
func (d *demoControl) Samples() []page.Sample {
	samples := []page.Sample{}
	for _, s := range []struct {
		triggers, label string
		step            heloc.Step
	}{
		{"", "Offers", heloc.StepOffersAvailable}, {"Match", "SSN needed", heloc.StepCreditMatch},
		{"Frozen", "Credit frozen", heloc.StepUnfreezeCredit}, {"Liens", "Verify liens", heloc.StepLienMatching},
		{"Assets", "Income/assets needed", heloc.StepMoreAssets}, {"Payoff", "Payoff", heloc.StepPayoff},
		{"Value", "Property value", heloc.StepPropertyValue}, {"Unit", "Property match", heloc.StepSelectProperty},
		{"Vague", "Address too vague", ""}, {"None", "No offers", heloc.StepNoOffers},
		{"Score", "Low score", ""}, {"Slow", "Slow lender", ""}, {"Lost", "Response lost", ""},
		{"Down", "Lender offline", ""}, {"Match-Liens", "SSN, then liens", ""},
		{"Match-Liens-Payoff", "Three in a row", ""},
	} {
		samples = append(samples, page.Sample{Key: sampleKey(s.triggers), Label: s.label, Step: s.step,
			Values: sampleValues(s.triggers)})
	}
	return samples
}

func sampleKey(triggers string) string { return strings.TrimSuffix("Rivera-"+triggers, "-") }

// sampleValues returns the form values of a sample. The consent and the SSN remain empty.
func sampleValues(triggers string) map[string][]string {
	one := func(v string) []string { return []string{v} }
	street := "2216 Larkspur Ave"
	if triggers == "Unit" { // another building, because the intake asks for the unit once it knows of several
		street = "2220 Larkspur Ave"
	}
	return map[string][]string{
		"applicant.name.firstName":           one("Elena"),
		"applicant.name.lastName":            one(sampleKey(triggers)),
		"applicant.dob":                      one("05/17/1979"),
		"applicant.phone":                    one("(303) 555-0147"),
		"applicant.email":                    one("elena.rivera@example.com"),
		"homeIsProperty":                     one("true"),
		"property.address.street1":           one(street),
		"property.address.city":              one("Boise"),
		"property.address.state":             one("ID"),
		"property.address.zip":               one("83702"),
		"property.propertyType":              one("PRIMARY"),
		"property.ownershipType":             one("SOLE"),
		"property.isListedForSale":           one("false"),
		"property.borrowerEstimatedValue":    one("560,000"),
		"amountWanted":                       one("60,000"),
		"applicant.income.employmentType":    one("FULL_TIME"),
		"applicant.income.grossAnnualIncome": one("124,600"),
		"property.liens.0.lenderName":        one("Sawtooth Mortgage"),
		"property.liens.0.originationDate":   one("08/30/2019"),
		"property.liens.0.originalBalance":   one("241,000"),
		"property.liens.0.currentBalance":    one("203,900"),
		"property.liens.0.monthlyPayment":    one("1,318"),
	}
}
