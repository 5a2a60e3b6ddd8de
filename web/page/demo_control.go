package page

import (
	"context"

	"hearthline/internal/heloc"
)

// DemoControl simulates the borrower and the lender in the demo.
type DemoControl interface {
	// Play simulates an event on a lead, such as borrower-signs-in or documents-signed.
	Play(ctx context.Context, app heloc.AppID, event string) error
	// Events lists the events that would change a lead at the simulated lender now.
	Events(ctx context.Context, app heloc.AppID) []string
	// InjectFault starts or ends a fault at the lender. It returns fault.Invalid for a value that
	// is not one of the Fault constants.
	InjectFault(ctx context.Context, what string) error
	// State returns what the demo bar shows.
	State(ctx context.Context) DemoState
	// Samples returns filled intake forms, one for each trigger.
	Samples() []Sample
}

// DemoState lists the faults that are active at the simulated lender.
type DemoState struct {
	DropsNext   bool
	Down        bool
	WebhooksOff bool
}

// Faults at the simulated lender, and the values that end them.
const (
	FaultDown        = "down"
	FaultUp          = "up"
	FaultLoseNext    = "lose" // lose the next response, after the lender has executed the request
	FaultDeliver     = "keep"
	FaultWebhooksOff = "webhooks-off"
	FaultWebhooksOn  = "webhooks-on"
)

// Sample is a filled intake form. Values maps the name of each control to what is typed in it.
type Sample struct {
	Key    string
	Label  string
	Step   heloc.Step // the step that the inquiry reaches when it is sent as filled in; empty for samples about something else
	Values map[string][]string
}
