package lead

import (
	"slices"
	"strings"

	"hearthline/internal/heloc"
)

// BorrowerQuote is what a borrower is shown of their offers: figures and dates, without texts, so that both
// languages show the same. Nothing in it identifies the borrower, the property or the lead, because a
// shared link shows it to whoever has the link.
type BorrowerQuote struct {
	PreparedOn heloc.Date `json:"preparedOn"` // in the calendar of the user who prepared it
	PricedAsOf heloc.Date `json:"pricedAsOf,omitempty"`
	Expires    heloc.Date `json:"expires,omitempty"` // when the lender's inquiry expires; empty if unknown
	// the last day of a shared link, in the calendar of who shared it
	LinkExpires  heloc.Date         `json:"linkExpires,omitempty"`
	Draw         heloc.Money        `json:"draw"`
	FeeMethod    heloc.FeeMethod    `json:"feeMethod"`
	PricedAtDraw bool               `json:"pricedAtDraw"` // whether the lender priced the offers for this draw
	SoftInquiry  bool               `json:"softInquiry"`  // whether nothing beyond the inquiry has happened yet
	Offers       []BorrowerOffer    `json:"offers,omitempty"`
	MoreOffers   bool               `json:"moreOffers,omitempty"` // there are more than are shown
	Debts        []BorrowerDebt     `json:"debts,omitempty"`
	Discounts    []BorrowerDiscount `json:"discounts,omitempty"`
}

// BorrowerOffer is one offer. What is nil is unknown.
type BorrowerOffer struct {
	RateType  heloc.OfferRateType `json:"rateType"`
	Months    int                 `json:"months"`
	Rate      *heloc.Rate         `json:"rate,omitempty"`
	Fee       *heloc.Rate         `json:"fee,omitempty"`
	MinAmount *heloc.Money        `json:"min,omitempty"`
	MaxAmount *heloc.Money        `json:"max,omitempty"`

	InterestOnly bool `json:"interestOnly,omitempty"` // interest only during the draw period
	DrawMonths   int  `json:"drawMonths,omitempty"`   // the draw period; zero if there is none or it is unknown
	NoPayment    bool `json:"noPayment,omitempty"`    // how it is repaid is unknown
}

// BorrowerDebt is a debt that the line would pay off.
type BorrowerDebt struct {
	Creditor string       `json:"creditor,omitempty"`
	Balance  *heloc.Money `json:"balance,omitempty"`
	Payment  heloc.Money  `json:"payment,omitempty"` // monthly, as the borrower reported it; zero if unknown
}

// BorrowerDiscount is a discount that was asked for.
type BorrowerDiscount struct {
	Type     heloc.DiscountType `json:"type"`
	Rate     *heloc.Rate        `json:"rate,omitempty"`
	Included bool               `json:"included"` // in the rates; otherwise it may lower them
	// the rates include it as we estimate it; the lender has not priced it in
	Estimated bool `json:"estimated,omitempty"`
}

// PaysOff is the total of the debts.
func (q BorrowerQuote) PaysOff() heloc.Money {
	var sum heloc.Money
	for _, d := range q.Debts {
		if d.Balance != nil {
			sum += *d.Balance
		}
	}
	return sum
}

// Estimate returns an offer at the draw, for our estimates. Without a rate, or with an amount out of the offer's range,
// it has no payment.
func (q BorrowerQuote) Estimate(o BorrowerOffer) heloc.PricedOffer {
	at := heloc.PricedOffer{Draw: q.Draw, Months: o.Months, Method: q.FeeMethod, InterestOnly: o.InterestOnly,
		DrawMonths: o.DrawMonths, FeeUnknown: o.Fee == nil}
	if o.Fee != nil {
		at.Fee = *o.Fee
	}
	if o.Rate == nil || o.NoPayment || !o.InRange(q.Draw) {
		at.Months = 0
		return at
	}
	at.Rate = *o.Rate
	return at
}

// InRange reports whether the offer is available at a draw.
func (o BorrowerOffer) InRange(draw heloc.Money) bool {
	return (o.MaxAmount == nil || draw <= *o.MaxAmount) && (o.MinAmount == nil || draw >= *o.MinAmount)
}

// FigureCheck compares what the borrower was shown for a selection with what the lender booked. Nothing is booked
// before ComparedAt.
type FigureCheck struct {
	OpID     string              `db:"op_id"` // the operation of the selection
	App      heloc.AppID         `db:"app"`
	Company  string              `db:"company"`
	Offer    string              `db:"offer"`
	RateType heloc.OfferRateType `db:"rate_type"`

	ShownAt         int64        `db:"shown_at"`
	ShownAmount     *heloc.Money `db:"shown_amount"`
	ShownRate       *heloc.Rate  `db:"shown_rate"`
	ShownDiscounts  string       `db:"shown_discounts"` // one a line
	ShownPayment    *heloc.Money `db:"shown_payment"`
	ShownLoanAmount *heloc.Money `db:"shown_loan_amount"`
	ShownFee        *heloc.Money `db:"shown_fee"`

	Outcome    heloc.FigureOutcome `db:"outcome"`
	ComparedAt int64               `db:"compared_at"` // when these figures were booked at first
	// when the outcome became final; later readings change nothing
	ConfirmedAt      int64        `db:"confirmed_at"`
	BookedAmount     *heloc.Money `db:"booked_amount"`
	BookedRate       *heloc.Rate  `db:"booked_rate"`
	BookedDiscounts  string       `db:"booked_discounts"`
	BookedPayment    *heloc.Money `db:"booked_payment"`
	BookedLoanAmount *heloc.Money `db:"booked_loan_amount"`
	BookedFee        *heloc.Money `db:"booked_fee"`
}

// Shown returns what the borrower was shown.
func (c FigureCheck) Shown() heloc.OfferFigures {
	return heloc.OfferFigures{
		RateType: c.RateType, Amount: c.ShownAmount, Rate: c.ShownRate, Discounts: splitLines(c.ShownDiscounts),
		Payment: c.ShownPayment, LoanAmount: c.ShownLoanAmount, Fee: c.ShownFee,
	}
}

// SetShown sets what the borrower was shown.
func (c *FigureCheck) SetShown(f heloc.OfferFigures) {
	c.RateType, c.ShownAmount, c.ShownRate, c.ShownDiscounts = f.RateType, f.Amount, f.Rate, joinLines(f.Discounts)
	c.ShownPayment, c.ShownLoanAmount, c.ShownFee = f.Payment, f.LoanAmount, f.Fee
}

// Booked returns what the lender booked.
func (c FigureCheck) Booked() heloc.OfferFigures {
	return heloc.OfferFigures{
		RateType: c.RateType, Amount: c.BookedAmount, Rate: c.BookedRate, Discounts: splitLines(c.BookedDiscounts),
		Payment: c.BookedPayment, LoanAmount: c.BookedLoanAmount, Fee: c.BookedFee,
	}
}

// Book records the booked figures that a reading showed at an instant. It reports whether they differ and still need a
// second reading with the same figures, at least pause milliseconds after the first.
func (c *FigureCheck) Book(booked heloc.OfferFigures, at, pause int64) (waits bool) {
	same := c.ComparedAt != 0 && len(c.Booked().Differences(booked)) == 0
	c.BookedAmount, c.BookedRate, c.BookedDiscounts = booked.Amount, booked.Rate, joinLines(booked.Discounts)
	c.BookedPayment, c.BookedLoanAmount, c.BookedFee = booked.Payment, booked.LoanAmount, booked.Fee
	if !same {
		c.ComparedAt = at
	}
	c.Outcome = heloc.FigureOutcomeOf(c.Shown().Differences(booked))
	if c.Outcome == heloc.FiguresMatched || same && at-c.ComparedAt >= pause {
		c.ConfirmedAt = at
	}
	return c.ConfirmedAt == 0
}

func joinLines(all []string) string { return strings.Join(slices.Sorted(slices.Values(all)), "\n") }

func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// FigureCount counts confirmed comparisons of a rate type by their outcome.
type FigureCount struct {
	RateType heloc.OfferRateType `db:"rate_type"`
	Outcome  heloc.FigureOutcome `db:"outcome"`
	N        int                 `db:"n"`
}

// WrongPaymentsToStop is for how many leads in a row our payments of a rate type must be wrong before the portal stops
// estimating them.
const WrongPaymentsToStop = 3

// PaymentsStop reports whether the latest outcomes of a rate type, newest first, stop its estimates.
func PaymentsStop(latest []heloc.FigureOutcome) bool {
	return len(latest) >= WrongPaymentsToStop && !slices.Contains(latest[:WrongPaymentsToStop], heloc.FiguresMatched)
}

// FigureCounts counts the selections of a rate type whose figures were compared with the lender's booking.
type FigureCounts struct {
	RateType     heloc.OfferRateType
	Matched      int
	Differed     int
	Incomparable int  // the lender booked another amount, rate or discount
	Modeled      bool // there are payment estimates for the rate type
	Stopped      bool // they were wrong for several leads in a row, and no administrator has confirmed them since
}

// Compared counts the selections that say something about our payment model.
func (c FigureCounts) Compared() int { return c.Matched + c.Differed }

// SumFigureCounts adds up counts by rate type: first the rate types with payment estimates, then the others.
// Unconfirmed are the rate types whose estimates were stopped.
func SumFigureCounts(counts []FigureCount, unconfirmed []heloc.OfferRateType) []FigureCounts {
	all := []FigureCounts{{RateType: heloc.RateFixed, Modeled: true}, {RateType: heloc.RateFloating, Modeled: true}}
	for _, c := range counts {
		at := slices.IndexFunc(all, func(f FigureCounts) bool { return f.RateType == c.RateType })
		if at < 0 {
			at, all = len(all), append(all, FigureCounts{RateType: c.RateType})
		}
		switch c.Outcome {
		case heloc.FiguresMatched:
			all[at].Matched = c.N
		case heloc.FiguresDiffered:
			all[at].Differed = c.N
		case heloc.FiguresIncomparable:
			all[at].Incomparable = c.N
		}
	}
	for i := range all {
		all[i].Stopped = slices.Contains(unconfirmed, all[i].RateType)
	}
	return all
}
