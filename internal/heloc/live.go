package heloc

// This file declares what the contract does not list but the live service sends (interface-live.md), besides fields,
// which are in the structs of the contract. The portal must read and write both.

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
