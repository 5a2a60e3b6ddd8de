package pipeline

import (
	"context"

	"hearthline/internal/access"
)

// Snapshot returns a context with which all that a page reads is of one state of the database. The caller ends it
// before it writes the page to the browser.
func (p *Pipeline) Snapshot(ctx context.Context) (_ context.Context, end func(), err error) {
	if err := p.d.May(access.SeePipeline); err != nil {
		return nil, nil, err
	}
	return p.d.Store.Snapshot(ctx)
}
