package heloc

// This file declares what the live service sends but the contract does not list (interface-live.md), except fields:
// those are in the contract's structs. The portal must read and write what both define.

// StepRefinanceOffer is a step that only the live service sends.
const StepRefinanceOffer Step = "REFINANCE_OFFER"

// ManualNotary is a notary appointment entered by hand.
type ManualNotary struct {
	Date Date   `json:"manualNotaryDate,omitempty"`
	Fee  *Money `json:"manualNotaryFee,omitempty"`
}

// PayOffStatus is the progress of a debt payoff.
type PayOffStatus string

// Funding statuses that affect the portal's behavior.
const (
	FundingSent      FundingStatus = "SENT"
	FundingComplete  FundingStatus = "COMPLETE"
	FundingCanceled  FundingStatus = "CANCELLED"
	FundingReturned  FundingStatus = "RETURNED"
	FundingException FundingStatus = "EXCEPTION"
	FundingRejected  FundingStatus = "REJECTED"
)
