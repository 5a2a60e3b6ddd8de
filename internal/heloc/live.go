package heloc

// This file declares what the contract does not document but the live service sends
// (interface-live.md). The portal must read and write both.

// StepRefinanceOffer is a step that only the live service sends.
const StepRefinanceOffer Step = "REFINANCE_OFFER"

// Employment types that only the live service uses.
const (
	EmploymentAlimony          EmploymentType = "ALIMONY"
	EmploymentChildSupport     EmploymentType = "CHILD_SUPPORT"
	EmploymentPublicAssistance EmploymentType = "PUBLIC_ASSISTANCE_PROGRAM"
)

// LiveDates are key dates that only the live service sends.
type LiveDates struct {
	LastStatusUpdateDate Date `json:"lastStatusUpdateDate,omitempty"`
}

// LiveCosts is the cost total that only the live service sends.
type LiveCosts struct {
	TotalPaidByBorrower *Money `json:"totalPaidByBorrower,omitempty"`
}

// LiveOffer contains the fields of an offer that only the live service sends.
type LiveOffer struct {
	PreDiscountOriginationFee *Rate `json:"preDiscountOriginationFee,omitempty"`
}

// LiveSelectedOffer contains the fields of a selected offer that only the live service sends.
type LiveSelectedOffer struct {
	OriginationFee       *Rate  `json:"originationFee,omitempty"`
	OriginationFeeAmount *Money `json:"originationFeeAmount,omitempty"`
}

// LiveLiability contains the fields of a debt that only the live service sends.
type LiveLiability struct {
	InterestRateMin *Rate        `json:"interestRatePercentageMin,omitempty"`
	InterestRateMax *Rate        `json:"interestRatePercentageMax,omitempty"`
	PayOffStatus    PayOffStatus `json:"payOffStatus,omitempty"`
}

// LiveNotary contains the deprecated manual appointment.
type LiveNotary struct {
	ManualNotary *ManualNotary `json:"manualNotary,omitempty"`
}

// ManualNotary is a notary appointment entered by hand.
type ManualNotary struct {
	Date Date   `json:"manualNotaryDate,omitempty"`
	Fee  *Money `json:"manualNotaryFee,omitempty"`
}

// LiveOriginatorData contains the fields of a lead's originator that only the live service sends.
type LiveOriginatorData struct {
	CompanyNMLS string `json:"companyNmls,omitempty"`
	Email       string `json:"email,omitempty"`
}

// LiveSigner contains the fields of a borrower that only the live service sends.
type LiveSigner struct {
	Prefix string `json:"prefix,omitempty"`
	Suffix string `json:"suffix,omitempty"`
}

// LivePrequalification contains the fields of an estimate that only the live service sends.
type LivePrequalification struct {
	PersonalizedURL string `json:"personalizedUrl,omitempty"`
	CannedText      string `json:"cannedText,omitempty"`
}

// PayOffStatus is the progress of a debt payoff.
type PayOffStatus string

// Funding statuses that affect the portal's behavior.
const (
	FundingPending   FundingStatus = "PENDING"
	FundingSent      FundingStatus = "SENT"
	FundingComplete  FundingStatus = "COMPLETE"
	FundingCanceled  FundingStatus = "CANCELLED"
	FundingReturned  FundingStatus = "RETURNED"
	FundingException FundingStatus = "EXCEPTION"
	FundingRejected  FundingStatus = "REJECTED"
)
