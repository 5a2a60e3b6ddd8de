package page

import "github.com/a-h/templ"

// reassignKey lets the shortcut "r" press the button.
func reassignKey() templ.OrderedAttributes {
	return templ.OrderedAttributes{{Key: "data-key", Value: "r"}}
}
