package workspace

import (
	"slices"
	"strings"

	desklead "hearthline/internal/desk/lead"

	"hearthline/internal/heloc"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// presentFigures says, on the overview and on the offers, which figures the lender booked otherwise than the borrower
// was shown. A missing discount is in presentDroppedDiscounts.
func presentFigures(tab to.Tab, c desklead.FigureComparison) []ui.Notice {
	if tab != to.Overview && tab != to.Offers {
		return nil
	}
	var all []string
	for _, figure := range c.Differ {
		if words := differenceText(c, figure); words != "" {
			all = append(all, words)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []ui.Notice{{
		Kind: "yours", Icon: "triangle-alert", Title: "The lender’s figures differ from those shown at selection.",
		Text: strings.Join(all, " "), More: "Tell the borrower about the lender’s figures.",
	}}
}

func differenceText(c desklead.FigureComparison, figure heloc.Figure) string {
	shown, booked := text.OfferFigure(c.Shown, figure), text.OfferFigure(c.Booked, figure)
	switch figure {
	case heloc.FigureDiscounts:
		added := slices.DeleteFunc(slices.Clone(c.Booked.Discounts), func(kind string) bool {
			return slices.Contains(c.Shown.Discounts, kind)
		})
		if len(added) == 0 {
			return ""
		}
		return "The lender added: " + text.OfferFigure(heloc.OfferFigures{Discounts: added}, figure) + "."
	case heloc.FigureAmount:
		return "The lender’s draw is " + booked + "; " + shown + " was selected."
	case heloc.FigureRate:
		return "The lender’s rate is " + booked + "; we showed " + shown + "."
	case heloc.FigurePayment:
		return "The lender’s payment is " + booked + "; we estimated " + shown + "."
	default:
		return "The lender’s " + text.LowerFirst(text.OfferFigureName(string(figure))) + " is " + booked +
			"; we estimated " + shown + "."
	}
}
