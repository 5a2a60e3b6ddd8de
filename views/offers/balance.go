package offers

// chartFoot turns a line of the chart into a filled area.
const chartFoot = "46.0,192.0"

// BalanceChart is the balance of a few offers over the years. Lengths are in drawing units. Lines differ by
// dash pattern, not by color alone.
type BalanceChart struct {
	Lines       []ChartLine
	Scale       []AxisMark
	Years       []AxisMark // LabelAt is set for the marks that a narrow chart keeps
	Description string
	Rows        [][]string // year, then interest in that year and balance for each line
	Direct      bool       // the lines end so far apart that their names are beside them; otherwise they are in a legend
}

// ChartLine is one line of the chart.
type ChartLine struct {
	Name, Points, Dash string
	LabelX, LabelY     string // where its name begins, above the line
	Below              bool   // the name ends there instead, below the line
	TotalInterest      string
	Chosen             bool
}
