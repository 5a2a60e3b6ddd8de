package offers

import (
	"hearthline/internal/lead"
	view "hearthline/views/offers"
	"hearthline/views/text"
)

// maxChartLines is how many offers are charted; more lines could not be told apart.
const maxChartLines = 4

// borrowerChart charts the balance of each offer with a payment. Offers with the same term are named with their fee.
func borrowerChart(sheet text.OfferSheet, q lead.BorrowerQuote) view.BorrowerChart {
	if len(q.Offers) > maxChartLines {
		return view.BorrowerChart{}
	}
	terms := map[int]int{}
	for _, o := range q.Offers {
		terms[o.Months]++
	}
	var lines []view.BorrowerBalance
	for _, o := range q.Offers {
		balances := q.Estimate(o).Balances()
		if len(balances) == 0 {
			continue
		}
		line := view.BorrowerBalance{Name: localizedTerm(sheet, o.Months), Months: o.Months}
		if terms[o.Months] > 1 {
			line.Name = text.JoinNonEmpty(", ", line.Name, text.Percent(o.Rate))
		}
		for _, m := range balances {
			line.Cents = append(line.Cents, int64(m))
		}
		lines = append(lines, line)
	}
	return view.NewBorrowerChart(lines)
}
