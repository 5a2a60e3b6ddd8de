package offers

import (
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/pdf"
	view "hearthline/views/offers"
	"hearthline/views/ui"
)

// PDFSheet maps the page to a PDF with the same texts and figures. The creation time is the day on which the quote was
// prepared, so that the same sheet is the same file.
func PDFSheet(m view.BorrowerView, preparedOn heloc.Date) pdf.OfferSheet {
	created, _ := preparedOn.Time()
	s := pdf.OfferSheet{
		CreatedAt: created, Title: m.Page.Title,
		Lang: string(m.Lang), Company: m.Company.Name, CompanyNMLS: m.Company.NMLS, Heading: m.Heading, Estimate: m.Text.Estimate, Dates: m.Dates, MonthlyHead: m.Text.MonthlyHead,
		None: m.Text.None, Officer: m.Officer.Name, OfficerNote: m.Officer.Subtitle, Phone: m.Officer.Phone, Legal: m.Legal, TermsTitle: m.Text.PlainTerms,
	}
	if m.HasMore {
		s.More = "… " + m.Text.MoreOffers
	}
	for _, p := range m.Lede {
		s.Lede = append(s.Lede, pdf.Text{Text: p.Text, Strong: p.Strong})
	}
	for _, o := range m.Offers {
		s.Offers = append(s.Offers, pdf.Offer{Term: o.Term, Dollars: o.Dollars, Cents: o.Cents, Per: o.Per, Note: o.Note, Facts: pairs(o.Facts)})
	}
	s.Terms = pairs(m.Terms)
	s.Chart = pdfChart(m)
	s.Debts = pdfDebts(m)
	return s
}

func pairs(facts []ui.Fact) [][2]string {
	all := make([][2]string, len(facts))
	for i, f := range facts {
		all[i] = [2]string{f.Label, f.Value}
	}
	return all
}

func pdfChart(m view.BorrowerView) pdf.Chart {
	c := pdf.Chart{Title: m.Text.Balance, Note: m.Text.BalanceNote, Direct: m.Chart.Distinct(), Table: pdf.Table{Title: m.Text.BalanceByYear, Headings: append([]string{m.Text.YearHead}, m.Chart.Headings...), Rows: m.Chart.Rows}}
	for _, l := range m.Chart.Lines {
		line := pdf.Line{Name: l.Name, Dash: l.Dash, Label: [2]float64{l.Label.X, l.Label.Y}, Below: l.Below}
		for _, p := range l.Points {
			line.Points = append(line.Points, [2]float64{p.X, p.Y})
		}
		c.Lines = append(c.Lines, line)
	}
	for _, t := range m.Chart.Up {
		c.Up = append(c.Up, pdf.Tick{At: t.At, Label: t.Label})
	}
	for _, t := range m.Chart.Across {
		c.Across = append(c.Across, pdf.Tick{At: t.At, Label: t.Label})
	}
	return c
}

func pdfDebts(m view.BorrowerView) pdf.Table {
	t := pdf.Table{Title: m.Text.PaysOffTitle, Headings: []string{m.Text.Debt, m.Text.DebtBalance}}
	if m.Debts.HasPayments {
		t.Headings = append(t.Headings, m.Text.PaymentToday)
	}
	row := func(d view.BorrowerDebt) []string { return []string{d.Name, d.Balance, d.Payment}[:len(t.Headings)] }
	for _, d := range m.Debts.Rows {
		t.Rows = append(t.Rows, row(d))
	}
	if m.Debts.Total.Name != "" {
		t.Total = row(m.Debts.Total)
	}
	if m.Debts.ToYou != "" {
		t.Note = strings.Join([]string{m.Text.ToYouLabel, m.Debts.ToYou}, ": ")
	}
	return t
}
