package lead

import "hearthline/internal/heloc"

// Part names one sealed part of a lead.
type Part string

// The parts of a lead.
const (
	PartDetails    Part = "details"    // heloc.Details without conditions and funding
	PartConditions Part = "conditions" // []heloc.Condition
	PartFunding    Part = "funding"    // *heloc.FundingReport
	PartDocuments  Part = "documents"  // []KnownDocument, as lendersync stores it
	PartProperties Part = "properties" // heloc.MatchedProperties
	PartReading    Part = "reading"    // journal.LastReading
	// what the team knows about the debts, as package desk stores it; not from the lender
	PartPayoffPlan Part = "payoff-plan"
)

// KnownDocument is a document and the time since when we know it, in milliseconds.
type KnownDocument struct {
	heloc.Document
	Since int64 `json:"since"`
}
