package pdf

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"hearthline/views/offersheet"
)

func sampleSheet(offers int) offersheet.Sheet {
	s := offersheet.Sheet{
		Lang: "es", Title: "Su línea de crédito", Company: "Summit Home Lending", CompanyNMLS: "NMLS 312440",
		Heading:  "Su línea de crédito sobre el valor de la vivienda (HELOC): dos formas de pagarla",
		Estimate: "Estimado, no es un compromiso",
		Lede:     []offersheet.Text{{Text: "Usted retiraría "}, {Text: "$145,000", Strong: true}},
		None:     "No hay ofertas", Officer: "Olivia O’Brien-Núñez", OfficerNote: "NMLS 1847220", Phone: "(208) 555-0146",
		Dates:      "Preparado el 20 de noviembre de 2026.",
		Legal:      []string{strings.Repeat("Una tasa no es el costo de un año. ", 12)},
		TermsTitle: "En términos sencillos", Terms: [][2]string{{"El pago", strings.Repeat("En pagos iguales. ", 12)},
			{"La tasa", "Una tasa."}, {"Su crédito", "Una consulta."}},
		CreatedAt: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC),
	}
	for range offers {
		s.Offers = append(s.Offers, offersheet.Offer{Term: "10 años", Dollars: "$1,827", Cents: ".67", Per: "al mes",
			Facts: [][2]string{{"Tasa fija", "8.20%"}, {"Cargo por originación", "2.99% · $4,335.50"},
				{"Monto del préstamo", "$149,335.50"}, {"Interés total", "$69,984.90"}}})
	}
	if offers > 0 && offers <= 4 {
		s.Chart = offersheet.Chart{Title: "Saldo", Note: "Cada año",
			Up:     []offersheet.Tick{{At: 0, Label: "$0"}, {At: 1, Label: "$160k"}},
			Across: []offersheet.Tick{{At: 0, Label: "0"}, {At: 1, Label: "30"}},
			Table:  offersheet.Table{Headings: []string{"Año", "10 años"}}}
		for range offers {
			s.Chart.Lines = append(s.Chart.Lines, offersheet.Line{Name: "10 años", Dash: []float64{7, 4},
				Points: []offersheet.Point{{Y: 1}, {X: .5, Y: .5}, {X: 1}}})
		}
		for range 7 {
			s.Chart.Table.Rows = append(s.Chart.Table.Rows, []string{"5", "$89,714"})
		}
		s.Debts = offersheet.Table{Title: "Lo que paga", Headings: []string{"Deuda", "Saldo"},
			Rows: [][]string{{"Harbor Bank", "$18,240"}, {"Unity Card", "$9,615"}}, Total: []string{"Total", "$27,855"},
			Note: [2]string{"Para usted", "$75,270"}}
	}
	return s
}

func TestRenderOfferSheet_Deterministic(t *testing.T) {
	first, err := RenderOfferSheet(sampleSheet(4))
	if err != nil {
		t.Fatal(err)
	}
	again, err := RenderOfferSheet(sampleSheet(4))
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("two renderings differ (%d and %d bytes): %v", len(first), len(again), err)
	}
	if !bytes.HasPrefix(first, []byte("%PDF-")) || len(first) > 80<<10 {
		t.Errorf("got %d bytes beginning with %q", len(first), first[:8])
	}
	if other, _ := RenderOfferSheet(sampleSheet(5)); bytes.Equal(first, other) {
		t.Error("another sheet gives the same bytes")
	}
}

// TestRenderOfferSheet_AnyCharacter draws characters that the fonts do not have, in every text.
func TestRenderOfferSheet_AnyCharacter(t *testing.T) {
	sheet := sampleSheet(2)
	raw, err := json.Marshal(sheet)
	if err != nil {
		t.Fatal(err)
	}
	odd := regexp.MustCompile(`([a-z])"`).ReplaceAllString(string(raw), "${1}\U00020BB7\U0001F3E0\u202e\"")
	keys := regexp.MustCompile("\U00020BB7\U0001F3E0\u202e\":").ReplaceAllString(odd, `":`)
	if err := json.Unmarshal([]byte(keys), &sheet); err != nil || !strings.Contains(sheet.Officer, "\U00020BB7") ||
		!strings.Contains(sheet.Debts.Rows[0][0], "\U00020BB7") {
		t.Fatalf("%v in %+v", err, sheet)
	}
	if _, err := RenderOfferSheet(sheet); err != nil {
		t.Error(err)
	}
}

func TestRenderOfferSheet_OnePage(t *testing.T) {
	for _, rows := range []int{0, 1, 2, 3, 4, 16} {
		dark, err := RenderOfferSheet(sampleSheet(rows))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(regexp.MustCompile(`/Type /Page\b`).FindAll(dark, -1)); n != 1 {
			t.Errorf("%d offers: got %d pages, want one", rows, n)
		}
	}
}

func TestFonts_MatchReadme(t *testing.T) {
	listed, err := os.ReadFile("fonts/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, font := range map[string][]byte{"regular.ttf": regularFont, "semibold.ttf": semiboldFont} {
		sum := sha256.Sum256(font)
		if !strings.Contains(string(listed), hex.EncodeToString(sum[:])) {
			t.Errorf("%s is not the file named in README", name)
		}
	}
}
