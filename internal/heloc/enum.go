package heloc

import "slices"

// Step is the workflow position of an inquiry, appData.nextInquiryStep (section 3).
type Step string

// The steps of section 3. An empty Step is null.
const (
	StepUnknown          Step = "UNKNOWN"
	StepNoOffers         Step = "NO_OFFERS"
	StepOffersAvailable  Step = "OFFERS_AVAILABLE"
	StepBorrowerAuth     Step = "BORROWER_AUTH_REQUIRED"
	StepBrokerDocSigning Step = "BROKER_DOC_SIGNING_REQUIRED"
	StepComplete         Step = "INQUIRY_COMPLETE"
	StepClosed           Step = "INQUIRY_CLOSED"
	StepWithdrawn        Step = "INQUIRY_WITHDRAWN"
	StepCreditMatch      Step = "CREDIT_MATCH_REQUIRED"
	StepMoreAssets       Step = "MORE_ASSETS_REQUIRED"
	StepLienMatching     Step = "LIEN_MATCHING_REQUIRED"
	StepPropertyValue    Step = "PROPERTY_VALUE_REQUIRED"
	StepPayoff           Step = "PAYOFF_REQUIRED"
	StepUnfreezeCredit   Step = "UNFREEZE_CREDIT"
	StepSelectProperty   Step = "SELECT_PROPERTY"
)

// Steps lists every step of the contract, in the order of section 3.
func Steps() []Step {
	return []Step{
		StepUnknown, StepNoOffers, StepOffersAvailable, StepBorrowerAuth, StepBrokerDocSigning, StepComplete,
		StepClosed, StepWithdrawn, StepCreditMatch, StepMoreAssets, StepLienMatching, StepPropertyValue,
		StepPayoff, StepUnfreezeCredit, StepSelectProperty,
	}
}

// InProgress reports whether the step says only that the lender is working.
func (s Step) InProgress() bool { return s == "" || s == StepUnknown }

// Known reports whether the contract lists the step.
func (s Step) Known() bool { return slices.Contains(Steps(), s) }

// Ended reports whether the step ends the inquiry.
func (s Step) Ended() bool { return s == StepClosed || s == StepWithdrawn }

// Before reports whether an inquiry at the other step is further along. Of the steps that the partner resolves, none is
// before another, and a step in progress has no position.
func (s Step) Before(other Step) bool { return s.place() > 0 && s.place() < other.place() }

// Beside reports whether an inquiry at the other step is equally far along.
func (s Step) Beside(other Step) bool { return s.place() > 0 && s.place() == other.place() }

func (s Step) place() int {
	if s.Blocked() {
		return 1
	}
	return map[Step]int{StepNoOffers: 1, StepOffersAvailable: 2, StepBorrowerAuth: 3, StepBrokerDocSigning: 4,
		StepComplete: 5, StepClosed: 6, StepWithdrawn: 6}[s]
}

// CanSetAside reports whether the step may be treated as NO_OFFERS (rule of section 3).
func (s Step) CanSetAside() bool {
	return s == StepNoOffers || s.Blocked() && s != StepSelectProperty
}

// Blocked reports whether the partner must resolve something before the lender can make offers.
func (s Step) Blocked() bool {
	return slices.ContainsFunc(BlockedSteps(), func(b BlockedStep) bool { return b.Step == s })
}

// Operation names a write as the interface does (sections 4.1 to 4.20).
type Operation string

// RiskyToRepeat reports whether a second operation of this kind on the same inquiry may harm the borrower: another
// credit pull, an offer other than the one they chose, or the loss of the inquiry.
func (o Operation) RiskyToRepeat() bool {
	return slices.Contains([]Operation{OpStart, OpAddSSN, OpRepullCredit, OpSelectOffer, OpCancel}, o)
}

// The writes of the interface.
const (
	OpStart           Operation = "start"
	OpAddSSN          Operation = "add-ssn"
	OpRepullCredit    Operation = "repull-credit"
	OpVerifyLiens     Operation = "verify-liens"
	OpAddIncome       Operation = "add-income"
	OpAssetDepletion  Operation = "asset-depletion"
	OpPropertyValue   Operation = "add-property-estimate"
	OpSelectProperty  Operation = "select-property"
	OpSelectOffer     Operation = "select-offer"
	OpCancel          Operation = "cancel"
	OpSetAttributions Operation = "attributions"
	OpReassign        Operation = "reassign"
	OpPrequalify      Operation = "pre-qualify"
)

// Operations lists the writes in the order of the interface.
func Operations() []Operation {
	return []Operation{
		OpStart, OpAddSSN, OpRepullCredit, OpVerifyLiens, OpAddIncome, OpAssetDepletion, OpPropertyValue, OpSelectProperty,
		OpSelectOffer, OpCancel, OpSetAttributions, OpReassign, OpPrequalify,
	}
}

// MovesStep reports whether the lender continues processing after the operation, so that
// it is the lender's move until the step changes (section 6.1).
func (o Operation) MovesStep() bool {
	return !slices.Contains([]Operation{OpSetAttributions, OpReassign, OpPrequalify}, o)
}

// EmploymentType is an employment type of section 2.5.
type EmploymentType string

// The employment types on which something depends; views/text has all of them.
const (
	EmploymentUnknown      EmploymentType = "UNKNOWN"
	EmploymentSelfEmployed EmploymentType = "SELF_EMPLOYED"
	EmploymentFullTime     EmploymentType = "FULL_TIME"
)

// PropertyType is how the borrower uses the property.
type PropertyType string

// The property types.
const (
	PropertyUnknown    PropertyType = "UNKNOWN"
	PropertyPrimary    PropertyType = "PRIMARY"
	PropertySecondary  PropertyType = "SECONDARY"
	PropertyInvestment PropertyType = "INVESTMENT"
)

// OwnershipType is how title is held.
type OwnershipType string

// The ownership types.
const (
	OwnershipUnknown OwnershipType = "UNKNOWN"
	OwnershipSole    OwnershipType = "SOLE"
	OwnershipJoint   OwnershipType = "JOINT"
	OwnershipTrust   OwnershipType = "TRUST"
	OwnershipLLC     OwnershipType = "LLC"
	OwnershipOther   OwnershipType = "OTHER"
)

// OfferRateType says whether an offer's rate is fixed.
type OfferRateType string

// The rate types of an offer. The client reads the live service's VARIABLE as FLOATING.
const (
	RateUnknown  OfferRateType = "UNKNOWN"
	RateFixed    OfferRateType = "FIXED"
	RateFloating OfferRateType = "FLOATING"
)

// Enumerations whose values the contract does not list, or on which nothing depends; views/text has the known ones.
//
//nolint:revive // one sentence for all of them says more than twenty
type (
	FinancingPurpose      string
	LicenseHolderType     string
	LicenseStateType      string
	CostType              string
	LiabilityRateType     string
	LiabilityType         string
	LiabilitySubType      string
	UnavailableReason     string
	CreditProvider        string
	CoDeedStatus          string
	NotaryType            string
	PaymentRail           string
	FundingStatus         string
	EntityType            string
	Suffix                string
	DiscountType          string
	PrequalifyAddressType string
	SelfCreditRating      string
	EmploymentStatus      string
	LoanPurpose           string
)

// What follows is sent by the live service but not listed by the contract (interface-live.md). Fields of that kind are
// in the contract's structs. The portal must read and write what both define.

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
