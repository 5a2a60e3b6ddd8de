package pdf

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

func sampleSheet(rows int) OfferSheet {
	s := OfferSheet{
		Lang: "es", Title: "Estimados para su línea", Disclaimer: "Es un estimado, no un compromiso.", PreparedFor: [2]string{"Para", "Elena O’Brien-Núñez"},
		PreparedBy: [][2]string{{"De", "Olivia Bennett, NMLS 1847220"}}, Headings: []string{"Plazo", "Pago mensual", "Tasa", "Cargo", "Préstamo"},
		Notes: []string{strings.Repeat("Una tasa no es el costo de un año. ", 12)}, CreatedAt: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC),
	}
	for range rows {
		s.Rows = append(s.Rows, []string{"10 años, tasa fija", "$1,827.67", "8.20%", "2.99% $4,335.50", "$149,335.50"})
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

func TestRenderOfferSheet_OnePage(t *testing.T) {
	for _, rows := range []int{0, 1, 20} {
		dark, err := RenderOfferSheet(sampleSheet(rows))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(regexp.MustCompile(`/Type /Page\b`).FindAll(dark, -1)); n != 1 {
			t.Errorf("%d rows: got %d pages, want one", rows, n)
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
