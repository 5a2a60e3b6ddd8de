package lendersync

import (
	"context"

	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/trace"
)

// healthChanged announces to every open page that the lender went down or is back, and starts the probes.
func (s *Service) healthChanged() {
	s.Hub.Publish(pubsub.Event{}, pubsub.Everyone())
	wakeUp(s.lenderChanged)
}

// probeLoop asks a lender that is down for one entry of its directory, until it responds. Without it, nobody would
// notice its return while sending is paused and no lead is due. The directory is neutral: a single lead that the
// lender cannot return would keep everything paused.
func (s *Service) probeLoop(ctx context.Context) {
	for s.waitOrWake(ctx, probeEvery, s.lenderChanged) {
		if s.LenderHealth.DownSince().IsZero() {
			continue
		}
		// The client reports the result to LenderHealth.
		traced, span := trace.StartWork(ctx, "probe lender")
		_, _ = s.Lender.Originators(traced, partner.OriginatorQuery{Limit: 1})
		span.End()
	}
}
