package ui

import (
	"context"

	"github.com/a-h/templ"

	"hearthline/views/to"
)

// paletteHx asks shortly after the last key, and when palette.js opens the dialog; the last answer wins.
func paletteHx(ctx context.Context, base to.Base) templ.OrderedAttributes {
	return Hx{Post: base.Search(), Trigger: "input delay:120ms, ask", Target: "#" + paletteResultsID, Swap: "innerHTML",
		LatestWins: true, SkipValidation: true}.Attrs(ctx)
}

// keysHx fetches the list of shortcuts when it is opened first.
func keysHx(ctx context.Context, base to.Base) templ.OrderedAttributes {
	return Hx{Get: base.Help("keyboard"), Trigger: "ask", Swap: "innerHTML"}.Attrs(ctx)
}
