package pipeline

import (
	"context"
	"slices"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// skipFor is how long NextToday skips a lead that the user has opened: they have seen what to do and moved on.
const skipFor = time.Hour

// NextToday returns the next lead in the user's Today after the one they finished: the first one below it that they
// have not opened within the last hour or whose step has changed since, or else the one below it. After the last lead
// it starts again at the first. It returns false if there is no other lead.
func (p *Pipeline) NextToday(ctx context.Context, after heloc.AppID) (next lead.PipelineRow, found bool, err error) {
	if err := p.d.May(access.SeePipeline); err != nil {
		return next, false, err
	}
	rows, _, err := p.list.Today(ctx, lead.Query{YourMove: true})
	if err != nil || len(rows) == 0 {
		return next, false, err
	}
	// A lead that has left Today has no place in it, so the first one is next.
	at := slices.IndexFunc(rows, func(row lead.PipelineRow) bool { return row.App == after })
	rows = slices.Concat(rows[at+1:], rows[:max(at, 0)])
	apps := make([]heloc.AppID, len(rows))
	for i, row := range rows {
		apps[i] = row.App
	}
	viewed, err := p.d.Store.ViewedAt(ctx, p.d.Actor.UserID, apps)
	since := store.Millis(p.d.Now().Add(-skipFor))
	for _, row := range rows {
		if seen := viewed[row.App]; seen < since || seen < row.StepSince {
			return row, true, err
		}
	}
	if len(rows) == 0 {
		return next, false, err
	}
	return rows[0], true, err
}
