package input

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

func TestLine(t *testing.T) {
	t.Parallel()
	const invisible, space = "Removed an invisible character", "Changed a special space to a regular space"
	for typed, want := range map[string]Cleaned{
		"  Elena Rivera ":     {Text: "Elena Rivera"},
		"El\u200bena":         {Text: "Elena", Changed: invisible},
		"\ufeffElena":         {Text: "Elena", Changed: invisible},
		"Elena\u200e\u00ad":   {Text: "Elena", Changed: "Removed 2 invisible characters"},
		"\u00a0Elena\u2003":   {Text: "Elena"},
		"Mary\u00a0Ann":       {Text: "Mary Ann", Changed: space},
		"Mary\tAnn\u202fLee":  {Text: "Mary Ann Lee", Changed: "Changed 2 special spaces to regular spaces"},
		"Mary\u200b\u00a0Ann": {Text: "Mary Ann", Changed: invisible + ". " + space},
		"Nu\u0301n\u0303ez":   {Text: "Núñez"},
		"Nu\u200b\u0301ñez":   {Text: "Núñez", Changed: invisible},
		"O’Connor – “Bob”":    {Text: "O’Connor – “Bob”"},
		"El\aena": {Text: "Elena",
			Refused: "A control character (U+0007) can’t be used. Delete this entry and type it again"},
		"\u2028Line\r\n":                    {Text: "Line"},
		"\xff":                              {Text: "\ufffd"},
		"\u200b":                            {Changed: invisible},
		"❤\ufe0f":                           {Text: "❤", Changed: invisible},
		"tag\U000e0041":                     {Text: "tag", Changed: invisible},
		"\u3164":                            {Changed: invisible},
		strings.Repeat("\u200d", 3) + "Ann": {Text: "Ann", Changed: "Removed 3 invisible characters"},
	} {
		if got := Line(typed); got != want {
			t.Errorf("%+q: got %+v, want %+v", typed, got, want)
		}
	}
}

func TestLines_LineBreaksRemain(t *testing.T) {
	t.Parallel()
	if got, want := Lines(" a\r\n\tb\u00a0c\u200b\n"),
		(Cleaned{Text: "a\n\tb c", Changed: "Removed an invisible character. " +
			"Changed a special space to a regular space"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestEmail(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]Cleaned{
		"elena@example.com":                  {Text: "elena@example.com"},
		"elena@example.com”":                 {Text: "elena@example.com", Changed: "Removed the quotation marks"},
		"'elena@example.com'":                {Text: "elena@example.com", Changed: "Removed the quotation marks"},
		"mailto:elena@example.com?subject=x": {Text: "elena@example.com", Changed: "Removed “mailto:”"},
		"“MAILTO: elena@example.com”": {Text: "elena@example.com",
			Changed: "Removed “mailto:”. Removed the quotation marks"},
		"<elena@example.com>":           {Text: "elena@example.com", Changed: "Removed the angle brackets"},
		"o’hara@ex\u00adample.com":      {Text: "o'hara@example.com", Changed: "Removed an invisible character"},
		"elena\u00a0@example.com":       {Text: "elena @example.com", Changed: "Changed a special space to a regular space"},
		"<":                             {Text: "<"},
		"<>":                            {Changed: "Removed the angle brackets"},
		"\"":                            {Changed: "Removed the quotation marks"},
		"\u05f3elena@example.com\u05f3": {Text: "elena@example.com", Changed: "Removed the quotation marks"},
	} {
		if got := Email(typed); got != want {
			t.Errorf("%+q: got %+v, want %+v", typed, got, want)
		}
	}
}

func TestPlain_OneFamily(t *testing.T) {
	t.Parallel()
	for _, apostrophe := range "'`´‘’‛′ʹʻʼˈ＇ꞌ" {
		if got := Plain("O" + string(apostrophe) + "Connor"); got != "O'Connor" {
			t.Errorf("%+q: got %q", apostrophe, got)
		}
	}
	for _, dash := range "-‐‑‒–—―−－" {
		if got := Plain("Ann" + string(dash) + "Lee"); got != "Ann-Lee" {
			t.Errorf("%+q: got %q", dash, got)
		}
	}
	if got := Plain("Griﬃn\u00a0１２３\u200b 1⁄2"); got != "Griffin 123 1/2" {
		t.Errorf("got %q", got)
	}
}

func TestUnusable_NamesCharacters(t *testing.T) {
	t.Parallel()
	letter := func(r rune) bool { return r >= 'a' && r <= 'z' }
	for text, want := range map[string]string{
		"abc": "", "": "", "a#b#": "“#” can’t be used", "a%#": "“%” and “#” can’t be used",
		"#$%":     "“#”, “$” and “%” can’t be used",
		"#$%&":    "“#”, “$”, “%” and other characters can’t be used",
		"a b":     "A space can’t be used",
		"a\uf0b7": "The character U+F0B7 can’t be used",
	} {
		if got := Unusable(text, letter); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// FuzzClean: a cleaned text stays as it is, and has nothing that nobody means to type.
func FuzzClean(f *testing.F) {
	for _, seed := range []string{"Elena", "Nu\u200b\u0301n\u0303ez\u00a0", "\u1e9e\u0345\u0307", "a\u00ad\r\nb\a",
		"mailto:“<mailto:a@b.c>”", "\u2126\u212b\u0958", "\xff\ufeff", "´\u0301`", "\u05f3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		for name, clean := range map[string]func(string) Cleaned{"Line": Line, "Lines": Lines, "Email": Email} {
			once := clean(typed)
			if again := clean(once.Text); again.Text != once.Text || again.Changed != "" || again.Refused != "" {
				t.Errorf("%s of %+q: got %+q, then %+v", name, typed, once.Text, again)
			}
			if !norm.NFC.IsNormalString(once.Text) {
				t.Errorf("%s of %+q: %+q is not in the normal form", name, typed, once.Text)
			}
			for _, r := range once.Text {
				if IsInvisible(r) || unicode.IsControl(r) && (name != "Lines" || r != '\n' && r != '\t') ||
					unicode.IsSpace(r) && r > ' ' {
					t.Errorf("%s of %+q: %+q has %U", name, typed, once.Text, r)
				}
			}
		}
		if once := Plain(typed); Plain(once) != once {
			t.Errorf("Plain of %+q: got %+q, then %+q", typed, once, Plain(once))
		}
		if once := WithoutAccents(typed); WithoutAccents(once) != once {
			t.Errorf("WithoutAccents of %+q: got %+q, then %+q", typed, once, WithoutAccents(once))
		}
	})
}
