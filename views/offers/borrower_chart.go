package offers

import (
	"fmt"
	"strconv"
	"strings"

	"hearthline/views/offersheet"
)

// The plot in drawing units: the chart is 520 wide and 236 high.
const (
	borrowerPlotLeft, borrowerPlotRight = 50, 506
	borrowerPlotTop, borrowerPlotBottom = 14, 206
)

func plotX(x float64) string {
	return oneDecimal(borrowerPlotLeft + x*(borrowerPlotRight-borrowerPlotLeft))
}

func plotY(y float64) string {
	return oneDecimal(borrowerPlotBottom - y*(borrowerPlotBottom-borrowerPlotTop))
}

// plotPoints are the points of a line, for a polyline.
func plotPoints(l offersheet.Line) string {
	all := make([]string, len(l.Points))
	for i, p := range l.Points {
		all[i] = plotX(p.X) + "," + plotY(p.Y)
	}
	return strings.Join(all, " ")
}

// plotDash is the dash of a line, for a polyline.
func plotDash(dash []float64) string {
	all := make([]string, len(dash))
	for i, d := range dash {
		all[i] = strconv.FormatFloat(d, 'f', -1, 64)
	}
	return strings.Join(all, " ")
}

func oneDecimal(f float64) string { return fmt.Sprintf("%.1f", f) }
