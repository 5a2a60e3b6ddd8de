package main

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/store"
)

// reportReplica reports that this process serves the portal, until the context ends, and shares the lender's rate
// with the other processes that do. It ends the process when a newer release has updated the database to what this
// one cannot use.
func (p *portal) reportReplica(ctx context.Context) {
	tick := time.NewTicker(store.ReplicaReports)
	defer tick.Stop()
	for {
		all, err := p.store.ReportReplica(ctx, p.name, version)
		switch {
		case err == nil:
			p.lender.ShareRate(len(all))
		case errors.Is(err, store.ErrReleaseTooOld) && p.stop != nil:
			p.log.Error("this process ends, because a newer release has updated the database", "release", version)
			p.stop(err)
		case ctx.Err() == nil:
			p.log.Warn("this process could not report to the others", "cause", err.Error())
		}
		select {
		case <-ctx.Done():
			if err := p.store.RemoveReplica(context.WithoutCancel(ctx), p.name); err != nil {
				p.log.Warn("the other processes will take this one for running for some seconds", "cause", err.Error())
			}
			return
		case <-tick.C:
		}
	}
}
