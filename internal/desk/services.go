package desk

import "hearthline/internal/desk/internal/core"

// Deps and the types below are what desks are built on; nothing outside this folder can name those of core.
//
//nolint:revive // one sentence for all
type (
	Deps           = core.Deps
	ConsentText    = core.ConsentText
	EstimateAccess = core.EstimateAccess
	BorrowerLink   = core.BorrowerLink
	CompanyLimits  = core.CompanyLimits
	StorageCheck   = core.StorageCheck
)
