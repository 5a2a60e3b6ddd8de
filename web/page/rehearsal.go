package page

import (
	"context"

	"hearthline/internal/heloc"
)

// Rehearsal plays the borrower and the lender in the demo.
type Rehearsal interface {
	// Play lets something happen to a lead: borrower-signs-in, documents-signed and
	// the other events.
	Play(ctx context.Context, app heloc.AppID, event string) error
	// Spoil lets something go wrong at the lender, or mends it; fault.Invalid for
	// anything that is none of Spoils.
	Spoil(ctx context.Context, what string) error
	// State is what the demo bar shows.
	State(ctx context.Context) RehearsalState
	// Samples are filled intakes, one for each trigger.
	Samples() []Sample
}

// RehearsalState is what has been played on the whole lender.
type RehearsalState struct {
	LosesNext   bool
	Down        bool
	WebhooksOff bool
}

// What can go wrong at the lender, and how it is mended.
const (
	SpoilDown        = "down"
	SpoilUp          = "up"
	SpoilLose        = "lose" // the next answer, after the deed is done
	SpoilKeep        = "keep"
	SpoilWebhooksOff = "webhooks-off"
	SpoilWebhooksOn  = "webhooks-on"
)

// Sample is a filled intake. Typed holds what stands in each control, by its name.
type Sample struct {
	Key   string
	Label string
	Typed map[string][]string
}
