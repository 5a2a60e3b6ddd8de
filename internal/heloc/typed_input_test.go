package heloc

import (
	"regexp"
	"testing"
)

func TestNormalize_CorrectsOrRejects(t *testing.T) {
	for _, c := range []struct {
		normalize func(string) Normalized
		typed     string
		sent      string
		ok        bool
	}{
		{NormalizeName, "O’Brien-Núñez", "O'Brien-Nunez", true},
		{NormalizeName, "Mr.", "Mr", true},
		{NormalizeName, "Sørensen", "Sorensen", true},
		{NormalizeName, "李", "李", false},
		{NormalizeName, "  ", "", false},
		{NormalizeStreet, "Apt #4", "Apt 4", true},
		{NormalizeStreet, "12 St. Mary's Rd, Unit 3/4", "12 St. Mary's Rd Unit 3-4", true},
		{NormalizeCity, "St. Louis", "St Louis", true},
		{NormalizeCity, "Coeur d’Alene", "Coeur d'Alene", true},
		{NormalizeState, "id", "ID", true},
		{NormalizeState, "XX", "XX", false},
		{NormalizeState, " colorado", "CO", true},
		{NormalizeState, "New  York", "NY", true},
		{NormalizeState, "D.C.", "DC", true},
		{NormalizeState, "Puerto Rico", "PR", true},
		{NormalizeState, "ae", "AE", true},
		{NormalizeState, "Atlantis", "ATLANTIS", false},
		{NormalizeZIP, "83702-1234", "83702-1234", true},
		{NormalizeZIP, "837021234", "83702-1234", true},
		{NormalizeZIP, "8370", "8370", false},
		{NormalizePhone, "+1 (415) 555-0132", "4155550132", true},
		{NormalizePhone, "555-0132", "5550132", false},
		{NormalizeSSN, "123456789", "123-45-6789", true},
		{NormalizeSSN, "123 45 0000", "123-45-0000", true},
		{NormalizeSSN, "12345678a", "", false},
		{NormalizeLender, "Cascade Federal S&L", "Cascade Federal S and L", true},
		{NormalizeEmail, " Denise.K@Example.COM ", "Denise.K@example.com", true},
		{NormalizeEmail, "denise@", "denise@", false},
	} {
		if got := c.normalize(c.typed); got.Sent != c.sent || got.OK != c.ok {
			t.Errorf("%q: got %q %v, want %q %v", c.typed, got.Sent, got.OK, c.sent, c.ok)
		}
	}
}

func TestFoldForSearch(t *testing.T) {
	for in, want := range map[string]string{"Núñez-O’Hara": "nunez ohara", " Ruth  Ann ": "ruth ann",
		"1-26324-019": "1 26324 019", "Kaʻū O`Neil": "kau oneil", "Nu\u00adn\u0303ez\u200b": "nunez",
		"Smith–Jones": "smith jones"} {
		if got := FoldForSearch(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func FuzzNormalize(f *testing.F) {
	f.Add("O’Brien")
	f.Fuzz(func(t *testing.T, s string) {
		for _, normalize := range []func(string) Normalized{NormalizeName, NormalizeStreet, NormalizeCity, NormalizeState,
			NormalizeZIP, NormalizePhone, NormalizeSSN, NormalizeLender, NormalizeEmail} {
			once := normalize(s)
			again := normalize(once.Sent)
			if once.OK && (!again.OK || again.Sent != once.Sent || again.Changed != "" || again.Problem != "") {
				t.Errorf("%q: normalizing twice changes the result of the first time, %q, to %+v", s, once.Sent, again)
			}
		}
		FoldForSearch(s)
		for pattern, normalize := range map[*regexp.Regexp]func(string) Normalized{
			namePattern: NormalizeName, streetPattern: NormalizeStreet, cityPattern: NormalizeCity, zipPattern: NormalizeZIP,
			emailPattern: NormalizeEmail,
		} {
			if got := normalize(s); got.OK != (got.Problem == "" && pattern.MatchString(got.Sent)) && len(got.Sent) <= 254 {
				t.Errorf("%q: got %+v, which the lender's pattern judges otherwise", s, got)
			}
		}
	})
}

func TestMaskSSNs_InText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"SSN 123-45-6789, call back": "SSN XXX-XX-XXXX, call back",
		"123 45 6789":                "XXX-XX-XXXX",
		"loan 123456789":             "loan 123456789",
		"call (208) 555-0142":        "call (208) 555-0142",
		"ZIP 83702-1234":             "ZIP 83702-1234",
		"123–45–6789, 123\u201145\u20116789, 123\u00a045\u00a06789": "XXX-XX-XXXX, XXX-XX-XXXX, XXX-XX-XXXX",
		"219.09.9973 219/09/9973 219_09_9973 ２１９－０９－９９７３":           "XXX-XX-XXXX XXX-XX-XXXX XXX-XX-XXXX XXX-XX-XXXX",
		"“Núñez” – 12.5": "“Núñez” – 12.5",
		"":               "",
	} {
		if got, found := MaskSSNs(text); got != want || found != (got != text) {
			t.Errorf("%q: got %q, %v", text, got, found)
		}
	}
}

func TestNormalizeSSN_Refused_SaysTheRule(t *testing.T) {
	t.Parallel()
	for typed, problem := range map[string]string{
		"000-12-3456": "An SSN can’t begin with 000", "666123456": "An SSN can’t begin with 666",
		"900-12-3456": "An SSN can’t begin with 9", "987 65 4321": "An SSN can’t begin with 9",
		"123-00-6789": "The middle two digits of an SSN can’t be 00", "12345678a": "Enter only the 9 digits of the SSN",
		"12345678": "", "1234567890": "", "": "",
	} {
		if got, want := NormalizeSSN(typed), (Normalized{Problem: problem}); got != want {
			t.Errorf("%q: got %+v, want %+v", typed, got, want)
		}
	}
	for _, typed := range []string{"123-45-6789", "123–45–6789", "123\u00a045\u00a06789", "\u200b123456789"} {
		if got, want := NormalizeSSN(typed), (Normalized{Sent: "123-45-6789", OK: true}); got != want {
			t.Errorf("%+q: got %+v, want %+v", typed, got, want)
		}
	}
}
