package heloc

import "slices"

// Details is the details resource (section 2.3). Every field may be null: fields are
// pointers where null and zero differ, and hold the zero value otherwise. Borrower details
// are a separate resource (Signers); demographics are not modeled at all.
type Details struct {
	Organization    string         `json:"organization,omitempty"`
	AppUUID         AppID          `json:"appUuid,omitempty"`
	AppShortID      string         `json:"appShortId,omitempty"`
	BorrowerAppLink string         `json:"borrowerAppLink,omitempty"`
	App             AppData        `json:"appData"`
	Originator      OriginatorData `json:"loanOriginatorData"`
}

// AppData is the body of an inquiry or application.
type AppData struct {
	IsInquiry        *bool            `json:"isInquiry,omitempty"`
	IsBridgeLoan     *bool            `json:"isBridgeLoan,omitempty"`
	StartedAsInquiry *bool            `json:"startedAsInquiry,omitempty"`
	Autopay          *bool            `json:"autopay,omitempty"`
	Status           string           `json:"status,omitempty"`
	OverallStatus    string           `json:"overallStatus,omitempty"`
	NextInquiryStep  Step             `json:"nextInquiryStep,omitempty"`
	KeyDates         KeyDates         `json:"keyDates"`
	PropertyAddress  Address          `json:"propertyAddress"`
	Property         PropertyDetails  `json:"propertyDetails"`
	StatusReasons    []string         `json:"statusReasons,omitempty"`
	Costs            Costs            `json:"costs"`
	Payoff           PayoffDetails    `json:"ddpDetails"`
	AssignedUsers    []AssignedUser   `json:"assignedUsers,omitempty"`
	StatusHistory    []StatusEntry    `json:"statusHistory,omitempty"`
	Conditions       []Condition      `json:"conditions,omitempty"`
	Integrations     Integrations     `json:"thirdPartyIntegrations"`
	UTM              UTM              `json:"utmParameters"`
	Funding          *FundingReport   `json:"fundingTransactionReport,omitempty"`
	OwnershipType    OwnershipType    `json:"ownershipType,omitempty"`
	FinancingPurpose FinancingPurpose `json:"financingPurpose,omitempty"`
	Liens            []Lien           `json:"propertyLiens,omitempty"`
	Underwriting     Underwriting     `json:"underwriting"`
	Value            PropertyValue    `json:"propertyValue"`
	Notary           Notary           `json:"notary"`
	TestVariants     TestVariants     `json:"testVariants"`
	Business         *BusinessInfo    `json:"businessInfo,omitempty"`
}

// KeyDates are the dates of an application. The portal never computes them: empty means not known yet.
type KeyDates struct {
	Created           Date `json:"createdDate,omitempty"`
	Expiration        Date `json:"expirationDate,omitempty"`
	RescissionEnd     Date `json:"recissionEndDate,omitempty"`
	Signing           Date `json:"signingDate,omitempty"`
	Completed         Date `json:"completedDate,omitempty"`
	Canceled          Date `json:"canceledDate,omitempty"`
	Declined          Date `json:"declinedDate,omitempty"`
	SummaryDisclosure Date `json:"summaryDisclosureDate,omitempty"`
	AgreementESigned  Date `json:"productAgreementESignedTimestamp,omitempty"`
	FirstPaymentDue   Date `json:"firstPaymentDueDate,omitempty"`
	ExpectedPayoff    Date `json:"expectedPayoffDate,omitempty"`

	// Only from the live service:
	LastStatusUpdateDate Date `json:"lastStatusUpdateDate,omitempty"`
}

// PropertyDetails is what the lender knows about the property. The name of the PropertyID
// field contains a vendor's brand, so the client accepts any name that ends in PropertyId.
type PropertyDetails struct {
	County             string       `json:"county,omitempty"`
	PropertyType       PropertyType `json:"propertyType,omitempty"`
	PropertyID         string       `json:"vendorPropertyId,omitempty"`
	PropertyUUID       string       `json:"propertyUuid,omitempty"`
	LotSquareFeet      *float64     `json:"lotSquareFeet,omitempty"`
	FloodZone          string       `json:"propertyFloodZone,omitempty"`
	LandUseDescription string       `json:"landUseDescription,omitempty"`
	LandUseCode        string       `json:"landUseCode,omitempty"`
	BuildingGrossArea  *float64     `json:"buildingGrossArea,omitempty"`
	Acres              *float64     `json:"propertyAcres,omitempty"`
}

// Costs are the fixed and dynamic costs of the line.
type Costs struct {
	Fixed   []Cost `json:"fixedCosts,omitempty"`
	Dynamic []Cost `json:"dynmaicCosts,omitempty"`

	// Only from the live service:
	TotalPaidByBorrower *Money `json:"totalPaidByBorrower,omitempty"`
}

// Cost is one cost that the borrower pays.
type Cost struct {
	Type       CostType `json:"type,omitempty"`
	PaidAmount *Money   `json:"borrowerPaidAmount,omitempty"`
}

// PayoffDetails is the direct debt payoff of an application.
type PayoffDetails struct {
	Paid              *Money               `json:"paidLiabilityPayoffAmount,omitempty"`
	Total             *Money               `json:"totalLiabilityPayoffAmount,omitempty"`
	AllocatedDTI      *Money               `json:"liabilityPayoffAllocatedAmountDtiImpacting,omitempty"`
	AllocatedOther    *Money               `json:"liabilityPayoffAllocatedAmountNonDtiImpacting,omitempty"`
	LienPositionAfter *Count               `json:"lienPositionAfterPayoff,omitempty"`
	Existing          *ExistingLiabilities `json:"existingLiabilities,omitempty"`
}

// ExistingLiabilities are the debts that can be paid off directly and those that cannot.
type ExistingLiabilities struct {
	Eligible   []Liability `json:"eligible,omitempty"`
	Ineligible []Liability `json:"ineligible,omitempty"`
}

// Liability is one debt of the borrower. ID is the account id that selects it for payoff.
type Liability struct {
	ID                 string              `json:"id,omitempty"`
	RateType           LiabilityRateType   `json:"rateType,omitempty"`
	SubType            LiabilitySubType    `json:"liabilitySubType,omitempty"`
	LastDigits         string              `json:"lastDigitsOfAccountNumber,omitempty"`
	Balance            *Money              `json:"monetaryBalance,omitempty"`
	InterestRate       *Rate               `json:"interestRatePercentage,omitempty"`
	Creditor           string              `json:"creditorName,omitempty"`
	Type               LiabilityType       `json:"liabilityType,omitempty"`
	DTICredit          *bool               `json:"providesDtiCredit,omitempty"`
	CLTVCredit         *bool               `json:"providesCltvCredit,omitempty"`
	LienPositionCredit *bool               `json:"providesLienPositionCredit,omitempty"`
	Reasons            []UnavailableDetail `json:"reasons,omitempty"`

	// Only from the live service:
	InterestRateMin *Rate        `json:"interestRatePercentageMin,omitempty"`
	InterestRateMax *Rate        `json:"interestRatePercentageMax,omitempty"`
	PayOffStatus    PayOffStatus `json:"payOffStatus,omitempty"`
}

// UnavailableDetail gives one reason why a debt cannot be paid off.
type UnavailableDetail struct {
	Reason      UnavailableReason `json:"unavailableReason,omitempty"`
	Description string            `json:"description,omitempty"`
}

// AssignedUser is an employee of the lender who is assigned to the file.
type AssignedUser struct {
	UserUUID string `json:"userUuid,omitempty"`
}

// StatusEntry is one entry of the status history.
type StatusEntry struct {
	OverallStatus string `json:"overallStatus,omitempty"`
	Status        string `json:"status,omitempty"`
	Timestamp     Date   `json:"timestamp,omitempty"`
}

// Condition is a requirement to clear before closing.
type Condition struct {
	Active     *bool  `json:"active,omitempty"`
	Name       string `json:"name,omitempty"`
	Created    Date   `json:"createdDate,omitempty"`
	LastUpdate Date   `json:"lastUpdateDate,omitempty"`
}

// Open reports whether the condition is not cleared yet, as far as the lender says.
func (c Condition) Open() bool { return c.Active == nil || *c.Active }

// OpenConditions lists the conditions that are not cleared yet.
func OpenConditions(all []Condition) []Condition {
	return slices.DeleteFunc(slices.Clone(all), func(c Condition) bool { return !c.Open() })
}

// Integrations are the partner's own ids, as the lender echoes them.
type Integrations struct {
	ApplicationID string `json:"externalPartnerApplicationId,omitempty"`
	ReferenceID   string `json:"externalPartnerReferenceId,omitempty"`
	CustomerID    string `json:"externalPartnerCustomerId,omitempty"`
}

// FundingReport lists the transfers of the proceeds.
type FundingReport struct {
	Transactions []Transaction `json:"transactions,omitempty"`
}

// Transaction is one transfer.
type Transaction struct {
	ID               string        `json:"id,omitempty"`
	Amount           *Money        `json:"amount,omitempty"`
	InitiatedAt      Date          `json:"initiatedAt,omitempty"`
	EffectiveDate    Date          `json:"effectiveDate,omitempty"`
	Rail             PaymentRail   `json:"paymentRail,omitempty"`
	Status           FundingStatus `json:"status,omitempty"`
	MessageUUID      string        `json:"messageUuid,omitempty"`
	SentAt           Date          `json:"sentAt,omitempty"`
	BatchingCategory string        `json:"batchingCategory,omitempty"`
}

// Lien is a recorded claim on the property, as the details list it.
type Lien struct {
	LienUUID        string `json:"lienUuid,omitempty"`
	OriginationDate Date   `json:"originationDate,omitempty"`
	LenderName      string `json:"lenderName,omitempty"`
	OriginalBalance *Money `json:"originalBalance,omitempty"`
	CurrentBalance  *Money `json:"currentBalance,omitempty"`
	MonthlyPayment  *Money `json:"monthlyPayment,omitempty"`
	Position        *Count `json:"lienPosition,omitempty"`
}

// Underwriting is the lender's underwriting result so far. Ratios are percent.
type Underwriting struct {
	Decision            string         `json:"decision,omitempty"`
	MinOfferAmount      *Money         `json:"minOfferAmount,omitempty"`
	MaxOfferAmount      *Money         `json:"maxOfferAmount,omitempty"`
	MinOfferRate        *Rate          `json:"minOfferRate,omitempty"`
	MaxOfferRate        *Rate          `json:"maxOfferRate,omitempty"`
	SoftCredit          *Credit        `json:"softCredit,omitempty"`
	HardCredit          *Credit        `json:"hardCredit,omitempty"`
	MonthlyIncome       *Money         `json:"monthlyIncome,omitempty"`
	StatedMonthlyIncome *Money         `json:"statedMonthlyIncome,omitempty"`
	PreLoanDTI          *Rate          `json:"preLoanDti,omitempty"`
	PostLoanDTI         *Rate          `json:"postLoanDti,omitempty"`
	StatedDTI           *Rate          `json:"statedDti,omitempty"`
	CoDeedStatus        CoDeedStatus   `json:"coDeedStatus,omitempty"`
	FloodInsured        *bool          `json:"floodInsured,omitempty"`
	HomeownersInsured   *bool          `json:"homeownersInsured,omitempty"`
	EmploymentType      EmploymentType `json:"employmentType,omitempty"`
	ForSaleMLS          *bool          `json:"homeForSaleMlsResponse,omitempty"`
	ForSaleAttested     *bool          `json:"homeForSaleBorrowerAttested,omitempty"`
	PricingAsOf         Date           `json:"pricingAsOfDate,omitempty"`
	CreditAsOf          Date           `json:"creditAsOfDate,omitempty"`
	GuidelineVersion    string         `json:"guidelineVersion,omitempty"`
	Offers              []Offer        `json:"offers,omitempty"`
	SelectedOffer       *SelectedOffer `json:"selectedOffer,omitempty"`
}

// Credit is one credit report.
type Credit struct {
	Provider  CreditProvider `json:"provider,omitempty"`
	Score     *Count         `json:"score,omitempty"`
	Timestamp Date           `json:"timestamp,omitempty"`
}

// PropertyValue holds the property's values and the ratios based on them.
type PropertyValue struct {
	BorrowerEstimated  *Money `json:"borrowerEstimatedValue,omitempty"`
	AVM                *Money `json:"propertyAvmValue,omitempty"`
	PreLoanCLTV        *Rate  `json:"preLoanCltv,omitempty"`
	PostLoanCLTV       *Rate  `json:"postLoanCltv,omitempty"`
	PreLoanAdjCLTV     *Rate  `json:"preLoanAdjCltv,omitempty"`
	PostLoanAdjCLTV    *Rate  `json:"postLoanAdjCltv,omitempty"`
	PostLoanAdjMinCLTV *Rate  `json:"postLoanAdjMinCltv,omitempty"`
}

// Notary is the signing appointment.
type Notary struct {
	Type        NotaryType `json:"type,omitempty"`
	Fee         *Money     `json:"fee,omitempty"`
	Appointment Date       `json:"appointmentDate,omitempty"`
	Completed   Date       `json:"completedDate,omitempty"`

	// Only from the live service:
	ManualNotary *ManualNotary `json:"manualNotary,omitempty"`
}

// OriginatorData describes the lead's originator and the licenses used.
type OriginatorData struct {
	UUID        OriginatorID `json:"loanOriginatorUuid,omitempty"`
	BrokerUUID  string       `json:"brokerUuid,omitempty"`
	NMLS        string       `json:"nmls,omitempty"`
	ExternalID  string       `json:"externalId,omitempty"`
	CompanyName string       `json:"companyDbaName,omitempty"`
	Licenses    Licenses     `json:"licenses"`

	// Only from the live service:
	CompanyNMLS string `json:"companyNmls,omitempty"`
	Email       string `json:"email,omitempty"`
}

// Licenses are those of the three parties to a line.
type Licenses struct {
	Lender         *License `json:"lenderLicense,omitempty"`
	LoanOriginator *License `json:"loanOriginatorLicense,omitempty"`
	Broker         *License `json:"brokerLicense,omitempty"`
}

// License is one license with its holder.
type License struct {
	Holder LicenseHolder `json:"licenseHolder"`
	State  StateLicense  `json:"stateLicense"`
}

// LicenseHolder is the holder of a license.
type LicenseHolder struct {
	Type LicenseHolderType `json:"type,omitempty"`
	UUID string            `json:"uuid,omitempty"`
	Name string            `json:"name,omitempty"`
	NMLS string            `json:"nmls,omitempty"`
}

// StateLicense is the license in one state.
type StateLicense struct {
	Type   LicenseStateType `json:"type,omitempty"`
	UUID   string           `json:"uuid,omitempty"`
	Number string           `json:"licenseNumber,omitempty"`
	Name   string           `json:"licenseName,omitempty"`
	State  string           `json:"state,omitempty"`
}

// Signers are the borrowers of an application. They are PII: fetched only on request
// (include=BORROWER_DETAILS, section 4.3) and never stored.
type Signers struct {
	Primary    Signer   `json:"primary"`
	Additional []Signer `json:"additionalSigners,omitempty"`
}

// Signer is one borrower.
type Signer struct {
	IdentityUUID string  `json:"identityUuid,omitempty"`
	Email        string  `json:"email,omitempty"`
	FirstName    string  `json:"firstName,omitempty"`
	MiddleName   string  `json:"middleName,omitempty"`
	LastName     string  `json:"lastName,omitempty"`
	DateOfBirth  Date    `json:"dob,omitempty"`
	Address      Address `json:"address"`
	Phone        string  `json:"phoneNumber,omitempty"`

	// Only from the live service:
	Prefix string `json:"prefix,omitempty"`
	Suffix string `json:"suffix,omitempty"`
}
