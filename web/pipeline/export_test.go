package pipeline

import (
	"hearthline/internal/desk"
	pageview "hearthline/views/page"
	view "hearthline/views/pipeline"
	"hearthline/views/text"
	"hearthline/views/to"
)

// PresentPipeline is presentPipeline, for the benchmark, which runs the whole portal and therefore is in another
// package.
func PresentPipeline(v text.Viewer, q to.LeadsQuery, list desk.ListPage) view.ListView {
	return presentPipeline(v, q, pageview.DefaultLeadColumns(), list)
}
