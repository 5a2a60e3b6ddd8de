package pipeline

import "github.com/a-h/templ"

// reassignKey lets the shortcut "r" press the button.
var reassignKey = templ.OrderedAttributes{{Key: "data-key", Value: "r"}}

// Add appends a group unless it is empty.
func (v *SearchView) Add(id, title string, hits []Hit) {
	if len(hits) > 0 {
		v.Groups = append(v.Groups, HitGroup{ID: id, Title: title, Hits: hits})
	}
}
