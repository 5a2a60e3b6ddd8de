package wordtest

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

func TestFind_RetiredPhrases_Found(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Licences on this lead":                        "Licences",
		"Your inquiry was Cancelled.":                  "Cancelled",
		"Send it all the same":                         "all the same",
		"This doesn’t touch your score":                "doesn't touch your",
		"Tick this box":                                "Tick",
		"The lender does not answer since 7:36 PM.":    "does not answer",
		"Since fri, Nov 20 6:36 PM":                    "fri, Nov 20",
		"Es una consulta suave.":                       "consulta suave",
		"Enter 15,000 to 259,100 dollars.":             "259,100 dollars",
		"Organise your leads":                          "Organise",
		"The wording of Behaviour":                     "Behaviour",
		"Every step":                                   "Every step",
		"A deed is recorded":                           "deed",
		"The inquiry is with the lender by itself now": "by itself",
	} {
		found := Find(text)
		if len(found) != 1 || strings.Trim(found[0].Phrase, " .") != want {
			t.Errorf("%q: got %+v, want %q", text, found, want)
		}
	}
}

func TestFind_WordsOfLoanOfficers_NotFound(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"License number", "Canceled", "Cancellation", "The borrower completed every step.", "Co-deed signed", "Deed of trust",
		"In all states, license required", "Center", "Reassign 3 leads",
		"Order of the liens", "Set the first lien aside", "Your advisor analyzes", "Otherwise, promise and exercise",
		"Call the borrower", "Not yet sent", "Through a link I sent", "An hour or four",
		"060bb949-deed-46ba-b9b4-6ab93337bac3", "060BB949-DEED-46BA-B9B4-6AB93337BAC3",
		"Sent by 060bb949-1eed-46ba-b9b4-6ab93337bac3 now",
	} {
		if found := Find(text); len(found) != 0 {
			t.Errorf("%q: got %+v", text, found)
		}
	}
}

func TestTextOf_HasLabelsAndSeparatesPieces(t *testing.T) {
	t.Parallel()
	page, err := goquery.NewDocumentFromReader(
		strings.NewReader(`<body><script>let cancelled</script><p>By <b>post</b></p><p>In</p><p>all</p>` +
			`<input placeholder="Licence" title="Grey"><button aria-label="Tick">x</button>`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range Find(TextOf(page.Selection)) {
		got = append(got, strings.ToLower(strings.TrimSpace(f.Phrase)))
	}
	for _, want := range []string{"by post", "licence", "grey", "tick"} {
		if !strings.Contains(strings.Join(got, "|"), want) {
			t.Errorf("got %v, want %q", got, want)
		}
	}
	if strings.Contains(strings.Join(got, "|"), "cancelled") {
		t.Errorf("got %v: a script is not text", got)
	}
}
