package offers

import (
	"fmt"

	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/text"
)

// The edges of the plot in drawing units: a chart is 560 wide and 220 high.
const (
	chartLeft, chartRight = 46, 546
	chartTop, chartBase   = 14, 192
)

func yOf(cents, top heloc.Money) float64 {
	return chartBase - float64(chartBase-chartTop)*float64(cents)/float64(top)
}

// dollarScale divides amounts up to highest into at most five round steps. top is the highest mark.
func dollarScale(highest heloc.Money) (marks []view.AxisMark, top heloc.Money) {
	step := roundStep(highest, 100)
	for top < highest {
		top += step
	}
	for at := heloc.Money(0); at <= top; at += step {
		y := yOf(at, top)
		marks = append(marks, view.AxisMark{At: oneDecimal(y), LabelAt: oneDecimal(y + 4), Text: axisDollars(at)})
	}
	return marks, top
}

// axisDollars formats a round amount: "$500", "$120k".
func axisDollars(cents heloc.Money) string {
	if cents >= 1_000_000 && cents%100_000 == 0 {
		return text.WholeDollars(cents/1000) + "k"
	}
	return text.WholeDollars(cents)
}

// roundStep returns the spacing of the horizontal grid lines in cents: a round amount of at least unit that gives at
// most five steps.
func roundStep(highest, unit heloc.Money) heloc.Money {
	for ; ; unit *= 10 {
		for _, factor := range []heloc.Money{1, 2, 4, 5} {
			if highest <= 5*factor*unit {
				return factor * unit
			}
		}
	}
}

// yearStep returns the spacing of the labels on the year axis, in years.
func yearStep(years int) int {
	switch {
	case years <= 6:
		return 1
	case years <= 12:
		return 2
	default:
		return 5
	}
}

func oneDecimal(f float64) string { return fmt.Sprintf("%.1f", f) }
