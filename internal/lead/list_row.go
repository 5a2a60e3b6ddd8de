package lead

import (
	"hearthline/internal/heloc"
)

// PipelineRow is one lead of a list.
type PipelineRow struct {
	*Row
	Name       heloc.Name
	Masked     bool   // for users that only a CRM vouches for: shows only the step and whose move it is
	Originator string // the originator's name, for users who see more than their own leads
	AsDeputy   bool   // the user sees the lead because they cover for its originator
	Unseen     Unseen
	Unknown    bool // the outcome of a write is unknown
}

// Unseen is what happened to a lead since this user last viewed it, for its row in a list.
type Unseen struct {
	Condition bool
	Wire      string // as store.Lead.WireStatus; empty when no wire transfer has failed since
}
