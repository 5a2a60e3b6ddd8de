package heloc

import (
	"strings"

	"hearthline/internal/pii"
)

// Address is a US address. Street2 is the apartment or another unit identifier.
type Address struct {
	Street1 string `json:"street1,omitempty"`
	Street2 string `json:"street2,omitempty"`
	City    string `json:"city,omitempty"`
	State   string `json:"state,omitempty"`
	ZIP     string `json:"zip,omitempty"`
}

// Inquiry is the decrypted start payload (section 2.2), without the request block, which the
// client adds. The SSN is sent only inside the encrypted payload.
type Inquiry struct {
	Applicant    Applicant     `json:"applicant"`
	Property     Property      `json:"property"`
	PartnerData  *PartnerData  `json:"partnerDataRequest,omitempty"`
	TestVariants *TestVariants `json:"testVariantsRequest,omitempty"`
	Business     *BusinessInfo `json:"businessInfo,omitempty"`
}

// Applicant is the borrower who applies.
type Applicant struct {
	Name        Name               `json:"name"`
	DateOfBirth Date               `json:"dob,omitempty"`
	Phone       string             `json:"phone,omitempty"`
	Email       string             `json:"email,omitempty"`
	SSN         pii.Secret[string] `json:"-"`
	HomeAddress Address            `json:"homeAddress"`
	Income      Income             `json:"income"`
}

// Name is a person's name.
type Name struct {
	First  string `json:"firstName,omitempty"`
	Last   string `json:"lastName,omitempty"`
	Prefix string `json:"prefix,omitempty"`
	Middle string `json:"middleName,omitempty"`
	Suffix Suffix `json:"suffix,omitempty"`
}

// Masked returns the first letters of the name, for users who may not read it.
func (n Name) Masked() Name {
	mask := func(name string) string {
		for _, letter := range name {
			return string(letter) + "•••"
		}
		return ""
	}
	return Name{First: mask(n.First), Last: mask(n.Last)}
}

// Income is stated annual income and savings.
type Income struct {
	EmploymentType   EmploymentType `json:"employmentType,omitempty"`
	GrossAnnual      *Money         `json:"grossAnnualIncome,omitempty"`
	OtherAnnual      *Money         `json:"otherAnnualIncome,omitempty"`
	RetirementAnnual *Money         `json:"annualRetirementIncome,omitempty"`
	InvestmentAnnual *Money         `json:"annualInvestmentIncome,omitempty"`
	BusinessAnnual   *Money         `json:"annualBusinessIncome,omitempty"`
	Savings          *Money         `json:"savingsAmount,omitempty"`
}

// NoAmount reports whether no amount is given: an employment type alone does not answer a
// question about income.
func (i Income) NoAmount() bool {
	return i.GrossAnnual == nil && i.OtherAnnual == nil && i.RetirementAnnual == nil &&
		i.InvestmentAnnual == nil && i.BusinessAnnual == nil && i.Savings == nil
}

// Property is the home that secures the line.
type Property struct {
	Address         Address       `json:"address"`
	PropertyType    PropertyType  `json:"propertyType,omitempty"`
	IsListedForSale *bool         `json:"isListedForSale,omitempty"`
	OwnershipType   OwnershipType `json:"ownershipType,omitempty"`
	EstimatedValue  *Money        `json:"borrowerEstimatedValue,omitempty"`
	Liens           []LienInput   `json:"liens,omitempty"`
}

// LienInput is a lien as the partner sends it; LienUUID is set only for verify-liens.
type LienInput struct {
	LienUUID        string `json:"lienUuid,omitempty"`
	OriginationDate Date   `json:"originationDate,omitempty"`
	LenderName      string `json:"lenderName,omitempty"`
	OriginalBalance *Money `json:"originalBalance,omitempty"`
	CurrentBalance  *Money `json:"currentBalance,omitempty"`
	MonthlyPayment  *Money `json:"monthlyPayment,omitempty"`
}

// PartnerData is stored with the application for reference (section 2.2).
type PartnerData struct {
	AppID       string `json:"externalAppId,omitempty"`
	ReferenceID string `json:"externalReferenceId,omitempty"`
	CustomerID  string `json:"externalCustomerId,omitempty"`
	UTM         *UTM   `json:"utmParameters,omitempty"`
}

// UTM parameters record where a lead came from.
type UTM struct {
	Source   string `json:"source,omitempty"`
	Medium   string `json:"medium,omitempty"`
	Campaign string `json:"campaign,omitempty"`
	Term     string `json:"term,omitempty"`
	Content  string `json:"content,omitempty"`
}

// TestVariants are A/B variants by name.
type TestVariants struct {
	Variants []TestVariant `json:"variants,omitempty"`
}

// TestVariant is one A/B variant.
type TestVariant struct {
	Name string `json:"name,omitempty"`
}

// BusinessInfo describes the company for a business line.
type BusinessInfo struct {
	EntityName           string     `json:"entityName,omitempty"`
	EntityType           EntityType `json:"entityType,omitempty"`
	OwnershipPercentage  *Rate      `json:"ownershipPercentage,omitempty"`
	TotalMonthlyRevenue  *Money     `json:"totalMonthlyRevenue,omitempty"`
	EIN                  string     `json:"ein,omitempty"`
	StateOfIncorporation string     `json:"stateOfIncorporation,omitempty"`
	Address              *Address   `json:"address,omitempty"`
}

// AssetDepletion resolves MORE_ASSETS_REQUIRED and PAYOFF_REQUIRED (section 4.15).
type AssetDepletion struct {
	Income           Income
	AccountsToPayoff []string
}

// MatchedProperty is one candidate for an ambiguous address (section 2.4).
type MatchedProperty struct {
	ID        string   `json:"id,omitempty"`
	Address   Address  `json:"address"`
	APN       string   `json:"apn,omitempty"`
	Longitude *float64 `json:"longitude,omitempty"`
	Latitude  *float64 `json:"latitude,omitempty"`
}

// Message is a message that the lender sends with a response; levels are open.
type Message struct {
	Level   string `json:"level,omitempty"`
	Message string `json:"message,omitempty"`
}

// MatchedProperties is the response of section 4.9.
type MatchedProperties struct {
	Properties []MatchedProperty `json:"properties,omitempty"`
	Messages   []Message         `json:"messages,omitempty"`
}

// Document describes one document of an application (section 2.4).
type Document struct {
	UUID        string `json:"documentUuid,omitempty"`
	FileName    string `json:"fileName,omitempty"`
	DocType     string `json:"docType,omitempty"`
	ContentType string `json:"contentType,omitempty"`
}

// Originator is one entry of the lender's directory (sections 2.4 and 4.21).
type Originator struct {
	ID           OriginatorID   `json:"loanOriginatorId,omitempty"`
	Email        string         `json:"email,omitempty"`
	FirstName    string         `json:"firstName,omitempty"`
	LastName     string         `json:"lastName,omitempty"`
	MiddleName   string         `json:"middleName,omitempty"`
	NMLS         string         `json:"nmls,omitempty"`
	Phone        string         `json:"phoneNumber,omitempty"`
	Organization string         `json:"organization,omitempty"`
	Broker       *BrokerCompany `json:"brokerCompany,omitempty"`
}

// BrokerCompany is the company that an originator works for.
type BrokerCompany struct {
	ID   string `json:"brokerId,omitempty"`
	Name string `json:"brokerName,omitempty"`
	NMLS string `json:"brokerNmls,omitempty"`
}

// Attribution is one attribution of a patch: unchanged, set or unset (section 4.6).
type Attribution struct {
	Change bool   // false leaves the previous value
	Value  string // empty with Change unsets
}

// Attributions is the patch of section 4.6. CustomerID is sent only to the live service.
type Attributions struct {
	Source, Medium, Campaign, Term, Content Attribution
	ApplicationID, ReferenceID, CustomerID  Attribution
}

// Prequalification requests estimated offers without a key (section 4.20).
type Prequalification struct {
	AffiliateID        string             `json:"affiliateId,omitempty"`
	FirstName          string             `json:"firstName,omitempty"`
	LastName           string             `json:"lastName,omitempty"`
	Suffix             Suffix             `json:"suffix,omitempty"`
	Email              string             `json:"email,omitempty"`
	Phone              string             `json:"phone,omitempty"`
	Address            *PrequalifyAddress `json:"address,omitempty"`
	MailingAddress     *PrequalifyAddress `json:"mailingAddress,omitempty"`
	RequestType        string             `json:"requestType"`
	HouseholdIncome    *Money             `json:"householdIncome,omitempty"`
	DateOfBirth        Date               `json:"dob,omitempty"`
	LeadID             string             `json:"leadId,omitempty"`
	SelfCreditRating   SelfCreditRating   `json:"selfCreditRating,omitempty"`
	SMSOptIn           bool               `json:"smsOptIn"`
	RemarketingAllowed bool               `json:"remarketingAllowed"`
	PrivacyOptIn       bool               `json:"privacyPolicyOptIn"`
	AmountToBorrow     *Count             `json:"amountToBorrow,omitempty"` // whole dollars
	CampaignName       string             `json:"campaignName,omitempty"`
	CampaignSubSource  string             `json:"campaignSubSource,omitempty"`
	QueryParams        string             `json:"queryParams,omitempty"`
	SSN                pii.Secret[string] `json:"-"`
	EmploymentStatus   EmploymentStatus   `json:"employmentStatus,omitempty"`
	MonthlyExpenses    *Money             `json:"monthlyExpenses,omitempty"`
	LoanPurpose        LoanPurpose        `json:"loanPurpose,omitempty"`
	FICO               *Count             `json:"fico,omitempty"`
	MortgagePayment    *Money             `json:"monthlyMortgagePayment,omitempty"`
	MortgageBalances   *Count             `json:"currentMortgageBalances,omitempty"` // whole dollars
	PropertyValue      *Money             `json:"propertyValue,omitempty"`
}

// PrequalifyAddress is an address with its use and ownership.
type PrequalifyAddress struct {
	Address
	Type           PrequalifyAddressType `json:"type,omitempty"`
	Ownership      OwnershipType         `json:"ownership,omitempty"`
	OwnerLegalName string                `json:"ownerLegalName,omitempty"`
}

// Estimate is the response of a pre-qualification. The APR is the lender's own.
type Estimate struct {
	Status  string          `json:"status,omitempty"` // "OFFERS" or "NO OFFERS", in any case
	Product string          `json:"product,omitempty"`
	Offers  []EstimateOffer `json:"offers,omitempty"`

	// Only from the live service:
	PersonalizedURL string `json:"personalizedUrl,omitempty"`
	CannedText      string `json:"cannedText,omitempty"`
}

// EstimateOffer is one pre-qualification offer.
type EstimateOffer struct {
	Term           *Count `json:"term,omitempty"`
	LoanAmount     *Money `json:"loanAmount,omitempty"`
	InterestRate   *Rate  `json:"interestRate,omitempty"`
	MonthlyPayment *Money `json:"monthlyPayment,omitempty"`
	APR            *Rate  `json:"apr,omitempty"`
	OriginationFee *Money `json:"originationFee,omitempty"`
	RateType       string `json:"rateType,omitempty"`
}

// CallResult is what is known about one call of a write: how far it got, and what the lender answered. The client
// reports it; the journal decides what it means for the operation.
type CallResult struct {
	Reach     Reach
	Status    int // the HTTP status; 0 without an answer
	RequestID string
	Messages  []Message // the lender's own
	Effect    Effect
	App       AppID // the application that the answer names, for a start
}

// Reach is how far a call got.
type Reach int

// The cases. ReachSent is the zero value, so that the default is the cautious assumption.
const (
	ReachSent    Reach = iota // a header block was sent, and no complete, readable answer arrived
	ReachNothing              // no complete header block was sent: the lender cannot have acted on it
	ReachAnswer               // an answer arrived. One with a 2xx status was read to its end
)

// Effect says whether an answer with a 2xx status states what the write did.
type Effect int

// The cases.
const (
	EffectUnstated Effect = iota // answers of this endpoint do not state it
	EffectStated                 // the answer names the new application or contains the estimate
	EffectMissing                // it should, and does not
)

// HasErrorMessage reports whether there is an error-level message. Levels are an open list
// (section 2.4), so it looks inside them for the usual words for "this did not happen".
func HasErrorMessage(messages []Message) bool {
	for _, m := range messages {
		level := strings.ToUpper(m.Level)
		for _, word := range []string{"ERR", "FATAL", "FAIL", "CRITICAL", "SEVERE"} {
			if strings.Contains(level, word) {
				return true
			}
		}
	}
	return false
}
