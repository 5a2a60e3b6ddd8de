package reports

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	deskreports "hearthline/internal/desk/reports"
	"hearthline/internal/lead"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	view "hearthline/views/reports"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// figuresPage compares what borrowers were shown at selections with what the lender booked.
func (h *Handlers) figuresPage(w http.ResponseWriter, r *http.Request, reports *deskreports.Reports) error {
	report, err := reports.Figures(r.Context())
	if err != nil {
		return err
	}
	model := presentFigures(h.Viewer(r), report)
	model.Page = h.Layout(r, model.Title)
	return h.Render(w, r, http.StatusOK, view.Figures(model))
}

// figureRows are the header and the rows of the file. It names leads by their short ids, and no borrower.
func figureRows(v text.Viewer, report deskreports.FigureReport) [][]string {
	head := []string{"As of", "Company"}
	for _, c := range differenceColumns() {
		head = append(head, c.Label)
	}
	rows := [][]string{head}
	const moment = "01/02/2006 3:04 PM"
	for _, d := range report.Differences {
		for _, figure := range listedFigures(d) {
			row := []string{v.Now.In(v.Zone).Format(moment), text.ActorCompany(v.Who), d.ShortID,
				text.TimeOfMillis(d.ShownAt).In(v.Zone).Format(moment)}
			for _, cell := range figureCells(d, figure) {
				row = append(row, cell.Text)
			}
			for i := range row {
				row[i] = text.EscapeFormula(row[i])
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func presentFigures(v text.Viewer, report deskreports.FigureReport) view.FiguresReport {
	model := view.FiguresReport{Header: view.Header{
		Title: reportTitles[to.FiguresReport], Company: text.ActorCompany(v.Who), Period: "All selected offers",
		AsOf:   "As of " + v.Now.In(v.Zone).Format("Jan 2, 2006, 3:04 PM MST"),
		Others: navigation(to.FiguresReport, to.ReportQuery{}), Notes: figureNotes(),
	}}
	if v.Who.Can(access.ExportPipeline) {
		model.CSVHref, model.CSVLabel = to.Full.ReportCSV(to.FiguresReport, to.ReportQuery{}), "Download differences (CSV)"
	}
	model.Counts = countsTable(report)
	model.Differences = differencesTable(v, report)
	if len(report.Differences) == 0 {
		model.None = "The lender booked every compared offer as shown at selection."
		if !slices.ContainsFunc(report.Counts, func(c lead.FigureCounts) bool { return c.Compared() > 0 }) {
			model.None = "No selected offer has been compared yet."
		}
	}
	if report.More {
		model.More = "the latest " + strconv.Itoa(deskreports.FiguresOnPage) + " selections"
	}
	return model
}

func countsTable(report deskreports.FigureReport) view.Table {
	t := view.Table{Caption: "Selected offers by rate type", Columns: []ui.Column{
		{Label: "Rate type"}, {Label: "Compared", Class: "num"}, {Label: "Matched", Class: "num"},
		{Label: "Differed", Class: "num"}, {Label: "Not comparable", Class: "num"}, {Label: "Payment estimates"},
	}}
	for _, c := range report.Counts {
		number := func(n int) view.Cell { return view.Cell{Text: strconv.Itoa(n)} }
		t.Rows = append(t.Rows, view.Row{Head: view.Cell{Text: text.RateType(string(c.RateType))}, Cells: []view.Cell{
			number(c.Compared()), number(c.Matched), number(c.Differed), number(c.Incomparable),
			{Text: estimatesText(c), Word: true},
		}})
	}
	return t
}

// estimatesText says whether payments of a rate type are estimated.
func estimatesText(c lead.FigureCounts) string {
	switch {
	case !c.Modeled:
		return "None"
	case c.Stopped:
		return "Not in use"
	default:
		return "In use"
	}
}

func differenceColumns() []ui.Column {
	return []ui.Column{{Label: "Lead"}, {Label: "Selected"}, {Label: "Rate type"}, {Label: "Figure"},
		{Label: "Shown", Class: "num"}, {Label: "Booked", Class: "num"}, {Label: "Result"}}
}

func differencesTable(v text.Viewer, report deskreports.FigureReport) view.Table {
	t := view.Table{Caption: "Figures that the lender booked differently", Columns: differenceColumns()}
	for _, d := range report.Differences {
		for _, figure := range listedFigures(d) {
			row := view.Row{Head: view.Cell{Text: text.OrDash(d.ShortID), Href: v.Base.Lead(string(d.App))}}
			row.Cells = append([]view.Cell{{Text: v.DateTime(text.TimeOfMillis(d.ShownAt)), Word: true}},
				figureCells(d, figure)...)
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// listedFigures lists the figures that differ. Where amount, rate or discounts do, the others are not compared.
func listedFigures(d deskreports.BookedOtherwise) []heloc.Figure {
	differ := d.Shown().Differences(d.Booked())
	if d.Outcome != heloc.FiguresIncomparable {
		return differ
	}
	return slices.DeleteFunc(differ, func(f heloc.Figure) bool {
		return f != heloc.FigureAmount && f != heloc.FigureRate && f != heloc.FigureDiscounts
	})
}

// figureCells are the cells of one figure, after the lead and the time of its selection.
func figureCells(d deskreports.BookedOtherwise, figure heloc.Figure) []view.Cell {
	result := "Differed"
	if d.Outcome == heloc.FiguresIncomparable {
		result = "Not comparable"
	}
	cell := func(f heloc.OfferFigures) view.Cell {
		return view.Cell{Text: cmp.Or(text.OfferFigure(f, figure), "None"), Word: figure == heloc.FigureDiscounts}
	}
	return []view.Cell{
		{Text: text.RateType(string(d.RateType)), Word: true}, {Text: text.OfferFigureName(string(figure)), Word: true},
		cell(d.Shown()), cell(d.Booked()), {Text: result, Word: true},
	}
}

func figureNotes() []view.Note {
	return []view.Note{
		{Term: "Compared", Text: "Selected offers for which Hearthline compared the payment, " +
			"loan amount and fee shown at selection with what the lender booked. A difference of more than one cent counts " +
			"once the lender shows the same figures again, at least ten seconds later."},
		{Term: "Not comparable", Text: "The lender booked a different draw, rate or discount from the one selected. " +
			"That changes the payment, so it can’t be used to check our estimates."},
		{Term: "Payment estimates", Text: "When the estimates of a rate type differed for three leads in a row, " +
			"in any company, Hearthline shows its offers without payments until an administrator confirms how the lender " +
			"calculates them."},
	}
}
