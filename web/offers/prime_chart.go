package offers

import (
	"strconv"

	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/text"
)

// Prime rate increases that illustrate how a variable rate can change.
const (
	primeUpOne = heloc.Rate(10_000)
	primeUpTwo = heloc.Rate(20_000)
)

// newPrimeChart draws the payment of a variable offer at today's prime rate and after increases; fixed is zero if
// there is no fixed offer. It is empty without a payment.
func newPrimeChart(offer string, today heloc.PricedOffer, prime *heloc.Rate, fixed heloc.Money) view.PrimeChart {
	if today.Payment() <= 0 {
		return view.PrimeChart{}
	}
	c := view.PrimeChart{Offer: offer, InterestOnly: today.InterestOnly, Prime: text.Percent(prime)}
	var top heloc.Money
	c.Scale, top = dollarScale(max(fixed, today.AtHigherRate(primeUpTwo).Payment()))
	const width, step = 84, 140
	for i, up := range []heloc.Rate{0, primeUpOne, primeUpTwo} {
		at := today.AtHigherRate(up)
		y, x := yOf(at.Payment(), top), float64(82+i*step)
		bar := view.PrimeBar{
			Name: "Today", Rate: text.Percent(&at.Rate), Payment: text.Cents(at.Payment()), Afterward: text.Afterward(at),
			Today: i == 0, X: oneDecimal(x), Y: oneDecimal(y), Height: oneDecimal(chartBase - y),
			LabelX: oneDecimal(x + width/2), LabelY: oneDecimal(y - 7),
		}
		if i > 0 {
			bar.Name = "Prime +" + strconv.Itoa(i)
		}
		if prime != nil {
			bar.Prime = text.Percent(new(*prime + up))
		}
		// above the line of the fixed payment, not on it
		if level := yOf(fixed, top); fixed > 0 && level < y && y-level < 22 {
			bar.LabelY = oneDecimal(level - 6)
		}
		if fixed > 0 {
			bar.Difference = signedDollars(at.Payment() - fixed)
		}
		c.Bars = append(c.Bars, bar)
	}
	if fixed > 0 {
		c.Fixed, c.FixedY = text.Cents(fixed), oneDecimal(yOf(fixed, top))
	}
	return c
}

// signedDollars formats a difference to the cent, with its sign.
func signedDollars(cents heloc.Money) string {
	switch {
	case cents < 0:
		return "−" + text.Cents(-cents)
	case cents == 0:
		return "$0.00"
	default:
		return "+" + text.Cents(cents)
	}
}
