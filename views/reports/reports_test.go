package reports

import (
	"testing"

	"github.com/a-h/templ"

	"hearthline/views/ui"
	"hearthline/views/viewtest"
)

func sampleHeader(title string) Header {
	return Header{
		Page: viewtest.Page(title), Title: title, Period: "Inquiries started Sep to Nov 2026", Company: "Summit Home Lending",
		Filtered: []string{"State: Idaho"}, AsOf: "As of Nov 22, 2026, 2:13 PM MST",
		Action: "/reports", CSVHref: "/reports/funnel.csv", CSVLabel: "Download CSV",
		Filters: []ui.Field{{Name: "period", Label: "Period", Options: ui.Choices("a", [2]string{"a", "Last 3 months"})}},
		Dates: []ui.Field{{Name: "from", Label: "From", Value: "09/01/2026"},
			{Name: "to", Label: "To", Error: "Enter a day"}},
		Moved: []Cell{{Text: "3", Href: "/leads"}, {Text: "of these were reassigned since."}},
		Notes: []Note{{"Pull-through", "Funded divided by applications."}},
		Zone: ui.Field{Name: "zone", Label: "Time zone for report months",
			Options: ui.Choices("UTC", [2]string{"UTC", "UTC"})},
		Others: []ui.NavLink{{Label: "Overview", Href: "/reports", Current: true}},
	}
}

func sampleTable(caption string) Table {
	row := Row{Head: Cell{Text: "Grace Liu", Href: "/leads"},
		Cells: []Cell{{Text: "63", Href: "/leads", Label: "Grace Liu, inquiries: 63"}, {Text: "0"}}}
	return Table{Caption: caption, Columns: []ui.Column{{Label: "Originator"}, {Label: "Inquiries", Class: "num"},
		{Label: "Funded", Class: "num"}}, Rows: []Row{row}, Total: &row}
}

func sampleChart(id string, columns bool) Chart {
	return Chart{
		ID: id, Title: id, Sub: "by month", Href: "/reports/" + id, Description: "Jun 50%, Jul 55%", Columns: columns,
		Ticks: []string{"0%", "50%", "100%"}, Table: sampleTable(id),
		Bars: []Bar{{Label: "Jun", Value: "50%", Share: 0.5, Strong: 0.25, Note: "2 earlier"},
			{Label: "Jul", Value: "55%", Share: 0.55, Strong: 0.55, Last: true}, {Label: "Aug", Value: "—"}},
	}
}

func TestScreens_MeetPageRules(t *testing.T) {
	empty := sampleHeader("Funnel")
	empty.Empty = &ui.EmptyView{Icon: "search", Title: "No inquiry started in October 2026.",
		Text: "Choose another period."}
	screens := map[string]templ.Component{
		"overview": Reports(View{
			Header: sampleHeader("Reports"),
			Facts: []Fact{{Label: "Inquiries", Count: Cell{Text: "214", Href: "/leads"}, Text: "started Sep to Nov 2026",
				Was: []Cell{{Text: "190", Href: "/leads"}, {Text: "started Jun to Aug 2026"}}}},
			Charts: []Chart{sampleChart("funnel", false), sampleChart("pull-through", true),
				{ID: "time-in-step", Title: "Time in step", Nothing: "No lead has left a step yet."},
				sampleChart("fallout", false)}, Groups: sampleTable("By originator"),
		}),
		"report": ReportPage(Report{Header: sampleHeader("Fallout"), Chart: sampleChart("fallout", false),
			Tables: []NamedTable{{ID: "groups", Title: "Applications", Sub: "by month",
				Table: sampleTable("Applications, by month")}}}),
		"scorecard": ReportPage(Report{Header: sampleHeader("Scorecard"), Chart: sampleChart("dollars", false),
			Facts: []Fact{{Label: "Requested", Count: Cell{Text: "$2,945,000"}, Of: []Cell{{Text: "31", Href: "/leads"},
				{Text: "inquiries"}}, Text: "+13% from $2,610,000"}}, Tables: []NamedTable{{ID: "groups", Title: "By originator",
				Table: Table{Caption: "Scorecard", Columns: sampleTable("").Columns, Rows: []Row{{Head: Cell{Text: "Grace Liu"},
					Current: true, Cells: []Cell{{Text: "63", Href: "/leads", Notes: []Cell{{Text: "holds"},
						{Text: "67", Href: "/leads"},
						{Text: "now"}}}, {Text: "$1"}}}}}}}}),
		"empty": ReportPage(Report{Header: empty}),
		"figures": Figures(FiguresReport{
			Header: sampleHeader("Figures"), Counts: sampleTable("Selected offers by rate type"),
			Differences: sampleTable("Figures that the lender booked differently"), More: "the latest 100 selections",
		}),
		"no differences": Figures(FiguresReport{Header: sampleHeader("Figures"),
			Counts: sampleTable("Selected offers by rate type"), None: "No selected offer has been compared yet."}),
	}
	viewtest.CheckScreens(t, screens)
	viewtest.CheckPlaceholderIcon(t, screens)
}
