package crm

import (
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// splitLines puts the values of a CRM on one line each, as the controls have them: the browser would drop the break
// and join the words on both sides. A street of several lines becomes street and unit.
func splitLines(given lead.FormValues) {
	for name := range given {
		lines := linesOf(given.Value(name))
		if group, street := strings.CutSuffix(name, ".street1"); street && len(lines) > 1 {
			splitStreet(given, group, lines)
		} else if strings.ContainsFunc(given.Value(name), isLineBreak) {
			given[name] = []string{strings.Join(lines, " ")}
		}
	}
}

// splitStreet takes the first line that begins with a number as the street. The others are the unit, except one that
// repeats the ZIP code.
func splitStreet(given lead.FormValues, group string, lines []string) {
	street := 0
	for i, line := range lines {
		if line[0] >= '0' && line[0] <= '9' {
			street = i
			break
		}
	}
	var unit []string
	for i, line := range lines {
		if zip := given.Value(group + ".zip"); i != street && (zip == "" || !strings.Contains(line, zip)) {
			unit = append(unit, line)
		}
	}
	text, own := strings.Join(unit, " "), strings.Join(linesOf(given.Value(group+".street2")), " ")
	if !strings.Contains(heloc.FoldForSearch(text), heloc.FoldForSearch(own)) {
		text = strings.TrimSpace(text + " " + own)
	}
	given[group+".street1"] = []string{lines[street]}
	if text != "" {
		given[group+".street2"] = []string{text}
	}
}

func isLineBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == '\v' || r == '\u2028' || r == '\u2029'
}

func linesOf(text string) []string {
	var lines []string
	for line := range strings.FieldsFuncSeq(text, isLineBreak) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
