package heloc

import "testing"

// TestNormalize_AsPasted_CleanedOrNamed has texts as people paste them, and CRMs and loan files contain them.
func TestNormalize_AsPasted_CleanedOrNamed(t *testing.T) {
	t.Parallel()
	const invisible = "Removed an invisible character"
	for _, c := range []struct {
		normalize func(string) Normalized
		typed     string
		want      Normalized
	}{
		{NormalizeName, "Núñez\u200b", Normalized{Sent: "Nunez", OK: true, Changed: invisible}},
		{NormalizeName, "Nu\u0301n\u0303ez", Normalized{Sent: "Nunez", OK: true}},
		{NormalizeName, "Mary\u00a0Ann", Normalized{Sent: "Mary Ann", OK: true,
			Changed: "Changed a special space to a regular space"}},
		{NormalizeName, "O`Connor", Normalized{Sent: "O'Connor", OK: true}},
		{NormalizeName, "O‘Connor—Kaʻū", Normalized{Sent: "O'Connor-Ka'u", OK: true}},
		{NormalizeName, `Robert "Bob" “B.”`, Normalized{Sent: "Robert Bob B", OK: true}},
		{NormalizeName, "Griﬃn", Normalized{Sent: "Griffin", OK: true}},
		{NormalizeName, "Smith #2", Normalized{Sent: "Smith #2", Problem: "“#” can’t be used"}},
		{NormalizeName, "El\aena", Normalized{Sent: "Elena",
			Problem: "A control character (U+0007) can’t be used. Delete this entry and type it again"}},
		{NormalizeName, "Rivera 123-45-6789", Normalized{Sent: "Rivera 123-45-6789",
			Problem: "Remove the Social Security number"}},
		{NormalizeCity, "Kahului, Kaʻū", Normalized{Sent: "Kahului Ka'u", OK: true}},
		{NormalizeCity, "Boise 2", Normalized{Sent: "Boise 2", Problem: "“2” can’t be used"}},
		{NormalizeState, "I\u200bD", Normalized{Sent: "ID", OK: true, Changed: invisible}},
		{NormalizeStreet, "123 1/2 Elm St", Normalized{Sent: "123.5 Elm St", OK: true}},
		{NormalizeStreet, "1/2 Elm St", Normalized{Sent: "0.5 Elm St", OK: true}},
		{NormalizeStreet, "123½ Elm St", Normalized{Sent: "123.5 Elm St", OK: true}},
		{NormalizeStreet, "123 ½ Elm St", Normalized{Sent: "123.5 Elm St", OK: true}},
		{NormalizeStreet, "123-1/2 Elm St", Normalized{Sent: "123.5 Elm St", OK: true}},
		{NormalizeStreet, "123 1⁄2 Elm St", Normalized{Sent: "123.5 Elm St", OK: true}},
		{NormalizeStreet, "7 ¾ Mile Rd", Normalized{Sent: "7.75 Mile Rd", OK: true}},
		{NormalizeStreet, "Apt ½", Normalized{Sent: "Apt 0.5", OK: true}},
		{NormalizeStreet, "12/14 Elm St", Normalized{Sent: "12-14 Elm St", OK: true}},
		{NormalizeStreet, "Apt 1/2/3", Normalized{Sent: "Apt 1-2-3", OK: true}},
		{NormalizeStreet, "100 Elm St C/O Smith", Normalized{Sent: "100 Elm St C O Smith", OK: true}},
		{NormalizeStreet, "100% Elm", Normalized{Sent: "100% Elm", Problem: "“%” can’t be used"}},
		{NormalizeZIP, "83702\u200b", Normalized{Sent: "83702", OK: true, Changed: invisible}},
		{NormalizeZIP, "83702–1234", Normalized{Sent: "83702-1234", OK: true}},
		{NormalizePhone, "(208)\u00a0555-0142", Normalized{Sent: "2085550142", OK: true,
			Changed: "Changed a special space to a regular space"}},
		{NormalizePhone, "(208) 555-0142 ext. 12",
			Normalized{Sent: "2085550142", OK: true, Changed: "Removed the extension"}},
		{NormalizePhone, "208-555-0142x7", Normalized{Sent: "2085550142", OK: true, Changed: "Removed the extension"}},
		{NormalizePhone, "208-555-0142, extension: 12",
			Normalized{Sent: "2085550142", OK: true, Changed: "Removed the extension"}},
		{NormalizePhone, "(208) 555-016 ext 0", Normalized{Sent: "208555016", Changed: "Removed the extension"}},
		{NormalizeEmail, "elena@exam\u200bple.com", Normalized{Sent: "elena@example.com", OK: true, Changed: invisible}},
		{NormalizeEmail, "mailto:Elena@Example.com”",
			Normalized{Sent: "Elena@example.com", OK: true, Changed: "Removed “mailto:”. Removed the quotation marks"}},
		{NormalizeEmail, "ele\u00a0na@example.com", Normalized{Sent: "ele na@example.com",
			Changed: "Changed a special space to a regular space", Problem: "A space can’t be used"}},
		{NormalizeEmail, "ele\ana@example.com", Normalized{Sent: "elena@example.com",
			Problem: "A control character (U+0007) can’t be used. Delete this entry and type it again"}},
		{NormalizeEmail, "a..b@example.com", Normalized{Sent: "a..b@example.com",
			Problem: "An email can’t have two periods in a row"}},
		{NormalizeEmail, "a@b@example.com", Normalized{Sent: "a@b@example.com", Problem: "Use “@” only once"}},
		{NormalizeEmail, "a.@example.com", Normalized{Sent: "a.@example.com",
			Problem: "An email can’t begin with a period or have one next to “@”"}},
		{NormalizeEmail, "a@example.com.", Normalized{Sent: "a@example.com.", Problem: "Remove the period at the end"}},
		{NormalizeEmail, "a@example.com, b@example.com",
			Normalized{Sent: "a@example.com, b@example.com", Problem: "“,” and a space can’t be used"}},
		{NormalizeEmail, "a@example", Normalized{Sent: "a@example"}},
		{NormalizeLender, "Smith\u2019s S&L\u00ad", Normalized{Sent: "Smith's S and L", OK: true, Changed: invisible}},
		{NormalizeLender, "Bank_One", Normalized{Sent: "Bank_One", Problem: "“_” can’t be used"}},
	} {
		if got := c.normalize(c.typed); got != c.want {
			t.Errorf("%+q:\n got %+v\nwant %+v", c.typed, got, c.want)
		}
	}
}
