package pipeline

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// skipFor is how long NextToday skips a lead that the user has opened: they have seen what to do and moved on.
const skipFor = time.Hour

// NextToday returns the next lead in the user's Today after the one they finished: the first one that they have not
// opened within the last hour or whose step has changed since, or else the first one left. It returns false if there
// is none.
func (p *Pipeline) NextToday(ctx context.Context, after heloc.AppID) (next lead.PipelineRow, found bool, err error) {
	if err := p.d.May(access.SeePipeline); err != nil {
		return next, false, err
	}
	rows, _, err := p.list.Today(ctx, lead.Query{YourMove: true})
	if err != nil || len(rows) == 0 {
		return next, false, err
	}
	apps := make([]heloc.AppID, len(rows))
	for i, row := range rows {
		apps[i] = row.App
	}
	viewed, err := p.d.Store.ViewedAt(ctx, p.d.Actor.UserID, apps)
	since := store.Millis(p.d.Now().Add(-skipFor))
	for _, row := range rows {
		at := viewed[row.App]
		switch {
		case row.App == after:
		case at < since || at < row.StepSince:
			return row, true, err
		case !found:
			next, found = row, true
		}
	}
	return next, found, err
}
