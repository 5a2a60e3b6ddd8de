package sandbox

import (
	"bytes"
	"fmt"
	"strings"

	"codeberg.org/go-pdf/fpdf"
)

// renderPDF generates a document's PDF. It depends only on the record, so every download of
// a document has the same bytes.
func (s *Sandbox) renderPDF(q *inquiryRecord, d document) ([]byte, error) {
	pdf := fpdf.New("P", "mm", "Letter", "")
	pdf.SetCatalogSort(true)
	pdf.SetCreationDate(d.Made)
	pdf.SetModificationDate(d.Made)
	pdf.SetProducer("Hearthline sandbox", false)
	latin := pdf.UnicodeTranslatorFromDescriptor("") // the built-in fonts use cp1252
	pdf.SetTitle(title(d.Type), true)
	pdf.SetFooterFunc(func() {
		pdf.SetY(-15)
		pdf.SetFont("Helvetica", "", 8)
		pdf.CellFormat(0, 5, latin("Simulated document. No credit is offered or extended."), "", 0, "C", false, 0, "")
	})
	pdf.AddPage()
	pdf.SetFont("Helvetica", "B", 18)
	pdf.CellFormat(0, 12, latin(title(d.Type)), "", 1, "L", false, 0, "")
	pdf.SetFont("Helvetica", "", 10)
	at := q.Inquiry.Property.Address
	lead := s.directory.byID[q.Originator]
	for _, line := range []string{
		"Application " + q.ShortID + ", " + d.Made.Format("January 2, 2006"),
		"Borrower: " + strings.TrimSpace(q.Inquiry.Applicant.Name.First+" "+q.Inquiry.Applicant.Name.Last),
		"Property: " + strings.Join([]string{at.Street1, at.City, at.State + " " + at.ZIP}, ", "),
		"Loan originator: " + lead.FirstName + " " + lead.LastName,
	} {
		pdf.CellFormat(0, 6, latin(line), "", 1, "L", false, 0, "")
	}
	pdf.Ln(6)
	if d.Type == "OFFER_SUMMARY" {
		s.offerTable(pdf, q)
	} else {
		pdf.MultiCell(0, 6, latin(q.bodyText(d.Type)), "", "L", false)
	}
	var out bytes.Buffer
	err := pdf.Output(&out)
	return out.Bytes(), err
}

func title(docType string) string {
	words := strings.ToLower(strings.ReplaceAll(docType, "_", " "))
	return strings.ToUpper(words[:1]) + words[1:]
}

// offerTable lists the offers of the original pricing.
func (s *Sandbox) offerTable(pdf *fpdf.Fpdf, q *inquiryRecord) {
	widths := []float64{22, 24, 22, 20, 28, 32, 42}
	row := func(style string, cells ...string) {
		pdf.SetFont("Helvetica", style, 9)
		for i, cell := range cells {
			pdf.CellFormat(widths[i], 6, cell, "B", 0, "R", false, 0, "")
		}
		pdf.Ln(6)
	}
	row("B", "Term", "Rate type", "Rate", "Fee", "Up to", "First payment", "After draw period")
	for _, o := range q.offers(quote{}) {
		sel := q.terms.newSelection(o, quote{}, q.Pricing.Max, nil)
		row("", fmt.Sprintf("%d months", *o.Term), strings.ToLower(s.rateType(o.RateType)), o.Rate.String()+" %",
			o.OriginationFeePercent.String()+" %", "$"+o.MaxAmount.Whole(), "$"+sel.payment().String(),
			afterwardText(sel, q.terms))
	}
}

// afterwardText is the payment of a variable offer after its draw period; empty for a fixed one.
func afterwardText(sel *selection, t loanTerms) string {
	years, afterward, ok := sel.drawPeriod(t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("$%s from year %d", afterward, years+1)
}

// bodyText is the body of the other documents.
func (q *inquiryRecord) bodyText(docType string) string {
	text := "The broker named above has arranged an inquiry for a home equity line of credit with the lender. " +
		"The broker is paid by the lender and charges the borrower nothing."
	switch docType {
	case "CREDIT_AUTHORIZATION_SIGNED":
		text = "The borrower authorizes the lender to obtain a consumer report for this application."
	case "ELECTRONIC_CONSENT_SIGNED":
		text = "The borrower agrees to receive records of this application electronically."
	case "NOTICE_OF_RIGHT_TO_CANCEL":
		text = "The borrower may cancel this transaction, without cost, until midnight of " +
			q.Dates.Rescission.Format("January 2, 2006") + "."
	}
	if sel := q.Selection; sel != nil {
		text += fmt.Sprintf("\n\nSelected: draw $%s, origination fee $%s, loan amount $%s, %s percent over %d months, "+
			"estimated payment $%s a month", sel.Amount, sel.Fee, sel.Loan, sel.Rate, *sel.Offer.Term, sel.payment())
		if years, afterward, ok := sel.drawPeriod(q.terms); ok {
			text += fmt.Sprintf(" during the draw period of %d years (interest only), $%s a month afterward", years, afterward)
		}
		text += "."
	}
	if strings.HasSuffix(docType, "_SIGNED") {
		text += "\n\nSigned electronically on " + q.Dates.DocsSigned.Format("January 2, 2006") + "."
	}
	return text
}
