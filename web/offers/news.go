package offers

import (
	"net/http"
	"strconv"

	"hearthline/internal/heloc"
	"hearthline/views/text"
	"hearthline/web/workspace"
)

// presentNews describes offers that have just arrived.
func presentNews(r *http.Request, d *workspace.Data) (string, error) {
	grid, err := loadFormGrid(r.Context(), d, tabQuery(d))
	if err != nil {
		return "", err
	}
	return grid.News(), nil
}

// News counts the offers, and states the lowest payment at the draw of the grid: "Offers are ready: 24, from $644.60 a
// month for a net draw of $60,000 (estimate)".
func (g OfferGrid) News() string {
	var least heloc.PricedOffer
	for _, o := range g.All {
		if at := g.drawn(o); at.Payment() > 0 && (least.Payment() == 0 || at.Payment() < least.Payment()) {
			least = at
		}
	}
	words := "Offers are ready"
	if len(g.All) > 0 {
		words += ": " + strconv.Itoa(len(g.All))
	}
	if least.Payment() == 0 {
		return words
	}
	words += ", from " + text.Money(least.Payment()) + " a month"
	if least.InterestOnly {
		words += " at first"
	}
	draw := text.LowerFirst(drawLabel(g.Payments.Fee)) + " of " + text.Money(g.Query.Draw)
	return words + " for a " + draw + " (estimate)"
}
