package page

import (
	"context"

	"hearthline/internal/heloc"
)

// DemoControl plays the borrower and the lender in the demo.
type DemoControl interface {
	// Play lets something happen to a lead: borrower-signs-in, documents-signed and
	// the other events.
	Play(ctx context.Context, app heloc.AppID, event string) error
	// InjectFault lets something go wrong at the lender, or mends it; fault.Invalid for
	// anything that is none of Spoils.
	InjectFault(ctx context.Context, what string) error
	// State is what the demo bar shows.
	State(ctx context.Context) DemoState
	// Samples are filled intakes, one for each trigger.
	Samples() []Sample
}

// DemoState is what has been played on the whole lender.
type DemoState struct {
	DropsNext   bool
	Down        bool
	WebhooksOff bool
}

// What can go wrong at the lender, and how it is mended.
const (
	FaultDown        = "down"
	FaultUp          = "up"
	FaultLoseNext    = "lose" // the next answer, after the deed is done
	FaultDeliver     = "keep"
	FaultWebhooksOff = "webhooks-off"
	FaultWebhooksOn  = "webhooks-on"
)

// Sample is a filled intake. Typed holds what stands in each control, by its name.
type Sample struct {
	Key    string
	Label  string
	Values map[string][]string
}
