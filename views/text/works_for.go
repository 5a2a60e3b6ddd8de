package text

import (
	"strings"

	"hearthline/internal/access"
)

// WorksFor says for whom an assistant works; names are those of the chosen originators.
func WorksFor(a access.Actor, names []string) string {
	switch a.WorksFor {
	case access.AllOriginators:
		return "all originators of the company"
	case "":
		return "no one yet"
	default:
		return strings.Join(names, ", ")
	}
}
