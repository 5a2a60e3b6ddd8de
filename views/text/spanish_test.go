package text

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"hearthline/internal/wordtest"
)

// spanishTexts returns every text that a Spanish-speaking borrower hears or reads, by where it is.
func spanishTexts() map[string]string {
	all := map[string]string{"borrower link": BorrowerLink(Spanish),
		"contact": ContactMessage(Spanish, "Elena", "", "Olivia Bennett")}
	for key, text := range spanish {
		all["status "+key] = text
	}
	sheet := reflect.ValueOf(OfferSheetIn(Spanish))
	for i := range sheet.NumField() {
		all["offer sheet "+sheet.Type().Field(i).Name] = sheet.Field(i).String()
	}
	for _, term := range Glossary() {
		all["term "+term.Name] = term.Spanish
	}
	for month := range 12 {
		all[fmt.Sprint("month ", month+1)] = MonthIn(month + 1)
	}
	return all
}

var (
	// informal matches forms of address other than "usted".
	informal = regexp.MustCompile(`(?i)(?:^|\P{L})(?:tú|tu|tus|te|ti|contigo|puedes|tienes|quieres|debes|podrías|` +
		`llámame|vosotros|vuestra|vuestro)(?:\P{L}|$)`)
	// unaccented matches words whose accent is missing, and words of Spain that US banks do not use.
	//nolint:misspell // Spanish
	unaccented = regexp.MustCompile(`(?i)(?:^|\P{L})(?:credito|linea|informacion|numero|telefono|direccion|electronico|` +
		`prestamo|originacion|union|tasacion|automatico|periodo|rescision|unicamente|dia|dias|mas|asi|ano|anos|broker|` +
		`ordenador|piso|coste|costes|tipo de interés)(?:\P{L}|$)`)
)

// TestSpanish_AsUSBankWritesIt checks the form of address, the accents, the opening marks, and the retired phrases.
func TestSpanish_AsUSBankWritesIt(t *testing.T) {
	t.Parallel()
	for where, text := range spanishTexts() {
		wordtest.Check(t, where, text)
		if word := informal.FindString(text); word != "" {
			t.Errorf("%s: “%s” does not address the borrower as usted: %s", where, word, text)
		}
		if word := unaccented.FindString(text); word != "" {
			t.Errorf("%s: “%s” lacks an accent or is not used in the US: %s", where, word, text)
		}
		if strings.Count(text, "¿") != strings.Count(text, "?") || strings.Count(text, "¡") != strings.Count(text, "!") {
			t.Errorf("%s: a question or an exclamation is not opened: %s", where, text)
		}
	}
}

func TestSpanish_Checks_Find(t *testing.T) {
	t.Parallel()
	if informal.FindString("Aquí está tu oferta") == "" || informal.FindString("Lo dices tú") == "" ||
		unaccented.FindString("Su linea") == "" || len(wordtest.Find("Es una consulta suave.")) != 1 {
		t.Error("the checks find nothing")
	}
	if informal.FindString("Le envío su oferta; usted puede firmar.") != "" ||
		unaccented.FindString("Línea de crédito, período, año") != "" {
		t.Error("the checks find what is right")
	}
}
