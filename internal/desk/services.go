package desk

import "hearthline/internal/desk/internal/core"

// What desks are built on; see core, whose types nothing outside this folder can name.
type (
	Deps           = core.Deps
	ConsentText    = core.ConsentText
	EstimateAccess = core.EstimateAccess
	BorrowerLink   = core.BorrowerLink
	CompanyLimits  = core.CompanyLimits
	StorageCheck   = core.StorageCheck
)
