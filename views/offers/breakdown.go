package offers

import "hearthline/views/ui"

// HomeView is what the home secures once the line is drawn. Our estimates; zero if the value or a balance is unknown.
type HomeView struct {
	Bar              ui.MoneyBarView
	Remaining        string // equity; "" if the loans exceed the value
	CLTV             string // "60.4%", our estimate with this line; "" while no offer is chosen
	Value, ValueName string // "$642,000", "AVM value"
}

// QuoteBreakdown is the breakdown of one offer. To the borrower + pays off + fee = loan amount.
type QuoteBreakdown struct {
	Title          string // "10 years fixed at 8.20%, fee 2.99%"; "" if none is chosen
	Payments       TwoPayments
	Bar            ui.MoneyBarView
	MismatchReason string // why the parts do not add up; "" if they do
	ToBorrowerName string // "Cash to the borrower", "Cash to the borrower, after the fee"
	ToBorrower     string // to the borrower
	PaysOff        string // "" omits this part
	FeeName        string // "Fee 2.99%"
	Fee            string
	Loan           string
	Costs          []ui.Fact // the lender's costs of this offer, if it reports them
	Method         string    // "net draw plus fee, repaid in equal monthly payments"
}

// DiscountChoice is a discount, by the type that the offers use.
type DiscountChoice struct {
	Type     string
	Name     string // "Autopay"
	Amount   string // "−0.25%"; "" if unknown
	Control  string // the control of the quote form that requests it; "" if only the selection has it
	Selected bool
}

// SelectedOfferView is the selected offer, with the lender's figures and ours.
type SelectedOfferView struct {
	Title       string // "10 years fixed at 8.20%, fee 2.99%"
	IsNew       bool   // the lender is processing the selection; it has confirmed nothing yet
	Statement   string // of a new one: what the originator confirmed
	Payment     string // the lender's
	PaymentNote string // "during the draw period"; "" if the payment stays the same
	OurEstimate string // our estimate, if it differs
	Facts       []ui.Fact
	CanChange   bool   // until conversion
	ChangeURL   string // where another is selected; "" on the page that this is
}
