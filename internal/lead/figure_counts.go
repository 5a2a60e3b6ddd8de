package lead

import (
	"slices"

	"hearthline/internal/heloc"
)

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
