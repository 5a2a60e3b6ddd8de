package mismo

import "hearthline/internal/heloc"

// File is what a loan file says. Nothing in it is derived: what the file does not say is empty, nil or -1.
type File struct {
	Version    string // "3.4"; "" if the file does not say
	Encoding   string // of the file's bytes, "UTF-8" or "windows-1252"
	LoanNumber Text   // the LOS's own
	Borrowers  []Borrower
	// Applicant is which borrower the file makes the applicant, and by what; -1 if it does not say.
	Applicant   int
	ApplicantBy ApplicantBy
	Properties  []Property // the subject properties; nothing chooses among several
	Title       Title
	Liens       []Lien // every mortgage and line of the file, whatever it is on
	Assets      []Asset
	Requested   *Requested
	Unusable    []Unusable // bounded
	Unused      []Unused   // what else has a value in the file, by group; bounded
}

// Source is where a fact is in the file, and the file's own words.
type Source struct {
	Says  string // bounded, and never with an SSN
	Place string // short: "PARTY 1 / NAME"
}

// Fact is a value with its source. Its zero value means that the file does not say.
type Fact[T any] struct {
	Value T
	Source
}

// Text is a fact in words.
type Text = Fact[string]

// Amount is a fact in dollars. It is not zero, which in a loan file means unknown, but for a value of a property.
type Amount = Fact[heloc.Money]

// Requested is the loan amount; for a home equity line, its limit.
type Requested struct {
	Amount
	Advance *Amount // the first draw of a line
	Note    *Amount // the note amount of a line, if it differs
	// Why says why the borrower may not want this amount: "The file doesn’t call the loan a home equity line". It is empty
	// for a line.
	Why string
}

// ApplicantBy is what makes a borrower the applicant.
type ApplicantBy string

// What makes a borrower the applicant.
const (
	// the only one that is classified as Primary, or else the only one that is no second borrower
	ByClassification ApplicantBy = "classification"
	BySequence       ApplicantBy = "sequence" // the lowest sequence number
	ByBeingAlone     ApplicantBy = "alone"    // the only borrower
)

// Borrower is one borrower of the loan.
type Borrower struct {
	Place                               string // "PARTY 1"
	Full                                Text   // the name where the file has it in one piece
	First, Middle, Last, Suffix, Prefix Text
	Classification                      string    // "Primary"
	Role                                string    // "Guarantor"; "" for a borrower
	Company                             bool      // not a person
	coBorrower                          bool      // by the role
	Sequence                            int       // 0 for none
	BirthDate                           Text      // yyyy-mm-dd
	Phones, Emails                      []Contact // the one that reaches the borrower best is the first
	Addresses                           []Address
	Incomes                             []Income
	SelfEmployed                        *Fact[bool] // in the current or primary employment; nil if the file does not say
	// HasSSN reports that the file has an SSN, which is never read, and SSNProblem why it cannot be one.
	HasSSN     bool
	SSNProblem string // "An SSN can’t begin with 9"
}

// Contact is a phone number or an email address.
type Contact struct {
	Text
	Kind string // "Mobile", as in the file; "" if it does not say
}

// AddressKind is what an address is to the borrower.
type AddressKind string

// The kinds of addresses.
const (
	AddressHome      AddressKind = "home"
	AddressFormer    AddressKind = "former"
	AddressMailing   AddressKind = "mailing"
	AddressResidence AddressKind = "residence" // the file does not say whether it is the current one
	AddressOther     AddressKind = "other"     // the file does not say what it is
)

// Address is an address of a borrower or a property. Value is empty if the address is not in the United States.
type Address struct {
	Fact[heloc.Address]
	Kind    AddressKind // "" for a property
	Country string      // "CA" if it is not in the United States
	Basis   string      // "Own", "Rent"; as in the file
	Since   string      // yyyy-mm-dd as in the file, or how long: "1 year 7 months"
}

// IncomeKind is which of the form's amounts an income belongs to.
type IncomeKind string

// The kinds of income. Support is alimony, child support and separate maintenance: the borrower decides for each credit
// request whether it counts (12 CFR 1002.5(d)(2)).
const (
	IncomeNone       IncomeKind = ""
	IncomeGross      IncomeKind = "gross"
	IncomeRetirement IncomeKind = "retirement"
	IncomeInvestment IncomeKind = "investment"
	IncomeBusiness   IncomeKind = "business"
	IncomeOther      IncomeKind = "other"
	IncomeSupport    IncomeKind = "support"
)

// Income is what a borrower earns from one employer, or from one kind of source without one.
type Income struct {
	Source
	Employer Text // "" if the file does not tie the income to one
	Kind     IncomeKind
	Items    []IncomeItem // as in the file, also those that are not counted
	// Yearly is the sum of what counts, rounded to cents after it was added up; 0 if nothing counts. That of support
	// counts only if the borrower wants it considered.
	Yearly heloc.Money
	// Why is why it counts once though the file has it twice, or why it does not count: "A loss isn’t income". It is
	// empty for a plain sum.
	Why string
}

// IncomeItem is one amount a month.
type IncomeItem struct {
	Amount        // negative for a loss
	Type   string // "Overtime", as in the file
	Repeat bool   // the same figure is in another item, which counts
}

// Property is a subject property.
type Property struct {
	Address Address
	Usage   Fact[heloc.PropertyType] // "" if the file says something else, which Says then has
	Values  []Valuation              // what the file has, zeros included, the one to use first
	Units   int                      // 0 if the file does not say
}

// ValueKind is where a value of a property is from.
type ValueKind string

// The kinds of values, in the order in which they are used.
const (
	ValueAppraised ValueKind = "appraised"
	ValueValuation ValueKind = "valuation" // the file doesn’t say by what method
	ValueEstimated ValueKind = "estimated"
	ValueOther     ValueKind = "other valuation" // by a model, a broker, for taxes
	ValuePurchase  ValueKind = "purchase"
	ValueCost      ValueKind = "original cost" // what the owner once paid
)

// Valuation is one value of a property. A value of zero is unknown.
type Valuation struct {
	Amount
	Kind   ValueKind
	Method string // "FullAppraisal", as in the file
	Date   string // yyyy-mm-dd
}

// Value returns the value to use; nil if the file has none.
func (p Property) Value() *Valuation {
	for i := range p.Values {
		if p.Values[i].Value > 0 {
			return &p.Values[i]
		}
	}
	return nil
}

// Title is how title to the property is held, or will be.
type Title struct {
	Texts   []Text // as written: the text of the title, or each holder's name
	Vesting Text   // "JointTenantsWithRightOfSurvivorship", or a manner of holding title as written
	// Ownership is filled in only where it follows from the file. Why says from what, or why it does not follow.
	Ownership heloc.OwnershipType
	Why       string
}

// LienKind is what a lien is.
type LienKind string

// The kinds of liens.
const (
	LienFirst    LienKind = "first"
	LienSecond   LienKind = "second" // a mortgage that is not the first
	LienMortgage LienKind = "mortgage"
	LienHELOC    LienKind = "heloc"
	LienOther    LienKind = "other" // a tax lien, a judgment
)

// Tie is what ties a lien to a property.
type Tie string

// What ties a lien to a property. A lien tied to a property that is not a subject property is TieElsewhere.
const (
	TieNone      Tie = ""
	TieLink      Tie = "link"
	TieAddress   Tie = "address"
	TieElsewhere Tie = "elsewhere"
)

// Lien is a loan that a property secures.
type Lien struct {
	Source
	Holder   Text
	Kind     LienKind
	Balance  *Amount
	Limit    *Amount // of a line
	Payment  *Amount // a month
	Original *Amount
	Opened   Text // yyyy-mm-dd
	Tie      Tie
	TiedBy   Text // the address or the value that ties it
	Property int  // which of the subject properties; -1 for none
	// Why is a reason to ask whether the property secures it, "It’s on another property". It is empty
	// for one that the file ties to a subject property without a doubt.
	Why      string
	Payoff   bool // to be paid off with the loan
	Zero     bool // the file has a balance of zero, which may be unknown
	Excluded bool // the file leaves it out of the borrower's debts
	account  string
}

// Asset is an account.
type Asset struct {
	Amount
	Type      string // "SavingsAccount", as in the file
	Holder    string
	Savings   bool  // it counts as savings
	Borrowers []int // whose it is; empty if the file does not say
}

// Unusable is a value that cannot be read.
type Unusable struct {
	Source
	Field    string // "Date of birth"
	Reason   string // "“32” isn’t a day of a month"
	Borrower int    // whose it is; -1 for nobody's
}
