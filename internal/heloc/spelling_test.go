package heloc

import "testing"

func TestWhatIsTypedIsMendedOrRefused(t *testing.T) {
	for _, c := range []struct {
		spell func(string) Spelling
		typed string
		sent  string
		ok    bool
	}{
		{SpellName, "O’Brien-Núñez", "O'Brien-Nunez", true},
		{SpellName, "Mr.", "Mr", true},
		{SpellName, "Sørensen", "Sorensen", true},
		{SpellName, "李", "李", false},
		{SpellName, "  ", "", false},
		{SpellStreet, "Apt #4", "Apt 4", true},
		{SpellStreet, "12 St. Mary's Rd, Unit 3/4", "12 St. Mary's Rd Unit 3 4", true},
		{SpellCity, "St. Louis", "St Louis", true},
		{SpellCity, "Coeur d’Alene", "Coeur d'Alene", true},
		{SpellState, "id", "ID", true},
		{SpellState, "XX", "XX", false},
		{SpellState, " colorado", "CO", true},
		{SpellState, "New  York", "NY", true},
		{SpellState, "D.C.", "DC", true},
		{SpellState, "Puerto Rico", "PR", true},
		{SpellState, "Atlantis", "ATLANTIS", false},
		{SpellZIP, "83702-1234", "83702-1234", true},
		{SpellZIP, "837021234", "83702-1234", true},
		{SpellZIP, "8370", "8370", false},
		{SpellPhone, "+1 (415) 555-0132", "4155550132", true},
		{SpellPhone, "555-0132", "5550132", false},
		{SpellSSN, "123456789", "123-45-6789", true},
		{SpellSSN, "123 45 0000", "123-45-0000", true},
		{SpellSSN, "12345678a", "", false},
		{SpellLender, "Cascade Federal S&L", "Cascade Federal S and L", true},
		{SpellEmail, " Denise.K@Example.COM ", "Denise.K@example.com", true},
		{SpellEmail, "denise@", "denise@", false},
	} {
		if got := c.spell(c.typed); got.Sent != c.sent || got.OK != c.ok {
			t.Errorf("%q: got %q %v, want %q %v", c.typed, got.Sent, got.OK, c.sent, c.ok)
		}
	}
}

func TestFoldedWordsAreComparable(t *testing.T) {
	for in, want := range map[string]string{"Núñez-O’Hara": "nunez ohara", " Ruth  Ann ": "ruth ann", "1-26324-019": "1 26324 019"} {
		if got := Folded(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func FuzzSpellings(f *testing.F) {
	f.Add("O’Brien")
	f.Fuzz(func(t *testing.T, s string) {
		for _, spell := range []func(string) Spelling{SpellName, SpellStreet, SpellCity, SpellState, SpellZIP, SpellPhone, SpellSSN, SpellLender, SpellEmail} {
			once := spell(s)
			if once.OK && spell(once.Sent) != once {
				t.Errorf("%q: what is sent is not what would be sent again: %q", s, once.Sent)
			}
		}
		Folded(s)
	})
}
