package lead

import "hearthline/internal/heloc"

// Sort is an order of the pipeline.
type Sort string

// The orders. Due is the default: earliest due time first.
const (
	SortDue     Sort = "due"
	SortOldest  Sort = "oldest"
	SortNewest  Sort = "newest"
	SortUpdated Sort = "updated"
	SortAmount  Sort = "amount"
)

// Query selects one page of the pipeline. Empty fields do not filter.
type Query struct {
	Lane       heloc.Lane // empty is all
	StatusKey  heloc.StatusKey
	State      string
	Originator heloc.OriginatorID
	Sort       Sort
	After      string // the key of the last row of the previous page, from store.LeadPage
	Limit      int    // store.PageSize when zero
}

// CountLimit is the number at which a tab's count stops.
const CountLimit = 1000
