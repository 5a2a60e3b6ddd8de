package offers

import (
	"hearthline/internal/lead"
	"hearthline/internal/pdf"
	view "hearthline/views/offers"
	"hearthline/views/text"
)

// maxChartLines is how many offers are charted; more lines could not be told apart.
const maxChartLines = 4

// borrowerChart charts the balance of each offer with a payment. Offers with the same term are named with their fee.
func borrowerChart(sheet text.OfferSheet, q lead.BorrowerQuote) pdf.Chart {
	if len(q.Offers) > maxChartLines {
		return pdf.Chart{}
	}
	terms := map[int]int{}
	for _, o := range q.Offers {
		terms[o.Months]++
	}
	var lines []view.BalanceLine
	for _, o := range q.Offers {
		line := view.BalanceLine{Name: localizedTerm(sheet, o.Months), Owed: q.Estimate(o).Balances()}
		if terms[o.Months] > 1 {
			line.Name = text.JoinNonEmpty(", ", line.Name, text.Percent(o.Rate))
		}
		if len(line.Owed) > 0 {
			lines = append(lines, line)
		}
	}
	return view.NewBorrowerChart(sheet, lines)
}
