package offers_test

import (
	"bytes"
	"compress/zlib"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/pdf"
	view "hearthline/views/offers"
)

// figurePattern finds amounts, rates and license numbers.
var figurePattern = regexp.MustCompile(`\$[\d,]+(\.\d\d)?k?|\d+\.\d+%|NMLS \d+|\(\d{3}\) \d{3}-\d{4}`)

// renderedText returns the text of the page with single spaces, as a reader sees it.
func renderedText(t *testing.T, m view.BorrowerView) string {
	t.Helper()
	var html bytes.Buffer
	if err := view.BorrowerScreen(m).Render(t.Context(), &html); err != nil {
		t.Fatal(err)
	}
	page, err := goquery.NewDocumentFromReader(&html)
	if err != nil {
		t.Fatal(err)
	}
	page.Find("td, th, dt, dd, p, h1, h2, section, text, li, br, summary").
		Each(func(_ int, s *goquery.Selection) { s.AfterHtml(" ") })
	return strings.NewReplacer(" .", ".", " :", ":").Replace(strings.Join(strings.Fields(page.Find("body").Text()), " "))
}

// factsOnPage lists every statement of the model.
func factsOnPage(m view.BorrowerView) []string {
	all := []string{m.Heading, m.Text.Estimate, ledeText(m), m.Company, m.CompanyNMLS, m.Officer, m.OfficerNote,
		m.Phone, m.Dates}
	all = append(all, m.Legal...)
	for _, o := range m.Offers {
		all = append(all, o.Term)
		if o.Note != "" {
			all = append(all, o.Note)
		} else {
			all = append(all, o.Dollars+o.Cents)
		}
		for _, f := range o.Facts {
			all = append(all, f[0], f[1])
		}
	}
	for _, f := range m.Terms {
		all = append(all, f[0], f[1])
	}
	if len(m.Debts.Rows) > 0 {
		all = append(all, m.Debts.Headings...)
	}
	for _, row := range slices.Concat(m.Debts.Rows, [][]string{m.Debts.Total}, m.Chart.Table.Rows) {
		all = append(all, row...)
	}
	if len(m.Chart.Table.Rows) > 0 {
		all = append(all, m.Text.Balance, m.Text.BalanceNote)
	}
	if len(m.Offers) == 0 {
		all = append(all, m.Text.None)
	}
	if m.More != "" {
		all = append(all, m.Text.MoreOffers)
	}
	return append(all, m.Debts.Note[1])
}

// squeeze removes spaces: lines break elsewhere on paper.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// pdfText renders the PDF and returns the text that it prints.
func pdfText(t *testing.T, m view.BorrowerView) string {
	t.Helper()
	content, err := pdf.RenderOfferSheet(m.Sheet)
	if err != nil {
		t.Fatal(err)
	}
	return textOfPDF(t, content, utf16Text)
}

// textOfPDF is what a PDF prints; decode decodes one of its strings.
func textOfPDF(t *testing.T, content []byte, decode func([]byte) string) string {
	t.Helper()
	var text strings.Builder
	for _, stream := range regexp.MustCompile(`(?s)stream\r?\n(.*?)\r?\nendstream`).FindAllSubmatch(content, -1) {
		z, err := zlib.NewReader(bytes.NewReader(stream[1]))
		if err != nil {
			continue
		}
		plain, _ := io.ReadAll(z)
		if !bytes.Contains(plain, []byte("BT ")) {
			continue
		}
		for _, shown := range regexp.MustCompile(`(?s)\(((?:\\.|[^\\)])*)\)\s*(?:Tj|-?\d|\])`).FindAllSubmatch(plain, -1) {
			text.WriteString(decode(shown[1]) + " ")
		}
	}
	if text.Len() < 100 {
		t.Fatalf("the PDF prints %q: the test reads too little", text.String())
	}
	return text.String()
}

// utf16Text decodes a string of the PDF.
func utf16Text(escaped []byte) string {
	plain := bytes.NewBuffer(nil)
	for i := 0; i < len(escaped); i++ {
		if escaped[i] == '\\' && i+1 < len(escaped) {
			i++
			if escaped[i] == 'r' {
				plain.WriteByte('\r')
				continue
			}
		}
		plain.WriteByte(escaped[i])
	}
	raw := plain.Bytes()
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
	}
	return string(utf16.Decode(units))
}
