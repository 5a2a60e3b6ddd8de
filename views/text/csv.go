package text

import "strings"

// ByteOrderMark marks the file as UTF-8 for spreadsheets, which otherwise garble accented letters.
const ByteOrderMark = "\ufeff"

// EscapeFormula prevents a spreadsheet from reading a text as a formula: it adds an apostrophe
// before a text that, apart from leading whitespace, begins like one.
func EscapeFormula(text string) string {
	if strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "\r") || strings.HasPrefix(text, "\n") {
		return "'" + text
	}
	if first := strings.TrimLeft(text, " \t\r\n\u00a0"); first != "" && strings.ContainsAny(first[:1], "=+-@") {
		return "'" + text
	}
	for _, wide := range []string{"＝", "＋", "－", "＠"} {
		if strings.HasPrefix(text, wide) {
			return "'" + text
		}
	}
	return text
}
